// The law `storage.taken-back`; one of the list in `StorageLaws.swift`. `rollback.undoes` asks the same of histories,
// with edits that fit any; here they go to what the document holds, and bytes and structure are looked at, too.

import DocumentModel
import Histories
import PropertyEngine

extension StorageLaws {
  /// Catches what is undone wrongly in a document that was loaded, or in one that was not: counts of what hides a
  /// value, runs that were cut, an object in whose place another one comes.
  ///
  /// By picks, besides 0, which chooses the replica:
  ///
  ///     1        odd: the document is loaded; even: a copy of what has lived
  ///     2 ...    what is edited and taken back, and, from 7 on, again
  ///     12 ...   what is edited for good
  ///     17       modulo 4: how many increments a counter has that is put first; those of histories seldom have two
  ///
  /// Worked example: a counter is loaded with two increments. Both are among the operations that overwrite it, and
  /// neither hides it. A put hides it; taken back, it must show it again, and not count three that hide it.
  static var takenBack: Law<PickedHistory> {
    law(
      "storage.taken-back",
      "Edits taken back leave no trace.",
      "Edits all over a document, loaded or not, that are taken back leave it as it was: it shows and saves the same, "
        + "and goes on as one that never made them.",
      source: .specification(.semantics, "Transactions and commits")
    ) { document, sample in
      try document.count(sample.pick(17) % 4)
      var asked =
        sample.pick(1) % 2 == 1
        ? try R.load(document.save(compressed: false), actor: other)
        : try document.fork(actor: other)
      var spared = try asked.fork(actor: other)
      let before = try Traces(of: &asked, after: "a rollback")
      try asked.editAround(by: sample, from: 2)
      try asked.rollback()
      if let difference = try before.difference(&asked) { return difference }
      try asked.editAround(by: sample, from: 7)
      try asked.rollback()
      try asked.editAround(by: sample, from: 12)
      try spared.editAround(by: sample, from: 12)
      asked.commit()
      spared.commit()
      if let difference = try asked.departure(from: &spared) { return difference }
      return byteDifference(
        asked.save(compressed: false),
        spared.save(compressed: false),
        "what is written after a rollback differs"
      )
    }
  }
}

extension StoredReplica {
  /// A counter at the root with some increments, each a change.
  fileprivate mutating func count(_ incrementCount: Int) throws {
    _ = try apply(.put(.root, .key("counted"), .counter(1)))
    for _ in 0..<incrementCount {
      commit()
      _ = try apply(.increment(.root, .key("counted"), by: 1))
    }
    commit()
  }

  /// Edits places all over the document, up to twelve; those that are refused leave nothing.
  fileprivate mutating func editAround(by sample: PickedHistory, from start: Int) throws {
    var places = [Place(object: .root, kind: .map, slot: .key("new"))]
    try observe(at: nil).root.gather(&places)
    let stride = max(1, places.count / 12)
    for step in 0..<min(12, places.count) {
      let number = sample.pick(start + step) + step
      let place = places[(sample.pick(start) / 8 + step * stride) % places.count]
      guard let made = (try? apply(place.edit(number)))?.made else { continue }
      _ = try? apply(.put(made, .key("k"), .int(Int64(number))))
    }
  }
}

/// A key of a map, or a place in a sequence.
private struct Place {
  let object: ObjectID
  let kind: ObjectKind
  let slot: Slot

  /// One of eight edits: values over another three times, a deletion, an increment, an object, and two that
  /// sequences have alone.
  func edit(_ number: Int) -> Edit<ObjectID> {
    switch (kind, slot, number % 8) {
    case (_, _, 0), (_, _, 1): .put(object, slot, .int(Int64(number % 3)))
    case (_, _, 2): .delete(object, slot)
    case (_, _, 3): .increment(object, slot, by: 2)
    case (_, _, 4): .put(object, slot, .counter(5))
    case (_, _, 5): .putObject(object, slot, .map)
    case (.text, .index(let index), 6):
      .spliceText(object, index: index, deleting: 2, inserting: "xy")
    case (.list, .index(let index), 6):
      .splice(object, index: index, deleting: 2, inserting: [.null, .int(1)])
    case (_, .index(let index), _):
      .mark(object, Marking(index, to: index + 2, "b", .boolean(true), expand: .both))
    case (_, .key, 6): .put(object, slot, .string("taken back"))
    case (_, .key, _): .delete(object, slot)
    }
  }
}

extension ObservedObject {
  /// All places of the object and of those that it shows.
  fileprivate func gather(_ places: inout [Place]) {
    guard let id else { return }
    var shown: [ObservedRegister] = []
    switch content {
    case .map(let entries):
      places += entries.map { Place(object: id, kind: .map, slot: .key($0.key)) }
      shown = entries.map(\.register)
    case .list(let registers):
      places += registers.indices.map { Place(object: id, kind: .list, slot: .index($0)) }
      shown = registers
    case .text(_, let length, _):
      places += (0..<length).map { Place(object: id, kind: .text, slot: .index($0)) }
    }
    for register in shown {
      if case .object(let object)? = register.values.last?.content { object.gather(&places) }
    }
  }
}
