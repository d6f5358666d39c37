package import PropertyEngine

/// Damage of one value of a column, or of one row, in a chunk that is sound otherwise.
///
/// A damaged byte of a column mostly spoils the form of all that stands behind it. Here the columns are written again,
/// so that a reader comes to the row, and to the one check that refuses it.
package enum RowDamage {
  /// Numbers at edges: of signed bytes, of counters, of signed and unsigned numbers.
  private static let edges: [UInt64] = [
    0, 1, 2, 63, 64, 127, 128, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 62) - 1, 1 << 62,
    UInt64(Int64.max), 1 << 63, .max,
  ]

  /// Damages one of the chunks of a file; it stays as it is if that has no columns.
  ///
  /// - Returns: What was done, for people; `nil` if nothing could be.
  package static func wound(_ file: inout [UInt8], _ choices: inout Choices) -> String? {
    var chunks = StoredRows.chunks(of: file)
    guard !chunks.isEmpty else { return nil }
    let index = choices.index(below: chunks.count)
    guard let words = wound(chunk: &chunks[index], &choices) else { return nil }
    file = chunks.flatMap(\.self)
    return chunks.count == 1 ? words : "in chunk \(index) \(words)"
  }

  private static func wound(chunk: inout [UInt8], _ choices: inout Choices) -> String? {
    guard var rows = StoredRows(chunk) else { return nil }
    let lists = rows.lists.indices.filter { !rows.lists[$0].isEmpty }
    guard !lists.isEmpty else { return nil }
    // Operations stand behind changes, and are more.
    let list = choices.flag(percent: 75) ? lists[lists.count - 1] : choices.element(of: lists)
    let index = choices.index(below: rows.lists[list].count)
    let words: String
    switch choices.pick(weights: [10, 3, 2, 1, 1]) {
    case 0: words = woundValue(&rows.lists[list][index].values, &choices)
    case 1: words = woundRow(&rows.lists[list], &choices)
    case 2: words = woundLength(&rows.lists[list][index].values, &choices)
    case 3:
      rows.lists[list].remove(at: index)
      words = "is left out"
    default:
      let spec = rows.lists[list][index].spec
      let step = choices.element(of: [1, 2, 8, 16, 128] as [UInt64])
      rows.lists[list][index].spec = choices.flag() ? spec &+ step : spec ^ step
      words = "has the number \(rows.lists[list][index].spec)"
    }
    chunk = rows.chunk
    return "column \(index) of \(list == 0 && lists.count > 1 ? "changes" : "operations") \(words)"
  }

  /// Another value in one row of a column.
  private static func woundValue(
    _ values: inout StoredRows.Values,
    _ choices: inout Choices
  ) -> String {
    guard let count = values.count else { return woundRaw(&values, &choices) }
    guard count > 0 else { return "has no rows" }
    let row = choices.index(below: count)
    let other = choices.index(below: count)
    let kind = choices.pick(weights: [3, 3, 3, 2, 3])
    let edge = choices.element(of: edges)
    switch values {
    case .numbers(var rows):
      rows[row] = changed(rows[row], kind: kind, other: rows[other], edge: edge)
      values = .numbers(rows)
      return "has \(rows[row].map(String.init) ?? "nothing") in row \(row)"
    case .sums(var rows):
      let old = rows[row].map { UInt64(bitPattern: $0) }
      let new = changed(
        old,
        kind: kind,
        other: rows[other].map { UInt64(bitPattern: $0) },
        edge: edge
      )
      rows[row] = new.map { Int64(bitPattern: $0) }
      values = .sums(rows)
      return "has \(rows[row].map(String.init) ?? "nothing") in row \(row)"
    case .texts(var rows):
      switch kind {
      case 0: rows[row] = nil
      case 1: rows[row] = (rows[row] ?? []) + [0x61]
      case 2: rows[row] = [0xc3]
      case 3: rows[row] = []
      default: rows[row] = rows[other]
      }
      values = .texts(rows)
      return "has another text in row \(row)"
    case .flags(var rows):
      rows[row].toggle()
      values = .flags(rows)
      return "has \(rows[row]) in row \(row)"
    case .raw: return ""
    }
  }

  private static func changed(
    _ number: UInt64?,
    kind: Int,
    other: UInt64?,
    edge: UInt64
  ) -> UInt64? {
    switch kind {
    case 0: number == nil ? 0 : nil
    case 1: (number ?? 0) &+ 1
    case 2: (number ?? 0) &- 1
    case 3: edge
    default: other
    }
  }

  /// Two neighbouring rows change places, or one is left out or doubled, in all columns that have as many rows as
  /// most.
  private static func woundRow(
    _ columns: inout [StoredRows.Column],
    _ choices: inout Choices
  ) -> String {
    let counts = columns.compactMap(\.values.count)
    let count = counts.max { one, other in
      counts.count { $0 == one } < counts.count { $0 == other }
    }
    guard let count, count > 1 else { return "has one row" }
    let row = choices.index(below: count - 1)
    let change = choices.element(of: RowChange.allCases)
    for index in columns.indices where columns[index].values.count == count {
      columns[index].values.apply(change, toRow: row)
    }
    return "has, with all others, row \(row) \(change.rawValue)"
  }

  /// A row more or less in one column.
  private static func woundLength(
    _ values: inout StoredRows.Values,
    _ choices: inout Choices
  ) -> String {
    guard let count = values.count, count > 0 else { return woundRaw(&values, &choices) }
    let isLonger = choices.flag()
    values.apply(isLonger ? .doubled : .removed, toRow: count - 1)
    return isLonger ? "has a row more" : "has a row less"
  }

  private static func woundRaw(
    _ values: inout StoredRows.Values,
    _ choices: inout Choices
  ) -> String {
    guard case .raw(var bytes) = values, !bytes.isEmpty else { return "is empty" }
    let at = choices.index(below: bytes.count)
    switch choices.index(below: 3) {
    case 0: bytes[at] = UInt8(choices.number(in: 0...255))
    case 1: bytes.remove(at: at)
    default: bytes.insert(UInt8(choices.number(in: 0...255)), at: at)
    }
    values = .raw(bytes)
    return "has other bytes at \(at)"
  }
}

/// What is done to a row.
private enum RowChange: String, CaseIterable {
  case swapped = "behind the next"
  case removed = "left out"
  case doubled = "twice"
}

extension StoredRows.Values {
  fileprivate mutating func apply(_ change: RowChange, toRow row: Int) {
    func changed<Row>(_ rows: [Row]) -> [Row] {
      var rows = rows
      switch change {
      case .swapped: if row + 1 < rows.count { rows.swapAt(row, row + 1) }
      case .removed: rows.remove(at: row)
      case .doubled: rows.insert(rows[row], at: row)
      }
      return rows
    }
    switch self {
    case .numbers(let rows): self = .numbers(changed(rows))
    case .sums(let rows): self = .sums(changed(rows))
    case .texts(let rows): self = .texts(changed(rows))
    case .flags(let rows): self = .flags(changed(rows))
    case .raw: break
    }
  }
}
