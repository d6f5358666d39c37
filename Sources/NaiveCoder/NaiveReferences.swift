import CodingLaws
import CodingSupport
import DocumentModel
import ModelGeneration
import NaiveModel

// Texts and counters of the naive coder. Unbound they hold a value; bound they read and write a
// document, by walking it from the root at each look. If the place is gone they show what was last
// set or decoded here, a text also what was last read, and nothing throws.

/// A text of the naive coder; bound, it reads and writes its document.
///
/// It is bound by the object's name, so that it follows the text wherever its list moves it.
package final class NaiveText: ModelText {
  /// The value while unbound; bound, what was last set, read or decoded here.
  private var own: String
  private var document: NaiveDocument?
  private(set) var object: ObjectID?

  private enum CodingKeys: String, CodingKey {
    case own = "value"
  }

  package init(_ value: String) {
    own = value
  }

  package init(from decoder: any Decoder) throws {
    own = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .own)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .own)
  }

  package var isBound: Bool { document != nil }

  func isBound(to other: NaiveDocument) -> Bool { document === other }

  /// Whether the document still shows the text, as a winner or as the loser of a conflict.
  package var isAttached: Bool {
    guard let object else { return false }
    return (try? document?.root())?.object(object) != nil
  }

  func bind(_ document: NaiveDocument, _ object: ObjectID) {
    self.document = document
    self.object = object
  }

  /// Set while bound, the difference to what the document shows is written, outside of any encode.
  package var value: String {
    get {
      guard let document, let object, let root = try? document.root(),
        let text = root.text(of: object)
      else { return own }
      // Kept for when the object is gone.
      own = text
      return text
    }
    set {
      let old = value
      own = newValue
      guard let document, let object else { return }
      let settings = NaiveWriter(document: document, rules: document.rules, settings: .init())
      var writer = settings
      // `edit` needs the object's name alone: what stood there is given to it.
      let target = ObservedObject(id: object, content: .text("", length: 0, elements: nil))
      // The text may be gone: what was set is then kept here alone.
      if (try? writer.edit(target, from: old, to: newValue)) != nil {
        document.model = writer.model
      }
    }
  }
}

/// A counter of the naive coder; bound, it reads its document and increments there.
///
/// It is bound to a key of a map, or to an element of a list by the operation that made the
/// element.
package final class NaiveCounter: ModelCounter {
  private var own: Int
  private var document: NaiveDocument?
  private var place: CounterPlace?

  private enum CodingKeys: String, CodingKey {
    case own = "value"
  }

  package init(_ value: Int) {
    own = value
  }

  package init(from decoder: any Decoder) throws {
    own = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .own)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .own)
  }

  package var isBound: Bool { document != nil }

  func isBound(to other: NaiveDocument) -> Bool { document === other }

  /// Whether a counter wins at the place.
  package var isAttached: Bool {
    if case .scalar(.counter)? = register?.values.last?.content { true } else { false }
  }

  /// What stands at the place now; `nil` if the object, or the element, is gone.
  ///
  /// Cost: a walk over the whole document at each look.
  private var register: ObservedRegister? {
    guard let root = try? document?.root() else { return nil }
    return place?.find(below: root)?.register
  }

  func isBound(to other: NaiveDocument, _ place: CounterPlace) -> Bool {
    document === other && self.place == place
  }

  /// Whether it is bound to one of the places.
  func isBound(to other: NaiveDocument, oneOf places: Set<CounterPlace>) -> Bool {
    document === other && place.map { places.contains($0) } == true
  }

  /// Binds it to a place, over an earlier binding.
  func bind(_ document: NaiveDocument, _ place: CounterPlace) {
    self.document = document
    self.place = place
  }

  /// The document's count, cut to `Int`; if no counter stands there, what was last read or counted here.
  package var value: Int {
    guard case .scalar(.counter(let value))? = register?.values.last?.content else { return own }
    // Kept for when the counter is gone.
    own = Int(clamping: value)
    return own
  }

  /// Adds the difference to what it shows, so that two peers' sets add up.
  package func set(_ value: Int) {
    let adds = document?.rules.setsByDifference ?? true
    increment(by: adds ? value &- self.value : value)
  }

  /// Adds to the document's counter, or to its own while unbound.
  ///
  /// Sums wrap.
  package func increment(by amount: Int) {
    own = value &+ amount
    guard let document, let place, let root = try? document.root(),
      let slot = place.find(below: root)?.slot
    else { return }
    // A counter that is gone keeps what was added here alone.
    _ = try? document.model.apply(.increment(place.object, slot, by: Int64(amount)))
  }
}

/// Where a counter stands: scalars have no name, so it is named by what holds it.
///
/// A branch of a document knows its objects and elements by the same names.
struct CounterPlace: Hashable {
  let object: ObjectID
  private enum Step: Hashable {
    case key(ExactString)
    /// The operation that made a list's element: its index changes, its name does not.
    case element(OpID)
    /// Where no element had the index.
    case nowhere
  }
  private let step: Step

  /// The place that has the slot below this root.
  init(_ object: ObjectID, _ slot: Slot, below root: ObservedObject?) {
    self.object = object
    switch slot {
    case .key(let key): step = .key(key)
    case .index(let index):
      let register = root?.object(object)?.register(.index(index))
      step = register?.values.last?.id.map { .element($0) } ?? .nowhere
    }
  }

  /// The place of an element of a list.
  init(_ list: ObjectID, of register: ObservedRegister) {
    object = list
    step = register.values.last?.id.map { .element($0) } ?? .nowhere
  }

  /// The slot that it has now, and what stands there; `nil` if the object or the element is gone.
  func find(below root: ObservedObject) -> (slot: Slot, register: ObservedRegister)? {
    guard let holder = root.object(object) else { return nil }
    switch (step, holder.content) {
    case (.key(let key), _): return holder.register(.key(key.string)).map { (.key(key), $0) }
    case (.element(let name), .list(let registers)):
      return registers.indices.first { registers[$0].values.contains { $0.id == name } }
        .map { (.index($0), registers[$0]) }
    default: return nil
    }
  }
}

/// Texts and counters that were written, in that order, and where.
struct NaiveBindings {
  var texts: [(NaiveText, ObjectID)] = []
  /// Texts in which strings of the model were written.
  var strings: Set<ObjectID> = []
  var counters: [(NaiveCounter, ObjectID, Slot)] = []

  /// Binds each to its place, in a list to the element that has the index in `branch`.
  ///
  /// One that is bound stays so, also if it was written at a second place; unless its place is gone,
  /// or another instance was written there, or a string: then it has changed places. What was written at
  /// two places is bound to the first.
  func bind(to home: NaiveDocument, namedIn branch: NaiveDocument) {
    let takenTexts = strings.union(texts.map(\.1))
    var bound: Set<ObjectIdentifier> = []
    for (text, object) in texts where !bound.contains(ObjectIdentifier(text)) {
      let isTaken = text.object.map { takenTexts.contains($0) } ?? false
      let isLoose = text.isBound(to: home) && (isTaken || !text.isAttached)
      guard !text.isBound || isLoose else { continue }
      text.bind(home, object)
      bound.insert(ObjectIdentifier(text))
    }
    let root = try? branch.root()
    let places = counters.map { CounterPlace($0.1, $0.2, below: root) }
    let takenPlaces = Set(places)
    let keepsBindings = home.rules.keepsBindings
    for ((counter, _, _), place) in zip(counters, places)
    where !keepsBindings || !bound.contains(ObjectIdentifier(counter)) {
      let isTaken = counter.isBound(to: home, oneOf: takenPlaces)
      let isLoose =
        counter.isBound(to: home) && (!keepsBindings || isTaken || !counter.isAttached)
      guard !counter.isBound || isLoose else { continue }
      counter.bind(home, place)
      bound.insert(ObjectIdentifier(counter))
    }
  }
}

extension ObservedObject {
  /// The object of this name at or below this one, among winners and losers.
  func object(_ name: ObjectID) -> ObservedObject? {
    if id == name { return self }
    let registers: [ObservedRegister] =
      switch content {
      case .map(let entries): entries.map(\.register)
      case .list(let registers): registers
      case .text: []
      }
    for value in registers.flatMap(\.values) {
      if case .object(let object) = value.content, let found = object.object(name) { return found }
    }
    return nil
  }

  /// The string of a text, wherever it stands; `nil` if there is no such text.
  func text(of name: ObjectID) -> String? {
    guard case .text(let text, _, _)? = object(name)?.content else { return nil }
    return text.string
  }
}

// Elements of sets: alike if they hold the same, unless they are bound to two places.

extension NaiveText: Hashable {
  package static func == (left: NaiveText, right: NaiveText) -> Bool {
    if let one = left.document, let other = right.document {
      guard one === other, left.object == right.object else { return false }
    }
    return left.value == right.value
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension NaiveCounter: Hashable {
  package static func == (left: NaiveCounter, right: NaiveCounter) -> Bool {
    if let one = left.document, let other = right.document {
      guard one === other, left.place == right.place else { return false }
    }
    return left.value == right.value
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
