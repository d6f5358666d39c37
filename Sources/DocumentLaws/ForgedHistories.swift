// Documents whose list of changes, or of columns, is wrong in one thing, or their sound twins: samples of
// `ForgeryLaws.swift`.
//
// The writer is the actor 07, and heads are the hashes that a reader computes who does not look at that thing.

extension Forgery {
  /// A document of one change without operations.
  ///
  ///     sound     behind `count` operations, so that it starts at the next number
  ///     forged    behind the operation 2^32 - 1: in 32 bits the next number is 0
  ///
  /// A document says where a change ends: at the last number before its first where it has none.
  static func emptyChange(isForged: Bool, count: Int) -> [UInt8] {
    let change = ChunkForge.change(actor: 7, startOp: isForged ? 0 : UInt64(count) + 1, ops: [])
    return document(ofEmpty: change, lastOp: isForged ? Int64(UInt32.max) : Int64(count), time: 0)
  }

  /// A document of one change without operations, whose time is just within 2^62 and -2^62, or just beyond.
  ///
  /// Odd counts have it before 1970.
  static func time(isForged: Bool, count: Int) -> [UInt8] {
    let last: Int64 = 1 << 62 - 1
    let size = isForged ? last + 1 : last
    let time = count.isMultiple(of: 2) ? size : -size
    let change = ChunkForge.change(actor: 7, startOp: 1, time: time, ops: [])
    return document(ofEmpty: change, lastOp: 0, time: time)
  }

  /// A document of one change without operations, and of as many columns of operations as there may be, or of one more:
  /// columns that no reader knows, without bytes.
  static func columns(isForged: Bool) -> [UInt8] {
    isForged ? manyColumns.forged : manyColumns.sound
  }

  /// Made once, since a hash of 200,000 bytes takes as long as hundreds of other samples.
  private static let manyColumns: (sound: [UInt8], forged: [UInt8]) = {
    let change = ChunkForge.change(actor: 7, ops: [])
    func file(columnCount: Int) -> [UInt8] {
      document(ofEmpty: change, lastOp: 0, time: 0, columnCount: columnCount)
    }
    return (file(columnCount: 65_534), file(columnCount: 65_535))
  }()

  /// The columns of operations have the spec 0xf1, actors under an id that means nothing.
  private static func document(
    ofEmpty change: [UInt8],
    lastOp: Int64,
    time: Int64,
    columnCount: Int = 0
  ) -> [UInt8] {
    let (metadata, data) = ChunkForge.columns(ChunkForge.changeColumns(lastOp: lastOp, time: time))
    // One actor, 07; one head, and its index at the end.
    var content: [UInt8] = [1, 1, 7, 1] + ChunkForge.hash(ofChunk: change) + metadata
    content += ChunkForge.unsigned(UInt64(columnCount))
    for _ in 0..<columnCount { content += [0xf1, 1, 0] }
    return ChunkForge.chunk(0, content + data + [0])
  }

  /// A document of a put, an int at the key "l" of the root, of a change without operations behind it, and of another
  /// that depends on both, or on one of them twice.
  ///
  /// Dependencies are hashed in the order of their hashes, in whatever order a document names them: odd values have the
  /// other one.
  ///
  /// `value` is at most 63, so that it takes one byte.
  static func dependency(isForged: Bool, value: UInt8) -> [UInt8] {
    let put = ChunkForge.change(actor: 7, ops: ChunkForge.put("l", int: value))
    let second = ChunkForge.change(
      actor: 7,
      seq: 2,
      startOp: 2,
      dependencies: [ChunkForge.hash(ofChunk: put)],
      ops: []
    )
    let hashes = [put, second].map { ChunkForge.hash(ofChunk: $0) }
    var indexes = hashes[0].lexicographicallyPrecedes(hashes[1]) ? [0, 1] : [1, 0]
    if isForged { indexes[0] = indexes[1] }
    let last = ChunkForge.change(
      actor: 7,
      seq: 3,
      startOp: 2,
      dependencies: indexes.map { hashes[$0] },
      ops: []
    )
    if !value.isMultiple(of: 2) { indexes.reverse() }
    let named = StoredRows.Values.sums([0] + indexes.map { Int64($0) })
    return ChunkForge.document(
      heads: [ChunkForge.hash(ofChunk: last)],
      changes: [
        (0x01, ChunkForge.run(3, 0)), (0x03, ChunkForge.steps(3, 1)),
        (0x13, StoredRows.Values.sums([1, 1, 1]).bytes), (0x23, ChunkForge.steps(3, 0)),
        (0x40, [0x7d, 0, 1, 2]), (0x43, named.bytes), (0x56, ChunkForge.run(3, 7)),
      ],
      ops: [
        (0x15, [0x7f, 1, 0x6c]), (0x21, [0x7f, 0]), (0x23, [0x7f, 1]), (0x34, [1]),
        (0x42, [0x7f, 1]), (0x56, [0x7f, 0x14]), (0x57, [value]), (0x80, [0x7f, 0]),
      ]
    )
  }
}
