import Testing

@testable import MergeEngine

/// An edit as a value, so that two documents can make the same one.
private enum Edit {
  case put(ObjectID, Prop, Scalar)
  case putObject(ObjectID, Prop, ObjectKind)
  case insert(ObjectID, Int, Scalar)
  case insertObject(ObjectID, Int, ObjectKind)
  case delete(ObjectID, Prop)
  case increment(ObjectID, Prop, Int64)
  case splice(ObjectID, Int, delete: Int, [Scalar])
  case type(ObjectID, Int, delete: Int, String)
  case mark(ObjectID, Range<Int>, MarkExpansion, String, Scalar)

  /// An edit of one of `objects`, which mostly fits it.
  init(_ objects: [ObjectID], of document: MergeDocument, _ random: inout SplitMix) {
    let object = objects[random.below(objects.count)]
    let kind = (try? document.kind(of: object)) ?? .list
    let length = (try? document.length(object)) ?? 0
    let index = random.below(length + 1 + random.below(2))
    let kinds: [ObjectKind] = [.map, .list, .text, .table]
    let made = kinds[random.below(4)]
    guard kind.isSequence else {
      let prop = Prop.key("k\(random.below(4))")
      switch random.below(8) {
      case 0, 1: self = .delete(object, prop)
      case 2: self = .increment(object, prop, Int64(random.below(9)))
      case 3, 4: self = .putObject(object, prop, made)
      case 5: self = .type(object, 0, delete: 0, "x")
      default: self = .put(object, prop, Self.scalar(&random))
      }
      return
    }
    let count = random.below(4) - 1
    switch random.below(12) {
    case 0: self = .put(object, .index(index), Self.scalar(&random))
    case 1: self = .putObject(object, .index(index), made)
    case 2: self = .insert(object, index, Self.scalar(&random))
    case 3: self = .insertObject(object, index, made)
    case 4: self = .delete(object, .index(index))
    case 5: self = .increment(object, .index(index), Int64(random.below(9)))
    case 6: self = .splice(object, index, delete: count, [Self.scalar(&random), .int(7)])
    case 7:
      self = .splice(object, index, delete: count, [.int(1), .unknown(code: 3, bytes: [])])
    case 8:
      let expansion = MarkExpansion.allCases[random.below(4)]
      let name = "m\(random.below(2))"
      self = .mark(object, index..<index + random.below(4), expansion, name, .int(Int64(count)))
    default:
      let texts = ["", "a", "abc", "é", "x😀", "e\u{301}"]
      self = .type(object, index, delete: count, texts[random.below(texts.count)])
    }
  }

  private static func scalar(_ random: inout SplitMix) -> Scalar {
    switch random.below(5) {
    case 0: .null
    case 1: .string(random.letter())
    case 2: .counter(Int64(random.below(9)))
    case 3: .string("two")
    default: .int(Int64(random.below(3)))
    }
  }

  /// Why it is refused; nil if it is made.
  func refusal(by document: MergeDocument) -> EditError? {
    do throws(EditError) {
      switch self {
      case .put(let object, let prop, let value): try document.put(object, prop, value)
      case .putObject(let object, let prop, let kind):
        _ = try document.putObject(object, prop, kind)
      case .insert(let object, let index, let value):
        try document.insert(object, at: index, value)
      case .insertObject(let object, let index, let kind):
        _ = try document.insertObject(object, at: index, kind)
      case .delete(let object, let prop): try document.delete(object, prop)
      case .increment(let object, let prop, let amount):
        try document.increment(object, prop, by: amount)
      case .splice(let object, let index, let count, let values):
        try document.splice(object, at: index, delete: count, insert: values)
      case .type(let object, let index, let count, let text):
        try document.spliceText(object, at: index, delete: count, insert: text)
      case .mark(let object, let range, let expansion, let name, let value):
        try document.mark(object, range, expand: expansion, name: name, value: value)
      }
      return nil
    } catch { return error }
  }
}

/// A document, and what a list says of it: the changes applied, in their order, and the edits since.
private struct Twin {
  typealias Received = (
    applied: Set<ChangeHash>, waiting: Set<ChangeHash>, dropped: Set<ChangeHash>
  )

  private var random: SplitMix
  /// Whether edits follow one another, with nothing between that commits.
  private var isLocal = true
  private var document: MergeDocument
  private var peers: [MergeDocument] = []
  private var pending: [(edit: Edit, refusal: EditError?)] = []
  private var savepoints: [(savepoint: Savepoint, pendingCount: Int)] = []
  /// Every change that was made anywhere.
  private var chunks: [ChangeHash: [UInt8]] = [:]
  private var dependencies: [ChangeHash: [ChangeHash]] = [:]
  /// Changes that are refused once what they depend on is there.
  private var bad: Set<ChangeHash> = []
  private var received: Received = ([], [], [])
  /// Every object that was made anywhere, those taken back among them.
  private var objects: [ObjectID] = [.root]
  /// A file to which each incremental save was appended.
  private var file: [UInt8] = []

  init(_ seed: Int) throws {
    random = SplitMix(UInt64(seed))
    let units: [TextUnit] = [.scalar, .utf8, .utf16, .grapheme]
    document = MergeDocument(actor: actor(0x80), unit: units[seed % 4])
    _ = try document.putObject(.root, .key("k0"), .list)
    _ = try document.putObject(.root, .key("k1"), .text)
    commit()
    for _ in 0..<3 { peers.append(document.fork(actor: stranger())) }
    file = document.save()
  }

  private mutating func stranger() -> ActorID {
    ActorID((0..<3 + random.below(3)).map { _ in UInt8(random.below(256)) })
  }

  /// Learns what a document has made that has nothing open.
  private mutating func learn(_ document: MergeDocument) {
    for info in document.changes() where chunks[info.hash] == nil {
      chunks[info.hash] = document.changeBytes(info.hash)
      dependencies[info.hash] = info.dependencies
    }
    learnObjects(document)
  }

  private mutating func learnObjects(_ document: MergeDocument) {
    for number in document.core.objects.handles {
      let id = document.core.publicID(ofObject: number)
      if !objects.contains(id) { objects.append(id) }
    }
  }

  // MARK: - Steps

  mutating func step() throws {
    if random.below(8) == 0 { isLocal.toggle() }
    switch isLocal ? random.below(13) : 8 + random.below(16) {
    case 0...7:
      let edit = Edit(objects, of: document, &random)
      pending.append((edit, edit.refusal(by: document)))
      learnObjects(document)
    case 8, 9: savepoints.append((document.savepoint, pending.count))
    case 10, 11:
      guard let (savepoint, count) = savepoints.popLast() else { return }
      if random.below(2) == 0 { savepoints.append((savepoint, count)) }
      document.rollback(to: savepoint)
      pending.removeLast(pending.count - count)
    case 12:
      document.rollback()
      pending = []
      savepoints.removeAll { $0.pendingCount > 0 }
    case 13: commit()
    case 14: try merge()
    case 15, 16: try receive()
    case 17: try replace()
    case 18:
      guard let (savepoint, count) = savepoints.popLast() else { return }
      document.restore(document.copy(at: savepoint))
      pending.removeLast(pending.count - count)
      savepoints = []
    case 19:
      commit()
      document.core.compact()
    case 20:
      commit()
      file += document.saveIncremental()
      #expect(try MergeDocument(loading: file, actor: actor(9)).heads == document.heads)
    case 21:
      commit()
      document.actor = random.below(2) == 0 ? stranger() : actor(0x80)
    case 22: try readPast()
    default: try editPeer()
    }
    savepoints.removeAll { document.hasCommitted(since: $0.savepoint) }
  }

  /// Makes a change of the open edits, as every call does that looks at changes.
  private mutating func commit() {
    document.commit()
    learn(document)
    received.applied.formUnion(document.changeHashesWithoutCommit)
    pending = []
    for place in savepoints.indices { savepoints[place].pendingCount = 0 }
  }

  private mutating func merge() throws {
    commit()
    let peer = peers[random.below(3)]
    let input = peer.changeHashes().filter { !received.applied.contains($0) }
    guard !input.isEmpty, let expected = outcome(input) else { return }
    try document.merge(peer)
    received = expected
    learnObjects(document)
  }

  /// Changes in any order, a bad one among them perhaps.
  private mutating func receive() throws {
    commit()
    var input = chunks.keys.sorted().filter { !bad.contains($0) && random.below(3) == 0 }
    if random.below(2) == 0 { input.append(try badChange(waits: random.below(2) == 0)) }
    if input.isEmpty { return }
    for place in input.indices where random.below(2) == 0 {
      input.swapAt(place, random.below(place + 1))
    }
    var bytes = input.compactMap { chunks[$0] }
    if random.below(8) == 0 { bytes.append([0x85, 0x6F]) }
    let expected = bytes.count > input.count ? nil : outcome(input)
    var isRefused = false
    do throws(ChunkError) {
      if random.below(3) == 0 {
        try document.loadIncremental(Array(bytes.joined()))
      } else {
        try document.applyChanges(bytes)
      }
    } catch { isRefused = true }
    #expect(isRefused == (expected == nil))
    if let expected { received = expected }
    learnObjects(document)
  }

  /// What is known once some changes have come; nil if they are refused.
  private func outcome(_ input: [ChangeHash]) -> Received? {
    var (applied, waiting, dropped) = received
    waiting.formUnion(input.filter { !applied.contains($0) })
    func isReady(_ hash: ChangeHash) -> Bool {
      dependencies[hash, default: []].allSatisfy { applied.contains($0) }
    }
    while let next = waiting.first(where: { !bad.contains($0) && isReady($0) }) {
      waiting.remove(next)
      applied.insert(next)
    }
    for hash in waiting where isReady(hash) {
      if !received.waiting.contains(hash) { return nil }
      waiting.remove(hash)
      dropped.insert(hash)
    }
    return (applied, waiting, dropped)
  }

  /// A change that writes into an object which nobody has, after some sound edits.
  private mutating func badChange(waits: Bool) throws -> ChangeHash {
    let secret = (random.below(2) == 0 ? peers[random.below(3)] : document).fork(actor: stranger())
    let hidden = try secret.putObject(.root, .key("k0"), .list)
    secret.commit()
    let writer = secret.fork(actor: stranger())
    for _ in 0..<random.below(5) {
      _ = Edit(objects, of: writer, &random).refusal(by: writer)
    }
    try writer.insert(hidden, at: 0, .int(1))
    let hash = try #require(writer.commit())
    let chunk = try #require(writer.changeBytes(hash))
    // The same change, as if it depended on others.
    let known = chunks.keys.sorted().filter { !bad.contains($0) }
    let missing = known.filter { waits && !received.applied.contains($0) }.prefix(1)
    let named = (0..<random.below(3)).map { _ in known[random.below(known.count)] } + missing
    let content = withView(of: chunk) { Array(chunk[ChunkFrame.contentStart(of: $0)...]) }
    var forged = Arena<UInt8>()
    forged.appendHashes(Set(named).sorted())
    forged.append(Array(content[(1 + 32 * Int(content[0]))...]))
    var output = Arena<UInt8>()
    let name = appendChunk(type: ChunkFrame.change, forged.view, to: &output)
    chunks[name] = output.view.array
    dependencies[name] = Set(named).sorted()
    bad.insert(name)
    return name
  }

  /// Goes on with a copy, or with what was saved.
  private mutating func replace() throws {
    commit()
    if random.below(2) == 0 {
      document = document.fork(actor: document.actor)
    } else {
      file = document.save()
      document = try MergeDocument(loading: file, actor: document.actor, unit: document.unit)
      received.dropped = []
    }
    savepoints = []
  }

  private mutating func editPeer() throws {
    let place = random.below(3)
    switch random.below(6) {
    case 0: peers[place] = peers[place].fork(actor: stranger())
    case 1:
      let hashes = peers[place].changeHashes()
      let head = hashes[random.below(hashes.count)]
      peers[place] = try peers[place].fork(at: [head], actor: stranger())
    case 2: try peers[place].merge(peers[random.below(3)])
    case 3: try peers[place].merge(committed)
    default: break
    }
    for _ in 0...random.below(3) {
      _ = Edit(objects, of: peers[place], &random).refusal(by: peers[place])
    }
    peers[place].commit()
    learn(peers[place])
  }

  // MARK: - Checks

  /// The document without its open edits.
  private var committed: MergeDocument {
    let copy = MergeDocument(core: document.core.copy())
    copy.rollback()
    return copy
  }

  private mutating func readPast() throws {
    let hashes = received.applied.sorted()
    let heads = (0...random.below(2)).map { _ in hashes[random.below(hashes.count)] }
    let fork = try committed.fork(at: heads, actor: actor(9))
    #expect(try document.everything(at: heads) == fork.everything(at: heads))
  }

  /// Holds the document to one whose changes are applied one after the other, and its open edits made again.
  func check() throws {
    let hashes = document.changeHashesWithoutCommit
    #expect(Set(hashes) == received.applied)
    #expect(Set(document.core.history.waiting.map(\.hash)) == received.waiting)
    #expect(document.droppedChangeCount == received.dropped.count)
    let twin = MergeDocument(actor: document.actor, unit: document.unit)
    for hash in hashes { try twin.applyChanges([chunks[hash] ?? []]) }
    for (edit, refusal) in pending { #expect(edit.refusal(by: twin) == refusal) }
    #expect(document.pendingOpCount == twin.pendingOpCount)
    #expect(document.core.maxOp == twin.core.maxOp)
    #expect(try document.everything() == twin.everything())
    try document.core.checkInvariants()
    var copy = document.core.copy()
    let saved = copy.documentChunk(deflates: false).view.array
    #expect(saved == twin.core.documentChunk(deflates: false).view.array)
  }
}

extension MergeDocument {
  /// All that is shown below an object, each value read in more ways than one.
  fileprivate func everything(
    of object: ObjectID = .root,
    at heads: [ChangeHash]? = nil
  ) throws -> [String] {
    let (kind, length) = (try kind(of: object), try length(object, at: heads))
    var lines = ["\(object) \(kind) \(length)"]
    var entries: [Entry] = []
    if kind.isSequence {
      lines.append(try text(object, at: heads))
      lines.append("\(try elementIDs(object, at: heads)) \(try marks(object, at: heads))")
      for index in 0..<length { entries += try getAll(object, .index(index), at: heads) }
      lines += try values(object, at: heads).map { "\($0.id)" }
      if heads == nil { lines += try listValues(object).map(Self.word) }
    } else {
      for (key, entry) in try mapEntries(object, at: heads) {
        lines.append(key)
        entries += try getAll(object, .key(key), at: heads)
        #expect(entries.last == entry)
        if heads == nil { #expect(try value(object, key: key) == entry.value) }
      }
    }
    for entry in entries {
      lines.append("\(entry.id) \(Self.word(entry.value))")
      guard case .object(let id, _) = entry.value else { continue }
      lines += try everything(of: id, at: heads)
      if heads == nil { lines.append("\(try path(of: id).map { "\($0.object) \($0.prop)" })") }
    }
    return lines
  }

  /// Without the object's place, which is no part of what is shown.
  private static func word(_ value: Value) -> String {
    switch value {
    case .scalar(let scalar): "\(scalar)"
    case .object(let id, let kind): "\(id) \(kind)"
    }
  }
}

@Suite("Documents beside the list of what made them")
struct TwinTests {
  @Test("A document is what its changes and its open edits make of an empty one", arguments: 0..<40)
  func twin(_ seed: Int) throws {
    var twin = try Twin(seed)
    for _ in 0..<40 {
      try twin.step()
      try twin.check()
    }
  }
}
