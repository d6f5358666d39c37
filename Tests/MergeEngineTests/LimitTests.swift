import Testing

@testable import MergeEngine

/// A document chunk of one actor, written by hand.
private struct HandMade {
  var count: Int
  var actors = 1
  var successors = 0
  var changes = 1

  private static func uleb(_ number: Int) -> [UInt8] {
    var arena = Arena<UInt8>()
    arena.appendULEB(UInt64(number))
    return arena.view.array
  }

  private static func sleb(_ number: Int) -> [UInt8] {
    var arena = Arena<UInt8>()
    arena.appendSLEB(Int64(number))
    return arena.view.array
  }

  private static func columns(_ columns: [(Int, [UInt8])]) -> (metadata: [UInt8], data: [UInt8]) {
    let metadata = columns.flatMap { uleb($0.0) + uleb($0.1.count) }
    return (uleb(columns.count) + metadata, columns.flatMap(\.1))
  }

  /// `count` values of one key in conflict, or `count` elements of nothing if `count` is a run.
  var bytes: [UInt8] {
    let (run, step) = (Self.sleb(count), Self.sleb(count) + [1])
    var content = Self.uleb(actors)
    for actor in 0..<actors {
      content += [3, UInt8(actor >> 16), UInt8(actor >> 8 & 255), UInt8(actor & 255)]
    }
    content += [1] + [UInt8](repeating: 0, count: 32)
    let rows = count + successors
    let change = Self.columns([
      (0x01, Self.sleb(changes) + [0]), (0x03, Self.sleb(changes) + [1]),
      (0x13, [0x7f] + Self.sleb(rows) + (changes > 1 ? Self.sleb(changes - 1) + [0] : [])),
      (0x23, Self.sleb(changes) + [0]), (0x40, Self.sleb(changes) + [0]),
      (0x56, Self.sleb(changes) + [7]),
    ])
    var ops: [(Int, [UInt8])] = [
      (0x15, run + [1, 0x6b]), (0x21, run + [0]), (0x23, step), (0x34, Self.uleb(count)),
      (0x42, run + [1]), (0x56, run + [0]),
    ]
    if successors > 0 {
      ops += [
        (0x80, [0x7f] + Self.uleb(successors)), (0x81, Self.sleb(successors) + [0]),
        (0x83, [0x7f, 2] + Self.sleb(successors - 1) + [1]),
      ]
    } else {
      ops.append((0x80, run + [0]))
    }
    let op = Self.columns(ops)
    content += change.metadata + op.metadata + change.data + op.data + [0]
    var output = Arena<UInt8>()
    return withView(of: content) { view in
      appendChunk(type: 0, view, to: &output)
      return output.view.array
    }
  }

  /// Why it is refused: its heads are wrong, if nothing else is.
  var reason: ChunkError.Reason? {
    do throws(ChunkError) {
      _ = try MergeDocument(loading: bytes, actor: actor(1))
      return nil
    } catch {
      return error.reason
    }
  }
}

@Suite("Limits, at the limit and one past")
struct LimitTests {
  @Test("Successors of a document, by its bytes")
  func links() {
    let size = HandMade(count: 1, successors: 1 << 20).bytes.count
    // Generous by the header's bytes: the limit counts those of the columns.
    let limit = Limits.entryLimit(forByteCount: size)
    #expect(HandMade(count: 1, successors: Limits.freeRowCount).reason == .headsMismatch)
    #expect(
      HandMade(count: 1, successors: limit + 1).reason == .limitExceeded(.linkLimit)
    )
  }

  @Test("Changes of a document, by its bytes")
  func changes() {
    let beyond = Limits.entryLimit(forByteCount: 200) + 1
    #expect(HandMade(count: 1, changes: beyond).reason == .limitExceeded(.changeLimit))
    #expect(HandMade(count: 1, changes: 1000).reason == .headsMismatch)
  }

  @Test("Inflated bytes", arguments: [1, 4_095, 4_096, 4_097, 100_000])
  func inflation(_ count: Int) throws {
    let plain = [UInt8](repeating: 7, count: count)
    var packed = Arena<UInt8>()
    withView(of: plain) { Deflate.compress($0, into: &packed) }
    let whole = try Deflate.inflate(packed.view, limit: count, .content).view.array
    #expect(whole == plain)
    let fault = #expect(throws: Fault.self) {
      _ = try Deflate.inflate(packed.view, limit: count - 1, .content).view.array
    }
    #expect(fault?.reason == .limitExceeded(.inflatedByteLimit))
  }

  @Test("Times", arguments: [Limits.timeLimit, -Limits.timeLimit])
  func times(_ limit: Int64) throws {
    let inside = limit > 0 ? limit - 1 : limit + 1
    for (asked, stored) in [(inside, inside), (limit, inside)] {
      let document = MergeDocument(actor: actor(1))
      try document.put(.root, .key("k"), .int(1))
      document.commit(time: asked)
      #expect(document.changes().map(\.time) == [stored])
      let loaded = try MergeDocument(loading: document.save(), actor: actor(2))
      #expect(loaded.heads == document.heads)
    }
  }

  @Test("Work, in one call and in the next")
  func work() throws {
    let meter = WorkMeter()
    meter.begin(left: 100)
    try meter.spend(60, .content)
    try meter.spend(40, .content)
    let fault = #expect(throws: Fault.self) { try meter.spend(1, .content) }
    #expect(fault?.reason == .limitExceeded(.workPerByteLimit))
    #expect(meter.steps == 100)
    meter.add(1)
    #expect(throws: Fault.self) { try meter.check(.content) }
    meter.begin(left: 1)
    try meter.spend(1, .content)
    meter.end()
    try meter.spend(1 << 40, .content)
    meter.begin(left: 1)
    var pool = 10
    try meter.apart(own: 2_000, pool: &pool) { () throws(Fault) in
      #expect(meter.left == 2_010)
      try meter.spend(2_003, .content)
    }
    #expect(pool == 7)
    #expect(meter.left == 1)
    let tooMuch = #expect(throws: Fault.self) {
      try meter.apart(own: 0, pool: &pool) { () throws(Fault) in
        try meter.spend(8, .content)
      }
    }
    #expect(tooMuch?.reason == .limitExceeded(.workPerByteLimit))
    #expect(meter.left == 1)
    try meter.apart(own: .max, pool: &pool) { () throws(Fault) in
      try meter.spend(1 << 40, .content)
    }
    // A ceiling holds for all calls below it, and for what each has apart.
    meter.ceiling = meter.steps + 5
    meter.begin(left: 100)
    #expect(meter.left == 5)
    try meter.apart(own: 100, pool: &pool) { () throws(Fault) in
      #expect(meter.left == 5)
      try meter.spend(2, .content)
    }
    #expect(meter.left == 3)
    let limits = DocumentLimits()
    #expect(limits.workLimit(forByteCount: 0) == 1 << 28)
    #expect(limits.workLimit(forByteCount: 2) == 1 << 28 + 8_192)
    #expect(limits.workLimit(forByteCount: .max) == .max)
    #expect(DocumentLimits.greatest.workLimit(forByteCount: 1) == .max)
  }

  @Test("Counters end at 2^32 - 1, and edits say so")
  func counters() throws {
    let document = MergeDocument(actor: actor(1))
    document.core.maxOp = .max - 2
    try document.put(.root, .key("a"), .int(1))
    try document.put(.root, .key("b"), .int(1))
    #expect(throws: EditError.counterOverflow) { try document.put(.root, .key("c"), .int(1)) }
    #expect(try document.keys(.root) == ["a", "b"])
    document.commit()
    let loaded = try MergeDocument(loading: document.save(), actor: actor(2), limits: .greatest)
    #expect(loaded.heads == document.heads)
    #expect(throws: EditError.counterOverflow) { try loaded.put(.root, .key("c"), .int(1)) }
  }

  @Test("A text whose last letters have the greatest numbers loads with what is between them")
  func greatestElements() throws {
    let typist = MergeDocument(actor: actor(2), limits: .greatest)
    typist.core.maxOp = .max - 5
    let text = try typist.putObject(.root, .key("t"), .text)
    try typist.spliceText(text, at: 0, delete: 0, insert: "a")
    let above = typist.fork(actor: actor(3))
    try typist.spliceText(text, at: 1, delete: 0, insert: "b")
    let below = typist.fork(actor: actor(1))
    try typist.spliceText(text, at: 2, delete: 0, insert: "cd")
    try above.spliceText(text, at: 1, delete: 0, insert: "X")
    try below.spliceText(text, at: 2, delete: 0, insert: "Y")
    try typist.merge(above)
    try typist.merge(below)
    #expect(typist.core.maxOp == .max)
    #expect(try typist.text(text) == "aXbcdY")
    try typist.core.checkInvariants()
    let loaded = try MergeDocument(loading: typist.save(), actor: actor(4), limits: .greatest)
    #expect(try loaded.text(text) == "aXbcdY")
  }
}

@Suite("Our own mistakes end the process")
struct PreconditionTests {
  @Test("A place beyond the end of memory")
  func arena() async {
    await #expect(processExitsWith: .failure) {
      var arena = Arena<UInt8>()
      arena.append(1)
      _ = arena[1]
    }
    await #expect(processExitsWith: .failure) {
      var arena = Arena<UInt8>()
      arena.truncate(to: 1)
    }
    await #expect(processExitsWith: .failure) {
      withView(of: [1, 2, 3]) { _ = $0.part(from: 2, length: 2) }
    }
    await #expect(processExitsWith: .failure) {
      withView(of: [1, 2, 3]) { _ = $0.bigEndianWord(at: 0) }
    }
  }

  @Test("A unit beyond the end of a text")
  func unit() async {
    await #expect(processExitsWith: .failure) {
      let document = MergeDocument(actor: ActorID([1]))
      _ = document.core.locate(.root, 0)
    }
  }

  @Test("Undoing what was never done")
  func undo() async {
    await #expect(processExitsWith: .failure) {
      let document = MergeDocument(actor: ActorID([1]))
      let register = document.core.makeRegister(.root, KeyHandle(0))
      document.core.removeRow(register, PackedID(1, 0))
    }
    await #expect(processExitsWith: .failure) {
      let document = MergeDocument(actor: ActorID([1]))
      try? document.put(.root, .key("k"), .int(1))
      document.core.removeSuccessor(
        RowHandle(0),
        PackedID(9, 0),
        byIncrement: false,
        in: RegisterHandle(0)
      )
    }
    await #expect(processExitsWith: .failure) {
      let document = MergeDocument(actor: ActorID([1]))
      document.core.removeElement(PackedID(1, 0), in: .root)
    }
  }

  @Test("Loading a file into a document that has something")
  func loading() async {
    await #expect(processExitsWith: .failure) {
      let document = MergeDocument(actor: ActorID([1]))
      try? document.put(.root, .key("k"), .int(1))
      try? document.loadWhole([])
    }
  }
}
