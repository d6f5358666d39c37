// Bytes that a hostile peer sends: `letter` makes one for an `Attack`, out of changes (`flawed`,
// `waiting`, `put`) or of sync messages (`lie`). `Subjects/EngineReplica+Attacks.swift` sends them
// to the engine, and `DocumentReplica+Attacks.swift` to `Document`.
//
// `pick` decides the form. What a right document does with each change:
//
//     forge       pick % 5: flaws 0 to 4 behind no change        refuses it
//     poison      pick % 2: flaws 0 and 1 behind a known one     refuses it, or drops it when that comes
//     impostor    even: behind the known change                  refuses it, or drops it when that comes
//                 odd: behind an unknown one                     never takes it in
//                 3 modulo 4: under its author's next number     never takes it in
//     withhold    seq 1 to 3, behind an unknown one              keeps it waiting
//     flood       2 to 25 of these                               keeps them waiting
//     replay      a known change                                 takes it as from any peer
//     equivocate  a put of 0 or 1 under "twin"                   takes the first, refuses the other

package import DocumentModel

/// What a hostile peer sends, as bytes: chunks and messages whose hashes and checksums are right.
///
/// Shares no code with any engine (``ChunkForge``).
///
/// Everything is right but what the attack is about: what is refused is refused for that.
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

  /// What the peer sends; `nil` without the change that it would be about.
  ///
  /// A flood is one letter of many chunks: a call that takes it takes all, or refuses all.
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
            seq: known.seq + (attack.takesNextNumber ? 1 : 0),
            // Far above what histories count to, so that the number of the change alone is wrong.
            startOp: 1_000_000,
            dependencies: [pick % 2 == 0 ? known.hash : unknownHash(pick)],
            ops: ChunkForge.put("impostor", int: 1)
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
      return .syncMessage(lie(attack))
    case .equivocate:
      return .changes(
        ChunkForge.change(writer: writer, ops: ChunkForge.put("twin", int: UInt8(pick % 2)))
      )
    }
  }

  // MARK: - Changes

  /// A change of a stranger with one flaw, behind another one.
  static func flawed(_ flaw: Int, by writer: UInt8, behind hash: [UInt8]) -> [UInt8] {
    flawed(flaw, by: [writer], behind: [hash])
  }

  /// A change with one flaw; the first two show only when its dependencies are there.
  ///
  /// Flaws 0 and 1 show only beside what the receiver has; 2, 3 and 4 show in the change itself:
  ///
  ///     0    seq 2 without seq 1                3    a checksum with four bits turned
  ///     1    a put into an object 9999@self     4    the last byte missing
  ///     2    an operation number of 2^32 - 2
  private static func flawed(
    _ flaw: Int,
    by writer: [UInt8],
    behind dependencies: [[UInt8]]
  ) -> [UInt8] {
    let put = ChunkForge.put("k", int: 1)
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
        ops: [(0x01, [0x7f, 0]), (0x02, [0x7f] + ChunkForge.unsigned(9_999))] + put
      )
    case 2:
      // It leaves no numbers to those who build on it.
      return ChunkForge.change(
        writer: writer,
        startOp: UInt64(UInt32.max) - 1,
        dependencies: dependencies,
        ops: put
      )
    case 3:
      var chunk = ChunkForge.change(writer: writer, dependencies: dependencies, ops: put)
      chunk[4] ^= 0x55
      return chunk
    default:
      return ChunkForge.change(writer: writer, dependencies: dependencies, ops: put).dropLast()
    }
  }

  /// A good change that waits for one that does not exist.
  private static func waiting(by writer: [UInt8], seq: UInt64, for number: Int) -> [UInt8] {
    ChunkForge.change(writer: writer, seq: seq, dependencies: [unknownHash(number)], ops: [])
  }

  /// The hash of a bare number, which no change has.
  private static func unknownHash(_ number: Int) -> [UInt8] {
    ChunkForge.hash(ChunkForge.unsigned(UInt64(number)))
  }

  // MARK: - Sync

  /// A message of version 1 in which nothing is so.
  ///
  ///     0    a head that no peer has                 3    a filter that affirms every change
  ///     1    40 needs of unknown hashes              4    a filter that claims gigabytes
  ///     2    a last sync that never was              5    a change that waits, as if it were new
  ///
  /// Forms 1, 2 and 5 say what their sender has up to 17 times (``DocumentModel/Attack/haveCount``); a right document
  /// refuses 17, and form 4.
  ///
  /// Source: Specification/Format.md, "Sync messages", "Bloom filters".
  private static func lie(_ attack: Attack) -> [UInt8] {
    if attack.isOddLie { return oddLie(attack.pick) }
    let (number, count) = (attack.pick, attack.haveCount)
    let (head, other) = (unknownHash(number), unknownHash(number + 1))
    let nothing: (shared: [[UInt8]], filter: [UInt8]) = ([], [])
    let never: (shared: [[UInt8]], filter: [UInt8]) = ([other], [])
    switch number % 6 {
    case 0:
      return message(heads: [head])
    case 1:
      let needs = (0..<40).map { unknownHash(number + $0) }
      return message(
        needs: needs.sorted { $0.lexicographicallyPrecedes($1) },
        haves: Array(repeating: nothing, count: count)
      )
    case 2:
      // What was never shared is said to be.
      return message(heads: [head], haves: Array(repeating: never, count: count))
    case 3:
      // A filter of eight ones affirms every change.
      return message(heads: [head], haves: [([], [1, 8, 7, 0xff])])
    case 4:
      // A filter of gigabytes, in seven bytes: 2^32 - 1 entries of ten bits.
      return message(haves: [([], ChunkForge.unsigned(UInt64(UInt32.max)) + [10, 7])])
    default:
      let change = waiting(by: attack.writer.bytes, seq: 5, for: number)
      return message(
        heads: [ChunkForge.hash(ofChunk: change)],
        haves: Array(repeating: nothing, count: count),
        changes: [change]
      )
    }
  }

  /// A message whose form no peer writes; the first three are to be refused (``DocumentModel/Attack/isRefusedLie``).
  ///
  ///     0    a filter of 65 probes                 3    heads out of their order, and one twice
  ///     1    a filter of 2^32 entries              4    a newer peer that asks for all once more
  ///     2    another version                       5    flags of the newest peers
  ///
  /// Source: Specification/Format.md, "Sync messages", "Sync flags", "Bloom filters".
  private static func oddLie(_ number: Int) -> [UInt8] {
    let (head, other) = (unknownHash(number), unknownHash(number + 1))
    let nothing: (shared: [[UInt8]], filter: [UInt8]) = ([], [])
    switch number % 6 {
    case 0: return message(heads: [head], haves: [([], [1, 10, 65, 0xff, 0xff])])
    case 1:
      return message(heads: [head], haves: [([], ChunkForge.unsigned(1 << 32) + [10, 7])])
    case 2: return [0x44] + message(heads: [head]).dropFirst()
    case 3:
      let falling = [head, other].sorted { $1.lexicographicallyPrecedes($0) }
      return message(heads: falling + [head], haves: [nothing])
    case 4: return message(heads: [head], haves: [nothing]) + [1, 0x81]
    default: return message(heads: [other, head], haves: [nothing]) + [2, 2, 0x80]
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
    var bytes: [UInt8] = [0x42] + counted(heads) + counted(needs)
    bytes += ChunkForge.unsigned(UInt64(haves.count))
    for have in haves { bytes += counted(have.shared) + ChunkForge.counted(have.filter) }
    bytes += ChunkForge.unsigned(UInt64(changes.count))
    for change in changes { bytes += ChunkForge.counted(change) }
    return bytes
  }
}
