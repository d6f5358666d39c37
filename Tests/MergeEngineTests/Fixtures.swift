import Foundation

@testable import MergeEngine

/// Files of the repository's `fixtures` folder.
enum Fixtures {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "fixtures")

  static func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.appending(path: path)))
  }

  static func json(_ path: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(try bytes(path)))
  }

  /// The JSON of a gzipped file (10 bytes of header, no optional fields).
  static func gzippedJSON(_ path: String) throws -> Any {
    let packed = try bytes(path)
    let nameEnd =
      packed[3] & 8 == 0 ? 10 : (packed[10...].firstIndex(of: 0) ?? packed.count - 1) + 1
    let body = Array(packed[nameEnd...])
    let plain = try withView(of: body) { (view) throws(Fault) in
      try Deflate.inflate(view, limit: 1 << 28, .content).view.array
    }
    return try JSONSerialization.jsonObject(with: Data(plain))
  }
}

/// One edit of a trace.
struct Patch {
  let position: Int
  let deleted: Int
  let inserted: String
}

/// An editing trace.
struct Trace {
  struct Transaction {
    var agent = 0
    var parents: [Int] = []
    var patches: [Patch] = []
  }
  let transactions: [Transaction]
  let agents: Int
  let end: String

  init(_ name: String) throws {
    let json = try Fixtures.gzippedJSON("traces/\(name).json.gz")
    guard let object = json as? [String: Any], let list = object["txns"] as? [[Any]] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    func patch(_ value: Any) -> Patch {
      let parts = value as? [Any] ?? []
      return Patch(
        position: parts[0] as? Int ?? 0,
        deleted: parts[1] as? Int ?? 0,
        inserted: parts[2] as? String ?? ""
      )
    }
    let isConcurrent = object["kind"] as? String == "concurrent"
    transactions = list.map { item in
      guard isConcurrent else { return Transaction(patches: item.map(patch)) }
      return Transaction(
        agent: item[0] as? Int ?? 0,
        parents: item[1] as? [Int] ?? [],
        patches: (item[2] as? [Any] ?? []).map(patch)
      )
    }
    agents = object["numAgents"] as? Int ?? 1
    end = object["endContent"] as? String ?? ""
  }
}

/// SplitMix64, the generator of the workloads.
struct SplitMix {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func letter() -> String { String(UnicodeScalar(UInt8(97 + below(26)))) }
}

/// An actor of 16 equal bytes.
func actor(_ byte: UInt8) -> ActorID { ActorID([UInt8](repeating: byte, count: 16)) }

/// Heads as the workloads write them.
func headString(_ document: MergeDocument) -> String {
  document.heads.map(\.description).joined(separator: "+")
}

/// SHA-256 in hex.
func sha256(_ bytes: [UInt8]) -> String {
  withView(of: bytes) { digest(of: $0).description }
}

/// The chunk of a change with this content, its checksum right.
func changeChunk(_ content: [UInt8]) -> [UInt8] {
  withView(of: content) { view in
    var output = Arena<UInt8>()
    appendChunk(type: ChunkFrame.change, view, to: &output)
    return output.view.array
  }
}

/// What stands in a chunk behind its length.
func content(of chunk: [UInt8]) -> [UInt8] {
  withView(of: chunk) { Array(chunk[ChunkFrame.contentStart(of: $0)...]) }
}
