package import PropertyEngine

extension LawStatement {
  /// Words of a title at most.
  package static let titleWordLimit = 8
}

/// What is wrong with a law's name, in words; nil if nothing is.
///
/// A name has two or more parts with dots between them. Each part starts with a small ASCII letter,
/// goes on with such letters, digits and hyphens, and does not end with a hyphen.
package func lawNameProblem(_ name: String) -> String? {
  let parts = name.split(separator: ".", omittingEmptySubsequences: false)
  guard parts.count >= 2 else { return "it has \(parts.count) part, and needs two or more" }
  for (index, part) in parts.enumerated() {
    guard let first = part.utf8.first, let last = part.utf8.last else {
      return "part \(index + 1) is empty"
    }
    guard (0x61...0x7a).contains(first) else {
      return "part \(index + 1) does not start with a small letter"
    }
    let isPlain = part.utf8.allSatisfy { byte in
      (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2d
    }
    guard isPlain else {
      return "part \(index + 1) has something other than small letters, digits and hyphens"
    }
    guard last != 0x2d else { return "part \(index + 1) ends with a hyphen" }
  }
  return nil
}
