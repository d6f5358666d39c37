import DocumentModel
import Histories
import Subjects
import Synchronization
import Testing

/// Serialized: the counted reads are those of one test at a time.
@Suite("The interpreter", .serialized)
struct InterpreterTests {
  private static let actor = ActorID(repeating: 1)

  /// Two documents that know one change, whose heads are kept.
  private static let opening: [Instruction] = [
    .create(document: 0, actor), .edit(document: 0, .put(.root, .key("k"), .int(1)), makes: nil),
    .commit(document: 0), .fork(document: 1, from: 0, ActorID(repeating: 2)),
    .remember(document: 0, mark: 0),
  ]

  @Test("A state is read once, and read again after each call that may change it")
  func readsOnce() {
    let calls: [[Instruction]] = [
      [.edit(document: 0, .put(.root, .key("k"), .int(2)), makes: nil)], [.commit(document: 0)],
      [.fork(document: 2, from: 0, Self.actor)], [.merge(document: 0, from: 1)],
      [.merge(document: 1, from: 0)], [.save(document: 0, slot: 0)],
      [.send(message: 1, from: 0, to: 1, .changes, .missing)],
      [.send(message: 1, from: 1, to: 0, .changes, .missing)],
      [.save(document: 1, slot: 0), .load(document: 0, slot: 0, Self.actor)],
      [
        .send(message: 1, from: 1, to: 1, .document, .missing),
        .deliver(message: 1, document: 0, part: nil),
      ],
    ]
    #expect(reads(Counted.self, Self.opening) == 1)
    #expect(
      reads(Counted.self, Self.opening + [.observe(document: 0), .observe(document: 0)]) == 1
    )
    for call in calls {
      #expect(reads(Counted.self, Self.opening + call + [.observe(document: 0)]) == 2, "\(call)")
    }
    let other = [.commit(document: 1), .observe(document: 0)] as [Instruction]
    #expect(reads(Counted.self, Self.opening + other) == 1)
  }

  @Test("A past state is read once for each heads, until the next call on its document")
  func readsPastOnce() {
    let recall = Instruction.recall(document: 0, mark: 0)
    #expect(reads(Counted.self, Self.opening + [recall, recall]) == 2)
    #expect(reads(Counted.self, Self.opening + [recall, .commit(document: 0), recall]) == 3)
    // The number then stands for other heads.
    let edit = Instruction.edit(document: 1, .put(.root, .key("k"), .int(2)), makes: nil)
    let again = [recall, edit, .remember(document: 1, mark: 0), recall] as [Instruction]
    #expect(reads(Counted.self, Self.opening + again) == 4)
  }

  @Test("Of a replica whose reads are under test, each is made")
  func readsEach() {
    let recall = Instruction.recall(document: 0, mark: 0)
    let more = [.observe(document: 0), recall, recall] as [Instruction]
    #expect(reads(ReadEachTime.self, Self.opening + more) == 4)
  }

  private func reads<R: Replica>(_ type: R.Type, _ instructions: [Instruction]) -> Int {
    let before = readCount.withLock { $0 }
    var program = Program()
    program.instructions = instructions
    let outcomes = Interpreter<R>.run(program).outcomes
    for case .failed(let reason) in outcomes { Issue.record("\(reason)") }
    return readCount.withLock { $0 } - before
  }
}

private let readCount = Mutex(0)

private protocol Keeping {
  static var keeps: Bool { get }
}

private enum Kept: Keeping { static let keeps = true }
private enum NotKept: Keeping { static let keeps = false }

private typealias Counted = CountedReplica<ReferenceModel, Kept>
private typealias ReadEachTime = CountedReplica<ReferenceModel, NotKept>

/// A replica that counts how often it is looked at.
private struct CountedReplica<Counted: Replica, K: Keeping>: Replica {
  private var replica: Counted

  private init(replica: Counted) { self.replica = replica }
  init(actor: ActorID) { replica = Counted(actor: actor) }

  static var keepsObservations: Bool { K.keeps }

  static func load(_ saved: Counted.Saved, actor: ActorID) throws -> Self {
    Self(replica: try Counted.load(saved, actor: actor))
  }

  static func bytes(of saved: Counted.Saved) -> [UInt8]? { Counted.bytes(of: saved) }

  mutating func apply(_ edit: Edit<ObjectID>) throws -> EditEffect { try replica.apply(edit) }
  mutating func commit() { replica.commit() }

  mutating func fork(actor: ActorID) throws -> Self {
    Self(replica: try replica.fork(actor: actor))
  }

  mutating func merge(_ other: inout Self) throws { try replica.merge(&other.replica) }

  mutating func changes(since heads: [String]) throws -> [Counted.Change] {
    try replica.changes(since: heads)
  }

  mutating func parts(since heads: [String]) throws -> [Counted.Change] {
    try replica.parts(since: heads)
  }

  mutating func apply(_ changes: [Counted.Change]) throws { try replica.apply(changes) }
  mutating func save() throws -> Counted.Saved { try replica.save() }
  mutating func heads() -> ObservedHeads { replica.heads() }

  func observe(at heads: ObservedHeads?) throws -> Observation {
    readCount.withLock { $0 += 1 }
    return try replica.observe(at: heads)
  }

  func shape(of object: ObjectID) -> (kind: ObjectKind, length: Int)? {
    replica.shape(of: object)
  }

  func holdsCounter(_ object: ObjectID, _ slot: Slot) -> Bool {
    replica.holdsCounter(object, slot)
  }
}
