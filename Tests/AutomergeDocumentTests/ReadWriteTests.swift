import AutomergeDocument
import Foundation
import Testing

@Suite("Reads and writes")
struct ReadWriteTests {
  @Test("Every scalar comes back from maps and lists (CRUD-01, CRUD-16)")
  func scalars() throws {
    let document = Document()
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    for (index, value) in Samples.scalars.enumerated() {
      try document.put(obj: .ROOT, key: "\(index)", value: value)
      try document.insert(obj: list, index: UInt64(index), value: value)
    }
    let loaded = try Document(document.save())
    for (index, value) in Samples.scalars.enumerated() {
      #expect(try loaded.get(obj: .ROOT, key: "\(index)") == .Scalar(value))
      #expect(try loaded.get(obj: list, index: UInt64(index)) == .Scalar(value))
    }
    #expect(throws: DocError.self) {
      try document.put(obj: .ROOT, key: "x", value: .Unknown(typeCode: 3, data: Data()))
    }
    #expect(try document.get(obj: .ROOT, key: "x") == nil)
  }

  @Test("Moments are kept to the nearest millisecond, and do not drift")
  func timestamps() throws {
    let document = Document()
    for milliseconds: Int64 in [
      0, -1, 1, 1_700_000_000_123, -62_135_596_800_001, 253_402_300_799_999,
    ] {
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      try document.put(obj: .ROOT, key: "t", value: .Timestamp(date))
      for _ in 0..<3 {
        let stored = try #require(try document.get(obj: .ROOT, key: "t"))
        guard case .Scalar(.Timestamp(let back)) = stored else {
          Issue.record("\(stored)")
          return
        }
        #expect((back.timeIntervalSince1970 * 1000).rounded() == Double(milliseconds))
        let heads = document.heads()
        try document.put(obj: .ROOT, key: "t", value: .Timestamp(back))
        #expect(document.heads() == heads)
      }
    }
    for wild in [Double.nan, .infinity, 1e30, -1e30] {
      let error = #expect(throws: DocError.self) {
        try document.put(obj: .ROOT, key: "t", value: .Timestamp(Date(timeIntervalSince1970: wild)))
      }
      guard case .invalidScalar = error?.kind else {
        Issue.record("\(wild) gave \(String(describing: error))")
        return
      }
    }
  }

  @Test("Putting an object makes a new one each time (CRUD-02)")
  func freshObjects() throws {
    let document = Document()
    let first = try document.putObject(obj: .ROOT, key: "m", ty: .Map)
    try document.put(obj: first, key: "a", value: .Int(1))
    let second = try document.putObject(obj: .ROOT, key: "m", ty: .Map)
    #expect(first != second)
    #expect(document.length(obj: second) == 0)
    #expect(try document.get(obj: .ROOT, key: "m") == .Object(second, .Map))
    #expect(try document.get(obj: first, key: "a") == .Scalar(.Int(1)))
  }

  @Test("Lists insert up to their length and put below it (CRUD-03, CRUD-04)")
  func lists() throws {
    let document = Document()
    let list = try document.putObject(obj: .ROOT, key: "l", ty: .List)
    try document.insert(obj: list, index: 0, value: .Int(0))
    try document.insert(obj: list, index: 1, value: .Int(2))
    let inner = try document.insertObject(obj: list, index: 1, ty: .Map)
    try document.put(obj: list, index: 0, value: .String("zero"))
    let text = try document.putObject(obj: list, index: 2, ty: .Text)
    #expect(
      try document.values(obj: list)
        == [.Scalar(.String("zero")), .Object(inner, .Map), .Object(text, .Text)]
    )
    try document.delete(obj: list, index: 1)
    #expect(document.length(obj: list) == 2)
    #expect(try document.get(obj: list, index: 2) == nil)
    #expect(try document.get(obj: list, index: .max) == nil)
    for index: UInt64 in [2, 3, UInt64(Int64.max), .max] {
      let error = #expect(throws: DocError.self) {
        try document.put(obj: list, index: index, value: .Null)
      }
      #expect(error?.kind == .indexOutOfBounds(index: Int(clamping: index), length: 2))
      #expect(throws: DocError.self) { try document.delete(obj: list, index: index) }
      if index > 2 {
        #expect(throws: DocError.self) {
          try document.insert(obj: list, index: index, value: .Null)
        }
      }
    }
  }

  @Test("A call that does not fit the object is refused (CRUD-05)")
  func wrongKind() throws {
    let document = Document()
    let list = try document.putObject(obj: .ROOT, key: "l", ty: .List)
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    func refused(_ type: ObjType, _ body: () throws -> Void) {
      let error = #expect(throws: DocError.self) { try body() }
      #expect(error?.kind == .wrongObjectType(type))
    }
    refused(.Map) { try document.put(obj: .ROOT, index: 0, value: .Null) }
    refused(.List) { try document.put(obj: list, key: "k", value: .Null) }
    refused(.Map) { _ = try document.putObject(obj: .ROOT, index: 0, ty: .Map) }
    refused(.List) { _ = try document.putObject(obj: list, key: "k", ty: .Map) }
    refused(.Map) { try document.insert(obj: .ROOT, index: 0, value: .Null) }
    refused(.Map) { _ = try document.insertObject(obj: .ROOT, index: 0, ty: .Map) }
    refused(.Map) { try document.delete(obj: .ROOT, index: 0) }
    refused(.List) { try document.delete(obj: list, key: "k") }
    refused(.Map) { try document.increment(obj: .ROOT, index: 0, by: 1) }
    refused(.List) { try document.increment(obj: list, key: "k", by: 1) }
    refused(.Map) { _ = try document.get(obj: .ROOT, index: 0) }
    refused(.List) { _ = try document.get(obj: list, key: "k") }
    refused(.Text) { _ = try document.getAll(obj: text, key: "k") }
    refused(.Map) { _ = try document.getAllAt(obj: .ROOT, index: 0, heads: []) }
    refused(.List) { _ = try document.getAt(obj: list, key: "k", heads: []) }
    refused(.List) { _ = try document.mapEntries(obj: list) }
    refused(.List) { _ = try document.text(obj: list) }
    refused(.Map) { _ = try document.text(obj: .ROOT) }
    refused(.List) { try document.spliceText(obj: list, start: 0, delete: 0, value: "x") }
    refused(.List) { try document.updateText(obj: list, value: "x") }
    refused(.Text) { try document.splice(obj: text, start: 0, delete: 0, values: [.Null]) }
    refused(.Map) { try document.splice(obj: .ROOT, start: 0, delete: 0, values: []) }
  }

  @Test("An id of another document is refused and never trapped on")
  func foreignIDs() throws {
    let document = Document()
    let foreign = try Samples.foreignID(.Text)
    func refused(_ body: () throws -> Void) {
      let error = #expect(throws: DocError.self) { try body() }
      #expect(error?.kind == .unknownObject(foreign))
    }
    refused { try document.put(obj: foreign, key: "k", value: .Null) }
    refused { try document.insert(obj: foreign, index: 0, value: .Null) }
    refused { try document.delete(obj: foreign, key: "k") }
    refused { try document.increment(obj: foreign, key: "k", by: 1) }
    refused { try document.splice(obj: foreign, start: 0, delete: 0, values: []) }
    refused { try document.spliceText(obj: foreign, start: 0, delete: 0) }
    refused { try document.updateText(obj: foreign, value: "") }
    refused { _ = try document.get(obj: foreign, key: "k") }
    refused { _ = try document.getAll(obj: foreign, index: 0) }
    refused { _ = try document.values(obj: foreign) }
    refused { _ = try document.mapEntries(obj: foreign) }
    refused { _ = try document.text(obj: foreign) }
    refused { _ = try document.path(obj: foreign) }
    #expect(document.keys(obj: foreign).isEmpty)
    #expect(document.length(obj: foreign) == 0)
    #expect(document.lengthAt(obj: foreign, heads: []) == 0)
    #expect(document.objectType(obj: foreign) == .Text)
    #expect(document.heads().isEmpty)
  }

  @Test("Deleting an absent key does nothing (CRUD-06)")
  func absentKey() throws {
    let document = Document()
    try document.delete(obj: .ROOT, key: "absent")
    #expect(document.heads().isEmpty)
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    try document.delete(obj: .ROOT, key: "a")
    #expect(try document.get(obj: .ROOT, key: "a") == nil)
  }

  @Test("Increments add up, and need a counter (CRUD-07)")
  func increments() throws {
    let document = Document()
    try document.put(obj: .ROOT, key: "c", value: .Counter(1))
    try document.put(obj: .ROOT, key: "i", value: .Int(1))
    let list = try document.putObject(obj: .ROOT, key: "l", ty: .List)
    try document.insert(obj: list, index: 0, value: .Counter(5))
    let other = document.fork()
    try document.increment(obj: .ROOT, key: "c", by: 3)
    try other.increment(obj: .ROOT, key: "c", by: -10)
    try other.increment(obj: list, index: 0, by: 2)
    try document.merge(other: other)
    #expect(try document.get(obj: .ROOT, key: "c") == .Scalar(.Counter(-6)))
    #expect(try document.get(obj: list, index: 0) == .Scalar(.Counter(7)))
    for key in ["i", "l", "absent"] {
      let error = #expect(throws: DocError.self) {
        try document.increment(obj: .ROOT, key: key, by: 1)
      }
      #expect(error?.kind == .notACounter)
    }
    try document.increment(obj: .ROOT, key: "c", by: .max)
    try document.increment(obj: .ROOT, key: "c", by: .max)
    #expect(try document.get(obj: .ROOT, key: "c") == .Scalar(.Counter(-6 &+ .max &+ .max)))
  }

  @Test("All values of a conflict are shown, of keys and indexes (CRUD-08)")
  func conflicts() throws {
    let document = Document()
    let list = try document.putObject(obj: .ROOT, key: "l", ty: .List)
    try document.insert(obj: list, index: 0, value: .Int(0))
    let other = document.fork()
    for (writer, number) in [(document, Int64(1)), (other, 2)] {
      try writer.put(obj: .ROOT, key: "k", value: .Int(number))
      try writer.put(obj: list, index: 0, value: .Int(number))
      try writer.put(obj: .ROOT, key: "same", value: .String("equal"))
    }
    try document.merge(other: other)
    try other.merge(other: document)
    let both: Set<Value> = [.Scalar(.Int(1)), .Scalar(.Int(2))]
    #expect(try document.getAll(obj: .ROOT, key: "k") == both)
    #expect(try document.getAll(obj: list, index: 0) == both)
    #expect(try document.getAll(obj: .ROOT, key: "same") == [.Scalar(.String("equal"))])
    #expect(try document.getAll(obj: .ROOT, key: "absent").isEmpty)
    #expect(try document.getAll(obj: list, index: 9).isEmpty)
    #expect(
      try document.get(obj: .ROOT, key: "k") == other.get(obj: .ROOT, key: "k")
    )
    let winner = try #require(try document.get(obj: .ROOT, key: "k"))
    #expect(both.contains(winner))
  }

  @Test("Every read has a form at earlier heads (CRUD-09)")
  func history() throws {
    let document = Document()
    let list = try document.putObject(obj: .ROOT, key: "l", ty: .List)
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    try document.insert(obj: list, index: 0, value: .Int(1))
    try document.spliceText(obj: text, start: 0, delete: 0, value: "old")
    try document.put(obj: .ROOT, key: "c", value: .Counter(1))
    try document.increment(obj: .ROOT, key: "c", by: 1)
    let then = document.heads()
    try document.increment(obj: .ROOT, key: "c", by: 1)
    try document.put(obj: .ROOT, key: "new", value: .Int(9))
    try document.insert(obj: list, index: 0, value: .Int(2))
    try document.put(obj: list, index: 1, value: .Int(3))
    try document.spliceText(obj: text, start: 0, delete: 3, value: "newer")
    try document.delete(obj: .ROOT, key: "t")

    #expect(try document.getAt(obj: .ROOT, key: "new", heads: then) == nil)
    #expect(try document.getAt(obj: .ROOT, key: "c", heads: then) == .Scalar(.Counter(2)))
    #expect(try document.getAt(obj: list, index: 0, heads: then) == .Scalar(.Int(1)))
    #expect(try document.getAt(obj: list, index: 1, heads: then) == nil)
    #expect(try document.getAllAt(obj: .ROOT, key: "c", heads: then) == [.Scalar(.Counter(2))])
    #expect(try document.getAllAt(obj: list, index: 0, heads: then) == [.Scalar(.Int(1))])
    #expect(document.keysAt(obj: .ROOT, heads: then) == ["c", "l", "t"])
    #expect(document.keys(obj: .ROOT) == ["c", "l", "new"])
    #expect(try document.valuesAt(obj: list, heads: then) == [.Scalar(.Int(1))])
    #expect(try document.valuesAt(obj: .ROOT, heads: then).count == 3)
    #expect(try document.mapEntriesAt(obj: .ROOT, heads: then).map(\.0) == ["c", "l", "t"])
    #expect(document.lengthAt(obj: list, heads: then) == 1)
    #expect(document.lengthAt(obj: text, heads: then) == 3)
    #expect(document.lengthAt(obj: .ROOT, heads: then) == 3)
    #expect(try document.textAt(obj: text, heads: then) == "old")
    #expect(try document.text(obj: text) == "newer")
    // No heads: nothing was there yet. Unknown ones do not count.
    #expect(document.keysAt(obj: .ROOT, heads: []).isEmpty)
    #expect(try document.textAt(obj: text, heads: []).isEmpty)
    let unknown = try #require(ChangeHash(bytes: Data(repeating: 7, count: 32)))
    #expect(document.keysAt(obj: .ROOT, heads: then.union([unknown])) == ["c", "l", "t"])
  }

  @Test("Keys come in the order of their UTF-8 bytes (CRUD-10)")
  func order() throws {
    let document = Document()
    let keys = ["ä", "z", "a", "", "Z", "e\u{301}", "\u{e9}", "😀", "\u{FFFC}"]
    for key in keys { try document.put(obj: .ROOT, key: key, value: .String(key)) }
    let sorted = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(document.keys(obj: .ROOT).map { Array($0.utf8) } == sorted.map { Array($0.utf8) })
    #expect(
      try document.values(obj: .ROOT).map(\.debugDescription)
        == sorted.map { "ScalarValue<String(\($0))>" }
    )
    #expect(try document.mapEntries(obj: .ROOT).count == keys.count)
  }

  @Test("Objects tell their length and type (CRUD-11, CRUD-12)")
  func shapes() throws {
    let document = Document()
    for type: ObjType in [.Map, .List, .Text] {
      let id = try document.putObject(obj: .ROOT, key: "\(type)", ty: type)
      #expect(document.objectType(obj: id) == type)
      #expect(document.length(obj: id) == 0)
      if type == .List { #expect(document.keys(obj: id).isEmpty) }
    }
    #expect(document.objectType(obj: .ROOT) == .Map)
    #expect(document.length(obj: .ROOT) == 3)
    let list = try document.insertedList()
    #expect(document.keys(obj: list).count == 2)
  }

  @Test("A list splice deletes, then inserts; a negative count deletes before (CRUD-13)")
  func splices() throws {
    let document = Document()
    let list = try document.putObject(obj: .ROOT, key: "l", ty: .List)
    func numbers() throws -> [Int64] {
      try document.values(obj: list).compactMap {
        if case .Scalar(.Int(let number)) = $0 { number } else { nil }
      }
    }
    try document.splice(obj: list, start: 0, delete: 0, values: (0..<6).map { .Int($0) })
    try document.splice(obj: list, start: 1, delete: 2, values: [.Int(10), .Int(11), .Int(12)])
    #expect(try numbers() == [0, 10, 11, 12, 3, 4, 5])
    try document.splice(obj: list, start: 3, delete: -2, values: [.Int(20)])
    #expect(try numbers() == [0, 20, 12, 3, 4, 5])
    try document.splice(obj: list, start: 4, delete: 100, values: [])
    #expect(try numbers() == [0, 20, 12, 3])
    for (start, delete): (UInt64, Int64) in [(5, 0), (1, -2), (.max, .max), (0, .min)] {
      #expect(throws: DocError.self) {
        try document.splice(obj: list, start: start, delete: delete, values: [.Null])
      }
    }
    #expect(try numbers() == [0, 20, 12, 3])
  }

  @Test("The same object has one id on all replicas, also after merges (CRUD-15)")
  func identity() throws {
    let document = Document()
    let other = Document()
    try other.put(obj: .ROOT, key: "first", value: .Null)
    let id = try document.putObject(obj: .ROOT, key: "m", ty: .Map)
    try document.put(obj: id, key: "k", value: .Int(1))
    try other.merge(other: document)
    guard case .Object(let seen, .Map) = try other.get(obj: .ROOT, key: "m") else {
      Issue.record("no map")
      return
    }
    #expect(seen == id)
    #expect(seen.hashValue == id.hashValue)
    #expect(try other.get(obj: id, key: "k") == .Scalar(.Int(1)))
    #expect(try document.get(obj: seen, key: "k") == .Scalar(.Int(1)))
    let loaded = try Document(document.save())
    #expect(try loaded.get(obj: seen, key: "k") == .Scalar(.Int(1)))
  }

  @Test("Ids survive being stored")
  func idBytes() throws {
    let document = Document()
    for type: ObjType in [.Map, .List, .Text] {
      let id = try document.putObject(obj: .ROOT, key: "o", ty: type)
      let back = try #require(ObjId(bytes: id.bytes))
      #expect(back == id)
      #expect(document.objectType(obj: back) == type)
      #expect(Document().objectType(obj: back) == type)
    }
    #expect(ObjId(bytes: ObjId.ROOT.bytes) == .ROOT)
    let bytes = ObjId.ROOT.bytes
    #expect(ObjId(bytes: Data()) == nil)
    #expect(ObjId(bytes: bytes.dropLast()) == nil)
    #expect(ObjId(bytes: bytes + [0]) == nil)
    #expect(ObjId(bytes: Data([9]) + bytes.dropFirst()) == nil)
    #expect(ObjId(bytes: Data([1, 9]) + bytes.dropFirst(2)) == nil)
    #expect(ObjId(bytes: Data([1, 0, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 129))) == nil)
    document.commitWith()
    let hash = try #require(document.heads().first)
    #expect(ChangeHash(bytes: hash.bytes) == hash)
    #expect(ChangeHash(bytes: Data(hash.bytes.dropLast())) == nil)
  }
}

extension Document {
  /// A list of two at the root.
  fileprivate func insertedList() throws -> ObjId {
    let list = try putObject(obj: .ROOT, key: "two", ty: .List)
    try splice(obj: list, start: 0, delete: 0, values: [.Int(1), .Int(2)])
    return list
  }
}
