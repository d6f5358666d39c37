/// Registers: the rows of a map key, or of a list element with a history.
///
/// A row is one operation that set a value. It is visible while no operation overwrote or deleted it;
/// of several visible rows, which are a conflict, the one with the greatest id wins:
///
///     key "k"   1@a "x"       2@a "y"      2@b "z"       3@b  deletes 2@a
///               hidden by     hidden by    visible:
///               2@a, 2@b      3@b          the value
///
/// Two lists link a register's rows, both ascending by id: all of them (`first`, `last`), and the
/// visible ones (`bottom`, `top`). What always holds:
/// - a row is hidden exactly if a successor of it hides it; an increment does not hide a counter;
/// - a row's first successor stands in the row, further ones in its chain, ascending, each once;
/// - a chain counts in `hiders` which of *all* successors of the row hide it, the first included;
/// - an operation that is taken back is the last that was entered, so that undoing never searches
///   further than entering did.
///
/// Adding a row or a successor costs one step for each that it is entered before, counted from where
/// the one before went (`near`). Rows that arrive in order, whichever order that is, cost one step each;
/// the meter counts the steps, since a peer chooses the order.
///
/// Source: Specification/Semantics.md, "Registers and conflicts", "Visibility", "Counters".
extension Core {
  // MARK: Map registers

  /// The register of a key; `nil` if nothing ever named it.
  @inline(__always)
  func register(_ object: ObjectHandle, _ key: KeyHandle) -> RegisterHandle? {
    registerNumbers.find(Self.registerKey(object, key)).map { RegisterHandle(place: $0) }
  }

  /// What `registerNumbers` knows a map's register by.
  ///
  ///     bit 63            32 31              0
  ///         [ object's place | key's place    ]
  @inline(__always)
  static func registerKey(_ object: ObjectHandle, _ key: KeyHandle) -> UInt64 {
    UInt64(object.place) << 32 | UInt64(key.place)
  }

  /// Makes the register of a key that has none.
  ///
  /// A new register goes in front of the object's others, so that the list runs from the youngest
  /// to the oldest.
  mutating func makeRegister(_ object: ObjectHandle, _ key: KeyHandle) -> RegisterHandle {
    let register = registers.nextHandle
    registers.append(
      Register(object: object, key: key, next: objects[object].firstRegister)
    )
    objects[object].firstRegister = register
    registerNumbers.set(Self.registerKey(object, key), register.place)
    return register
  }

  /// A new register for the rows of a list element.
  ///
  /// It belongs to no list: the element's run names it.
  mutating func addElementRegister(_ object: ObjectHandle) -> RegisterHandle {
    let register = registers.nextHandle
    registers.append(Register(object: object, key: .none))
    return register
  }

  // MARK: Rows

  /// The register's last row whose id is not above `id`; none if all are.
  ///
  /// Looks from where the last row was entered: a caller with many rows mostly brings them in order.
  /// What is not near there ``rowIndex`` finds, if walks in this register were long before.
  private func rowNotAbove(_ register: RegisterHandle, _ id: PackedID) -> RowHandle {
    let record = registers[register]
    if record.last.isNone || !precedes(id, rows[record.last].id) { return record.last }
    var at = record.near.isNone ? record.last : record.near
    var stepCount = 0
    while !at.isNone && precedes(id, rows[at].id) {
      if stepCount == RowIndex.nearCount, let found = indexedRow(register, id) { return found }
      at = rows[at].previous
      stepCount += 1
    }
    // The last row is above the id, so that there always is a next one.
    while !at.isNone && !precedes(id, rows[rows[at].next].id) {
      if stepCount == RowIndex.nearCount, let found = indexedRow(register, id) { return found }
      at = rows[at].next
      stepCount += 1
    }
    meter.add(stepCount)
    if stepCount > RowIndex.patience { rowIndex.noteWalk(register, self) }
    return at
  }

  /// What ``rowNotAbove(_:_:)`` says, by the index; `nil` if the register is not in it.
  @inline(never)
  private func indexedRow(_ register: RegisterHandle, _ id: PackedID) -> RowHandle? {
    guard !rowIndex.isEmpty, let found = rowIndex.rowNotAbove(id, in: register, .all, self) else {
      return nil
    }
    meter.add(RowIndex.nearCount)
    return found
  }

  /// Enters a row at its place by id.
  ///
  ///     first                last
  ///       3  <->  5  <->  9              7 arrives: between 5 and 9, which `near` remembers
  ///       3  <->  5  <->  7  <->  9      8 is looked for from there
  mutating func addRow(_ register: RegisterHandle, _ row: Row) {
    let number = rows.nextHandle
    let last = registers[register].last
    let before =
      last.isNone || precedes(rows[last].id, row.id) ? last : rowNotAbove(register, row.id)
    rows.append(row)
    rows[number].previous = before
    let next = before.isNone ? registers[register].first : rows[before].next
    rows[number].next = next
    if before.isNone { registers[register].first = number } else { rows[before].next = number }
    if next.isNone {
      registers[register].last = number
    } else {
      rows[next].previous = number
      registers[register].near = number
      if !rowIndex.isEmpty { rowIndex.insert(number, in: register, .all, self) }
    }
    if row.isVisible { show(number, in: register) }
  }

  /// The row of an id in a register.
  ///
  /// `nil` if the register has no row of that id: deletions have none.
  func findRow(_ register: RegisterHandle, _ id: PackedID) -> RowHandle? {
    let record = registers[register]
    // What is named is most often the newest row, the counter behind all increments, or the first.
    if !record.last.isNone && rows[record.last].id == id { return record.last }
    if !record.bottom.isNone && rows[record.bottom].id == id { return record.bottom }
    if !record.first.isNone && rows[record.first].id == id { return record.first }
    let row = rowNotAbove(register, id)
    return !row.isNone && rows[row].id == id ? row : nil
  }

  /// Unlinks a row which was added last of all that are left.
  ///
  /// Cost: that of adding it.
  ///
  ///     3  <->  5  <->  7  <->  9      7 goes      3  <->  5  <->  9       near: 5, if it was 7
  ///
  /// Its place in `rows` stays taken, and is given back when the store is rebuilt (``compact()``).
  mutating func removeRow(_ register: RegisterHandle, _ id: PackedID) {
    guard let row = findRow(register, id) else {
      preconditionFailure("undoing a row that is not there")
    }
    let (before, next) = (rows[row].previous, rows[row].next)
    if rows[row].isVisible { conceal(row, in: register) }
    if before.isNone { registers[register].first = next } else { rows[before].next = next }
    if next.isNone {
      registers[register].last = before
    } else {
      rows[next].previous = before
    }
    if registers[register].near == row { registers[register].near = before }
    if !rowIndex.isEmpty { rowIndex.remove(id, in: register, .all, self) }
  }

  // MARK: The visible rows

  /// Enters a row among the visible ones.
  ///
  /// Cost: one step for each visible row above it; rows mostly arrive above all others. Where there are
  /// many, ``rowIndex`` finds its place.
  private mutating func show(_ row: RowHandle, in register: RegisterHandle) {
    let id = rows[row].id
    var above = RowHandle.none
    var below = registers[register].top
    var stepCount = 0
    while !below.isNone && precedes(id, rows[below].id) {
      if stepCount == 0, !rowIndex.isEmpty,
        let found = rowIndex.rowNotAbove(id, in: register, .visible, self)
      {
        below = found
        above = found.isNone ? registers[register].bottom : rows[found].above
        break
      }
      above = below
      below = rows[below].below
      stepCount += 1
    }
    meter.add(stepCount)
    rows[row].above = above
    rows[row].below = below
    if above.isNone { registers[register].top = row } else { rows[above].below = row }
    if below.isNone { registers[register].bottom = row } else { rows[below].above = row }
    // A row above all others does not concern the index.
    if above.isNone { return }
    if stepCount > RowIndex.patience {
      rowIndex.noteWalk(register, self)
    } else if !rowIndex.isEmpty {
      rowIndex.insert(row, in: register, .visible, self)
    }
  }

  /// Takes a row out of the visible ones.
  ///
  ///     bottom -> 3 <-> 7 <-> 9 <- top      7 is hidden      bottom -> 3 <-> 9 <- top
  ///
  /// Its place among all rows stays: only `above` and `below` change.
  private mutating func conceal(_ row: RowHandle, in register: RegisterHandle) {
    if !rowIndex.isEmpty { rowIndex.remove(rows[row].id, in: register, .visible, self) }
    let (above, below) = (rows[row].above, rows[row].below)
    if above.isNone { registers[register].top = below } else { rows[above].below = below }
    if below.isNone { registers[register].bottom = above } else { rows[below].above = above }
    rows[row].above = .none
    rows[row].below = .none
  }

  // MARK: Successors

  /// Notes that `id`, which was not noted before, overwrites a row.
  ///
  /// Predecessors of an operation rise, as successors of a stored row do: none comes twice.
  ///
  ///     row 5, overwritten by 9, then by 7, then by 12
  ///
  ///     successor 9    more -                  hidden
  ///     successor 7    more -> [9]             the least stands in the row
  ///     successor 7    more -> [9] <-> [12]    hiders 3
  ///
  /// While a file is read, all successors count as hiding; ``reveal(_:)`` corrects that for
  /// counters.
  mutating func addSuccessor(
    _ row: RowHandle,
    _ id: PackedID,
    byIncrement: Bool,
    in register: RegisterHandle
  ) {
    let hides = !(byIncrement && rows[row].isCounter)
    let wasHidden = rows[row].isHidden
    if hides {
      if rows[row].isVisible { conceal(row, in: register) }
      rows[row].flags.insert(.hidden)
    }
    let first = rows[row].firstSuccessor
    if first.isNone {
      rows[row].firstSuccessor = id
      return
    }
    if rows[row].more.isNone {
      rows[row].more = chains.nextHandle
      chains.append(SuccessorChain(hiders: wasHidden ? 1 : 0))
    }
    if precedes(id, first) {
      rows[row].firstSuccessor = id
      chain(rows[row].more, first)
    } else {
      chain(rows[row].more, id)
    }
    if hides { chains[rows[row].more].hiders += 1 }
  }

  /// Enters a further successor at its place.
  private mutating func chain(_ number: ChainHandle, _ id: PackedID) {
    let node = chainNodes.nextHandle
    let last = chains[number].last
    if last.isNone || precedes(chainNodes[last].id, id) {
      chainNodes.append(SuccessorNode(id: id, previous: last))
      if last.isNone { chains[number].first = node } else { chainNodes[last].next = node }
      chains[number].last = node
      return
    }
    // As for rows: what comes next likely belongs near what came last.
    var before = chains[number].near.isNone ? last : chains[number].near
    while !before.isNone && precedes(id, chainNodes[before].id) {
      before = chainNodes[before].previous
      meter.add(1)
    }
    var scan = before.isNone ? chains[number].first : chainNodes[before].next
    while !before.isNone && !scan.isNone && !precedes(id, chainNodes[scan].id) {
      before = scan
      scan = chainNodes[scan].next
      meter.add(1)
    }
    chainNodes.append(SuccessorNode(id: id, next: scan, previous: before))
    if scan.isNone { chains[number].last = node } else { chainNodes[scan].previous = node }
    if before.isNone { chains[number].first = node } else { chainNodes[before].next = node }
    chains[number].near = node
  }

  /// Forgets a successor, the one that was added last of all that are left.
  ///
  ///     successor 7    more -> [9] <-> [12]    hiders 3
  ///     forget 12      7, more -> [9]          hiders 2
  ///     forget 7       9, more -> []           hiders 1: the least of the rest moves up
  ///     forget 9       none, no chain          visible again
  ///
  /// Cost: that of adding it.
  mutating func removeSuccessor(
    _ row: RowHandle,
    _ id: PackedID,
    byIncrement: Bool,
    in register: RegisterHandle
  ) {
    let isFirst = rows[row].firstSuccessor == id
    let number = rows[row].more
    if number.isNone || chains[number].first.isNone {
      precondition(isFirst, "forgetting a successor that is not there")
      rows[row].firstSuccessor = .none
      rows[row].more = .none
      unhide(row, in: register)
      return
    }
    if isFirst {
      // The least of the rest moves up into the row.
      let second = chainNodes[chains[number].first].id
      rows[row].firstSuccessor = second
      unchain(number, second)
    } else {
      unchain(number, id)
    }
    if !(byIncrement && rows[row].isCounter) { chains[number].hiders -= 1 }
    if chains[number].hiders == 0 { unhide(row, in: register) }
  }

  /// Shows a row again that nothing hides any more.
  ///
  /// Marks and increments are never values: they stay out of the list.
  private mutating func unhide(_ row: RowHandle, in register: RegisterHandle) {
    guard rows[row].isHidden else { return }
    rows[row].flags.remove(.hidden)
    if rows[row].isVisible { show(row, in: register) }
  }

  /// Takes a successor out of its chain.
  private mutating func unchain(_ number: ChainHandle, _ id: PackedID) {
    var node = chains[number].last
    if chainNodes[node].id != id {
      node = chains[number].first
      while !node.isNone && chainNodes[node].id != id { node = chainNodes[node].next }
    }
    precondition(!node.isNone, "forgetting a successor that is not there")
    let (before, next) = (chainNodes[node].previous, chainNodes[node].next)
    if before.isNone { chains[number].first = next } else { chainNodes[before].next = next }
    if next.isNone { chains[number].last = before } else { chainNodes[next].previous = before }
    if chains[number].near == node { chains[number].near = before }
  }

  /// Calls `body` with each successor, ascending.
  @inline(__always)
  func forEachSuccessor(_ row: RowHandle, _ body: (PackedID) -> Void) {
    if rows[row].successor == 0 { return }
    body(rows[row].firstSuccessor)
    if rows[row].more.isNone { return }
    var scan = chains[rows[row].more].first
    while !scan.isNone {
      body(chainNodes[scan].id)
      scan = chainNodes[scan].next
    }
  }

  /// Shows again the counters of a register which increments alone have overwritten.
  ///
  /// Called once for a register, when all its rows are read.
  mutating func reveal(_ register: RegisterHandle) {
    registers[register].top = .none
    registers[register].bottom = .none
    // While a file is read, successors come before the rows of the operations that they name, so that
    // each counts as a hider. Which of them are increments is known only now.
    // Ascending, so that a binary search decides for each successor.
    var increments: [PackedID] = []
    var row = registers[register].first
    while !row.isNone {
      if rows[row].action == .increment { increments.append(rows[row].id) }
      row = rows[row].next
    }
    row = registers[register].first
    while !row.isNone {
      if rows[row].isCounter && rows[row].isHidden {
        var hiders: UInt32 = 0
        forEachSuccessor(row) { id in
          var (low, high) = (0, increments.count)
          while low < high {
            let middle = (low + high) / 2
            if precedes(increments[middle], id) { low = middle + 1 } else { high = middle }
          }
          if low == increments.count || increments[low] != id { hiders += 1 }
        }
        if hiders == 0 { rows[row].flags.remove(.hidden) }
        if !rows[row].more.isNone { chains[rows[row].more].hiders = hiders }
      }
      // Each is above those before.
      if rows[row].isVisible { show(row, in: register) }
      row = rows[row].next
    }
  }

  // MARK: Visible values

  /// The winner: the visible row with the greatest id.
  @inline(__always)
  func winner(_ register: RegisterHandle) -> RowHandle? {
    let top = registers[register].top
    return top.isNone ? nil : top
  }

  /// The only visible row; `nil` if there are several, or none.
  @inline(__always)
  func soleRow(_ register: RegisterHandle) -> RowHandle? {
    let top = registers[register].top
    return top.isNone || !rows[top].below.isNone ? nil : top
  }

  /// Calls `body` with each visible row, ascending.
  @inline(__always)
  func forEachVisible(_ register: RegisterHandle, _ body: (RowHandle) -> Void) {
    var scan = registers[register].bottom
    while !scan.isNone {
      body(scan)
      scan = rows[scan].above
    }
  }

  // MARK: Complex elements

  /// Makes an element complex, if it is not; returns its place and register.
  ///
  /// Runs may move: callers have cleared the object's cursor.
  ///
  ///     [abc]    b is overwritten    ->    [a] [b: register 4] [c]
  ///                                              rows: b's insertion, then the new one
  mutating func makeComplex(
    _ place: RunPlace,
    _ id: PackedID
  ) -> (place: RunPlace, register: RegisterHandle) {
    let run = runs[at(place)]
    if run.isComplex { return (place, run.register) }
    let object = leaves[place.leaf].object
    let alone = isolate(ElementPlace(place, offset: id.counter &- run.counter), count: 1)
    let element = runs[at(alone)]
    let register = addElementRegister(object)
    addRow(register, Row(ofSimple: element))
    runs[at(alone)].makeComplex(register)
    return (alone, register)
  }

  /// Units of a complex element as its register stands now.
  ///
  /// 0 if the register shows nothing.
  func width(ofRegister register: RegisterHandle) -> UInt32 {
    guard let row = winner(register) else { return 0 }
    if objects[registers[register].object].kind != .text { return 1 }
    return textWidth(
      action: rows[row].action,
      meta: rows[row].meta,
      value: rows[row].value
    )
  }

  /// Brings a complex element's width up to date.
  ///
  /// The difference may be negative: sums of 32 bits wrap to the same result.
  mutating func refreshWidth(_ place: RunPlace) {
    let fresh = width(ofRegister: runs[at(place)].register)
    addWidth(place, fresh &- widths[at(place)])
  }

  // MARK: Values

  /// A stored value.
  ///
  /// Counters give their start.
  ///
  /// The bytes were checked when they came in, or written here: nothing can be refused any more.
  func scalar(meta: ValueMeta, value: UInt32) -> Scalar {
    meta.scalar(of: values.view(from: Int(value), length: Int(meta.byteCount)))
  }

  /// Appends a scalar's bytes; returns metadata and offset.
  ///
  /// The caller takes the bytes back (`values.truncate`) if the edit makes no operation. Values
  /// without bytes have the offset 0, so that neighbours of them are alike.
  mutating func store(_ scalar: Scalar) throws(EditError) -> (meta: ValueMeta, value: UInt32) {
    let start = values.count
    let type: UInt32
    switch scalar {
    case .null: type = TypeCode.null
    case .bool(let truth): type = truth ? TypeCode.yes : TypeCode.no
    case .uint(let number):
      type = TypeCode.uint
      values.appendULEB(number)
    case .int(let number):
      type = TypeCode.int
      values.appendSLEB(number)
    case .double(let number):
      type = TypeCode.double
      for at in 0..<8 {
        values.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(at * 8)))
      }
    case .string(var text):
      type = TypeCode.string
      text.withUTF8 { utf8 in
        if let base = utf8.baseAddress {
          unsafe values.append(ByteView(base: base, count: utf8.count))
        }
      }
    case .bytes(let bytes):
      type = TypeCode.bytes
      values.append(bytes)
    case .counter(let number):
      type = TypeCode.counter
      values.appendSLEB(number)
    case .timestamp(let number):
      type = TypeCode.timestamp
      values.appendSLEB(number)
    case .unknown(let code, let bytes):
      guard (10...15).contains(code) else { throw .invalidScalar }
      type = UInt32(code)
      values.append(bytes)
    }
    let length = values.count - start
    if length > Limits.valueByteLimit || values.count > Limits.totalValueByteLimit {
      values.truncate(to: start)
      throw .limitExceeded(
        length > Limits.valueByteLimit ? .valueByteLimit : .totalValueByteLimit
      )
    }
    return (ValueMeta(type, byteCount: length), length == 0 ? 0 : UInt32(start))
  }
}
