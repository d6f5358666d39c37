import Foundation
import Testing

@testable import MergeEngine

/// The mutators of W7.
enum Damage {
  static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    for _ in 0..<1 + random.below(4) {
      let size = bytes.count
      if size <= 1 { return }
      switch random.below(5) {
      case 0:
        let at = random.below(size)
        bytes[at] ^= 1 << UInt8(random.below(8))
      case 1:
        let at = random.below(size)
        bytes[at] = UInt8(random.below(256))
      case 2: bytes.remove(at: random.below(size))
      case 3:
        let at = random.below(size)
        bytes.insert(UInt8(random.below(256)), at: at)
      default:
        if random.below(8) == 0 {
          bytes.removeLast(size - random.below(size))
        } else {
          let to = random.below(size)
          bytes[to] = bytes[random.below(size)]
        }
      }
    }
  }

  /// Damages the body of a one-chunk file and repairs length and checksum.
  static func repaired(_ file: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var start = 9
    while file[start] & 0x80 != 0 { start += 1 }
    var body = Array(file[(start + 1)...])
    mutate(&body, &random)
    var output = Arena<UInt8>()
    return withView(of: body) { view in
      appendChunk(type: file[8], view, to: &output)
      return output.view.array
    }
  }

  static let corpus: [[UInt8]] = {
    let json = try? Fixtures.json("documents/tiny-corpus.json") as? [String: Any]
    let documents = json?["documents_hex"] as? [String] ?? []
    return documents.map(Vector.unhex)
  }()

  /// Release builds can afford far more.
  static var count: Int {
    #if DEBUG
    2_500
    #else
    100_000
    #endif
  }
}

@Suite("Damaged bytes")
struct DamageTests {
  /// A document from damaged bytes obeys the laws of every document.
  private func checkSound(_ document: MergeDocument) throws {
    try document.core.checkInvariants()
    let saved = document.save()
    let again = try MergeDocument(loading: saved, actor: actor(2))
    #expect(again.heads == document.heads)
    #expect(again.save() == saved)
    #expect(try again.content(of: .root) == document.content(of: .root))
  }

  @Test("Damaged documents are refused, or are documents", arguments: [42, 43, 44, 45])
  func documents(_ seed: UInt64) throws {
    #expect(Damage.corpus.count == 32)
    var random = SplitMix(seed)
    var accepted = 0
    var reasons: Set<String> = []
    for _ in 0..<Damage.count {
      let source = Damage.corpus[random.below(32)]
      var bytes = source
      if seed % 2 == 0 {
        Damage.mutate(&bytes, &random)
      } else {
        bytes = Damage.repaired(source, &random)
      }
      let document: MergeDocument
      do throws(ChunkError) {
        document = try MergeDocument(loading: bytes, actor: actor(1))
      } catch {
        reasons.insert("\(error.reason)".prefix { $0 != "(" }.description)
        continue
      }
      accepted += 1
      try checkSound(document)
    }
    #expect(accepted > 0)
    #expect(reasons.count >= (seed % 2 == 0 ? 3 : 15))
  }

  @Test("A refused change leaves the document as it was")
  func changes() throws {
    var random = SplitMix(99)
    var refused = 0
    for seed in UInt64(1)...UInt64(Damage.count / 250) {
      let replicas = try TinyHistory.run(seed)
      let chunks = replicas[0].changeBytes()
      for _ in 0..<20 {
        let known = random.below(chunks.count)
        let document = MergeDocument(actor: actor(7))
        try document.applyChanges(Array(chunks.prefix(known)))
        let before = document.save(compressed: false)
        let content = try document.content(of: .root)
        // Good changes, then a damaged one: none of them may stay.
        let good = chunks[known...].prefix(random.below(4))
        let damaged = Damage.repaired(chunks[random.below(chunks.count)], &random)
        do throws(ChunkError) {
          try document.applyChanges(Array(good) + [damaged])
        } catch {
          refused += 1
          try document.core.checkInvariants()
          #expect(document.save(compressed: false) == before)
          #expect(try document.content(of: .root) == content)
          // What follows must go as if nothing had happened.
          try document.applyChanges(Array(chunks[known...]))
          #expect(document.heads == replicas[0].heads)
          #expect(try document.content(of: .root) == replicas[0].content(of: .root))
        }
        try document.core.checkInvariants()
      }
    }
    #expect(refused > 0)
  }

  @Test("Prefixes of a file are refused, but for whole chunks")
  func prefixes() throws {
    let bytes = try Fixtures.bytes("vectors/incremental.automerge")
    var accepted: [Int] = []
    for length in 0...bytes.count {
      if (try? MergeDocument(loading: Array(bytes.prefix(length)), actor: actor(1))) != nil {
        accepted.append(length)
      }
    }
    #expect(accepted.first == 0)
    #expect(accepted.last == bytes.count)
    #expect(accepted.count == 3)
  }

  @Test("Claims that the bytes do not bear out cost nothing")
  func bombs() throws {
    // A document whose columns claim 2^60 rows in nine bytes each.
    var run = Arena<UInt8>()
    run.appendSLEB(1 << 60)
    run.append(1)
    let long = run.view.array
    var flag = Arena<UInt8>()
    flag.append(0)
    flag.appendULEB(1 << 60)
    let columns: [(UInt8, [UInt8])] = [
      (0x21, long), (0x23, long), (0x34, flag.view.array), (0x42, long), (0x56, long),
    ]
    var body: [UInt8] = [1, 1, 7, 0, 0, UInt8(columns.count)]
    for (spec, bytes) in columns { body += [spec, UInt8(bytes.count)] }
    for (_, bytes) in columns { body += bytes }
    var output = Arena<UInt8>()
    withView(of: body) { _ = appendChunk(type: 0, $0, to: &output) }
    let file = output.view.array
    let error = #expect(throws: ChunkError.self) {
      try MergeDocument(loading: file, actor: actor(1))
    }
    #expect(error != nil)

    // A compressed change that inflates to far more than a change can be.
    var zeros = Arena<UInt8>()
    zeros.append(repeating: 0, count: 1 << 22)
    var packed = Arena<UInt8>()
    Deflate.compress(zeros.view, into: &packed)
    var bomb = Arena<UInt8>()
    appendChunk(type: 2, packed.view, to: &bomb)
    let bytes = bomb.view.array
    #expect(throws: ChunkError.self) { try MergeDocument(loading: bytes, actor: actor(1)) }
    #expect(throws: Fault.self) {
      _ = try withView(of: packed.view.array) { (view) throws(Fault) in
        try Deflate.inflate(view, limit: 1 << 20, .content).count
      }
    }
  }
}
