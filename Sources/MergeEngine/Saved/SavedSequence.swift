/// The visible elements of a list or text in a saved document, in their order.
///
/// Neighbours whose rows say the same are one stretch, however many they are: of a text that was typed and
/// partly deleted a stretch is what stands between two deletions.
///
///     rows      insert "h"  insert "i"  insert "x", deleted  insert "!"     insert "a", then set "b"
///     stretches [0..<2, 1 byte each]                         [3..<4]        [4: values 0..<1]
struct SavedSequence {
  struct Stretch {
    /// Of the first element's insertion; the other rows follow.
    let row: Int
    let count: Int
    let action: Action
    let meta: ValueMeta
    /// Where in the value column the first value begins.
    let offset: Int
    /// Of an element that was overwritten, its values, ascending by id; else none.
    var values = 0..<0

    /// The bytes of the strings side by side; `nil` for anything else.
    func strings(_ bytes: ByteView) -> ByteView? {
      guard action == .set && meta.type == TypeCode.string else { return nil }
      return bytes.part(from: offset, length: count * Int(meta.byteCount))
    }

    /// The value of element `index`.
    func value(_ index: Int) -> SavedValue {
      SavedValue(
        row: row + index,
        action: action,
        meta: meta,
        offset: offset + index * Int(meta.byteCount)
      )
    }
  }

  private(set) var stretches: [Stretch] = []
  private var values: [SavedValue] = []
  /// What an element of a text has a width in; `nil` for a list.
  private let unit: TextUnit?

  init(unit: TextUnit?) { self.unit = unit }

  // MARK: Reading

  /// Reads the rows of a sequence, from where the cursors stand.
  mutating func read(
    _ chunk: SavedChunk,
    rows rowCount: Int,
    _ cursors: inout ValueCursors
  ) throws(Fault) {
    let end = cursors.row + rowCount
    var register = SavedRegister()
    while cursors.row < end {
      var count = min(try cursors.fill(), end - cursors.row)
      guard cursors.insert.value else { throw cursors.insert.fault(.unknownElement) }
      // Rows that are no insertions overwrite the element in front of them.
      if UInt64(count) == cursors.insert.remaining && cursors.row + count < end { count -= 1 }
      if count > 0 {
        try readStretch(chunk, count, &cursors)
      } else {
        register.reset()
        try readElement(chunk, end: end, &register, &cursors)
      }
    }
  }

  /// Elements with one row each.
  ///
  /// A counter that has successors, and no rows but its own, is overwritten by no increment.
  private mutating func readStretch(
    _ chunk: SavedChunk,
    _ count: Int,
    _ cursors: inout ValueCursors
  ) throws(Fault) {
    let (row, offset) = (cursors.row, cursors.offset)
    let action = try Self.action(ofInsertion: cursors)
    let isHidden = cursors.successorCount.value > 0
    let meta = cursors.meta.value
    try cursors.skip(count)
    let size = (cursors.offset - offset) / count
    let isEmpty = size == 0 || !action.keepsValue(hasName: true)
    if isEmpty { try chunk.columns.budget.spendEmptyElements(count) }
    if isHidden || action == .mark { return }
    guard action == .set else {
      return try append(
        Stretch(row: row, count: count, action: action, meta: .null, offset: offset),
        chunk
      )
    }
    let checked = try Self.check(cursors.values, from: offset, count, meta)
    try append(
      Stretch(row: row, count: count, action: action, meta: checked, offset: offset),
      chunk
    )
  }

  /// An element and the rows that overwrite it.
  private mutating func readElement(
    _ chunk: SavedChunk,
    end: Int,
    _ register: inout SavedRegister,
    _ cursors: inout ValueCursors
  ) throws(Fault) {
    let row = cursors.row
    let action = try Self.action(ofInsertion: cursors)
    let offset = cursors.offset
    try chunk.columns.spendRow()
    try register.take(&cursors)
    if cursors.offset == offset || !action.keepsValue(hasName: true) {
      try chunk.columns.budget.spendEmptyElements(1)
    }
    while cursors.row < end {
      _ = try cursors.fill()
      if cursors.insert.value { break }
      guard cursors.action.value != UInt64(Action.mark.rawValue) else {
        throw cursors.action.fault(.keyDoesNotFitObject)
      }
      try chunk.columns.spendRow()
      try register.take(&cursors)
    }
    let start = values.count
    try register.finish(chunk, &values)
    guard values.count > start else { return }
    try chunk.columns.budget.spendMemory(values.count - start, of: SavedValue.self)
    let winner = values[values.count - 1]
    try append(
      Stretch(
        row: row,
        count: 1,
        action: winner.action,
        meta: winner.meta,
        offset: winner.offset,
        values: start..<values.count
      ),
      chunk
    )
  }

  private mutating func append(_ stretch: Stretch, _ chunk: SavedChunk) throws(Fault) {
    try chunk.columns.budget.spendMemory(1, of: Stretch.self)
    stretches.append(stretch)
  }

  private static func action(ofInsertion cursors: ValueCursors) throws(Fault) -> Action {
    guard let action = Action(code: cursors.action.value) else {
      throw cursors.action.fault(.unknownAction(cursors.action.value))
    }
    guard action != .increment else {
      throw cursors.insert.fault(.keyDoesNotFitObject)
    }
    return action
  }

  /// Checks values of one kind and length; all but single letters one by one.
  private static func check(
    _ bytes: ByteView,
    from offset: Int,
    _ count: Int,
    _ meta: UInt64
  ) throws(Fault) -> ValueMeta {
    let checked = try OpRowReader.checkValue(meta, bytes, at: offset)
    let size = Int(checked.byteCount)
    if count == 1 || size == 0 { return checked }
    if checked.type == TypeCode.string && size == 1 {
      guard bytes.part(from: offset, length: count).isASCII else {
        throw Fault(.invalidUTF8, offset, .value)
      }
      return checked
    }
    for index in 1..<count {
      _ = try OpRowReader.checkValue(meta, bytes, at: offset + index * size)
    }
    return checked
  }

  // MARK: Answers

  /// The strings joined; anything else reads as U+FFFC.
  func text(_ bytes: ByteView) -> String {
    var text: [UInt8] = []
    var size = 0
    for stretch in stretches { size += stretch.strings(bytes)?.count ?? 3 * stretch.count }
    text.reserveCapacity(size)
    for stretch in stretches {
      if let strings = stretch.strings(bytes) {
        strings.append(to: &text)
      } else {
        for _ in 0..<stretch.count { text += [0xEF, 0xBF, 0xBC] }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The winners of all elements.
  var winners: [SavedValue] {
    stretches.flatMap { stretch in (0..<stretch.count).map { winner(stretch, $0) } }
  }

  /// Rows of the insertions of all visible elements.
  var rows: [Int] {
    stretches.flatMap { $0.row..<$0.row + $0.count }
  }

  private func winner(_ stretch: Stretch, _ index: Int) -> SavedValue {
    stretch.values.isEmpty ? stretch.value(index) : values[stretch.values.upperBound - 1]
  }

  /// Where each stretch ends, in elements of a list or units of a text; the last end is the length.
  ///
  /// Cost: a step for each stretch, and of a text a look at its bytes.
  func ends(_ bytes: ByteView) -> [Int] {
    var end = 0
    return stretches.map {
      end += width($0, bytes)
      return end
    }
  }

  /// The values of the element that holds a unit, ascending by id; none past the end.
  ///
  /// An element without width holds no unit, and is never found. Cost: a binary search, and of a text with
  /// characters of several bytes a look at the bytes of one stretch.
  func values(at unit: Int, _ ends: [Int], _ bytes: ByteView) -> [SavedValue] {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] <= unit { low = middle + 1 } else { high = middle }
    }
    guard low < stretches.count else { return [] }
    let stretch = stretches[low]
    if !stretch.values.isEmpty { return Array(values[stretch.values]) }
    let start = low == 0 ? 0 : ends[low - 1]
    let width = ends[low] - start
    return [stretch.value(element(of: stretch, holding: unit - start, width, bytes))]
  }

  /// The element of a stretch that holds a unit, which must be within the stretch's width.
  private func element(
    of stretch: Stretch,
    holding unit: Int,
    _ width: Int,
    _ bytes: ByteView
  ) -> Int {
    if width == stretch.count && stretch.meta.byteCount <= 1 { return unit }
    var before = 0
    for index in 0..<stretch.count {
      before += self.width(of: stretch.value(index), bytes)
      if unit < before { return index }
    }
    return stretch.count - 1
  }

  private func width(of value: SavedValue, _ bytes: ByteView) -> Int {
    guard let unit else { return 1 }
    guard value.action == .set && value.meta.type == TypeCode.string else {
      return unit == .utf8 ? 3 : 1
    }
    let string = bytes.part(from: value.offset, length: Int(value.meta.byteCount))
    return Int(unit.width(of: string))
  }

  /// Units of a stretch.
  ///
  /// Graphemes are counted by element: what two elements would make together counts twice.
  private func width(_ stretch: Stretch, _ bytes: ByteView) -> Int {
    guard let unit else { return stretch.count }
    guard let strings = stretch.strings(bytes) else {
      return stretch.count * (unit == .utf8 ? 3 : 1)
    }
    if unit == .utf8 || stretch.meta.byteCount <= 1 { return strings.count }
    if unit != .grapheme { return Int(unit.width(of: strings)) }
    return (0..<stretch.count).reduce(0) { $0 + width(of: stretch.value($1), bytes) }
  }
}
