import AutomergeDocument
import CodingSupport
import Foundation
import MergeEngine

/// Which element of a document's list is which element of the model's array.
///
/// 1. Equal elements at both ends stay; most were found before.
/// 2. Between them, the longest run of equal elements in the same order stays.
/// 3. In the gaps that are left, elements of one identity are matched: maps with an equal `id`, and
///    texts and counters that are bound to the very element.
/// 4. What is left is matched by likeness, in order, and updated in place; the rest is deleted and
///    inserted.
///
///     document    1 2 3 4 5 6          1, 2 and 6 are equal at the ends
///     model       1 2 9 4 3 6          of 3 4 5 and 9 4 3 the longest equal run is 4
///     gaps        [3] [9]   [5] [3]    by identity, then by likeness: 3 may become 9, 5 become 3
extension DocumentWriter {
  /// `shown` says how many elements at either end are known to be equal.
  mutating func plan(
    _ list: StagedList,
    _ known: StoredList,
    between shown: (start: Int, end: Int),
    _ path: CodingPath
  ) throws -> ListPlan {
    let elements = list.elements
    let start = shown.start
    var oldEnd = known.count - shown.end
    var newEnd = elements.count - shown.end
    while oldEnd > start, newEnd > start, try shows(known, oldEnd - 1, elements[newEnd - 1]) {
      oldEnd -= 1
      newEnd -= 1
    }
    var matches = [ListPlan.Match](repeating: .insert, count: elements.count)
    for index in 0..<start { matches[index] = .same(index) }
    for index in newEnd..<elements.count { matches[index] = .same(index - newEnd + oldEnd) }
    try match(
      elements,
      in: start..<newEnd,
      with: known,
      in: start..<oldEnd,
      into: &matches,
      at: path
    )
    return ListPlan(steps: zip(elements, matches).map { ($0, $1) })
  }

  /// Only elements whose fingerprints agree come here in numbers: comparing is what costs.
  private mutating func shows(
    _ known: StoredList,
    _ index: Int,
    _ value: StagedValue
  ) throws -> Bool {
    try shows(known.values[index], value, in: known.object, known.step(index, value))
  }

  /// Each match that it finds cuts the rest in two, so that matches never cross: what is matched
  /// keeps its order, and what moved is deleted and inserted.
  ///
  /// Cost: fingerprints of both ranges, which read all that the elements hold; then
  /// ``CommonSequence``; full comparisons for pairs alone.
  private mutating func match(
    _ elements: ContiguousArray<StagedValue>,
    in new: Range<Int>,
    with known: StoredList,
    in old: Range<Int>,
    into matches: inout [ListPlan.Match],
    at path: CodingPath
  ) throws {
    if new.isEmpty || old.isEmpty { return }
    var gaps = [(old: old, new: new)]
    if old.count > 1 || new.count > 1 {
      let oldPrints = try old.map { try fingerprint(known.values[$0]) }
      let newPrints = new.map { fingerprint(elements[$0]) }
      var pairs: [(old: Int, new: Int)] = []
      for pair in CommonSequence.pairs(oldPrints, newPrints) {
        let (from, to) = (pair.old + old.lowerBound, pair.new + new.lowerBound)
        guard try shows(known, from, elements[to]) else { continue }
        matches[to] = .same(from)
        pairs.append((from, to))
      }
      gaps = Self.gaps(between: pairs, old, new)
    }
    for gap in gaps where !gap.new.isEmpty && !gap.old.isEmpty {
      var names = IdentityNames()
      let oldNames = try gap.old.map { names.name(of: try identity(known, $0)) }
      let newNames = gap.new.map { names.name(of: identity(elements[$0], in: known.object)) }
      var pairs: [(old: Int, new: Int)] = []
      for pair in CommonSequence.pairs(oldNames, newNames) {
        let (from, to) = (pair.old + gap.old.lowerBound, pair.new + gap.new.lowerBound)
        // What has one identity is a map, a text or a counter on both sides, so that it fits.
        matches[to] = .update(from)
        pairs.append((from, to))
      }
      for part in Self.gaps(between: pairs, gap.old, gap.new) where !part.new.isEmpty {
        try pair(elements, in: part.new, with: known, in: part.old, into: &matches, at: path)
      }
    }
  }

  /// Matches what is left by likeness.
  ///
  /// Above ``likenessLimit`` pairs, elements at one place are taken for alike, or not at all.
  ///
  /// Why a limit: each look at a pair reads a map's fields, and a list that was replaced as a whole
  /// would look at all pairs. 64 elements against 64 are within it.
  private mutating func pair(
    _ elements: ContiguousArray<StagedValue>,
    in new: Range<Int>,
    with known: StoredList,
    in old: Range<Int>,
    into matches: inout [ListPlan.Match],
    at path: CodingPath
  ) throws {
    var left = Set(old)
    if old.count * new.count <= Self.likenessLimit {
      let likeness = try WeightedAlignment(old: old.count, new: new.count) { from, to in
        try like(known, from + old.lowerBound, elements[to + new.lowerBound])
      }
      for pair in likeness.pairs() {
        matches[pair.new + new.lowerBound] = .update(pair.old + old.lowerBound)
        left.remove(pair.old + old.lowerBound)
      }
    } else {
      for (from, to) in zip(old, new) where try like(known, from, elements[to]) > 0 {
        matches[to] = .update(from)
        left.remove(from)
      }
    }
    guard strategy != .override || isCautious, !left.isEmpty else { return }
    let others = left.sorted()
    for index in new {
      let value = elements[index]
      guard case .insert = matches[index], isCautious || value.containerWord != nil,
        let other = others.first(where: { refuses(to: value, takeThePlaceOf: known.values[$0]) })
      else { continue }
      let (place, old) = (path.appending(.index(index)), known.values[other])
      switch value {
      case .scalar, .float, .date, .url, .uuid: try check(value, against: old) { place }
      case .counter(let counter): try check(counter, against: old) { place }
      default:
        guard strategy != .override, let wanted = value.containerWord else { continue }
        throw mismatch(place, wanted: wanted, found: old.word)
      }
    }
  }

  /// Whether an element is another version's, and not one that the model dropped.
  ///
  /// An array may hold values of several kinds, so that another kind alone proves nothing: the old
  /// element goes, and the new one comes. But strings where there are to be texts are a string's
  /// history about to be lost, and a caller that writes cautiously wants an error. A readonly encode does not
  /// come here: it overwrites element by element.
  private func refuses(to value: StagedValue, takeThePlaceOf old: MergeEngine.Value) -> Bool {
    if case .text = value, case .scalar(.string) = old { return true }
    return isCautious && !Self.fits(old, value)
  }

  /// Pairs of elements whose likeness is looked at one by one, at most.
  private static let likenessLimit = 4_096

  /// Whether a stored value can be made to show a staged one without being replaced.
  static func fits(_ current: MergeEngine.Value, _ value: StagedValue) -> Bool {
    switch (current, value) {
    case (.object(_, .map), .map), (.object(_, .table), .map), (.object(_, .list), .list),
      (.object(_, .text), .text), (.object(_, .text), .scalar(.string)),
      (.object(_, .text), .url), (.object(_, .text), .uuid), (.scalar(.counter), .counter),
      (.scalar(.null), _):
      true
    case (.scalar, .scalar), (.scalar, .float), (.scalar, .date), (.scalar, .url),
      (.scalar, .uuid), (.scalar, .keyedNil), (.scalar, .counter):
      true
    default: false
    }
  }

  /// How well an element serves for a value: 0 for not at all, up to 101.
  ///
  ///     {"id": 1, "a": 2, "b": 3}  for  {"id": 1, "a": 2, "b": 4}       67: two of three fields
  ///     {"id": 1, "a": 2, "b": 3}  for  {"id": 9, "a": 2, "b": 3}       67: the id was corrected
  ///     {"id": 1, "a": 2, "b": 3}  for  {"id": 9, "a": 2, "b": 4}       0: another thing
  ///     a scalar                   for  a scalar                        1
  ///
  /// An element of other identity (`id`) can serve only if at least half of its fields are the
  /// same: then the id was probably corrected, and else it is another thing. Fields that both lack say nothing of
  /// that. Ties go to the earlier elements, by ``WeightedAlignment/pairs()``.
  private mutating func like(
    _ known: StoredList,
    _ index: Int,
    _ value: StagedValue
  ) throws -> Int {
    let current = known.values[index]
    guard Self.fits(current, value) else { return 0 }
    switch (current, value) {
    case (.object(let object, .text), .text(let text)):
      // A bound text is another one, unless it is this one, which was found before.
      return text.object(in: home).map { $0 == object ? 101 : 0 } ?? 1
    case (.scalar(.counter), .counter(let counter)):
      return counter.place(in: home)?.holder == known.object ? 0 : 1
    case (.object(let object, _), .map(let map)):
      var same = 0
      var lacking = 0
      var isOther = false
      for entry in map.entries {
        let key = map.tree.draft.key(entry)
        let stored = try engine.value(object, key: key)
        switch (stored, map.tree.value(entry)) {
        case (nil, .absent):
          same += 1
          lacking += 1
        case (.object(let stored, .text)?, .text(let text)) where text.object(in: home) != nil:
          if text.object(in: home) == stored { same += 1 } else { isOther = true }
        case (let stored?, let value):
          // Nothing is bound by a likeness: another element may serve better.
          let noted = bindings.count
          defer { bindings.removeSubrange(noted...) }
          if try shows(stored, value, in: object, .key(key)) {
            same += 1
          } else if key == Self.identityKey {
            isOther = true
          }
        default: break
        }
      }
      let share = map.count == 0 ? 100 : same * 100 / map.count
      let isLittle = (same - lacking) * 2 < map.count - lacking
      return isOther && isLittle ? 0 : 1 + share
    default: return 1
    }
  }

  /// The field by which an element is told from others, as `Identifiable` has it.
  static let identityKey = "id"

  /// What tells an element from others; `nil` if nothing does.
  ///
  /// Scalars are compared by fingerprint: two of different kinds and one number are one identity.
  private func identity(_ known: StoredList, _ index: Int) throws -> Identity? {
    switch known.values[index] {
    case .object(let object, .map), .object(let object, .table):
      guard case .scalar(let scalar)? = try engine.get(object, .key(Self.identityKey))?.value
      else { return nil }
      return .scalar(fingerprint(scalar))
    case .object(let object, .text): return .object(object)
    case .scalar(.counter): return .element(try known.step(index, .counter(Counter())))
    default: return nil
    }
  }

  /// The same of the model's side.
  ///
  /// Only what is bound to this very document has an identity there.
  private func identity(_ value: StagedValue, in holder: ObjectID) -> Identity? {
    switch value {
    case .map(let map):
      guard let id = map.value(of: Self.identityKey)?.plainScalar else { return nil }
      return .scalar(fingerprint(id))
    case .text(let text): return text.object(in: home).map { .object($0) }
    case .counter(let counter):
      guard let place = counter.place(in: home), place.holder == holder else { return nil }
      return .element(place.step)
    default: return nil
    }
  }

  /// What lies between neighbouring pairs, before the first and behind the last; some are empty.
  ///
  ///     old 0..<5, new 0..<4, pairs (1, 0) and (3, 2)
  ///     gaps        (0..<1, none)  (2..<3, 1..<2)  (4..<5, 3..<4)
  private static func gaps(
    between pairs: [(old: Int, new: Int)],
    _ old: Range<Int>,
    _ new: Range<Int>
  ) -> [(old: Range<Int>, new: Range<Int>)] {
    var result: [(old: Range<Int>, new: Range<Int>)] = []
    var (from, to) = (old.lowerBound, new.lowerBound)
    for pair in pairs {
      result.append((from..<pair.old, to..<pair.new))
      (from, to) = (pair.old + 1, pair.new + 1)
    }
    result.append((from..<old.upperBound, to..<new.upperBound))
    return result
  }
}

/// What tells an element of a list from all others.
private enum Identity: Hashable {
  case scalar(Int)
  case object(ObjectID)
  case element(CounterPlace.Step)
}

/// Numbers for identities; what has none gets a number of its own.
///
/// So that ``CommonSequence``, which compares numbers, never pairs two elements that have no
/// identity.
///
///     id 7    no id    id 9    no id    id 7
///     1       2        3       4        1
private struct IdentityNames {
  private var names: [Identity: Int] = [:]
  private var next = 0

  mutating func name(of identity: Identity?) -> Int {
    if let identity, let known = names[identity] { return known }
    next += 1
    if let identity { names[identity] = next }
    return next
  }
}

extension StagedValue {
  /// What the value needs, if that is an object.
  var containerWord: String? {
    switch self {
    case .map: "a map"
    case .list: "a list"
    case .text: "a text"
    default: nil
    }
  }
}
