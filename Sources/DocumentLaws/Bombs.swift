// Bytes of bombs, made by hand. Each function takes the size of the claim and gives one input, or
// its parts.
//
// Columns are written as `(spec, bytes)`. The specs used here, by Specification/Format.md,
// "Operation columns", "Change columns":
//
//     of operations   0x01 object actor    0x02 object counter   0x15 key          0x21 id actor
//                     0x23 id counter      0x34 insert           0x42 action       0x56 value metadata
//                     0x57 value           0x70 predecessors     0x71 their actor  0x73 their counter
//                     0x80 successors      0x81 their actor      0x83 their counter
//     of changes      0x01 actor           0x03 seq              0x13 maxOp        0x23 time
//                     0x40 dependencies    0x43 their index      0x56 extra metadata
//
// A run is a signed count and a value: `[0x7f, v]` is a literal run of one (-1, v), `run(n, v)` is
// v n times. `[1, 0x6b]` is the key "k"; action 1 sets, 3 deletes; metadata 0 is null, 7 is bytes
// of length 0.
//
// All documents state a head of 32 zeros, which no change has: a reader that gets so far refuses
// them when it compares heads. What it spends before that is what the laws look at.

/// The bytes of inputs that claim much.
///
/// All are canonical where that is what makes them dangerous.
///
/// A bomb that is not canonical would be refused at its form, and prove nothing of what follows.
package enum Bombs {
  /// One of each kind, small enough to be stored; those of several parts as one file.
  ///
  /// They seed the corpus of the boundary `load`, so that a fuzzer starts from each kind. "Without
  /// end" stands for a claim of 2^40, which a reader must give up; the others are small enough to be read
  /// to their end.
  package static var examples: [(name: String, bytes: [UInt8])] {
    [
      ("deflated-change", deflatedChange(2000)),
      ("deflated-column", deflatedColumn(2000)),
      ("rows-without-end", rows(1 << 40)),
      ("rows-in-conflict", rows(1000)),
      ("changes-in-a-row", changes(1000, isJoined: false)),
      ("changes-without-end", changes(1 << 40, isJoined: false)),
      ("heads-joined", changes(1000, isJoined: true)),
      ("successors", successors(1000)),
      ("successors-without-end", successors(1 << 40)),
      ("nested-maps", nested(300)),
      ("register-overwritten-in-its-middle", register(1000).flatMap(\.self)),
      ("deletions-before-all-others", deletions(1000).flatMap(\.self)),
      ("changes-that-wait", waiting(8).flatMap(\.self)),
      ("actors-descending", actors(300)),
    ]
  }

  /// The content of a raw DEFLATE stream of zeros: `count` times 258 of them, in 13 bits each.
  ///
  /// Source: RFC 1951, section 3.2.6: one block of fixed Huffman codes.
  ///
  /// 13 bits make 258 bytes.
  static func deflate(_ count: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.number(1, 1)  // the last block
    bits.number(1, 2)  // of fixed codes
    bits.code(0b0011_0000, 8)  // a zero
    for _ in 0..<count {
      bits.code(0b1100_0101, 8)  // a match of 258
      bits.code(0, 5)  // at distance 1
    }
    bits.code(0, 7)  // the end
    return bits.bytes
  }

  /// Packs bits into bytes from the lowest bit of each on, as DEFLATE does.
  private struct BitWriter {
    var bytes: [UInt8] = []
    // Bits of the last byte in use; 8 asks for a new byte.
    private var used = 8

    /// Least significant bit first.
    mutating func number(_ value: Int, _ count: Int) {
      for bit in 0..<count { push(value >> bit & 1) }
    }

    /// Most significant bit first, as Huffman codes are.
    mutating func code(_ value: Int, _ count: Int) {
      for bit in 0..<count { push(value >> (count - 1 - bit) & 1) }
    }

    private mutating func push(_ bit: Int) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(bit << used)
      used += 1
    }
  }

  /// A compressed change whose content inflates to zeros.
  static func deflatedChange(_ count: Int) -> [UInt8] {
    ChunkForge.chunk(2, deflate(count))
  }

  /// A document whose only row has a value that inflates to zeros.
  ///
  /// The value's metadata states all inflated bytes: `count * 258 + 1` (the literal zero, then the
  /// matches) with type code 7. A reader that believes the length reserves it; one that inflates
  /// first makes it.
  static func deflatedColumn(_ count: Int) -> [UInt8] {
    let length = UInt64(count * 258 + 1)
    return ChunkForge.document(
      heads: [[UInt8](repeating: 0, count: 32)],
      changes: ChunkForge.changeColumns(lastOp: 1),
      ops: [
        (0x15, ChunkForge.signed(-1) + [1, 0x6b]), (0x21, [0x7f, 0]), (0x23, [0x7f, 1]),
        (0x34, [1]), (0x42, [0x7f, 1]), (0x56, [0x7f] + ChunkForge.unsigned(length << 4 | 7)),
        (0x57 | 8, deflate(count)), (0x80, [0x7f, 0]),
      ]
    )
  }

  /// A document of `count` rows of one key, in conflict, of one change.
  ///
  /// Its length hardly depends on `count`: each column is one run.
  ///
  /// Keys, actors, actions, values and successor counts are one run each, and ids a run of
  /// differences of 1; `insert` is a count of false rows. At `1 << 40` the file claims a trillion
  /// rows in less than 200 bytes.
  static func rows(_ count: Int) -> [UInt8] {
    ChunkForge.document(
      heads: [[UInt8](repeating: 0, count: 32)],
      changes: ChunkForge.changeColumns(lastOp: Int64(count)),
      ops: [
        (0x15, ChunkForge.signed(Int64(count)) + [1, 0x6b]), (0x21, ChunkForge.run(count, 0)),
        (0x23, ChunkForge.steps(count, 1)), (0x34, ChunkForge.unsigned(UInt64(count))),
        (0x42, ChunkForge.run(count, 1)), (0x56, ChunkForge.run(count, 0)),
        (0x80, ChunkForge.run(count, 0)),
      ]
    )
  }

  /// A document of `count` empty changes: each on the one before, or none on any and one on all.
  ///
  /// Each column is one run, or two literals and a run; nothing is said by the length of the file.
  ///
  /// Joined, the last change depends on all others, which are heads until then: a head list that is
  /// searched for each dependency costs the square.
  ///
  ///     in a row    c0, c1 on c0, c2 on c1, c3 on c2
  ///     joined      c0, c1, c2, c3 on c0, c1 and c2
  static func changes(_ count: Int, isJoined: Bool) -> [UInt8] {
    var columns: [(spec: UInt64, bytes: [UInt8])] = [
      (0x01, ChunkForge.run(count, 0)), (0x03, ChunkForge.steps(count, 1)),
      (0x13, ChunkForge.steps(count, 0)), (0x23, ChunkForge.steps(count, 0)),
    ]
    if isJoined {
      columns += [
        (0x40, ChunkForge.run(count - 1, 0) + [0x7f] + ChunkForge.unsigned(UInt64(count - 1))),
        (0x43, [0x7f, 0] + ChunkForge.steps(count - 2, 1)),
      ]
    } else {
      columns += [
        (0x40, [0x7f, 0] + ChunkForge.run(count - 1, 1)),
        (0x43, [0x7f, 0] + ChunkForge.steps(count - 2, 1)),
      ]
    }
    columns.append((0x56, ChunkForge.run(count, 7)))
    return ChunkForge.document(
      heads: [[UInt8](repeating: 0, count: 32)],
      changes: columns,
      ops: []
    )
  }

  /// A document of one row that `count` operations have deleted.
  static func successors(_ count: Int) -> [UInt8] {
    ChunkForge.document(
      heads: [[UInt8](repeating: 0, count: 32)],
      changes: ChunkForge.changeColumns(lastOp: Int64(count + 1)),
      ops: [
        (0x15, ChunkForge.signed(-1) + [1, 0x6b]), (0x21, [0x7f, 0]), (0x23, [0x7f, 1]),
        (0x34, [1]), (0x42, [0x7f, 1]), (0x56, [0x7f, 0]),
        (0x80, [0x7f] + ChunkForge.unsigned(UInt64(count))),
        (0x81, ChunkForge.run(count, 0)),
        (0x83, [0x7f, 2] + ChunkForge.steps(count - 1, 1)),
      ]
    )
  }

  /// A change that makes a map in a map, and so on.
  ///
  /// The counters of the objects rise in a literal run, so that this one grows with `count`.
  ///
  /// Row i makes a map under "k" in the map of row i - 1; row 0 makes one in the root.
  static func nested(_ count: Int) -> [UInt8] {
    var counters: [UInt8] = [0, 1] + ChunkForge.signed(Int64(1 - count))
    for counter in 1..<count { counters += ChunkForge.unsigned(UInt64(counter)) }
    return ChunkForge.change(
      actor: 7,
      ops: [
        (0x01, [0, 1] + ChunkForge.run(count - 1, 0)), (0x02, counters),
        (0x15, ChunkForge.signed(Int64(count)) + [1, 0x6b]),
        (0x34, ChunkForge.unsigned(UInt64(count))), (0x42, ChunkForge.run(count, 0)),
        (0x56, ChunkForge.run(count, 0)), (0x70, ChunkForge.run(count, 0)),
      ]
    )
  }

  /// A change with `count` puts in conflict, and one whose puts overwrite the one in their middle.
  ///
  /// Every put of the second change names the same predecessor.
  ///
  /// The second change's predecessors are one run of counter `count / 2`, in the middle of the
  /// register: from either end the search for it is longest.
  static func register(_ count: Int) -> [[UInt8]] {
    func puts(_ count: Int) -> [(spec: UInt64, bytes: [UInt8])] {
      [
        (0x15, ChunkForge.signed(Int64(count)) + [1, 0x6b]),
        (0x34, ChunkForge.unsigned(UInt64(count))), (0x42, ChunkForge.run(count, 1)),
        (0x56, ChunkForge.run(count, 0)),
      ]
    }
    let first = ChunkForge.change(actor: 7, ops: puts(count) + [(0x70, ChunkForge.run(count, 0))])
    let second = ChunkForge.change(
      actor: 7,
      seq: 2,
      startOp: UInt64(count + 1),
      dependencies: [ChunkForge.hash(ofChunk: first)],
      ops: puts(count) + [
        (0x70, ChunkForge.run(count, 1)), (0x71, ChunkForge.run(count, 0)),
        (0x73, [0x7f] + ChunkForge.signed(Int64(count / 2)) + ChunkForge.steps(count - 1, 0)),
      ]
    )
    return [first, second]
  }

  /// Puts of one key with great counters, and concurrent ones with small counters: all are visible, and each of the
  /// latter belongs before all of the former.
  ///
  /// They rise, so that each has its place beside the one before; that place is far from either end.
  ///
  ///     actor 8     count + 1, count + 2, ...
  ///     actor 9     1, 2, ...
  static func conflict(_ count: Int) -> [[UInt8]] {
    // Enough to show that the cost grows: more would only take time.
    let count = min(count, 1 << 14)
    return [(8, UInt64(count) + 1), (9, 1)].map { actor, startOp in
      ChunkForge.change(
        actor: actor,
        startOp: startOp,
        ops: [
          (0x15, ChunkForge.signed(Int64(count)) + [1, 0x6a]),
          (0x34, ChunkForge.unsigned(UInt64(count))), (0x42, ChunkForge.run(count, 1)),
          (0x56, ChunkForge.run(count, 0)), (0x70, ChunkForge.run(count, 0)),
        ]
      )
    }
  }

  /// A value, deletions of it with great counters, and concurrent ones with small counters.
  ///
  /// The put has counter 1. Actor 8's deletions have counters from `count + 2`, actor 9's from 2,
  /// so that actor 9's all belong before actor 8's in the successors of the put.
  static func deletions(_ count: Int) -> [[UInt8]] {
    let put = ChunkForge.change(
      actor: 7,
      ops: [
        (0x15, ChunkForge.signed(-1) + [1, 0x6b]), (0x34, [1]), (0x42, [0x7f, 1]),
        (0x56, [0x7f, 0]), (0x70, [0x7f, 0]),
      ]
    )
    func deletions(actor: UInt8, startOp: UInt64) -> [UInt8] {
      ChunkForge.change(
        actor: actor,
        startOp: startOp,
        dependencies: [ChunkForge.hash(ofChunk: put)],
        others: [7],
        ops: [
          (0x15, ChunkForge.signed(Int64(count)) + [1, 0x6b]),
          (0x34, ChunkForge.unsigned(UInt64(count))), (0x42, ChunkForge.run(count, 3)),
          (0x56, ChunkForge.run(count, 0)), (0x70, ChunkForge.run(count, 1)),
          (0x71, ChunkForge.run(count, 1)),
          (0x73, [0x7f, 1] + ChunkForge.steps(count - 1, 0)),
        ]
      )
    }
    return [
      put, deletions(actor: 8, startOp: UInt64(count + 2)), deletions(actor: 9, startOp: 2),
    ]
  }

  /// Changes of one actor each, which all wait for a change that never comes.
  ///
  /// The first part is empty, so that the second meets an empty document.
  ///
  /// Each names the same hash; no change with it is known. Numbers of one actor rise, since two
  /// chunks of one actor and number would be the same bytes, and so one change.
  static func waiting(_ count: Int) -> [[UInt8]] {
    let wanted = [UInt8](repeating: 0x55, count: 32)
    let chunks = (0..<count).flatMap { index in
      ChunkForge.change(
        actor: UInt8(index % 251),
        seq: UInt64(index / 251 + 1),
        dependencies: [wanted],
        ops: []
      )
    }
    return [[], chunks]
  }

  /// A document of `count` actors, of whom none did anything.
  static func actors(_ count: Int) -> [UInt8] {
    var content = ChunkForge.unsigned(UInt64(count))
    // Descending, so that each new one moves all that are there.
    for index in (0..<count).reversed() {
      content += [3, UInt8(index >> 16 & 0xff), UInt8(index >> 8 & 0xff), UInt8(index & 0xff)]
    }
    return ChunkForge.chunk(0, content + [0, 0, 0])
  }
}
