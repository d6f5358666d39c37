import DocumentModel
import PropertyEngine
import Testing

@Suite("Identity")
struct IdentityTests {
  /// Byte strings in the order that ids must have: bytes first, and a prefix before what it begins.
  private static let ascending: [[UInt8]] = [
    [], [0], [0, 0], Array(repeating: 0, count: 8), Array(repeating: 0, count: 16), [0, 1],
    [0, 1, 0], [1], [1, 0], [1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 0, 0, 0, 1], [1, 0xff], [0x7f], [0x80], [0x80, 0], [0xaa, 1],
    Array(repeating: 0xee, count: 15), Array(repeating: 0xee, count: 16), [0xff],
    Array(repeating: 0xff, count: 16),
  ]

  @Test("Actors are ordered as their bytes, whatever their lengths")
  func actorOrder() throws {
    let actors = try Self.ascending.map { try #require(ActorID(bytes: $0)) }
    for (index, left) in actors.enumerated() {
      for (other, right) in actors.enumerated() {
        #expect((left < right) == (index < other), "\(left) \(right)")
        #expect((left == right) == (index == other), "\(left) \(right)")
      }
    }
  }

  @Test("The order of random actors is that of their byte strings")
  func actorOrderAtRandom() throws {
    var choices = Choices(seed: 1)
    for _ in 0..<2000 {
      let pair = (0..<2).map { _ in
        (0..<choices.number(in: 0...16)).map { _ in UInt8(choices.number(in: 0...2)) }
      }
      let left = try #require(ActorID(bytes: pair[0]))
      let right = try #require(ActorID(bytes: pair[1]))
      #expect((left < right) == pair[0].lexicographicallyPrecedes(pair[1]))
      #expect((left == right) == (pair[0] == pair[1]))
    }
  }

  @Test("Bytes and digits are given back")
  func actorRoundTrip() throws {
    for bytes in Self.ascending {
      let actor = try #require(ActorID(bytes: bytes))
      #expect(actor.bytes == bytes)
      #expect(actor.description.count == 2 * bytes.count)
      #expect(ActorID(hex: actor.description) == actor)
    }
    #expect(ActorID(hex: "00fFA9")?.bytes == [0, 0xff, 0xa9])
    #expect(ActorID(repeating: 0x0b).description == String(repeating: "0b", count: 16))
    #expect(ActorID(repeating: 7) == ActorID(bytes: Array(repeating: 7, count: 16)))
  }

  @Test(
    "What is no actor is refused",
    arguments: [
      "0", "0g", "g0", " 00", "00 ", "0x00", "-1", "\u{660}\u{660}", "é",
      String(repeating: "00", count: 17),
    ]
  )
  func actorRefusals(hex: String) {
    #expect(ActorID(hex: hex) == nil)
  }

  @Test("An actor has at most 16 bytes")
  func actorLimit() {
    #expect(ActorID(bytes: Array(repeating: 1, count: ActorID.byteCountLimit)) != nil)
    #expect(ActorID(bytes: Array(repeating: 1, count: ActorID.byteCountLimit + 1)) == nil)
  }

  @Test("Operations are ordered by counter, then by actor")
  func operationOrder() {
    let (a, b) = (ActorID(repeating: 1), ActorID(repeating: 2))
    let ascending = [
      OpID(counter: 0, actor: b), OpID(counter: 1, actor: a), OpID(counter: 1, actor: b),
      OpID(counter: 2, actor: a), OpID(counter: 10, actor: a), OpID(counter: .max, actor: a),
    ]
    for (index, left) in ascending.enumerated() {
      for (other, right) in ascending.enumerated() {
        #expect((left < right) == (index < other), "\(left) \(right)")
      }
    }
  }

  @Test("An operation's text is read back")
  func operationRoundTrip() throws {
    for bytes in Self.ascending {
      for counter in [0, 1, 9, 10, UInt32.max] {
        let id = OpID(counter: counter, actor: try #require(ActorID(bytes: bytes)))
        #expect(OpID(id.description) == id)
        #expect(ObjectID(id.description) == .made(id))
      }
    }
    #expect(OpID("3@0a")?.description == "3@0a")
    #expect(ObjectID("_root") == .root)
    #expect(ObjectID.root.description == "_root")
    #expect(ObjectID.root < .made(OpID(counter: 0, actor: ActorID(repeating: 0))))
  }

  @Test(
    "What is no operation is refused",
    arguments: ["", "@", "1", "@aa", "x@aa", "-1@aa", "1@a", "1@@aa", "4294967296@aa", "1 @aa"]
  )
  func operationRefusals(text: String) {
    #expect(OpID(text) == nil)
    #expect(ObjectID(text) == nil)
  }
}
