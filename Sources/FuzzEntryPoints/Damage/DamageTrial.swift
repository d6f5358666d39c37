package import AutomergeDocument
import CoderSubjects
import CodingLaws
import DocumentLaws
import DocumentModel
package import MergeEngine
import ModelGeneration
package import PropertyEngine
package import Subjects

/// Damaged and forged bytes for each call that takes bytes of others, and what is judged of them.
///
/// Asks less of each input than a ``Boundary``, so that there can be a hundred million: only a document that
/// took bytes in is judged whole. Input `i` is a function of the seed and of `i` alone.
///
/// What takes the bytes is a parameter, so that a test can hand in a reader that is wrong.
package struct DamageTrial {
  /// The calls, in turn.
  package enum Call: String, CaseIterable, Codable, Sendable {
    /// A stored file is loaded.
    case load
    /// Changes come to a document that has others.
    case apply
    /// A message of sync comes, or a stored state of sync is read.
    case sync
    /// A stored file is loaded, and decoded as a model.
    case decode
  }

  /// What takes bytes into a document, and what reads them.
  package struct Readers {
    package var load: ([UInt8], inout Int) throws -> EngineReplica = {
      try EngineReplica.load($0, actor: .init(repeating: 0xdd), work: &$1)
    }
    package var apply: (MergeDocument, [UInt8]) throws -> Void = { try $0.applyChanges([$1]) }
    package var receive: (MergeDocument, [UInt8], inout PeerState) throws -> Void = {
      try $0.receive(syncMessage: $1, &$2)
    }
    package var decode: (any Decodable.Type, AutomergeDocument.Document) throws -> Void = {
      try ModelSeeds.decode($0, from: $1)
    }

    package init() {}
  }

  /// What became of one input.
  package struct Outcome: Hashable, Sendable {
    package let call: Call
    package var isAccepted = false
    /// What does not hold, in words; `nil` if all is well.
    package var breach: String?
    /// The input; nothing if all is well.
    package var input: [UInt8]
    package let byteCount: Int
    /// Steps that the input cost, in thousandths of what is stated for its bytes.
    package var workPermille = 0
    /// Bytes that the document holds for it.
    package var heldByteCount = 0

    init(_ call: Call, _ input: [UInt8]) {
      self.call = call
      self.input = input
      byteCount = input.count
    }
  }

  private let seed: PropertyEngine.Seed
  private let readers: Readers
  private let files: DamagedFiles
  private let changes: Boundary
  private let changeSeeds: [Boundary.Seed]
  private let messages: Boundary
  private let messageSeeds: [Boundary.Seed]
  private let models: ModelSeeds
  private let receiver: ReceivingDocument

  package init(seed: PropertyEngine.Seed, readers: Readers = Readers()) throws {
    self.seed = seed
    self.readers = readers
    files = try DamagedFiles()
    changes = .changes()
    changeSeeds = try changes.seeds()
    messages = .sync()
    messageSeeds = try messages.seeds()
    models = try ModelSeeds()
    receiver = try ReceivingDocument()
  }

  /// Judges one input.
  ///
  /// Cost: some ten microseconds if it is refused, some hundred if it is not.
  package func judge(_ index: Int) throws -> Outcome {
    let call = Call.allCases[index % Call.allCases.count]
    var choices = Choices(seed: seed.stream(UInt64(index)))
    var outcome =
      switch call {
      case .load: try loaded(files.draw(&choices))
      case .apply: try applied(changeInput(&choices))
      case .sync: try received(messageInput(&choices), isSyncBegun: choices.flag())
      case .decode: try decoded(&choices)
      }
    if outcome.breach == nil { outcome.input = [] }
    return outcome
  }

  // MARK: - Inputs

  /// Damaged changes, and what a hostile peer sends.
  private func changeInput(_ choices: inout Choices) -> [UInt8] {
    guard choices.flag(percent: 20) else { return changes.derived(from: changeSeeds, &choices) }
    let kinds = Attack.Kind.allCases.filter { $0 != .lie }
    return hostileBytes(kinds, &choices)
  }

  private func messageInput(_ choices: inout Choices) -> [UInt8] {
    guard choices.flag(percent: 20) else { return messages.derived(from: messageSeeds, &choices) }
    return hostileBytes([.lie], &choices)
  }

  private func hostileBytes(_ kinds: [Attack.Kind], _ choices: inout Choices) -> [UInt8] {
    let pick = choices.index(below: Attack.pickLimit + 1)
    let attack = Attack(choices.element(of: kinds), knowing: 0, pick: pick)
    let known = receiver.known[pick % receiver.known.count]
    switch HostilePeer.message(attack, about: known) {
    case .changes(let bytes), .syncMessage(let bytes): return bytes
    case nil: return []
    }
  }

  // MARK: - Calls

  private func loaded(_ bytes: [UInt8]) throws -> Outcome {
    var outcome = Outcome(.load, bytes)
    var work = 0
    do {
      var document = try readers.load(bytes, &work)
      outcome.isAccepted = true
      outcome.heldByteCount = document.heldByteCount
      outcome.breach = try DamageLaws<EngineReplica>.soundness(of: &document)?.line
    } catch {
      if !outcome.isAccepted {
        outcome.breach = untyped(error)
      } else {
        outcome.breach = "a document that was taken in is not sound: \(error)"
      }
    }
    outcome.count(work, held: outcome.heldByteCount)
    return outcome
  }

  private func applied(_ bytes: [UInt8]) throws -> Outcome {
    var outcome = Outcome(.apply, bytes)
    let document = receiver.copy()
    let before = ReceivingDocument.Measure(document)
    do {
      try readers.apply(document, bytes)
      outcome.isAccepted = true
    } catch {
      outcome.breach = untyped(error)
    }
    try conclude(&outcome, document, before)
    return outcome
  }

  private func received(_ bytes: [UInt8], isSyncBegun: Bool) throws -> Outcome {
    var outcome = Outcome(.sync, bytes)
    let document = receiver.copy()
    let before = ReceivingDocument.Measure(document)
    var state = isSyncBegun ? receiver.begunSync : PeerState()
    let old = state
    do {
      if bytes.first == PeerState.version {
        state = try PeerState(bytes: bytes)
        outcome.breach = state.storingBreach { try PeerState(bytes: $0) }
      } else {
        try readers.receive(document, bytes, &state)
      }
      outcome.isAccepted = true
      outcome.breach = outcome.breach ?? answers(of: document, to: &state, bytes)
    } catch {
      outcome.breach = untyped(error)
      if state != old { outcome.breach = "a refused message changed the sync state" }
    }
    try conclude(&outcome, document, before)
    return outcome
  }

  /// What is wrong with the answers to a message: they must end, and be no larger than what there is.
  private func answers(
    of document: MergeDocument,
    to state: inout PeerState,
    _ bytes: [UInt8]
  ) -> String? {
    let byteLimit = 2 * (receiver.sendableByteCount + bytes.count) + 4096
    var byteCount = 0
    while let answer = document.syncMessage(for: &state) {
      byteCount += answer.count
      guard byteCount <= byteLimit else {
        return "\(bytes.count) bytes get \(byteCount) bytes of answers, more than \(byteLimit)"
      }
    }
    return nil
  }

  private func decoded(_ choices: inout Choices) throws -> Outcome {
    let input = models.draw(&choices)
    var outcome = Outcome(.decode, input.bytes)
    let engine = MergeDocument(actor: SampleDocument.actor(9))
    do {
      try engine.loadWhole(input.bytes)
    } catch {
      outcome.count(engine.workDone, held: engine.heldByteCount)
      return outcome
    }
    outcome.count(engine.workDone, held: engine.heldByteCount)
    let before = DocumentState(engine)
    let document = AutomergeDocument.Document(engine: engine, log: DocumentLog(.errorOnly))
    do {
      try readers.decode(input.model.type, document)
      outcome.isAccepted = true
    } catch {
      let complaint = CoderComplaint(error, of: DocumentCoderSubject())
      if !complaint.isTyped { outcome.breach = "\(input.model.name) throws \(complaint)" }
    }
    outcome.breach = outcome.breach ?? before.trace(in: engine)?.line
    return outcome
  }

  // MARK: - Afterwards

  /// Looks at the document that has taken or refused bytes.
  private func conclude(
    _ outcome: inout Outcome,
    _ document: MergeDocument,
    _ before: ReceivingDocument.Measure
  ) throws {
    let now = ReceivingDocument.Measure(document)
    outcome.count(now.work - before.work, held: now.held - before.held)
    guard outcome.breach == nil else { return }
    if outcome.isAccepted, now.changes != before.changes {
      outcome.breach = try receiver.state.harm(in: document)?.line
    } else if let difference = receiver.state.trace(in: document) {
      outcome.breach = difference.line
    }
  }

  private func untyped(_ error: any Error) -> String? {
    error is ChunkError ? nil : "refused with \(type(of: error)): \(error)"
  }
}

extension Difference {
  /// What differs, and what was found.
  fileprivate var line: String { summary + (actual.map { ": \($0)" } ?? "") }
}

extension DamageTrial.Outcome {
  /// Takes down what an input cost, and whether that is more than is stated.
  mutating func count(_ work: Int, held: Int) {
    let limits = MergeEngine.DocumentLimits()
    // What is refused late is taken back for as much again.
    let workLimit = 2 * limits.workLimit(forByteCount: byteCount)
    workPermille = work * 1000 / workLimit
    heldByteCount = max(held, 0)
    let memoryLimit = limits.memoryLimit(forByteCount: byteCount)
    guard breach == nil else { return }
    if work > workLimit { breach = "\(byteCount) bytes cost \(work) steps" }
    if held > memoryLimit { breach = "\(byteCount) bytes hold \(held) bytes of memory" }
  }
}

/// The document that bytes come to, and what is known of it.
private struct ReceivingDocument {
  /// What a call may change, in numbers.
  struct Measure {
    let work: Int
    let held: Int
    /// Changes that are there, and those that wait.
    let changes: [Int]

    init(_ document: MergeDocument) {
      work = document.workDone
      held = document.heldByteCount
      changes = [document.changeCount, document.waitingCount]
    }
  }

  private let document: MergeDocument
  let state: DocumentState
  /// A sync that has begun.
  let begunSync: PeerState
  /// The changes that a hostile peer knows.
  let known: [HostilePeer.KnownChange]
  /// Bytes of all changes, and of what an answer says of each beside them.
  let sendableByteCount: Int

  init() throws {
    let document = try SampleDocument.document()
    self.document = document
    known = document.changes().map { change in
      HostilePeer.KnownChange(
        hash: change.hash.bytes,
        actor: change.actor.bytes,
        seq: change.seq,
        chunk: document.changeBytes(change.hash) ?? []
      )
    }
    sendableByteCount = known.reduce(0) { $0 + $1.chunk.count + 64 }
    var begun = PeerState()
    _ = document.syncMessage(for: &begun)
    begunSync = begun
    // The first refusal may rebuild what honest growth has left behind.
    try? document.applyChanges([[0]])
    state = DocumentState(document)
  }

  /// A copy that bytes may come to.
  func copy() -> MergeDocument { document.fork(actor: SampleDocument.actor(1)) }
}
