package import MergeEngine
import Texts

/// The operations of all changes of a document, in lines: what each did, where, and in the place of what.
package enum OperationList {
  /// Operations of one change that are listed, unless all are asked for.
  package static let usualLimit = 200

  /// The lines; of each change the first `operationLimit` operations, of each value `characterLimit` characters.
  package static func lines(
    _ document: MergeDocument,
    operationLimit: Int = usualLimit,
    characterLimit: Int = 80
  ) -> [String] {
    document.changes().flatMap { change -> [String] in
      let operations = document.operations(of: change.hash) ?? []
      var lines = ["", "operations of change \(change.hash)"]
      if operations.isEmpty { lines.append("  none") }
      lines += operations.prefix(operationLimit).map { line($0, characterLimit) }
      let left = operations.count - operationLimit
      if left > 0 { lines.append("  and \(counted(left, "more operation")): --whole lists all") }
      return lines
    }
  }

  private static func line(_ operation: StoredOperation, _ limit: Int) -> String {
    var parts = ["  \(operation.id)", place(operation), text(of: operation.action, limit: limit)]
    if !operation.predecessors.isEmpty {
      let names = operation.predecessors.map { "\($0)" }.joined(separator: ", ")
      parts.append("(over \(names))")
    }
    return parts.joined(separator: " ")
  }

  /// `_root "title":`, `7@aa at 8@aa:`; of an insertion, `7@aa behind 8@aa:` or `7@aa first:`.
  private static func place(_ operation: StoredOperation) -> String {
    switch (operation.place, operation.isInsert) {
    case (.key(let key), _): "\(operation.object) \(SafeText.quoted(key)):"
    case (.element(let element?), false): "\(operation.object) at \(element):"
    case (.element(let element?), true): "\(operation.object) behind \(element):"
    case (.element(nil), _): "\(operation.object) first:"
    }
  }

  private static func text(of action: StoredOperation.Action, limit: Int) -> String {
    func text(_ scalar: Scalar) -> String {
      DocumentTree.scalarText(.scalar(scalar), limit: limit)
    }
    switch action {
    case .make(let kind): return DocumentTree.scalarText(.object(.root, kind), limit: limit)
    case .set(let value): return text(value)
    case .delete: return "delete"
    case .increment(let amount): return "add \(text(amount))"
    case .mark(nil, _, _): return "the end of a mark"
    case .mark(let name?, let value, let expands):
      return "mark \(SafeText.quoted(name)) \(text(value))\(expands ? ", expands" : "")"
    }
  }
}
