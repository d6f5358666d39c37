/// How far a read looks: the greatest covered op counter of each actor, by actor number.
///
/// Source: Specification/Semantics.md, "History and clocks".
///
///     actor     0    1    2            operations 1...12 of actor 0 are covered, none of actor 1,
///     limit    12    0    9            and those up to 9 of actor 2
struct Clock {
  var limits: ContiguousArray<UInt32>

  /// The actor must be one that the document knew when the clock was made: later ones trap.
  @inline(__always)
  func covers(_ id: PackedID) -> Bool { id.counter <= limits[Int(id.actor)] }
}

/// Reading registers and sequences, now or at a clock.
///
/// One pass over the runs serves both: at a clock, a simple run's visible part is found by
/// clamping, without a look at its elements.
extension Core {
  // MARK: Registers

  /// Whether a row shows a value, now or at a clock.
  ///
  /// At a clock only covered successors count, and an increment hides no counter. Cost: the row's
  /// successors, each looked for among the rows if the row is a counter.
  ///
  ///      row          5@a, a counter       successors 8@b (an increment), 12@a (a put)
  ///      clock        a: 10, b: 9          covers 8@b alone: visible, and 8@b counts
  ///      clock        a: 12, b: 9          covers both: hidden
  func isVisible(_ row: RowHandle, in register: RegisterHandle, at clock: Clock?) -> Bool {
    guard let clock else { return rows[row].isVisible }
    guard rows[row].isValue, clock.covers(rows[row].id) else { return false }
    var visible = true
    let isCounter = rows[row].isCounter
    forEachSuccessor(row) { id in
      guard clock.covers(id) else { return }
      let byIncrement =
        isCounter
        && (findRow(register, id).map { rows[$0].action == .increment } ?? false)
      if !byIncrement { visible = false }
    }
    return visible
  }

  /// The visible row with the greatest id; `nil` if there is none.
  ///
  /// Cost: constant now; at a clock, all rows with their successors.
  func winner(_ register: RegisterHandle, at clock: Clock?) -> RowHandle? {
    if clock == nil { return winner(register) }
    var found: RowHandle?
    var scan = registers[register].first
    while !scan.isNone {
      if isVisible(scan, in: register, at: clock) { found = scan }
      scan = rows[scan].next
    }
    return found
  }

  /// A row as callers see it.
  ///
  /// The id is that of the operation which set the value: for an object its own, for a counter that
  /// of the put and not of an increment.
  func entry(_ row: RowHandle, in register: RegisterHandle, at clock: Clock?) -> Entry {
    var increments: [(id: PackedID, by: Int64)]?
    return entry(row, in: register, at: clock, &increments)
  }

  /// The same, for several rows of a register, whose increments are gathered once.
  private func entry(
    _ row: RowHandle,
    in register: RegisterHandle,
    at clock: Clock?,
    _ increments: inout [(id: PackedID, by: Int64)]?
  ) -> Entry {
    let record = rows[row]
    let id = publicID(record.id)
    if let kind = record.action.made {
      return Entry(value: .object(objectID(record.id, id), kind), id: id)
    }
    var value = scalar(meta: record.meta, value: record.value)
    if case .counter(let start) = value, record.successor != 0 {
      if clock == nil {
        let known = increments ?? self.increments(of: register)
        increments = known
        value = .counter(counterValue(row, known, start: start))
      } else {
        value = .counter(counterValue(row, in: register, start: start, at: clock))
      }
    }
    return Entry(value: .scalar(value), id: id)
  }

  /// The hint spares the next call a look-up by id; a hint that is wrong is noticed, since the id
  /// is compared.
  private func objectID(_ id: PackedID, _ known: OpID) -> ObjectID {
    ObjectID(counter: known.counter, actor: known.actor, hint: objectHandle(id) ?? .none)
  }

  /// A counter's value at a clock: its start and the covered increments that name it.
  ///
  /// Sums wrap, as in the real core.
  private func counterValue(
    _ row: RowHandle,
    in register: RegisterHandle,
    start: Int64,
    at clock: Clock?
  ) -> Int64 {
    var total = start
    forEachSuccessor(row) { id in
      guard clock?.covers(id) ?? true, let other = findRow(register, id),
        rows[other].action == .increment
      else { return }
      total &+= incrementAmount(rows[other])
    }
    return total
  }

  /// Visible entries of a register, ascending by id; the last is the winner.
  ///
  /// Cost: the visible rows now; at a clock, all rows.
  func entries(_ register: RegisterHandle, at clock: Clock?) -> [Entry] {
    var result: [Entry] = []
    if clock == nil {
      var increments: [(id: PackedID, by: Int64)]?
      forEachVisible(register) { row in
        result.append(entry(row, in: register, at: nil, &increments))
      }
      return result
    }
    var scan = registers[register].first
    while !scan.isNone {
      if isVisible(scan, in: register, at: clock) {
        result.append(entry(scan, in: register, at: clock))
      }
      scan = rows[scan].next
    }
    return result
  }

  /// Element `offset` of a simple run.
  func entry(_ run: ElementRun, _ offset: UInt32) -> Entry {
    let packed = run.id(of: offset)
    let id = publicID(packed)
    if let kind = run.action.made {
      return Entry(value: .object(objectID(packed, id), kind), id: id)
    }
    let value = scalar(meta: run.meta, value: run.value(of: offset))
    return Entry(value: .scalar(value), id: id)
  }

  // MARK: Maps

  /// The keys with a visible value, in byte order, each with its register.
  ///
  /// Cost: all keys that the object ever had, and sorting the visible ones.
  func visibleKeys(
    _ object: ObjectHandle,
    at clock: Clock?
  ) -> [(key: KeyHandle, register: RegisterHandle)] {
    var result: [(key: KeyHandle, register: RegisterHandle)] = []
    var scan = objects[object].firstRegister
    while !scan.isNone {
      if winner(scan, at: clock) != nil { result.append((registers[scan].key, scan)) }
      scan = registers[scan].next
    }
    result.sort { keys.view($0.key).precedes(keys.view($1.key)) }
    return result
  }

  // MARK: Sequences

  /// A stretch of visible elements.
  ///
  /// Elements of one stretch have one width and one size, so that positions within it are a
  /// division.
  enum Stretch {
    /// Elements `from..<to` of a simple run.
    case simple(ElementRun, from: UInt32, to: UInt32)
    /// One complex element, by its register and winning row.
    case complex(ElementRun, register: RegisterHandle, winner: RowHandle)
  }

  /// Calls `body` with every visible stretch in list order, until it returns false.
  ///
  /// A stretch never spans two runs, even if they show what could be one.
  ///
  ///     runs       [abc]           [--]    [x: register 7]      (mark)
  ///     now        simple 0..<3    none    complex, winner y    none: a mark is never a value
  ///
  /// Cost: a step for each run, and at a clock for each row of complex elements.
  @inline(__always)
  func forEachStretch(
    _ object: ObjectHandle,
    at clock: Clock?,
    _ body: (Stretch) -> Bool
  ) {
    var leaf = objects[object].firstLeaf
    while !leaf.isNone {
      for slot in slots(of: leaf) {
        let run = runs[at(leaf, slot)]
        if run.isComplex {
          if let winner = winner(run.register, at: clock) {
            if !body(.complex(run, register: run.register, winner: winner)) { return }
          }
          continue
        }
        guard let clock else {
          if !run.isHidden && !body(.simple(run, from: 0, to: run.count)) { return }
          continue
        }
        let part = visiblePart(run, clock)
        if part.from < part.to && !body(.simple(run, from: part.from, to: part.to)) { return }
      }
      leaf = leaves[leaf].next
    }
  }

  /// The elements of a simple run which are visible at a clock, or now.
  ///
  /// Never a hole in the middle: ids rise, so what is covered is a beginning. Of deletions that
  /// rise what is hidden is a beginning, too, and of deletions that fall an end:
  ///
  ///     ids          7   8   9   10   11         clock covers ids up to 10, deletions up to 21
  ///     ascending    20  21  22  23   24         shows 9, 10:     from 2 to 4
  ///     descending   24  23  22  21   20         shows 7, 8, 9:   from 0 to 3
  func visiblePart(_ run: ElementRun, _ clock: Clock?) -> (from: UInt32, to: UInt32) {
    guard let clock else { return (0, run.isHidden ? 0 : run.count) }
    return visiblePart(run, clock)
  }

  private func visiblePart(_ run: ElementRun, _ clock: Clock) -> (from: UInt32, to: UInt32) {
    let limit = clock.limits[Int(run.actor)]
    guard limit >= run.counter else { return (0, 0) }
    let covered = min(run.count, limit &- run.counter &+ 1)
    guard run.isHidden else { return (0, covered) }
    let hiding = clock.limits[Int(run.successorActor)]
    if run.isDescending {
      let visible = run.successor > hiding ? run.successor &- hiding : 0
      return (0, min(covered, visible))
    }
    guard hiding >= run.successor else { return (0, covered) }
    return (min(hiding &- run.successor &+ 1, covered), covered)
  }

  /// Units of a stretch.
  func width(_ stretch: Stretch, in object: ObjectHandle) -> UInt32 {
    switch stretch {
    case .simple(let run, let from, let to): unitWidth(run, in: object) &* (to &- from)
    case .complex(_, _, let row): width(ofRow: row, in: object)
    }
  }

  private func width(ofRow row: RowHandle, in object: ObjectHandle) -> UInt32 {
    if objects[object].kind != .text { return 1 }
    return textWidth(
      action: rows[row].action,
      meta: rows[row].meta,
      value: rows[row].value
    )
  }

  /// Visible keys, elements or units.
  ///
  /// Cost: constant for a sequence now; otherwise all keys that the map ever had, or all runs.
  func length(_ object: ObjectHandle, at clock: Clock?) -> Int {
    if !objects[object].kind.isSequence {
      var count = 0
      var scan = objects[object].firstRegister
      while !scan.isNone {
        if winner(scan, at: clock) != nil { count += 1 }
        scan = registers[scan].next
      }
      return count
    }
    if clock == nil { return Int(objects[object].length) }
    var total = 0
    forEachStretch(object, at: clock) {
      total += Int(width($0, in: object))
      return true
    }
    return total
  }

  /// The visible element which holds a unit index at a clock.
  ///
  /// Cost: linear in the runs before it; only reads in the past come here.
  func stretch(_ object: ObjectHandle, holding index: Int, at clock: Clock?) -> (Stretch, UInt32)? {
    var before = 0
    var found: (Stretch, UInt32)?
    forEachStretch(object, at: clock) { stretch in
      let width = Int(width(stretch, in: object))
      guard index < before + width else {
        before += width
        return true
      }
      if case .simple(_, let from, let to) = stretch {
        let unitWidth = width / Int(to &- from)
        found = (stretch, from &+ UInt32((index - before) / unitWidth))
      } else {
        found = (stretch, 0)
      }
      return false
    }
    return found
  }

  /// Winner and all visible entries at a place.
  ///
  /// Without `all` there is one entry at most, the winner; with it they ascend by id.
  mutating func entries(
    _ object: ObjectHandle,
    _ prop: Prop,
    at clock: Clock?,
    all: Bool
  ) throws(EditError) -> [Entry] {
    let kind = objects[object].kind
    switch prop {
    case .key(var text):
      guard !kind.isSequence else { throw .invalidOperation(kind: kind) }
      let key = text.withUTF8 { utf8 -> KeyHandle? in
        guard let base = utf8.baseAddress else {
          return keys.find(values.view(from: 0, length: 0))
        }
        return unsafe keys.find(ByteView(base: base, count: utf8.count))
      }
      guard let key, let register = register(object, key) else { return [] }
      if all { return entries(register, at: clock) }
      guard let row = winner(register, at: clock) else { return [] }
      return [entry(row, in: register, at: clock)]
    case .index(let index):
      guard kind.isSequence else { throw .invalidOperation(kind: kind) }
      guard index >= 0, let (stretch, offset) = element(object, index, at: clock) else {
        return []
      }
      switch stretch {
      case .simple(let run, _, _): return [entry(run, offset)]
      case .complex(_, let register, let row):
        return all ? entries(register, at: clock) : [entry(row, in: register, at: clock)]
      }
    }
  }

  /// The visible element which holds a unit index, with its place in the stretch; `nil` past the end.
  ///
  /// Mutating for the cursor, which remembers the place. An element without width holds no unit,
  /// and is never found.
  mutating func element(
    _ object: ObjectHandle,
    _ index: Int,
    at clock: Clock?
  ) -> (Stretch, UInt32)? {
    if clock != nil { return stretch(object, holding: index, at: clock) }
    guard index < Int(objects[object].length) else { return nil }
    let place = locate(object, UInt32(index))
    let run = runs[at(place.run)]
    if run.isComplex {
      guard let row = winner(run.register) else { return nil }
      return (.complex(run, register: run.register, winner: row), 0)
    }
    let unitWidth = run.unitWidth(in: widths[at(place.run)])
    return (
      .simple(run, from: 0, to: run.count),
      unitWidth.elements(in: UInt32(index) &- place.start)
    )
  }

  // MARK: Text

  /// The strings of the visible elements, joined; anything else reads as U+FFFC.
  ///
  /// Three ways: one pass where each unit is one byte, and otherwise one pass that counts bytes and
  /// one that copies, now or at a clock.
  func text(_ object: ObjectHandle, at clock: Clock?) -> String {
    if clock == nil, let text = narrowText(object) { return text }
    var size = 0
    if clock == nil {
      size = textByteCount(object)
    } else {
      forEachStretch(object, at: clock) { stretch in
        size += byteCount(stretch)
        return true
      }
    }
    return unsafe String(unsafeUninitializedCapacity: size) { buffer in
      var at = 0
      if clock == nil {
        unsafe copyText(object, into: buffer, &at)
      } else {
        forEachStretch(object, at: clock) { stretch in
          unsafe copy(stretch, into: buffer, &at)
          return true
        }
      }
      precondition(at == size)
      return at
    }
  }

  /// The text now, in one pass, if it has a byte for each unit; `nil` if it has more.
  ///
  /// The text's length in units is known without a look at the runs; if the bytes turn out to be as
  /// many, none of them had more than one.
  private func narrowText(_ object: ObjectHandle) -> String? {
    let size = Int(objects[object].length)
    var isNarrow = true
    // Room behind the end, so that short runs are copied without counting their bytes.
    let text = unsafe String(unsafeUninitializedCapacity: size + Self.wordRoom) { buffer in
      let written = unsafe copyNarrow(object, into: buffer, size)
      isNarrow = written == size
      return isNarrow ? size : 0
    }
    return isNarrow ? text : nil
  }

  /// Bytes that `copyNarrow` may touch behind a run's end.
  private static let wordRoom = 16

  /// Copies the text's bytes as long as they fit `size`; gives how many there are, or -1.
  ///
  /// Stops at the first thing that is no plain string: then the caller takes the long way from the
  /// start. What it has written by then is thrown away.
  private func copyNarrow(
    _ object: ObjectHandle,
    into buffer: UnsafeMutableBufferPointer<UInt8>,
    _ size: Int
  ) -> Int {
    guard let base = buffer.baseAddress, buffer.count >= size + Self.wordRoom else { return -1 }
    var at = 0
    var leaf = objects[object].firstLeaf
    while !leaf.isNone {
      let record = leaves[leaf]
      let start = self.at(leaf, 0)
      for place in start..<start + Int(record.count) {
        let run = runs[place]
        if widths[place] == 0 {
          if run.isComplex && !run.isMark { return -1 }
          continue
        }
        let isText = run.flags.isDisjoint(with: [.complex, .hidden])
        guard isText, isString(run.action, run.meta) else { return -1 }
        let length = Int(run.byteCount) * Int(run.count)
        if length > size - at { return -1 }
        if length <= Self.wordRoom && Int(run.value) + Self.wordRoom <= values.count {
          // Two words, whatever the length: the next run covers what is too much.
          let source = values.view(from: Int(run.value), length: Self.wordRoom)
          unsafe UnsafeMutableRawPointer(base + at).copyMemory(
            from: source.base,
            byteCount: Self.wordRoom
          )
        } else {
          let source = values.view(from: Int(run.value), length: length)
          unsafe (base + at).update(from: source.base, count: length)
        }
        at += length
      }
      leaf = record.next
    }
    return at
  }

  /// Bytes of a sequence's text now.
  private func textByteCount(_ object: ObjectHandle) -> Int {
    var size = 0
    var leaf = objects[object].firstLeaf
    while !leaf.isNone {
      let start = at(leaf, 0)
      for place in start..<start + Int(leaves[leaf].count) {
        if widths[place] == 0 && !runs[place].isComplex { continue }
        let run = runs[place]
        if run.isComplex {
          if let row = winner(run.register) {
            size += byteCount(.complex(run, register: run.register, winner: row))
          }
        } else if !run.isHidden {
          size += byteCount(.simple(run, from: 0, to: run.count))
        }
      }
      leaf = leaves[leaf].next
    }
    return size
  }

  /// Copies a sequence's text as it is now.
  ///
  /// Must pass over the same runs as ``textByteCount(_:)``: the caller's `precondition` holds both
  /// to it.
  private func copyText(
    _ object: ObjectHandle,
    into buffer: UnsafeMutableBufferPointer<UInt8>,
    _ at: inout Int
  ) {
    var leaf = objects[object].firstLeaf
    while !leaf.isNone {
      let start = self.at(leaf, 0)
      for place in start..<start + Int(leaves[leaf].count) {
        if widths[place] == 0 && !runs[place].isComplex { continue }
        let run = runs[place]
        if run.isComplex {
          if let row = winner(run.register) {
            unsafe copy(
              .complex(run, register: run.register, winner: row),
              into: buffer,
              &at
            )
          }
        } else if !run.isHidden {
          unsafe copy(.simple(run, from: 0, to: run.count), into: buffer, &at)
        }
      }
      leaf = leaves[leaf].next
    }
  }

  /// What is no string reads as U+FFFC, three bytes.
  @inline(__always)
  private func byteCount(_ stretch: Stretch) -> Int {
    switch stretch {
    case .simple(let run, let from, let to):
      isString(run.action, run.meta)
        ? Int(run.byteCount) * Int(to &- from) : 3 * Int(to &- from)
    case .complex(_, _, let row):
      isString(rows[row].action, rows[row].meta) ? Int(rows[row].meta.byteCount) : 3
    }
  }

  @inline(__always)
  private func isString(_ action: Action, _ meta: ValueMeta) -> Bool {
    action == .set && meta.type == TypeCode.string
  }

  /// Copies a stretch's bytes, and moves `at` behind them.
  @inline(__always)
  private func copy(
    _ stretch: Stretch,
    into buffer: UnsafeMutableBufferPointer<UInt8>,
    _ at: inout Int
  ) {
    let source: ByteView
    switch stretch {
    case .simple(let run, let from, let to):
      guard isString(run.action, run.meta) else {
        for _ in from..<to { unsafe copyReplacement(into: buffer, &at) }
        return
      }
      source = values.view(
        from: Int(run.value) + Int(from) * Int(run.byteCount),
        length: Int(run.byteCount) * Int(to &- from)
      )
    case .complex(_, _, let row):
      guard isString(rows[row].action, rows[row].meta) else {
        return unsafe copyReplacement(into: buffer, &at)
      }
      source = values.view(from: Int(rows[row].value), length: Int(rows[row].meta.byteCount))
    }
    // Both ends are known to be inside: `size` was summed over the same stretches.
    precondition(at + source.count <= buffer.count)
    if let base = buffer.baseAddress {
      unsafe (base + at).update(from: source.base, count: source.count)
    }
    at += source.count
  }

  /// U+FFFC in UTF-8: ef bf bc.
  private func copyReplacement(
    into buffer: UnsafeMutableBufferPointer<UInt8>,
    _ at: inout Int
  ) {
    unsafe buffer[at] = 0xEF
    unsafe buffer[at + 1] = 0xBF
    unsafe buffer[at + 2] = 0xBC
    at += 3
  }
}
