import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// Models that use their encoder in ways that few do: nothing of them may trap or get lost.
@Suite("Models that use their encoder oddly")
struct OddModelTests {
  private struct Refusal: Error {}

  /// A value that begins to write, and then throws.
  private struct Failing: Encodable {
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(7)
      throw Refusal()
    }
  }

  /// A model made of a closure.
  private struct Model: Encodable {
    let body: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  private func tree(_ body: @escaping (any Encoder) throws -> Void) throws -> Tree {
    let doc = Document()
    try doc.encode(Model(body: body))
    #expect(try doc.operations { try doc.encode(Model(body: body)) } == 0)
    return try doc.tree()
  }

  private func map(_ encoder: any Encoder) -> KeyedEncodingContainer<AnyCodingKey> {
    encoder.container(keyedBy: AnyCodingKey.self)
  }

  @Test("A failure that is caught takes nothing along that stands beside it")
  func caughtFailure() throws {
    let keyed = try tree { encoder in
      var fields = map(encoder)
      let parent = fields.superEncoder(forKey: key("a"))
      try fields.encode(1, forKey: key("b"))
      var value = parent.singleValueContainer()
      do { try value.encode(Failing()) } catch is Refusal { try value.encode("x") }
    }
    #expect(keyed == .dict(["a": .scalar(.String("x")), "b": .scalar(.Int(1))]))
    let unkeyed = try tree { encoder in
      var fields = map(encoder)
      var list = fields.nestedUnkeyedContainer(forKey: key("l"))
      let parent = list.superEncoder()
      try list.encode(1)
      var value = parent.singleValueContainer()
      do { try value.encode(Failing()) } catch is Refusal { try value.encode("x") }
    }
    #expect(unkeyed == .dict(["l": .array([.scalar(.String("x")), .scalar(.Int(1))])]))
  }

  @Test("A container that outlives the failure of its value writes nowhere visible")
  func keptContainer() throws {
    final class Kept {
      var list: (any UnkeyedEncodingContainer)?
    }
    for replacement in [0, 1] {
      let tree = try tree { encoder in
        let kept = Kept()
        var fields = map(encoder)
        let field = Model { encoder in
          var value = encoder.singleValueContainer()
          let failing = Model { encoder in
            kept.list = encoder.unkeyedContainer()
            try kept.list?.encode(5)
            throw Refusal()
          }
          do { try value.encode(failing) } catch is Refusal {
            if replacement == 0 {
              try value.encode("x")
            } else {
              try value.encode(["k": 1])
            }
          }
          try kept.list?.encode(1)
        }
        try fields.encode(field, forKey: key("a"))
        try kept.list?.encode(2)
      }
      let expected: Tree =
        replacement == 0 ? .scalar(.String("x")) : .dict(["k": .scalar(.Int(1))])
      #expect(tree == .dict(["a": expected]))
    }
  }

  @Test("What a value passed on may be kept and written to, and is not seen any more")
  func keptAfterwards() throws {
    final class Kept {
      var list: (any UnkeyedEncodingContainer)?
    }
    let tree = try tree { encoder in
      let kept = Kept()
      var fields = map(encoder)
      let field = Model { encoder in
        var value = encoder.singleValueContainer()
        try value.encode(
          Model { encoder in
            kept.list = encoder.unkeyedContainer()
            try kept.list?.encode(1)
          }
        )
        try kept.list?.encode(2)
        // The place is a list already, and goes on where it was.
        var more = encoder.unkeyedContainer()
        try more.encode(3)
      }
      try fields.encode(field, forKey: key("a"))
    }
    #expect(tree == .dict(["a": .array([.scalar(.Int(1)), .scalar(.Int(3))])]))
  }

  @Test("Encoders of superclasses nest no deeper than values do", arguments: [false, true])
  func deepSuperclasses(isKeyed: Bool) throws {
    let doc = try document([("kept", .Int(1))])
    let heads = doc.heads()
    let model = Model { encoder in
      if isKeyed {
        var encoder = encoder
        for _ in 0..<20_000 {
          var fields = encoder.container(keyedBy: AnyCodingKey.self)
          encoder = fields.superEncoder(forKey: key("s"))
        }
      } else {
        var fields = encoder.container(keyedBy: AnyCodingKey.self)
        var list = fields.nestedUnkeyedContainer(forKey: key("s"))
        for _ in 0..<20_000 { list = list.superEncoder().unkeyedContainer() }
      }
    }
    let error = #expect(throws: EncodingError.self) { try doc.encode(model) }
    guard case .invalidValue(_, let context)? = error else { return }
    #expect(context.debugDescription.contains("deeper than 512"))
    #expect(doc.heads() == heads)
  }

  @Test("An element without a pair, appended to a dictionary's list, is an element")
  func oddPairs() throws {
    let tree = try tree { encoder in
      var fields = map(encoder)
      try fields.encode([1.5: 2], forKey: key("a"))
      var list = fields.nestedUnkeyedContainer(forKey: key("a"))
      try list.encode(3)
    }
    let elements: [Tree] = [.scalar(.F64(1.5)), .scalar(.Int(2)), .scalar(.Int(3))]
    #expect(tree == .dict(["a": .array(elements)]))
  }

  @Test("Keys that are set again, in order and against it, have their last value")
  func keysSetAgain() throws {
    let count = 300
    let tree = try tree { encoder in
      var fields = map(encoder)
      for number in 0..<count { try fields.encode(number, forKey: key("k\(number)")) }
      for number in 0..<count { try fields.encode("\(number)", forKey: key("k\(number)")) }
      for number in (0..<count).reversed() {
        try fields.encode([number], forKey: key("k\(number)"))
      }
    }
    guard case .dict(let entries) = tree else {
      Issue.record("\(tree)")
      return
    }
    #expect(entries.count == count)
    for number in 0..<count {
      #expect(entries["k\(number)"] == .array([.scalar(.Int(Int64(number)))]))
    }
  }
}
