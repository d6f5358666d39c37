import AutomergeDocument
import MergeEngine

extension AnyCodingKey {
  /// Throws if a text is read as another path than the rule says, or as a path where the rule says
  /// that it is not one.
  ///
  /// `number` says which text: pieces that steps are made of, in any order.
  ///
  /// Eight texts of up to seven pieces each time. The second parser (`steps`) shares no code with
  /// the first.
  static func checkPaths(_ number: Int) throws {
    var random = PseudoRandom(seed: number)
    let pieces = [
      ".", ".", "[", "[", "]", "]", "0", "12", "7", "a", "Zz", "\u{e9}", "-", " ", "[+1]", "[-0]",
    ]
    for _ in 0..<8 {
      let path = (0...random.index(below: 7)).map { _ in pieces[random.index(below: pieces.count)] }
        .joined()
      let read = try? parsePath(path)
      try expect(read == steps(path), "parsePath of \(path) reads \(read?.description ?? "none")")
    }
  }

  /// What the documentation of ``parsePath(_:)`` says of a text, letter by letter; nil for one that is no
  /// path.
  private static func steps(_ path: String) -> [AnyCodingKey]? {
    let dot = UInt8(ascii: ".")
    let letters = Set(UInt8(ascii: "a")...UInt8(ascii: "z"))
      .union(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    var steps: [AnyCodingKey] = []
    for step in path.utf8.split(separator: dot) {
      if step.first == UInt8(ascii: "["), step.last == UInt8(ascii: "]") {
        let digits = step.dropFirst().dropLast()
        guard !digits.isEmpty else { return nil }
        var index: UInt64 = 0
        for digit in digits {
          guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
          index = index * 10 + UInt64(digit - UInt8(ascii: "0"))
        }
        steps.append(AnyCodingKey(index))
      } else if let first = step.first, letters.contains(first) {
        steps.append(AnyCodingKey(String(decoding: Array(step), as: UTF8.self)))
      } else {
        return nil
      }
    }
    return steps
  }
}
