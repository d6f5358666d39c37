public import AutomergeDocument
import CodingSupport
import MergeEngine
import Synchronization

/// A text that several people type into at once.
///
/// Unbound it is a string of its own. Bound to a text of a document, it reads and writes that:
/// what is set is compared with what is there, and only the characters that differ are typed and
/// deleted. Decoding gives a bound instance, encoding binds an unbound one.
///
/// A bound text whose object the document does not have any more keeps the last value that was
/// read or set; it never traps. ``isAttached`` tells whether the object is still part of the
/// document.
///
///     let body = AutomergeText("hi")     unbound
///     try encoder.encode(Note(body))     a text "hi" is made, and `body` bound to it
///     body.value = "hi!"                 one character is typed, and no text replaced
///
/// A mutex guards what the instance is bound to; it is never held while the document is called.
public final class AutomergeText: Sendable {
  struct Binding: Sendable {
    let document: Document
    let object: ObjId
  }

  private struct State {
    var binding: Binding?
    /// The text of an unbound instance; the last known one of a bound instance.
    var text: String
  }

  private let state: Mutex<State>

  /// A text that is bound to no document.
  public init(_ initialValue: String = "") {
    state = Mutex(State(binding: nil, text: initialValue))
  }

  /// A text bound to the one at a path, which is made if nothing is there.
  ///
  /// - Throws: as ``bind(doc:path:)-(_,String)``.
  public convenience init(_ initialValue: String = "", doc: Document, path: String) throws {
    self.init(initialValue)
    try bind(doc: doc, path: path)
  }

  /// A text bound to one that a document has.
  ///
  /// - Throws: ``BindingError/NotText``.
  public convenience init(doc: Document, objId: ObjId) throws {
    self.init()
    try bind(doc: doc, id: objId)
  }

  // MARK: - Binding

  var binding: Binding? { state.withLock { $0.binding } }

  /// The text's object, if it is bound to that document.
  func object(in document: Document) -> ObjectID? {
    guard let binding, binding.document === document else { return nil }
    return binding.object.engineID
  }

  /// An instance that was bound is bound again; its last known text stays until it is read.
  func attach(to document: Document, _ object: ObjId) {
    state.withLock {
      $0.binding = Binding(document: document, object: object)
    }
    #if canImport(Combine)
    relay.follow(document, object) { [weak self] in self?.value.hashValue }
    #endif
  }

  /// The object that the text is bound to; `nil` if it is unbound.
  ///
  /// `doc.events(of:)` has its changes, on every platform.
  public var objId: ObjId? { binding?.object }

  /// Whether reads and writes go to a document.
  public var isBound: Bool { binding != nil }

  /// Whether the text is bound to an object that the document still shows.
  ///
  /// False after the text was deleted, or another replica put something else in its place; its
  /// value can still be read then.
  public var isAttached: Bool {
    guard let binding else { return false }
    return binding.document.reading { $0.isAttached(binding.object.engineID) }
  }

  /// Binds to the text at a path such as `.notes.[3].body`.
  ///
  /// A text that is there is kept: it reads what this one holds, unless that is empty. One is made
  /// where nothing is, together with the maps and lists on the way.
  ///
  ///     stands there      this one holds "hi"      this one is empty
  ///     a text "ho"       "hi"                     "ho"
  ///     nothing           a text "hi" is made      an empty text is made
  ///     anything else     NotText                  NotText
  ///
  /// - Throws: ``BindingError`` for a path that ends in no value, or in one that is no text;
  ///   `PathParseError`; `CodingKeyLookupError` for a path that leads through a scalar or past the
  ///   end of a list. The document is then as it was.
  public func bind(doc: Document, path: String) throws {
    try bind(doc: doc, path: try AnyCodingKey.parsePath(path))
  }

  /// Binds to the text at a path of keys.
  ///
  /// - Throws: as ``bind(doc:path:)``.
  public func bind(doc: Document, path: [any CodingKey]) throws {
    let steps = path.map { PathKey($0) }
    guard case .key? = steps.first else { throw BindingError.InvalidPath(steps.dotted) }
    let text = value
    let object = try doc.transaction { engine throws -> ObjectID in
      let locator = Locator(engine: engine, strategy: .createWhenNeeded)
      let spot = try locator.locate(steps)
      let object: ObjectID
      switch spot.current {
      case .object(let known, .text)?: object = known
      case nil:
        if case .insertion(_, let index) = spot.place {
          throw DocError(kind: .indexOutOfBounds(index: index, length: index))
        }
        object = try engine.make(.text, at: spot.place)
      default: throw BindingError.NotText
      }
      if !text.isEmpty { try engine.updateText(object, text) }
      return object
    }
    attach(to: doc, ObjId(object, .text))
  }

  /// Binds to a text that a document has.
  ///
  /// What an unbound instance holds replaces the document's text, unless it is empty.
  ///
  /// - Throws: ``BindingError/NotText``.
  public func bind(doc: Document, id: ObjId) throws {
    let unbound = state.withLock { $0.binding == nil ? $0.text : "" }
    try doc.transaction { engine in
      guard (try? engine.kind(of: id.engineID)) == .text else { throw BindingError.NotText }
      if !unbound.isEmpty { try engine.updateText(id.engineID, unbound) }
    }
    attach(to: doc, id)
  }

  // MARK: - Value

  /// The text.
  public var value: String {
    get {
      let (binding, known) = state.withLock { ($0.binding, $0.text) }
      guard let binding, let text = try? binding.document.text(obj: binding.object) else {
        return known
      }
      // Kept for when the object is gone, unless the caller set or bound the instance meanwhile.
      state.withLock { if $0.text == known { $0.text = text } }
      return text
    }
    set {
      let binding = state.withLock {
        $0.text = newValue
        return $0.binding
      }
      guard let binding else { return changedUnbound() }
      try? binding.document.updateText(obj: binding.object, value: newValue)
    }
  }

  #if canImport(Combine)
  /// Tells views that the value changed.
  let relay = ChangeRelay()
  #endif

  /// Publishes a change that no document publishes.
  private func changedUnbound() {
    #if canImport(Combine)
    relay.send()
    #endif
  }
}

extension AutomergeText: Codable {
  /// The key under which other coders find the text.
  public enum CodingKeys: String, CodingKey {
    case value
  }

  /// Reads `{"value": "..."}`, the form that other coders have; the result is unbound.
  ///
  /// Of a document it reads a text and is bound, even if a wrapper passed the decoder on.
  public convenience init(from decoder: any Decoder) throws {
    if let reader = decoder as? DocumentReader, let object = try reader.text() {
      self.init()
      attach(to: reader.session.document, ObjId(object, .text))
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(String.self, forKey: .value))
  }

  /// Writes `{"value": "..."}` for other coders, and into a document a text.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? StagingEncoder { return try encoder.pass(self) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
  }
}

extension AutomergeText: Hashable {
  /// The same object of the same document, if both are bound, and always equal values.
  ///
  /// Two that are bound to an object that the document has no more hold what was last set in each.
  public static func == (left: AutomergeText, right: AutomergeText) -> Bool {
    if left === right { return true }
    if let first = left.binding, let second = right.binding {
      guard first.document === second.document, first.object == second.object else {
        return false
      }
    }
    return left.value == right.value
  }

  /// Hashes the value, so that binding an instance does not change its hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension AutomergeText: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { value }

  /// `AutomergeText(.path): value`, or `AutomergeText(unbound): value`.
  public var debugDescription: String {
    let place =
      binding.map { binding in
        (try? binding.document.path(obj: binding.object).stringPath()) ?? "gone"
      } ?? "unbound"
    return "AutomergeText(\(place)): \(value)"
  }
}
