import PropertyEngine

extension FuzzInput {
  /// The smallest input that keeps a property of this one.
  ///
  /// Of choices, those that the shrinker finds. Bytes from outside are choices of 255 each: lines and blocks of
  /// them go first, then each is lowered, and what the entrance looks at is made right again.
  ///
  /// The input itself must have the property. Cost: at most `stepLimit` inputs are looked at.
  package func shrunk(stepLimit: Int, keeping holds: (FuzzInput) -> Bool) -> FuzzInput {
    if let boundary = subject.target.boundary {
      return shrunk(at: boundary, stepLimit: stepLimit, keeping: holds)
    }
    let shrinker = Shrinker(
      failing: choices.recorded,
      spans: choices.spans,
      stepLimit: stepLimit
    )
    let result = shrinker.run { candidate in
      let input = drawn(from: candidate)
      return ShrinkAttempt(input.choices, fails: holds(input))
    }
    return drawn(from: result.values)
  }

  private func drawn(from values: [UInt32]) -> FuzzInput {
    FuzzInput(drawing: Choices(replaying: values), on: subject, request)
  }

  private func shrunk(
    at boundary: Boundary,
    stepLimit: Int,
    keeping holds: (FuzzInput) -> Bool
  ) -> FuzzInput {
    var best = self
    let shrinker = Shrinker(
      failing: Self.choices(of: bytes),
      spans: Self.spans(of: bytes, boundary.notation),
      stepLimit: stepLimit
    )
    _ = shrinker.run { candidate in
      let bytes = candidate.map { UInt8(truncatingIfNeeded: $0) }
      // Some failures are that bytes pass which should not: they are tried as they are, too.
      let forms = [boundary.entrance?.repaired(bytes), bytes].compactMap(\.self)
      for form in forms where form.count <= bytes.count {
        let input = FuzzInput(bytes: form, on: subject, request)
        guard holds(input) else { continue }
        best = input
        return ShrinkAttempt(
          recorded: Self.choices(of: form),
          spans: Self.spans(of: form, boundary.notation),
          fails: true
        )
      }
      return ShrinkAttempt(recorded: Self.choices(of: bytes), spans: [], fails: false)
    }
    return best
  }

  private static func choices(of bytes: [UInt8]) -> [Choice] {
    bytes.map { Choice(value: UInt32($0), limit: 255) }
  }

  /// What can be cut out as a whole: lines of a text, blocks of 64, 16 and 4 bytes of other bytes, and each byte.
  private static func spans(of bytes: [UInt8], _ notation: Boundary.Notation) -> [ChoiceSpan] {
    var spans: [ChoiceSpan] = []
    func add(_ range: Range<Int>, _ sizes: [Int], depth: Int) {
      spans.append(
        ChoiceSpan(
          label: "\(depth)",
          start: range.lowerBound,
          end: range.upperBound,
          depth: depth
        )
      )
      guard let size = sizes.first, range.count > 1 else { return }
      for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
        add(
          start..<min(start + size, range.upperBound),
          Array(sizes.dropFirst()),
          depth: depth + 1
        )
      }
    }
    switch notation {
    case .binary:
      for start in stride(from: 0, to: bytes.count, by: 64) {
        add(start..<min(start + 64, bytes.count), [16, 4, 1], depth: 0)
      }
    case .text:
      var start = 0
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: 0x0a).map { $0 + 1 } ?? bytes.count
        add(start..<end, [8, 1], depth: 0)
        start = end
      }
    }
    return spans
  }
}
