/// Making and reading marks.
extension Core {
  // MARK: Making

  /// Marks the units `range` of a sequence with a name and a value; null takes the name away.
  ///
  /// Two operations, a begin and an end, with neighbouring counters. Without units, and where nothing
  /// typed there would become part of it, a mark makes none.
  ///
  /// Source: Specification/Semantics.md, "Marks".
  ///
  ///     [hello]    bold over 1..<4    ->    [h] (begin 6@a bold) [ell] (end 7@a) [o]
  ///     widths     5                        1    0                3     0         1
  ///
  /// An end names its begin by its counter alone, which is one less, so that nothing may come
  /// between the two numbers: both are asked for at once.
  ///
  /// - Throws: `invalidOperation` for a map, `indexOutOfBounds`, a limit; no operation is made.
  mutating func mark(
    _ object: ObjectHandle,
    _ range: Range<Int>,
    expand expansion: MarkExpansion,
    name: String,
    value scalar: Scalar
  ) throws(EditError) {
    let record = objects[object]
    guard record.kind.isSequence else { throw .invalidOperation(kind: record.kind) }
    let length = Int(record.length)
    guard range.lowerBound >= 0, range.lowerBound <= length else {
      throw .indexOutOfBounds(index: range.lowerBound, length: length)
    }
    guard range.upperBound <= length else {
      throw .indexOutOfBounds(index: range.upperBound, length: length)
    }
    if range.isEmpty && expansion == .none { return }
    _ = try nextOp(2)
    guard emptyElementCount + 2 <= limits.emptyElementLimit else {
      throw .limitExceeded(.emptyElementLimit)
    }
    var name = name
    guard let key = internKey(&name) else { throw .limitExceeded(.totalValueByteLimit) }
    let before = values.count
    let stored = try store(scalar)
    let start: Gap
    do { start = try gap(object, at: range.lowerBound) } catch {
      values.truncate(to: before)
      throw error
    }
    let begin = try insertMark(
      object,
      after: start,
      name: key,
      stored,
      expands: expansion.atStart
    )
    var end = try gap(object, at: range.upperBound)
    if end.reference == start.reference {
      // Nothing lies between: behind the same element the end, being newer, would come first.
      guard let place = find(begin, in: object) else {
        preconditionFailure("a mark that was just made is not there")
      }
      end = Gap(place: ElementPlace(place), reference: begin, start: end.start)
    }
    _ = try insertMark(
      object,
      after: end,
      name: .none,
      (meta: .null, value: 0),
      expands: expansion.atEnd
    )
  }

  /// An element like any other, but complex from the start and without units.
  private mutating func insertMark(
    _ object: ObjectHandle,
    after gap: Gap,
    name: KeyHandle,
    _ stored: (meta: ValueMeta, value: UInt32),
    expands: Bool
  ) throws(EditError) -> PackedID {
    let op = try nextOp()
    let record = objects[object]
    let run = OpRun(
      objectCounter: record.counter,
      objectActor: record.actor,
      actor: op.actor,
      counter: op.counter,
      key: .none,
      elementCounter: gap.reference.counter,
      elementActor: gap.reference.actor,
      action: .mark,
      flags: expands ? [.insert, .expand] : .insert,
      meta: stored.meta,
      value: stored.value,
      name: name
    )
    objects[object].cursor = .none
    if run.byteCount == 0 { emptyElementCount += 1 }
    place(run, object, after: gap.place)
    log(run)
    return op
  }

  // MARK: Reading

  /// The marks of a sequence, by name and then by start.
  ///
  /// For each name the longest stretches of units with equal values. Null values are left out.
  /// Elements without width do not end a stretch.
  func marks(_ object: ObjectHandle, at clock: Clock?) -> [Mark] {
    if objects[object].marks == 0 { return [] }
    let places = actorPlaces()
    var open = OpenMarks()
    var collector = MarkCollector()
    var position = 0
    forEachPiece(object, at: clock) { piece in
      switch piece {
      case .mark(let row):
        open.pass(rows[row], rank: places[Int(rows[row].actor)])
      case .visible(let stretch):
        let width = Int(width(stretch, in: object))
        if width == 0 { return }
        for name in open.takeChanged() {
          let value = open.value(of: name).map { scalar(meta: $0.meta, value: $0.value) }
          collector.set(name, to: value == .null ? nil : value, at: position)
        }
        collector.pass(position..<position + width, elementCount: Int(count(of: stretch)))
        position += width
      }
    }
    return collector.finish(at: position).sorted { left, right in
      if left.name == right.name { return left.range.lowerBound < right.range.lowerBound }
      return keys.view(left.name).precedes(keys.view(right.name))
    }.map { Mark(range: $0.range, name: keys.string($0.name), value: $0.value) }
  }

  /// What a walk along a sequence meets.
  private enum Piece {
    /// A mark operation, by its row.
    case mark(RowHandle)
    case visible(Stretch)
  }

  /// Calls `body` with every mark operation and every visible stretch, in the order of the sequence.
  ///
  /// Marks are given whether their name is taken away or not; begins and ends at a clock as far as
  /// it covers them. Cost: a step for each run.
  private func forEachPiece(_ object: ObjectHandle, at clock: Clock?, _ body: (Piece) -> Void) {
    var leaf = objects[object].firstLeaf
    while !leaf.isNone {
      for slot in slots(of: leaf) {
        let run = runs[at(leaf, slot)]
        if run.isMark {
          if clock?.covers(run.first) ?? true { body(.mark(registers[run.register].first)) }
        } else if run.isComplex {
          if let winner = winner(run.register, at: clock) {
            body(.visible(.complex(run, register: run.register, winner: winner)))
          }
        } else {
          let part = visiblePart(run, clock)
          if part.from < part.to { body(.visible(.simple(run, from: part.from, to: part.to))) }
        }
      }
      leaf = leaves[leaf].next
    }
  }

  /// For each actor by its number, its place in the order of all.
  ///
  /// Cost: n log n comparisons for n actors; a walk takes it once.
  func actorPlaces() -> [UInt16] {
    let order = (0..<UInt16(clamping: actors.ranks.count))
      .sorted { actors.ranks.precedes($0, $1) }
    var places = [UInt16](repeating: 0, count: order.count)
    for (place, actor) in order.enumerated() { places[Int(actor)] = UInt16(place) }
    return places
  }

  private func count(of stretch: Stretch) -> UInt32 {
    if case .simple(_, let from, let to) = stretch { to &- from } else { 1 }
  }
}

/// Gathers the stretches over which the values of marks stay equal.
///
///     position   0    2         5    7
///     bold       -    true      true  nil         set at 2, set again at 5 to an equal value: no new
///     found                           2..<7       stretch; ends at 7
private struct MarkCollector {
  typealias Found = (name: KeyHandle, range: Range<Int>, value: Scalar)

  private var stretches: [KeyHandle: (start: Int, value: Scalar)] = [:]
  /// Names whose value equals nothing, itself included (not a number): one stretch for each element.
  private var scattered: [KeyHandle: Scalar] = [:]
  private var found: [Found] = []

  /// From `position` on a name has a value, or none.
  mutating func set(_ name: KeyHandle, to value: Scalar?, at position: Int) {
    if let value, let open = stretches[name], open.value.isEqual(to: value) { return }
    scattered[name] = nil
    end(name, at: position)
    guard let value else { return }
    if value == value { stretches[name] = (position, value) } else { scattered[name] = value }
  }

  /// Elements of equal width are passed.
  mutating func pass(_ range: Range<Int>, elementCount: Int) {
    let width = range.count / elementCount
    for (name, value) in scattered {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: width) {
        found.append((name, start..<start + width, value))
      }
    }
  }

  private mutating func end(_ name: KeyHandle, at position: Int) {
    guard let stretch = stretches.removeValue(forKey: name) else { return }
    // A stretch without an element with width never was.
    if stretch.start < position { found.append((name, stretch.start..<position, stretch.value)) }
  }

  mutating func finish(at position: Int) -> [Found] {
    for name in Array(stretches.keys) { end(name, at: position) }
    return found
  }
}
