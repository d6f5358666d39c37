import AutomergeDocument
import Foundation
import Testing

@Suite("Patches of documents")
struct PatchTests {
  private func text(_ content: String) throws -> (Document, ObjId) {
    let document = Document()
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: content)
    return (document, text)
  }

  private let put = Patch(
    action: .Put(.ROOT, .Key("key"), .Scalar(.String("value"))),
    path: []
  )

  @Test("PAT-01: A merge gives what it did as patches")
  func merge() throws {
    let document = Document()
    let other = document.fork()
    try other.put(obj: .ROOT, key: "key", value: .String("value"))
    #expect(try document.mergeWithPatches(other: other) == [put])
    #expect(try document.mergeWithPatches(other: other) == [])
    #expect(try document.mergeWithPatches(other: document) == [])
  }

  @Test("PAT-02: Changes that are applied give patches")
  func apply() throws {
    let document = Document()
    let other = document.fork()
    try other.put(obj: .ROOT, key: "key", value: .String("value"))
    let bytes = other.encodeNewChanges()
    #expect(try document.applyEncodedChangesWithPatches(encoded: bytes) == [put])
    #expect(try document.applyEncodedChangesWithPatches(encoded: Data()) == [])
    #expect(throws: DocError.self) {
      try document.applyEncodedChangesWithPatches(encoded: Data("garbage".utf8))
    }
  }

  @Test("PAT-03: Sync messages give patches")
  func sync() throws {
    let (left, right) = (Document(), Document())
    try right.put(obj: .ROOT, key: "key", value: .String("value"))
    let (leftState, rightState) = (SyncState(), SyncState())
    var patches: [Patch] = []
    for _ in 0..<5 {
      if let message = left.generateSyncMessage(state: leftState) {
        try right.receiveSyncMessage(state: rightState, message: message)
      }
      if let message = right.generateSyncMessage(state: rightState) {
        patches += try left.receiveSyncMessageWithPatches(state: leftState, message: message)
      }
    }
    #expect(patches == [put])
    #expect(throws: ReceiveSyncError.self) {
      try left.receiveSyncMessageWithPatches(state: leftState, message: Data([1]))
    }
  }

  @Test("PAT-04: A difference goes both ways; what lies side by side is one patch")
  func bothWays() throws {
    let (document, text) = try text("0")
    let before = document.heads()
    try document.spliceText(obj: text, start: 1, delete: 0, value: "1")
    try document.spliceText(obj: text, start: 2, delete: 0, value: "23")
    try document.spliceText(obj: text, start: 0, delete: 0, value: "<")
    let after = document.heads()
    let path = [PathElement(obj: .ROOT, prop: .Key("text"))]
    let there = document.difference(from: before, to: after)
    #expect(
      there == [
        Patch(action: .SpliceText(obj: text, index: 0, value: "<", marks: [:]), path: path),
        Patch(action: .SpliceText(obj: text, index: 2, value: "123", marks: [:]), path: path),
      ]
    )
    let back = document.difference(from: after, to: before)
    #expect(
      back == [
        Patch(action: .DeleteSeq(DeleteSeq(obj: text, index: 0, length: 1)), path: path),
        Patch(action: .DeleteSeq(DeleteSeq(obj: text, index: 1, length: 3)), path: path),
      ]
    )
  }

  @Test("Patches of objects that nest deeply share their paths, and equal those made by hand")
  func deepPaths() throws {
    let document = Document()
    var objects = [ObjId.ROOT]
    // Each with a path of its own, they would take tens of gigabytes.
    let depth = 50_000
    for _ in 0..<depth {
      objects.append(try document.putObject(obj: objects[objects.count - 1], key: "k", ty: .Map))
    }
    let patches = document.difference(from: [], to: document.heads())
    #expect(patches.count == depth)
    let last = try #require(patches.last)
    let path = objects.dropLast(2).map { PathElement(obj: $0, prop: .Key("k")) }
    #expect(path.count == depth - 1)
    #expect(last == Patch(action: last.action, path: path))
    #expect(last != Patch(action: last.action, path: path.dropLast()))
    #expect(Set([last, Patch(action: last.action, path: path)]).count == 1)
  }

  @Test("PAT-05: Since and to are relative to now, and close the open change")
  func relative() throws {
    let document = Document()
    let before = document.heads()
    try document.put(obj: .ROOT, key: "key", value: .String("value"))
    #expect(document.difference(since: before) == [put])
    #expect(document.difference(to: before) == [Patch(action: .DeleteMap(.ROOT, "key"), path: [])])
    #expect(document.difference(since: document.heads()) == [])
    #expect(document.difference(from: before, to: document.heads()) == [put])
  }

  @Test("PAT-06, TXT-10: There are eight actions, and typed text carries the marks over it")
  func actions() throws {
    let (document, text) = try text("hello")
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    for value in 1...3 as ClosedRange<Int64> {
      try document.insert(obj: list, index: UInt64(value) - 1, value: .Int(value))
    }
    try document.put(obj: .ROOT, key: "gone", value: .Null)
    try document.put(obj: .ROOT, key: "count", value: .Counter(1))
    let before = document.heads()
    let other = document.fork()
    document.actor = try #require(ActorId(data: Data([2])))
    other.actor = try #require(ActorId(data: Data([1])))
    try document.put(obj: .ROOT, key: "both", value: .Int(1))
    let middle = document.heads()
    try other.put(obj: .ROOT, key: "both", value: .Int(2))
    try document.merge(other: other)
    try document.mark(
      obj: text,
      start: 1,
      end: 3,
      expand: .after,
      name: "b",
      value: .Boolean(true)
    )
    try document.spliceText(obj: text, start: 3, delete: 0, value: "XY")
    try document.increment(obj: .ROOT, key: "count", by: 4)
    try document.delete(obj: .ROOT, key: "gone")
    try document.put(obj: list, index: 0, value: .Int(9))
    try document.delete(obj: list, index: 1)
    try document.insert(obj: list, index: 2, value: .Int(7))
    try document.insert(obj: list, index: 3, value: .Int(8))
    let (textPath, listPath) = (
      [PathElement(obj: .ROOT, prop: .Key("text"))], [PathElement(obj: .ROOT, prop: .Key("list"))]
    )
    let bold: [String: Value] = ["b": .Scalar(.Boolean(true))]
    let mark = Mark(start: 1, end: 3, name: "b", value: .Boolean(true))
    #expect(
      document.difference(since: middle) == [
        Patch(action: .Conflict(.ROOT, .Key("both")), path: []),
        Patch(action: .Increment(.ROOT, .Key("count"), 4), path: []),
        Patch(action: .DeleteMap(.ROOT, "gone"), path: []),
        Patch(action: .SpliceText(obj: text, index: 3, value: "XY", marks: bold), path: textPath),
        Patch(action: .Marks(text, [mark]), path: textPath),
        Patch(action: .Put(list, .Index(0), .Scalar(.Int(9))), path: listPath),
        Patch(action: .DeleteSeq(DeleteSeq(obj: list, index: 1, length: 1)), path: listPath),
        Patch(
          action: .Insert(obj: list, index: 2, values: [.Scalar(.Int(7)), .Scalar(.Int(8))]),
          path: listPath
        ),
      ]
    )
    let unmarked = Mark(start: 1, end: 3, name: "b", value: .Null)
    let back = document.difference(to: before)
    #expect(back.contains(Patch(action: .Marks(text, [unmarked]), path: textPath)))
    #expect(back.contains(Patch(action: .Increment(.ROOT, .Key("count"), -4), path: [])))
  }

  @Test("What is shown again is written out whole, the holder before what it holds")
  func exposed() throws {
    let document = Document()
    let map = try document.putObject(obj: .ROOT, key: "map", ty: .Map)
    let list = try document.putObject(obj: map, key: "list", ty: .List)
    try document.insert(obj: list, index: 0, value: .Int(1))
    let before = document.heads()
    try document.delete(obj: .ROOT, key: "map")
    #expect(
      document.difference(to: before) == [
        Patch(action: .Put(.ROOT, .Key("map"), .Object(map, .Map)), path: []),
        Patch(
          action: .Put(map, .Key("list"), .Object(list, .List)),
          path: [PathElement(obj: .ROOT, prop: .Key("map"))]
        ),
        Patch(
          action: .Insert(obj: list, index: 0, values: [.Scalar(.Int(1))]),
          path: [
            PathElement(obj: .ROOT, prop: .Key("map")), PathElement(obj: map, prop: .Key("list")),
          ]
        ),
      ]
    )
  }
}
