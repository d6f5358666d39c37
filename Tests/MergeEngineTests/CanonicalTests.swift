import Testing

@testable import MergeEngine

@Suite("Canonical form of changes of one op")
struct CanonicalTests {
  private func actor(_ number: UInt8) -> ActorID { ActorID([number, number]) }

  /// A document, and changes of one op by another actor, each on top of the one before.
  private func changes() throws -> (MergeDocument, [[UInt8]]) {
    let base = MergeDocument(actor: actor(1))
    let list = try base.putObject(.root, .key("list"), .list)
    try base.insert(list, at: 0, .int(1))
    try base.insert(list, at: 1, .int(2))
    let map = try base.putObject(.root, .key("map"), .map)
    try base.put(.root, .key("count"), .counter(1))
    try base.put(.root, .key("old"), .string("value"))
    base.commit()
    let writer = base.fork(actor: actor(2))
    var changes: [[UInt8]] = []
    for edit in [
      { try writer.put(.root, .key("key"), .int(5)) },
      { try writer.put(.root, .key("key"), .string("of the author alone")) },
      { try writer.put(map, .key("inner"), .double(0.5)) },
      { try writer.put(.root, .key("old"), .bool(true)) },
      { try writer.insert(list, at: 0, .null) },
      { try writer.insert(list, at: 2, .uint(1 << 40)) },
      { try writer.delete(list, .index(1)) },
      { try writer.delete(.root, .key("old")) },
      { try writer.increment(.root, .key("count"), by: -3) },
      { _ = try writer.putObject(map, .key("text"), .text) },
    ] {
      try edit()
      changes.append(try #require(writer.commit().flatMap { writer.changeBytes($0) }))
    }
    return (base, changes)
  }

  /// The content with each column in turn made longer by one byte that adds nothing to its last number.
  private func overlong(_ content: [UInt8]) throws -> [[UInt8]] {
    let start = try withView(of: content) { (view) throws(Fault) in
      var cursor = ByteCursor(view)
      _ = try ChangeHeader(&cursor)
      return cursor.offset
    }
    let count = Int(content[start])
    var end = start + 1 + 2 * count
    var results: [[UInt8]] = []
    for column in 0..<count {
      let spec = content[start + 1 + 2 * column]
      let length = start + 2 + 2 * column
      end += Int(content[length])
      // Texts, flags and values end with no number.
      if [0x15, 0x34, 0x57].contains(spec) { continue }
      var result = content
      result[end - 1] |= 0x80
      result.insert(0, at: end)
      result[length] += 1
      results.append(result)
    }
    return results
  }

  @Test("A number with a byte too many is refused in every column")
  func overlongNumbers() throws {
    let (base, changes) = try changes()
    for (index, change) in changes.enumerated() {
      let before = base.fork(actor: actor(3))
      try before.applyChanges(Array(changes[..<index]))
      let forms = try overlong(content(of: change))
      #expect(forms.count >= 3)
      for form in forms {
        let reader = before.fork(actor: actor(3))
        let error = #expect(throws: ChunkError.self) {
          try reader.applyChanges([changeChunk(form)])
        }
        #expect(error?.reason == .notCanonical)
        #expect(reader.heads == before.heads)
      }
    }
  }

  @Test(
    "Columns of a null, which say what no column says, are refused",
    arguments: [[0x01, 0x02], [0x11, 0x13], [0x71, 0x73]] as [[UInt8]]
  )
  func nullColumns(_ specs: [UInt8]) throws {
    let (base, changes) = try changes()
    // A put into the root, over nothing: it has none of these columns.
    var content = content(of: changes[0])
    let start = try withView(of: content) { (view) throws(Fault) in
      var cursor = ByteCursor(view)
      _ = try ChangeHeader(&cursor)
      return cursor.offset
    }
    let count = Int(content[start])
    let isFirst = specs[0] < content[start + 1]
    let data = isFirst ? start + 1 + 2 * count : content.count
    content.insert(contentsOf: [0, 1, 0, 1], at: data)
    content.insert(
      contentsOf: specs.flatMap { [$0, 2] },
      at: isFirst ? start + 1 : start + 1 + 2 * count
    )
    content[start] += 2
    let reader = base.fork(actor: actor(3))
    let error = #expect(throws: ChunkError.self) { try reader.applyChanges([changeChunk(content)]) }
    #expect(error?.reason == .notCanonical)
    #expect(reader.heads == base.heads)
  }

  @Test("What is accepted of a change with another byte can be written again from a saved document")
  func otherBytes() throws {
    let (base, changes) = try changes()
    var acceptedCount = 0
    for (index, change) in changes.enumerated() {
      let before = base.fork(actor: actor(3))
      try before.applyChanges(Array(changes[..<index]))
      let content = content(of: change)
      for place in content.indices {
        let byte = content[place]
        let others =
          [0, 1, 0x7F, 0x80, 0xFF, byte &+ 1, byte &- 1] + (0..<8).map { byte ^ 1 << UInt8($0) }
        for other in Set(others) where other != byte {
          var form = content
          form[place] = other
          let reader = before.fork(actor: actor(3))
          let altered = changeChunk(form)
          guard (try? reader.applyChanges([altered])) != nil, reader.waitingCount == 0 else {
            continue
          }
          acceptedCount += 1
          let again = try MergeDocument(loading: reader.save(), actor: actor(4))
          #expect(again.heads == reader.heads)
          #expect(again.changeBytes().last == altered)
        }
      }
    }
    // Times, values and keys may be any.
    #expect(acceptedCount > 200)
  }

  @Test("The author as another actor is refused, although the op names it")
  func authorTwice() throws {
    let (base, changes) = try changes()
    // The second change replaces the author's own value: its predecessor's actor has the index 0.
    var content = content(of: changes[1])
    let column: [UInt8] = [0x7F, 1, 0x7F, 0]
    let at = try #require(
      content.indices.dropLast(3).last { Array(content[$0..<($0 + 4)]) == column },
      "the counts and actors of predecessors"
    )
    content[at + 3] = 1
    let start = try withView(of: content) { (view) throws(Fault) in
      var cursor = ByteCursor(view)
      return try ChangeHeader(&cursor).otherActorStart
    }
    content[start - 1] = 1
    content.insert(contentsOf: [2, 2, 2], at: start)
    let reader = base.fork(actor: actor(3))
    try reader.applyChanges([changes[0]])
    let error = #expect(throws: ChunkError.self) { try reader.applyChanges([changeChunk(content)]) }
    #expect(error?.reason == .notCanonical)
  }

  @Test("Another actor that the op does not name is refused")
  func unusedActor() throws {
    let (base, changes) = try changes()
    // The first change is of the author alone: a second actor in its header is named by no op.
    var content = content(of: changes[0])
    let start = try withView(of: content) { (view) throws(Fault) in
      var cursor = ByteCursor(view)
      let header = try ChangeHeader(&cursor)
      #expect(header.otherActorCount == 0)
      return header.otherActorStart
    }
    content[start - 1] = 1
    content.insert(contentsOf: [2, 1, 1], at: start)
    let reader = base.fork(actor: actor(3))
    let error = #expect(throws: ChunkError.self) { try reader.applyChanges([changeChunk(content)]) }
    #expect(error?.reason == .notCanonical)
  }
}
