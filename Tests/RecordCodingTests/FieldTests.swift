import Foundation
import RecordCoding
import TestSupport
import Testing

@Suite("Fields of records")
struct FieldTests {
  @Test("The example of the README of CloudKitCodable, with another import")
  func example() throws {
    try withFolder { folder in
      let avatar = try file("avatar.png", in: folder)
      let rambo = try person(avatar)
      let record = try CloudKitRecordEncoder().encode(rambo)
      #expect(record.recordType == "Person")
      #expect(
        record.fields == [
          "name": .string("Guilherme Rambo"), "age": .int64(26),
          "website": .string("https://guilhermerambo.me"),
          "avatar": .asset(RecordAsset(fileURL: avatar)),
          "isDeveloper": .int64(1),
        ]
      )
      var back = try CloudKitRecordDecoder().decode(Person.self, from: record)
      back.cloudKitSystemFields = nil
      #expect(back == rambo)
    }
  }

  @Test("RC-10 Strings stay as they are, down to their scalars")
  func strings() throws {
    for text in ["", "a", "\u{0}", "e\u{301}", "\u{E9}", "\u{1F468}\u{200D}\u{1F469}"] {
      #expect(try encoded(text) == .string(text))
      #expect(
        try decoded(String.self, .string(text)).unicodeScalars.elementsEqual(text.unicodeScalars)
      )
    }
    #expect(RecordValue.string("\u{E9}") != .string("e\u{301}"))
  }

  @Test("RC-11 Integers are 64 bits with a sign; what is wider is refused on both sides")
  func integers() throws {
    #expect(try encoded(Int8.min) == .int64(-128))
    #expect(try encoded(UInt64(Int64.max)) == .int64(.max))
    #expect(complaint { _ = try encoded(UInt64(Int64.max) + 1) } == "invalidValue field")
    #expect(complaint { _ = try encoded([UInt.max]) } == "invalidValue field.[0]")
    #expect(try encoded(UInt64.max) { $0.wideIntegers = .json }?.kind == RecordFieldKind(.bytes))
    #expect(try encoded([UInt(1)]) { $0.wideIntegers = .json } == .bytes(Data("[1]".utf8)))
    #expect(try decoded(UInt64.self, .bytes(Data("\(UInt64.max)".utf8))) == .max)
    #expect(try decoded(Int8.self, .int64(127)) == 127)
    #expect(complaint { _ = try decoded(Int8.self, .int64(128)) } == "dataCorrupted field")
    #expect(complaint { _ = try decoded(UInt.self, .int64(-1)) } == "dataCorrupted field")
    #expect(complaint { _ = try decoded(Int.self, .double(1.5)) } == "typeMismatch field")
    #expect(try decoded(Int.self, .double(26)) == 26)
  }

  @Test("RC-12 Floats are doubles, and narrow exactly or not at all")
  func floats() throws {
    for number in [0, -0.0, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1] {
      guard case .double(let stored) = try encoded(number) else { return #expect(Bool(false)) }
      #expect(stored.bitPattern == number.bitPattern)
      #expect(try decoded(Double.self, .double(stored)).bitPattern == number.bitPattern)
    }
    #expect(try decoded(Float.self, encoded(Float(0.1))) == 0.1)
    #expect(complaint { _ = try decoded(Float.self, .double(0.1)) } == "dataCorrupted field")
    #expect(try decoded(Double.self, .int64(26)) == 26)
    #expect(complaint { _ = try decoded(Double.self, .int64(.max)) } == "dataCorrupted field")
    #expect(try encoded(Double.infinity) == .double(.infinity))
    #expect(
      complaint { _ = try encoded(Double.nan) { $0.validation = .server } } == "invalidValue field"
    )
    #expect(complaint { _ = try encoded(["a": Double.nan]) } == "invalidValue field.a")
  }

  @Test("Bytes of an optional that is decoded as a type of its own are bytes, JSON or not")
  func optionalBytes() throws {
    for bytes in ["plain", "null", "1", "\"YQ==\"", ""].map({ Data($0.utf8) }) + [nil] {
      let record = try CloudKitRecordEncoder().encode(Holder(field: bytes))
      #expect(try CloudKitRecordDecoder().decode(Holder<Data?>.self, from: record).field == bytes)
    }
  }

  @Test("RC-13 Booleans are 1 and 0, and no other number is one")
  func booleans() throws {
    #expect(try encoded(true) == .int64(1))
    #expect(try encoded([true, false]) == .list(.int64s([1, 0])))
    #expect(try decoded(Bool.self, .int64(0)) == false)
    for value: RecordValue in [.int64(2), .int64(-1), .double(1), .string("true")] {
      #expect(complaint { _ = try decoded(Bool.self, value) } == "typeMismatch field")
    }
  }

  @Test("RC-14 Dates are whole milliseconds by rounding, and exact when asked")
  func dates() throws {
    for seconds in [0.0004999, 0.0005001, -0.0005001, -12.3456789, 1_700_000_000.123456] {
      let date = Date(timeIntervalSince1970: seconds)
      guard case .timestamp(let stored)? = try encoded(date) else { return #expect(Bool(false)) }
      #expect(abs(stored.timeIntervalSince(date)) <= 0.000_500_2)
      #expect(try encoded(stored) == .timestamp(stored))
      #expect(try encoded(date) { $0.dates = .exact } == .timestamp(date))
    }
    let huge = Date(timeIntervalSince1970: 1e300)
    #expect(complaint { _ = try encoded(huge) } == "invalidValue field")
    // Nested dates lose the same.
    let inner = Date(timeIntervalSince1970: 0.00149)
    let nested = try decoded([String: Date].self, encoded(["at": inner]))
    #expect(nested == ["at": try #require(inner.roundedToMilliseconds)])
    let exact = try encoded(["at": Date(timeIntervalSinceReferenceDate: 1.5)]) { $0.dates = .exact }
    #expect(exact == .bytes(Data(#"{"at":1.5}"#.utf8)))
  }

  @Test("RC-15 Bytes are bytes, and limited as every field is")
  func bytes() throws {
    #expect(try encoded(Data([1, 2])) == .bytes(Data([1, 2])))
    let limit = RecordLimits.recordBytes
    let error = #expect(throws: CloudKitRecordEncodingError.self) {
      try encoded(Data(count: limit))
    }
    #expect(error == .dataFieldTooLarge(key: "field", size: limit))
    #expect(try encoded(Data(count: limit)) { $0.validation = .off } == .bytes(Data(count: limit)))
  }

  @Test("RC-16 A remote URL is its absolute string")
  func remoteURL() throws {
    let url = try #require(URL(string: "b/c", relativeTo: URL(string: "https://a.example/")))
    #expect(try encoded(url) == .string("https://a.example/b/c"))
    #expect(try decoded(URL.self, .string("foo")).absoluteString == "foo")
    #expect(complaint { _ = try decoded(URL.self, .string("")) } == "dataCorrupted field")
    #expect(complaint { _ = try decoded(URL.self, .int64(1)) } == "typeMismatch field")
  }

  @Test("RC-17 A file's URL is an asset, and the file is there")
  func fileURL() throws {
    try withFolder { folder in
      let there = try file("a.txt", in: folder)
      #expect(try encoded(there) == .asset(RecordAsset(fileURL: there)))
      #expect(try decoded(URL.self, .asset(RecordAsset(fileURL: there))) == there)
      let gone = folder.appendingPathComponent("gone")
      #expect(complaint { _ = try encoded(gone) } == "invalidValue field")
      #expect(try encoded(gone) { $0.validation = .off } != nil)
      let empty = RecordValue.asset(RecordAsset(fileURL: nil))
      #expect(complaint { _ = try decoded(URL.self, empty) } == "valueNotFound field")
    }
  }

  @Test("A file is found by whatever text its URL has")
  func spellings() throws {
    try withFolder { folder in
      for name in ["a", "a b", "\u{E9}", "100%", "q?x", "h#x", "s;y", "a%20b", ".f", "file:"] {
        let there = try file(name, in: folder)
        #expect(try encoded(there) == .asset(RecordAsset(fileURL: there)), "\(name)")
        try FileManager.default.removeItem(at: there)
        #expect(complaint { _ = try encoded(there) } == "invalidValue field", "\(name)")
      }
      let there = try file("a", in: folder)
      let others = [
        URL(string: "FILE://\(there.path)"), URL(string: "a", relativeTo: folder),
        URL(string: "file://localhost\(there.path)"), URL(string: "file://\(there.path)?q#f"),
        URL(string: "file://\(folder.path)/"), URL(string: "file:///"),
      ]
      for url in try others.map({ try #require($0) }) {
        #expect(try encoded(url)?.kind == RecordFieldKind(.asset), "\(url)")
      }
      for text in ["foo/a", "Foo", "ftp://a.example/f", "files://a", "b"] {
        #expect(try encoded(try #require(URL(string: text))) == .string(text))
      }
    }
  }

  @Test("RC-18 A list of URLs is of files or of strings, never of both")
  func listsOfURLs() throws {
    try withFolder { folder in
      let there = try file("a.txt", in: folder)
      let remote = try #require(URL(string: "https://a.example"))
      #expect(try encoded([remote]) == .list(.strings(["https://a.example"])))
      #expect(try encoded([there]) == .list(.assets([RecordAsset(fileURL: there)])))
      #expect(try decoded([URL].self, .list(.assets([RecordAsset(fileURL: there)]))) == [there])
      #expect(complaint { _ = try encoded([there, remote]) } == "invalidValue field.[1]")
      #expect(complaint { _ = try encoded([remote, there]) } == "invalidValue field.[0]")
    }
  }

  @Test("RC-19 Lists of fields' kinds are lists, one kind each")
  func lists() throws {
    #expect(try encoded(["a", "b"]) == .list(.strings(["a", "b"])))
    #expect(try encoded([Data([1])]) == .list(.bytes([Data([1])])))
    let reference = RecordReference(recordID: RecordID(recordName: "r"), action: .deleteSelf)
    #expect(try encoded([reference]) == .list(.references([reference])))
    let place = RecordLocation(latitude: 1, longitude: 2)
    #expect(try encoded(place) == .location(place))
    #expect(try decoded([Int8].self, .list(.int64s([1, 2]))) == [1, 2])
    #expect(
      complaint { _ = try decoded([Int8].self, .list(.int64s([1, 300]))) }
        == "dataCorrupted field.[1]"
    )
    #expect(
      complaint { _ = try decoded([String].self, .list(.int64s([1]))) } == "typeMismatch field.[0]"
    )
  }

  struct Child: Codable, Equatable {
    var name = "Hello Child Name"
    var value = "Hello Child Value"
  }

  @Test("RC-20 A list of anything else is one field of JSON")
  func compositeLists() throws {
    let one = #"{"name":"Hello Child Name","value":"Hello Child Value"}"#
    let children = [Child(), Child(), Child()]
    let value = try encoded(children)
    #expect(value == .bytes(Data("[\(one),\(one),\(one)]".utf8)))
    #expect(try decoded([Child].self, value) == children)
    #expect(try encoded([[1], []]) == .bytes(Data("[[1],[]]".utf8)))
    #expect(try encoded([1, nil]) == .bytes(Data("[1,null]".utf8)))
  }

  @Test("RC-21 An empty list is of the kind that its type says")
  func emptyLists() throws {
    #expect(try encoded([String]()) == .list(.strings([])))
    #expect(try encoded([Date]())?.kind == RecordFieldKind(.timestamp, isList: true))
    #expect(try encoded([Child]()) == .bytes(Data("[]".utf8)))
    #expect(try decoded([Int].self, .list(.empty)) == [])
    #expect(try encoded([Child]())?.kind == encoded([Child()])?.kind)
  }

  enum Colour: String, CloudKitStringEnum, CaseIterable { case red, green }
  enum Level: Int, CloudKitIntEnum {
    case low = 1
    case high
    static var cloudKitFallbackCase: Level? { nil }
  }
  enum Plain: String, Codable { case a }
  enum Shape: Codable, Equatable {
    case dot
    case circle(radius: Double)
  }

  @Test("RC-23 Enumerations of strings and integers are their raw values")
  func enums() throws {
    #expect(try encoded(Colour.green) == .string("green"))
    #expect(try encoded(Level.high) == .int64(2))
    #expect(try decoded(Level.self, .int64(1)) == .low)
  }

  @Test("RC-24 An unknown raw value is the fallback, is refused, or is kept")
  func unknownEnums() throws {
    #expect(try decoded(Colour.self, .string("blue")) == .red)
    #expect(complaint { _ = try decoded(Level.self, .int64(3)) } == "dataCorrupted field")
    let strict = CloudKitRecordDecoder()
    strict.options.unknownEnums = .fail
    #expect(
      complaint { _ = try strict.decode(Holder<Colour>.self, from: holder(.string("blue"))) }
        == "dataCorrupted field"
    )
    let open = try decoded(OpenEnum<Colour>.self, .string("blue"))
    #expect(open.rawValue == "blue")
    #expect(try encoded(open) == .string("blue"))
    #expect(try encoded(OpenEnum.known(Level.high)) == .int64(2))
  }

  @Test("RC-25 Other enumerations and structs are JSON, with sorted keys and plain slashes")
  func json() throws {
    #expect(
      try encoded(Child())
        == .bytes(Data(#"{"name":"Hello Child Name","value":"Hello Child Value"}"#.utf8))
    )
    #expect(try encoded(Plain.a) == .bytes(Data(#""a""#.utf8)))
    #expect(try encoded(Shape.circle(radius: 1)) == .bytes(Data(#"{"circle":{"radius":1}}"#.utf8)))
    #expect(try encoded(["b": "/", "a": "x"]) == .bytes(Data(#"{"a":"x","b":"/"}"#.utf8)))
    #expect(try encoded([3: "c"]) == .bytes(Data(#"{"3":"c"}"#.utf8)))
    #expect(try decoded(Shape.self, encoded(Shape.dot)) == .dot)
    #expect(
      complaint { _ = try encoded(Child()) { $0.nestedValues = .reject } } == "invalidValue field"
    )
  }

  @Test("RC-39 Coding keys rename fields")
  func renaming() throws {
    struct Renamed: Codable {
      var title = "a"
      enum CodingKeys: String, CodingKey { case title = "headline" }
    }
    let record = try CloudKitRecordEncoder().encode(Renamed())
    #expect(record.allKeys() == ["headline"])
    #expect(try CloudKitRecordDecoder().decode(Renamed.self, from: record).title == "a")
  }
}
