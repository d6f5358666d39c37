/// Long hexadecimal numbers, such as actors and hashes, by as few of their first digits as tell
/// them apart.
///
/// An actor of 32 digits in each line hides what the line says. Two numbers that differ anywhere
/// in the texts given stay different; where the first ``digitLimit`` digits do not suffice,
/// nothing is cut.
struct Abbreviation {
  /// Digits from which on a number is long: more than any integer of 64 bits has, whose value a reader needs.
  static let longCount = 21
  /// Digits that are kept at most.
  static let digitLimit = 12

  /// Digits that are kept; `nil` if all are.
  private let count: Int?

  init(_ texts: some Sequence<String>) {
    var numbers: Set<Substring> = []
    for text in texts {
      for run in runs(of: text) where run.isLong { numbers.insert(run.text) }
    }
    count = stride(from: 4, through: Self.digitLimit, by: 2).first { count in
      Set(numbers.map { $0.prefix(count) }).count == numbers.count
    }
  }

  func callAsFunction(_ text: String) -> String {
    guard let count, text.utf8.count >= Self.longCount else { return text }
    return runs(of: text).map { $0.isLong ? "\($0.text.prefix(count))…" : String($0.text) }.joined()
  }
}

private struct Run {
  let text: Substring
  /// Whether it is a hexadecimal number with enough digits.
  let isLong: Bool
}

/// The text, cut where hexadecimal digits begin and end.
private func runs(of text: String) -> [Run] {
  var runs: [Run] = []
  var start = text.startIndex
  while start < text.endIndex {
    let isDigits = isDigit(text.utf8[start])
    let end =
      text.utf8[start...].firstIndex { isDigit($0) != isDigits } ?? text.endIndex
    let run = text[start..<end]
    // Digits behind a point are a fraction.
    let isFraction = runs.last?.text.utf8.last == UInt8(ascii: ".")
    let isLong = isDigits && !isFraction && run.utf8.count >= Abbreviation.longCount
    runs.append(Run(text: run, isLong: isLong))
    start = end
  }
  return runs
}

/// Lower case only: that is how actors and hashes are written.
private func isDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
  default: false
  }
}

extension Report.Failure {
  /// The failure with long numbers cut in what subject and oracle show; its history, commands and
  /// paths are as they were.
  var abbreviated: Self {
    let sides = [expectedSide, actualSide].compactMap(\.self)
    let shown = [expected, actual].compactMap(\.self) + start + sides.flatMap(\.state)
    let states = timeline.lazy.flatMap { $0.state + ($0.oracleState ?? []) }
    let abbreviate = Abbreviation(shown + states)
    var failure = self
    failure.expected = expected.map(abbreviate.callAsFunction)
    failure.actual = actual.map(abbreviate.callAsFunction)
    failure.expectedSide?.state = expectedSide?.state.map(abbreviate.callAsFunction) ?? []
    failure.actualSide?.state = actualSide?.state.map(abbreviate.callAsFunction) ?? []
    failure.start = start.map(abbreviate.callAsFunction)
    for index in timeline.indices {
      failure.timeline[index].state = timeline[index].state.map(abbreviate.callAsFunction)
      failure.timeline[index].oracleState =
        timeline[index].oracleState?.map(abbreviate.callAsFunction)
    }
    return failure
  }
}
