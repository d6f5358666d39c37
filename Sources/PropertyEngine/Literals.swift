/// Words and numbers that stand in a package's sources, and so may be what its code compares values with.
///
/// A fuzzer makes samples of them as well: of a comparison in Swift's library it sees nothing, and to one of
/// numbers it comes bit by bit, for each field again.
package struct Literals: Codable, Hashable, Sendable {
  package var words: [String]
  package var numbers: [Int64]
  /// The numbers with a fraction or an exponent.
  package var decimals: [Double]

  package init(words: [String] = [], numbers: [Int64] = [], decimals: [Double] = []) {
    self.words = words
    self.numbers = numbers
    self.decimals = decimals
  }

  /// Stored cases of earlier versions have no decimals.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    words = try container.decode([String].self, forKey: .words)
    numbers = try container.decode([Int64].self, forKey: .numbers)
    decimals = try container.decodeIfPresent([Double].self, forKey: .decimals) ?? []
  }

  package var isEmpty: Bool { words.isEmpty && numbers.isEmpty && decimals.isEmpty }
}
