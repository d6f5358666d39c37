/// The numbers of a law's choices as its sample, for a law that draws one thing and nothing else.
///
/// The check draws again from the numbers, and gets the simplest of each thing where they end. A stored case therefore
/// depends on the order in which its law draws, and is a short list of small numbers, whatever the law draws of them.
///
///     numbers 5 1         index(below: 3) takes 5: 5 modulo 3 is 2     flag() takes 1: yes
///     behind the end      index(below: 3) is 0                         flag() is no
package struct DrawnNumbers: Hashable, Sendable {
  /// No zeros at the end, which say what is drawn there in any case.
  package private(set) var bytes: [UInt8] = []

  /// None: the simplest of each thing.
  package init() {}

  /// Draws `count` numbers.
  package init(_ count: Int, _ choices: inout Choices) {
    bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: choices.choice(upTo: 255)) }
    while bytes.last == 0 { bytes.removeLast() }
  }

  /// Reads ``line``; `nil` for another line.
  package init?(_ line: Substring) {
    let words = line.split(separator: " ")
    bytes = words.dropFirst().compactMap { UInt8($0) }
    guard words.first == Self.word, bytes.count == words.count - 1 else { return nil }
  }

  private static let word: Substring = "numbers"

  package var isEmpty: Bool { bytes.isEmpty }
  package var count: Int { bytes.count }

  /// The text form: `numbers 5 1`.
  package var line: String { ([String(Self.word)] + bytes.map(String.init)).joined(separator: " ") }

  /// Draws anew from the start.
  package var choices: Choices { Choices(bytes: bytes) }
}
