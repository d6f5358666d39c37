// A state that patches lead on, for the laws of patches, and for `Document.checkPatches` of
// `Subjects`. `PatchedState` is the entrance; `PatchForm` says in what patches of subjects differ;
// `PatchedObject` does the work: made from an observation (`init`), led on (`apply`), shown as an
// observation again (`observed`), and compared in the conflicts that patches reported
// (`conflictDifference`).
//
// Objects are classes, so that a patch deep in the state changes it in place. Each list of patches
// therefore gets a new state.

package import DocumentModel
package import PropertyEngine

/// What a document shows, led on by patches and by nothing else.
///
/// It knows what patches can tell: of a register the winner and whether it is in conflict, of a text its
/// units and what objects stand in it, and the marks of texts and lists.
///
///     state      {"t": text "ab"}
///     patch      /"t" spliceText 1 "x"
///     state      {"t": text "axb"}
///
/// Indexes count units in a text (``PatchForm/units``) and elements in a list, in the state that the
/// patches before have made.
package struct PatchedState {
  /// Why a patch cannot be carried out.
  package struct PatchMismatch: Error {
    package let explanation: String
  }

  private let root: PatchedObject

  /// The state that an observation shows.
  package init(_ observation: Observation, form: PatchForm = .scalars) {
    root = PatchedObject(observation.root, form)
  }

  /// The state as an observation of winners, without heads.
  package var observation: Observation { Observation(root: root.observed) }

  /// Carries out one patch.
  ///
  /// - Parameters:
  ///   - patch: What is carried out.
  ///   - objects: Those that the path is said to go through, from the root to the one that is
  ///     changed; none if patches do not say.
  /// - Returns: Whether something is otherwise than before; marks and conflicts count as if it were.
  /// - Throws: ``PatchMismatch`` if its path leads nowhere or through other objects, or its object has
  ///   no such place.
  @discardableResult
  package func apply(
    _ patch: ObservedPatch,
    through objects: [ObjectID] = []
  ) throws(PatchMismatch) -> Bool {
    var object = root
    for (depth, slot) in patch.path.enumerated() {
      guard depth >= objects.count || object.id == objects[depth] else {
        throw PatchMismatch(explanation: "a path goes through another object")
      }
      guard let next = object.object(at: slot) else {
        throw PatchMismatch(explanation: "there is no object at \(slot) of a \(object.kind)")
      }
      object = next
    }
    guard objects.isEmpty || object.id == objects.last else {
      throw PatchMismatch(explanation: "a path leads to another object")
    }
    return try object.apply(patch.action)
  }
}

extension PatchedState {
  /// Where patches told of a conflict that the second state does not show, of none where it shows one, or
  /// twice; `nil` if they told of each that is new once.
  package func conflictDifference(from after: Observation) -> Difference? {
    root.conflictDifference(from: after.root, at: [])
  }
}

/// What indexes of a subject's patches count, and which conflicts the patches report.
package struct PatchForm: Sendable {
  /// Splits a text into the units that indexes count, each as its share of the text's UTF-8.
  package let units: @Sendable (String) -> [[UInt8]]
  /// Whether patches report that what they put is in conflict; if not, they must not.
  let reportsConflictsOfPuts: Bool

  package init(
    reportsConflictsOfPuts: Bool,
    units: @escaping @Sendable (String) -> [[UInt8]]
  ) {
    self.units = units
    self.reportsConflictsOfPuts = reportsConflictsOfPuts
  }

  /// What laws ask for: indexes count Unicode scalars, and conflicts of puts are reported.
  package static let scalars = PatchForm(reportsConflictsOfPuts: true) { text in
    text.unicodeScalars.map { Array(String($0).utf8) }
  }
}

/// What is known of a place being in conflict, from the first state and from patches.
///
///     before        a patch tells    a value is put over it
///     none          told             none
///     known         toldAgain        knownOfOther
///     knownOfOther  told             none
///     told          toldAgain        none
///     toldAgain     toldAgain        none
///     unreported    toldAgain        unreported
///
/// Without ``PatchForm/reportsConflictsOfPuts`` each put makes it `unreported`.
private enum ToldConflict {
  case none
  /// The first state shows a conflict.
  case known
  /// The same, and a patch has put another winner: the conflict may be reported again, or not.
  case knownOfOther
  case told
  /// A patch told of what was known or told already, or must not be told.
  case toldAgain
  /// A value was put here, whose conflict must not be reported.
  case unreported

  mutating func tell() { self = self == .none || self == .knownOfOther ? .told : .toldAgain }

  /// What is known once a value is put over the one that stands there.
  var replaced: ToldConflict { self == .known ? .knownOfOther : .none }
}

/// What marks lie over: an element of a list, or a unit of a text.
private protocol Markable {
  var told: ToldConflict { get set }
  /// By name; a name that is not there has no mark.
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

  /// One unit of a text, and the object that stands there.
  ///
  /// An element that is no string has the units of U+FFFC; the first holds the object.
  struct Unit: Markable {
    /// Its share of the text's UTF-8: a part of a scalar that is several units.
    let bytes: [UInt8]
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

  let id: ObjectID?
  private let form: PatchForm
  private var content: Content

  init(_ object: ObservedObject, _ form: PatchForm) {
    id = object.id
    self.form = form
    switch object.content {
    case .map(let entries):
      var values: [ExactString: Value] = [:]
      for entry in entries { values[entry.key] = form.value(of: entry.register) }
      content = .map(values)
    case .list(let registers):
      var values = registers.compactMap(form.value(of:))
      for mark in object.marks { Self.set(mark, in: &values) }
      content = .list(values)
    case .text(let text, _, let elements):
      var units = elements?.flatMap { form.units(of: $0) } ?? form.units(of: text)
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

  /// The object at a key or position; `nil` if none is there.
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

  // MARK: - Patches

  /// A value that is put where another stands, whose marks stay.
  ///
  /// An object that is there already keeps what it holds.
  ///
  /// Worked example: a put of the object that is there clears a conflict, and is no new object. A
  /// put of another object is empty, and patches of its content follow.
  ///
  /// Source: Specification/Semantics.md, "Differences between two states".
  private func value(_ value: ObservedValue, over old: Value?) -> Value {
    var new = form.value(value)
    if let old, let id = value.id, old.id == id, old.object != nil { new = old }
    new.marks = old?.marks ?? [:]
    new.told = told(over: old?.told)
    return new
  }

  /// What is known of a place being in conflict once a value is put there.
  private func told(over old: ToldConflict?) -> ToldConflict {
    form.reportsConflictsOfPuts ? old?.replaced ?? .none : .unreported
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

  /// Returns whether something is otherwise than before, as ``PatchedState/apply(_:through:)`` does.
  func apply(_ action: ObservedPatch.Action) throws(PatchMismatch) -> Bool {
    if case .increment(let slot, let amount) = action {
      try increment(at: slot, by: amount)
      return amount != 0
    }
    // Taken out of the content, values are changed in place.
    switch content {
    case .map(var values):
      content = .map([:])
      defer { content = .map(values) }
      return try apply(action, to: &values)
    case .list(var values):
      content = .list([])
      defer { content = .list(values) }
      return try apply(action, to: &values)
    case .text(var units, let showsElements):
      content = .text([], showsElements: showsElements)
      defer { content = .text(units, showsElements: showsElements) }
      return try apply(action, to: &units)
    }
  }

  private func apply(
    _ action: ObservedPatch.Action,
    to values: inout [ExactString: Value]
  ) throws(PatchMismatch) -> Bool {
    switch action {
    case .put(.key(let key), let value):
      let isSame = value.id != nil && values[key]?.id == value.id
      values[key] = self.value(value, over: values[key])
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
      values[index] = self.value(value, over: values[index])
      return !isSame
    case .insert(let index, let inserted):
      try check(index, 0, of: values.count)
      values.insert(contentsOf: inserted.map(form.value), at: index)
      return !inserted.isEmpty
    default: return try applyToEither(action, to: &values)
    }
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
      var new = isSame ? [old] : form.units(of: value)
      if !new.isEmpty { new[0].told = told(over: old.told) }
      for place in new.indices { new[place].marks = old.marks }
      units.replaceSubrange(index...index, with: new)
      return !isSame
    case .insert(let index, let inserted):
      try check(index, 0, of: units.count)
      units.insert(contentsOf: inserted.flatMap { form.units(of: $0) }, at: index)
      return !inserted.isEmpty
    case .spliceText(let index, let text):
      try check(index, 0, of: units.count)
      let typed = form.units(of: text)
      units.insert(contentsOf: typed, at: index)
      return !typed.isEmpty
    default: return try applyToEither(action, to: &units)
    }
  }

  /// What lists and texts have in common.
  private func applyToEither<Place: Markable>(
    _ action: ObservedPatch.Action,
    to places: inout [Place]
  ) throws(PatchMismatch) -> Bool {
    switch action {
    case .conflict(.index(let index)):
      try check(index, 1, of: places.count)
      places[index].told.tell()
    case .deleteRange(let index, let count):
      try check(index, count, of: places.count)
      places.removeSubrange(index..<index + count)
      return count > 0
    case .marks(let marks):
      for mark in marks {
        try check(mark.range.lowerBound, mark.range.count, of: places.count)
        Self.set(mark, in: &places)
      }
    default: throw unfit
    }
    return true
  }

  private var unfit: PatchMismatch {
    PatchMismatch(explanation: "the patch does not fit a \(kind)")
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
    // A counter in a text shows as U+FFFC, whatever it counts.
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
      return ObservedObject(
        id: id,
        content: .text(
          ExactString(String(decoding: units.flatMap(\.bytes), as: UTF8.self)),
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
        // An element without width has no index at which a conflict could be reported.
        let width = form.units(of: register).count
        // The first unit has the conflict of all.
        let alone = ObservedRegister(values: register.values.suffix(1), isComplete: false)
        for number in 0..<width where index < units.count {
          let due = number == 0 ? register : alone
          let place = path + [.index(index)]
          if let found = units[index].conflictDifference(from: due, at: place) { return found }
          index += 1
        }
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

extension PatchForm {
  /// Makes the objects below it, too.
  fileprivate func value(_ value: ObservedValue) -> PatchedObject.Value {
    let content: PatchedObject.Value.Content =
      switch value.content {
      case .scalar(let scalar): .scalar(scalar)
      case .hidden(let kind): .hidden(kind)
      case .object(let object): .object(PatchedObject(object, self))
      }
    return PatchedObject.Value(id: value.id, content: content)
  }

  /// What a register shows; `nil` if nothing.
  fileprivate func value(of register: ObservedRegister) -> PatchedObject.Value? {
    guard let winner = register.values.last else { return nil }
    var value = value(winner)
    if register.values.count > 1 { value.told = .known }
    return value
  }

  /// The units of an element; a conflict is reported at the first of them.
  ///
  /// Empty for an element that is an empty string: it takes no place.
  fileprivate func units(of register: ObservedRegister) -> [PatchedObject.Unit] {
    guard let winner = register.values.last else { return [] }
    var units = units(of: winner)
    if register.values.count > 1, !units.isEmpty { units[0].told = .known }
    return units
  }

  /// What a value is in a text: a string its units, all else those of U+FFFC, which stands for it.
  fileprivate func units(of value: ObservedValue) -> [PatchedObject.Unit] {
    if case .scalar(.string(let text)) = value.content { return units(of: text) }
    var units = units(of: "\u{FFFC}")
    if case .object(let object) = value.content, !units.isEmpty {
      units[0].object = (value.id, PatchedObject(object, self))
    }
    return units
  }

  fileprivate func units(of text: ExactString) -> [PatchedObject.Unit] {
    units(text.string).map { PatchedObject.Unit(bytes: $0) }
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
      case (.none, false), (.known, _), (.knownOfOther, _), (.told, true), (.unreported, _): nil
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
    let text = String(validating: bytes, as: UTF8.self)
    let scalar = text.map { Scalar.string(ExactString($0)) } ?? .bytes(bytes)
    let value =
      object.map { ObservedValue(id: $0.id, content: .object($0.object.observed)) }
      ?? ObservedValue(id: nil, content: .scalar(scalar))
    return ObservedRegister(values: [value], isComplete: false)
  }
}
