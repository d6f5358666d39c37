import Foundation
import RecordCoding
import Testing

@Suite("Nested values as JSON")
struct NestedTests {
  /// The text of a nested value's field.
  private func json<Value: Codable>(_ value: Value) throws -> String? {
    guard case .bytes(let bytes)? = try encoded(value) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Decimals

  static let decimals = [
    "0", "12.5", "-0.001", "100", "18446744073709551616", "0.1234567890123456789",
    "-99999999999999999999999999999999999999", "3.132999999999999488",
  ]

  @Test(
    "RC-25 A nested decimal is a number of its own digits, as in Foundation's JSON",
    arguments: decimals
  )
  func decimal(_ digits: String) throws {
    let number = try #require(Decimal(string: digits))
    #expect(try json([number]) == "[\(digits)]")
    #expect(try json(number) == digits)
    #expect(try json([number]) == String(decoding: JSONEncoder().encode([number]), as: UTF8.self))
    #expect(try decoded([Decimal].self, .bytes(Data("[\(digits)]".utf8))) == [number])
    #expect(try decoded(Decimal?.self, encoded(number)) == number)
  }

  /// A text of JSON, and the decimal that it is; `nil` where it is refused.
  static let texts: [(String, String?)] = [
    (
      #"{"exponent":-1,"isCompact":true,"isNegative":true,"length":1,"#
        + #""mantissa":[125,0,0,0,0,0,0,0]}"#,
      "-12.5"
    ),
    ("1.25e1", "12.5"), ("1e3", "1000"), ("-0.0", "0"), ("0.10", "0.1"),
    ("100000000000000000000", "100000000000000000000"),
    ("1e200", nil), ("1e-200", nil), ("1e-400", nil), (#""12.5""#, nil), ("true", nil),
  ]

  @Test(
    "RC-25 A decimal is read from a number and from its parts, and from nothing else",
    arguments: texts
  )
  func readDecimal(_ text: String, _ digits: String?) throws {
    let field = RecordValue.bytes(Data("[\(text)]".utf8))
    guard let digits else {
      #expect(throws: DecodingError.self) { try decoded([Decimal].self, field) }
      return
    }
    #expect(try decoded([Decimal].self, field) == [Decimal(string: digits)])
  }

  @Test("A decimal that is no number keeps its parts")
  func noNumber() throws {
    let numbers = try decoded([Decimal].self, encoded([Decimal.nan]))
    #expect(numbers.map(\.isNaN) == [true])
  }

  @Test("RC-25 Numbers of many digits are read as floats and integers as before")
  func manyDigits() throws {
    func read<Value: Codable>(_ type: Value.Type, _ text: String) throws -> Value? {
      try decoded([Value].self, .bytes(Data("[\(text)]".utf8))).first
    }
    #expect(try read(Double.self, "0.1234567890123456789") == 0.1234567890123456789)
    #expect(try read(Double.self, "18446744073709551617") == 0x1p64)
    #expect(try read(Float.self, "0.1000000000000000055") == 0.1)
    #expect(try read(Int.self, "9007199254740993.0") == 9_007_199_254_740_993)
    #expect(
      complaint { _ = try read(Int.self, "1.000000000000000001") } == "typeMismatch field.[0]"
    )
    #expect(
      complaint { _ = try read(UInt64.self, "18446744073709551617") } == "dataCorrupted field.[0]"
    )
  }

  // MARK: - What is refused

  /// Numbers that pass over those which JSON has not.
  struct Lossy: Codable {
    var ratio: Double?
    var list: [Double]

    enum CodingKeys: CodingKey { case ratio, list }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if let ratio { try? container.encode(ratio, forKey: .ratio) }
      var elements = container.nestedUnkeyedContainer(forKey: .list)
      for number in list { try? elements.encode([number]) }
    }
  }

  @Test("RC-37 A nested value that is refused and passed over leaves nothing")
  func passedOver() throws {
    #expect(try json(Lossy(ratio: .nan, list: [1, .infinity, 3])) == #"{"list":[[1],[3]]}"#)
  }

  /// Two kinds of containers in one place, and then an error.
  private struct Clash: Codable {
    func encode(to encoder: any Encoder) throws {
      _ = encoder.unkeyedContainer()
      _ = encoder.container(keyedBy: Lossy.CodingKeys.self)
      throw CocoaError(.coderInvalidValue)
    }
  }

  /// A clash, or a text in its place.
  private struct Either: Codable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      do { try container.encode(Clash()) } catch { try container.encode("no") }
    }
  }

  @Test("RC-37 A value that takes the place of a refused one is all that stands there")
  func replaced() throws {
    #expect(try json([Either()]) == #"["no"]"#)
  }

  /// A child whose own child is encoded, and which is then refused.
  private struct Broken: CustomCloudKitEncodable {
    var cloudKitSystemFields: Data? { nil }
    var cloudKitIdentifier: String { "broken" }
    var cloudKitRecordType: String { "Broken" }
    var leaf = Leaf()
    var number = UInt64.max

    enum CodingKeys: CodingKey { case leaf, number }
  }

  private struct Leaf: CustomCloudKitEncodable {
    var cloudKitSystemFields: Data? { nil }
    var cloudKitIdentifier: String { "leaf" }
    var cloudKitRecordType: String { "Leaf" }
    var title = "a"

    enum CodingKeys: CodingKey { case title }
  }

  private struct Parent: CustomCloudKitEncodable {
    var cloudKitSystemFields: Data? { nil }
    var cloudKitIdentifier: String { "parent" }
    var cloudKitRecordType: String { "Parent" }
    var savesLeaf: Bool

    enum CodingKeys: CodingKey { case broken, again, leaf }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try? container.encode(Broken(), forKey: .broken)
      // Refused again, and not taken for a record that is there.
      try? container.encode(Broken(), forKey: .again)
      if savesLeaf { try container.encode(Leaf(), forKey: .leaf) }
    }
  }

  @Test(
    "RC-28 Records that only a refused child refers to are not saved",
    arguments: [false, true]
  )
  func refusedChild(savesLeaf: Bool) throws {
    let encoder = CloudKitRecordEncoder()
    encoder.options.nestedValues = .references
    let records = try encoder.encodeRecords(Parent(savesLeaf: savesLeaf))
    #expect(records.map(\.recordID.recordName) == (savesLeaf ? ["leaf", "parent"] : ["parent"]))
    #expect(records.last?.allKeys() == (savesLeaf ? ["leaf"] : []))
  }

  // MARK: - Order

  @Test("RC-32 Sets, and dictionaries that are lists, have one order")
  func order() throws {
    let numbers = Set(0..<20)
    var roomy = numbers
    roomy.reserveCapacity(1000)
    #expect(try json(numbers) == json(roomy))
    #expect(try json(Set([3, 20, 1])) == "[1,20,3]")
    #expect(try json(Set([[3, 1], [20, 0]])) == "[[20,0],[3,1]]")
    #expect(try json([Set([2, 1]), [4, 3]] as Set?) == "[[1,2],[3,4]]")
    #expect(try json([0.5: "b", 0.25: "c", 2: "a"]) == #"[0.25,"c",0.5,"b",2,"a"]"#)
    // Lists stay as they are.
    #expect(try json([[3, 1], [2]]) == "[[3,1],[2]]")
  }
}
