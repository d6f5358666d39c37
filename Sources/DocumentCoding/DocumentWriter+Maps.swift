import AutomergeDocument
import CodingSupport
import MergeEngine

/// Maps: structs, classes, dictionaries, enums.
extension DocumentWriter {
  mutating func write(
    _ map: StagedMap,
    over current: MergeEngine.Value,
    at place: Place,
    _ path: () -> CodingPath
  ) throws {
    if case .object(let object, let kind) = current, kind == .map || kind == .table {
      return try update(object, with: map, path())
    }
    guard strategy == .override else {
      throw mismatch(path(), wanted: "a map", found: current.word)
    }
    try create(.map(map), at: place, path)
  }

  /// Fills a new, empty map.
  mutating func fill(_ object: ObjectID, with map: StagedMap, _ path: CodingPath) throws {
    for entry in order(map) {
      if case .scalar(let scalar) = entry.value {
        try engine.put(object, .key(entry.key), scalar)
      } else {
        try create(entry.value, at: .key(object, entry.key)) {
          path.appending(.key(entry.key))
        }
      }
    }
  }

  /// Makes a map show what was staged.
  mutating func update(_ object: ObjectID, with map: StagedMap, _ path: CodingPath) throws {
    var present = 0
    for entry in order(map) {
      if case .scalar(let scalar) = entry.value,
        try engine.compare(object, key: entry.key, scalar) == .equal
      {
        present += 1
        continue
      }
      let current = try engine.value(object, key: entry.key)
      try write(entry.value, over: current, at: .key(object, entry.key)) {
        path.appending(.key(entry.key))
      }
      if case .absent = entry.value {
        if current?.isNull ?? false { present += 1 }
      } else {
        present += 1
      }
    }
    try removeSurplus(of: object, beside: map, present)
  }

  /// A dictionary's entries by the bytes of their keys, since they come in a random order.
  private func order(_ map: StagedMap) -> ContiguousArray<StagedMap.Entry> {
    guard map.owner == .dictionary else { return map.entries }
    return ContiguousArray(
      map.entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    )
  }

  /// Whether keys that the type never named are taken for somebody else's.
  func keepsUnknownKeys(_ map: StagedMap) -> Bool {
    unknownKeys == .preserve && map.owner == .type
  }

  /// Deletes the keys that were not named; `present` named ones are there.
  private func removeSurplus(
    of object: ObjectID,
    beside map: StagedMap,
    _ present: Int
  ) throws {
    if strategy == .readonly || keepsUnknownKeys(map) { return }
    guard try engine.length(object) > present else { return }
    let named = Set(map.entries.map { ExactKey($0.key) })
    for key in try engine.keys(object) where !named.contains(ExactKey(key)) {
      try engine.delete(object, .key(key))
    }
  }
}
