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
  ///
  /// Of what stood in that object nothing is left, and so nothing is refused but what a cautious encode refuses.
  private func isWrittenAnew(
    _ value: StagedValue,
    over current: MergeEngine.Value,
    _ object: ObjectID,
    _ path: () -> CodingPath
  ) throws -> Bool {
    if !value.isWhole, case .map(let map) = value, try !isOtherCase(map, than: object) {
      return false
    }
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

  /// Whether a map may show another case of an enum than the one that stands there.
  private func isPossibleCase(_ value: StagedValue) -> Bool {
    guard case .map(let map) = value else { return false }
    let marks = map.marks
    // What is nested belongs to the map around it, and of keys that may be any none tells a case.
    if !marks.isDisjoint(with: [.nested, .dictionary, .openKeys]) { return false }
    if marks.contains(.enumeration) { return true }
    if marks.contains(.handedOn) && !keepsUnknownKeys(map) { return true }
    return map.payload != nil && !keepsUnknownKeys(map)
  }

  /// Whether a map that a type wrote shows another case of an enum than the map that stands there.
  ///
  /// What Swift writes by itself has the case for its only key. By hand it may be written in any way; then it is
  /// another case if keys went and keys came, or if its first word, a string or whole number that is taken for the
  /// name of the case, is another one and keys or kinds of values are others, too.
  ///
  ///     {done: {}}                     {late: {}}                              another case
  ///     {done: {by: "a"}}              {done: {by: "b", at: 1}}                the same
  ///     {title: "a", body: "b"}        {title: "a", image: "c"}                another case
  ///     {kind: "dot", at: 1}           {kind: "title", at: "t"}                another case
  ///     {kind: "dot", at: 1}           {kind: "dot", at: 1, name: "a"}         the same
  ///     {kind: "dot", at: 1}           {kind: "spot", at: 1}                   the same, as it decodes whatever merges
  ///
  /// A key without a value was named, and has neither come nor gone. So a type's own code has to name all keys of a
  /// case, as Swift's does.
  private func isOtherCase(_ map: StagedMap, than object: ObjectID) throws -> Bool {
    let isEnumeration = map.marks.contains(.enumeration)
    if let key = map.payload, !map.marks.contains(.handedOn) || isEnumeration {
      let count = try engine.length(object)
      // Keys beside it are what a merge of two cases left.
      if isEnumeration { return try count != 1 || engine.value(object, key: key) == nil }
      // A wrapper of more than an enum, or a struct that writes one container, and always the same.
      guard count == 1, let known = try engine.keys(object).first, ExactKey(known) != ExactKey(key),
        case .object(_, .map)? = try engine.value(object, key: known)
      else { return false }
      return true
    }
    var comparison = CaseComparison()
    try compare(map, with: object, looksBelow: true, &comparison)
    return comparison.hasLostKeys && comparison.hasNewKeys
      || isEnumeration && comparison.hasOtherName && comparison.hasOtherShape
  }

  /// What became of the keys and kinds of a map, in what it nests as well, and in what types of their own have put under
  /// its keys.
  private func compare(
    _ map: StagedMap,
    with object: ObjectID,
    looksBelow: Bool,
    _ comparison: inout CaseComparison
  ) throws {
    let draft = map.tree.draft
    var met = 0
    for entry in map.entries {
      let value = map.tree.value(entry)
      if try engine.shows(object, entry, of: draft) {
        met += 1
        if looksBelow { comparison.note(value, isSame: true) }
        continue
      }
      guard let current = try engine.value(object, key: draft.key(entry)) else {
        if !value.isNothing { comparison.hasNewKeys = true }
        continue
      }
      met += 1
      if value.isNothing || current.isNull { continue }
      if looksBelow { comparison.note(value, isSame: reads(current, as: value)) }
      guard case .map(let inner) = value, case .object(let object, .map) = current else {
        if !value.isOfKind(of: current) { comparison.hasOtherKinds = true }
        continue
      }
      let marks = inner.marks
      if !marks.isDisjoint(with: [.dictionary, .openKeys]) || keepsUnknownKeys(inner) { continue }
      if marks.contains(.nested) {
        try compare(inner, with: object, looksBelow: false, &comparison)
      } else if looksBelow, marks.isDisjoint(with: [.enumeration, .handedOn, .whole]) {
        // What belongs to a case may be a type's own, and then tells it by its keys.
        var below = CaseComparison()
        try compare(inner, with: object, looksBelow: false, &below)
        if below.hasOtherShape { comparison.hasOtherKinds = true }
      }
    }
    if try engine.length(object) > met { comparison.hasLostKeys = true }
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

/// In what a map that an enum wrote by hand differs from the one that stands there.
private struct CaseComparison {
  /// Whether keys stand there that the new map does not name.
  var hasLostKeys = false
  /// Whether the new map has values under keys that do not stand there.
  var hasNewKeys = false
  /// Whether values under one key are of two kinds.
  var hasOtherKinds = false
  private var name: (isKnown: Bool, isOther: Bool) = (false, false)

  /// Whether the word that may be the name of the case is another one.
  var hasOtherName: Bool { name.isOther }
  var hasOtherShape: Bool { hasLostKeys || hasNewKeys || hasOtherKinds }

  /// Notes a value that stands over another one; the first string or whole number is taken for the case's name.
  mutating func note(_ value: StagedValue, isSame: Bool) {
    if !name.isKnown, value.isWord { name = (true, !isSame) }
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
    case .map(let map): map.isWhole
    case .list(let list): list.isWhole
    default: false
    }
  }

  /// Whether a key with it is named, and has no value.
  fileprivate var isNothing: Bool {
    switch self {
    case .absent, .keyedNil, .kept, .scalar(.null): true
    default: false
    }
  }

  /// Whether it may name a case.
  fileprivate var isWord: Bool {
    switch storedScalar {
    case .string, .int, .uint: true
    default: false
    }
  }

  /// Whether it is of the kind of a stored value: numbers are of one kind, and strings and texts are.
  fileprivate func isOfKind(of current: MergeEngine.Value) -> Bool {
    switch (self, current) {
    case (.text, .scalar(.string)), (.counter, .scalar(.counter)): return true
    case (.counter, _): return false
    case (.text, _), (.map, _), (.list, _): return DocumentWriter.fits(current, self)
    case (_, .object(_, .text)):
      if case .string = storedScalar { return true } else { return false }
    case (_, .scalar(let stored)):
      return switch (storedScalar, stored) {
      case (.string, .string), (.bool, .bool), (.bytes, .bytes), (.timestamp, .timestamp),
        (.int, .int), (.int, .uint), (.int, .double), (.uint, .int), (.uint, .uint),
        (.uint, .double), (.double, .int), (.double, .uint), (.double, .double):
        true
      default: false
      }
    default: return false
    }
  }
}

extension StagedMap {
  /// The only key that was named, if its value is a map that was asked for under it.
  var payload: String? {
    let draft = tree.draft
    guard count == 1, let entry = draft.first(in: node), draft.kind(entry) == .map,
      draft.marks(entry).contains(.nested)
    else { return nil }
    return draft.key(entry)
  }
}
