import AutomergeDocument
import Foundation
import Testing

@Suite("Life cycle")
struct LifeCycleTests {
  @Test("A new document is empty and has an actor of its own (DOC-01)")
  func fresh() throws {
    let document = Document()
    #expect(try document.isEmpty())
    #expect(document.heads().isEmpty)
    #expect(document.actor.data.count == 16)
    #expect(document.actor != Document().actor)
    #expect(document.textEncoding == .unicodeScalar)
  }

  @Test("What was saved loads again, alone or with changes behind it (DOC-03, DOC-04)")
  func saveAndLoad() throws {
    let document = Document()
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    let first = document.save()
    #expect(document.heads().count == 1)
    let hash = try #require(document.heads().first)
    let change = try #require(document.change(hash: hash))
    #expect(change.timestamp == Date(timeIntervalSince1970: 0))
    #expect(change.message == nil)
    try document.put(obj: .ROOT, key: "b", value: .Int(2))
    let more = document.encodeNewChanges()
    #expect(try Document(first).keys(obj: .ROOT) == ["a"])
    let both = try Document(first + more)
    #expect(both.equivalentContents(document))
    #expect(both.heads() == document.heads())
    #expect(try Document(Data()).isEmpty())
  }

  @Test("Damaged bytes are refused, and the error says where (DOC-03)")
  func damaged() throws {
    let document = Document()
    try document.put(obj: .ROOT, key: "a", value: .String("text"))
    var bytes = document.save()
    bytes[bytes.count - 1] ^= 1
    let error = #expect(throws: LoadError.self) { _ = try Document(bytes) }
    #expect(error?.reason == "the checksum is not that of the content")
    #expect(error?.errorDescription?.hasPrefix("Error loading a document: ") == true)
    #expect(throws: LoadError.self) { _ = try Document(Data([1, 2, 3])) }
    let empty = Document()
    #expect(throws: DocError.self) { try empty.applyEncodedChanges(encoded: bytes) }
    #expect(try empty.isEmpty())
  }

  @Test("A loaded document counts scalars unless it is told otherwise (DOC-02, DOC-03)")
  func encodingAfterLoading() throws {
    let document = Document(textEncoding: .utf16)
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "a😀b")
    let saved = document.save()
    #expect(document.length(obj: text) == 4)
    #expect(try Document(saved).length(obj: text) == 3)
    for (encoding, length) in [
      (TextEncoding.utf8, 6), (.utf16, 4), (.unicodeScalar, 3), (.graphemeCluster, 3),
    ] {
      let loaded = try Document(saved, textEncoding: encoding)
      #expect(loaded.textEncoding == encoding)
      #expect(loaded.length(obj: text) == UInt64(length))
      try loaded.spliceText(obj: text, start: UInt64(length) - 1, delete: 1, value: "c")
      #expect(try loaded.text(obj: text) == "a😀c")
      let received = Document(textEncoding: encoding)
      try received.applyEncodedChanges(encoded: saved)
      #expect(received.length(obj: text) == UInt64(length))
      #expect(loaded.fork().textEncoding == encoding)
    }
  }

  @Test("New changes are those since the last save, load or call (DOC-05)")
  func newChanges() throws {
    let document = Document()
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    let other = try Document(document.save())
    #expect(document.encodeNewChanges().isEmpty)
    try document.put(obj: .ROOT, key: "b", value: .Int(2))
    try other.applyEncodedChanges(encoded: document.encodeNewChanges())
    #expect(document.encodeNewChanges().isEmpty)
    #expect(other.heads() == document.heads())
  }

  @Test("Changes since heads are those beyond them; none is no bytes (DOC-06, DOC-07)")
  func changesSince() throws {
    let document = Document()
    #expect(try document.encodeChangesSince(heads: []).isEmpty)
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    let before = document.heads()
    let other = document.fork()
    try document.put(obj: .ROOT, key: "b", value: .Int(2))
    try document.put(obj: .ROOT, key: "c", value: .String(String(repeating: "long ", count: 90)))
    #expect(try document.encodeChangesSince(heads: document.heads()).isEmpty)
    let bytes = try document.encodeChangesSince(heads: before)
    #expect(bytes.count < 300)
    try other.applyEncodedChanges(encoded: bytes)
    #expect(other.heads() == document.heads())
    try other.applyEncodedChanges(encoded: Data())
    try other.applyEncodedChanges(encoded: bytes + bytes)
    #expect(other.getHistory() == document.getHistory())
  }

  @Test("A fork has the history and an actor of its own; at heads, only what they hold (DOC-08)")
  func forks() throws {
    let document = Document()
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    let before = document.heads()
    try document.put(obj: .ROOT, key: "b", value: .Int(2))
    let fork = document.fork()
    #expect(fork.actor != document.actor)
    #expect(fork.getHistory() == document.getHistory())
    let past = try document.forkAt(heads: before)
    #expect(past.keys(obj: .ROOT) == ["a"])
    #expect(past.heads() == before)
    let stranger = Document()
    try stranger.put(obj: .ROOT, key: "x", value: .Null)
    let unknown = try #require(stranger.heads().first)
    let error = #expect(throws: DocError.self) { _ = try document.forkAt(heads: [unknown]) }
    #expect(error?.kind == .unknownChange(unknown))
  }

  @Test("A merge brings the other's changes and leaves the other as it was (DOC-09)")
  func merge() throws {
    let document = Document()
    let other = document.fork()
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    try other.put(obj: .ROOT, key: "b", value: .Int(2))
    let theirs = other.heads()
    try document.merge(other: other)
    #expect(document.keys(obj: .ROOT) == ["a", "b"])
    #expect(other.keys(obj: .ROOT) == ["b"])
    #expect(other.heads() == theirs)
  }

  @Test("Merging with itself does nothing (DOC-10)")
  func mergeWithItself() throws {
    let document = Document()
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    let heads = document.heads()
    try document.merge(other: document)
    #expect(document.heads() == heads)
  }

  @Test("One actor in two places is refused, and nothing is taken in")
  func duplicateActor() throws {
    let document = Document()
    let other = Document()
    other.actor = document.actor
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    try other.put(obj: .ROOT, key: "b", value: .Int(2))
    let heads = document.heads()
    let error = #expect(throws: DocError.self) { try document.merge(other: other) }
    guard case .refusedChanges = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(document.heads() == heads)
    #expect(document.keys(obj: .ROOT) == ["a"])
  }

  @Test("Asking for heads closes the open change (DOC-11)")
  func headsCommit() throws {
    let document = Document()
    for number in 0..<3 {
      try document.put(obj: .ROOT, key: "n", value: .Int(Int64(number)))
      #expect(document.heads().count == 1)
    }
    #expect(document.getHistory().count == 3)
  }

  @Test("Concurrent edits leave two heads, the next edit one (DOC-12)")
  func twoHeads() throws {
    let document = Document()
    let other = document.fork()
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    try other.put(obj: .ROOT, key: "b", value: .Int(2))
    try document.merge(other: other)
    #expect(document.heads().count == 2)
    try document.put(obj: .ROOT, key: "c", value: .Int(3))
    #expect(document.heads().count == 1)
  }

  @Test("History lists every change behind those it depends on (DOC-13, DOC-14)")
  func history() throws {
    let document = Document()
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    let other = document.fork()
    try document.put(obj: .ROOT, key: "b", value: .Int(2))
    try other.put(obj: .ROOT, key: "c", value: .Int(3))
    try document.merge(other: other)
    try document.put(obj: .ROOT, key: "d", value: .Int(4))
    let history = document.getHistory()
    #expect(history.count == 4)
    var seen: Set<ChangeHash> = []
    for hash in history {
      let change = try #require(document.change(hash: hash))
      #expect(change.hash == hash)
      #expect(Set(change.deps).isSubset(of: seen))
      seen.insert(hash)
      let lone = Document()
      try lone.applyEncodedChanges(encoded: change.bytes)
    }
    let lastHash = try #require(history.last)
    let last = try #require(document.change(hash: lastHash))
    #expect(last.deps.count == 2)
    #expect(last.deps == last.deps.sorted())
    #expect(last.actorId == document.actor)
    #expect(Document().change(hash: last.hash) == nil)
  }

  @Test("A commit has a message and whole seconds; without edits there is none (DOC-15)")
  func commits() throws {
    let document = Document()
    document.commitWith(message: "nothing")
    #expect(document.getHistory().isEmpty)
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    document.commitWith(message: "first", timestamp: Date(timeIntervalSince1970: 12.9))
    try document.put(obj: .ROOT, key: "a", value: .Int(2))
    document.commitWith(timestamp: Date(timeIntervalSince1970: -12.9))
    try document.put(obj: .ROOT, key: "a", value: .Int(3))
    let before = Date()
    document.commitWith()
    let changes = try document.getHistory().map { try #require(document.change(hash: $0)) }
    #expect(changes.map(\.message) == ["first", nil, nil])
    #expect(changes[0].timestamp == Date(timeIntervalSince1970: 12))
    #expect(changes[1].timestamp == Date(timeIntervalSince1970: -12))
    #expect(abs(changes[2].timestamp.timeIntervalSince(before)) < 5)
  }

  @Test("No time that a commit is given traps")
  func wildTimes() throws {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      let document = Document()
      try document.put(obj: .ROOT, key: "a", value: .Int(1))
      document.commitWith(timestamp: Date(timeIntervalSince1970: seconds))
      #expect(try Document(document.save()).getHistory() == document.getHistory())
    }
  }

  @Test("Setting the actor closes the open change (DOC-16)")
  func actor() throws {
    let document = Document()
    let first = document.actor
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    let second = ActorId()
    document.actor = second
    #expect(document.actor == second)
    try document.put(obj: .ROOT, key: "b", value: .Int(2))
    let writers = document.getHistory().compactMap { document.change(hash: $0)?.actorId }
    #expect(writers == [first, second])
  }

  @Test("Heads travel as bytes, in descending order (DOC-17)")
  func headBytes() throws {
    let document = Document()
    let other = document.fork()
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    try other.put(obj: .ROOT, key: "b", value: .Int(2))
    try document.merge(other: other)
    let heads = document.heads()
    let raw = heads.raw()
    #expect(raw.count == 64)
    #expect(raw.heads() == heads)
    #expect(raw.prefix(32) == heads.max()?.bytes)
    #expect(Data([9] + raw).dropFirst().heads() == heads)
    #expect(Data().heads() == [])
    #expect(raw.dropLast().heads() == nil)
  }

  @Test("Saved bytes come with the heads that they hold")
  func saveWithHeads() throws {
    let document = Document()
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    let (bytes, heads) = document.saveWithHeads()
    try document.put(obj: .ROOT, key: "a", value: .Int(2))
    #expect(try Document(bytes).heads() == heads)
    #expect(document.heads() != heads)
  }

  @Test("The same scalar again makes no operation (DOC-19)")
  func samePut() throws {
    let document = Document()
    for value in Samples.scalars {
      try document.put(obj: .ROOT, key: "a", value: value)
      let heads = document.heads()
      try document.put(obj: .ROOT, key: "a", value: value)
      #expect(document.heads() == heads, "\(value)")
    }
  }
}

/// Values that several suites use.
enum Samples {
  static let scalars: [ScalarValue] = [
    .Bytes(Data([0, 255])), .String("ä"), .Uint(.max), .Int(.min), .F64(1.25), .Counter(7),
    .Timestamp(Date(timeIntervalSince1970: 1234.567)), .Boolean(true),
    .Unknown(typeCode: 11, data: Data([1, 2])), .Null,
  ]

  /// An object id that no other document knows.
  static func foreignID(_ type: ObjType = .Map) throws -> ObjId {
    try Document().putObject(obj: .ROOT, key: "foreign", ty: type)
  }
}
