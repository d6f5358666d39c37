// A state that patches lead on, for the laws of patches. `PatchedState` is the entrance;
// `PatchedObject` does the work: made from an observation (`init`), led on (`apply`), shown as an
// observation again (`observed`), and compared in the conflicts that patches reported
// (`conflictDifference`).
//
// Objects are classes, so that a patch deep in the state changes it in place. Each list of patches
// therefore gets a new state.

import DocumentModel
import PropertyEngine

/// What a document shows, led on by patches and by nothing else.
///
/// It knows what patches can tell: of a register the winner and whether it is in conflict, of a text its
/// scalars and what objects stand in it, and the marks of texts and lists.
///
///     state      {"t": text "ab"}
///     patch      /"t" spliceText 1 "x"
///     state      {"t": text "axb"}
///
/// Indexes count scalars in a text and elements in a list, in the state that the patches before
/// have made.
struct PatchedState {
  /// Why a patch cannot be carried out.
  struct PatchMismatch: Error {
    let explanation: String
  }

  private let root: PatchedObject

  /// The state that an observation shows.
  init(_ observation: Observation) {
    root = PatchedObject(observation.root)
  }

  /// The state as an observation of winners, without heads.
  var observation: Observation { Observation(root: root.observed) }

  /// Carries out one patch.
  ///
  /// - Returns: Whether something is otherwise than before; marks and conflicts count as if it were.
  /// - Throws: ``PatchMismatch`` if its path leads nowhere, or its object has no such place.
  @discardableResult
  func apply(_ patch: ObservedPatch) throws(PatchMismatch) -> Bool {
    var object = root
    for slot in patch.path {
      guard let next = object.object(at: slot) else {
        throw PatchMismatch(explanation: "there is no object at \(slot) of a \(object.kind)")
      }
      object = next
    }
    return try object.apply(patch.action)
  }
}

extension PatchedState {
  /// Where patches told of a conflict that the second state does not show, of none where it shows one, or
  /// twice; nil if they told of each that is new once.
  func conflictDifference(from after: Observation) -> Difference? {
    root.conflictDifference(from: after.root, at: [])
  }
}

/// What is known of a place being in conflict, from the first state and from patches.
///
///     before      a patch tells      a value is put over it
///     none        told               none
///     known       toldAgain          knownOfOther
///     knownOfOther told              none
///     told        toldAgain          none
///     toldAgain   toldAgain          none
private enum ToldConflict {
  case none
  /// The first state shows a conflict.
  case known
  /// The same, and a patch has put another winner: the conflict may be reported again, or not.
  case knownOfOther
  case told
  /// A patch told of what was known or told already.
  case toldAgain

  mutating func tell() { self = self == .none || self == .knownOfOther ? .told : .toldAgain }

  /// What is known once a value is put over the one that stands there.
  var replaced: ToldConflict { self == .known ? .knownOfOther : .none }
}

/// What marks lie over: an element of a list, or a unit of a text.
///
/// Marks by name; a name that is not there has no mark.
private protocol Markable {
  var marks: [ExactString: Scalar] { get set }
}

/// One object of a state; patches change it in place.
private final class PatchedObject {
  typealias PatchMismatch = PatchedState.PatchMismatch

  /// The winner of a register.
  ///
  /// The losers are not kept, as no patch tells what they are.
  struct Value: Markable {
    enum Content {
      case scalar(Scalar)
      case hidden(ScalarKind)
      case object(PatchedObject)
    }

    let id: OpID?
    var content: Content
    fileprivate var told = ToldConflict.none
    /// The marks over an element of a list.
    var marks: [ExactString: Scalar] = [:]
  }

  /// One scalar of a text, and the object that stands there.
  ///
  /// An element of several scalars is as many units. One that is no string is one unit, U+FFFC.
  struct Unit: Markable {
    let scalar: Unicode.Scalar
    var object: (id: OpID?, object: PatchedObject)?
    fileprivate var told = ToldConflict.none
    var marks: [ExactString: Scalar] = [:]
  }

  enum Content {
    case map([ExactString: Value])
    case list([Value])
    /// Without elements where its subject shows the string alone.
    case text([Unit], showsElements: Bool)
  }

  private let id: ObjectID?
  private var content: Content

  init(_ object: ObservedObject) {
    id = object.id
    switch object.content {
    case .map(let entries):
      var values: [ExactString: Value] = [:]
      for entry in entries {
        values[entry.key] = Self.value(of: entry.register)
      }
      content = .map(values)
    case .list(let registers):
      var values = registers.compactMap(Self.value(of:))
      for mark in object.marks { Self.set(mark, in: &values) }
      content = .list(values)
    case .text(let text, _, let elements):
      var units =
        elements?.flatMap(Self.units)
        ?? text.string.unicodeScalars.map { Unit(scalar: $0) }
      for mark in object.marks { Self.set(mark, in: &units) }
      content = .text(units, showsElements: elements != nil)
    }
  }

  var kind: ObjectKind {
    switch content {
    case .map: .map
    case .list: .list
    case .text: .text
    }
  }

  /// The object at a key or position; nil if none is there.
  func object(at slot: Slot) -> PatchedObject? {
    switch (content, slot) {
    case (.map(let values), .key(let key)): values[key]?.object
    case (.list(let values), .index(let index)) where values.indices.contains(index):
      values[index].object
    case (.text(let units, _), .index(let index)) where units.indices.contains(index):
      units[index].object?.object
    default: nil
    }
  }

  // MARK: - Values

  /// Makes the objects below it, too.
  private static func value(_ value: ObservedValue) -> Value {
    let content: Value.Content =
      switch value.content {
      case .scalar(let scalar): .scalar(scalar)
      case .hidden(let kind): .hidden(kind)
      case .object(let object): .object(PatchedObject(object))
      }
    return Value(id: value.id, content: content)
  }

  /// What a register shows; nil if nothing.
  private static func value(of register: ObservedRegister) -> Value? {
    guard let winner = register.values.last else { return nil }
    var value = value(winner)
    if register.values.count > 1 { value.told = .known }
    return value
  }

  /// The units of an element; a conflict is reported at the first of them.
  ///
  /// Empty for an element that is an empty string: it takes no place.
  private static func units(of register: ObservedRegister) -> [Unit] {
    guard let winner = register.values.last else { return [] }
    var units = units(of: winner)
    if register.values.count > 1, !units.isEmpty { units[0].told = .known }
    return units
  }

  /// What a value is in a text: a string its scalars, all else one unit that stands for it.
  private static func units(of value: ObservedValue) -> [Unit] {
    switch value.content {
    case .scalar(.string(let text)): return text.string.unicodeScalars.map { Unit(scalar: $0) }
    case .scalar, .hidden: return [Unit(scalar: "\u{FFFC}")]
    case .object(let object):
      return [Unit(scalar: "\u{FFFC}", object: (value.id, PatchedObject(object)))]
    }
  }

  /// A value that is put where another stands, whose marks stay.
  ///
  /// An object that is there already keeps what it holds.
  ///
  /// Worked example: a put of the object that is there clears a conflict, and is no new object. A
  /// put of another object is empty, and patches of its content follow.
  ///
  /// Source: Specification/Semantics.md, "Differences between two states".
  private static func value(_ value: ObservedValue, over old: Value?) -> Value {
    guard let old else { return Self.value(value) }
    let isSame = value.id != nil && old.id == value.id && old.object != nil
    var new = isSame ? old : Self.value(value)
    (new.marks, new.told) = (old.marks, old.told.replaced)
    return new
  }

  /// A null takes a name away.
  ///
  /// The range is cut to what is there, since a subject's marks may reach beyond what it shows; a
  /// patch's range was checked before.
  private static func set<Place: Markable>(_ mark: ObservedMark, in places: inout [Place]) {
    for index in mark.range.clamped(to: places.indices) {
      places[index].marks[mark.name] = mark.value == .null ? nil : mark.value.inMarks
    }
  }

  // MARK: - Patches

  /// Returns whether something is otherwise than before, as ``PatchedState/apply(_:)`` does.
  func apply(_ action: ObservedPatch.Action) throws(PatchMismatch) -> Bool {
    if case .increment(let slot, let amount) = action {
      try increment(at: slot, by: amount)
      return amount != 0
    }
    let isNew: Bool
    switch content {
    case .map(var values):
      isNew = try apply(action, to: &values)
      content = .map(values)
    case .list(var values):
      isNew = try apply(action, to: &values)
      content = .list(values)
    case .text(var units, let showsElements):
      isNew = try apply(action, to: &units)
      content = .text(units, showsElements: showsElements)
    }
    return isNew
  }

  private func apply(
    _ action: ObservedPatch.Action,
    to values: inout [ExactString: Value]
  ) throws(PatchMismatch) -> Bool {
    switch action {
    case .put(.key(let key), let value):
      let isSame = value.id != nil && values[key]?.id == value.id
      values[key] = Self.value(value, over: values[key])
      return !isSame
    case .conflict(.key(let key)) where values[key] != nil: values[key]?.told.tell()
    case .deleteKey(let key):
      guard values.removeValue(forKey: key) != nil else {
        throw PatchMismatch(explanation: "there is no key \(Slot.key(key)) to delete")
      }
    default: throw unfit
    }
    return true
  }

  private func apply(
    _ action: ObservedPatch.Action,
    to values: inout [Value]
  ) throws(PatchMismatch) -> Bool {
    switch action {
    case .put(.index(let index), let value):
      try check(index, 1, of: values.count)
      let isSame = value.id != nil && values[index].id == value.id
      values[index] = Self.value(value, over: values[index])
      return !isSame
    case .insert(let index, let inserted):
      try check(index, 0, of: values.count)
      values.insert(contentsOf: inserted.map(Self.value), at: index)
      return !inserted.isEmpty
    case .conflict(.index(let index)):
      try check(index, 1, of: values.count)
      values[index].told.tell()
    case .deleteRange(let index, let count):
      try check(index, count, of: values.count)
      values.removeSubrange(index..<index + count)
      return count > 0
    case .marks(let marks): try set(marks, in: &values)
    default: throw unfit
    }
    return true
  }

  private func apply(
    _ action: ObservedPatch.Action,
    to units: inout [Unit]
  ) throws(PatchMismatch) -> Bool {
    switch action {
    case .put(.index(let index), let value):
      try check(index, 1, of: units.count)
      let old = units[index]
      let isSame = value.id != nil && old.object?.id == value.id
      var new = isSame ? [old] : Self.units(of: value)
      if !new.isEmpty { new[0].told = old.told.replaced }
      for place in new.indices { new[place].marks = old.marks }
      units.replaceSubrange(index...index, with: new)
      return !isSame
    case .insert(let index, let inserted):
      try check(index, 0, of: units.count)
      units.insert(contentsOf: inserted.flatMap(Self.units), at: index)
      return !inserted.isEmpty
    case .spliceText(let index, let text):
      try check(index, 0, of: units.count)
      let typed = text.string.unicodeScalars
      units.insert(contentsOf: typed.map { Unit(scalar: $0) }, at: index)
      return !typed.isEmpty
    case .conflict(.index(let index)):
      try check(index, 1, of: units.count)
      units[index].told.tell()
    case .deleteRange(let index, let count):
      try check(index, count, of: units.count)
      units.removeSubrange(index..<index + count)
      return count > 0
    case .marks(let marks): try set(marks, in: &units)
    default: throw unfit
    }
    return true
  }

  private var unfit: PatchMismatch {
    PatchMismatch(explanation: "the patch does not fit a \(kind)")
  }

  private func set<Place: Markable>(
    _ marks: [ObservedMark],
    in places: inout [Place]
  ) throws(PatchMismatch) {
    for mark in marks {
      try check(mark.range.lowerBound, mark.range.count, of: places.count)
      Self.set(mark, in: &places)
    }
  }

  /// `index + count` is not computed, as a subject may name any numbers.
  private func check(_ index: Int, _ count: Int, of length: Int) throws(PatchMismatch) {
    guard index >= 0, count >= 0, index <= length, count <= length - index else {
      throw PatchMismatch(
        explanation: "\(count) from index \(index) do not fit a length of \(length)"
      )
    }
  }

  /// Adds to the counter at a slot.
  ///
  /// - Throws: ``PatchedState/PatchMismatch`` if none is there.
  private func increment(at slot: Slot, by amount: Int64) throws(PatchMismatch) {
    switch (content, slot) {
    case (.map(var values), .key(let key)):
      if var value = values[key], value.add(amount) {
        values[key] = value
        content = .map(values)
        return
      }
    case (.list(var values), .index(let index)) where values.indices.contains(index):
      if values[index].add(amount) {
        content = .list(values)
        return
      }
    // A counter in a text shows as one unit, whatever it counts.
    case (.text(let units, _), .index(let index)) where units.indices.contains(index): return
    default: break
    }
    throw PatchMismatch(explanation: "there is no counter at \(slot)")
  }

  // MARK: - The state

  var observed: ObservedObject {
    switch content {
    case .map(let values):
      let entries = values.keys.sorted().compactMap { key in
        values[key].map { ObservedObject.Entry(key: key, register: $0.register) }
      }
      return ObservedObject(id: id, content: .map(entries))
    case .list(let values):
      return ObservedObject(
        id: id,
        content: .list(values.map(\.register)),
        marks: Self.stretches(of: values)
      )
    case .text(let units, let showsElements):
      var text = String.UnicodeScalarView()
      text.append(contentsOf: units.map(\.scalar))
      return ObservedObject(
        id: id,
        content: .text(
          ExactString(String(text)),
          length: units.count,
          elements: showsElements ? units.map(\.register) : nil
        ),
        marks: Self.stretches(of: units)
      )
    }
  }

  // MARK: - Conflicts

  /// Only what both sides have is compared: laws have made sure before that the states agree.
  func conflictDifference(from shown: ObservedObject, at path: [Slot]) -> Difference? {
    switch (content, shown.content) {
    case (.map(let values), .map(let entries)):
      for entry in entries {
        guard let value = values[entry.key] else { continue }
        let place = path + [.key(entry.key)]
        if let found = value.conflictDifference(from: entry.register, at: place) { return found }
      }
    case (.list(let values), .list(let registers)):
      for (index, (value, register)) in zip(values, registers).enumerated() {
        let place = path + [.index(index)]
        if let found = value.conflictDifference(from: register, at: place) { return found }
      }
    case (.text(let units, _), .text(_, _, let registers?)):
      var index = 0
      for register in registers {
        let width = Self.units(of: register).count
        // An element without width has no index at which a conflict could be reported.
        guard width > 0, index < units.count else { continue }
        let place = path + [.index(index)]
        if let found = units[index].conflictDifference(from: register, at: place) { return found }
        index += width
      }
    default: break
    }
    return nil
  }

  /// For each name the longest stretches of equal values, by name and then by start.
  ///
  /// The form in which an observation tells marks, so that both are compared as they are.
  private static func stretches(of places: [some Markable]) -> [ObservedMark] {
    var found: [ExactString: [ObservedMark]] = [:]
    for (index, place) in places.enumerated() {
      for (name, value) in place.marks {
        var mark = ObservedMark(name: name, value: value, range: index..<index + 1)
        if let last = found[name]?.last, last.range.upperBound == index, last.value == value {
          mark.range = last.range.lowerBound..<index + 1
          found[name]?.removeLast()
        }
        found[name, default: []].append(mark)
      }
    }
    return found.keys.sorted().flatMap { found[$0, default: []] }
  }
}

extension ToldConflict {
  fileprivate func difference(from register: ObservedRegister, at path: [Slot]) -> Difference? {
    let isConflict = register.values.count > 1
    let summary: String? =
      switch (self, isConflict) {
      case (.none, true): "a new conflict is not told"
      case (.told, false), (.toldAgain, false): "a conflict is told where there is none"
      case (.toldAgain, true): "a conflict is told again"
      case (.none, false), (.known, _), (.knownOfOther, _), (.told, true): nil
      }
    guard let summary else { return nil }
    return Difference(
      kind: "conflict",
      summary: "\(summary), at /\(path.map(\.description).joined(separator: "/"))",
      expected: register.values.map(\.brief).joined(separator: ", "),
      actual: self == .none ? "no patch tells of a conflict" : "a patch tells of a conflict"
    )
  }
}

extension PatchedObject.Value {
  fileprivate func conflictDifference(
    from register: ObservedRegister,
    at path: [Slot]
  ) -> Difference? {
    if let found = told.difference(from: register, at: path) { return found }
    guard let object, case .object(let shown)? = register.values.last?.content else { return nil }
    return object.conflictDifference(from: shown, at: path)
  }

  fileprivate var object: PatchedObject? {
    if case .object(let object) = content { object } else { nil }
  }

  /// Adds to a counter, also to one that the subject cannot show; false if the value is none.
  fileprivate mutating func add(_ amount: Int64) -> Bool {
    switch content {
    case .scalar(.counter(let count)): content = .scalar(.counter(count &+ amount))
    case .hidden(.counter): break
    default: return false
    }
    return true
  }

  fileprivate var register: ObservedRegister {
    let content: ObservedValue.Content =
      switch content {
      case .scalar(let scalar): .scalar(scalar)
      case .hidden(let kind): .hidden(kind)
      case .object(let object): .object(object.observed)
      }
    return ObservedRegister(values: [ObservedValue(id: id, content: content)], isComplete: false)
  }
}

extension PatchedObject.Unit {
  fileprivate func conflictDifference(
    from register: ObservedRegister,
    at path: [Slot]
  ) -> Difference? {
    if let found = told.difference(from: register, at: path) { return found }
    guard let inner = object?.object, case .object(let shown)? = register.values.last?.content
    else { return nil }
    return inner.conflictDifference(from: shown, at: path)
  }

  fileprivate var register: ObservedRegister {
    let value =
      object.map { ObservedValue(id: $0.id, content: .object($0.object.observed)) }
      ?? ObservedValue(id: nil, content: .scalar(.string(ExactString(String(scalar)))))
    return ObservedRegister(values: [value], isComplete: false)
  }
}
