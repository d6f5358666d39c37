import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// Which kinds each type reads, the same in every position.
///
/// Source: Specification/Codable.md, "Decoding by type".
@Suite("Reading kinds")
struct DecodingTests {
  /// What a refusal says: case, path, words.
  private func refusal(_ body: () throws -> Void) throws -> (String, [String], String) {
    let error = try #require(throws: DecodingError.self) { try body() }
    switch error {
    case .typeMismatch(_, let context):
      return ("typeMismatch", context.codingPath.map(\.stringValue), context.debugDescription)
    case .valueNotFound(_, let context):
      return ("valueNotFound", context.codingPath.map(\.stringValue), context.debugDescription)
    case .keyNotFound(let key, let context):
      return (
        "keyNotFound \(key.stringValue)", context.codingPath.map(\.stringValue),
        context.debugDescription
      )
    case .dataCorrupted(let context):
      return ("dataCorrupted", context.codingPath.map(\.stringValue), context.debugDescription)
    @unknown default: return ("?", [], "")
    }
  }

  /// Decodes a stored scalar as `Value` in every position: all agree, and that is the result.
  private func everywhere<Value: Codable & Equatable & Sendable>(
    _ stored: ScalarValue,
    as type: Value.Type,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result<Value, KindOfRefusal> {
    let doc = try document([("v", stored)])
    for list in ["l", "two"] {
      let list = try doc.putObject(obj: .ROOT, key: list, ty: .List)
      try doc.splice(obj: list, start: 0, delete: 0, values: [stored, stored])
    }
    let map = try doc.putObject(obj: .ROOT, key: "m", ty: .Map)
    try doc.put(obj: map, key: "1", value: stored)
    let decoder = AutomergeDecoder(doc: doc)
    let heads = doc.heads()
    func attempt(_ body: () throws -> Value) -> Result<Value, KindOfRefusal> {
      do { return .success(try body()) } catch {
        guard let error = error as? DecodingError else { return .failure(.other) }
        switch error {
        case .typeMismatch: return .failure(.typeMismatch)
        case .valueNotFound: return .failure(.valueNotFound)
        case .dataCorrupted: return .failure(.dataCorrupted)
        default: return .failure(.other)
        }
      }
    }
    func none() throws -> Value { throw Unexpected() }
    let results = [
      attempt { try decoder.decode(Keyed<Value>.self).v },
      attempt { try decoder.decode(MaybeKeyed<Value>.self).v ?? none() },
      attempt { try decoder.decode(Value.self, from: path(key("v"))) },
      attempt { try decoder.decode([Value].self, from: path(key("l")))[1] },
      attempt { try decoder.decode(Value.self, from: path(key("l"), index(0))) },
      attempt { try decoder.decode(ByHand<Value>.self, from: path(key("two"))).second },
      attempt { try decoder.decode([String: Value].self, from: path(key("m")))["1"] ?? none() },
      attempt { try decoder.decode(Keyed<Single<Value>>.self).v.value },
    ]
    for (place, result) in results.enumerated() where place != 1 || !stored.isNull {
      #expect(result == results[0], "position \(place)", sourceLocation: sourceLocation)
    }
    #expect(doc.heads() == heads, sourceLocation: sourceLocation)
    return results[0]
  }

  enum KindOfRefusal: Error, Equatable {
    case typeMismatch, valueNotFound, dataCorrupted, other
  }

  @Test("DEC-05: integers read either kind of integer, and whole floats, exactly")
  func integers() throws {
    #expect(try everywhere(.Int(5), as: Int.self) == .success(5))
    #expect(try everywhere(.Uint(5), as: Int.self) == .success(5))
    #expect(try everywhere(.Int(5), as: UInt.self) == .success(5))
    #expect(try everywhere(.Uint(.max), as: UInt64.self) == .success(.max))
    #expect(try everywhere(.F64(5), as: Int.self) == .success(5))
    #expect(try everywhere(.Uint(255), as: UInt8.self) == .success(255))
    #expect(try everywhere(.Int(-128), as: Int8.self) == .success(-128))
  }

  @Test("DEC-07: what does not fit is refused, never trapped on") func narrow() throws {
    #expect(try everywhere(.Int(300), as: Int8.self) == .failure(.dataCorrupted))
    #expect(try everywhere(.Int(-3), as: UInt.self) == .failure(.dataCorrupted))
    #expect(try everywhere(.Uint(.max), as: Int.self) == .failure(.dataCorrupted))
    #expect(try everywhere(.F64(1.5), as: Int.self) == .failure(.dataCorrupted))
    #expect(try everywhere(.F64(.nan), as: Int.self) == .failure(.dataCorrupted))
    #expect(try everywhere(.F64(1e300), as: Float.self) == .failure(.dataCorrupted))
    #expect(
      try everywhere(.Int(9_007_199_254_740_993), as: Double.self) == .failure(.dataCorrupted)
    )
  }

  @Test("DEC-06: floats read integers") func floats() throws {
    #expect(try everywhere(.Int(5), as: Double.self) == .success(5))
    #expect(try everywhere(.Uint(5), as: Double.self) == .success(5))
    #expect(try everywhere(.Int(-5), as: Float.self) == .success(-5))
    #expect(try everywhere(.F64(0.1), as: Float.self) == .success(0.1))
  }

  @Test("Every other pair is refused, by the right case") func mismatches() throws {
    let stored: [ScalarValue] = [
      .Bytes(Data([1])), .String("a"), .Uint(1), .Int(1), .F64(1.5), .Counter(1),
      .Timestamp(Date(timeIntervalSince1970: 0)), .Boolean(true),
      .Unknown(typeCode: 12, data: Data([1])),
    ]
    func check<Value: Codable & Equatable & Sendable>(
      _ type: Value.Type,
      reads: (ScalarValue) -> Bool
    ) throws {
      for scalar in stored where !reads(scalar) {
        #expect(
          try everywhere(scalar, as: type) == .failure(.typeMismatch),
          "\(type) from \(scalar)"
        )
      }
      #expect(try everywhere(.Null, as: type) == .failure(.valueNotFound))
    }
    func isNumber(_ scalar: ScalarValue) -> Bool {
      switch scalar {
      case .Int, .Uint, .F64: true
      default: false
      }
    }
    func isString(_ scalar: ScalarValue) -> Bool {
      if case .String = scalar { true } else { false }
    }
    try check(Bool.self) { if case .Boolean = $0 { true } else { false } }
    try check(String.self, reads: isString)
    try check(Int.self, reads: isNumber)
    try check(UInt8.self, reads: isNumber)
    try check(Double.self, reads: isNumber)
    try check(Float.self, reads: isNumber)
    try check(Date.self) { if case .Timestamp = $0 { true } else { false } }
    try check(Data.self) { if case .Bytes = $0 { true } else { false } }
    try check(URL.self, reads: isString)
    try check([Int].self) { _ in false }
    try check([String: Int].self) { _ in false }
    try check(AutomergeText.self) { _ in false }
    try check(Counter.self) { if case .Counter = $0 { true } else { false } }
  }

  @Test("DEC-04: a string reads a text in every position") func stringFromText() throws {
    let doc = Document()
    let list = try doc.putObject(obj: .ROOT, key: "l", ty: .List)
    let text = try doc.putObject(obj: .ROOT, key: "v", ty: .Text)
    try doc.updateText(obj: text, value: "abc")
    for place in 0..<2 {
      let text = try doc.insertObject(obj: list, index: UInt64(place), ty: .Text)
      try doc.updateText(obj: text, value: "abc")
    }
    let decoder = AutomergeDecoder(doc: doc)
    #expect(try decoder.decode(Keyed<String>.self).v == "abc")
    #expect(try decoder.decode(MaybeKeyed<String>.self).v == "abc")
    #expect(try decoder.decode(Keyed<Single<String>>.self).v.value == "abc")
    #expect(try decoder.decode(String.self, from: path(key("v"))) == "abc")
    #expect(try decoder.decode([String].self, from: path(key("l"))) == ["abc", "abc"])
    #expect(try decoder.decode(ByHand<String>.self, from: path(key("l"))).second == "abc")
    #expect(try decoder.decode([String?].self, from: path(key("l"))) == ["abc", "abc"])
  }

  @Test("DEC-13: a URL is read in every position, also as 0.6.1 wrote it") func urls() throws {
    let url = try #require(URL(string: "https://a.b/c"))
    #expect(try everywhere(.String("https://a.b/c"), as: URL.self) == .success(url))
    #expect(try everywhere(.String(""), as: URL.self) == .failure(.dataCorrupted))
    let doc = Document()
    let map = try doc.putObject(obj: .ROOT, key: "v", ty: .Map)
    try doc.put(obj: map, key: "relative", value: .String("https://a.b/c"))
    #expect(try doc.decode(Keyed<URL>.self).v == url)
  }

  @Test("DEC-08: a missing key says so, for scalars and containers") func missing() throws {
    let doc = try document([("a", .Int(1))])
    func check<Value: Codable & Equatable>(_ type: Value.Type) throws {
      let (which, path, words) = try refusal { _ = try doc.decode(Keyed<Value>.self) }
      #expect(which == "keyNotFound v")
      #expect(path.isEmpty)
      #expect(words == "Nothing exists at v")
    }
    try check(Int.self)
    try check([Int].self)
    try check(Keyed<Int>.self)
    try check([String: Int].self)
    try check(Date.self)
    try check(AutomergeText.self)
    #expect(try doc.decode(MaybeKeyed<[Int]>.self).v == nil)
    #expect(try doc.decode(Keyed<Int?>.self).v == nil)
  }

  @Test("DEC-09: an optional is nil where nothing or null is, and refuses another kind")
  func optionals() throws {
    let doc = try document([("v", .Null)])
    #expect(try doc.decode(MaybeKeyed<Int>.self).v == nil)
    #expect(try doc.decode(MaybeKeyed<Keyed<Int>>.self).v == nil)
    #expect(try doc.decode(MaybeKeyed<Date>.self).v == nil)
    try doc.put(obj: .ROOT, key: "v", value: .String("a"))
    #expect(try refusal { _ = try doc.decode(MaybeKeyed<Int>.self) }.0 == "typeMismatch")
    #expect(try refusal { _ = try doc.decode(MaybeKeyed<Keyed<Int>>.self) }.0 == "typeMismatch")
  }

  @Test("DEC-10: a mixed list says which element, what was expected and what found")
  func mixedList() throws {
    let doc = try document(list: "v", [.Int(1), .String("a"), .Int(3)])
    let before = doc.heads()
    let (which, path, words) = try refusal { _ = try doc.decode(Keyed<[Int]>.self) }
    #expect(which == "typeMismatch")
    #expect(path == ["v", "1"])
    #expect(words == "expected Int, found string at v[1]")
    #expect(doc.heads() == before)
  }

  @Test("DEC-11: what has to go on failing") func stillFailing() throws {
    let doc = try document([("v", .String("1"))])
    #expect(try refusal { _ = try doc.decode(Keyed<Double>.self) }.0 == "typeMismatch")
    let (which, path, words) = try refusal { _ = try doc.decode(Keyed<[String]>.self) }
    #expect((which, path) == ("typeMismatch", ["v"]))
    #expect(words == "expected Array<Any>, found string at v")
    let list = try document(list: "v", [.String("a")])
    #expect(
      try refusal { _ = try list.decode(Keyed<String>.self) }.2
        == "expected String, found array at v"
    )
    let error = #expect(throws: DecodingError.self) { try list.decode(Keyed<Keyed<Int>>.self) }
    guard case .typeMismatch(_, let context)? = error else { return }
    guard case .MismatchedSchema? = context.underlyingError as? CodingKeyLookupError else {
      Issue.record("no path error beneath \(context)")
      return
    }
  }

  @Test("Past the end of a list there is no value") func pastTheEnd() throws {
    let doc = try document(list: "v", [.Int(1)])
    let (which, path, _) = try refusal { _ = try doc.decode(Keyed<ByHand<Int>>.self) }
    #expect((which, path) == ("valueNotFound", ["v", "1"]))
    let (nested, nestedPath, _) = try refusal {
      _ = try doc.decode(Keyed<ByHand<[Int]>>.self)
    }
    #expect((nested, nestedPath) == ("typeMismatch", ["v", "0"]))
  }

  @Test("A failed element read can be repeated, and others follow") func repeated() throws {
    struct Lenient: Decodable {
      var values: [String] = []

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
          if try container.decodeNil() {
            values.append("nil")
          } else if let number = try? container.decode(Int.self) {
            values.append("int \(number)")
          } else {
            values.append(try container.decode(String.self))
          }
        }
      }
    }
    let doc = try document(list: "v", [.Int(1), .String("a"), .Null, .Uint(3)])
    let lenient = try AutomergeDecoder(doc: doc).decode(Lenient.self, from: path(key("v")))
    #expect(lenient.values == ["int 1", "a", "nil", "int 3"])
  }

  @Test("DEC-02, DEC-03: decoding from paths that lead nowhere") func paths() throws {
    let doc = try document([("s", .Int(1))])
    let text = try doc.putObject(obj: .ROOT, key: "t", ty: .Text)
    try doc.updateText(obj: text, value: "x")
    _ = try doc.putObject(obj: .ROOT, key: "l", ty: .List)
    let decoder = AutomergeDecoder(doc: doc)
    #expect(try decoder.decode(Int?.self, from: path(key("x"))) == nil)
    #expect(try decoder.decode(Int?.self, from: path(key("l"), index(0))) == nil)
    #expect(try decoder.decode(Int?.self, from: path(key("s"))) == 1)

    func underlying(_ keys: any CodingKey...) throws -> CodingKeyLookupError? {
      let error = try #require(throws: DecodingError.self) {
        try decoder.decode(Int.self, from: keys)
      }
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        return context.underlyingError as? CodingKeyLookupError
      @unknown default: return nil
      }
    }
    guard case .SchemaMissing? = try underlying(key("x")) else { throw Unexpected() }
    guard case .SchemaMissing? = try underlying(key("x"), key("y")) else { throw Unexpected() }
    guard case .IndexOutOfBounds? = try underlying(key("l"), index(3)) else { throw Unexpected() }
    guard case .IndexOutOfBounds? = try underlying(key("l"), index(0)) else { throw Unexpected() }
    guard case .PathExtendsThroughScalar? = try underlying(key("s"), key("y")) else {
      throw Unexpected()
    }
    guard case .PathExtendsThroughText? = try underlying(key("t"), index(0)) else {
      throw Unexpected()
    }
    guard case .AutomergeDocError? = try underlying(key("l"), key("x")) else { throw Unexpected() }
    guard case .AutomergeDocError? = try underlying(index(0)) else { throw Unexpected() }
  }

  struct Unexpected: Error {}

  @Test("DEC-12: texts and counters come back bound") func bound() throws {
    struct Model: Codable {
      var text: AutomergeText
      var counter: Counter
      var texts: [AutomergeText]
      var counters: [String: Counter]
    }
    let doc = Document()
    try doc.encode(
      Model(
        text: AutomergeText("a"),
        counter: Counter(1),
        texts: [AutomergeText("b")],
        counters: ["c": Counter(2)]
      )
    )
    let model = try doc.decode(Model.self)
    #expect(model.text.isBound && model.counter.isBound)
    #expect(model.texts[0].isBound)
    #expect(model.counters["c"]?.isBound == true)
    model.texts[0].value = "bb"
    model.counters["c"]?.increment(by: 5)
    #expect(try doc.decode(Keyed2.self).texts == ["bb"])
    #expect(try doc.decode(Model.self).counters["c"]?.value == 7)
  }

  struct Keyed2: Codable {
    var texts: [String]
  }
}

extension ScalarValue {
  var isNull: Bool { self == .Null }
}
