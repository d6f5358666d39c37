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
  private var object: ObjectID?
  private var slot: Slot?
  /// The operation that made a list's element: its index changes, its name does not.
  private var element: OpID?

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

  /// What stands at the place now; nil if the object, or the element, is gone.
  private var register: ObservedRegister? {
    guard let object, let slot = currentSlot, let found = (try? document?.root())?.object(object)
    else { return nil }
    return switch slot {
    case .key(let key): found.register(.key(key.string))
    case .index(let index): found.register(.index(index))
    }
  }

  func isBound(to other: NaiveDocument, _ object: ObjectID, _ slot: Slot) -> Bool {
    document === other && self.object == object && currentSlot == slot
  }

  /// Binds it to a place, over an earlier binding.
  func bind(_ document: NaiveDocument, _ object: ObjectID, _ slot: Slot) {
    self.document = document
    self.object = object
    self.slot = slot
    guard case .index(let index) = slot,
      case .list(let registers)? = (try? document.root())?.object(object)?.content,
      registers.indices.contains(index)
    else { return }
    element = registers[index].values.last?.id
  }

  /// A counter in a list follows its element by the operation that made it; nil once no element has
  /// it.
  ///
  /// In a map the key is its name for ever. Cost: a walk over the whole document at each look.
  private var currentSlot: Slot? {
    // Bound to a map's key there is no element, and the slot is the key.
    guard let element, let document, let object,
      case .list(let registers)? = (try? document.root())?.object(object)?.content
    else { return slot }
    return registers.firstIndex { $0.values.contains { $0.id == element } }.map { .index($0) }
  }

  /// The document's count, cut to `Int`; if no counter stands there, what was last counted here.
  package var value: Int {
    guard case .scalar(.counter(let value))? = register?.values.last?.content else { return own }
    return Int(clamping: value)
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
    guard let document, let object, let slot = currentSlot else { return }
    // A counter that is gone keeps what was added here alone.
    _ = try? document.model.apply(.increment(object, slot, by: Int64(amount)))
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

  /// The string of a text, wherever it stands; nil if there is no such text.
  func text(of name: ObjectID) -> String? {
    guard case .text(let text, _, _)? = object(name)?.content else { return nil }
    return text.string
  }
}
