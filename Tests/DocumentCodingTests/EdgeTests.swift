import AutomergeDocument
import DocumentCoding
import Foundation
import Synchronization
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

    init(length: Int) {
      var chain: Chain?
      for _ in 1..<length { chain = Chain(next: chain) }
      next = chain
    }

    private init(next: Chain?) { self.next = next }
  }

  @Test("512 containers within each other are coded on the small stack of a thread")
  func smallStack() throws {
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      let result = Result<Void, any Error> {
        let doc = Document()
        try doc.encode(Chain(length: 512))
        _ = try doc.decode(Chain.self)
        #expect(throws: EncodingError.self) { try doc.encode(Chain(length: 513)) }
      }
      outcome.withLock { $0 = result }
      isDone.signal()
    }
    thread.stackSize = Self.stackBytes
    thread.start()
    isDone.wait()
    try #require(outcome.withLock { $0 }).get()
  }

  /// Bytes of the stack: optimised frames of a level take more than 1 KiB and less than 2.
  ///
  /// A secondary thread of an Apple system has 512 KiB by itself, which is too small for 512 levels.
  private static let stackBytes: Int = {
    #if DEBUG
    4 << 20
    #else
    1 << 20
    #endif
  }()
}
