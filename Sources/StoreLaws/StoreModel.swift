import PropertyEngine

/// What a store should hold: rows in the order of their first saving, and all states so far.
///
/// The oracle: an array that is searched from its start. Saving an item again leaves it in its
/// place.
///
/// A change whose id is saved and deleted deletes it: deletions come last. Cost: each change is
/// linear in the number of rows, and `states` keeps a copy of the rows for each change, so that a
/// run of `n` changes of `m` rows takes `n * m`.
///
/// Worked example: save a=1, save b=2, save a=3, delete a, save a=4. The rows are then [b=2, a=4]:
/// to replace keeps the place, to delete and save again does not.
package struct StoreModel: Hashable, Sendable {
  /// In the order of their first saving; ids are told apart by their bytes.
  package private(set) var rows: [StoreRow] = []
  /// The state after each change, that before all of them first.
  ///
  /// Laws of crashes look a shown state up here; its position is the number of changes that it has.
  package private(set) var states: [[StoreRow]] = [[]]

  package init() {}

  /// The rows after a change.
  package func after(saving saved: [StoreRow], deleting deleted: [String]) -> [StoreRow] {
    var next = rows
    for row in saved {
      if let index = next.firstIndex(where: { $0.id.utf8.elementsEqual(row.id.utf8) }) {
        next[index] = row
      } else {
        next.append(row)
      }
    }
    next.removeAll { row in deleted.contains { $0.utf8.elementsEqual(row.id.utf8) } }
    return next
  }

  /// Whether a change would do anything: deleting what is not there does not.
  package func isChange(saving saved: [StoreRow], deleting deleted: [String]) -> Bool {
    !saved.isEmpty
      || rows.contains { row in deleted.contains { $0.utf8.elementsEqual(row.id.utf8) } }
  }

  /// Whether a step changes rows: flushing, compacting and opening do not.
  func isChange(_ step: StoreStep) -> Bool {
    guard let (saved, deleted) = StoreTrial.change(step) else { return false }
    return isChange(saving: saved, deleting: deleted)
  }

  /// Carries a change out; the caller asks ``isChange(saving:deleting:)`` first where a state for
  /// nothing would be wrong.
  package mutating func apply(saving saved: [StoreRow], deleting deleted: [String]) {
    rows = after(saving: saved, deleting: deleted)
    states.append(rows)
  }

  /// Carries a change out if it would do anything.
  mutating func applyIfChange(saving saved: [StoreRow], deleting deleted: [String]) {
    if isChange(saving: saved, deleting: deleted) { apply(saving: saved, deleting: deleted) }
  }

  /// Goes back to a state, as an interruption may.
  ///
  /// The states before are forgotten: what an opening does not show must never come back.
  package mutating func revert(to rows: [StoreRow]) {
    self.rows = rows
    states = [rows]
  }
}

/// The versions of items as an observer can know them: by what it was told.
///
/// Of an item of the first state the version is not told, and not judged until a change has replaced it.
struct ToldVersions {
  /// By the bytes of the ids; 0 for a version that was not told.
  private var known: [[UInt8]: UInt64]

  init(_ rows: [StoreRow]) {
    known = Dictionary(rows.map { (Array($0.id.utf8), 0) }) { $1 }
  }

  /// Takes a change in; says where it replaces another version than the item had.
  mutating func take(
    _ number: UInt64,
    _ saved: some Sequence<(StoreRow, UInt64?)>,
    deleting deleted: [String]
  ) -> Difference? {
    for (row, replaced) in saved {
      let before = known.updateValue(number, forKey: Array(row.id.utf8))
      guard before != replaced, before != 0 || replaced == nil else { continue }
      return Difference(
        kind: "news.version",
        summary: "change \(number) names another version that it replaces of '\(row.id)'",
        expected: before.map { $0 == 0 ? "some version" : "\($0)" } ?? "none",
        actual: replaced.map { "\($0)" } ?? "none"
      )
    }
    for id in deleted { known[Array(id.utf8)] = nil }
    return nil
  }
}
