import CodingLaws
import CodingSupport
import DocumentModel
import Foundation
import ModelGeneration
import NaiveModel

// What is written as a whole, since its parts mean something together alone: ranges and the like, another case of an
// enumeration, a pair of a dictionary that is stored as a list. Specification/Codable.md, "Values that merge as one".

/// Places of a new value that are written in another way than part by part.
struct NaiveWholes {
  /// What a recording met, by paths from the root of the value.
  final class Notes {
    fileprivate var wholes: Set<[PathKey]> = []
    fileprivate var pairs: Set<[PathKey]> = []
    /// The values there, whose properties tell whether it is one.
    fileprivate var rows: [[PathKey]: any Encodable] = [:]
    fileprivate var cases: Set<[PathKey]> = []

    /// Whether types of values that are no sequences have other than one property.
    private var isRow: [ObjectIdentifier: Bool] = [:]
    private var isCase: [ObjectIdentifier: Bool] = [:]

    func note(_ value: any Encodable, _ path: CodingPath) {
      let type = Swift.type(of: value)
      // Of a value that is handed on to a single-value container the inner type comes last.
      let id = ObjectIdentifier(type)
      let known =
        isRow[id]
        ?? (!(type is any Sequence.Type) && Mirror(reflecting: value).children.count != 1)
      isRow[id] = known
      rows[path.keys] = known ? value : nil
      // As for rows: one that hands a list on to a single-value container leaves it what it is.
      let knownCase = isCase[id] ?? (Mirror(reflecting: value).displayStyle == .enum)
      isCase[id] = knownCase
      if knownCase { cases.insert(path.keys) } else { cases.remove(path.keys) }
      if NaiveWholes.isWhole(type) { wholes.insert(path.keys) }
      if let type = type as? any AnyDictionary.Type,
        !(type.keyType is any CodingKeyRepresentable.Type)
      {
        pairs.insert(path.keys)
      }
    }
  }

  /// By paths from the root of the document.
  private(set) var wholes: Set<[PathKey]> = []
  private(set) var pairs: Set<[PathKey]> = []
  private(set) var rows: [[PathKey]: any Encodable] = [:]
  /// Where an enumeration stands, by its last type.
  private(set) var cases: Set<[PathKey]> = []

  init() {}

  init(_ notes: Notes, at start: [PathKey]) {
    wholes = Set(notes.wholes.map { start + $0 })
    pairs = Set(notes.pairs.map { start + $0 })
    rows = Dictionary(uniqueKeysWithValues: notes.rows.map { (start + $0, $1) })
    cases = Set(notes.cases.map { start + $0 })
  }

  /// Types of the zoo's models, and no more: the coder is for laws alone.
  static func isWhole(_ type: Any.Type) -> Bool {
    type is any PartsInOne.Type || type == Decimal.self || type == DateInterval.self
      || type == IndexSet.self
  }
}

/// A type with parameters that is written as a whole.
private protocol PartsInOne {}

extension Range: PartsInOne {}
extension ClosedRange: PartsInOne {}

extension NaiveWriter {
  /// Whether a new object is due where one of the value's kind stands.
  func isWrittenAnew(_ value: Recorded, at place: Place) -> Bool {
    guard !isReadonly, !place.inserts, case .object(let object)? = place.old else { return false }
    let old = Tree(observed: .object(object))
    switch value {
    case .map(let map):
      guard object.kind == .map else { return false }
      if rules.replacesCases, rules.removesOldCase, isOtherCase(map, than: old) { return true }
    case .list: guard object.kind == .list else { return false }
    default: return false
    }
    guard rules.writesWholes, isWhole(value, place.path), !isSameBelow(value, old) else {
      return false
    }
    // A cautious encode refuses what writing part by part refuses.
    return !settings.cautiousWrite || settings.strategy == .override || fits(value, old)
  }

  /// Whether each container of a value stands over one of its kind, over a null or over nothing.
  private func fits(_ value: Recorded, _ old: Tree) -> Bool {
    switch (value, old) {
    case (.map(let map), .map):
      map.entries.allSatisfy { entry in
        old.child(.key(entry.key)).map { fits(entry.value, $0) } ?? true
      }
    case (.list(let elements), .list(let others)):
      zip(elements, others).allSatisfy { fits($0, $1) }
    case (.map, _), (.list, _): old == .null
    default: true
    }
  }

  /// Whether the parts of a value mean something together alone: by its type, by the type whose keys it has, or since
  /// it is an enumeration that is a list.
  private func isWhole(_ value: Recorded, _ path: CodingPath) -> Bool {
    if wholes.wholes.contains(path.keys) { return true }
    switch value {
    case .map(let map): return map.standardType.map { NaiveWholes.isWhole($0) } ?? false
    case .list: return wholes.cases.contains(path.keys)
    default: return false
    }
  }

  /// Whether a map has another case of its enumeration than the one that stands there.
  ///
  /// The one key that Swift writes is the case. What is written by hand has another case if keys went and keys came,
  /// or if another first word, which may say the case, goes with other keys or kinds.
  private func isOtherCase(_ map: RecordedMap, than old: Tree) -> Bool {
    guard case .map(let entries) = old, map.owner != .dictionary, !map.isNested, !map.hasOpenKeys
    else { return false }
    let isEnumeration = map.owner == .enumeration
    if !isEnumeration, settings.unknownKeys == .preserve { return false }
    if let payload = map.payload, isEnumeration || !map.isHandedOn {
      let keys = entries.map { ExactString($0.key) }
      if isEnumeration { return keys != [ExactString(payload)] }
      return keys.count == 1 && keys != [ExactString(payload)] && entries[0].value.kind == .map
    }
    guard isEnumeration || map.isHandedOn else { return false }
    let keys = change(of: map, old, looksBelow: true)
    if keys.cameNew, keys.wentAway || !rules.keepsCasesThatGrow { return true }
    return isEnumeration && keys.areOther && hasOtherName(map, old)
  }

  /// What became of the keys of a map.
  private struct KeyChange {
    var wentAway = false
    var cameNew = false
    var changedKind = false

    var areOther: Bool { wentAway || cameNew || changedKind }
  }

  /// Whether the first word of a map that stands over a value is another one.
  private func hasOtherName(_ map: RecordedMap, _ old: Tree) -> Bool {
    for entry in map.entries {
      guard let stored = old.child(.key(entry.key)), stored != .null else { continue }
      switch entry.value.tree {
      case .string, .int, .uint: return !isSame(entry.value, as: stored)
      default: continue
      }
    }
    return false
  }

  /// The kind of a tree: all numbers are of one kind, and so are strings and texts.
  private static func family(_ tree: Tree) -> Tree.Kind {
    switch tree.kind {
    case .uint, .float: .int
    case .text: .string
    case let kind: kind
    }
  }

  /// What became of the keys and kinds of a map, in what it nests as well, and in what types of their own have put under
  /// its keys.
  private func change(of map: RecordedMap, _ old: Tree, looksBelow: Bool) -> KeyChange {
    var result = KeyChange()
    let named = Set((map.entries.map(\.key) + map.absentKeys).map { ExactString($0) })
    if case .map(let entries) = old {
      result.wentAway = entries.contains { !named.contains(ExactString($0.key)) }
    }
    for entry in map.entries where entry.value.tree != .null {
      guard let stored = old.child(.key(entry.key)) else {
        result.cameNew = true
        continue
      }
      if stored == .null { continue }
      guard case .map(let inner) = entry.value, stored.kind == .map else {
        if Self.family(entry.value.tree) != Self.family(stored) { result.changedKind = true }
        continue
      }
      if inner.owner == .dictionary || inner.hasOpenKeys { continue }
      if inner.owner == .type, settings.unknownKeys == .preserve { continue }
      if inner.isNested {
        let below = change(of: inner, stored, looksBelow: false)
        result.wentAway = result.wentAway || below.wentAway
        result.cameNew = result.cameNew || below.cameNew
        result.changedKind = result.changedKind || below.changedKind
      } else if looksBelow, inner.owner == .type, !inner.isHandedOn, inner.standardType == nil {
        // What belongs to a case may be a type's own, and then tells it by its keys.
        if change(of: inner, stored, looksBelow: false).areOther { result.changedKind = true }
      }
    }
    return result
  }

  /// Whether a list is that of one of a value's properties, which has as many elements.
  ///
  /// Of as many elements as the value has properties it is if all are of one kind, unless all of both are lists.
  private func isListOfProperty(_ new: [Recorded], of value: any Encodable) -> Bool {
    func elementCount(_ property: Any) -> Int? {
      let mirror = Mirror(reflecting: property)
      switch mirror.displayStyle {
      case .collection, .set: return mirror.children.count
      case .dictionary: return 2 * mirror.children.count
      case .struct, .optional:
        guard mirror.children.count == 1 else { return nil }
        return mirror.children.first.flatMap { elementCount($0.value) }
      default: return nil
      }
    }
    let properties = Mirror(reflecting: value).children
    let counts = properties.compactMap { elementCount($0.value) }
    guard counts.contains(new.count) else { return false }
    if new.count != properties.count { return true }
    let kinds = Set(new.map { $0.tree.kind })
    return kinds.count <= 1 && !(kinds.contains(.list) && counts.count == properties.count)
  }

  /// The steps for a list that a type wrote which is no sequence, nor a wrapper of one: each element stays at its place.
  ///
  /// - Returns: `nil` where elements came or went, or cannot become what they are, and for any other list.
  func rowSteps(
    _ new: [Recorded],
    _ old: [ObservedRegister],
    _ path: CodingPath
  ) -> [Step]? {
    guard rules.writesRowsInPlace, rules.comparesLists, rules.comparesListsOfOthers,
      let value = wholes.rows[path.keys], !isListOfProperty(new, of: value),
      new.count == old.count,
      new.indices.allSatisfy({ isCompatible(new[$0], old[$0]) })
    else { return nil }
    return new.indices.map { .update(old: $0, new: $0) }
  }

  /// Whether what stands there is an object that gets what is new in it, or a counter that gets the difference.
  private func isWrittenInto(_ value: Recorded, _ old: Tree) -> Bool {
    switch (value, old.kind) {
    case (.reference(_, .text), .text), (.reference(_, .counter), .counter), (.list, .list),
      (.set, .list):
      true
    case (.map(let map), .map): !isOtherCase(map, than: old)
    case (.leaf(.string), .text), (.spelled(.string, _), .text): true
    default: false
    }
  }

  /// The steps for a list of keys and values: pairs stay where they are, and of a key that stands there twice
  /// the last pair.
  ///
  /// A value within an object is updated there. Any other comes with its key anew, so that a writer who deletes the
  /// pair meanwhile leaves no half of it.
  ///
  /// - Returns: `nil` for a list of anything else, or where a wrong rule, or readonly, has it written otherwise.
  func pairSteps(
    _ new: [Recorded],
    _ old: [ObservedRegister],
    _ path: CodingPath
  ) -> [Step]? {
    guard rules.replacesPairs, rules.comparesLists, rules.comparesListsOfOthers,
      rules.matchesElements,
      !isReadonly, !settings.cautiousWrite, wholes.pairs.contains(path.keys),
      new.count.isMultiple(of: 2)
    else { return nil }
    var left = Array(stride(from: 0, to: new.count, by: 2))
    var matches: [Int: Int] = [:]
    for start in stride(from: 0, to: old.count - 1, by: 2).reversed() {
      let key = Tree(observed: old[start])
      guard let place = left.firstIndex(where: { isSameBelow(new[$0], key) }) else { continue }
      matches[start] = left.remove(at: place)
    }
    var steps: [Step] = []
    for start in stride(from: 0, to: old.count, by: 2) {
      guard let match = matches[start] else {
        steps.append(.delete(old: start))
        if start + 1 < old.count { steps.append(.delete(old: start + 1)) }
        continue
      }
      let value = Tree(observed: old[start + 1])
      if isSameBelow(new[match + 1], value) || isWrittenInto(new[match + 1], value) {
        steps += [.update(old: start, new: match), .update(old: start + 1, new: match + 1)]
      } else {
        steps += [.delete(old: start), .delete(old: start + 1)]
        steps += [.insert(new: match), .insert(new: match + 1)]
      }
    }
    return steps + left.flatMap { [.insert(new: $0), .insert(new: $0 + 1)] }
  }
}

extension RecordedMap {
  /// The only key that was named, if its value is a map that was asked for under it.
  fileprivate var payload: String? {
    guard entries.count == 1, absentKeys.isEmpty, case .map(let inner) = entries[0].value,
      inner.isNested
    else { return nil }
    return entries[0].key
  }
}
