package import CodingLaws
package import CodingSupport
package import DocumentModel
package import ModelGeneration
import NaiveModel

// A document of the naive coder over `NaiveModel`: reads and edits of its core, history, coding,
// bindings, and at the end how trees and the model's values become each other. Every look observes
// the whole document: cost linear in its size.

typealias Specification = NaiveModel<AutomergeRules>

/// A document of the naive coder.
///
/// Unchecked: one thread uses a document at a time, as laws do.
///
/// A class, as bound texts and counters hold on to it; its state is one value, `model`.
package final class NaiveDocument: CodingDocument, @unchecked Sendable {
  var model: Specification
  let rules: NaiveCoderRules
  /// Branches so far, so that each writes by an actor of its own.
  private var branchCount: UInt8 = 0

  package init(actor: UInt8, rules: NaiveCoderRules) {
    model = Specification(actor: ActorID(repeating: actor))
    self.rules = rules
  }

  init(_ model: Specification, _ rules: NaiveCoderRules) {
    self.model = model
    self.rules = rules
  }

  // MARK: - Reading

  /// All that the document shows now.
  func root() throws -> ObservedObject { try model.observe(at: nil).root }

  package func tree() throws -> Tree { Tree(observed: try root()) }

  /// The tree of the values that were written first, wherever several stand in one place.
  ///
  /// For a mutant only: of a conflict it decodes the first value.
  func treeOfLosers() throws -> Tree { Tree(observed: try root(), winners: false) }

  package func values(at path: [PathKey]) throws -> [Tree] {
    guard let (holder, step) = try holder(of: path) else { return [try tree()] }
    return holder.register(step)?.values.map { Tree(observed: $0.content) } ?? []
  }

  /// The model's own id of the object; "_root" for the root, which has none.
  package func objectName(at path: [PathKey]) throws -> String? {
    guard let (holder, step) = try holder(of: path) else { return "_root" }
    guard case .object(let object)? = holder.register(step)?.values.last?.content else {
      return nil
    }
    return object.id?.description
  }

  package func takenBack(_ body: () throws -> Void) throws {
    let before = model
    defer { model = before }
    try body()
  }

  /// The object that holds the last step; `nil` for the root itself.
  private func holder(of path: [PathKey]) throws -> (ObservedObject, PathKey)? {
    guard let last = path.last else { return nil }
    var object = try root()
    for (index, step) in path.dropLast().enumerated() {
      // Along winners: what stands below the loser of a conflict has no path.
      guard case .object(let next)? = object.register(step)?.values.last?.content else {
        throw NaiveCodingError(.missing, CodingPath.of(path.prefix(index + 1)))
      }
      object = next
    }
    return (object, last)
  }

  // MARK: - Core edits

  /// The object and the place in it that a path names; of the place nothing need stand there.
  ///
  /// - Throws: `NaiveCodingError` for the root and for a path that leads nowhere.
  private func slot(at path: [PathKey]) throws -> (ObjectID, Slot) {
    guard let (holder, step) = try holder(of: path), let id = holder.id else {
      throw NaiveCodingError(.invalidPlace, CodingPath.of(path))
    }
    return (id, step.slot)
  }

  // An index that equals the length inserts: laws put a whole tree by one call.
  package func put(_ tree: Tree, at path: [PathKey]) throws {
    let (object, slot) = try slot(at: path)
    if case .index(let index) = slot, index == (model.shape(of: object)?.length ?? 0) {
      return try insert(tree, at: path)
    }
    try model.write(tree, object, slot, inserting: false)
  }

  package func insert(_ tree: Tree, at path: [PathKey]) throws {
    let (object, slot) = try slot(at: path)
    try model.write(tree, object, slot, inserting: true)
  }

  package func delete(at path: [PathKey]) throws {
    let (object, slot) = try slot(at: path)
    _ = try model.apply(.delete(object, slot))
  }

  package func increment(at path: [PathKey], by amount: Int64) throws {
    let (object, slot) = try slot(at: path)
    _ = try model.apply(.increment(object, slot, by: amount))
  }

  package func spliceText(
    at path: [PathKey],
    index: Int,
    deleting: Int,
    inserting: String
  ) throws {
    guard let (holder, step) = try holder(of: path),
      case .object(let text)? = holder.register(step)?.values.last?.content, let id = text.id
    else { throw NaiveCodingError(.missing, CodingPath.of(path)) }
    _ = try model.apply(
      .spliceText(id, index: index, deleting: deleting, inserting: ExactString(inserting))
    )
  }

  // MARK: - History

  package func heads() throws -> [String] { model.heads().ids }

  // On a copy: to ask for changes closes the open one.
  package func operationCount() throws -> Int {
    var copy = model
    return copy.changes(since: []).reduce(0) { $0 + $1.ops.count }
  }

  package func fork(actor: UInt8) throws -> any CodingDocument {
    NaiveDocument(model.fork(actor: ActorID(repeating: actor)), rules)
  }

  // Merging a document with itself does nothing.
  package func merge(_ other: any CodingDocument) throws {
    guard let other = other as? NaiveDocument, other !== self else { return }
    guard rules.mergesAll else {
      // The mutant, which leaves the newest of several changes for the next time.
      let known = Set(model.changes(since: []).map(\.id))
      let news = other.model.changes(since: []).filter { !known.contains($0.id) }
      return try model.apply(news.count > 1 ? news.dropLast() : news)
    }
    try model.merge(&other.model)
  }

  package func reloaded(actor: UInt8) throws -> any CodingDocument {
    let saved = model.save()
    return NaiveDocument(
      try Specification.load(saved, actor: ActorID(repeating: actor)),
      rules
    )
  }

  /// The last change of this document's own actor, if there are others after it.
  ///
  /// For the mutant `stale-value-is-merged` alone, which takes it for the state that a value was
  /// decoded at.
  private var lastOwnHead: String? {
    let all = model.changes(since: [])
    guard let last = all.last(where: { $0.id.actor == model.actor }),
      model.heads().ids != [last.id.description]
    else { return nil }
    return last.id.description
  }

  /// The document as it was at some heads, written on by an actor of its own.
  ///
  /// All changes that the heads depend on, in a fresh model. Its actor is this document's first 14
  /// bytes, 0xb0 and a number, so that no two branches and no law's actor write the same operation.
  private func branch(at heads: [String]) throws -> NaiveDocument {
    let all = model.changes(since: [])
    var wanted = Set(heads)
    for change in all.reversed() where wanted.contains(change.id.description) {
      // From the newest back: each change that is wanted wants those that it depends on.
      wanted.formUnion(change.dependencies.map(\.description))
    }
    branchCount &+= 1
    let bytes = Array(model.actor.bytes.prefix(14)) + [0xb0, branchCount]
    var past = Specification(actor: ActorID(bytes: bytes) ?? model.actor)
    try past.apply(all.filter { wanted.contains($0.id.description) })
    return NaiveDocument(past, rules)
  }

  // MARK: - Coding

  /// Records the value, writes it into a copy of the model, takes the copy over, and binds.
  ///
  /// Based on heads, all of that happens on a branch at these heads, which is then merged.
  ///
  /// - Throws: What recording or writing throws; the document is then as it was.
  package func encode<T: Encodable>(
    _ value: T,
    at path: [PathKey],
    _ settings: EncodingSettings
  ) throws {
    let path = try place(of: T.self, at: path, isWritten: true)
    if let heads = settings.basedOn, rules.heedsBasedOn {
      var rest = settings
      rest.basedOn = nil
      let past = try branch(at: heads)
      let bindings = try past.write(value, at: path, rest, home: self)
      try merge(past)
      return bindings.bind(to: self, namedIn: rules.bindsBranchesByElement ? past : self)
    }
    // The mutant, which guesses what the value is based on.
    if !rules.writesWholeValue, settings.basedOn == nil, let own = lastOwnHead {
      var rest = settings
      rest.basedOn = [own]
      return try encode(value, at: path, rest)
    }
    try write(value, at: path, settings, home: self).bind(to: self, namedIn: self)
  }

  // Records the value and writes it; what is returned is to be bound to `home`, the document whose
  // branch this is, or this one.
  private func write<T: Encodable>(
    _ value: T,
    at path: [PathKey],
    _ settings: EncodingSettings,
    home: NaiveDocument
  ) throws -> NaiveBindings {
    let recording = NaiveRecording(rules: rules, settings: settings)
    let recorded = try recording.record(value)
    var writer = NaiveWriter(document: self, rules: rules, settings: settings, home: home)
    writer.wholes = NaiveWholes(recording.noted, at: path)
    do {
      try writer.write(recorded, at: path)
    } catch {
      // The mutant `half-written`.
      if !rules.isAtomic { model = writer.model }
      throw error
    }
    model = writer.model
    return writer.bindings
  }

  package func decode<T: Decodable>(
    _ type: T.Type,
    at path: [PathKey],
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    let path = try place(of: type, at: path, isWritten: false)
    return try NaiveReading(document: self, userInfo: userInfo).decode(type, at: path)
  }

  /// Where a value stands that is encoded or decoded at a path.
  ///
  /// A text or counter alone is under `value` at the root, which is a map, and where another program put it so. A
  /// counter that is written over a map takes its place.
  private func place(
    of type: Any.Type,
    at path: [PathKey],
    isWritten: Bool
  ) throws -> [PathKey] {
    let (isText, isCounter) = (type is any ModelText.Type, type is any ModelCounter.Type)
    guard isText || isCounter, rules.findsReferencesUnderValue else { return path }
    let own = path + [.key("value")]
    if path.isEmpty { return own }
    switch try tree()[own] {
    case .text? where isText: return own
    case .counter? where isCounter && !isWritten: return own
    default: return path
    }
  }

  // MARK: - Binding

  /// The content of the winner at a path; `nil` if nothing stands there.
  private func content(at path: [PathKey]) -> ObservedValue.Content? {
    guard let (holder, step) = try? holder(of: path) else { return nil }
    return holder.register(step)?.values.last?.content
  }

  /// Binds a text to the text at a path, or to a new one where nothing stands and the place is
  /// named by its path.
  ///
  /// A value that is not empty replaces the content; an empty one leaves it.
  ///
  /// - Throws: `NaiveCodingError` for any other kind; where nothing stands, also for a binding by
  ///   object, and for a path that is empty or begins or ends with an index.
  package func boundText(
    _ value: String,
    at path: [PathKey],
    by name: PlaceName
  ) throws -> any ModelText {
    let text = NaiveText(value)
    switch content(at: path) {
    case .object(let object)?:
      guard let id = object.id, case .text = object.content else {
        throw NaiveCodingError(.mismatched, CodingPath.of(path))
      }
      if !value.isEmpty || !rules.bindsEmptyTextsAsTheyAre {
        try encode(NaiveText(value), at: path, EncodingSettings())
      }
      // After the encode, which binds the instance that it was given and not this one.
      text.bind(self, id)
    case nil:
      guard name == .path, case .key? = path.first, case .key? = path.last else {
        throw NaiveCodingError(.invalidPlace, CodingPath.of(path))
      }
      try encode(text, at: path, EncodingSettings())
    default: throw NaiveCodingError(.mismatched, CodingPath.of(path))
    }
    return text
  }

  /// Binds a counter to one that is there, and adds `value` to it.
  ///
  /// - Throws: `NaiveCodingError` where no counter stands: none is made.
  package func boundCounter(
    _ value: Int,
    at path: [PathKey],
    by name: PlaceName
  ) throws -> any ModelCounter {
    guard case .scalar(.counter)? = content(at: path) else {
      throw NaiveCodingError(.mismatched, CodingPath.of(path))
    }
    if value != 0, rules.bindingAddsCounts { try increment(at: path, by: Int64(value)) }
    let counter = NaiveCounter(0)
    let (object, slot) = try slot(at: path)
    counter.bind(self, CounterPlace(object, slot, below: try? root()))
    return counter
  }
}

extension PathKey {
  var slot: Slot {
    switch self {
    case .key(let key): .key(ExactString(key))
    case .index(let index): .index(index)
    }
  }
}

extension ObservedObject {
  /// The register one step below.
  ///
  /// Nil for a step of the other kind as well: a key of a list.
  func register(_ step: PathKey) -> ObservedRegister? {
    switch (content, step) {
    case (.map(let entries), .key(let key)):
      entries.first { $0.key == ExactString(key) }?.register
    case (.list(let registers), .index(let index)):
      registers.indices.contains(index) ? registers[index] : nil
    default: nil
    }
  }
}

extension Tree {
  /// The content of an object that a document shows; of conflicting values, the winners.
  package init(observed object: ObservedObject) {
    self.init(observed: object, winners: true)
  }

  init(observed object: ObservedObject, winners: Bool) {
    switch object.content {
    case .map(let entries):
      self = .map(of: entries.map { Entry($0.key.string, Tree(observed: $0.register, winners)) })
    case .list(let registers): self = .list(registers.map { Tree(observed: $0, winners) })
    case .text(let text, _, _): self = .text(text.string)
    }
  }

  /// One value of a register: the last is the winner, the first the one that was written first.
  init(observed register: ObservedRegister, _ winners: Bool = true) {
    let value = winners ? register.values.last : register.values.first
    self = value.map { Tree(observed: $0.content, winners) } ?? .null
  }

  init(observed content: ObservedValue.Content, _ winners: Bool = true) {
    switch content {
    case .object(let object): self = Tree(observed: object, winners: winners)
    // What an implementation found and could not read; the naive model itself hides nothing.
    case .hidden(let kind): self = .blank(Kind(rawValue: kind.rawValue) ?? .null)
    case .scalar(let scalar): self = Tree(scalar)
    }
  }

  init(_ scalar: Scalar) {
    switch scalar {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .int(let value): self = .int(value)
    case .uint(let value): self = .uint(value)
    case .float(let value): self = .float(value)
    case .string(let value): self = .string(value.string)
    case .bytes(let value): self = .bytes(value)
    case .counter(let value): self = .counter(value)
    case .timestamp(let value): self = .timestamp(value)
    case .unknown(let code, let bytes): self = .unknown(code, bytes)
    }
  }

  /// The scalar of a document; `nil` for what has parts, and for dates, which no document holds.
  package var scalar: Scalar? {
    switch self {
    case .null: .null
    case .boolean(let value): .boolean(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .float(let value): .float(value)
    case .string(let value): .string(ExactString(value))
    case .bytes(let value): .bytes(value)
    case .counter(let value): .counter(value)
    case .timestamp(let value): .timestamp(value)
    case .unknown(let code, let bytes): .unknown(typeCode: code, bytes: bytes)
    case .date, .text, .list, .map: nil
    }
  }
}

extension NaiveModel<AutomergeRules> {
  /// Writes a tree with all below it as new objects.
  ///
  /// Over what stands in the slot, or as a new element of a list.
  mutating func write(
    _ tree: Tree,
    _ object: ObjectID,
    _ slot: Slot,
    inserting: Bool
  ) throws {
    if let scalar = tree.scalar {
      if inserting, case .index(let index) = slot {
        _ = try apply(.insert(object, index: index, scalar))
      } else {
        _ = try apply(.put(object, slot, scalar))
      }
      return
    }
    let kind: ObjectKind =
      switch tree {
      case .text: .text
      case .list: .list
      default: .map
      }
    // The object first, then what it holds: an operation names the object that it is in.
    let made = try make(kind, object, slot, inserting: inserting)
    switch tree {
    case .text(let text):
      _ = try apply(.spliceText(made, index: 0, deleting: 0, inserting: ExactString(text)))
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        try write(element, made, .index(index), inserting: true)
      }
    case .map(let entries):
      for entry in entries {
        try write(entry.value, made, .key(ExactString(entry.key)), inserting: false)
      }
    default: break
    }
  }

  /// Makes an empty object in a slot, or as a new element before an index.
  ///
  /// - Returns: Its name.
  mutating func make(
    _ kind: ObjectKind,
    _ object: ObjectID,
    _ slot: Slot,
    inserting: Bool
  ) throws -> ObjectID {
    let effect: EditEffect
    if inserting, case .index(let index) = slot {
      effect = try apply(.insertObject(object, index: index, kind))
    } else {
      effect = try apply(.putObject(object, slot, kind))
    }
    guard let made = effect.made else { throw EditRefusal.noObject(object) }
    return made
  }
}
