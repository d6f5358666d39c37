import Testing

@testable import MergeEngine

@Suite("Edits")
struct EditTests {
  @Test("Calls that do not fit are refused and make no operation")
  func refusals() throws {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("t"), .text)
    let list = try document.putObject(.root, .key("l"), .list)
    try document.spliceText(text, at: 0, delete: 0, insert: "abc")
    let before = document.pendingOpCount
    let stranger = ObjectID(OpID(counter: 9, actor: actor(9)))
    #expect(throws: EditError.unknownObject(stranger)) {
      try document.put(stranger, .key("k"), .null)
    }
    #expect(throws: EditError.invalidOperation(kind: .map)) {
      try document.put(.root, .index(0), .null)
    }
    #expect(throws: EditError.invalidOperation(kind: .list)) {
      try document.put(list, .key("k"), .null)
    }
    #expect(throws: EditError.invalidOperation(kind: .map)) {
      try document.insert(.root, at: 0, .null)
    }
    #expect(throws: EditError.invalidOperation(kind: .list)) {
      try document.spliceText(list, at: 0, delete: 0, insert: "x")
    }
    #expect(throws: EditError.indexOutOfBounds(index: 0, length: 0)) {
      try document.put(list, .index(0), .null)
    }
    #expect(throws: EditError.indexOutOfBounds(index: 4, length: 3)) {
      try document.spliceText(text, at: 4, delete: 0, insert: "x")
    }
    #expect(throws: EditError.indexOutOfBounds(index: -1, length: 3)) {
      try document.spliceText(text, at: 1, delete: -2)
    }
    #expect(throws: EditError.indexOutOfBounds(index: .min, length: 3)) {
      try document.spliceText(text, at: .min, delete: .min)
    }
    #expect(throws: EditError.notACounter) {
      try document.increment(.root, .key("t"), by: 1)
    }
    #expect(throws: EditError.invalidScalar) {
      try document.put(.root, .key("u"), .unknown(code: 3, bytes: []))
    }
    #expect(document.pendingOpCount == before)
    #expect(try document.text(text) == "abc")
  }

  @Test("The same value again makes no operation; another type does")
  func repeatedPuts() throws {
    let document = MergeDocument(actor: actor(1))
    func ops(_ value: Scalar) throws -> Int {
      let before = document.pendingOpCount
      try document.put(.root, .key("k"), value)
      return document.pendingOpCount - before
    }
    #expect(try ops(.int(1)) == 1)
    #expect(try ops(.int(1)) == 0)
    #expect(try ops(.uint(1)) == 1)
    #expect(try ops(.double(0.0)) == 1)
    #expect(try ops(.double(-0.0)) == 0)
    #expect(try ops(.double(.nan)) == 1)
    #expect(try ops(.double(.nan)) == 1)
    #expect(try ops(.string("")) == 1)
    #expect(try ops(.null) == 1)
    #expect(try ops(.null) == 0)
    try document.delete(.root, .key("absent"))
    #expect(try ops(.null) == 0)
  }

  @Test(
    "Indexes count the document's units",
    arguments: [
      (TextUnit.scalar, 6), (.utf8, 16), (.utf16, 7), (.grapheme, 4),
    ]
  )
  func units(_ unit: TextUnit, _ length: Int) throws {
    let document = MergeDocument(actor: actor(1), unit: unit)
    let text = try document.putObject(.root, .key("t"), .text)
    // Two scalars in one cluster; one of four bytes; plain letters.
    try document.spliceText(text, at: 0, delete: 0, insert: "e\u{301}漢😀az")
    #expect(try document.length(text) == length - (unit == .grapheme ? -1 : unit == .utf8 ? 4 : 0))
    try document.core.checkInvariants()
    let end = try document.length(text)
    try document.spliceText(text, at: end - 1, delete: 1, insert: "!")
    #expect(try document.text(text) == "e\u{301}漢😀a!")
    try document.spliceText(text, at: 0, delete: 1)
    #expect(try document.text(text).hasSuffix("漢😀a!"))
    let loaded = try MergeDocument(loading: document.save(), actor: actor(2), unit: unit)
    #expect(try loaded.length(text) == document.length(text))
    try loaded.core.checkInvariants()
  }

  @Test("Counters add concurrent increments; other values are hidden by them")
  func counters() throws {
    let left = MergeDocument(actor: actor(1))
    try left.put(.root, .key("c"), .counter(10))
    let right = left.fork(actor: actor(2))
    try left.increment(.root, .key("c"), by: 5)
    try right.increment(.root, .key("c"), by: -3)
    try left.merge(right)
    try right.merge(left)
    for document in [left, right] {
      #expect(try document.get(.root, .key("c"))?.value == .scalar(.counter(12)))
    }
    try left.put(.root, .key("max"), .counter(.max))
    try left.increment(.root, .key("max"), by: 1)
    #expect(try left.get(.root, .key("max"))?.value == .scalar(.counter(.min)))
  }

  @Test("Concurrent values are all there, the greatest id wins, and one write ends it")
  func conflicts() throws {
    let left = MergeDocument(actor: actor(1))
    let right = MergeDocument(actor: actor(2))
    try left.put(.root, .key("k"), .string("left"))
    try right.put(.root, .key("k"), .string("right"))
    try left.merge(right)
    let all = try left.getAll(.root, .key("k"))
    #expect(all.map(\.value) == [.scalar(.string("left")), .scalar(.string("right"))])
    #expect(try left.get(.root, .key("k")) == all.last)
    try left.put(.root, .key("k"), .string("right"))
    #expect(try left.getAll(.root, .key("k")).count == 1)
  }

  @Test("Paths lead from the root to an object")
  func paths() throws {
    let document = MergeDocument(actor: actor(1))
    let list = try document.putObject(.root, .key("l"), .list)
    try document.splice(list, at: 0, delete: 0, insert: [.int(1), .int(2), .int(3)])
    let map = try document.insertObject(list, at: 2, .map)
    let text = try document.putObject(map, .key("t"), .text)
    try document.delete(list, .index(0))
    let path = try document.path(of: text)
    #expect(path.map(\.object) == [.root, list, map])
    #expect(path.map(\.prop) == [.key("l"), .index(1), .key("t")])
    #expect(try document.path(of: .root).isEmpty)
    try document.splice(list, at: 2, delete: -2, insert: [.bool(true)])
    #expect(try document.values(list).map(\.value) == [.scalar(.bool(true)), .scalar(.int(3))])
  }

  @Test("A splice whose insertion is refused has deleted nothing")
  func refusedSplices() throws {
    var limits = DocumentLimits()
    limits.emptyElementLimit = 1
    let document = MergeDocument(actor: actor(1), limits: limits)
    let list = try document.putObject(.root, .key("l"), .list)
    try document.splice(list, at: 0, delete: 0, insert: [.int(1), .int(2)])
    let before = document.pendingOpCount
    #expect(throws: EditError.limitExceeded(.emptyElementLimit)) {
      try document.splice(list, at: 0, delete: 1, insert: [.int(3), .null, .null])
    }
    #expect(document.pendingOpCount == before)
    #expect(try document.values(list).map(\.value) == [.scalar(.int(1)), .scalar(.int(2))])

    let text = try document.putObject(.root, .key("t"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: "abc")
    document.commit()
    document.core.maxOp = .max - 3
    #expect(throws: EditError.counterOverflow) {
      try document.spliceText(text, at: 1, delete: 1, insert: "xyz")
    }
    #expect(document.pendingOpCount == 0)
    #expect(try document.text(text) == "abc")
    try document.core.checkInvariants()
  }

  @Test("An object made after a rollback shows its own keys, not those of the one taken back")
  func objectsAfterRollback() throws {
    let document = MergeDocument(actor: actor(1))
    func make() throws -> ObjectID {
      let object = try document.putObject(.root, .key("m"), .map)
      try document.put(object, .key("k"), .int(5))
      return object
    }
    _ = try make()
    document.rollback()
    let object = try make()
    // The register behind "m" was that of "k" in the object taken back.
    #expect(try document.value(.root, key: "m") == .object(object, .map))
    #expect(try document.value(object, key: "k") == .scalar(.int(5)))
  }

  @Test("A map has nothing of a list that was taken back, or refused", arguments: [true, false])
  func mapAfterList(_ isOwn: Bool) throws {
    let document = MergeDocument(actor: actor(1))
    let writer = isOwn ? document : MergeDocument(actor: actor(2))
    let list = try writer.putObject(.root, .key("m"), .list)
    try writer.insert(list, at: 0, .int(1))
    // The element gets a register, behind that of "m".
    try writer.put(list, .index(0), .int(2))
    if isOwn {
      document.rollback()
    } else {
      #expect(throws: ChunkError.self) { try document.applyChanges(writer.changeBytes() + [[0]]) }
    }
    let map = try document.putObject(.root, .key("m"), .map)
    #expect(try document.value(.root, key: "m") == .object(map, .map))
    #expect(try document.value(map, key: "k") == nil)
    try document.core.checkInvariants()
  }

  @Test("Long texts keep their tree sound through random splices")
  func longTexts() throws {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("t"), .text)
    var model: [Character] = []
    var random = SplitMix(31)
    for step in 0..<3_000 {
      let at = random.below(model.count + 1)
      let deleted = min(random.below(6), model.count - at)
      let letters = (0..<random.below(5)).map { _ in Character(random.letter()) }
      try document.spliceText(text, at: at, delete: deleted, insert: String(letters))
      model.replaceSubrange(at..<at + deleted, with: letters)
      if step % 250 == 0 { try document.core.checkInvariants() }
    }
    #expect(try document.text(text) == String(model))
    try document.core.checkInvariants()
    document.rollback()
    try document.core.checkInvariants()
    #expect(document.heads.isEmpty)
  }
}
