import CodingSupport
import Foundation
import ModelGeneration
import Testing

@Suite("Recording and decoding")
struct RecordingTests {
  struct Everything: Codable, Equatable {
    enum Kind: String, Codable { case a, b }
    enum Shape: Codable, Equatable {
      case point
      case circle(radius: Double)
      case pair(Int, [String])
    }
    var flag = true
    var small: Int8 = -128
    var large = UInt64.max
    var float: Float = 0.1
    var name = "e\u{301}"
    var due = Date(timeIntervalSinceReferenceDate: 0.25)
    var data = Data([1, 2])
    var url = URL(string: "https://example.org/a")
    var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var price = Decimal(string: "12.5")
    var kind = Kind.b
    var shapes: [Shape] = [.point, .circle(radius: 1), .pair(2, ["x"])]
    var nothing: Int?
    var years: [String: Int] = ["2024": 1]
    var optionals: [Int?] = [nil, 1]
  }

  @Test("A recorded value decodes to an equal value")
  func roundTrip() throws {
    let value = Everything()
    let tree = try TreeRecorder.tree(of: value)
    #expect(try TreeDecoder().decode(Everything.self, from: tree) == value)
    #expect(
      tree[[.key("shapes"), .index(2)]]?.description
        == "{\"pair\": {\"_0\": int 2, \"_1\": [\"x\"]}}"
    )
    #expect(tree[[.key("due")]] == .date(0.25))
    #expect(tree[[.key("years"), .key("2024")]] == .int(1))
    #expect(tree[[.key("optionals")]]?.description == "[null, int 1]")
  }

  @Test("A key named and absent is told from one that was never named")
  func absent() throws {
    guard case .map(let map) = try TreeRecorder().record(Everything()) else {
      Issue.record("not a map")
      return
    }
    #expect(map.absentKeys == ["nothing"])
    #expect(map.owner == .type)
    let entry = map.entries.first { $0.key == "years" }
    guard case .map(let years)? = entry?.value else {
      Issue.record("not a map")
      return
    }
    #expect(years.owner == .dictionary)
  }

  @Test(
    "Numbers are read where they fit exactly, and refused where they do not",
    arguments: [
      (Tree.int(127), true), (.uint(127), true), (.int(128), false), (.uint(.max), false),
      (.float(1), false), (.string("1"), false), (.counter(1), false), (.timestamp(1), false),
    ]
  )
  func integers(tree: Tree, isRead: Bool) {
    let value = try? TreeDecoder().decode([Int8].self, from: .list([tree]))
    #expect((value != nil) == isRead)
  }

  @Test("A refusal's path ends where the value stands")
  func path() throws {
    let tree = try Tree(text: "{\"l\": [int 1, int 300]}")
    let error = #expect(throws: DecodingError.self) {
      try TreeDecoder().decode([String: [Int8]].self, from: tree)
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["l", "1"])
    #expect(context.codingPath.last?.intValue == 1)
  }

  @Test("A type that asks for no container is an empty map; a superclass shares the map")
  func oddities() throws {
    struct Silent: Encodable {
      func encode(to encoder: any Encoder) throws {}
    }
    class Base: Codable {
      var base = 1
    }
    final class Derived: Base {
      var own = 2
      enum CodingKeys: CodingKey { case own }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(own, forKey: .own)
        try super.encode(to: container.superEncoder())
      }
    }
    #expect(try TreeRecorder.tree(of: Silent()) == .map([]))
    #expect(try TreeRecorder.tree(of: Derived()).description == "{\"base\": int 1, \"own\": int 2}")
  }

  @Test("A map tells what asked for it, and by which keys")
  func askers() throws {
    enum State: Encodable { case done(by: Int) }
    struct Box<Value: Encodable>: Encodable {
      var value: Value
      func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }
    struct Part: Encodable { var a = 1 }
    enum Either: Encodable {
      case part(Part)
      func encode(to encoder: any Encoder) throws {
        guard case .part(let part) = self else { return }
        var container = encoder.singleValueContainer()
        try container.encode(part)
      }
    }
    func map(_ value: any Encodable) throws -> RecordedMap? {
      guard case .map(let map) = try TreeRecorder().record(value) else { return nil }
      return map
    }
    #expect(try map(Box(value: State.done(by: 1)))?.owner == .enumeration)
    #expect(try map(Box(value: Part()))?.owner == .type)
    #expect(try map(Either.part(Part()))?.isHandedOn == true)
    #expect(try map(Part())?.isHandedOn == false)
    #expect(try map(Box(value: Decimal(1)))?.standardType == Decimal.self)
    #expect(try map(Part())?.standardType == nil)
    #expect(try map(Part())?.hasOpenKeys == false)
    #expect(try map(["a": 1])?.hasOpenKeys == true)
  }

  @Test("A value deeper than the limit is refused when it is recorded and when it is decoded")
  func depth() throws {
    final class Chain: Codable {
      var next: Chain?
      init(next: Chain?) { self.next = next }
    }
    var chain: Chain?
    for _ in 0..<600 { chain = Chain(next: chain) }
    let whole = try #require(chain)
    #expect(throws: EncodingError.self) { try TreeRecorder.tree(of: whole) }
    let tree = (0..<600).reduce(Tree.map([])) { inner, _ in .map([.init("next", inner)]) }
    #expect(throws: DecodingError.self) { try TreeDecoder().decode(Chain.self, from: tree) }
  }
}
