import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

@Suite("Documents on which Foundation's own types would end the process")
struct FoundationTrapTests {
  /// Hands its decoder on, so that the document's coder never hears of the type within.
  private struct Wrapper<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
  }

  /// Refused as data that are corrupted, at the value, and the document stays.
  private func refuses<Value: Decodable>(
    _ type: Value.Type,
    _ fill: (Document, ObjId) throws -> Void
  ) throws {
    let doc = Document()
    let list = try doc.putObject(obj: .ROOT, key: "list", ty: .List)
    try fill(doc, doc.insertObject(obj: list, index: 0, ty: .Map))
    let heads = doc.heads()
    func refuses<Read: Decodable>(_ read: Read.Type) throws {
      let error = try #require(throws: DecodingError.self) {
        try doc.decode([String: [Read]].self)
      }
      guard case .dataCorrupted(let context) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(context.codingPath.map(\.stringValue) == ["list", "0"])
      #expect(context.debugDescription.contains("\(type)"))
    }
    try refuses(type)
    try refuses(Wrapper<Value>.self)
    #expect(doc.heads() == heads)
  }

  private func range(_ doc: Document, _ map: ObjId, _ start: Int64, _ length: Int64) throws {
    let list = try doc.putObject(obj: map, key: "indexes", ty: .List)
    let range = try doc.insertObject(obj: list, index: 0, ty: .Map)
    try doc.put(obj: range, key: "location", value: .Int(start))
    try doc.put(obj: range, key: "length", value: .Int(length))
  }

  @Test(
    "Index sets with negative and overlong ranges are refused",
    arguments: [(-1, 2), (0, -1), (.max, 1), (1, .max)] as [(Int64, Int64)]
  )
  func indexSets(start: Int64, length: Int64) throws {
    try refuses(IndexSet.self) { try range($0, $1, start, length) }
  }

  @Test("An index set of any range that there is comes back", arguments: [0, 1, 1 << 40])
  func wideIndexSets(length: Int64) throws {
    let doc = Document()
    let map = try doc.putObject(obj: .ROOT, key: "set", ty: .Map)
    try range(doc, map, 3, length)
    let end = 3 + Int(length)
    #expect(try doc.decode([String: IndexSet].self) == ["set": IndexSet(integersIn: 3..<end)])
  }

  @Test("An index set whose range is no range at all is a mismatch")
  func mistypedIndexSets() throws {
    let doc = Document()
    let map = try doc.putObject(obj: .ROOT, key: "set", ty: .Map)
    try doc.put(obj: map, key: "indexes", value: .String("none"))
    let error = #expect(throws: DecodingError.self) { try doc.decode([String: IndexSet].self) }
    guard case .typeMismatch = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A character set with a short bitmap is refused, a whole one comes back")
  func characterSets() throws {
    for count in [0, 3, 8191] {
      try refuses(CharacterSet.self) { doc, map in
        try doc.put(obj: map, key: "bitmap", value: .Bytes(Data(repeating: 0, count: count)))
      }
    }
    let doc = Document()
    try doc.encode(["set": CharacterSet.alphanumerics])
    #expect(try doc.decode([String: CharacterSet].self) == ["set": .alphanumerics])
  }

  @Test("A further plane of characters that there is none of is refused", arguments: [0, 17, 255])
  func planes(number: UInt8) throws {
    func bitmap(_ number: UInt8) -> Data {
      Data(repeating: 0, count: 8192) + [number] + Data(repeating: 1, count: 8192)
    }
    try refuses(CharacterSet.self) { doc, map in
      try doc.put(obj: map, key: "bitmap", value: .Bytes(bitmap(number)))
    }
    let doc = Document()
    let map = try doc.putObject(obj: .ROOT, key: "set", ty: .Map)
    try doc.put(obj: map, key: "bitmap", value: .Bytes(bitmap(16)))
    let set = try #require(try doc.decode([String: CharacterSet].self)["set"])
    #expect(set.contains("\u{100000}") && !set.contains("\u{100001}"))
  }

  @Test("A calendar with a first weekday of more than 32 bits is refused, any other comes back")
  func calendars() throws {
    func fill(_ doc: Document, _ map: ObjId, _ firstWeekday: Int64) throws {
      try doc.put(obj: map, key: "identifier", value: .String("hebrew"))
      let locale = try doc.putObject(obj: map, key: "locale", ty: .Map)
      try doc.put(obj: locale, key: "identifier", value: .String("de_DE"))
      let zone = try doc.putObject(obj: map, key: "timeZone", ty: .Map)
      try doc.put(obj: zone, key: "identifier", value: .String("UTC"))
      try doc.put(obj: map, key: "firstWeekday", value: .Int(firstWeekday))
      try doc.put(obj: map, key: "minimumDaysInFirstWeek", value: .Int(1))
    }
    for firstWeekday: Int64 in [1 << 31, -1 << 31 - 1, .max] {
      try refuses(Calendar.self) { try fill($0, $1, firstWeekday) }
    }
    let doc = Document()
    try fill(doc, doc.putObject(obj: .ROOT, key: "calendar", ty: .Map), 2)
    let calendar = try #require(try doc.decode([String: Calendar].self)["calendar"])
    #expect(calendar.identifier == .hebrew && calendar.firstWeekday == 2)
  }

  @Test("Parts of URLs that no URL has are refused, in strings and in texts")
  func components() throws {
    try refuses(URLComponents.self) { try $0.put(obj: $1, key: "scheme", value: .String("1:/")) }
    try refuses(URLComponents.self) { try $0.put(obj: $1, key: "scheme", value: .String("")) }
    try refuses(URLComponents.self) { try $0.put(obj: $1, key: "port", value: .Int(-4)) }
    try refuses(URLComponents.self) { try $0.put(obj: $1, key: "path", value: .String("//x")) }
    try refuses(URLComponents.self) { doc, map in
      try doc.put(obj: map, key: "host", value: .String("example.org"))
      try doc.put(obj: map, key: "path", value: .String("x"))
    }
    try refuses(URLComponents.self) { doc, map in
      let text = try doc.putObject(obj: map, key: "scheme", ty: .Text)
      try doc.spliceText(obj: text, start: 0, delete: 0, value: "a b")
    }
    let doc = Document()
    let parts = try #require(URLComponents(string: "https://me@example.org:80/a?b=c#d"))
    try doc.encode(["parts": parts])
    #expect(try doc.decode([String: URLComponents].self) == ["parts": parts])
  }
}
