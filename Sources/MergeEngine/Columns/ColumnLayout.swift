/// The columns of one chunk part: which there are, and where their bytes lie.
///
/// The metadata lists a spec and a length for each column; the data follow in the same order:
///
///     03               three columns
///     15 07            key string, 7 bytes       data offset 0
///     34 01            insert, 1 byte                        7
///     5e 80 02         value metadata, deflated: 0x56 | 8, 256 bytes inflating to more
///
/// Source: Specification/Format.md, "Columns".
struct ColumnLayout: ~Copyable {
  struct Column: BitwiseCopyable {
    /// `id << 4 | deflate << 3 | type`.
    var spec: UInt32
    /// Offset from the start of the column data.
    var offset: Int
    var length: Int

    static let deflateBit: UInt32 = 8

    var id: UInt32 { spec >> 4 }
    /// Three bits; each of the eight values has a meaning.
    var type: ColumnType { ColumnType(rawValue: spec & 7) ?? .group }
    var isDeflated: Bool { spec & Self.deflateBit != 0 }
    /// The spec without the deflate bit.
    ///
    /// What a column is compared by: a deflated column is the same column.
    var name: UInt32 { spec & ~Self.deflateBit }
  }

  /// In the order of the metadata, which is that of the data.
  private(set) var columns = Arena<Column>()
  /// Bytes of all columns together.
  private(set) var totalLength = 0
  /// By name, the index of the column outside of groups, or ``absent``.
  ///
  /// Names above a byte are of no known column.
  private var places = Arena<UInt16>()
  /// There are fewer columns than this.
  private static var absent: UInt16 { .max }

  /// Reads the metadata and checks the order and grouping of the columns.
  ///
  /// Lengths are summed and compared with the whole chunk here; whether the data are all there is
  /// seen when they are read. So `totalLength` never passes the chunk's bytes, and no offset
  /// overflows.
  ///
  /// Cost: a step for each column; there are at most half as many columns as bytes. After an error
  /// the layout is of no use until it is read into again.
  mutating func read(
    _ cursor: inout ByteCursor,
    allowsDeflate: Bool
  ) throws(Fault) {
    // Only the names of the layout before have entries.
    if places.isEmpty { places.append(repeating: Self.absent, count: 256) }
    for index in 0..<columns.count { places[Int(columns[index].name & 0xFF)] = Self.absent }
    columns.truncate(to: 0)
    totalLength = 0
    let count = try cursor.readCount(unit: 2, .columnMetadata)
    guard count <= Limits.columnLimit else {
      throw Fault(.limitExceeded(.columnLimit), cursor.offset, .columnMetadata)
    }
    for _ in 0..<count {
      let start = cursor.offset
      let spec = try cursor.readULEB(strict: true, .columnMetadata)
      guard spec <= UInt64(UInt32.max) else {
        throw Fault(.integerTooLarge, start, .columnMetadata)
      }
      let length = try cursor.readULEB(strict: true, .columnMetadata)
      guard length <= UInt64(cursor.bytes.count) else {
        throw Fault(.truncated, start, .columnMetadata)
      }
      let column = Column(spec: UInt32(spec), offset: totalLength, length: Int(length))
      if columns.count > 0 {
        // Neighbours compare by the low byte alone; the format's readers all do.
        let previous = columns[columns.count - 1]
        if column.spec & 0xF7 < previous.spec & 0xF7 {
          throw Fault(.columnsOutOfOrder, start, .columnMetadata)
        }
      }
      if column.isDeflated && !allowsDeflate {
        throw Fault(.deflatedColumnInChange, start, .columnMetadata)
      }
      columns.append(column)
      totalLength += column.length
      guard totalLength <= cursor.bytes.count else {
        throw Fault(.truncated, start, .columnMetadata)
      }
    }
    try checkGrouping(at: cursor.offset)
  }

  /// Finds the groups, and which columns stand outside of them.
  ///
  ///     40 02  43 03  56 02  57 04        40 is a group: 43 has its id, 4, and belongs to it; 56 ends it
  ///     56 02  57 04                      57, a value, must come right behind the metadata of its id
  ///
  /// A group column owns the columns of its id directly behind it: `group` is that id as long as
  /// they go on.
  ///
  ///     70 71 73 83      group 7 owns 71 and 73; 83 has another id, and stands alone
  ///     71 73            no group: both stand alone, and are found by name
  private mutating func checkGrouping(at offset: Int) throws(Fault) {
    var group: UInt32?
    for index in 0..<columns.count {
      let column = columns[index]
      if column.type == .group {
        if column.id == group { throw Fault(.nestedGroup, offset, .columnMetadata) }
        group = column.id
      } else if column.id != group {
        group = nil
      }
      if column.name <= 0xFF && (column.type == .group || group == nil) {
        places[Int(column.name)] = UInt16(truncatingIfNeeded: index)
      }
      if column.type == .value {
        guard index > 0, columns[index - 1].type == .valueMetadata else {
          throw Fault(.valueWithoutMetadata, offset, .columnMetadata)
        }
        guard columns[index - 1].id == column.id else {
          throw Fault(.valueColumnMismatch, offset, .columnMetadata)
        }
      }
    }
  }

  /// The column of a name; `nil` if the chunk lacks it.
  ///
  /// Of several the last counts. A column behind a group column of its id belongs to the group.
  @inline(__always)
  func find(_ name: some ColumnName) -> Column? {
    let index = places[Int(name.rawValue & 0xFF)]
    return index == Self.absent ? nil : columns[Int(index)]
  }

  /// Whether any column but the group's own has its id.
  private func hasColumnsOf(_ groupName: UInt32) -> Bool {
    for index in 0..<columns.count
    where columns[index].id == groupName >> 4 && columns[index].type != .group {
      return true
    }
    return false
  }

  /// A group's member; `members` are the names of all, which must be there together or not at all.
  ///
  /// The second is `nil` in a group of one.
  ///
  /// `nil` if the chunk lacks the group, or has it without members. Other members than `members`, or
  /// one of two alone, are refused: row counts would belong to nothing. Of several groups of one id
  /// the last counts, as in ``find(_:)``.
  func findMember<Name: ColumnName>(
    _ name: Name,
    of group: Name,
    members: (Name, Name?),
    at offset: Int
  ) throws(Fault) -> Column? {
    let groupName = group.rawValue
    if !hasColumnsOf(groupName) { return nil }
    var inGroup = false
    var found: Column?
    var seen: (UInt32, UInt32) = (0, 0)
    var count = 0
    for index in 0..<columns.count {
      let column = columns[index]
      if column.type == .group {
        inGroup = column.name == groupName
        if inGroup {
          seen = (0, 0)
          count = 0
          found = nil
        }
      } else if inGroup && column.id == groupName >> 4 {
        if count == 0 { seen.0 = column.name } else { seen.1 = column.name }
        count += 1
        if column.name == name.rawValue { found = column }
      } else {
        inGroup = false
      }
    }
    let expected = (members.0.rawValue, members.1?.rawValue ?? 0)
    if count > 0 && (seen != expected || count > 2) {
      throw Fault(.groupMembersMismatch, offset, .columnMetadata)
    }
    return found
  }
}
