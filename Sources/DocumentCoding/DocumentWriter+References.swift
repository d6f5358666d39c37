import AutomergeDocument
import CodingSupport
import MergeEngine

/// Texts and counters: what is bound to the place is written through already.
extension DocumentWriter {
  /// A bound text stands there already.
  ///
  /// Another one gives its content, letter by letter where it differs, and is bound when all is
  /// written.
  mutating func write(
    _ text: AutomergeText,
    over current: MergeEngine.Value,
    at place: Place,
    _ path: () -> CodingPath
  ) throws {
    guard case .object(let object, .text) = current else {
      guard try strategy == .override || isFormOfOthers(current) else {
        throw mismatch(path(), wanted: "a text", found: current.word)
      }
      return try create(.text(text), at: place, path)
    }
    if text.object(in: home) == object { return }
    let content = held.content(of: text, in: home)
    held.keep(object, of: engine)
    try engine.updateText(object, content)
    bindings.append(.text(text, object))
  }

  /// Whether a text stands there as other coders write it, which is how a wrapper that called `encode(to:)` of a
  /// text stored it once.
  private func isFormOfOthers(_ current: MergeEngine.Value) throws -> Bool {
    guard strategy != .readonly, case .object(let object, .map) = current,
      try engine.length(object) == 1
    else { return false }
    if case .scalar(.string)? = try engine.value(object, key: AutomergeEncoder.referenceKey) {
      return true
    }
    return false
  }

  /// A bound counter stands there already; another one gives the difference, as an increment.
  ///
  ///     document 10, a peer adds 5 meanwhile, the model's counter has 13
  ///     increment by 3     merged: 18, both additions count
  ///     a put of 13        the peer's 5 would be lost
  mutating func write(
    _ counter: Counter,
    over current: MergeEngine.Value,
    at place: Place,
    _ path: () -> CodingPath
  ) throws {
    guard case .scalar(.counter(let known)) = current else {
      try check(counter, against: current, path)
      if case .object(_, let kind) = current, strategy == .readonly {
        throw mismatch(path(), wanted: "a counter", found: kind.word)
      }
      try set(.counter(held.count(of: counter, in: home)), at: place)
      return note(counter, at: place)
    }
    if let bound = counter.place(in: home), try isSame(bound, place) { return }
    // The counter on the model's side was changed without the document, or belongs to another one:
    // the document gets the difference as an increment, so that increments of others are kept.
    // A sum beyond 64 bits wraps, here as in the document, so that the total comes out exactly.
    let amount = held.count(of: counter, in: home) &- known
    if amount != 0 {
      switch place {
      case .key(let holder, let key): try engine.increment(holder, .key(key), by: amount)
      case .element(let holder, let index), .insertion(let holder, let index):
        try engine.increment(holder, .index(index), by: amount)
      }
    }
    note(counter, at: place)
  }

  /// Elements are compared by id: an index may have changed since the counter was bound.
  private func isSame(_ bound: CounterPlace, _ place: Place) throws -> Bool {
    guard bound.holder == place.holder else { return false }
    switch (place, bound.step) {
    case (.key(_, let key), .key(let other)): return ExactKey(key) == ExactKey(other)
    case (.element(let holder, let index), .element(let element)):
      return try engine.elementID(holder, at: index) == element
    default: return false
    }
  }

  /// Notes that a string stands where a text does, if an instance of the model is bound to that.
  mutating func noteString(over current: MergeEngine.Value) {
    guard case .object(let object, .text) = current, held.hasInstance(of: object) else { return }
    bindings.append(.string(object))
  }

  /// Notes that a counter stands at a place, as it will be when all is written.
  mutating func note(_ counter: Counter, at place: Place) {
    switch place {
    case .key(let holder, let key):
      bindings.append(.counter(counter, CounterPlace(holder: holder, step: .key(key))))
    case .element(let holder, let index), .insertion(let holder, let index):
      bindings.append(.elementCounter(counter, holder, index))
    }
  }

  /// Names what is to be bound to: elements by their ids instead of their indexes.
  ///
  /// Asked behind the last write, as indexes are final only then, and before a branch is merged:
  /// what others inserted has shifted them after that.
  func bindingPlaces() throws -> BindingPlaces {
    var places = BindingPlaces()
    for binding in bindings {
      switch binding {
      case .text(let text, let object): places.texts.append((text, object))
      case .string(let object): places.strings.insert(object)
      case .counter(let counter, let place): places.counters.append((counter, place))
      case .elementCounter(let counter, let holder, let index):
        guard let element = try engine.elementID(holder, at: index) else { continue }
        places.counters.append((counter, CounterPlace(holder: holder, step: .element(element))))
      }
    }
    return places
  }
}

extension BindingPlaces {
  /// Binds what was unbound, and what lost its place in the document, to where it stands now.
  ///
  /// An instance that is bound to another place which still is there stays so: it is never bound
  /// to a second one. But if another instance was written to that place, or a string, it has changed places.
  ///
  ///     instance         was bound to                          is bound to
  ///     new              nothing                               its place
  ///     moved            a place that is gone                  its new place
  ///     one of two       each to the other's place: swapped    the place where each was written
  ///     shared           a place that still is there           that place; at the other is a copy
  ///     another's        a place of another document           that
  ///
  /// Called once, behind the last write: only then is it known that nothing was refused. Until here
  /// no binding of the caller's instances was changed.
  func bind(to home: Document, _ engine: MergeDocument) {
    let takenTexts = strings.union(texts.map(\.1))
    // One that stands at two places is bound to the first.
    var isBound: Set<ObjectIdentifier> = []
    for (text, object) in texts where !isBound.contains(ObjectIdentifier(text)) {
      if let bound = text.binding {
        let known = bound.object.engineID
        guard bound.document === home, takenTexts.contains(known) || !engine.isAttached(known)
        else { continue }
      }
      text.attach(to: home, ObjId(object, .text))
      isBound.insert(ObjectIdentifier(text))
    }
    let takenPlaces = Set(counters.map(\.1))
    for (counter, place) in counters where !isBound.contains(ObjectIdentifier(counter)) {
      if let bound = counter.binding {
        // One that still has its place, in this document or another, is left alone.
        guard bound.document === home,
          takenPlaces.contains(bound.place) || engine.count(at: bound.place) == nil
            || !engine.isAttached(bound.place.holder)
        else { continue }
      }
      counter.attach(to: home, place)
      isBound.insert(ObjectIdentifier(counter))
    }
  }
}

extension MergeDocument {
  /// Whether the object can be reached from the root by what is visible.
  ///
  /// Cost: the depth, and for elements of lists the height of their trees.
  ///
  /// An object that was deleted or replaced still exists, since other replicas may bring it back;
  /// nothing that is bound to it shows in the document.
  ///
  ///     root --"notes"--> list --2--> map      each step must show the very object behind it; a winner that
  ///                                            has put another there ends the way
  func isAttached(_ object: ObjectID) -> Bool {
    guard let steps = try? path(of: object) else { return false }
    let children = steps.dropFirst().map(\.object) + [object]
    return zip(steps, children).allSatisfy { step, child in
      guard let entry = try? get(step.object, step.prop), case .object(let id, _) = entry.value
      else { return false }
      return id == child
    }
  }

  /// Where in its map or list a counter stands now.
  func prop(of place: CounterPlace) -> MergeEngine.Prop? {
    switch place.step {
    case .key(let key): return .key(key)
    case .element(let element):
      return (try? index(place.holder, ofElement: element)).map { .index($0) }
    case .unnamed: return nil
    }
  }

  /// What the counter at a place counts; `nil` if none is there.
  func count(at place: CounterPlace) -> Int64? {
    guard let prop = prop(of: place), let entry = try? get(place.holder, prop),
      case .scalar(.counter(let count)) = entry.value
    else { return nil }
    return count
  }
}
