// Operations, rows and columns that are wrong in one thing, or their sound twins: samples of `ForgeryLaws.swift`.
//
// Most are changes of one operation by the actor 07, for which a reader may have a way of its own.

extension Forgery {
  /// A change that puts a value at a key of the root, or makes a map there.
  struct SingleOp {
    /// 1 puts, 0 makes a map.
    var action: UInt64 = 1
    /// Type and length of the value.
    let meta: UInt64
    let value: [UInt8]
    let fault: Kind?
    /// Which of ``numberColumns`` has a byte too many, or one too few.
    let column: Int

    /// The columns that hold one number: the action, type and length of the value, the count of
    /// predecessors; and the actor of an element, which an operation at a key has not.
    static let numberColumns: [UInt64] = [0x42, 0x56, 0x70, 0x11]

    /// A column of one number.
    ///
    ///     7f 14       type and length of the value: one literal, 1 << 4 | 4
    ///     7f 94 00    the same number, with a byte that adds nothing
    ///     7f 94       the same without its end
    private func number(_ number: UInt64, of spec: UInt64) -> (spec: UInt64, bytes: [UInt8]) {
      let bytes = ChunkForge.unsigned(number)
      guard fault == .numberTooLong || fault == .numberWithoutEnd,
        Self.numberColumns[column] == spec, let last = bytes.last
      else { return (spec, [0x7f] + bytes) }
      let end: [UInt8] = fault == .numberTooLong ? [0] : []
      return (spec, [0x7f] + bytes.dropLast() + [last | 0x80] + end)
    }

    var change: [UInt8] {
      let hasActor = fault == .numberWithoutEnd && Self.numberColumns[column] == 0x11
      return ChunkForge.change(
        actor: 7,
        others: fault == .actorWithoutUse ? [8] : [],
        ops: (hasActor ? [number(0, of: 0x11)] : []) + [
          (0x15, [0x7f, 1, 0x6c]), (0x34, [1]), number(action, of: 0x42), number(meta, of: 0x56),
          (0x57, value), number(0, of: 0x70),
        ]
      )
    }
  }

  /// A document of one change, whose operations are numbered up to `lastOp`.
  static func document(
    of change: [UInt8],
    lastOp: Int64,
    ops: [(spec: UInt64, bytes: [UInt8])]
  ) -> [UInt8] {
    ChunkForge.document(
      heads: [ChunkForge.hash(ofChunk: change)],
      changes: ChunkForge.changeColumns(lastOp: lastOp),
      ops: ops
    )
  }

  /// An int at the key "l" of the root.
  ///
  ///     forged    with the number of an element as well, 0, which is that of a list's head
  static func keyOfTwoParts(isForged: Bool, value: UInt8) -> [UInt8] {
    let element: [(spec: UInt64, bytes: [UInt8])] = isForged ? [(0x13, [0x7f, 0])] : []
    return ChunkForge.change(actor: 7, ops: element + ChunkForge.put("l", int: value))
  }

  /// A list that the actor 7 has made, and one element that the actor 8 inserts behind its last one.
  ///
  ///     insert    00 01       no false, one true
  ///     forged    00 01 01    and one false more, where there is one operation
  static func flagTooMany(isForged: Bool, count: Int) -> [UInt8] {
    let list = list(of: count)
    let insertion = ChunkForge.change(
      actor: 8,
      startOp: UInt64(count) + 2,
      dependencies: [ChunkForge.hash(ofChunk: list)],
      others: [7],
      ops: [
        (0x01, [0x7f, 1]), (0x02, [0x7f, 1]), (0x11, [0x7f, 1]),
        (0x13, [0x7f] + ChunkForge.signed(Int64(count) + 1)),
        (0x34, isForged ? [0, 1, 1] : [0, 1]), (0x42, [0x7f, 1]), (0x56, [0x7f, 0x14]),
        (0x57, [5]), (0x70, [0x7f, 0]),
      ]
    )
    return list + insertion
  }

  /// A boolean at the key "l" of the root, or a map there.
  ///
  ///     value.metadata    02    true; a value that a map has not, and null stands for
  ///     forged            n2    true, and the length n, which a boolean has not
  ///                       02    true, and a map keeps no value
  static func lengthWithoutBytes(isForged: Bool, count: Int, makesObject: Bool) -> [UInt8] {
    let sound: UInt64 = makesObject ? 0 : 2
    let forged: UInt64 = makesObject ? 2 : UInt64(count) << 4 | 2
    return ChunkForge.change(
      actor: 7,
      ops: [
        (0x15, [0x7f, 1, 0x6c]), (0x34, [1]), (0x42, [0x7f, makesObject ? 0 : 1]),
        (0x56, [0x7f] + ChunkForge.unsigned(isForged ? forged : sound)), (0x70, [0x7f, 0]),
      ]
    )
  }

  /// A document of an int at the key "l" of the root.
  ///
  ///     forged    beside the count of successors, 80, a column 82, where actors (81) and numbers (83) may be
  static func memberUnknown(isForged: Bool, value: UInt8) -> [UInt8] {
    let put = ChunkForge.put("l", int: value)
    var ops: [(spec: UInt64, bytes: [UInt8])] = [
      (0x15, [0x7f, 1, 0x6c]), (0x21, [0x7f, 0]), (0x23, [0x7f, 1]), (0x34, [1]),
      (0x42, [0x7f, 1]), (0x56, [0x7f, 0x14]), (0x57, [value]), (0x80, [0x7f, 0]),
    ]
    if isForged { ops.append((0x82, [0x7f, 0])) }
    return document(of: ChunkForge.change(actor: 7, ops: put), lastOp: 1, ops: ops)
  }

  /// A document of a list of nulls that was typed, and of a map behind it, which holds a null.
  ///
  ///     rows      root: "l", "m"    list: nulls, each behind the one before    map: "x"
  ///     keys      "l", "m"          none, `count` times                        "x"
  ///     forged    "l", "m"          none, twice; the third element has "x"     none
  ///
  /// All other columns go on in the same way at the third element, which a reader may take with those behind it.
  static func keyAmongElements(isForged: Bool, count: Int) -> [UInt8] {
    // Of three elements one is left, which is read by itself.
    let count = max(count, 4)
    let length = Int64(count)
    let size = ChunkForge.unsigned(UInt64(count))
    let elementActors = ChunkForge.run(count - 1, 0)
    // What each is behind: the head, 2, 3, ...
    let behind: [UInt8] = ChunkForge.signed(-2) + [0, 2] + ChunkForge.steps(count - 2, 1)
    let list = ChunkForge.run(count, 1)
    let map: [UInt8] = [0x7f] + ChunkForge.unsigned(UInt64(count) + 2)
    let nulls = ChunkForge.run(count + 3, 0)
    var written: [(spec: UInt64, bytes: [UInt8])] = []
    written.append((0x01, [0, 1] + ChunkForge.run(count, 0) + [0, 1, 0x7f, 0]))
    written.append((0x02, [0, 1] + list + [0, 1] + map))
    written.append((0x11, [0, 2] + elementActors + [0, 2]))
    written.append((0x13, [0, 1] + behind + [0, 2]))
    written.append((0x15, [0x7f, 1, 0x6c, 0] + size + [0x7e, 1, 0x6d, 1, 0x78]))
    written.append((0x34, [1] + size + [2]))
    written.append((0x42, [0x7f, 2] + list + [0x7e, 0, 1]))
    written += [(0x56, nulls), (0x70, nulls)]
    let withoutKey: [UInt8] = isForged ? [2] : size
    // 1, count + 2, then 2 to count + 1, and count + 3.
    var numbers: [UInt8] = ChunkForge.signed(-3) + [1] + ChunkForge.signed(length + 1)
    numbers += ChunkForge.signed(-length) + ChunkForge.steps(count - 1, 1) + [0x7f, 2]
    var rows: [(spec: UInt64, bytes: [UInt8])] = []
    rows.append((0x01, [0, 2] + ChunkForge.run(count + 1, 0)))
    rows.append((0x02, [0, 2] + list + map))
    rows.append((0x11, [0, 3] + elementActors + [0, 1]))
    rows.append((0x13, [0, 2] + behind + [0, 1]))
    rows.append((0x15, [0x7e, 1, 0x6c, 1, 0x6d, 0] + withoutKey + [0x7f, 1, 0x78]))
    rows += [(0x21, nulls), (0x23, numbers), (0x34, [2] + size + [1])]
    rows.append((0x42, [0x7e, 2, 0] + ChunkForge.run(count + 1, 1)))
    rows += [(0x56, nulls), (0x80, nulls)]
    let change = ChunkForge.change(actor: 7, ops: written)
    return document(of: change, lastOp: length + 3, ops: rows)
  }

  /// A change that makes a list with one element, and gives an element a second value that overwrites nothing.
  ///
  ///     1@7    the list     2@7    its element     3@7    a value for the element 2@7; forged for 1@7, which is none
  ///
  /// The two values differ in whether they were inserted alone: a reader that forgets to look joins them.
  static func valueOfNoElement(isForged: Bool, value: UInt8) -> [UInt8] {
    ChunkForge.change(
      actor: 7,
      ops: [
        (0x01, [0, 1, 2, 0]), (0x02, [0, 1, 2, 1]), (0x11, [0, 2, 0x7f, 0]),
        (0x13, [0, 1, 0x7e, 0, isForged ? 1 : 2]), (0x15, [0x7f, 1, 0x6c, 0, 2]),
        (0x34, [1, 1, 1]),
        (0x42, [0x7f, 2, 2, 1]), (0x56, [0x7f, 0, 2, 0x14]), (0x57, [5, value]), (0x70, [3, 0]),
      ]
    )
  }

  /// A change without operations that starts at `count`.
  ///
  ///     columns    00          none
  ///     forged     01 15 00    one of keys, 0 bytes long
  static func columnWithoutBytes(isForged: Bool, count: Int) -> [UInt8] {
    // No dependencies, the actor 07, its first change, the first number, no time, no message, no other actors.
    let header: [UInt8] = [0, 1, 7, 1, UInt8(count), 0, 0, 0]
    return ChunkForge.chunk(1, header + (isForged ? [1, 0x15, 0] : [0]))
  }

  /// An int at the key "l" of the root.
  ///
  ///     predecessors    0                               none
  ///     forged          0, and the number 5 of one      which no operation counts
  static func predecessorUncounted(isForged: Bool, value: UInt8) -> [UInt8] {
    let predecessor: [(spec: UInt64, bytes: [UInt8])] = isForged ? [(0x73, [0x7f, 5])] : []
    return ChunkForge.change(actor: 7, ops: ChunkForge.put("l", int: value) + predecessor)
  }

  /// A counter at the key "l" of the root, 5, and an increment of it.
  struct Increment {
    /// Type and bytes of what is added.
    let by: (type: UInt64, bytes: [UInt8])

    /// Null, a boolean, a uint, a string, bytes, a counter and a timestamp.
    static let others: [(type: UInt64, bytes: [UInt8])] = [
      (0, []), (2, []), (3, [5]), (6, [0x61]), (7, [5]), (8, [0xc0, 0]), (9, [5]),
    ]

    private var meta: [UInt8] { ChunkForge.unsigned(UInt64(by.bytes.count) << 4 | by.type) }

    /// Key, insert, action (1 sets, 5 increments) and value of both operations.
    private var shared: [(spec: UInt64, bytes: [UInt8])] {
      [
        (0x15, [2, 1, 0x6c]), (0x34, [2]), (0x42, [0x7e, 1, 5]), (0x56, [0x7e, 0x18] + meta),
        (0x57, [5] + by.bytes),
      ]
    }

    /// One change, a change for each, and a document.
    var forms: [[UInt8]] {
      let counter = ChunkForge.change(
        actor: 7,
        ops: [
          (0x15, [0x7f, 1, 0x6c]), (0x34, [1]), (0x42, [0x7f, 1]), (0x56, [0x7f, 0x18]),
          (0x57, [5]), (0x70, [0x7f, 0]),
        ]
      )
      let increment = ChunkForge.change(
        actor: 7,
        seq: 2,
        startOp: 2,
        dependencies: [ChunkForge.hash(ofChunk: counter)],
        ops: [
          (0x15, [0x7f, 1, 0x6c]), (0x34, [1]), (0x42, [0x7f, 5]), (0x56, [0x7f] + meta),
          (0x57, by.bytes), (0x70, [0x7f, 1]), (0x71, [0x7f, 0]), (0x73, [0x7f, 1]),
        ]
      )
      let change = ChunkForge.change(
        actor: 7,
        ops: shared + [(0x70, [0x7e, 0, 1]), (0x71, [0x7f, 0]), (0x73, [0x7f, 1])]
      )
      let ids: [(spec: UInt64, bytes: [UInt8])] = [
        (0x21, ChunkForge.run(2, 0)), (0x23, ChunkForge.steps(2, 1)),
      ]
      let successors: [(spec: UInt64, bytes: [UInt8])] = [
        (0x80, [0x7e, 1, 0]), (0x81, [0x7f, 0]), (0x83, [0x7f, 2]),
      ]
      let ops = (shared + ids).sorted { $0.spec < $1.spec } + successors
      return [change, counter + increment, Forgery.document(of: change, lastOp: 2, ops: ops)]
    }
  }

  /// A change of the actor 7 that makes a list of nulls.
  private static func list(of count: Int) -> [UInt8] {
    let length = ChunkForge.unsigned(UInt64(count))
    return ChunkForge.change(
      actor: 7,
      ops: [
        (0x01, [0, 1] + ChunkForge.run(count, 0)), (0x02, [0, 1] + ChunkForge.run(count, 1)),
        (0x13, [0, 1] + ChunkForge.steps(count, 0)), (0x15, [0x7f, 1, 0x6c, 0] + length),
        (0x34, [1] + length), (0x42, [0x7f, 2] + ChunkForge.run(count, 1)),
        (0x56, ChunkForge.run(count + 1, 0)), (0x70, ChunkForge.run(count + 1, 0)),
      ]
    )
  }
}
