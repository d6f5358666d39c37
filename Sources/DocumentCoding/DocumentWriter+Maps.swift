import AutomergeDocument
import CodingSupport
import MergeEngine

/// Maps: structs, classes, dictionaries, enums.
extension DocumentWriter {
  /// Makes what stands at a place show a map; as for lists.
  mutating func write(
    _ map: StagedMap,
    over current: MergeEngine.Value,
    at place: Place,
    _ path: () -> CodingPath
  ) throws {
    if case .object(let object, let kind) = current, kind == .map || kind == .table {
      if try writeAsWhole(.map(map), over: object, at: place, path) { return }
      return try update(object, with: map, path())
    }
    guard strategy == .override else {
      throw mismatch(path(), wanted: "a map", found: current.word)
    }
    try create(.map(map), at: place, path)
  }

  /// Fills a new, empty map, in an order that is the same in every run.
  mutating func fill(
    _ object: ObjectID,
    with map: StagedMap,
    _ path: () -> CodingPath
  ) throws {
    guard map.isDictionary else {
      return try fill(object, with: map.node, of: map.tree, path)
    }
    let (tree, draft) = (map.tree, map.tree.draft)
    for entry in map.steadyEntries {
      let key = draft.key(entry)
      if let scalar = draft.scalar(entry) {
        try engine.put(object, .key(key), scalar)
      } else {
        try create(tree.value(entry), at: .key(object, key)) { path().appending(.key(key)) }
      }
    }
  }

  /// Fills a new, empty object with a container of its kind, in the container's order.
  ///
  /// The engine writes all that it understands, and what is in it. For a log that hears of each container it
  /// leaves them to ``create(_:at:_:)``, too: so `path` is right where it is asked for.
  mutating func fill(
    _ object: ObjectID,
    with container: Draft.Node,
    of tree: StagedTree,
    _ path: () -> CodingPath
  ) throws {
    var walk = try engine.filling(
      object,
      with: container,
      of: tree.draft,
      leaving: [.unordered, .dictionary],
      leavesContainers: log.verbosity.canDebug()
    )
    while let rest = try engine.resume(&walk) {
      let value = tree.value(rest.node)
      if let index = rest.index {
        try create(value, at: .insertion(rest.holder, index)) { path().appending(.index(index)) }
      } else {
        let key = tree.draft.key(rest.node)
        try create(value, at: .key(rest.holder, key)) { path().appending(.key(key)) }
      }
    }
  }

  /// Makes a map show what was staged.
  ///
  /// `present` counts the keys of the document that the model accounts for. If it has no more, none
  /// has to be deleted, and its keys are not even listed.
  ///
  ///     document {a: 1, b: 2, z: 3}     model {a: 1, b: 4, c: nil}
  ///     a is shown, b is put; c is named and not there      present 2
  ///     three keys, two of them named: z is deleted, unless unknown keys are preserved
  mutating func update(_ object: ObjectID, with map: StagedMap, _ path: CodingPath) throws {
    let (tree, draft) = (map.tree, map.tree.draft)
    var present = 0
    for entry in map.steadyEntries {
      if try engine.shows(object, entry, of: draft) {
        present += 1
        continue
      }
      let key = draft.key(entry)
      let value = tree.value(entry)
      let current = try engine.value(object, key: key)
      try write(value, over: current, at: .key(object, key)) { path.appending(.key(key)) }
      if case .absent = value {
        if current?.isNull ?? false { present += 1 }
      } else {
        present += 1
      }
    }
    try removeSurplus(of: object, beside: map, present)
  }

  /// Whether keys that the type never named are taken for another writer's.
  func keepsUnknownKeys(_ map: StagedMap) -> Bool {
    unknownKeys == .preserve && map.owner == .type
  }

  /// Deletes the keys that were not named; `present` named ones are there.
  ///
  /// Cost: nothing but a count where the document has no more keys than that, which is the usual case;
  /// otherwise a pass over its keys.
  private func removeSurplus(
    of object: ObjectID,
    beside map: StagedMap,
    _ present: Int
  ) throws {
    if strategy == .readonly || keepsUnknownKeys(map) { return }
    guard try engine.length(object) > present else { return }
    let named = Set(map.entries.map { ExactKey(map.tree.draft.key($0)) })
    for key in try engine.keys(object) where !named.contains(ExactKey(key)) {
      try engine.delete(object, .key(key))
    }
  }
}
