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
    fileprivate var rows: Set<[PathKey]> = []

    /// Whether types of values that are no sequences have other than one property.
    private var isRow: [ObjectIdentifier: Bool] = [:]

    func note(_ value: any Encodable, _ path: CodingPath) {
      let type = Swift.type(of: value)
      // Of a value that is handed on to a single-value container the inner type comes last.
      let id = ObjectIdentifier(type)
      let known =
        isRow[id]
        ?? (!(type is any Sequence.Type) && Mirror(reflecting: value).children.count != 1)
      isRow[id] = known
      if known { rows.insert(path.keys) } else { rows.remove(path.keys) }
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
  private(set) var rows: Set<[PathKey]> = []

  init() {}

  init(_ notes: Notes, at start: [PathKey]) {
    wholes = Set(notes.wholes.map { start + $0 })
    pairs = Set(notes.pairs.map { start + $0 })
    rows = Set(notes.rows.map { start + $0 })
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
    switch value {
    case .map(let map):
      guard object.kind == .map else { return false }
      let isOther = map.owner == .enumeration && rules.replacesCases && rules.removesOldCase
      if isOther, isOtherCase(map, than: Tree(observed: .object(object))) { return true }
    case .list: guard object.kind == .list else { return false }
    default: return false
    }
    return rules.writesWholes && wholes.wholes.contains(place.path.keys)
      && !isSameBelow(value, Tree(observed: .object(object)))
      && (fits(value, Tree(observed: .object(object))) || settings.strategy == .override)
  }

  /// Whether each container of a value stands over one of its kind, over a null or over nothing: part by part any other
  /// is refused.
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

  /// Whether a map has another case of its enumeration than the one that stands there.
  ///
  /// The one key that Swift writes is the case. What is written by hand has another case if no key stays, or if
  /// other keys or kinds go with another word or whole number.
  private func isOtherCase(_ map: RecordedMap, than old: Tree) -> Bool {
    guard case .map(let entries) = old else { return false }
    let keys = Set(map.entries.map { ExactString($0.key) })
    let oldKeys = Set(entries.map { ExactString($0.key) })
    if keys.isDisjoint(with: oldKeys) { return keys != oldKeys }
    if map.entries.count == 1, map.absentKeys.isEmpty, isEnumerations(map.entries[0].value) {
      return keys != oldKeys
    }
    let shape = shapes(.map(map), old)
    return shape.differs && shape.hasOtherName
  }

  private func isEnumerations(_ value: Recorded) -> Bool {
    if case .map(let map) = value { map.owner == .enumeration } else { false }
  }

  /// Whether the keys and kinds of a map are others than those that stand there, and whether a word or whole number
  /// is; in the maps that an enumeration nests, too.
  private func shapes(_ value: Recorded, _ old: Tree) -> (differs: Bool, hasOtherName: Bool) {
    guard case .map(let map) = value, case .map(let entries) = old else {
      let tree = value.tree
      guard tree != .null, old != .null, !isSame(value, as: old) else { return (false, false) }
      switch (tree, old) {
      case (.string, .string): return (false, true)
      case (.float, .int), (.float, .uint), (.int, .float), (.uint, .float): return (false, false)
      case (.int, .uint), (.uint, .int), (.int, .int), (.uint, .uint): return (false, true)
      default: return (tree.kind != old.kind, tree.kind != old.kind && tree.kind.isScalar)
      }
    }
    var result = (differs: false, hasOtherName: false)
    let known = Set((map.entries.map(\.key) + map.absentKeys).map { ExactString($0) })
    result.differs = entries.contains { !known.contains(ExactString($0.key)) }
    for entry in map.entries {
      guard let child = old.child(.key(entry.key)) else {
        result.differs = true
        continue
      }
      if case .map(let inner) = entry.value, inner.owner != .enumeration { continue }
      let below = shapes(entry.value, child)
      result = (result.differs || below.differs, result.hasOtherName || below.hasOtherName)
    }
    return result
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
      wholes.rows.contains(path.keys), new.count == old.count,
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
    case (.map(let map), .map): !(map.owner == .enumeration && isOtherCase(map, than: old))
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
