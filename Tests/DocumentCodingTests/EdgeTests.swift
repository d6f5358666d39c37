import AutomergeDocument
import DocumentCoding
import Foundation
import PropertyEngine
import Testing

@Suite("Rows at the edge: any keys, wide integers, small stacks")
struct EdgeTests {
  private typealias Nested = [String: [String: [String: Int]]]

  private static let keys = [
    "", " ", "a.b", "[0]", "0", "\u{0}", "\u{E9}", "日本", "👩‍👩‍👧", "\u{FEFF}", "\u{10FFFF}",
  ]

  @Test("Dictionaries within dictionaries keep keys of any scalars (ENC-16, ENC-17)")
  func nestedKeys() throws {
    var model: Nested = [:]
    for (number, key) in Self.keys.enumerated() { model[key] = [key: ["k\(key)": number]] }
    let doc = Document()
    try doc.encode(model)
    #expect(try doc.decode(Nested.self) == model)
    #expect(
      Set(doc.keys(obj: .ROOT).map { Array($0.utf8) }) == Set(Self.keys.map { Array($0.utf8) })
    )
    #expect(try doc.operations { try doc.encode(model) } == 0)
    for key in Self.keys {
      model[key]?[key] = [:]
      #expect(try doc.operations { try doc.encode(model) } == 1, "\(key.debugDescription)")
    }
    #expect(try doc.decode(Nested.self) == model)
  }

  @Test("Keys that Swift holds to be one are two in a document, and neither side traps")
  func lookalikeKeys() throws {
    let doc = Document()
    let map = try doc.putObject(obj: .ROOT, key: "map", ty: .Map)
    try doc.put(obj: map, key: "\u{E9}", value: .Int(1))
    try doc.put(obj: map, key: "e\u{301}", value: .Int(2))
    let model = try doc.decode([String: [String: Int]].self)
    #expect(model["map"]?.count == 1)
    try doc.encode(model)
    #expect(try doc.decode([String: [String: Int]].self) == model)
    #expect(doc.keys(obj: map).count == 1)
  }

  private struct Wide<Number: Codable>: Codable {
    var before = 1
    var number: Number
  }

  private func refuses<Number: Codable>(_ number: Number) throws {
    let doc = try document([("before", .Int(7)), ("number", .Int(3))])
    let heads = doc.heads()
    let encoder = AutomergeEncoder(doc: doc)
    #expect(throws: EncodingError.self) { try encoder.encode(Wide(number: number)) }
    #expect(throws: EncodingError.self) { try encoder.encode(Wide(number: [number])) }
    #expect(throws: EncodingError.self) { try encoder.encode(Wide(number: ["k": number])) }
    #expect(throws: EncodingError.self) { try encoder.encode(number, at: path(key("number"))) }
    #expect(doc.heads() == heads)
    #expect(throws: DecodingError.self) { try doc.decode(Wide<Number>.self) }
  }

  @Test("Integers of 128 bits are refused in every position, and nothing is written")
  func wideIntegers() throws {
    try refuses(Int128.max)
    try refuses(Int128(1))
    try refuses(UInt128.max)
    try refuses(UInt128(1))
  }

  private final class Chain: Codable {
    var next: Chain?
    var value: Int

    init(length: Int, value: Int = 0) {
      var chain: Chain?
      for _ in 1..<length { chain = Chain(next: chain, value) }
      next = chain
      self.value = value
    }

    private init(next: Chain?, _ value: Int) {
      self.next = next
      self.value = value
    }
  }

  @Test("512 containers within each other are coded on the stack that the documentation states")
  func statedStack() throws {
    #if DEBUG
    let bytes = 4 << 20
    #else
    let bytes = 5 << 18
    #endif
    try onStack(of: bytes) {
      let doc = Document()
      try doc.encode(Chain(length: 512))
      try doc.encode(try doc.decode(Chain.self))
      #expect(throws: EncodingError.self) { try doc.encode(Chain(length: 513)) }
    }
  }

  @Test("A thread with 512 KiB codes what it has room for, and can write over what it wrote")
  func smallStack() throws {
    #if DEBUG
    let fitting = 72
    #else
    let fitting = 208
    #endif
    try onStack(of: 512 << 10) {
      var last = 0
      for length in stride(from: 16, through: 512, by: 16) {
        let doc = Document()
        do {
          try doc.encode(Chain(length: length))
        } catch EncodingError.invalidValue(_, let context) {
          #expect(context.codingPath.count >= fitting)
          #expect(context.debugDescription.contains("this thread's stack has room for"))
          #expect(try doc.isEmpty())
          continue
        }
        #expect(last == length - 16)
        last = length
        try doc.encode(Chain(length: length, value: 1))
        #expect(try doc.decode(Chain.self).value == 1)
      }
      #expect(last > fitting - 16)
    }
  }

  @Test("What is too deep for a thread's stack is refused on both sides, and never traps")
  func tinyStack() throws {
    // A thread may get the stack that an ended one left, of up to four times the size.
    #if DEBUG
    let bytes = 256 << 10
    #else
    let bytes = 128 << 10
    #endif
    let deep = Document()
    try onStack(of: 8 << 20) { try deep.encode(Chain(length: 512)) }
    let heads = deep.heads()
    try onStack(of: bytes) {
      let refusal = #expect(throws: EncodingError.self) {
        try deep.encode(Chain(length: 512, value: 1))
      }
      guard case .invalidValue(_, let context)? = refusal else { return }
      #expect(context.debugDescription.contains("this thread's stack has room for"))
      #expect(deep.heads() == heads)
      let error = #expect(throws: DecodingError.self) { try deep.decode(Chain.self) }
      guard case .dataCorrupted(let context)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(context.debugDescription.contains("this thread's stack has room for"))
      #expect((32..<512).contains(context.codingPath.count))
    }
  }

  /// Containers of every kind within each other.
  private indirect enum Nest: Codable, Equatable, Sendable {
    case end(Int)
    case list([Nest])
    case keys([String: Nest])
    case pair(Nest, beside: Int)
    case box(Box)

    struct Box: Codable, Equatable, Sendable {
      var next: Nest?
    }

    /// The chain that choices make, from its end.
    init(length: Int, _ choices: inout Choices) {
      self = .end(1)
      for _ in 0..<length {
        switch choices.index(below: 4) {
        case 0: self = .list([self])
        case 1: self = .keys(["k": self])
        case 2: self = .pair(self, beside: 2)
        default: self = .box(Box(next: self))
        }
      }
    }
  }

  @Test("Stress: values of any shape on stacks of any size are coded whole, or refused")
  func anyStack() throws {
    var choices = Choices(seed: Seed(value: 5))
    var codedCount = 0
    var refusedCount = 0
    for _ in 0..<150 {
      // A chain's link is up to three containers.
      let nest = Nest(length: 1 + choices.index(below: 170), &choices)
      #if DEBUG
      let unit = 256 << 10
      #else
      let unit = 128 << 10
      #endif
      let bytes = unit << choices.index(below: 4)
      let (whole, part) = (Document(), Document())
      try onStack(of: 16 << 20) { try whole.encode(Nest.Box(next: nest)) }
      let isCoded = try onStack(of: bytes) {
        do {
          try part.encode(Nest.Box(next: nest))
          return true
        } catch EncodingError.invalidValue(_, let context) {
          #expect(context.debugDescription.contains("this thread's stack has room for"))
          return false
        }
      }
      // Compared and given back where there is room for that.
      let isRight = try onStack(of: 16 << 20) {
        isCoded ? try part.decode(Nest.Box.self).next == nest : try part.isEmpty()
      }
      #expect(isRight)
      // Handed out, since to give it back takes room, too.
      let read = try onStack(of: bytes) { () -> Nest? in
        do {
          return try whole.decode(Nest.Box.self).next
        } catch DecodingError.dataCorrupted(let context) {
          #expect(context.debugDescription.contains("this thread's stack has room for"))
          return nil
        }
      }
      #expect(read == nil || read == nest)
      if isCoded, read != nil { codedCount += 1 } else { refusedCount += 1 }
    }
    #expect(codedCount > 20)
    #expect(refusedCount > 20)
  }
}
