public import AutomergeDocument
import CodingSupport
import MergeEngine
import Synchronization

/// Where a counter stands: in which map or list, and there under which key, or as which element.
///
/// An element is named by its insertion, so that a counter of a list stays itself when elements
/// before it come and go.
struct CounterPlace: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case key(String)
    case element(OpID)
    /// An element whose id was not looked up: no counter stands there.
    case unnamed

    /// Keys are compared by their bytes: two spellings of one letter are two keys of a document.
    static func == (left: Step, right: Step) -> Bool {
      switch (left, right) {
      case (.key(let key), .key(let other)): ExactKey(key) == ExactKey(other)
      case (.element(let element), .element(let other)): element == other
      case (.unnamed, .unnamed): true
      default: false
      }
    }
  }

  let holder: ObjectID
  let step: Step
}

/// A number that several people add to at once: what each adds counts.
///
/// Unbound it is a number of its own. Bound to a counter of a document, it reads that, and setting
/// it adds the difference. Decoding gives a bound instance, encoding binds an unbound one.
///
/// If the document has no counter at the place any more, the last known value is read, and what is
/// added is dropped; nothing traps. Sums beyond 64 bits wrap.
///
///     let views = Counter(3)                     unbound: 3
///     try views.bind(doc: doc, path: ".views")   the document's 10 becomes 13
///     views.value = 15                           adds 2: a replica that adds 4 at once makes 19
///
/// A mutex guards what the instance is bound to; it is never held while the document is called.
public final class Counter: Sendable {
  struct Binding: Sendable {
    let document: Document
    let place: CounterPlace
  }

  private struct State {
    var binding: Binding?
    /// The number of an unbound instance; the last known one of a bound instance.
    var count: Int
  }

  private let state: Mutex<State>

  /// A counter that is bound to no document.
  public init(_ initialValue: Int = 0) {
    state = Mutex(State(binding: nil, count: initialValue))
  }

  /// A counter bound to the one at a path, to which the initial value is added.
  ///
  /// - Throws: as ``bind(doc:path:)-(Document,String)``.
  public convenience init(_ initialValue: Int = 0, doc: Document, path: String) throws {
    self.init(initialValue)
    try bind(doc: doc, path: path)
  }

  /// A counter bound to the one in a map or list of a document.
  ///
  /// The key is an index in a list.
  ///
  /// - Throws: ``BindingError/NotCounter``.
  public convenience init(doc: Document, objId: ObjId, key: any CodingKey) throws {
    self.init()
    let (place, count) = try doc.reading { engine throws -> (CounterPlace, Int64?) in
      guard let kind = try? engine.kind(of: objId.engineID) else { throw BindingError.NotCounter }
      let prop: MergeEngine.Prop =
        kind.isSequence ? .index(key.intValue ?? -1) : .key(key.stringValue)
      let place = try engine.counterPlace(objId.engineID, prop)
      return (place, engine.count(at: place))
    }
    attach(to: doc, place, count: count)
  }

  // MARK: - Binding

  var binding: Binding? { state.withLock { $0.binding } }

  /// Where the counter stands, if it is bound to that document.
  func place(in document: Document) -> CounterPlace? {
    guard let binding, binding.document === document else { return nil }
    return binding.place
  }

  /// `count`: What stands there, which is known from then on; `nil` leaves the last known number until the next
  /// read.
  func attach(to document: Document, _ place: CounterPlace, count: Int64? = nil) {
    state.withLock {
      $0.binding = Binding(document: document, place: place)
      if let count { $0.count = Int(truncatingIfNeeded: count) }
    }
    #if canImport(Combine)
    relay.follow(document, ObjId(place.holder, .map)) { [weak self] in self?.value }
    #endif
  }

  /// The map or list that holds the counter; `nil` if it is unbound.
  ///
  /// `doc.events(of:)` has its changes, on every platform.
  public var objId: ObjId? {
    binding.map { binding in
      let kind = binding.document.reading { try? $0.kind(of: binding.place.holder) }
      return ObjId(binding.place.holder, kind ?? .map)
    }
  }

  /// Whether reads and writes go to a document.
  public var isBound: Bool { binding != nil }

  /// Whether the document still has a counter where this one is bound.
  public var isAttached: Bool {
    guard let binding else { return false }
    return binding.document.reading { engine in
      engine.count(at: binding.place) != nil && engine.isAttached(binding.place.holder)
    }
  }

  /// Binds to the counter at a path such as `.stats.views`.
  ///
  /// What an unbound instance holds is added to it.
  ///
  /// - Throws: ``BindingError/NotCounter`` if none is there; `PathParseError`;
  ///   `CodingKeyLookupError` for a path that leads nowhere. The document is then as it was.
  public func bind(doc: Document, path: String) throws {
    try bind(doc: doc, path: try AnyCodingKey.parsePath(path))
  }

  /// Binds to the counter at a path of keys, such as `[AnyCodingKey("views")]`.
  ///
  /// - Throws: as the form that takes a string.
  public func bind(doc: Document, path: [any CodingKey]) throws {
    let steps = path.map { PathKey($0) }
    let unbound = state.withLock { $0.binding == nil ? $0.count : 0 }
    let (place, count) = try doc.transaction { engine throws -> (CounterPlace, Int64?) in
      let spot = try Locator(engine: engine, strategy: .readonly).locate(steps)
      guard case .scalar(.counter)? = spot.current else { throw BindingError.NotCounter }
      let prop = spot.place.prop
      let place = try engine.counterPlace(spot.place.holder, prop)
      if unbound != 0 { try engine.increment(spot.place.holder, prop, by: Int64(unbound)) }
      return (place, engine.count(at: place))
    }
    attach(to: doc, place, count: count)
  }

  // MARK: - Value

  /// The number.
  ///
  /// Setting it reads, and adds the difference. So of two threads that set it at once both differences count, as
  /// they do of two replicas: from 0, a 5 and a 7 may make 12.
  public var value: Int {
    get {
      let (binding, known) = state.withLock { ($0.binding, $0.count) }
      guard let binding else { return known }
      let count = binding.document.reading { $0.count(at: binding.place) }
      guard let count = count.map({ Int(truncatingIfNeeded: $0) }) else { return known }
      state.withLock { $0.count = count }
      return count
    }
    set { increment(by: newValue &- value) }
  }

  /// Adds to the number.
  public func increment(by amount: Int) {
    let binding = state.withLock {
      if $0.binding == nil { $0.count &+= amount }
      return $0.binding
    }
    if let binding, amount != 0 {
      try? binding.document.transaction { engine in
        guard engine.count(at: binding.place) != nil, let prop = engine.prop(of: binding.place)
        else { return }
        try engine.increment(binding.place.holder, prop, by: Int64(amount))
      }
    }
    if binding == nil { changedUnbound() }
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

extension MergeDocument {
  /// The place of a counter that is there.
  func counterPlace(
    _ holder: ObjectID,
    _ prop: MergeEngine.Prop
  ) throws -> CounterPlace {
    guard let entry = try? get(holder, prop), case .scalar(.counter) = entry.value else {
      throw BindingError.NotCounter
    }
    switch prop {
    case .key(let key): return CounterPlace(holder: holder, step: .key(key))
    case .index(let index):
      guard let element = try elementID(holder, at: index) else { throw BindingError.NotCounter }
      return CounterPlace(holder: holder, step: .element(element))
    }
  }
}

extension Counter: Codable {
  /// The key under which other coders find the number.
  public enum CodingKeys: String, CodingKey {
    case value
  }

  /// Reads `{"value": n}`, the form that other coders have; the result is unbound.
  ///
  /// Of a document it reads a counter and is bound where that stands, even if a wrapper passed the decoder on.
  public convenience init(from decoder: any Decoder) throws {
    if let reader = decoder as? DocumentReader, let (count, place) = try reader.counter() {
      self.init(Int(truncatingIfNeeded: count))
      if let place { attach(to: reader.session.document, place, count: count) }
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(Int.self, forKey: .value))
  }

  /// Writes `{"value": n}` for other coders, and into a document a counter.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? StagingEncoder { return try encoder.pass(self) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
  }
}

extension Counter: Hashable {
  /// The same place of the same document, if both are bound, and always equal values.
  ///
  /// Two that are bound to one place keep what each counted last once no counter stands there.
  public static func == (left: Counter, right: Counter) -> Bool {
    if left === right { return true }
    if let first = left.binding, let second = right.binding {
      guard first.document === second.document, first.place == second.place else { return false }
    }
    return left.value == right.value
  }

  /// Hashes the value, so that binding an instance does not change its hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Counter: CustomStringConvertible {
  /// The number in decimal.
  public var description: String { "\(value)" }
}
