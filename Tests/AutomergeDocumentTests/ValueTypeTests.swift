import AutomergeDocument
import Foundation
import Testing

@Suite("Value types")
struct ValueTypeTests {
  @Test("Scalars describe themselves; long bytes and slices, too")
  func descriptions() {
    #expect(ScalarValue.Boolean(true).description == "Boolean(true)")
    #expect(ScalarValue.String("a").description == "String(a)")
    #expect(ScalarValue.Uint(1).description == "UInt(1)")
    #expect(ScalarValue.Int(-1).description == "Int(-1)")
    #expect(ScalarValue.F64(1.25).description == "Double(1.25)")
    #expect(ScalarValue.Counter(2).description == "Counter(2)")
    #expect(ScalarValue.Null.description == "Null()")
    let date = Date(timeIntervalSince1970: 0)
    #expect(ScalarValue.Timestamp(date).description == "Timestamp(\(date))")
    #expect(
      ScalarValue.Unknown(typeCode: 10, data: Data([1, 2])).description
        == "Unknown(type: 10, data: 0102)"
    )
    let bytes = Data(0..<20)
    #expect(ScalarValue.Bytes(bytes.prefix(2)).description == "Data(0001)")
    #expect(
      ScalarValue.Bytes(bytes.prefix(16)).description
        == "Data(000102030405060708090a0b0c0d0e0f)"
    )
    #expect(
      ScalarValue.Bytes(bytes).description == "Data(000102030405060708090a0b0c0d0e0f...)"
    )
    #expect(ScalarValue.Bytes(bytes.dropFirst(18)).description == "Data(1213)")
    #expect(Value.Scalar(.Int(1)).debugDescription == "ScalarValue<Int(1)>")
    #expect(
      Value.Object(.ROOT, .Map).debugDescription == "Object<ObjId.ROOT, Map>"
    )
    #expect([ObjType.Map, .List, .Text].map(\.debugDescription) == ["Map", "List", "Text"])
  }

  @Test("Debug text of ids is hex")
  func hex() throws {
    let id = try Samples.foreignID()
    #expect(id.debugDescription.wholeMatch(of: /ObjId\([0-9a-f]+\)/) != nil)
    let document = Document()
    try document.put(obj: .ROOT, key: "a", value: .Null)
    let hash = try #require(document.heads().first)
    #expect(hash.debugDescription.wholeMatch(of: /[0-9a-f]{64}/) != nil)
  }

  @Test("An actor is up to 128 bytes, shown in upper-case hex (UTL-07)")
  func actors() throws {
    let uuid = try #require(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0EFF"))
    #expect(ActorId(uuid: uuid).description == "000102030405060708090A0B0C0D0EFF")
    let long = Data(repeating: 1, count: 128)
    #expect(ActorId(data: long)?.data == long)
    #expect(ActorId(data: long + [1]) == nil)
    #expect(ActorId() != ActorId())
    let empty = try #require(ActorId(data: Data()))
    #expect(empty.description == "")
    for actor in [empty, try #require(ActorId(data: long))] {
      let document = Document()
      document.actor = actor
      let list = try document.putObject(obj: .ROOT, key: "l", ty: .List)
      try document.insert(obj: list, index: 0, value: .Int(1))
      let loaded = try Document(document.save())
      #expect(try loaded.get(obj: list, index: 0) == .Scalar(.Int(1)))
      #expect(loaded.getHistory().compactMap { loaded.change(hash: $0)?.actorId } == [actor])
    }
  }

  @Test("Verbosity has three steps, and tracing is the last (UTL-06)")
  func verbosity() {
    #expect([LogVerbosity.errorOnly, .debug, .tracing].map(\.rawValue) == [3, 6, 8])
    #expect(
      [LogVerbosity.errorOnly, .debug, .tracing].map { $0.canDebug() } == [false, true, true]
    )
    #expect(
      [LogVerbosity.errorOnly, .debug, .tracing].map { $0.canTrace() } == [false, false, true]
    )
    #expect(LogVerbosity.errorOnly < .debug)
  }

  /// Whether a value comes back from its scalar, and every other scalar is refused with `message`.
  private func check<T: ScalarValueRepresentable & Equatable>(
    _ value: T,
    _ scalar: ScalarValue,
    refusing others: [ScalarValue],
    named name: String
  ) throws {
    #expect(value.toScalarValue() == scalar)
    #expect(try T.fromScalarValue(scalar).get() == value)
    for other in others {
      guard case .failure(let error) = T.fromScalarValue(other) else {
        Issue.record("\(other) was read as a \(name)")
        continue
      }
      #expect(
        error.errorDescription == "Failed to read the scalar value \(other) as a \(name)."
      )
      #expect(error.failureReason == nil)
    }
  }

  @Test("Types convert to one kind of scalar, and from no other (UTL-05)")
  func conversions() throws {
    func others(_ scalar: ScalarValue) -> [ScalarValue] {
      Samples.scalars.filter { $0.description.prefix(4) != scalar.description.prefix(4) }
    }
    func check<T: ScalarValueRepresentable & Equatable>(
      _ value: T,
      _ scalar: ScalarValue,
      _ name: String
    ) throws {
      try self.check(value, scalar, refusing: others(scalar), named: name)
    }
    try check(true, .Boolean(true), "boolean")
    try check("text", .String("text"), "String")
    try check(Data([1]), .Bytes(Data([1])), "Data")
    let date = Date(timeIntervalSince1970: 5)
    try check(date, .Timestamp(date), "Date")
    try check(UInt(7), .Uint(7), "UInt")
    try check(UInt8(7), .Uint(7), "Int")
    try check(UInt16(7), .Uint(7), "Int")
    try check(UInt32(7), .Uint(7), "Int")
    try check(UInt64.max, .Uint(.max), "Int")
    try check(Int(-7), .Int(-7), "Int")
    try check(Int8(-7), .Int(-7), "Int")
    try check(Int16(-7), .Int(-7), "Int")
    try check(Int32(-7), .Int(-7), "Int")
    try check(Int64.min, .Int(.min), "Int")
    try check(1.5, .F64(1.5), "Double")
    try check(Float(1.5), .F64(1.5), "Double")
    let url = try #require(URL(string: "https://example.org/a?b#c"))
    #expect(url.toScalarValue() == .String("https://example.org/a?b#c"))
    #expect(try URL.fromScalarValue(.String("https://example.org/a?b#c")).get() == url)
    #expect(URL.fromScalarValue(.Int(1)) == .failure(.notStringScalarValue(.Int(1))))
    #expect(URL.fromScalarValue(.String("")) == .failure(.notMatchingURLScheme("")))
    for scalar in Samples.scalars {
      #expect(try ScalarValue.fromScalarValue(scalar).get() == scalar)
      #expect(scalar.toScalarValue() == scalar)
    }
  }

  @Test("A number that the type cannot hold is refused, never trapped on (UTL-05)")
  func narrow() {
    #expect(Int8.fromScalarValue(.Int(300)) == .failure(.notIntScalarValue(.Int(300))))
    #expect(Int16.fromScalarValue(.Int(-40_000)) == .failure(.notIntScalarValue(.Int(-40_000))))
    #expect(Int32.fromScalarValue(.Int(.max)) == .failure(.notIntScalarValue(.Int(.max))))
    #expect(UInt8.fromScalarValue(.Uint(256)) == .failure(.notIntScalarValue(.Uint(256))))
    #expect(UInt16.fromScalarValue(.Uint(1 << 20)) == .failure(.notIntScalarValue(.Uint(1 << 20))))
    #expect(UInt32.fromScalarValue(.Uint(.max)) == .failure(.notIntScalarValue(.Uint(.max))))
    #expect(Int8.fromScalarValue(.Int(-128)) == .success(-128))
    #expect(UInt8.fromScalarValue(.Uint(255)) == .success(255))
  }

  @Test("A document says whether it is empty, what it shows, and whether another shows the same")
  func utilities() throws {
    // UTL-01, UTL-02, UTL-03
    let document = Document()
    #expect(try document.isEmpty())
    #expect(try document.schema().description == "{[:]}")
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    #expect(try !document.isEmpty())
    #expect(try document.schema().description == #"{["text": T{}]}"#)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "hi")
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    try document.splice(obj: list, start: 0, delete: 0, values: [.Int(1), .Null])
    #expect(
      try document.schema().description
        == #"{["list": [[Int(1), Null()]], "text": T{hi}]}"#
    )
    let same = try Document(document.save())
    #expect(document.equivalentContents(same))
    #expect(document.equivalentContents(document))
    try same.delete(obj: list, index: 1)
    #expect(!document.equivalentContents(same))
    // UTL-04
    var printed = ""
    try document.walk(to: &printed)
    #expect(printed == "{\n  list: [\n    [0]: Int(1)\n    [1]: Null()\n  ]\n  text: T{hi}\n}\n")
    #expect(try same.parseToSchema(document, from: text) == .text("hi"))
    #expect(throws: DocError.self) {
      try document.parseToSchema(document, from: try Samples.foreignID())
    }
  }
}
