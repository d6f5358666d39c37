// The interpreter of programs. `Interpreter<R>` is the entrance and knows the type of the replicas;
// `Machine` does the work through handles (`DocumentHandle.swift`), with tables of what
// instructions number:
//
//     documents   replicas from 0, copies of a sync from 900, scratch documents of laws from 1,001
//     objects     from 0, the root; one name for all replicas, since ids are the same everywhere
//     messages    odd for steps of their own, even for whole exchanges; of laws from 2^20
//     slots       of replicas below 2^20, of laws above
//     marks       heads that were remembered
//     cursors     from 1
//
// An instruction is carried out by `attempt`. What that throws becomes its outcome: an `EditRefusal`
// is `refused`, anything else `failed`.

package import DocumentModel

/// Runs instructions on documents of one type.
package struct Interpreter<R: Replica> {
  private var machine: Machine

  package init() {
    machine = Machine(ReplicaMaker<R>())
  }

  /// Runs a whole program from nothing.
  ///
  /// `sharesStates` is an argument so that tests can compare both ways.
  package static func run(
    _ program: Program,
    sharesStates: Bool = R.sharesStates
  ) -> Transcript {
    Machine.run(program, on: ReplicaMaker<R>(), sharesStates: sharesStates)
  }

  /// The replicas at the end of a valid history, before it heals.
  ///
  /// The history must be valid: nothing is mapped, and what fails is passed over.
  package static func replicas(after history: History) -> [R] {
    var interpreter = Interpreter()
    for instruction in history.opening { _ = interpreter.perform(instruction) }
    var lowering = Lowering(history: history)
    for step in history.steps {
      for instruction in lowering.lower(step) { _ = interpreter.perform(instruction) }
    }
    return (0..<history.finalReplicaCount).compactMap { interpreter.replica($0) }
  }

  /// Carries out one instruction; whatever goes wrong is its outcome.
  package mutating func perform(_ instruction: Instruction) -> Outcome {
    machine.perform(instruction)
  }

  /// The document in a form for the normaliser to look at.
  func peek(_ number: Int) -> (any DocumentHandle)? { machine.peek(number) }

  /// The replica of a document.
  func replica(_ number: Int) -> R? { (peek(number) as? ReplicaHandle<R>)?.replica }

  func objectID(_ name: ObjectName) -> ObjectID? { machine.objectID(name) }
}

/// What runs instructions, whatever the type of the documents: it would look up types at every
/// instruction if it knew theirs.
///
/// A state is looked at once: what a document showed is shown again until the next call on it, where
/// its type allows that (``Replica/keepsObservations``). An interpreter has one owner: a copy of it
/// would share its documents.
private struct Machine {
  private let maker: any DocumentMaker
  private var documents = NumberTable<Entry>()
  private var objects: [ObjectName: ObjectID] = [.root: .root]
  private var messages = NumberTable<Payload>()
  private var slots = NumberTable<any SavedHandle>()
  /// The heads of each slot's document when it was saved there.
  private var slotHeads = NumberTable<ObservedHeads>()
  private var marks = NumberTable<ObservedHeads>()
  private var cursors = NumberTable<(object: ObjectID, cursor: ObservedCursor)>()
  /// The sender's heads when it last sent changes on a link, arrived or not: `unsent` means since
  /// then.
  ///
  /// So a message that was lost is not sent again before healing, which asks for what is missing.
  private var sentHeads: [Link: [String]] = [:]
  /// Whether documents on which the same calls were made are one (``RepeatedCalls``).
  private var sharesStates = false
  /// What instructions made that others repeat, by their positions.
  private var kept = NumberTable<InstructionResult>()

  init(_ maker: any DocumentMaker) {
    self.maker = maker
  }

  /// With shared states, an instruction that repeats an earlier one takes what that made, and its
  /// outcome.
  static func run(
    _ program: Program,
    on maker: any DocumentMaker,
    sharesStates: Bool
  ) -> Transcript {
    var interpreter = Machine(maker)
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(program.instructions.count)
    interpreter.sharesStates = sharesStates
    guard sharesStates else {
      for instruction in program.instructions { outcomes.append(interpreter.perform(instruction)) }
      return Transcript(outcomes: outcomes)
    }
    let repeated = RepeatedCalls(program)
    for (index, instruction) in program.instructions.enumerated() {
      if let known = interpreter.kept[repeated.origins[index]] {
        interpreter.take(known, instruction)
        outcomes.append(outcomes[repeated.origins[index]])
        continue
      }
      outcomes.append(interpreter.perform(instruction))
      if repeated.isRepeated[index] {
        interpreter.keep(instruction, as: index, outcomes[index])
      }
    }
    return Transcript(outcomes: outcomes)
  }

  // MARK: - States that several documents share

  /// Keeps what an instruction made, unless it failed: a later one that repeats it then fails itself.
  ///
  /// Kept states are marked as shared: a call that changes such a document gets a twin first
  /// (`change(_:)`).
  private mutating func keep(_ instruction: Instruction, as index: Int, _ outcome: Outcome) {
    if case .failed = outcome { return }
    switch instruction {
    case .create(let document, _), .fork(let document, _, _), .merge(let document, _),
      .load(let document, _, _):
      guard let entry = documents[document] else { return }
      entry.isShared = true
      kept[index] = .document(entry)
    case .sync(let document, let other, _):
      guard let left = documents[document], let right = documents[other] else { return }
      left.isShared = true
      right.isShared = true
      kept[index] = .pair(left, right)
    case .save(_, let slot):
      guard let saved = slots[slot] else { return }
      kept[index] = .saved(saved)
    default: return
    }
  }

  /// Puts what an earlier instruction made where this one would make it.
  private mutating func take(_ known: InstructionResult, _ instruction: Instruction) {
    switch (known, instruction) {
    case (.document(let entry), .create(let document, _)),
      (.document(let entry), .fork(let document, _, _)),
      (.document(let entry), .merge(let document, _)),
      (.document(let entry), .load(let document, _, _)):
      documents[document] = entry
    case (.pair(let left, let right), .sync(let document, let other, _)):
      documents[document] = left
      documents[other] = right
    case (.saved(let saved), .save(_, let slot)):
      slots[slot] = saved
    default: return
    }
  }

  /// Carries out one instruction; whatever goes wrong is its outcome.
  mutating func perform(_ instruction: Instruction) -> Outcome {
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
      place(maker.document(actor: actor), at: document)
    case .base(let document, let base):
      try make(base, document)
    case .open(let document, let bytes, let actor):
      guard let opened = try maker.document(in: bytes, actor: actor) else { throw Missing.bytes }
      place(opened, at: document)
    case .fork(let document, let from, let actor):
      place(try look(at: from).fork(actor: actor), at: document)
    case .edit(let document, let edit, let made):
      return .edited(try carryOut(edit, on: document, makes: made))
    case .commit(let document):
      try change(document).commit()
    case .merge(let document, let from):
      if sharesStates, document != from {
        try change(document).merge(look(at: from))
        break
      }
      // A merge commits in the other document too (`Replica/merge(_:)`). The copy takes part, and
      // stands in its place afterwards, so that a document merged into itself is not written and
      // read at once.
      let other = try entry(from).document.copy()
      try change(document).merge(other)
      if document != from { place(other, at: from) }
    case .send(let message, let from, let to, let transport, let scope):
      return .sent(parts: try send(message, from: from, to: to, transport, scope))
    case .deliver(let message, let document, let part):
      try deliver(message, to: document, part: part)
    case .deliverReversed(let message, let document):
      guard case .changes(let changes) = messages[message] else { throw Missing.message(message) }
      for part in (0..<changes.count).reversed() {
        try change(document).apply(changes, part: part)
      }
    case .save(let document, let slot):
      let saved = try look(at: document).save()
      slots[slot] = saved
      if slot < Lowering.firstFreeSlot { slotHeads[slot] = try heads(document) }
      return .saved(saved.bytes)
    case .load(let document, let slot, let actor):
      guard let saved = slots[slot] else { throw Missing.slot(slot) }
      place(try saved.load(actor: actor), at: document)
    case .observe(let document):
      return .observed(try observe(document))
    case .remember(let document, let mark):
      marks[mark] = try heads(document)
      return .observed(try observe(document))
    case .recall(let document, let mark):
      return .observed(try recall(document, mark))
    case .sync(let document, let other, let fates):
      return .synced(try change(document).sync(with: change(other), fates))
    case .forkAt(let document, let from, let slot, let actor):
      guard let heads = slotHeads[slot] else { throw Missing.slot(slot) }
      place(try look(at: from).fork(at: heads, actor: actor), at: document)
    case .call(let document, let call):
      return try perform(call, on: document)
    }
    return .done
  }

  private mutating func perform(
    _ call: Instruction.Call,
    on document: Int
  ) throws -> Outcome {
    switch call {
    case .attempt(let edit):
      return .edited(try carryOut(edit, on: document, makes: nil))
    case .rollback:
      try change(document).rollback()
    case .read:
      // Unlike `observe`, which closes the change to show heads.
      var observation = try entry(document).document.observe(at: nil)
      observation.heads = nil
      return .observed(observation)
    case .append(let slot):
      guard let saved = slots[slot] else { throw Missing.slot(slot) }
      let longer = try change(document).append(to: saved)
      slots[slot] = longer
      slotHeads[slot] = try change(document).heads()
      return .saved(longer.bytes)
    case .commit(let message, let time):
      try change(document).commit(message: message, time: time)
    case .hear(let attack):
      // A copy: the peer's informant may be the replica itself.
      let informant = try look(at: attack.informant).fork(actor: Self.courier)
      return .heard(try change(document).hear(attack, from: informant))
    case .cursor(let number, let name, let index, let move):
      guard let object = objects[name],
        let cursor = try entry(document).document.cursor(
          in: object,
          at: index,
          moving: move,
          heads: nil
        )
      else { throw Missing.object(name) }
      cursors[number] = (object, cursor)
      return .cursor(cursor)
    case .position(let number):
      guard let (object, cursor) = cursors[number] else { throw Missing.cursor(number) }
      return .position(try entry(document).document.position(of: cursor, in: object, at: nil))
    case .cursorAt(let number, let index, let mark):
      guard let (object, _) = cursors[number] else { throw Missing.cursor(number) }
      guard let heads = marks[mark] else { throw Missing.mark(mark) }
      let document = try entry(document).document
      // In an object that is not here there is no place, as there is none for an unknown element. Nor in a map:
      // it has the id of a sequence whose making was taken back.
      guard let kind = document.kind(of: object), kind != .map else { return .position(nil) }
      guard
        let cursor = try document.cursor(in: object, at: index, moving: .after, heads: heads)
      else { throw Missing.cursor(number) }
      return .cursor(cursor)
    case .positionAt(let number, let mark):
      guard let (object, cursor) = cursors[number] else { throw Missing.cursor(number) }
      guard let heads = marks[mark] else { throw Missing.mark(mark) }
      return .position(try entry(document).document.position(of: cursor, in: object, at: heads))
    case .difference(let from, let to):
      guard let before = marks[from] else { throw Missing.mark(from) }
      guard let after = marks[to] else { throw Missing.mark(to) }
      return .patches(try look(at: document).patches(from: before, to: after))
    }
    return .done
  }

  // MARK: - Documents

  private func entry(_ number: Int) throws -> Entry {
    guard let entry = documents[number] else { throw Missing.document(number) }
    return entry
  }

  private mutating func place(_ document: any DocumentHandle, at number: Int) {
    documents[number] = Entry(document)
  }

  /// The document for a call that may change it.
  ///
  /// What it showed is forgotten, even if the call should show the same: whether it does is for laws
  /// to see.
  ///
  /// A shared state is copied first (`twin`), so that no other number sees the change.
  private mutating func change(_ number: Int) throws -> any DocumentHandle {
    let entry = try entry(number)
    guard !entry.isShared else {
      let own = Entry(try entry.document.twin())
      documents[number] = own
      return own.document
    }
    entry.forget()
    return entry.document
  }

  /// The document for a call that looks at it, and may close its open change.
  ///
  /// A replica that shares states still shows what it showed before: it was closed to be looked at.
  private func look(at number: Int) throws -> any DocumentHandle {
    let entry = try entry(number)
    if !sharesStates { entry.forget() }
    return entry.document
  }

  func peek(_ number: Int) -> (any DocumentHandle)? { documents[number]?.document }

  func objectID(_ name: ObjectName) -> ObjectID? { objects[name] }

  // MARK: - Instructions

  /// Objects get names from 1 on in the order of the base's edits, as ``Base/objectIDs`` has them.
  private mutating func make(_ base: Base, _ document: Int) throws {
    place(maker.document(actor: base.actor), at: document)
    var made = 0
    for edit in base.edits {
      if edit.madeKind != nil { made += 1 }
      let name = edit.madeKind == nil ? nil : ObjectName(made)
      _ = try carryOut(edit, on: document, makes: name)
    }
    try change(document).commit()
  }

  /// Names that the program gives are ids from here on.
  ///
  /// An edit that was refused leaves its name unknown, and all edits of that object fail.
  private mutating func carryOut(
    _ edit: Edit<ObjectName>,
    on document: Int,
    makes name: ObjectName?
  ) throws -> EditEffect {
    guard let object = objects[edit.object] else { throw Missing.object(edit.object) }
    let edit = edit.naming(object)
    let effect = try change(document).apply(edit)
    if let name, let made = effect.made { objects[name] = made }
    return effect
  }

  /// - Returns: The number of parts: of changes their count, of a state 1.
  private mutating func send(
    _ message: Int,
    from: Int,
    to: Int,
    _ transport: Transport,
    _ scope: Instruction.Scope
  ) throws -> Int {
    switch transport {
    case .merge:
      messages[message] = .replica(try look(at: from).fork(actor: Self.courier))
      return 1
    case .document:
      messages[message] = .document(try look(at: from).save())
      return 1
    case .changes:
      let link = Link(from: from, to: to)
      let known =
        switch scope {
        case .unsent: sentHeads[link] ?? []
        case .missing: try heads(to).ids
        }
      let changes = try look(at: from).parts(since: known)
      sentHeads[link] = try heads(from).ids
      messages[message] = .changes(changes)
      return changes.count
    }
  }

  /// A message stays in its table: it may arrive twice.
  ///
  /// - Throws: What the first refused change was refused with; all others were brought.
  private mutating func deliver(_ message: Int, to document: Int, part: Int?) throws {
    guard let payload = messages[message] else { throw Missing.message(message) }
    switch payload {
    case .replica(let other):
      try change(document).merge(other.copy())
    case .document(let saved):
      let other = try saved.load(actor: Self.courier)
      try change(document).merge(other)
    case .changes(let changes):
      guard let part else {
        var refusal: (any Error)?
        // Each comes by itself: one that is refused does not keep the others out.
        for part in 0..<changes.count {
          do { try change(document).apply(changes, part: part) } catch {
            refusal = refusal ?? error
          }
        }
        if let refusal { throw refusal }
        return
      }
      guard (0..<changes.count).contains(part) else {
        throw Missing.part(part, of: changes.count)
      }
      try change(document).apply(changes, part: part)
    }
  }

  /// The writer of documents that only carry a state and never write.
  private static var courier: ActorID { ActorID(repeating: 0xee) }

  private func observe(_ document: Int) throws -> Observation {
    let entry = try entry(document)
    if let known = entry.present { return known }
    var observation = try entry.document.observe(at: nil)
    // The call that closes the open change comes last, so that open edits are looked at as well.
    observation.heads = try heads(document)
    if maker.keepsObservations { entry.present = observation }
    return observation
  }

  /// The heads of a document; asking for them closes its open change.
  ///
  /// With shared states heads are kept, since a closed change is closed once for all numbers.
  private func heads(_ document: Int) throws -> ObservedHeads {
    let entry = try entry(document)
    guard sharesStates else {
      entry.forget()
      return entry.document.heads()
    }
    if let known = entry.heads { return known }
    let heads = entry.document.heads()
    entry.heads = heads
    return heads
  }

  /// Known from before only as long as nothing was done to the document: a law compares what it
  /// shows then and now.
  private func recall(_ document: Int, _ mark: Int) throws -> Observation {
    guard let heads = marks[mark] else { throw Missing.mark(mark) }
    let entry = try entry(document)
    if let known = entry.past[heads] { return known }
    let observation = try entry.document.observe(at: heads)
    if maker.keepsObservations { entry.past[heads] = observation }
    return observation
  }
}

/// `changes` for the transport of that name; the two others hold a whole state as it was when it
/// was sent.
private enum Payload {
  case document(any SavedHandle)
  case changes(any ChangesHandle)
  case replica(any DocumentHandle)
}

/// What an instruction made.
private enum InstructionResult {
  case document(Entry)
  case pair(Entry, Entry)
  case saved(any SavedHandle)
}

private struct Link: Hashable {
  let from: Int
  let to: Int
}

/// A document, and what it showed since the last call that may have changed it.
///
/// Shared between numbers only while `isShared`.
private final class Entry {
  let document: any DocumentHandle
  var present: Observation?
  /// The heads of a document that shares its state.
  var heads: ObservedHeads?
  var past: [ObservedHeads: Observation] = [:]
  /// Whether the state is kept for others: who changes it changes a copy.
  var isShared = false

  init(_ document: any DocumentHandle) {
    self.document = document
  }

  func forget() {
    present = nil
    heads = nil
    if !past.isEmpty { past = [:] }
  }
}

/// What a program named that is not there: an earlier instruction failed.
///
/// Its outcome is `failed`, and so a failure of `calls.succeed` beside that of the earlier
/// instruction.
private enum Missing: Error, CustomStringConvertible {
  case document(Int)
  case object(ObjectName)
  case message(Int)
  case part(Int, of: Int)
  case slot(Int)
  case mark(Int)
  case cursor(Int)
  case bytes

  var description: String {
    switch self {
    case .document(let number): "there is no document \(number)"
    case .object(let name): "object \(name.number) was never made"
    case .message(let number): "message \(number) was never sent"
    case .part(let part, let count): "the message has no part \(part), only \(count)"
    case .slot(let number): "nothing was saved in slot \(number)"
    case .mark(let number): "no heads were kept under \(number)"
    case .cursor(let number): "cursor \(number) was never taken"
    case .bytes: "bytes are not a stored form here"
    }
  }
}
