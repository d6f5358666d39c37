/// Registers: the rows of a map key, or of a list element with a history.
extension Core {
  // MARK: Map registers

  /// The register of a key; nil if nothing ever named it.
  @inline(__always)
  func register(_ object: UInt32, _ key: UInt32) -> UInt32? {
    let found = registerNumbers.find(UInt64(object) << 32 | UInt64(key))
    return found == .max ? nil : found
  }

  /// The register of a key, made if there is none.
  mutating func makeRegister(_ object: UInt32, _ key: UInt32) -> UInt32 {
    if let known = register(object, key) { return known }
    let number = UInt32(registers.count)
    registers.append(
      Register(object: object, key: key, next: objects[object].firstRegister)
    )
    objects[object].firstRegister = number
    registerNumbers.set(UInt64(object) << 32 | UInt64(key), number)
    return number
  }

  // MARK: Rows

  /// The register's last row whose id is not above `id`; `.max` if all are.
  ///
  /// Looks from where the last row was entered: whoever brings many rows brings them in order.
  private func rowNotAbove(_ register: UInt32, _ id: PackedID) -> UInt32 {
    let record = registers[register]
    if record.last == .max || !precedes(id, rows[record.last].id) { return record.last }
    var at = record.near == .max ? record.last : record.near
    while at != .max && precedes(id, rows[at].id) {
      at = rows[at].previous
      meter.add(1)
    }
    if at == .max { return at }
    // The last row is above the id, so that there always is a next one.
    while !precedes(id, rows[rows[at].next].id) {
      at = rows[at].next
      meter.add(1)
    }
    return at
  }

  /// Enters a row at its place by id.
  mutating func addRow(_ register: UInt32, _ row: Row) {
    let number = UInt32(rows.count)
    let last = registers[register].last
    let before =
      last == .max || precedes(rows[last].id, row.id) ? last : rowNotAbove(register, row.id)
    rows.append(row)
    rows[number].previous = before
    let next = before == .max ? registers[register].first : rows[before].next
    rows[number].next = next
    if before == .max { registers[register].first = number } else { rows[before].next = number }
    if next == .max {
      registers[register].last = number
    } else {
      rows[next].previous = number
      registers[register].near = number
    }
    if row.isVisible { show(number, in: register) }
  }

  /// The row of an id in a register.
  func findRow(_ register: UInt32, _ id: PackedID) -> UInt32? {
    let record = registers[register]
    // What is named is most often the newest row, the counter behind all increments, or the first.
    if record.last != .max && rows[record.last].id == id { return record.last }
    if record.bottom != .max && rows[record.bottom].id == id { return record.bottom }
    if record.first != .max && rows[record.first].id == id { return record.first }
    let row = rowNotAbove(register, id)
    return row != .max && rows[row].id == id ? row : nil
  }

  /// Unlinks a row which was added last of all that are left.
  ///
  /// Cost: that of adding it.
  mutating func removeRow(_ register: UInt32, _ id: PackedID) {
    guard let row = findRow(register, id) else {
      preconditionFailure("undoing a row that is not there")
    }
    let (before, next) = (rows[row].previous, rows[row].next)
    if rows[row].isVisible { conceal(row, in: register) }
    if before == .max { registers[register].first = next } else { rows[before].next = next }
    if next == .max {
      registers[register].last = before
    } else {
      rows[next].previous = before
    }
    if registers[register].near == row { registers[register].near = before }
  }

  // MARK: The visible rows

  /// Enters a row among the visible ones.
  ///
  /// Cost: one step for each visible row above it; rows mostly arrive above all others.
  private mutating func show(_ row: UInt32, in register: UInt32) {
    let id = rows[row].id
    var above: UInt32 = .max
    var below = registers[register].top
    while below != .max && precedes(id, rows[below].id) {
      above = below
      below = rows[below].below
      meter.add(1)
    }
    rows[row].above = above
    rows[row].below = below
    if above == .max { registers[register].top = row } else { rows[above].below = row }
    if below == .max { registers[register].bottom = row } else { rows[below].above = row }
  }

  /// Takes a row out of the visible ones.
  private mutating func conceal(_ row: UInt32, in register: UInt32) {
    let (above, below) = (rows[row].above, rows[row].below)
    if above == .max { registers[register].top = below } else { rows[above].below = below }
    if below == .max { registers[register].bottom = above } else { rows[below].above = above }
    rows[row].above = .max
    rows[row].below = .max
  }

  // MARK: Successors

  /// Notes that `id` overwrites a row; `false` if it was noted before.
  @discardableResult
  mutating func addSuccessor(
    _ row: UInt32,
    _ id: PackedID,
    byIncrement: Bool,
    in register: UInt32
  ) -> Bool {
    let hides = !(byIncrement && rows[row].isCounter)
    let wasHidden = rows[row].flags & Row.Flag.hidden != 0
    if hides {
      if rows[row].isVisible { conceal(row, in: register) }
      rows[row].flags |= Row.Flag.hidden
    }
    if rows[row].successor == 0 {
      rows[row].successor = id.counter
      rows[row].successorActor = id.actor
      return true
    }
    let first = PackedID(rows[row].successor, rows[row].successorActor)
    if first == id { return false }
    if rows[row].more == .max {
      rows[row].more = UInt32(chains.count)
      chains.append(SuccessorChain(hiders: wasHidden ? 1 : 0))
    }
    if precedes(id, first) {
      rows[row].successor = id.counter
      rows[row].successorActor = id.actor
      chain(rows[row].more, first)
    } else if !chain(rows[row].more, id) {
      return false
    }
    if hides { chains[rows[row].more].hiders += 1 }
    return true
  }

  /// Enters a further successor at its place.
  @discardableResult
  private mutating func chain(_ number: UInt32, _ id: PackedID) -> Bool {
    let node = UInt32(chainNodes.count)
    let last = chains[number].last
    if last == .max || precedes(chainNodes[last].id, id) {
      chainNodes.append(SuccessorNode(id: id, previous: last))
      if last == .max { chains[number].first = node } else { chainNodes[last].next = node }
      chains[number].last = node
      return true
    }
    // As for rows: what comes next likely belongs near what came last.
    var before = chains[number].near == .max ? last : chains[number].near
    while before != .max && precedes(id, chainNodes[before].id) {
      before = chainNodes[before].previous
      meter.add(1)
    }
    var scan = before == .max ? chains[number].first : chainNodes[before].next
    while before != .max && scan != .max && !precedes(id, chainNodes[scan].id) {
      before = scan
      scan = chainNodes[scan].next
      meter.add(1)
    }
    if before != .max && chainNodes[before].id == id { return false }
    chainNodes.append(SuccessorNode(id: id, next: scan, previous: before))
    if scan == .max { chains[number].last = node } else { chainNodes[scan].previous = node }
    if before == .max { chains[number].first = node } else { chainNodes[before].next = node }
    chains[number].near = node
    return true
  }

  /// Forgets a successor, the one that was added last of all that are left.
  ///
  /// Cost: that of adding it.
  mutating func removeSuccessor(
    _ row: UInt32,
    _ id: PackedID,
    byIncrement: Bool,
    in register: UInt32
  ) {
    let isFirst = PackedID(rows[row].successor, rows[row].successorActor) == id
    let number = rows[row].more
    if number == .max || chains[number].first == .max {
      precondition(isFirst, "forgetting a successor that is not there")
      rows[row].successor = 0
      rows[row].successorActor = 0
      rows[row].more = .max
      unhide(row, in: register)
      return
    }
    if isFirst {
      let second = chainNodes[chains[number].first].id
      rows[row].successor = second.counter
      rows[row].successorActor = second.actor
      unchain(number, second)
    } else {
      unchain(number, id)
    }
    if !(byIncrement && rows[row].isCounter) { chains[number].hiders -= 1 }
    if chains[number].hiders == 0 { unhide(row, in: register) }
  }

  /// Shows a row again that nothing hides any more.
  private mutating func unhide(_ row: UInt32, in register: UInt32) {
    guard rows[row].flags & Row.Flag.hidden != 0 else { return }
    rows[row].flags &= ~Row.Flag.hidden
    if rows[row].isVisible { show(row, in: register) }
  }

  /// Takes a successor out of its chain.
  private mutating func unchain(_ number: UInt32, _ id: PackedID) {
    var node = chains[number].last
    if chainNodes[node].id != id {
      node = chains[number].first
      while node != .max && chainNodes[node].id != id { node = chainNodes[node].next }
    }
    precondition(node != .max, "forgetting a successor that is not there")
    let (before, next) = (chainNodes[node].previous, chainNodes[node].next)
    if before == .max { chains[number].first = next } else { chainNodes[before].next = next }
    if next == .max { chains[number].last = before } else { chainNodes[next].previous = before }
    if chains[number].near == node { chains[number].near = before }
  }

  /// Calls `body` with each successor, ascending.
  @inline(__always)
  func forEachSuccessor(_ row: UInt32, _ body: (PackedID) -> Void) {
    if rows[row].successor == 0 { return }
    body(PackedID(rows[row].successor, rows[row].successorActor))
    if rows[row].more == .max { return }
    var scan = chains[rows[row].more].first
    while scan != .max {
      body(chainNodes[scan].id)
      scan = chainNodes[scan].next
    }
  }

  /// Shows again the counters of a register which increments alone have overwritten.
  mutating func reveal(_ register: UInt32) {
    registers[register].top = .max
    registers[register].bottom = .max
    // Ascending, so that a binary search decides for each successor.
    var increments: [PackedID] = []
    var row = registers[register].first
    while row != .max {
      if rows[row].action == Action.increment { increments.append(rows[row].id) }
      row = rows[row].next
    }
    row = registers[register].first
    while row != .max {
      if rows[row].isCounter && rows[row].flags & Row.Flag.hidden != 0 {
        var hiders: UInt32 = 0
        forEachSuccessor(row) { id in
          var (low, high) = (0, increments.count)
          while low < high {
            let middle = (low + high) / 2
            if precedes(increments[middle], id) { low = middle + 1 } else { high = middle }
          }
          if low == increments.count || increments[low] != id { hiders += 1 }
        }
        if hiders == 0 { rows[row].flags &= ~Row.Flag.hidden }
        if rows[row].more != .max { chains[rows[row].more].hiders = hiders }
      }
      // Each is above those before.
      if rows[row].isVisible { show(row, in: register) }
      row = rows[row].next
    }
  }

  // MARK: Visible values

  /// The winner: the visible row with the greatest id.
  @inline(__always)
  func winner(_ register: UInt32) -> UInt32? {
    let top = registers[register].top
    return top == .max ? nil : top
  }

  /// The only visible row; nil if there are several, or none.
  @inline(__always)
  func soleRow(_ register: UInt32) -> UInt32? {
    let top = registers[register].top
    return top == .max || rows[top].below != .max ? nil : top
  }

  /// Calls `body` with each visible row, ascending.
  @inline(__always)
  func forEachVisible(_ register: UInt32, _ body: (UInt32) -> Void) {
    var scan = registers[register].bottom
    while scan != .max {
      body(scan)
      scan = rows[scan].above
    }
  }

  /// A counter's value: its start and all increments that name it.
  func counterValue(_ row: UInt32, in register: UInt32, start: Int64) -> Int64 {
    guard rows[row].successor != 0 else { return start }
    var total = start
    var scan = registers[register].first
    var increments: [(id: PackedID, by: Int64)] = []
    while scan != .max {
      if rows[scan].action == Action.increment {
        increments.append((rows[scan].id, incrementAmount(rows[scan])))
      }
      scan = rows[scan].next
    }
    // Both lists ascend: one walk over both.
    var at = 0
    forEachSuccessor(row) { id in
      while at < increments.count && precedes(increments[at].id, id) { at += 1 }
      if at < increments.count && increments[at].id == id { total &+= increments[at].by }
    }
    return total
  }

  /// What an increment adds.
  func incrementAmount(_ row: Row) -> Int64 {
    switch scalar(meta: row.meta, value: row.value) {
    case .int(let amount): amount
    case .uint(let amount): Int64(bitPattern: amount)
    default: 0
    }
  }

  // MARK: Complex elements

  /// Makes an element complex, if it is not; returns its place and register.
  mutating func makeComplex(
    _ leaf: UInt32,
    _ slot: Int,
    _ id: PackedID
  ) -> (leaf: UInt32, slot: Int, register: UInt32) {
    let run = runs[at(leaf, slot)]
    if run.isComplex { return (leaf, slot, run.successor) }
    let object = leaves[leaf].object
    objects[object].cursor.leaf = .max
    let alone = isolate(leaf, slot, offset: id.counter &- run.counter, count: 1)
    let element = runs[at(alone.leaf, alone.slot)]
    let register = UInt32(registers.count)
    registers.append(Register(object: object, key: .max))
    var row = Row(
      counter: element.counter,
      meta: element.meta,
      value: element.value,
      actor: element.actor,
      action: element.action
    )
    if element.isHidden {
      row.successor = element.successor
      row.successorActor = element.successorActor
      row.flags = Row.Flag.hidden
    }
    addRow(register, row)
    runs[at(alone.leaf, alone.slot)].flags =
      element.flags & ~ElementRun.Flag.hidden | ElementRun.Flag.complex
    runs[at(alone.leaf, alone.slot)].successor = register
    return (alone.leaf, alone.slot, register)
  }

  /// Units of a complex element as its register stands now.
  func width(ofRegister register: UInt32) -> UInt32 {
    guard let row = winner(register) else { return 0 }
    if objects[registers[register].object].kind != .text { return 1 }
    return textWidth(
      action: rows[row].action,
      meta: rows[row].meta,
      value: rows[row].value
    )
  }

  /// Brings a complex element's width up to date.
  mutating func refreshWidth(_ leaf: UInt32, _ slot: Int) {
    let place = at(leaf, slot)
    let fresh = width(ofRegister: runs[place].successor)
    addWidth(leaf, slot, fresh &- widths[place])
  }

  // MARK: Values

  /// A stored value.
  ///
  /// Counters give their start.
  func scalar(meta: UInt32, value: UInt32) -> Scalar {
    let view = values.view(from: Int(value), length: Int(meta >> 4))
    switch meta & 15 {
    case TypeCode.null: return .null
    case TypeCode.no: return .bool(false)
    case TypeCode.yes: return .bool(true)
    case TypeCode.uint: return .uint(storedULEB(view))
    case TypeCode.int: return .int(storedSLEB(view))
    case TypeCode.double:
      var bits: UInt64 = 0
      for at in 0..<8 { bits |= UInt64(view[at]) << UInt64(at * 8) }
      return .double(Double(bitPattern: bits))
    case TypeCode.string: return .string(view.string)
    case TypeCode.bytes: return .bytes(view.array)
    case TypeCode.counter: return .counter(storedSLEB(view))
    case TypeCode.timestamp: return .timestamp(storedSLEB(view))
    default: return .unknown(code: UInt8(meta & 15), bytes: view.array)
    }
  }

  /// A number that was checked when it came in.
  func storedULEB(_ view: ByteView) -> UInt64 {
    var value: UInt64 = 0
    for at in 0..<view.count { value |= UInt64(view[at] & 0x7F) << UInt64(at * 7) }
    return value
  }

  func storedSLEB(_ view: ByteView) -> Int64 {
    var value: UInt64 = 0
    for at in 0..<view.count { value |= UInt64(view[at] & 0x7F) << UInt64(at * 7) }
    let bits = UInt64(view.count * 7)
    if bits < 64 && view.count > 0 && view[view.count - 1] & 0x40 != 0 {
      value |= UInt64.max << bits
    }
    return Int64(bitPattern: value)
  }

  /// Appends a scalar's bytes; returns metadata and offset.
  mutating func store(_ scalar: Scalar) throws(EditError) -> (meta: UInt32, value: UInt32) {
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
      throw .limitExceeded("valueByteLimit")
    }
    return (UInt32(length) << 4 | type, length == 0 ? 0 : UInt32(start))
  }
}
