package import DocumentModel

/// What a hostile peer sends, as bytes: chunks and messages whose hashes and checksums are right.
///
/// Shares no code with any engine (``ChunkForge``).
package enum HostilePeer {
  /// A change that the peer has heard of.
  package struct KnownChange: Sendable {
    package let hash: [UInt8]
    package let actor: [UInt8]
    package let seq: UInt64
    /// Its chunk, deflated or not.
    package let chunk: [UInt8]

    package init(hash: [UInt8], actor: [UInt8], seq: UInt64, chunk: [UInt8]) {
      self.hash = hash
      self.actor = actor
      self.seq = seq
      self.chunk = chunk
    }
  }

  package enum Message: Hashable, Sendable {
    /// Chunks, one behind the other.
    case changes([UInt8])
    case syncMessage([UInt8])

    package var byteCount: Int {
      switch self {
      case .changes(let bytes), .syncMessage(let bytes): bytes.count
      }
    }
  }

  /// What the peer sends; nil without the change that it would be about.
  package static func message(_ attack: Attack, about known: KnownChange?) -> Message? {
    let (pick, writer) = (attack.pick, attack.writer.bytes)
    switch attack.kind {
    case .forge:
      return .changes(flawed(pick % 5, by: writer, behind: []))
    case .poison:
      return known.map { .changes(flawed(pick % 2, by: writer, behind: [$0.hash])) }
    case .impostor:
      return known.map { known in
        .changes(
          ChunkForge.change(
            writer: known.actor,
            seq: known.seq,
            startOp: 1_000_000,
            dependencies: [pick % 2 == 0 ? known.hash : unknownHash(pick)],
            ops: put("impostor", 1)
          )
        )
      }
    case .withhold:
      return .changes(waiting(by: writer, seq: UInt64(1 + pick % 3), for: pick))
    case .flood:
      return .changes(attack.flood.flatMap { waiting(by: $0.bytes, seq: 1, for: pick) })
    case .replay:
      return known.map { .changes($0.chunk) }
    case .lie:
      return .syncMessage(lie(pick, by: writer))
    case .equivocate:
      return .changes(
        ChunkForge.change(writer: writer, ops: put("twin", UInt8(pick % 2)))
      )
    }
  }

  // MARK: - Changes

  /// A change of a stranger with one flaw, behind another one.
  static func flawed(_ flaw: Int, by writer: UInt8, behind hash: [UInt8]) -> [UInt8] {
    flawed(flaw, by: [writer], behind: [hash])
  }

  /// A change with one flaw; the first two show only when its dependencies are there.
  private static func flawed(
    _ flaw: Int,
    by writer: [UInt8],
    behind dependencies: [[UInt8]]
  ) -> [UInt8] {
    switch flaw {
    case 0:
      // The change before it does not exist.
      return ChunkForge.change(writer: writer, seq: 2, dependencies: dependencies, ops: [])
    case 1:
      // The object that it writes into does not exist.
      return ChunkForge.change(
        writer: writer,
        startOp: 20_000,
        dependencies: dependencies,
        ops: [(0x01, [0x7f, 0]), (0x02, [0x7f] + ChunkForge.unsigned(9_999))] + put("k", 1)
      )
    case 2:
      // It leaves no numbers to those who build on it.
      return ChunkForge.change(
        writer: writer,
        startOp: UInt64(UInt32.max) - 1,
        dependencies: dependencies,
        ops: put("k", 1)
      )
    case 3:
      var chunk = ChunkForge.change(writer: writer, dependencies: dependencies, ops: put("k", 1))
      chunk[4] ^= 0x55
      return chunk
    default:
      return ChunkForge.change(writer: writer, dependencies: dependencies, ops: put("k", 1))
        .dropLast()
    }
  }

  /// A good change that waits for one that does not exist.
  private static func waiting(by writer: [UInt8], seq: UInt64, for number: Int) -> [UInt8] {
    ChunkForge.change(writer: writer, seq: seq, dependencies: [unknownHash(number)], ops: [])
  }

  private static func unknownHash(_ number: Int) -> [UInt8] {
    ChunkForge.hash(ChunkForge.unsigned(UInt64(number)))
  }

  /// The columns of one put of a small number at a key of the root.
  static func put(_ key: String, _ value: UInt8) -> [(spec: UInt64, bytes: [UInt8])] {
    [
      (0x15, [0x7f] + ChunkForge.unsigned(UInt64(key.utf8.count)) + key.utf8),
      (0x34, [1]), (0x42, [0x7f, 1]), (0x56, [0x7f, 0x14]), (0x57, [value]), (0x70, [0x7f, 0]),
    ]
  }

  // MARK: - Sync

  /// A message of version 1 in which nothing is so.
  private static func lie(_ number: Int, by writer: [UInt8]) -> [UInt8] {
    let (head, other) = (unknownHash(number), unknownHash(number + 1))
    switch number % 6 {
    case 0:
      return message(heads: [head])
    case 1:
      let needs = (0..<40).map { unknownHash(number + $0) }
      return message(needs: needs.sorted { $0.lexicographicallyPrecedes($1) }, haves: [([], [])])
    case 2:
      // What was never shared is said to be.
      return message(heads: [head], haves: [([other], [])])
    case 3:
      // A filter of eight ones affirms every change.
      return message(heads: [head], haves: [([], [1, 8, 7, 0xff])])
    case 4:
      // A filter of gigabytes, in six bytes.
      return message(haves: [([], ChunkForge.unsigned(UInt64(UInt32.max)) + [10, 7])])
    default:
      let change = waiting(by: writer, seq: 5, for: number)
      return message(
        heads: [ChunkForge.hash(ofChunk: change)],
        haves: [([], [])],
        changes: [change]
      )
    }
  }

  private static func message(
    heads: [[UInt8]] = [],
    needs: [[UInt8]] = [],
    haves: [(shared: [[UInt8]], filter: [UInt8])] = [],
    changes: [[UInt8]] = []
  ) -> [UInt8] {
    func counted(_ hashes: [[UInt8]]) -> [UInt8] {
      ChunkForge.unsigned(UInt64(hashes.count)) + hashes.flatMap(\.self)
    }
    func sized(_ bytes: [UInt8]) -> [UInt8] { ChunkForge.unsigned(UInt64(bytes.count)) + bytes }
    var bytes: [UInt8] = [0x42] + counted(heads) + counted(needs)
    bytes += ChunkForge.unsigned(UInt64(haves.count))
    for have in haves { bytes += counted(have.shared) + sized(have.filter) }
    bytes += ChunkForge.unsigned(UInt64(changes.count))
    for change in changes { bytes += sized(change) }
    return bytes
  }
}
