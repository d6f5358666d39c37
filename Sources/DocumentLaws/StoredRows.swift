// The columns of a chunk as values, and back: what `RowDamage` works on. From the whole (`StoredRows`) to the parts
// (`Values`, `ByteScanner`).

/// The columns of a document or a change, as values; all other bytes as they are.
///
/// Shares no code with any engine. Values are written again in the format's only form, so that a change of one is the
/// only thing that is wrong.
///
/// Source: Specification/Format.md, "Columns", "Document chunk", "Change chunk".
struct StoredRows {
  struct Column {
    var spec: UInt64
    var values: Values
  }

  /// The chunk's type.
  private let type: UInt8
  /// What stands between the length and the metadata of columns.
  private let head: [UInt8]
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
    let start = scanner.offset
    guard type == 0 ? scanner.skipDocumentHead() : scanner.skipChangeHead() else { return nil }
    head = Array(chunk[start..<scanner.offset])
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

/// Reads numbers and bytes; `nil` wherever they end early.
private struct ByteScanner {
  private let bytes: ArraySlice<UInt8>
  private(set) var offset: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  mutating func unsigned() -> UInt64? {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while offset < bytes.endIndex, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  mutating func signed() -> Int64? {
    let start = offset
    guard let value = unsigned() else { return nil }
    let bits = 7 * (offset - start)
    let isNegative = bytes[offset - 1] & 0x40 != 0
    let extended = isNegative && bits < 64 ? value | (UInt64.max << UInt64(bits)) : value
    return Int64(bitPattern: extended)
  }

  mutating func bytes(_ count: some BinaryInteger) -> [UInt8]? {
    guard let count = Int(exactly: count), count >= 0, count <= bytes.endIndex - offset else {
      return nil
    }
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  /// Runs of values up to the end; `nil` for what is no such column, or a long one.
  mutating func runs<Row>(_ row: (inout ByteScanner) -> Row?) -> [Row?]? {
    var rows: [Row?] = []
    while offset < bytes.endIndex {
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
  mutating func flags() -> [Bool]? {
    var (rows, current): ([Bool], Bool) = ([], false)
    while offset < bytes.endIndex {
      guard let count = unsigned(), count <= UInt64(StoredRows.rowLimit - rows.count) else {
        return nil
      }
      rows += Array(repeating: current, count: Int(count))
      current.toggle()
    }
    return rows
  }

  /// The columns of a list: spec and length of each.
  mutating func metadata() -> [(spec: UInt64, length: Int)]? {
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

  private mutating func skipCounted() -> Bool { unsigned().flatMap { bytes($0) } != nil }

  private mutating func skipHashes() -> Bool {
    guard let count = unsigned(), count < 1 << 20 else { return false }
    return bytes(32 * count) != nil
  }

  private mutating func skipActors() -> Bool {
    guard let count = unsigned(), count < 1 << 16 else { return false }
    return (0..<count).allSatisfy { _ in skipCounted() }
  }

  /// Actors and heads.
  mutating func skipDocumentHead() -> Bool { skipActors() && skipHashes() }

  /// Dependencies, actor, sequence number, first operation, time, message, other actors.
  mutating func skipChangeHead() -> Bool {
    skipHashes() && skipCounted() && unsigned() != nil && unsigned() != nil && signed() != nil
      && skipCounted() && skipActors()
  }
}
