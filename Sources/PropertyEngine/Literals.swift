/// Words and numbers that stand in a package's sources, and so may be what its code compares values with.
///
/// A fuzzer makes samples of them as well: of a comparison in Swift's library it sees nothing, and to one of
/// numbers it comes bit by bit, for each field again.
package struct Literals: Codable, Hashable, Sendable {
  package var words: [String]
  package var numbers: [Int64]

  package init(words: [String] = [], numbers: [Int64] = []) {
    self.words = words
    self.numbers = numbers
  }

  package var isEmpty: Bool { words.isEmpty && numbers.isEmpty }
}
