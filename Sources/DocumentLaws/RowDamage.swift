package import PropertyEngine

/// Damage of one value of a column, of one row, or of one thing in front of the columns, in a chunk that is sound
/// otherwise.
///
/// A damaged byte of a column mostly spoils the form of all that stands behind it. Here the columns are written again,
/// so that a reader comes to the row, and to the one check that refuses it.
package enum RowDamage {
  /// Numbers at edges: of signed bytes, of counters, of signed and unsigned numbers.
  private static let edges: [UInt64] = [
    0, 1, 2, 63, 64, 127, 128, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 62) - 1, 1 << 62,
    UInt64(Int64.max), 1 << 63, .max,
  ]
  /// Small numbers, which are actions, kinds of values, places of actors and counts: from 0 up to below this.
  private static let smallNumberLimit = 9
  /// Texts that end early, or break off at their second, third or fourth byte; a surrogate.
  private static let brokenTexts: [[UInt8]] = [
    [0xc3], [0xe2, 0x2c, 0xac], [0xe2, 0x82, 0x2c], [0xf0, 0x9f, 0x98, 0x2c], [0xed, 0xa0, 0x80],
  ]
  /// Specs of columns that a chunk may get: all known ones, a value without its metadata, and a deflated one.
  private static let specs: [UInt64] = [
    0x01, 0x02, 0x11, 0x13, 0x15, 0x21, 0x23, 0x34, 0x42, 0x56, 0x57, 0x70, 0x71, 0x73, 0x80, 0x81,
    0x83, 0x94, 0xa5, 0x03, 0x35, 0x40, 0x43, 0x67, 0x7a,
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

  /// Gives one row of one column of operations another value, in a file of one chunk; it stays as it is if that has
  /// no columns.
  ///
  /// - Returns: As ``wound(_:_:)``.
  package static func woundValue(
    ofOperationsIn file: inout [UInt8],
    _ choices: inout Choices
  ) -> String? {
    guard var rows = StoredRows(file), let list = rows.lists.indices.last,
      !rows.lists[list].isEmpty
    else { return nil }
    let index = choices.index(below: rows.lists[list].count)
    let words = woundValue(&rows.lists[list][index].values, &choices)
    file = rows.chunk
    return "column \(index) of operations \(words)"
  }

  /// What is wrong in one place of the operations of a file.
  package enum Flaw {
    /// Another byte in the column of values.
    case valueByte(offset: Int, UInt8)
    /// No number of the operation in a row.
    case numberOfNone(row: Int)
    /// No key in the last row that has one.
    case lastKeyGone
    /// No actor of the object in a row, whose number of the object stays.
    case objectWithoutActor(row: Int)
  }

  /// Puts a flaw into a file of one chunk.
  ///
  /// - Returns: Whether there is such a place; else the file stays as it is.
  package static func put(_ flaw: Flaw, intoOperationsOf file: inout [UInt8]) -> Bool {
    guard var rows = StoredRows(file), let list = rows.lists.indices.last else { return false }
    let spec: UInt64 =
      switch flaw {
      case .valueByte: 0x57
      case .numberOfNone: 0x23
      case .lastKeyGone: 0x15
      case .objectWithoutActor: 0x01
      }
    guard let index = rows.lists[list].firstIndex(where: { $0.spec == spec }) else { return false }
    switch (flaw, rows.lists[list][index].values) {
    case (.valueByte(let offset, let byte), .raw(var bytes)) where bytes.indices.contains(offset):
      bytes[offset] = byte
      rows.lists[list][index].values = .raw(bytes)
    case (.numberOfNone(let row), .sums(var numbers)) where numbers.indices.contains(row):
      numbers[row] = 0
      rows.lists[list][index].values = .sums(numbers)
    case (.lastKeyGone, .texts(let keys)) where !keys.isEmpty:
      rows.lists[list][index].values = .texts(Array(keys.dropLast()))
    case (.objectWithoutActor(let row), .numbers(var numbers)) where numbers.indices.contains(row):
      numbers[row] = nil
      rows.lists[list][index].values = .numbers(numbers)
    default: return false
    }
    file = rows.chunk
    return true
  }

  private static func wound(chunk: inout [UInt8], _ choices: inout Choices) -> String? {
    guard var rows = StoredRows(chunk) else { return nil }
    let lists = rows.lists.indices.filter { !rows.lists[$0].isEmpty }
    if lists.isEmpty || choices.flag(percent: headPercent) {
      let words = woundHead(&rows.head, &choices)
      chunk = rows.chunk
      return words
    }
    // Operations stand behind changes, and are more.
    let list = choices.flag(percent: 75) ? lists[lists.count - 1] : choices.element(of: lists)
    let index = choices.index(below: rows.lists[list].count)
    let words: String
    switch choices.pick(weights: [10, 3, 2, 1, 1, 3, 2, 1]) {
    case 0: words = woundValue(&rows.lists[list][index].values, &choices)
    case 1: words = woundRow(&rows.lists[list], &choices)
    case 2: words = woundLength(&rows.lists[list][index].values, &choices)
    case 3:
      rows.lists[list].remove(at: index)
      words = "is left out"
    case 5: words = woundPart(&rows.lists[list], &choices)
    case 6: words = addColumn(to: &rows.lists[list], &choices)
    case 7:
      rows.lists[list].insert(rows.lists[list][index], at: index)
      words = "is there twice"
    default:
      let spec = rows.lists[list][index].spec
      let step = choices.element(of: [1, 2, 8, 16, 128] as [UInt64])
      rows.lists[list][index].spec = choices.flag() ? spec &+ step : spec ^ step
      words = "has the number \(rows.lists[list][index].spec)"
    }
    chunk = rows.chunk
    return "column \(index) of \(list == 0 && lists.count > 1 ? "changes" : "operations") \(words)"
  }

  /// The percentage of wounds that are in front of the columns, if there are columns.
  private static let headPercent = 12

  /// Another hash, actor, number, time or message in front of the columns.
  private static func woundHead(
    _ head: inout StoredRows.Head,
    _ choices: inout Choices
  ) -> String {
    // A document has hashes and actors alone.
    switch choices.pick(weights: head.numbers.isEmpty ? [3, 2] : [3, 2, 4, 1, 1]) {
    case 0: return "of the hashes \(woundEntry(&head.hashes, &choices))"
    case 1: return "of the actors \(woundEntry(&head.actors, &choices))"
    case 2:
      let index = choices.index(below: head.numbers.count)
      let kind = choices.pick(weights: [0, 3, 3, 2])
      let edge = choices.element(of: edges)
      let number = changed(head.numbers[index], kind: kind, other: nil, edge: edge) ?? 0
      head.numbers[index] = number
      return "the \(index == 0 ? "change" : "first operation") has the number \(number)"
    case 3:
      head.time = Int64(bitPattern: choices.element(of: edges))
      return "the time is \(head.time)"
    default:
      head.message = choices.element(of: [[], [0x61]] + brokenTexts)
      return "the message is another"
    }
  }

  /// An entry is behind the next, left out, twice, or has another byte.
  private static func woundEntry(_ list: inout [[UInt8]], _ choices: inout Choices) -> String {
    guard !list.isEmpty else { return "there is none" }
    let index = choices.index(below: list.count)
    if choices.flag(percent: 25), !list[index].isEmpty {
      let place = choices.index(below: list[index].count)
      list[index][place] ^= 1
      return "number \(index) has another byte \(place)"
    }
    let change = choices.element(of: RowChange.allCases)
    list = change.changed(list, at: index)
    return "number \(index) is \(change.rawValue)"
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
    let kind = choices.pick(weights: [3, 3, 3, 2, 3, 3])
    let edge =
      kind == 5
      ? UInt64(choices.index(below: smallNumberLimit)) : choices.element(of: edges)
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
      case 2: rows[row] = choices.element(of: brokenTexts)
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
    case 3, 5: edge
    default: other
    }
  }

  /// Two neighbouring rows change places, or one is left out or doubled, in all columns that have as many rows as
  /// most.
  private static func woundRow(
    _ columns: inout [StoredRows.Column],
    _ choices: inout Choices
  ) -> String {
    guard let count = rowCount(of: columns), count > 1 else { return "has one row" }
    let row = choices.index(below: count - 1)
    let change = choices.element(of: RowChange.allCases)
    for index in columns.indices where columns[index].values.count == count {
      columns[index].values.apply(change, toRow: row)
    }
    return "has, with all others, row \(row) \(change.rawValue)"
  }

  /// Rows of most columns.
  private static func rowCount(of columns: [StoredRows.Column]) -> Int? {
    let counts = columns.compactMap(\.values.count)
    return counts.max { one, other in
      counts.count { $0 == one } < counts.count { $0 == other }
    }
  }

  /// A row gets what another has in all columns of one id: its whole object, key or number.
  ///
  /// An id in one column alone names nothing, and is refused for that.
  private static func woundPart(
    _ columns: inout [StoredRows.Column],
    _ choices: inout Choices
  ) -> String {
    guard let count = rowCount(of: columns), count > 1 else { return "has one row" }
    // Object, key and number are what several columns say together.
    let ids = Set(columns.filter { $0.id < 3 && $0.values.count == count }.map(\.id)).sorted()
    guard !ids.isEmpty else { return "has no key" }
    let id = choices.element(of: ids)
    let row = choices.index(below: count)
    let step = 1 + choices.index(below: count - 1)
    let other = (row + step) % count
    for index in columns.indices
    where columns[index].id == id && columns[index].values.count == count {
      columns[index].values.copy(from: other, to: row)
    }
    return "has, with all others, in row \(row) the id \(id) of row \(other)"
  }

  /// A column that the chunk lacks, in the order of the specs; or one that it has, with other values.
  private static func addColumn(
    to columns: inout [StoredRows.Column],
    _ choices: inout Choices
  ) -> String {
    let spec = choices.element(of: specs)
    let value = UInt8(choices.index(below: 3))
    let values = StoredRows.Values(value, rows: rowCount(of: columns) ?? 1, spec: spec)
    let place = columns.firstIndex { $0.spec > spec } ?? columns.count
    columns.insert(StoredRows.Column(spec: spec, values: values), at: place)
    return "has beside it a new one with the number \(spec), all \(value)"
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

  func changed<Row>(_ rows: [Row], at row: Int) -> [Row] {
    var rows = rows
    switch self {
    case .swapped: if row + 1 < rows.count { rows.swapAt(row, row + 1) }
    case .removed: rows.remove(at: row)
    case .doubled: rows.insert(rows[row], at: row)
    }
    return rows
  }
}

extension StoredRows.Values {
  fileprivate mutating func apply(_ change: RowChange, toRow row: Int) {
    switch self {
    case .numbers(let rows): self = .numbers(change.changed(rows, at: row))
    case .sums(let rows): self = .sums(change.changed(rows, at: row))
    case .texts(let rows): self = .texts(change.changed(rows, at: row))
    case .flags(let rows): self = .flags(change.changed(rows, at: row))
    case .raw: break
    }
  }

  /// A row gets the value of another.
  fileprivate mutating func copy(from other: Int, to row: Int) {
    func copied<Row>(_ rows: [Row]) -> [Row] {
      var rows = rows
      rows[row] = rows[other]
      return rows
    }
    switch self {
    case .numbers(let rows): self = .numbers(copied(rows))
    case .sums(let rows): self = .sums(copied(rows))
    case .texts(let rows): self = .texts(copied(rows))
    case .flags(let rows): self = .flags(copied(rows))
    case .raw: break
    }
  }
}
