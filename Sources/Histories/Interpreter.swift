package import DocumentModel

/// Runs instructions on documents of one type.
package struct Interpreter<R: Replica> {
  private enum Payload {
    case document(R.Saved)
    case changes([R.Change])
    case replica(R)
  }

  private struct Link: Hashable {
    let from: Int
    let to: Int
  }

  private var documents: [Int: R] = [:]
  private var objects: [ObjectName: ObjectID] = [.root: .root]
  private var messages: [Int: Payload] = [:]
  private var slots: [Int: R.Saved] = [:]
  private var marks: [Int: ObservedHeads] = [:]
  private var sentHeads: [Link: [String]] = [:]

  package init() {}

  /// Runs a whole program from nothing.
  package static func run(_ program: Program) -> Transcript {
    var interpreter = Interpreter()
    return Transcript(outcomes: program.instructions.map { interpreter.perform($0) })
  }

  /// Carries out one instruction; whatever goes wrong is its outcome.
  package mutating func perform(_ instruction: Instruction) -> Outcome {
    do {
      return try attempt(instruction)
    } catch let refusal as EditRefusal {
      return .refused("\(refusal)")
    } catch {
      return .failed("\(error)")
    }
  }

  private mutating func attempt(_ instruction: Instruction) throws -> Outcome {
    switch instruction {
    case .create(let document, let actor):
      documents[document] = R(actor: actor)
    case .base(let document, let base):
      try make(base, document)
    case .open(let document, let bytes, let actor):
      guard let saved = R.saved(from: bytes) else { throw Missing.bytes }
      documents[document] = try R.load(saved, actor: actor)
    case .fork(let document, let from, let actor):
      documents[document] = try change(from) { try $0.fork(actor: actor) }
    case .edit(let document, let edit, let made):
      return .edited(try carryOut(edit, on: document, makes: made))
    case .commit(let document):
      try change(document) { $0.commit() }
    case .merge(let document, let from):
      var other = try self.document(from)
      try change(document) { try $0.merge(&other) }
      if document != from { documents[from] = other }
    case .send(let message, let from, let to, let transport, let scope):
      return .sent(parts: try send(message, from: from, to: to, transport, scope))
    case .deliver(let message, let document, let part):
      try deliver(message, to: document, part: part)
    case .deliverReversed(let message, let document):
      guard case .changes(let changes) = messages[message] else { throw Missing.message(message) }
      for one in changes.reversed() { try change(document) { try $0.apply([one]) } }
    case .save(let document, let slot):
      let saved = try change(document) { try $0.save() }
      slots[slot] = saved
      return .saved(R.bytes(of: saved))
    case .load(let document, let slot, let actor):
      guard let saved = slots[slot] else { throw Missing.slot(slot) }
      documents[document] = try R.load(saved, actor: actor)
    case .observe(let document):
      return .observed(try observe(document))
    case .remember(let document, let mark):
      marks[mark] = try change(document) { $0.heads() }
      return .observed(try observe(document))
    case .recall(let document, let mark):
      guard let heads = marks[mark] else { throw Missing.mark(mark) }
      return .observed(try self.document(document).observe(at: heads))
    }
    return .done
  }

  // MARK: - Documents

  /// What a program named that is not there: an earlier instruction failed.
  private enum Missing: Error, CustomStringConvertible {
    case document(Int)
    case object(ObjectName)
    case message(Int)
    case part(Int, of: Int)
    case slot(Int)
    case mark(Int)
    case bytes

    var description: String {
      switch self {
      case .document(let number): "there is no document \(number)"
      case .object(let name): "object \(name.number) was never made"
      case .message(let number): "message \(number) was never sent"
      case .part(let part, let count): "the message has no part \(part), only \(count)"
      case .slot(let number): "nothing was saved in slot \(number)"
      case .mark(let number): "no heads were kept under \(number)"
      case .bytes: "bytes are not a stored form here"
      }
    }
  }

  private func document(_ number: Int) throws -> R {
    guard let document = documents[number] else { throw Missing.document(number) }
    return document
  }

  /// Changes a document in place: it leaves the table meanwhile, so that nothing is copied.
  private mutating func change<Result>(
    _ number: Int,
    _ body: (inout R) throws -> Result
  ) throws -> Result {
    guard var document = documents.removeValue(forKey: number) else {
      throw Missing.document(number)
    }
    defer { documents[number] = document }
    return try body(&document)
  }

  /// The document in a form for the normaliser to look at.
  func peek(_ number: Int) -> R? { documents[number] }

  func objectID(_ name: ObjectName) -> ObjectID? { objects[name] }

  // MARK: - Instructions

  private mutating func make(_ base: Base, _ document: Int) throws {
    documents[document] = R(actor: base.actor)
    var made = 0
    for edit in base.edits {
      if edit.madeKind != nil { made += 1 }
      let name = edit.madeKind == nil ? nil : ObjectName(made)
      _ = try carryOut(edit, on: document, makes: name)
    }
    try change(document) { $0.commit() }
  }

  private mutating func carryOut(
    _ edit: Edit<ObjectName>,
    on document: Int,
    makes name: ObjectName?
  ) throws -> EditEffect {
    let objects = objects
    let edit = try edit.mapObject { name in
      guard let id = objects[name] else { throw Missing.object(name) }
      return id
    }
    let effect = try change(document) { try $0.apply(edit) }
    if let name, let made = effect.made { self.objects[name] = made }
    return effect
  }

  private mutating func send(
    _ message: Int,
    from: Int,
    to: Int,
    _ transport: Transport,
    _ scope: Instruction.Scope
  ) throws -> Int {
    switch transport {
    case .merge:
      messages[message] = .replica(try change(from) { try $0.fork(actor: Self.courier) })
      return 1
    case .document:
      messages[message] = .document(try change(from) { try $0.save() })
      return 1
    case .changes:
      let link = Link(from: from, to: to)
      let known =
        switch scope {
        case .unsent: sentHeads[link] ?? []
        case .missing: try change(to) { $0.heads().ids }
        }
      let changes = try change(from) { try $0.parts(since: known) }
      sentHeads[link] = try change(from) { $0.heads().ids }
      messages[message] = .changes(changes)
      return changes.count
    }
  }

  private mutating func deliver(_ message: Int, to document: Int, part: Int?) throws {
    guard let payload = messages[message] else { throw Missing.message(message) }
    switch payload {
    case .replica(var other):
      try change(document) { try $0.merge(&other) }
    case .document(let saved):
      var other = try R.load(saved, actor: Self.courier)
      try change(document) { try $0.merge(&other) }
    case .changes(let changes):
      guard let part else {
        for one in changes { try change(document) { try $0.apply([one]) } }
        return
      }
      guard changes.indices.contains(part) else {
        throw Missing.part(part, of: changes.count)
      }
      try change(document) { try $0.apply([changes[part]]) }
    }
  }

  /// The writer of documents that only carry a state and never write.
  private static var courier: ActorID { ActorID(repeating: 0xee) }

  private mutating func observe(_ document: Int) throws -> Observation {
    var observation = try self.document(document).observe(at: nil)
    observation.heads = try change(document) { $0.heads() }
    return observation
  }
}
