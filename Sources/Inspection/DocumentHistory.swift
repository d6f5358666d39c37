package import MergeEngine
package import Texts

/// The changes of a document, in an order in which each comes after those it depends on.
package enum DocumentHistory {
  /// The document as it was at these changes, each named by its hash or by the first digits of it.
  package static func document(
    _ document: MergeDocument,
    at names: [Substring]
  ) throws(InspectionError) -> MergeDocument {
    var heads: [ChangeHash] = []
    let hashes = document.changeHashes()
    for name in names {
      let fitting = hashes.filter { $0.description.hasPrefix(name.lowercased()) }
      guard let hash = fitting.first, fitting.count == 1, !name.isEmpty else {
        throw .noChange(named: String(name), candidates: fitting.count)
      }
      heads.append(hash)
    }
    do throws(EditError) {
      return try document.fork(at: heads, actor: ActorID([]))
    } catch {
      throw .refused("\(error)")
    }
  }

  /// Five lines a change, with an empty line between two.
  package static func lines(of document: MergeDocument, last: Int = .max) -> [String] {
    var lines: [String] = []
    for change in document.changes().suffix(last) {
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
  package static func tree(of document: MergeDocument, last: Int = .max) -> JSONValue {
    .array(
      document.changes().suffix(last).map { change in
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
