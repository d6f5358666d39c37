import CodingLaws
import CodingSupport
import DocumentModel
import ModelGeneration
import NaiveModel

// The second half of an encode: a recorded value is written over what a document holds, in a copy
// of its model. Read `write(_:at:)` first (the way along the path), then the rules for a place: a
// value, an object, a scalar, a map. Lists are `NaiveWriter+Lists.swift`, texts and counters
// `NaiveWriter+References.swift`.

/// Writes a recorded value over what a document holds; the document itself stays as it is.
///
/// `model` is a value: the caller takes it over if nothing threw, and drops it otherwise. So an
/// encode that throws needs no undoing. What is read (`place.old`) is the document as it was before
/// the encode.
struct NaiveWriter {
  let document: NaiveDocument
  /// What instances are bound to: the document itself, or the one whose branch it is.
  let home: NaiveDocument
  let rules: NaiveCoderRules
  let settings: EncodingSettings
  var model: Specification
  /// What instances are bound to once everything is written.
  ///
  /// Kept until then, since an encode that throws must not bind anything to a document that does
  /// not have it.
  var bindings = NaiveBindings()
  /// Which places of the new value are written in another way than part by part.
  var wholes = NaiveWholes()

  init(
    document: NaiveDocument,
    rules: NaiveCoderRules,
    settings: EncodingSettings,
    home: NaiveDocument? = nil
  ) {
    self.document = document
    self.home = home ?? document
    self.rules = rules
    self.settings = settings
    model = document.model
  }

  /// A place in an object, and what stands there.
  ///
  /// Worked example: element 2 of `items`: the list's object, slot `index 2`, the winner there,
  /// path `items.[2]`.
  struct Place {
    let object: ObjectID
    let slot: Slot
    /// The winner, of conflicting values; `nil` if nothing stands there.
    var old: ObservedValue.Content?
    /// Whether a list gets a new element.
    var inserts = false
    /// In the new value, for errors: the slot is that of the list as it is by then.
    let path: CodingPath
  }

  var isReadonly: Bool { settings.strategy == .readonly }

  // MARK: - The way to the value

  /// Writes a value at a path, the root for none; makes the containers on the way if the strategy
  /// does.
  ///
  /// - Throws: `NaiveCodingError` for a path that the strategy refuses, and what writing the value
  ///   throws.
  mutating func write(_ value: Recorded, at path: [PathKey]) throws {
    let root = try document.root()
    guard let last = path.last else {
      guard case .map(let map) = value else {
        if !rules.refusesListRoots { return }
        throw NaiveCodingError(.invalidPlace, .root)
      }
      return try write(map, into: root, .root)
    }
    guard case .key? = path.first else { throw NaiveCodingError(.invalidPlace, .root) }
    var holder = root
    for (index, step) in path.dropLast().enumerated() {
      let place = try place(step, in: holder, CodingPath.of(path.prefix(index + 1)))
      holder = try container(at: place, for: path[index + 1])
    }
    var place = try place(last, in: holder, CodingPath.of(path))
    if !rules.replacesElementAtPath, case .index = last { place.inserts = true }
    if !rules.staysBelowPath, case .map(let entries) = holder.content, let id = holder.id {
      for entry in entries where .key(entry.key) != place.slot {
        _ = try model.apply(.delete(id, .key(entry.key)))
      }
    }
    try write(value, at: place)
  }

  /// What one step leads to; an index may be the length, which is the place behind the last
  /// element.
  private func place(
    _ step: PathKey,
    in holder: ObservedObject,
    _ path: CodingPath
  ) throws -> Place {
    guard let id = holder.id else { throw NaiveCodingError(.other, path) }
    switch (holder.content, step) {
    case (.map, .key):
      return Place(
        object: id,
        slot: step.slot,
        old: holder.register(step)?.values.last?.content,
        path: path
      )
    case (.list(let registers), .index(let index)):
      // By readonly the place at the end is one where nothing stands, which is refused as such.
      guard index <= registers.count else { throw NaiveCodingError(.indexOutOfBounds, path) }
      let old = holder.register(step)?.values.last?.content
      return Place(object: id, slot: step.slot, old: old, inserts: old == nil, path: path)
    case (.text, _): throw NaiveCodingError(.throughText, path)
    default: throw NaiveCodingError(.mismatched, path)
    }
  }

  /// The container that the next step needs: the one that is there, or a new one.
  ///
  /// By `.override` a text or scalar in the way is replaced, by `.createWhenNeeded` a null alone;
  /// `.readonly` makes nothing.
  private mutating func container(
    at place: Place,
    for next: PathKey
  ) throws -> ObservedObject {
    let kind: ObjectKind = if case .index = next { .list } else { .map }
    let replaces = settings.strategy == .override && rules.overrideReplaces
    switch place.old {
    case .object(let object)? where object.kind == .text && replaces: return try made(kind, place)
    case .scalar? where replaces: return try made(kind, place)
    case .object(let object)?:
      guard object.kind != .text else { throw NaiveCodingError(.throughText, place.path) }
      return object
    case .scalar(.null)?, nil:
      guard !isReadonly else { throw NaiveCodingError(.missing, place.path) }
      return try made(kind, place)
    default: throw NaiveCodingError(.throughScalar, place.path)
    }
  }

  /// A new empty object at a place, over whatever stands there.
  private mutating func made(_ kind: ObjectKind, _ place: Place) throws -> ObservedObject {
    let id = try model.make(kind, place.object, place.slot, inserting: place.inserts)
    let content: ObservedObject.Content =
      switch kind {
      case .map: .map([])
      case .list: .list([])
      case .text: .text("", length: 0, elements: nil)
      }
    return ObservedObject(id: id, content: content)
  }

  // MARK: - Values

  /// Writes a value at a place, by its kind.
  mutating func write(_ value: Recorded, at place: Place) throws {
    var place = place
    if isWrittenAnew(value, at: place) { place.old = nil }
    switch value {
    case .leaf(let tree): try write(tree, at: place, isChecked: true)
    case .spelled(let tree, let spelling):
      try write(tree, at: place, isChecked: true, spelling)
    // `encodeNil(forKey:)` is not held to `cautiousWrite`: the caller asked for a null by name.
    case .keyedNil: try write(.null, at: place, isChecked: false)
    case .reference(let instance, let tree):
      try writeReference(instance, tree, at: place)
    case .list(let elements), .set(let elements):
      let object = try object(.list, at: place)
      let isSet = if case .set = value { true } else { false }
      try write(elements, into: object, place.path, isSet: isSet)
    case .map(let map):
      try write(map, into: try object(.map, at: place), place.path)
    }
  }

  /// The object of a kind at a place, made if the strategy allows it.
  ///
  /// Another kind in its place is refused, but by `.override`; a null is none.
  mutating func object(_ kind: ObjectKind, at place: Place) throws -> ObservedObject {
    switch place.old {
    case .object(let object)? where object.kind == kind && !place.inserts:
      return rules.reusesObjects ? object : try made(kind, place)
    case nil:
      guard !isReadonly || !rules.readonlyCreatesNothing else {
        throw NaiveCodingError(.missing, place.path)
      }
      return try made(kind, place)
    default:
      let isReplaced =
        place.inserts || place.old == .scalar(.null) || !rules.refusesMismatches
        || (settings.strategy == .override && rules.overrideReplaces)
      guard isReplaced, !isReadonly else { throw NaiveCodingError(.mismatched, place.path) }
      return try made(kind, place)
    }
  }

  /// Writes a scalar, unless the stored one may stay.
  ///
  /// In this order: readonly makes nothing, an equal value adds nothing, a text under a string is
  /// edited, readonly keeps objects, and cautious writing refuses another kind. Then it is put or
  /// inserted.
  mutating func write(
    _ tree: Tree,
    at place: Place,
    isChecked: Bool,
    _ spelling: Spelling? = nil
  ) throws {
    guard let scalar = tree.scalar else {
      // A rule of storing made a container of a leaf.
      return try model.write(tree, place.object, place.slot, inserting: place.inserts)
    }
    if place.old == nil || place.inserts, isReadonly, rules.readonlyCreatesNothing {
      throw NaiveCodingError(.missing, place.path)
    }
    if isReadonly, !rules.readonlyWritesValues { return }
    if !place.inserts, let old = place.old {
      let stored = Tree(observed: old)
      if case .text = stored, case .string = tree, case .object(let object) = old,
        let id = object.id,
        rules.stringsTakePlaces
      {
        bindings.strings.insert(id)
      }
      if rules.comparesScalars, isSame(tree, as: stored, spelling) { return }
      // A text stays a text, and gets what the string says by its difference.
      if case .text(let text) = stored, case .string(let string) = tree,
        case .object(let object) = old, settings.strategy != .override,
        rules.keepsTextsUnderStrings
      {
        return try edit(object, from: text, to: string)
      }
      // What stands below the object would be gone.
      if case .object = old, isReadonly, rules.readonlyRemovesNothing {
        throw NaiveCodingError(.mismatched, place.path)
      }
      let isNull = stored == .null && rules.cautiousFillsNulls
      if settings.cautiousWrite, rules.cautiousRefuses, isChecked, stored.kind != tree.kind,
        !isNull
      {
        let words =
          "The type in the automerge document (\(stored.kind.rawValue)) doesn't match the type "
          + "being written (\(tree.kind.rawValue))"
        throw RecordingRefusal.invalid(tree, place.path, words)
      }
    }
    if place.inserts, case .index(let index) = place.slot {
      _ = try model.apply(.insert(place.object, index: index, scalar))
    } else {
      // The mutant's way to a second operation: a put of an equal scalar adds none by itself.
      if !rules.comparesScalars, case .key = place.slot, place.old != nil {
        _ = try model.apply(.delete(place.object, place.slot))
      }
      _ = try model.apply(.put(place.object, place.slot, scalar))
    }
  }

  /// Whether what is stored may stay for what is to be stored.
  ///
  /// Three equalities are not `==`. A type that reads several forms leaves each of them. A timestamp of the same whole second stays if dates are truncated
  /// to seconds, so that a peer's milliseconds survive; a number stays in the kind in which a peer stored
  /// it, unless the caller writes cautiously. All other cases before the last are wrong rules.
  func isSame(_ tree: Tree, as stored: Tree, _ spelling: Spelling? = nil) -> Bool {
    if rules.keepsOtherForms, let spelling, spelling.isSame(tree, as: stored) { return true }
    if !rules.comparesStringsExactly, case .string(let new) = tree,
      case .string(let old) = stored
    {
      return new == old
    }
    if !rules.comparesStringsToTheEnd, case .string(let new) = tree, case .string(let old) = stored
    {
      return old.utf8.starts(with: new.utf8)
    }
    switch (tree, stored) {
    case (.int(let new), .int(let old)) where !rules.comparesIntegersWhole:
      return Int32(truncatingIfNeeded: new) == Int32(truncatingIfNeeded: old)
    case (.int(let new), .uint(let old)) where !rules.comparesKindsOfIntegers:
      return UInt64(bitPattern: new) == old
    case (.uint(let new), .int(let old)) where !rules.comparesKindsOfIntegers:
      return Int64(bitPattern: new) == old
    default: break
    }
    if rules.keepsTextsUnderStrings, settings.strategy != .override, case .string(let new) = tree,
      case .text(let old) = stored
    {
      return new.utf8.elementsEqual(old.utf8)
    }
    if rules.keepsOtherKindsOfNumbers, !settings.cautiousWrite, isSameNumber(tree, stored) {
      return true
    }
    guard case .timestamp(let new) = tree, case .timestamp(let old) = stored,
      (settings.dateTruncation ?? .seconds) == .seconds, rules.keepsPeersMilliseconds
    else { return tree == stored }
    // A peer may have stored any number of milliseconds, and the product need not be one.
    return Int64(exactly: (Double(old) / 1000).rounded(.down) * 1000) == new
  }

  /// As ``isSame(_:as:_:)``, of a leaf with what its type reads.
  func isSame(_ leaf: Recorded, as stored: Tree) -> Bool {
    if case .spelled(let tree, let spelling) = leaf { return isSame(tree, as: stored, spelling) }
    return isSame(leaf.tree, as: stored)
  }

  /// Whether two numbers are one, of whatever kinds: exactly, and not after rounding.
  private func isSameNumber(_ left: Tree, _ right: Tree) -> Bool {
    switch (left, right) {
    case (.int(let int), .uint(let uint)), (.uint(let uint), .int(let int)):
      UInt64(exactly: int) == uint
    case (.int(let int), .float(let float)), (.float(let float), .int(let int)):
      Int64(exactly: float) == int
    case (.uint(let uint), .float(let float)), (.float(let float), .uint(let uint)):
      UInt64(exactly: float) == uint
    default: false
    }
  }

  // MARK: - Maps

  /// Writes the entries of a map, and removes keys that the value did not write.
  private mutating func write(
    _ map: RecordedMap,
    into object: ObservedObject,
    _ path: CodingPath
  ) throws {
    guard let id = object.id else { throw NaiveCodingError(.other, path) }
    let keys = map.entries.prefix(2).map { ExactString($0.key) }
    // The mutant takes two first keys in descending order for a change of all.
    let isWrittenAnew =
      !rules.comparesKeysInAnyOrder && keys.count == 2 && keys[1] < keys[0]
    for entry in map.entries {
      let step = PathKey.key(entry.key)
      let place = Place(
        object: id,
        slot: step.slot,
        old: isWrittenAnew ? nil : object.register(step)?.values.last?.content,
        path: path.appending(step)
      )
      try write(entry.value, at: place)
    }
    guard case .map(let old) = object.content else { return }
    let written = Set(map.entries.map { ExactString($0.key) })
    // Named and nil: known to the type, and so no key of another version.
    let named = Set(map.absentKeys.map { ExactString($0) })
    for entry in old where !written.contains(entry.key) {
      let isNamed = named.contains(entry.key)
      let isLost = !rules.preservesBelowRoot && path.depth > 0 && !isReadonly
      guard isLost || removes(entry.key, of: map, isNamed: isNamed) else { continue }
      _ = try model.apply(.delete(id, .key(entry.key)))
    }
  }

  /// - Returns: False by `.readonly`; by `.preserve` for keys that a struct or class never named;
  ///   true for all others.
  private func removes(_ key: ExactString, of map: RecordedMap, isNamed: Bool) -> Bool {
    if isReadonly, rules.readonlyRemovesNothing { return false }
    if !rules.removesSurplusKeys { return false }
    if map.owner == .enumeration, !rules.removesOldCase { return false }
    guard settings.unknownKeys == .preserve, rules.preservesUnknownKeys else { return true }
    if isNamed, rules.preserveRemovesNamedKeys { return true }
    return map.owner != .type && rules.preserveSparesOnlyTypes
  }
}
