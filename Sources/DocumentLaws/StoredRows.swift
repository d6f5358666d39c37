// The columns of a chunk as values, and back: what `RowDamage` works on. From the whole (`StoredRows`) to the parts
// (`Head`, `Values`, `ByteScanner`, of `ByteScanner.swift`).

/// The columns of a document or a change, and what stands in front of them, as values; all other bytes as they are.
///
/// Shares no code with any engine. Values are written again in the format's only form, so that a change of one is the
/// only thing that is wrong.
///
/// Source: Specification/Format.md, "Columns", "Document chunk", "Change chunk".
struct StoredRows {
  struct Column {
    var spec: UInt64
    var values: Values

    /// Columns of one id say one thing together: the object, the key, the number of an operation.
    var id: UInt64 { spec >> 4 }
  }

  /// What stands between the length and the metadata of columns.
  struct Head {
    /// Of a document its heads, of a change what it depends on; 32 bytes each.
    var hashes: [[UInt8]]
    /// Of a change its writer first, then the others that it names.
    var actors: [[UInt8]]
    /// Of a change its number among the writer's and that of its first operation; of a document none.
    var numbers: [UInt64] = []
    /// Of a change.
    var time: Int64 = 0
    /// Of a change.
    var message: [UInt8] = []
  }

  /// The chunk's type.
  private let type: UInt8
  var head: Head
  /// Of a document those of changes and of operations, of a change the latter alone.
  var lists: [[Column]]
  /// What stands behind the data of columns.
  private let tail: [UInt8]

  /// Rows of a column that are read; larger files are damaged byte by byte.
  static let rowLimit = 4096

  /// The chunks of a file, by the lengths that they state; what is left behind the last whole one is one more.
  static func chunks(of file: [UInt8]) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    var rest = file[...]
    while rest.count > 10 {
      var scanner = ByteScanner(rest.dropFirst(9))
      guard let length = scanner.unsigned(), length <= UInt64(rest.endIndex - scanner.offset) else {
        break
      }
      let end = scanner.offset + Int(length)
      chunks.append(Array(rest[..<end]))
      rest = rest[end...]
    }
    return rest.isEmpty ? chunks : chunks + [Array(rest)]
  }

  /// Takes a chunk apart; `nil` for a damaged one, and for a compressed change.
  init?(_ chunk: [UInt8]) {
    guard chunk.count > 10, chunk[8] < 2 else { return nil }
    type = chunk[8]
    var scanner = ByteScanner(chunk[9...])
    guard let length = scanner.unsigned(), length == UInt64(chunk.endIndex - scanner.offset) else {
      return nil
    }
    guard let head = type == 0 ? scanner.documentHead() : scanner.changeHead() else { return nil }
    self.head = head
    var metadata: [[(spec: UInt64, length: Int)]] = []
    for _ in 0..<(type == 0 ? 2 : 1) {
      guard let list = scanner.metadata() else { return nil }
      metadata.append(list)
    }
    lists = []
    for list in metadata {
      var columns: [Column] = []
      for (spec, length) in list {
        guard let data = scanner.bytes(length) else { return nil }
        columns.append(Column(spec: spec, values: Values(data, spec: spec)))
      }
      lists.append(columns)
    }
    tail = Array(chunk[scanner.offset...])
  }

  /// The chunk again, with the right length and checksum.
  var chunk: [UInt8] {
    var (metadata, data): ([UInt8], [UInt8]) = ([], [])
    for list in lists {
      let written = list.map { ($0.spec, $0.values.bytes) }
      metadata += ChunkForge.unsigned(UInt64(written.count))
      for (spec, bytes) in written {
        metadata += ChunkForge.unsigned(spec) + ChunkForge.unsigned(UInt64(bytes.count))
        data += bytes
      }
    }
    let head = type == 0 ? head.ofDocument : head.ofChange
    return ChunkForge.chunk(type, head + metadata + data + tail)
  }

  /// The values of a column, one for each row; of a raw column its bytes.
  enum Values {
    case numbers([UInt64?])
    /// A column of differences, as the numbers that they lead to.
    case sums([Int64?])
    case texts([[UInt8]?])
    case flags([Bool])
    case raw([UInt8])

    /// The format's types of columns, the low three bits of a spec.
    private enum Form: UInt64 {
      case group, actor, number, difference, flag, text, valueMetadata, value
    }

    private static let deflateBit: UInt64 = 8

    /// One value in each of some rows, in the form of a column's type; of a raw column one byte.
    init(_ value: UInt8, rows count: Int, spec: UInt64) {
      switch Form(rawValue: spec & 7) {
      case .group, .actor, .number, .valueMetadata:
        self = .numbers(Array(repeating: UInt64(value), count: count))
      case .difference: self = .sums(Array(repeating: Int64(value), count: count))
      case .text: self = .texts(Array(repeating: [0x61], count: count))
      case .flag: self = .flags(Array(repeating: value > 0, count: count))
      case .value, nil: self = .raw([value])
      }
    }

    /// What cannot be read stays raw.
    init(_ bytes: [UInt8], spec: UInt64) {
      self = .raw(bytes)
      guard spec & Self.deflateBit == 0, let form = Form(rawValue: spec & 7) else { return }
      var scanner = ByteScanner(bytes[...])
      switch form {
      case .group, .actor, .number, .valueMetadata:
        if let rows = scanner.runs({ $0.unsigned() }) { self = .numbers(rows) }
      case .text:
        if let rows = scanner.runs({ scanner in scanner.unsigned().flatMap { scanner.bytes($0) } })
        {
          self = .texts(rows)
        }
      case .difference:
        guard let rows = scanner.runs({ $0.signed() }) else { return }
        var sum: Int64 = 0
        self = .sums(
          rows.map { row in
            guard let row else { return nil }
            sum &+= row
            return sum
          }
        )
      case .flag:
        if let rows = scanner.flags() { self = .flags(rows) }
      case .value: break
      }
    }

    /// Rows; `nil` for a raw column.
    var count: Int? {
      switch self {
      case .numbers(let rows): rows.count
      case .sums(let rows): rows.count
      case .texts(let rows): rows.count
      case .flags(let rows): rows.count
      case .raw: nil
      }
    }

    /// The column's data in the only form that the format allows.
    var bytes: [UInt8] {
      switch self {
      case .numbers(let rows): return Self.runs(rows) { ChunkForge.unsigned($0) }
      case .texts(let rows):
        return Self.runs(rows) { ChunkForge.unsigned(UInt64($0.count)) + $0 }
      case .sums(let rows):
        var last: Int64 = 0
        let steps = rows.map { row -> Int64? in
          guard let row else { return nil }
          defer { last = row }
          return row &- last
        }
        return Self.runs(steps) { ChunkForge.signed($0) }
      case .flags(let rows):
        var (result, current, count): ([UInt8], Bool, UInt64) = ([], false, 0)
        for row in rows {
          if row == current {
            count += 1
          } else {
            result += ChunkForge.unsigned(count)
            (current, count) = (row, 1)
          }
        }
        return rows.isEmpty ? [] : result + ChunkForge.unsigned(count)
      case .raw(let bytes): return bytes
      }
    }

    /// Runs of equal rows, rows of different values and rows without a value; nothing for rows that all have none.
    private static func runs<Row: Equatable>(
      _ rows: [Row?],
      _ written: (Row) -> [UInt8]
    ) -> [UInt8] {
      guard rows.contains(where: { $0 != nil }) else { return [] }
      var result: [UInt8] = []
      var literal: [Row] = []
      func flush() {
        guard !literal.isEmpty else { return }
        result += ChunkForge.signed(-Int64(literal.count)) + literal.flatMap(written)
        literal = []
      }
      var index = 0
      while index < rows.count {
        let end = rows[index...].firstIndex { $0 != rows[index] } ?? rows.count
        if let row = rows[index] {
          if end - index == 1 {
            literal.append(row)
          } else {
            flush()
            result += ChunkForge.signed(Int64(end - index)) + written(row)
          }
        } else {
          flush()
          result += [0] + ChunkForge.unsigned(UInt64(end - index))
        }
        index = end
      }
      flush()
      return result
    }
  }
}

extension StoredRows.Head {
  fileprivate var ofDocument: [UInt8] {
    Self.counted(actors) + ChunkForge.unsigned(UInt64(hashes.count)) + hashes.joined()
  }

  fileprivate var ofChange: [UInt8] {
    ChunkForge.unsigned(UInt64(hashes.count)) + hashes.joined()
      + ChunkForge.counted(actors.first ?? []) + numbers.flatMap { ChunkForge.unsigned($0) }
      + ChunkForge.signed(time) + ChunkForge.counted(message)
      + Self.counted(Array(actors.dropFirst()))
  }

  /// Entries behind their number, each behind its own.
  private static func counted(_ entries: [[UInt8]]) -> [UInt8] {
    ChunkForge.unsigned(UInt64(entries.count)) + entries.flatMap { ChunkForge.counted($0) }
  }
}

extension ByteScanner {
  /// Runs of values up to the end; `nil` for what is no such column, or a long one.
  fileprivate mutating func runs<Row>(_ row: (inout ByteScanner) -> Row?) -> [Row?]? {
    var rows: [Row?] = []
    while leftCount > 0 {
      guard let count = signed(), count.magnitude <= UInt64(StoredRows.rowLimit) else { return nil }
      if count > 0 {
        guard let value = row(&self) else { return nil }
        rows += Array(repeating: value, count: Int(count))
      } else if count < 0 {
        for _ in 0..<Int(-count) {
          guard let value = row(&self) else { return nil }
          rows.append(value)
        }
      } else {
        guard let nulls = unsigned(), nulls <= UInt64(StoredRows.rowLimit) else { return nil }
        rows += Array(repeating: nil, count: Int(nulls))
      }
      guard rows.count <= StoredRows.rowLimit else { return nil }
    }
    return rows
  }

  /// Runs of false and true in turns; `nil` as ``runs(_:)``.
  fileprivate mutating func flags() -> [Bool]? {
    var (rows, current): ([Bool], Bool) = ([], false)
    while leftCount > 0 {
      guard let count = unsigned(), count <= UInt64(StoredRows.rowLimit - rows.count) else {
        return nil
      }
      rows += Array(repeating: current, count: Int(count))
      current.toggle()
    }
    return rows
  }

  /// The columns of a list: spec and length of each.
  fileprivate mutating func metadata() -> [(spec: UInt64, length: Int)]? {
    guard let count = unsigned(), count < 64 else { return nil }
    var result: [(spec: UInt64, length: Int)] = []
    for _ in 0..<count {
      guard let spec = unsigned(), let length = unsigned(), let exact = Int(exactly: length) else {
        return nil
      }
      result.append((spec, exact))
    }
    return result
  }

  private mutating func actors() -> [[UInt8]]? { entries { $0.counted() } }

  /// Actors and heads.
  fileprivate mutating func documentHead() -> StoredRows.Head? {
    guard let actors = actors(), let hashes = hashes() else { return nil }
    return StoredRows.Head(hashes: hashes, actors: actors)
  }

  /// Dependencies, actor, sequence number, first operation, time, message, other actors.
  fileprivate mutating func changeHead() -> StoredRows.Head? {
    guard let hashes = hashes(), let writer = counted(), let seq = unsigned(),
      let startOp = unsigned(), let time = signed(), let message = counted(), let others = actors()
    else { return nil }
    return StoredRows.Head(
      hashes: hashes,
      actors: [writer] + others,
      numbers: [seq, startOp],
      time: time,
      message: message
    )
  }
}
