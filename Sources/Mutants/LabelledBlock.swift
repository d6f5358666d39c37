/// One block of a list that people write: lines that each begin with a label.
///
///     # Lines that begin with a number sign say something to readers.
///     file: Sources/MergeEngine/OpID.swift
///     why: An empty line ends a block.
package struct LabelledBlock: Hashable, Sendable {
  /// A block that lacks what its list asks for.
  package struct Incomplete: Error, Hashable, CustomStringConvertible {
    /// What the list is of, in the plural.
    let what: String
    /// Number of the line in which the block ends, from 1.
    package let line: Int
    let label: String

    package var description: String {
      "the list of \(what): the block that ends in line \(line) has no proper `\(label):`"
    }
  }

  private let what: String
  private let line: Int
  private let fields: [String: String]

  /// All blocks of a text.
  ///
  /// `what`: What the list is of, in the plural; errors say it.
  ///
  /// - Throws: ``Incomplete`` for a line without a label.
  package static func list(
    _ text: String,
    of what: String
  ) throws(Incomplete) -> [LabelledBlock] {
    var result: [LabelledBlock] = []
    var fields: [String: String] = [:]
    // An empty line at the end ends the last block.
    let lines = (text + "\n").split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.hasPrefix("#") {
      guard line.isEmpty else {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else {
          throw Incomplete(what: what, line: index + 1, label: String(line.prefix(40)))
        }
        fields[String(parts[0])] = String(parts[1].drop(while: \.isWhitespace))
        continue
      }
      guard !fields.isEmpty else { continue }
      result.append(LabelledBlock(what: what, line: index + 1, fields: fields))
      fields = [:]
    }
    return result
  }

  /// What stands behind a label.
  ///
  /// - Throws: ``Incomplete`` if it is not there, or empty.
  package subscript(label: String) -> String {
    get throws(Incomplete) {
      guard let text = fields[label], !text.isEmpty else { throw incomplete(label) }
      return text
    }
  }

  /// The error for a label whose text is missing or wrong.
  package func incomplete(_ label: String) -> Incomplete {
    Incomplete(what: what, line: line, label: label)
  }
}
