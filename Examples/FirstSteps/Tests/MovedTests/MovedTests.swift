import Automerge
import AutomergeUtilities
import Foundation
import Testing

/// What is written for automerge-swift compiles and runs as it stands: names, labels and results.
@Test func sourcesMoveUnchanged() throws {
  let mine = Document()
  let text = try mine.putObject(obj: ObjId.ROOT, key: "text", ty: .Text)
  try mine.spliceText(obj: text, start: 0, delete: 0, value: "Hello world")
  let start = mine.heads()

  let expand: ExpandMark = .both
  try mine.mark(
    obj: text,
    start: 0,
    end: 5,
    expand: expand,
    name: "bold",
    value: .Boolean(true)
  )
  let bold = Mark(start: 0, end: 5, name: "bold", value: .Boolean(true))
  #expect(try mine.marks(obj: text) == [bold])
  #expect(try mine.marksAt(obj: text, heads: start) == [])
  #expect(try mine.marksAt(obj: text, position: Position.index(2)).map(\.name) == ["bold"])
  #expect(try mine.marksAt(obj: text, position: .index(2), heads: start).isEmpty)

  let cursor: Cursor = try mine.cursor(obj: text, position: 6)
  let past = try mine.cursor(obj: text, position: 6, heads: start)
  #expect(cursor == past && !cursor.description.isEmpty)
  #expect(try mine.position(obj: text, cursor: cursor) == 6)
  #expect(try mine.position(obj: text, cursor: cursor, heads: start) == 6)
  #expect(try mine.marksAt(obj: text, position: .cursor(cursor)) == [])

  let theirs = mine.fork()
  let shared = mine.heads()
  try theirs.put(obj: ObjId.ROOT, key: "key", value: .Int(1))
  let put = Patch(action: .Put(ObjId.ROOT, .Key("key"), .Scalar(.Int(1))), path: [])
  let changes = theirs.encodeNewChanges()
  #expect(theirs.difference(since: shared) == [put])
  #expect(theirs.difference(from: shared, to: theirs.heads()) == [put])
  #expect(
    theirs.difference(to: shared) == [Patch(action: .DeleteMap(ObjId.ROOT, "key"), path: [])]
  )
  #expect(try mine.fork().mergeWithPatches(other: theirs) == [put])
  #expect(try mine.fork().applyEncodedChangesWithPatches(encoded: changes) == [put])
  for patch in theirs.difference(from: [], to: shared) {
    switch patch.action {
    case .Put(_, _, _), .Insert(obj: _, index: _, values: _), .Increment(_, _, _): break
    case .SpliceText(obj: _, index: _, value: _, marks: _), .DeleteMap(_, _): break
    case .DeleteSeq(let deleted): #expect(deleted == DeleteSeq(obj: text, index: 0, length: 0))
    case .Marks(_, _), .Conflict(_, _): break
    }
    for element in patch.path { #expect(element.obj == ObjId.ROOT && element.prop == .Key("text")) }
  }

  let (left, right) = (SyncState(), SyncState())
  #expect(left.theirHeads == nil)
  var patches: [Patch] = []
  for _ in 0..<5 {
    if let message = theirs.generateSyncMessage(state: right) {
      patches += try mine.receiveSyncMessageWithPatches(state: left, message: message)
    }
    if let message = mine.generateSyncMessage(state: left) {
      try theirs.receiveSyncMessage(state: right, message: message)
    }
  }
  #expect(patches == [put] && mine.heads() == theirs.heads())
  #expect(left.theirHeads == mine.heads())
  let stored: Data = left.encode()
  left.reset()
  #expect(try SyncState(bytes: stored).encode() == left.encode())
  #expect(throws: DecodeSyncStateError.self) { try SyncState(bytes: Data()) }
  #expect(throws: ReceiveSyncError.self) {
    try mine.receiveSyncMessage(state: left, message: Data())
  }

  // Of AutomergeUtilities.
  #expect(try !mine.isEmpty() && mine.equivalentContents(theirs))
}
