// Patches, found by comparing two observations: a slow way that needs no log of events, and whose
// patches lead from one state to the other by construction. They need not be the engine's: laws
// carry patches out and compare where they lead, and never patch with patch.
//
//     old    "abcd"              head: "a" stays, tail: "d" stays
//     new    "axd"
//            deleteRange 1, 2    "ad"
//            spliceText 1 "x"    "axd"
//
// Source: Decisions/0029-patches-by-comparing-states.md.

package import DocumentModel

// What leads from one state to another. Source: Specification/Semantics.md, "Differences between two states".
extension NaiveModel {
  /// The patches from the state at some heads to that at others, found by comparing what both show.
  ///
  /// Of a list or text the ends that are alike stay, and all between them is deleted and inserted again.
  package func patches(
    from before: ObservedHeads,
    to after: ObservedHeads
  ) throws -> [ObservedPatch] {
    let ids = before.ids.compactMap(NaiveChange.ID.init)
    var comparison = StateComparison<R>(actor) { [clock = clock(of: ancestry(of: ids))] in
      isCovered($0, by: clock)
    }
    try comparison.walk(from: observe(at: before).root, to: observe(at: after).root, at: [])
    return comparison.patches
  }
}

/// Compares what an object shows in two states.
///
/// An object that was known and is shown again is told with all that it holds; `isOld` tells which
/// were.
private struct StateComparison<R: Rules> {
  private(set) var patches: [ObservedPatch] = []
  /// The writer of the document that is asked.
  private let actor: ActorID
  /// Whether the first state knows an operation.
  private let isOld: (OpID) -> Bool

  init(_ actor: ActorID, isOld: @escaping (OpID) -> Bool) {
    self.actor = actor
    self.isOld = isOld
  }

  /// An object that the first state does not show, but the patches have put, is compared with an empty one.
  mutating func walk(from before: ObservedObject, to after: ObservedObject, at path: [Slot]) {
    switch (before.content, after.content) {
    case (.map(let old), .map(let new)):
      let known = Dictionary(uniqueKeysWithValues: old.map { ($0.key, $0.register) })
      let stays = Set(new.map(\.key))
      for entry in old where !stays.contains(entry.key) { add(.deleteKey(entry.key), path) }
      for entry in told(new) {
        let slot = Slot.key(entry.key)
        guard let old = known[entry.key] else {
          put(entry.register, at: slot, path)
          continue
        }
        keep(old, as: entry.register, at: slot, path)
      }
    case (.list(let old), .list(let new)):
      let kept = walk(from: old, to: new, isText: false, at: path)
      tellMarks(from: before, to: after, kept: kept, at: path)
    case (.text(_, _, let old), .text(_, _, let new)):
      let kept = walk(from: old ?? [], to: new ?? [], isText: true, at: path)
      tellMarks(from: before, to: after, kept: kept, at: path)
    default: break
    }
  }

  /// Entries in the order in which they are told.
  private func told(_ entries: [ObservedObject.Entry]) -> [ObservedObject.Entry] {
    func isFirst(_ entry: ObservedObject.Entry) -> Bool {
      let isOwn = entry.register.values.last?.id?.actor == actor
      return R.tellsFirst(ownValue: isOwn)
    }
    return entries.filter(isFirst) + entries.filter { !isFirst($0) }
  }

  private mutating func add(_ action: ObservedPatch.Action, _ path: [Slot]) {
    patches.append(ObservedPatch(path, action))
  }

  // MARK: - Registers

  /// Puts what was not there, or not as the winner.
  private mutating func put(_ register: ObservedRegister, at slot: Slot, _ path: [Slot]) {
    guard let winner = register.values.last else { return }
    add(.put(slot, Self.empty(winner)), path)
    tellConflict(of: register, at: slot, isKept: false, path)
    fill(winner, at: path + [slot])
  }

  /// Compares a register whose place stays.
  ///
  /// A value that stays needs no patch, but where it is an object with other content, or a counter
  /// with another sum.
  private mutating func keep(
    _ old: ObservedRegister,
    as new: ObservedRegister,
    at slot: Slot,
    _ path: [Slot]
  ) {
    guard let before = old.values.last, let after = new.values.last else { return }
    let isKept = before.id == after.id
    switch (before.content, after.content) {
    case (.object(let before), .object(let after)) where isKept:
      walk(from: before, to: after, at: path + [slot])
    case (.scalar(.counter(let start)), .scalar(.counter(let end))) where isKept:
      if start != end { add(.increment(slot, by: end &- start), path) }
    default:
      if R.puts(kept: isKept) { return put(new, at: slot, path) }
    }
    if old.values.count == 1 { tellConflict(of: new, at: slot, isKept: true, path) }
  }

  private mutating func tellConflict(
    of register: ObservedRegister,
    at slot: Slot,
    isKept: Bool,
    _ path: [Slot]
  ) {
    guard register.values.count > 1, R.tellsConflict(ofKept: isKept) else { return }
    add(.conflict(slot), path)
  }

  /// A value as it comes: an object empty.
  private static func empty(_ value: ObservedValue) -> ObservedValue {
    guard case .object(let object) = value.content else { return value }
    return ObservedValue(
      id: value.id,
      content: .object(ObservedObject(empty: object.kind, id: object.id))
    )
  }

  private mutating func fill(_ value: ObservedValue, at path: [Slot]) {
    guard case .object(let object) = value.content,
      R.fills(objectShownAgain: value.id.map(isOld) ?? false)
    else { return }
    walk(from: ObservedObject(empty: object.kind, id: object.id), to: object, at: path)
  }

  // MARK: - Sequences

  /// Tells how a sequence becomes another; gives the units that stay at its start and at its end.
  private mutating func walk(
    from old: [ObservedRegister],
    to new: [ObservedRegister],
    isText: Bool,
    at path: [Slot]
  ) -> (start: Int, end: Int) {
    func isSame(_ pair: (ObservedRegister, ObservedRegister)) -> Bool {
      pair.0.values.last?.id == pair.1.values.last?.id
    }
    func units(_ registers: ArraySlice<ObservedRegister>) -> Int {
      registers.reduce(0) { $0 + Self.width(of: $1, isText: isText) }
    }
    let head = zip(old, new).prefix(while: isSame).count
    let rest = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
    let tail = rest.prefix(while: isSame).count
    let deleted = units(old.dropFirst(head).dropLast(tail))
    let kept = (start: units(new.prefix(head)), end: units(new.suffix(tail)))
    if deleted > 0 { add(.deleteRange(index: kept.start, count: deleted), path) }
    var index = 0
    var row = Row(isText: isText)
    for (place, register) in new.enumerated() {
      let width = Self.width(of: register, isText: isText)
      // What has no width has no index at which anything could be said of it.
      if width == 0 { continue }
      if place >= head, place < new.count - tail {
        let place = R.placeOfInserted(index, deleted: deleted)
        if !row.take(register, at: place) {
          finish(&row, path)
          insert(register, at: place, isText: isText, path)
        }
      } else {
        finish(&row, path)
        let before = place < head ? old[place] : old[place + old.count - new.count]
        keep(before, as: register, at: .index(index), path)
      }
      index += width
    }
    finish(&row, path)
    return kept
  }

  /// Values side by side that need no patches of their own and are one patch: a long text would else be as
  /// many as it has elements.
  private struct Row {
    let isText: Bool
    private(set) var index = 0
    private(set) var values: [ObservedValue] = []
    private(set) var text = ""

    init(isText: Bool) { self.isText = isText }

    /// False for a register that needs patches of its own.
    mutating func take(_ register: ObservedRegister, at place: Int) -> Bool {
      guard register.values.count == 1, case .scalar(let scalar) = register.values[0].content
      else { return false }
      if values.isEmpty { index = place }
      if isText {
        guard case .string(let string) = scalar else { return false }
        text += string.string
      }
      values.append(register.values[0])
      return true
    }
  }

  private mutating func finish(_ row: inout Row, _ path: [Slot]) {
    guard !row.values.isEmpty else { return }
    add(
      row.isText
        ? .spliceText(index: row.index, ExactString(row.text))
        : .insert(index: row.index, row.values),
      path
    )
    row = Row(isText: row.isText)
  }

  private static func width(of register: ObservedRegister, isText: Bool) -> Int {
    guard isText, case .scalar(.string(let text)) = register.values.last?.content else { return 1 }
    return text.string.unicodeScalars.count
  }

  private mutating func insert(
    _ register: ObservedRegister,
    at index: Int,
    isText: Bool,
    _ path: [Slot]
  ) {
    guard let winner = register.values.last else { return }
    switch winner.content {
    case .scalar(.string(let text)) where isText: add(.spliceText(index: index, text), path)
    case .scalar where isText: add(.spliceText(index: index, "\u{FFFC}"), path)
    default:
      add(.insert(index: index, [Self.empty(winner)]), path)
      fill(winner, at: path + [.index(index)])
    }
    tellConflict(of: register, at: .index(index), isKept: false, path)
  }

  /// Tells, unit by unit, which marks over a sequence are others than those that are there by now.
  ///
  /// Of units that stay only what changed is told; of new ones all marks are, since they came
  /// without.
  private mutating func tellMarks(
    from before: ObservedObject,
    to after: ObservedObject,
    kept: (start: Int, end: Int),
    at path: [Slot]
  ) {
    let (old, new) = (Self.marks(of: before), Self.marks(of: after))
    var changed: [ObservedMark] = []
    for (index, marks) in new.enumerated() {
      let place =
        index < kept.start
        ? index : index < new.count - kept.end ? nil : index + old.count - new.count
      let known = place.map { old[$0] } ?? [:]
      guard known != marks, R.tellsMarks(overKept: place != nil, in: after.kind) else { continue }
      for name in Set(known.keys).union(marks.keys).sorted() where known[name] != marks[name] {
        let value = marks[name] ?? .null
        changed.append(ObservedMark(name: name, value: value, range: index..<index + 1))
      }
    }
    if !changed.isEmpty { add(.marks(changed), path) }
  }

  /// For each unit of a sequence its marks by name.
  private static func marks(of object: ObservedObject) -> [[ExactString: Scalar]] {
    let length: Int
    switch object.content {
    // Patches count scalars, whatever width a wrong rule gives an element.
    case .text(_, _, let elements?):
      length = elements.reduce(0) { $0 + width(of: $1, isText: true) }
    case .list(let elements): length = elements.count
    case .text, .map: return []
    }
    var units = [[ExactString: Scalar]](repeating: [:], count: length)
    for mark in object.marks {
      for index in mark.range.clamped(to: units.indices) { units[index][mark.name] = mark.value }
    }
    return units
  }
}
