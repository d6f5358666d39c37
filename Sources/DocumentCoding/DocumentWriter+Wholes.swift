import AutomergeDocument
import CodingSupport
import MergeEngine

/// Values that merge as one: where they differ they are written anew, and never part by part.
///
/// An object that is put into a register is one write: of two writers who put one there each, a merge keeps
/// one, with all its parts. Parts that are written into one object merge one by one, to a value that neither wrote,
/// and often to one that its type refuses:
///
///     stored 1..<10      A writes 8..<10      B writes 1..<3       part by part: 8..<3
///     stored .open       A writes .done       B writes .late       part by part: both keys
///
/// Edits within the payload of a case that stays are written into its object, so that those of two writers merge.
extension DocumentWriter {
  /// Writes a container over an object of its kind, if it is one that is not written part by part.
  ///
  /// A readonly encode makes no object.
  mutating func writeAsWhole(
    _ value: StagedValue,
    over object: ObjectID,
    at place: Place,
    _ path: () -> CodingPath
  ) throws -> Bool {
    guard strategy != .readonly, value.isWhole || isPossibleCase(value) else { return false }
    let current = MergeEngine.Value.object(object, value.isList ? .list : .map)
    // A case that stays is compared by the update, part by part.
    if value.isWhole, try shows(current, value, in: object, .unnamed) { return true }
    guard try isWrittenAnew(value, over: current, object, path) else { return false }
    try create(value, at: place, path)
    return true
  }

  /// Whether a container that differs from the object of its kind is put in the place of that.
  private func isWrittenAnew(
    _ value: StagedValue,
    over current: MergeEngine.Value,
    _ object: ObjectID,
    _ path: () -> CodingPath
  ) throws -> Bool {
    guard case .map(let map) = value, map.owner != .whole else {
      try check(value, below: current, path())
      return true
    }
    guard try isOtherCase(map, than: object) else { return false }
    if isCautious { try check(value, below: current, path()) }
    return true
  }

  /// Whether writing a value over another sets the place of that, rather than something within it or nothing.
  ///
  /// What is refused does not: the write says so.
  mutating func setsPlace(_ value: StagedValue, over current: MergeEngine.Value) throws -> Bool {
    if strategy == .readonly { return false }
    switch (value, current) {
    case (.absent, _), (.kept, _): return false
    case (.map, .object(let object, .map)), (.map, .object(let object, .table)),
      (.list, .object(let object, .list)):
      guard value.isWhole || isPossibleCase(value) else { return false }
      let noted = bindings.count
      defer { bindings.removeSubrange(noted...) }
      if try shows(current, value, in: object, .unnamed) { return false }
      return (try? isWrittenAnew(value, over: current, object) { .root }) ?? false
    case (.text, .object(_, .text)), (.counter, .scalar(.counter)): return false
    case (.map, _), (.list, _), (.text, _): return current.isNull || strategy == .override
    case (.counter, _): return !isCautious || current.isNull
    default:
      if reads(current, as: value) { return false }
      if case .object(_, .text) = current, case .string = value.storedScalar { return false }
      if case .keyedNil = value { return true }
      return !isCautious || current.isNull || value.storedScalar.word == current.word
    }
  }

  // MARK: - Enums

  /// Whether a map is an enum's, or may be: behind a wrapper that has called its `encode(to:)` an enum asks for the one
  /// container of its case.
  private func isPossibleCase(_ value: StagedValue) -> Bool {
    guard case .map(let map) = value else { return false }
    return map.owner == .enumeration || map.payload != nil
  }

  /// Whether a map that a type wrote shows another case of an enum than the map that stands there.
  ///
  /// What Swift writes by itself has the case for its only key. By hand it may be written in any way; then it is
  /// another case if no key stays, or if two things differ: the keys or the kinds of what stands under them, and a word
  /// or whole number, which may say the case.
  ///
  ///     {done: {}}                     {late: {}}                              another case
  ///     {done: {by: "a"}}              {done: {by: "b"}}                       the same
  ///     {kind: "dot", at: 1}           {kind: "line", from: 1, to: 2}          another case
  ///     {kind: "dot", at: 1}           {kind: "dot", at: 1, name: "a"}         the same
  ///     {kind: "dot", at: 1}           {kind: "spot", at: 1}                   the same, as it decodes whatever merges
  private func isOtherCase(_ map: StagedMap, than object: ObjectID) throws -> Bool {
    if let key = map.payload {
      let count = try engine.length(object)
      if map.owner == .enumeration {
        // Keys beside it are what a merge of two cases left.
        return try count != 1 || engine.value(object, key: key) == nil
      }
      // A struct that writes one container has it always.
      guard map.owner == .type, count == 1, let known = try engine.keys(object).first,
        ExactKey(known) != ExactKey(key),
        case .object(_, .map)? = try engine.value(object, key: known)
      else { return false }
      return true
    }
    guard map.owner == .enumeration else { return false }
    var comparison = CaseComparison()
    try compare(map, with: object, &comparison)
    return comparison.hasCommonKey
      ? comparison.hasOtherShape && comparison.hasOtherName : comparison.hasOtherShape
  }

  private func compare(
    _ map: StagedMap,
    with object: ObjectID,
    _ comparison: inout CaseComparison
  ) throws {
    let draft = map.tree.draft
    var met = 0
    for entry in map.entries {
      if try engine.shows(object, entry, of: draft) {
        met += 1
        comparison.hasCommonKey = true
        continue
      }
      let value = map.tree.value(entry)
      guard let current = try engine.value(object, key: draft.key(entry)) else {
        if case .absent = value { continue }
        comparison.hasOtherShape = true
        continue
      }
      met += 1
      if case .absent = value { continue }
      comparison.hasCommonKey = true
      switch (value, current) {
      case (.map(let inner), .object(let object, .map)):
        if inner.owner == .enumeration, draft.marks(entry).contains(.nested) {
          try compare(inner, with: object, &comparison)
        }
      case (.scalar(let scalar), .scalar(let stored)):
        if scalar.isEqualNumber(stored) { continue }
        comparison.note(scalar, over: stored)
      default:
        if !Self.fits(current, value) { comparison.hasOtherShape = true }
      }
    }
    if try engine.length(object) > met { comparison.hasOtherShape = true }
  }

  // MARK: - Refusals

  /// Refuses what writing part by part would refuse: scalars of another kind if writing is cautious, and containers
  /// over anything else.
  private func check(
    _ value: StagedValue,
    below current: MergeEngine.Value,
    _ path: CodingPath
  ) throws {
    switch (value, current) {
    case (.map(let map), .object(let object, .map)), (.map(let map), .object(let object, .table)):
      for entry in map.entries {
        let key = map.tree.draft.key(entry)
        guard let stored = try engine.value(object, key: key) else { continue }
        try check(map.tree.value(entry), below: stored, path.appending(.key(key)))
      }
    case (.list(let list), .object(let object, .list)):
      for (index, pair) in zip(list, try engine.listValues(object)).enumerated() {
        try check(pair.0, below: pair.1, path.appending(.index(index)))
      }
    case (.map, _), (.list, _):
      guard !current.isNull, strategy != .override else { return }
      throw mismatch(path, wanted: value.containerWord ?? "", found: current.word)
    case (.scalar, _), (.float, _), (.date, _), (.url, _), (.uuid, _):
      try check(value, against: current) { path }
    default: break
    }
  }
}

/// What two maps that an enum wrote by hand have in common.
private struct CaseComparison {
  var hasCommonKey = false
  /// Whether one has keys that the other lacks, or values of another kind.
  var hasOtherShape = false
  /// Whether a word or a whole number differs, which may say the case.
  var hasOtherName = false

  /// Notes two scalars that differ.
  mutating func note(_ scalar: Scalar, over stored: Scalar) {
    switch (scalar, stored) {
    case (.null, _), (_, .null): break
    case (.string, .string): hasOtherName = true
    case (.int, .int), (.int, .uint), (.uint, .uint), (.uint, .int): hasOtherName = true
    case (.double, .double), (.double, .int), (.double, .uint), (.int, .double), (.uint, .double),
      (.bool, .bool), (.bytes, .bytes):
      break
    default:
      (hasOtherShape, hasOtherName) = (true, true)
    }
  }
}

extension StagedValue {
  /// Whether it is what documents are bound to.
  var isReference: Bool {
    switch self {
    case .text, .counter: true
    default: false
    }
  }

  fileprivate var isList: Bool {
    if case .list = self { true } else { false }
  }

  /// Whether its parts mean something together alone.
  fileprivate var isWhole: Bool {
    switch self {
    case .map(let map): map.owner == .whole
    case .list(let list): list.isWhole
    default: false
    }
  }
}

extension StagedMap {
  /// The only key that was named, if its value is a map that was asked for under it.
  fileprivate var payload: String? {
    let draft = tree.draft
    guard count == 1, let entry = draft.first(in: node), draft.kind(entry) == .map,
      draft.marks(entry).contains(.nested)
    else { return nil }
    return draft.key(entry)
  }
}
