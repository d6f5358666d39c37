// A writer of stored bytes that is independent of every engine: numbers, columns, chunks, and the
// SHA-256 that seals them. The functions stand from small to large; the hash comes last.
//
//     bytes                          what                               made by
//     85 6f 4a 83                    magic                              chunk
//     4 bytes                        start of the hash of what follows  chunk
//     01                             type: 0 document, 1 change, 2 compressed change
//     length, content                by type                            document, change
//
// Used by the laws of bombs, forgeries, damage and hostile peers, by attacks on subjects, and by
// the seeds of the fuzz targets.

import Texts

/// Makes stored bytes by hand: numbers, columns, chunks with a right checksum.
///
/// Shares no code with any engine: what an engine refuses must come from somewhere else. Simple, not
/// fast.
///
/// Source: Specification/Format.md, "Chunks", "Numbers"; FIPS 180-4, section 6.2.
///
/// A change of the actor 07 that sets "k" to 5, from the calls that make its parts:
///
///     run(-1, 1)                       7f 01               a literal run of one row, 1
///     columns([(0x15, 7f 01 6b),       06                  six columns
///              (0x34, 01),             15 03  34 01        spec and length of each
///              (0x42, 7f 01),          42 02
///              (0x56, 7f 14),          56 02
///              (0x57, 05),             57 01
///              (0x70, 7f 00)])         70 02               then 7f 01 6b 01 7f 01 7f 14 05 7f 00
///     change(actor: 7, ops: ...)       85 6f 4a 83         magic
///                                      47 e7 28 dd         checksum, by the SHA-256 below
///                                      01 20               type 1, 32 bytes of content
///                                      00                  no dependencies
///                                      01 07               the actor, one byte
///                                      01 01 00 00         seq, startOp, time, no message
///                                      00                  no other actors, then the columns
package enum ChunkForge {
  /// An unsigned number in LEB128.
  ///
  ///     5       05
  ///     300     ac 02      300 = 2 * 128 + 44; the first byte has the low seven bits, and the top bit set
  ///
  /// Always the shortest form: overlong ones are written out by hand where they are meant.
  package static func unsigned(_ number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = number
    repeat {
      let low = UInt8(truncatingIfNeeded: rest & 0x7f)
      rest >>= 7
      bytes.append(rest == 0 ? low : low | 0x80)
    } while rest != 0
    return bytes
  }

  /// A signed number in LEB128.
  ///
  /// The last byte's bit 6 is the sign, so that 63 takes one byte and 64 takes two (`c0 00`); -1 is
  /// `7f`.
  package static func signed(_ number: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = number
    while true {
      let low = UInt8(truncatingIfNeeded: rest & 0x7f)
      rest >>= 7
      if (rest == 0 && low & 0x40 == 0) || (rest == -1 && low & 0x40 != 0) {
        return bytes + [low]
      }
      bytes.append(low | 0x80)
    }
  }

  /// A run-length run of an unsigned number; -1 as the count makes a literal run of one.
  ///
  /// The caller never gives 1: a run of one is a literal in the only form that a change may have.
  package static func run(_ count: Int, _ number: UInt64) -> [UInt8] {
    signed(Int64(count)) + unsigned(number)
  }

  /// A run of a difference in a delta column.
  ///
  /// `steps(3, 1)` behind a value 4 stands for 5, 6, 7.
  package static func steps(_ count: Int, _ difference: Int64) -> [UInt8] {
    signed(Int64(count)) + signed(difference)
  }

  /// Bytes behind their number.
  package static func counted(_ bytes: [UInt8]) -> [UInt8] {
    unsigned(UInt64(bytes.count)) + bytes
  }

  /// What each chunk begins with.
  package static let magic: [UInt8] = [0x85, 0x6f, 0x4a, 0x83]

  /// A chunk: magic, checksum, type, length, content.
  package static func chunk(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    let hashed = [type] + counted(content)
    return magic + hash(hashed).prefix(4) + hashed
  }

  /// What a sound chunk holds, behind its checksum, type and length.
  package static func content(ofChunk chunk: [UInt8]) -> [UInt8] {
    Array(chunk[(contentStart(chunk) ?? chunk.count)...])
  }

  /// Where a chunk's content begins, behind magic, checksum, type and length; `nil` where the length does not end.
  ///
  /// The end of the number that states the length is its first byte below 0x80.
  static func contentStart(_ chunk: [UInt8]) -> Int? {
    chunk.dropFirst(9).firstIndex { $0 & 0x80 == 0 }.map { $0 + 1 }
  }

  /// Metadata and data of columns that are not empty.
  ///
  /// The caller gives them in the order of their specs, or not, where that is the damage.
  ///
  /// - Returns: Two parts, since a document has both metadata before both data. An empty column is
  ///   left out of both, as the format demands.
  package static func columns(
    _ columns: [(spec: UInt64, bytes: [UInt8])]
  ) -> (
    metadata: [UInt8], data: [UInt8]
  ) {
    let present = columns.filter { !$0.bytes.isEmpty }
    var metadata = unsigned(UInt64(present.count))
    for column in present {
      metadata += unsigned(column.spec) + unsigned(UInt64(column.bytes.count))
    }
    return (metadata, present.flatMap(\.bytes))
  }

  /// The columns of one put at a key of the root: of a small number, or of null.
  ///
  /// By Specification/Format.md, "Operation columns": key, insert, action 1 (set), metadata 0x14
  /// (an int of one byte) or 0 (null), value, no predecessors.
  ///
  /// `int` is at most 63, so that it takes one byte.
  package static func put(_ key: String, int: UInt8?) -> [(spec: UInt64, bytes: [UInt8])] {
    [
      (0x15, [0x7f] + counted(Array(key.utf8))), (0x34, [1]), (0x42, [0x7f, 1]),
      (0x56, [0x7f, int == nil ? 0 : 0x14]),
    ] + (int.map { [(0x57, [$0])] } ?? []) + [(0x70, [0x7f, 0])]
  }

  /// The change columns of a document of one change, whose operations are numbered up to `lastOp`.
  static func changeColumns(lastOp: Int64, time: Int64 = 0) -> [(spec: UInt64, bytes: [UInt8])] {
    [
      (0x01, [0x7f, 0]), (0x03, [0x7f, 1]), (0x13, [0x7f] + signed(lastOp)),
      (0x23, [0x7f] + signed(time)), (0x40, [0x7f, 0]), (0x56, [0x7f, 7]),
    ]
  }

  /// A document chunk of one actor; heads as given, right or wrong.
  ///
  /// The actor is the byte 7, with index 0. Head indexes are all 0; a reader does not check them.
  ///
  /// `heads` are hashes of 32 bytes, right only if the caller has made the changes, too.
  package static func document(
    heads: [[UInt8]],
    changes: [(spec: UInt64, bytes: [UInt8])],
    ops: [(spec: UInt64, bytes: [UInt8])]
  ) -> [UInt8] {
    let (changeMetadata, changeData) = columns(changes)
    let (opMetadata, opData) = columns(ops)
    var content = unsigned(1) + unsigned(1) + [0x07] + unsigned(UInt64(heads.count))
    content += heads.flatMap(\.self)
    content += changeMetadata + opMetadata + changeData + opData
    for _ in heads { content += unsigned(0) }
    return chunk(0, content)
  }

  /// A change chunk without dependencies, by one actor of one byte.
  ///
  /// `others` are actors of one byte, with the indexes 1, 2, ... in the columns; index 0 is the
  /// writer. The message is empty.
  package static func change(
    actor: UInt8,
    seq: UInt64 = 1,
    startOp: UInt64 = 1,
    time: Int64 = 0,
    dependencies: [[UInt8]] = [],
    others: [UInt8] = [],
    ops: [(spec: UInt64, bytes: [UInt8])]
  ) -> [UInt8] {
    change(
      writer: [actor],
      seq: seq,
      startOp: startOp,
      time: time,
      dependencies: dependencies,
      others: others,
      ops: ops
    )
  }

  /// The same by an actor of any length.
  package static func change(
    writer: [UInt8],
    seq: UInt64 = 1,
    startOp: UInt64 = 1,
    time: Int64 = 0,
    dependencies: [[UInt8]] = [],
    others: [UInt8] = [],
    ops: [(spec: UInt64, bytes: [UInt8])]
  ) -> [UInt8] {
    let (metadata, data) = columns(ops)
    var content = unsigned(UInt64(dependencies.count)) + dependencies.flatMap(\.self)
    content += counted(writer) + unsigned(seq) + unsigned(startOp)
    content += signed(time) + [0]
    content += unsigned(UInt64(others.count)) + others.flatMap { [1, $0] }
    return chunk(1, content + metadata + data)
  }

  /// The hashes that a change names, in hexadecimal; `nil` for what is no change.
  static func dependencies(ofChange chunk: [UInt8]) -> [String]? {
    rawDependencies(ofChange: chunk)?.hashes.map(hexString)
  }

  /// A change that names some of its dependencies and hides the others; `nil` for what is no change, or hides none.
  ///
  /// `isKept` gets the position of each. Checksum and hash are right.
  static func change(_ chunk: [UInt8], keeping isKept: (Int) -> Bool) -> [UInt8]? {
    guard let (hashes, end) = rawDependencies(ofChange: chunk) else { return nil }
    let kept = hashes.indices.filter(isKept).map { hashes[$0] }
    guard kept.count < hashes.count else { return nil }
    return self.chunk(1, unsigned(UInt64(kept.count)) + kept.flatMap(\.self) + chunk[end...])
  }

  /// The hashes that a change names, and where they end.
  private static func rawDependencies(
    ofChange chunk: [UInt8]
  ) -> (hashes: [[UInt8]], end: Int)? {
    // Behind magic (4), checksum (4) and type (1). The first number is the chunk's length.
    var scanner = ByteScanner(chunk.dropFirst(9))
    guard chunk.count > 9, chunk[8] == 1, scanner.unsigned() != nil, let hashes = scanner.hashes()
    else { return nil }
    return (hashes, scanner.offset)
  }

  /// The hash of a chunk: of its bytes from the type on.
  ///
  /// It is the change's hash if the chunk is a change that is not compressed.
  package static func hash(ofChunk chunk: [UInt8]) -> [UInt8] { hash(Array(chunk.dropFirst(8))) }

  /// The same bytes with the length and the checksum of the first chunk made right.
  ///
  /// Everything behind its length is taken for its content; bytes that begin otherwise stay.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 10, let start = contentStart(bytes) else { return bytes }
    return chunk(bytes[8], Array(bytes[start...]))
  }

  // MARK: - SHA-256

  /// The SHA-256 digest, 32 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    var state = initial
    var bytes = message
    bytes.append(0x80)
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bitCount = UInt64(message.count) * 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    var words = [UInt32](repeating: 0, count: 64)
    for start in stride(from: 0, to: bytes.count, by: 64) {
      mix(bytes, from: start, words: &words, state: &state)
    }
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// One round of 64 steps over 64 bytes of input, by the names of the standard: Ch, Maj, and the
  /// two sums.
  private static func mix(
    _ bytes: [UInt8],
    from start: Int,
    words: inout [UInt32],
    state: inout [UInt32]
  ) {
    for index in 0..<16 {
      let place = start + index * 4
      words[index] =
        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
        | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = turned(early, 7) ^ turned(early, 18) ^ (early >> 3)
      let second = turned(late, 17) ^ turned(late, 19) ^ (late >> 10)
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let big = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
      let choice = (e & f) ^ (~e & g)
      let sum = h &+ big &+ choice &+ constants[index] &+ words[index]
      let small = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ sum)
      (d, c, b, a) = (c, b, a, sum &+ small &+ majority)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first 64, found and not listed: a table with a wrong digit would be hard to see.
  private static let primes: [Int] = {
    var found: [Int] = []
    var candidate = 2
    while found.count < 64 {
      if found.allSatisfy({ candidate % $0 != 0 }) { found.append(candidate) }
      candidate += 1
    }
    return found
  }()

  /// The first 32 bits behind the point of the square roots of the first primes.
  private static let initial: [UInt32] = primes.prefix(8).map { bits(of: Double($0).squareRoot()) }

  /// The same of the cube roots.
  private static let constants: [UInt32] = primes.map { bits(of: cubeRoot(Double($0))) }

  /// The first 32 bits behind the point.
  ///
  /// A double has 52; the integer part takes three of them at most.
  ///
  /// The primes go to 311, whose cube root is 6.8: three bits for the integer part leave 49, and 32
  /// are used.
  private static func bits(of root: Double) -> UInt32 {
    UInt32((root - root.rounded(.down)) * 4_294_967_296)
  }

  /// By Newton's method, which needs no library.
  private static func cubeRoot(_ value: Double) -> Double {
    var root = value
    for _ in 0..<80 { root -= (root * root * root - value) / (3 * root * root) }
    return root
  }
}
