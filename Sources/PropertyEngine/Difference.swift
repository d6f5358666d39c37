/// Where two things that should agree do not.
///
///     kind            list.length
///     summary         "l" has 2 elements, and 3 are due
///     expected        [1, 2, 3], shown by r0 after healing
///     actual          [1, 3], shown by r1 after healing
package struct Difference: Codable, Hashable, Sendable {
  /// The class of the divergence: stable words without positions or values (`list.length`).
  ///
  /// Shrinking keeps it, so that one failure never turns into another.
  package let kind: String
  /// Where the two first differ, in words.
  package let summary: String
  /// What should have been there.
  package let expected: String?
  /// What was there.
  package let actual: String?
  /// The side that shows ``expected``; `nil` if the law itself demands it.
  package private(set) var expectedSide: Side?
  /// The side that shows ``actual``; `nil` if there is only one that could.
  package private(set) var actualSide: Side?
  /// Whether neither side is known to be right: which of them shows ``expected`` is a matter of order, and both stand
  /// under their names alone.
  package private(set) var isOfPeers = false

  /// One of the two that are compared.
  package struct Side: Codable, Hashable, Sendable {
    /// Which implementation shows it.
    package enum Party: String, Codable, Hashable, Sendable, CaseIterable {
      case subject, oracle
    }

    /// Which of its states it is: `r0 after healing`.
    package let name: String
    package let party: Party
    /// All that it shows, line by line; empty if the difference shows all there is.
    package let state: [String]

    package init(_ name: String, party: Party = .subject, state: [String] = []) {
      self.name = name
      self.party = party
      self.state = state
    }
  }

  package init(
    kind: String,
    summary: String,
    expected: String? = nil,
    actual: String? = nil
  ) {
    self.kind = kind
    self.summary = summary
    let texts = [expected, actual].map { $0.map { Array($0.utf8) } }
    // Two spellings of one text look alike.
    let looksAlike = expected == actual && texts[0] != texts[1]
    self.expected = looksAlike ? expected.map(Self.spelled) : expected
    self.actual = looksAlike ? actual.map(Self.spelled) : actual
  }

  /// The text with all but ASCII as Swift's escapes.
  private static func spelled(_ text: String) -> String {
    text.unicodeScalars.map { $0.isASCII ? "\($0)" : $0.escape }.joined()
  }

  /// The same difference, with the compared sides: one shows what was expected, the other what was
  /// found.
  package func between(_ expected: Side?, _ actual: Side?) -> Difference {
    var difference = self
    difference.expectedSide = expected
    difference.actualSide = actual
    return difference
  }

  /// The same difference, with the names of two states or answers of the subject; ``expected`` and
  /// ``actual`` show all there is to compare.
  ///
  /// The first is `nil` where the law itself says what should have been there.
  package func between(_ expected: String?, _ actual: String) -> Difference {
    between(expected.map { Side($0) }, Side(actual))
  }

  /// The same difference, where neither of the two sides is known to be right: of two replicas, or of a copy and what
  /// it was made of.
  ///
  /// Unchanged where a side has no name, since the other is then held against the law's own demand.
  package func ofPeers() -> Difference {
    guard expectedSide != nil, actualSide != nil else { return self }
    var difference = self
    difference.isOfPeers = true
    return difference
  }

  /// What stands before ``expected`` and before ``actual``: the names of two peers, else `expected` and `found`.
  package var labels: (expected: String, found: String) {
    guard isOfPeers, let expectedSide, let actualSide else { return ("expected", "found") }
    return (expectedSide.name, actualSide.name)
  }

  /// Names the side that shows ``actual``, if there is a value to show and no side is named
  /// already.
  func lookingAt(_ name: String) -> Difference {
    let isOfNobody = expectedSide == nil && actualSide == nil
    return isOfNobody && (expected ?? actual) != nil ? between(nil, name) : self
  }

  /// The same difference, told otherwise.
  package func told(as summary: String, kind: String? = nil) -> Difference {
    let told = Difference(
      kind: kind ?? self.kind,
      summary: summary,
      expected: expected,
      actual: actual
    ).between(expectedSide, actualSide)
    return isOfPeers ? told.ofPeers() : told
  }
}

extension Difference: CustomStringConvertible {
  package var description: String {
    var text = "\(summary) [\(kind)]"
    let sides = [(labels.expected, expected), (labels.found, actual)]
    let width = sides.map { $0.0.unicodeScalars.count }.max() ?? 0
    for (label, shown) in sides {
      guard let shown else { continue }
      let gap = String(repeating: " ", count: width - label.unicodeScalars.count)
      text += "\n  \(label): \(gap)\(shown)"
    }
    return text
  }
}
