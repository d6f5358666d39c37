/// Reading. Every call sees the open operations, or the document as it was at some heads.
///
/// Unknown hashes among the heads are ignored; no heads at all mean the empty document.
///
/// A read in the past costs a pass over the changes up to its heads, for the clock, and looks at
/// every element of its object. Reads now cost what ``Core`` says beside each call. The clock of
/// the heads asked for last is kept.
///
/// Calls that throw refuse, with `unknownObject`, an id whose operation is not here, whatever the heads: an
/// object that came later than they did is there, and empty. A key or index where nothing is
/// visible is no error, but `nil` or no entry; a key of a sequence and an index of a map are
/// `invalidOperation`.
extension MergeDocument {
  /// The winner of a register; `nil` if nothing is visible there.
  package func get(
    _ object: ObjectID,
    _ prop: Prop,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> Entry? {
    let number = try core.resolve(object)
    return try core.entries(number, prop, at: core.clock(at: heads), all: false).last
  }

  /// All visible values of a register, ascending by id; more than one is a conflict.
  package func getAll(
    _ object: ObjectID,
    _ prop: Prop,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> [Entry] {
    let number = try core.resolve(object)
    return try core.entries(number, prop, at: core.clock(at: heads), all: true)
  }

  /// A map's visible keys, in UTF-8 byte order; none for a sequence.
  package func keys(
    _ object: ObjectID,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> [String] {
    let number = try core.resolve(object)
    return core.visibleKeys(number, at: core.clock(at: heads)).map {
      core.keys.string($0.key)
    }
  }

  /// A map's visible keys with their winners.
  package func mapEntries(
    _ object: ObjectID,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> [(key: String, entry: Entry)] {
    let number = try core.resolve(object)
    let clock = core.clock(at: heads)
    var result: [(key: String, entry: Entry)] = []
    for (key, register) in core.visibleKeys(number, at: clock) {
      guard let row = core.winner(register, at: clock) else { continue }
      result.append((core.keys.string(key), core.entry(row, in: register, at: clock)))
    }
    return result
  }

  /// Winners in key order or list order; of a text, one for each element.
  package func values(
    _ object: ObjectID,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> [Entry] {
    let number = try core.resolve(object)
    guard core.objects[number].kind.isSequence else {
      return try mapEntries(object, at: heads).map(\.entry)
    }
    let clock = core.clock(at: heads)
    var result: [Entry] = []
    core.forEachStretch(number, at: clock) { stretch in
      switch stretch {
      case .simple(let run, let from, let to):
        for offset in from..<to { result.append(core.entry(run, offset)) }
      case .complex(_, let register, let row):
        result.append(core.entry(row, in: register, at: clock))
      }
      return true
    }
    return result
  }

  /// The ids of a sequence's visible elements: of the insertions, not of the winners.
  ///
  /// An id stays with its element when the element is overwritten, and moves to no other: what a
  /// caller keeps in order to find the element again.
  package func elementIDs(
    _ object: ObjectID,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> [OpID] {
    let number = try core.resolve(object)
    var result: [OpID] = []
    core.forEachStretch(number, at: core.clock(at: heads)) { stretch in
      switch stretch {
      case .simple(let run, let from, let to):
        for offset in from..<to {
          result.append(core.publicID(run.id(of: offset)))
        }
      case .complex(let run, _, _): result.append(core.publicID(run.first))
      }
      return true
    }
    return result
  }

  /// Visible keys, elements, or text units.
  package func length(
    _ object: ObjectID,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> Int {
    try core.length(core.resolve(object), at: core.clock(at: heads))
  }

  /// The text of a sequence: its strings joined, U+FFFC for every other element.
  package func text(
    _ object: ObjectID,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> String {
    let number = try core.resolve(object)
    let kind = core.objects[number].kind
    guard kind.isSequence else { throw .invalidOperation(kind: kind) }
    return core.text(number, at: core.clock(at: heads))
  }

  package func kind(of object: ObjectID) throws(EditError) -> ObjectKind {
    try core.objects[core.resolve(object)].kind
  }

  /// From the root to the object: each containing object, and the key or index in it.
  ///
  /// Indexes count what is visible before the element.
  ///
  /// Cost: the depth; each element is looked up by id, which builds the id index on the first call.
  ///
  /// An object that is hidden has a path, too: the index says where it would stand.
  package func path(
    of object: ObjectID
  ) throws(EditError) -> [(object: ObjectID, prop: Prop)] {
    var number = try core.resolve(object)
    var result: [(object: ObjectID, prop: Prop)] = []
    while number != .root {
      let record = core.objects[number]
      let prop: Prop
      if !record.key.isNone {
        prop = .key(core.keys.string(record.key))
      } else {
        guard let place = core.find(record.element, in: record.parent) else { break }
        let run = core.runs[core.at(place)]
        let unitWidth = run.unitWidth(in: core.widths[core.at(place)])
        let before = unitWidth.units(of: record.element.counter - run.counter)
        prop = .index(Int(core.start(of: place) + before))
      }
      result.append((core.publicID(ofObject: record.parent), prop))
      number = record.parent
    }
    return result.reversed()
  }
}
