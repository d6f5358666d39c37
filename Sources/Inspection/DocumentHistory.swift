package import MergeEngine
package import Texts

/// The changes of a document, in an order in which each comes after those it depends on.
package enum DocumentHistory {
  /// Five lines a change, with an empty line between two.
  package static func lines(of document: MergeDocument) -> [String] {
    var lines: [String] = []
    for change in document.changes() {
      if !lines.isEmpty { lines.append("") }
      lines.append("change \(change.hash)")
      lines.append(
        "  actor \(change.actor), number \(change.seq), "
          + "\(counted(change.opCount, "operation")) from \(change.startOp)"
      )
      lines.append("  time \(InstantText.seconds(change.time))")
      if let message = change.message { lines.append("  message \(SafeText.quoted(message))") }
      let names = change.dependencies.map(\.description)
      lines.append("  after \(names.isEmpty ? "nothing" : names.joined(separator: " "))")
    }
    return lines
  }

  /// An array with an object for each change.
  package static func tree(of document: MergeDocument) -> JSONValue {
    .array(
      document.changes().map { change in
        .object([
          .init("hash", .string(change.hash.description)),
          .init("actor", .string(change.actor.description)),
          .init("seq", JSONValue(change.seq)),
          .init("startOp", JSONValue(change.startOp)),
          .init("ops", .int(Int64(change.opCount))),
          .init("time", .string(InstantText.seconds(change.time))),
          .init("message", change.message.map { .string($0) } ?? .null),
          .init("deps", .array(change.dependencies.map { .string($0.description) })),
        ])
      }
    )
  }
}
