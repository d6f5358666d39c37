import Foundation
import Mutants

/// Code that no case is expected to enter, and why: a block of `Mutation/never-entered.txt`.
struct NeverEntered {
  /// Where the list is, from the root of the package.
  static let path = "Mutation/never-entered.txt"

  /// Path from the root of the package; `*` for any file.
  let file: String
  /// A line that the code holds, without the spaces around it; where the file is any, a part of one.
  let line: String
  let reason: String

  /// Lines of code that an entry for any file names at most: a long function is not all that one line says.
  private static let lineLimit = 3

  /// Whether it is about code in a file.
  func names(_ code: [String], in file: String) -> Bool {
    guard self.file != "*" else {
      return code.count <= Self.lineLimit && code.contains { $0.contains(line) }
    }
    return file == self.file && code.contains { $0.trimmingCharacters(in: .whitespaces) == line }
  }

  /// Reads a list: a block for each, of the lines `file:`, `line:` and `why:`.
  ///
  /// - Throws: `LabelledBlock.Incomplete`.
  static func list(_ text: String) throws(LabelledBlock.Incomplete) -> [NeverEntered] {
    try LabelledBlock.list(text, of: "code that is never entered").map {
      block throws(LabelledBlock.Incomplete) in
      NeverEntered(file: try block["file"], line: try block["line"], reason: try block["why"])
    }
  }
}
