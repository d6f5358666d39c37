import AutomergeDocument
import Foundation
import MergeEngine
import Synchronization
import Testing

/// Events in the order in which they were heard.
private final class Diary: Sendable {
  private let events = Mutex<[DocumentEvent]>([])

  func write(_ event: DocumentEvent) { events.withLock { $0.append(event) } }

  /// What was written since the last call.
  func read() -> [DocumentEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}

@Suite("Observation")
struct ObservationTests {
  @Test("An observer that edits in every call is refused in time", arguments: [1, 3])
  func editsWithoutEnd(_ observerCount: Int) throws {
    let document = Document()
    let refusals = Mutex<[DocError.Kind]>([])
    let tokens = (0..<observerCount).map { number in
      document.observe { [weak document] event in
        do {
          try document?.put(obj: .ROOT, key: "\(number)", value: .Uint(event.mutation))
          document?.commitWith()
          try document?.applyEncodedChanges(encoded: Data())
        } catch {
          let kind = (error as? DocError)?.kind
          refusals.withLock { $0.append(kind ?? .notACounter) }
        }
      }
    }
    try document.put(obj: .ROOT, key: "k", value: .Null)
    let (kinds, count) = refusals.withLock { (Set($0), $0.count) }
    #expect(kinds == [.observersNested(32)])
    #expect(count <= 128 * observerCount * observerCount)
    // Thereafter all is as before: one edit, told again.
    for token in tokens { token.cancel() }
    let diary = Diary()
    let token = document.observe { diary.write($0) }
    try document.put(obj: .ROOT, key: "k", value: .Boolean(true))
    #expect(diary.read().map(\.phase) == [.will, .did])
    token.cancel()
    #expect(try document.get(obj: .ROOT, key: "k") == .Scalar(.Boolean(true)))
  }

  @Test("Documents of more than a million alike rows are told of as any others")
  func alikeRows() throws {
    let writer = MergeDocument(actor: MergeEngine.ActorID([1]))
    let list = try writer.putObject(.root, .key("bits"), .list)
    let bits = [Scalar](repeating: .bool(false), count: 1_200_000)
    try writer.splice(list, at: 0, delete: 0, insert: bits)
    let saved = Data(writer.save())
    let document = Document()
    let diary = Diary()
    let token = document.observe { diary.write($0) }
    try document.applyEncodedChanges(encoded: saved)
    #expect(diary.read().map(\.phase) == [.will, .did])
    // As what every peer sends to one that has nothing.
    let (sender, receiver) = (try Document(saved), Document())
    let other = receiver.observe { diary.write($0) }
    let (sent, received) = (SyncState(), SyncState())
    for _ in 0..<6 {
      if let message = receiver.generateSyncMessage(state: received) {
        try sender.receiveSyncMessage(state: sent, message: message)
      }
      if let message = sender.generateSyncMessage(state: sent) {
        try receiver.receiveSyncMessage(state: received, message: message)
      }
    }
    #expect(receiver.heads() == sender.heads())
    token.cancel()
    other.cancel()
  }

  @Test("Each mutating call is told once before and once after, also if it fails or does nothing")
  func pairs() throws {
    let document = Document()
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    let list = try document.putObject(obj: .ROOT, key: "l", ty: .List)
    let other = document.fork()
    try other.put(obj: .ROOT, key: "other", value: .Null)
    let saved = other.save()
    let diary = Diary()
    let token = document.observe(nil) { diary.write($0) }
    func pair(
      _ target: ObjId?,
      _ changed: Set<ObjId>,
      line: Int = #line,
      _ body: () throws -> Void
    ) {
      try? body()
      let events = diary.read()
      #expect(events.map(\.phase) == [.will, .did], "line \(line)")
      #expect(events.map(\.target) == [target, target], "line \(line)")
      #expect(events.map(\.changed) == [[], changed], "line \(line)")
      #expect(Set(events.map(\.mutation)).count == 1, "line \(line)")
    }
    pair(.ROOT, [.ROOT]) { try document.put(obj: .ROOT, key: "k", value: .Counter(1)) }
    pair(.ROOT, []) { try document.put(obj: .ROOT, key: "k", value: .Counter(1)) }
    pair(.ROOT, []) { try document.put(obj: .ROOT, index: 0, value: .Null) }
    pair(.ROOT, [.ROOT]) { _ = try document.putObject(obj: .ROOT, key: "m", ty: .Map) }
    pair(list, [list]) { try document.insert(obj: list, index: 0, value: .Counter(1)) }
    pair(list, [list]) { _ = try document.insertObject(obj: list, index: 0, ty: .Map) }
    pair(list, [list]) { _ = try document.putObject(obj: list, index: 0, ty: .Map) }
    pair(list, [list]) { try document.put(obj: list, index: 0, value: .Null) }
    pair(list, [list]) { try document.increment(obj: list, index: 1, by: 1) }
    pair(.ROOT, [.ROOT]) { try document.increment(obj: .ROOT, key: "k", by: 1) }
    pair(list, [list]) { try document.delete(obj: list, index: 0) }
    pair(.ROOT, []) { try document.delete(obj: .ROOT, key: "absent") }
    pair(list, [list]) { try document.splice(obj: list, start: 0, delete: 1, values: [.Null]) }
    pair(text, [text]) { try document.spliceText(obj: text, start: 0, delete: 0, value: "a") }
    pair(text, [text]) { try document.updateText(obj: text, value: "b") }
    pair(text, []) { try document.updateText(obj: text, value: "b") }
    pair(nil, []) { document.commitWith() }
    pair(nil, [.ROOT]) { try document.merge(other: other) }
    pair(nil, []) { try document.merge(other: other) }
    pair(nil, []) { try document.applyEncodedChanges(encoded: saved) }
    pair(nil, []) { try document.applyEncodedChanges(encoded: Data([1])) }
    pair(nil, [.ROOT, text]) {
      try document.transaction { engine in
        try engine.spliceText(text.engineID, at: 0, delete: 0, insert: "x")
        try document.put(obj: .ROOT, key: "inside", value: .Null)
      }
    }
    token.cancel()
    try document.put(obj: .ROOT, key: "k", value: .Null)
    #expect(diary.read().isEmpty)
  }

  @Test("Reading, saving and forking notify no observer")
  func quiet() throws {
    let document = Document()
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    let diary = Diary()
    let token = document.observe(nil) { diary.write($0) }
    _ = try document.get(obj: .ROOT, key: "t")
    _ = try document.text(obj: text)
    _ = document.heads()
    _ = document.save()
    _ = document.fork()
    _ = try document.forkAt(heads: document.heads())
    _ = document.getHistory()
    _ = document.encodeNewChanges()
    _ = try document.encodeChangesSince(heads: [])
    _ = try document.lookupPath(path: "t")
    #expect(diary.read().isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("An observer of one object hears of that object alone, of merges with what they reached")
  func filtered() throws {
    let document = Document()
    let one = try document.putObject(obj: .ROOT, key: "1", ty: .Text)
    let two = try document.putObject(obj: .ROOT, key: "2", ty: .Text)
    let other = document.fork()
    let diary = Diary()
    let token = document.observe(one) { diary.write($0) }
    try document.spliceText(obj: two, start: 0, delete: 0, value: "a")
    try document.put(obj: .ROOT, key: "k", value: .Null)
    #expect(diary.read().isEmpty)
    try document.spliceText(obj: one, start: 0, delete: 0, value: "a")
    #expect(diary.read().map(\.phase) == [.will, .did])
    try other.spliceText(obj: two, start: 0, delete: 0, value: "b")
    try document.merge(other: other)
    #expect(diary.read().isEmpty)
    try other.spliceText(obj: one, start: 0, delete: 0, value: "b")
    try other.put(obj: .ROOT, key: "k", value: .Null)
    try document.applyEncodedChanges(encoded: other.encodeNewChanges())
    let events = diary.read()
    #expect(events.map(\.phase) == [.will, .did])
    #expect(events.last?.changed == [one, .ROOT])
    withExtendedLifetime(token) {}
  }

  @Test("A merge that brings a whole document says which objects it reached")
  func wholeDocument() throws {
    let document = Document()
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "abc")
    let empty = Document()
    let diary = Diary()
    let token = empty.observe(text) { diary.write($0) }
    try empty.applyEncodedChanges(encoded: document.save())
    #expect(diary.read().last?.changed == [.ROOT, text])
    withExtendedLifetime(token) {}
  }

  @Test("An observer may read and edit the document it hears of (DOC-18)")
  func recursion() throws {
    let document = Document()
    let seen = Mutex<[Int]>([])
    let token = document.observe(nil) { event in
      seen.withLock { $0.append(Int(document.length(obj: .ROOT))) }
      if event.phase == .did, event.mutation < 3 {
        try? document.put(obj: .ROOT, key: "\(event.mutation)", value: .Null)
      }
    }
    try document.put(obj: .ROOT, key: "0", value: .Null)
    #expect(seen.withLock { $0 } == [0, 1, 1, 2, 2, 3])
    token.cancel()
    token.cancel()
  }

  @Test(
    "A stream has every event, of all objects or of one, and ends with the document (BND-21)"
  )
  func streams() async throws {
    let first = Document()
    let text = try first.putObject(obj: .ROOT, key: "t", ty: .Text)
    let all = first.events()
    let some = first.events(of: text)
    var document: Document? = consume first
    try document?.put(obj: .ROOT, key: "k", value: .Null)
    try document?.spliceText(obj: text, start: 0, delete: 0, value: "a")
    document = nil
    var targets: [ObjId?] = []
    for await event in all { targets.append(event.target) }
    #expect(targets == [.ROOT, .ROOT, text, text])
    var phases: [DocumentEvent.Phase] = []
    for await event in some { phases.append(event.phase) }
    #expect(phases == [.will, .did])
  }

  @Test("A stream without a reader is taken off the document")
  func cancelledStream() async throws {
    let document = Document()
    let reader = Task {
      var count = 0
      for await _ in document.events() { count += 1 }
      return count
    }
    reader.cancel()
    let count = await reader.value
    #expect(count == 0)
    try document.put(obj: .ROOT, key: "k", value: .Null)
  }
}
