import DocumentModel

/// A named property of histories: when a known divergence of a subject may show.
package enum HistoryCondition: String, Hashable, Sendable, CaseIterable {
  /// A map is written under the empty key.
  case writesEmptyKey = "writes-empty-key"
  /// An object is put over an element of a text.
  case putsObjectInText = "puts-object-in-text"
  /// A text gets an element that is not one unit wide, by a put or insert of a longer or empty
  /// string.
  case widensText = "widens-text"
  /// A counter is incremented.
  case increments

  package func holds(for history: History) -> Bool {
    !steps(of: history).isEmpty
  }

  /// The steps that make the condition hold, ascending.
  package func steps(of history: History) -> [Int] {
    var kinds: [ObjectKind] = [.map] + history.base.objectKinds
    var found: [Int] = []
    for (index, step) in history.steps.enumerated() {
      guard case .edit(_, let edit) = step else { continue }
      let isText =
        kinds.indices.contains(edit.object.number) && kinds[edit.object.number] == .text
      if holds(for: edit, isText: isText) { found.append(index) }
      if let made = edit.madeKind { kinds.append(made) }
    }
    return found
  }

  private func holds(for edit: Edit<ObjectName>, isText: Bool) -> Bool {
    switch self {
    case .writesEmptyKey:
      switch edit {
      case .put(_, .key(""), _), .putObject(_, .key(""), _), .delete(_, .key("")),
        .increment(_, .key(""), _):
        true
      default: false
      }
    case .putsObjectInText:
      if case .putObject(_, .index, _) = edit { isText } else { false }
    case .widensText:
      switch edit {
      case .put(_, .index, .string(let text)), .insert(_, _, .string(let text)):
        isText && text.string.unicodeScalars.count != 1
      default: false
      }
    case .increments:
      edit.kind == .increment
    }
  }
}
