/// Local edits of sequences: insertion and deletion of elements, and typing.
///
/// An edit names units of the document's width (``TextUnit``), an operation names elements by id.
/// So each edit first finds the element at its index, then works on runs of elements:
///
///     units      0   1   2   3   4         "ab" U+1F600 "c" in UTF-16, at index 2
///     elements   a   b   [ 😀 ]  c
///     type "xy" at 2:  reference = id of b, ids = the next two counters, one run of 2
///
/// What always holds between two edits:
/// - an insertion behind an element continues that element's run wherever ids, bytes and reference
///   go on by one, so that typing makes one run a stretch and not one a character;
/// - the cursor of an object is the run of the last edit and the units before it. It spares the next
///   edit the way from the root, and is `.none` wherever that is not known;
/// - an edit that throws has changed neither the store nor `values`.
extension Core {
  /// Where a local insertion goes: behind an element, or at the head.
  ///
  ///     units       0   1   2              gap at 2:   place      run [ab], offset 1
  ///     elements    a   b   -   c                      reference  id of b
  ///                       ^ hidden ones stay behind    start      2
  ///
  /// Good until the next change of the sequence; `insertRun` moves it behind what it has inserted.
  struct Gap {
    var place: ElementPlace
    /// The element at `place`, none for the head: what the first new element names.
    var reference = PackedID.none
    /// Units before the gap, visible ones alone.
    var start: UInt32
  }

  /// The gap at a unit index: behind the visible element that ends there.
  ///
  /// Hidden elements behind that one stay behind the gap. An index within a wide element stands for
  /// the gap behind it, as in the real core.
  ///
  /// A local id is the greatest of all, so that nothing has to be skipped by the insert rule.
  ///
  /// Cost: that of `locate`, which the cursor mostly makes a look at one slot; where the sequence
  /// has marks, also a step for each run of invisible elements behind.
  ///
  /// - Throws: `indexOutOfBounds` outside of `0...length`.
  ///
  /// Source: Specification/Semantics.md, "Reference of a local insert".
  @inline(__always)
  mutating func gap(_ object: ObjectHandle, at index: Int) throws(EditError) -> Gap {
    let length = objects[object].length
    guard index >= 0 && index <= Int(length) else {
      throw .indexOutOfBounds(index: index, length: Int(length))
    }
    var gap: Gap
    if index == 0 {
      gap = Gap(place: ElementPlace(RunPlace(leaf: firstLeaf(object), slot: -1)), start: 0)
    } else {
      let place = locate(object, UInt32(index - 1))
      let run = runs[at(place.run)]
      let unitWidth = run.unitWidth(in: widths[at(place.run)])
      let offset = unitWidth.elements(in: UInt32(index - 1) &- place.start)
      gap = Gap(
        place: ElementPlace(place.run, offset: offset),
        reference: run.id(of: offset),
        start: place.start &+ unitWidth.units(of: offset &+ 1)
      )
    }
    if objects[object].marks > 0 { passMarks(&gap) }
    return gap
  }

  /// Moves a gap behind mark operations as far as new elements are to be inside the marks.
  ///
  /// Marks begin and end with invisible elements of their own, and at one index there may be many:
  ///
  ///     a  [begin bold, expands]  [end link]  b      typed at 1: behind the begin, inside bold
  ///
  /// The way goes up to the next visible element. Each begin that expands, and each end that does
  /// not, is a place where the new elements may stand; an end takes back the places since its begin,
  /// whose pair then encloses nothing. The last place that is left wins.
  ///
  /// Source: Specification/Semantics.md, "Reference of a local insert", "Marks".
  private mutating func passMarks(_ gap: inout Gap) {
    var candidates: [(gap: Gap, begin: PackedID)] = [(gap, .none)]
    /// Where the begins among them stand: a peer can put any number of marks at one index.
    var places: [PackedID: Int] = [:]
    let meter = meter
    /// Each look among them is a step.
    func beginOfCandidate(at index: Int) -> PackedID {
      meter.add(1)
      return candidates[index].begin
    }
    var place = gap.place.run
    if !gap.place.isHead && gap.place.offset &+ 1 < runs[at(place)].count { return }
    while true {
      place.slot += 1
      while place.slot >= Int(leaves[place.leaf].count) {
        place = RunPlace(leaf: leaves[place.leaf].next, slot: 0)
        if place.leaf.isNone { break }
      }
      if place.leaf.isNone { break }
      meter.add(1)
      let run = runs[at(place)]
      if !run.isMark {
        if run.isComplex ? winner(run.register) != nil : !run.isHidden { break }
        continue
      }
      let row = rows[registers[run.register].first]
      let expands = row.flags.contains(.expand)
      var candidate = gap
      candidate.place = ElementPlace(place)
      candidate.reference = run.first
      if row.name.isNone {
        let begin = PackedID(run.counter &- 1, run.actor)
        // An end that no begin stands before has the number of none.
        if !begin.isNone, let opened = places[begin] {
          for index in opened..<candidates.count { places[beginOfCandidate(at: index)] = nil }
          candidates.removeSubrange(opened...)
        } else if !expands {
          candidates.append((candidate, .none))
        }
      } else if expands {
        places[run.first] = candidates.count
        candidates.append((candidate, run.first))
      }
    }
    if let last = candidates.last { gap = last.gap }
  }

  /// Inserts `count` elements with neighbouring values of `meta` each, as one run and one log entry.
  ///
  /// Element `j` has the id `op + j`, the value at `value + j * meta.byteCount`, and is inserted behind
  /// element `j - 1`; only the first names the gap's reference. The gap is then behind the last.
  ///
  ///     [ab] [c]   "xy" behind b        [ab] [xy] [c]     cursor: slot 1, start 2; log: insert 2
  ///     [ab] [c]   "xy" typed on b      [abxy] [c]        cursor: slot 0, start 0; log: 2 more
  ///
  /// - Throws: `limitExceeded`, or what ``nextOp(_:)`` throws, before anything is changed.
  @inline(__always)
  private mutating func insertRun(
    _ object: ObjectHandle,
    _ gap: inout Gap,
    action: Action,
    count: UInt32,
    meta: ValueMeta,
    value: UInt32,
    plain: Bool,
    unitWidth: UInt32
  ) throws(EditError) {
    if meta.byteCount == 0 {
      guard emptyElementCount + Int(count) <= limits.emptyElementLimit else {
        throw .limitExceeded(.emptyElementLimit)
      }
    }
    let op = try nextOp(Int(count))
    if meta.byteCount == 0 { emptyElementCount += Int(count) }
    let record = objects[object]
    let run = ElementRun(
      counter: op.counter,
      count: count,
      reference: gap.reference.counter,
      value: value,
      meta: meta,
      actor: op.actor,
      referenceActor: gap.reference.actor,
      action: action,
      flags: plain ? .plain : []
    )
    let width = unitWidth &* count
    let place = insert(run, width: width, after: gap.place)
    log(
      OpRun(
        objectCounter: record.counter,
        objectActor: record.actor,
        actor: op.actor,
        counter: op.counter,
        count: count,
        key: .none,
        elementCounter: gap.reference.counter,
        elementActor: gap.reference.actor,
        action: action,
        flags: .insert,
        meta: meta,
        value: value
      )
    )
    // The run may have joined the one before it: the cursor counts from the start of the whole.
    let joined = runs[at(place)]
    let before = widths[at(place)] &- width
    objects[object].cursor = UnitPlace(run: place, start: gap.start &- before)
    gap = Gap(
      place: ElementPlace(place, offset: joined.count &- 1),
      reference: PackedID(op.counter &+ count &- 1, op.actor),
      start: gap.start &+ width
    )
  }

  /// Inserts a scalar as one element.
  mutating func insert(
    _ object: ObjectHandle,
    at index: Int,
    _ scalar: Scalar
  ) throws(EditError) {
    try checkSequence(object)
    var gap = try gap(object, at: index)
    try insert(object, &gap, scalar)
  }

  private mutating func checkSequence(_ object: ObjectHandle) throws(EditError) {
    let kind = objects[object].kind
    guard kind.isSequence else { throw .invalidOperation(kind: kind) }
  }

  /// Inserts a scalar in a gap, which is then behind it.
  mutating func insert(
    _ object: ObjectHandle,
    _ gap: inout Gap,
    _ scalar: Scalar
  ) throws(EditError) {
    let mark = values.count
    let stored = try store(scalar)
    let isText = objects[object].kind == .text
    let plain = isText && isPlain(stored.meta, stored.value)
    let width =
      isText ? textWidth(action: .set, meta: stored.meta, value: stored.value) : 1
    do {
      try insertRun(
        object,
        &gap,
        action: .set,
        count: 1,
        meta: stored.meta,
        value: stored.value,
        plain: plain,
        unitWidth: width
      )
    } catch {
      values.truncate(to: mark)
      throw error
    }
  }

  /// Whether a value is a string of exactly one Unicode scalar.
  ///
  ///     "a"     61             plain
  ///     "é"     c3 a9          plain
  ///     "ab"    61 62          not plain: two scalars
  ///     ""                     not plain: no scalar
  ///
  /// The first byte tells the length of its scalar, which is the whole string if the lengths agree:
  /// strings are well-formed.
  @inline(__always)
  func isPlain(_ meta: ValueMeta, _ value: UInt32) -> Bool {
    guard meta.type == TypeCode.string, meta.byteCount >= 1, meta.byteCount <= 4 else {
      return false
    }
    return scalarLength(values[value]) == Int(meta.byteCount)
  }

  /// Bytes of the scalar that begins with `lead`, in well-formed UTF-8.
  @inline(__always)
  func scalarLength(_ lead: UInt8) -> Int {
    lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  }

  /// Inserts a new object as one element; returns it.
  mutating func insertObject(
    _ object: ObjectHandle,
    at index: Int,
    _ kind: ObjectKind
  ) throws(EditError) -> ObjectHandle {
    try checkSequence(object)
    var gap = try gap(object, at: index)
    return try insertObject(object, &gap, kind)
  }

  /// Inserts a new object in a gap, which is then behind it.
  mutating func insertObject(
    _ object: ObjectHandle,
    _ gap: inout Gap,
    _ kind: ObjectKind
  ) throws(EditError) -> ObjectHandle {
    let op = try nextOp()
    let width: UInt32 = objects[object].kind == .text && unit == .utf8 ? 3 : 1
    try insertRun(
      object,
      &gap,
      action: Action(making: kind),
      count: 1,
      meta: .null,
      value: 0,
      plain: false,
      unitWidth: width
    )
    let made = objects.nextHandle
    addObject(op, kind, parent: object, key: .none, element: op)
    return made
  }

  /// Deletes `count` units from `index` on, as far as there are some, then inserts scalars.
  ///
  /// A negative count deletes before the index.
  ///
  ///     units     a b c d e             splice 1, delete 2, insert x, y
  ///     deleted   a - - d e             b and c hidden, by two operations of one run
  ///     inserted  a x y - - d e         behind a, so that what was deleted stays behind
  ///
  /// All or none: if a value cannot be inserted, what was deleted is there again.
  /// - Throws: `indexOutOfBounds`, `invalidScalar`, or a limit that the values exceed.
  mutating func splice(
    _ object: ObjectHandle,
    _ index: Int,
    delete count: Int,
    _ scalars: [Scalar]
  ) throws(EditError) {
    try checkSequence(object)
    var (start, length) = try range(object, index, count)
    for scalar in scalars {
      if case .unknown(let code, _) = scalar, !(10...15).contains(code) {
        throw .invalidScalar
      }
    }
    if scalars.isEmpty {
      if length > 0 { try deleteUnits(object, from: start, count: length) }
      return
    }
    let (before, valueCount) = (savepoint, values.count)
    do throws(EditError) {
      if length > 0 { start = try deleteUnits(object, from: start, count: length) }
      var gap = try gap(object, at: min(start, Int(objects[object].length)))
      for scalar in scalars { try insert(object, &gap, scalar) }
    } catch {
      rollback(to: before)
      values.truncate(to: valueCount)
      throw error
    }
  }

  /// Start and length of what a splice deletes.
  ///
  /// Deletions behind the index stop at the end of the sequence; deletions before it must not reach
  /// beyond its start.
  @inline(__always)
  private func range(
    _ object: ObjectHandle,
    _ index: Int,
    _ count: Int
  ) throws(EditError) -> (start: Int, length: Int) {
    let length = Int(objects[object].length)
    guard index >= 0 && index <= length else {
      throw .indexOutOfBounds(index: index, length: length)
    }
    if count >= 0 { return (index, min(count, length - index)) }
    guard count != .min, index + count >= 0 else {
      throw .indexOutOfBounds(index: index &+ count, length: length)
    }
    return (index + count, -count)
  }

  /// Deletes units of a text and types a string in their place.
  ///
  /// All or none: if the string cannot be typed, what was deleted is there again. Deleting alone
  /// and typing alone undo nothing: each checks everything first.
  ///
  /// - Throws: `invalidOperation` but for a text, `indexOutOfBounds`, `counterOverflow`, a limit.
  mutating func spliceText(
    _ object: ObjectHandle,
    _ index: Int,
    delete count: Int,
    _ text: String
  ) throws(EditError) {
    guard objects[object].kind == .text else {
      throw .invalidOperation(kind: objects[object].kind)
    }
    var (start, length) = try range(object, index, count)
    if length == 0 || text.isEmpty {
      if length > 0 { try deleteUnits(object, from: start, count: length) }
      if !text.isEmpty { try type(object, min(start, Int(objects[object].length)), text) }
      return
    }
    let before = savepoint
    start = try deleteUnits(object, from: start, count: length)
    do throws(EditError) {
      try type(object, min(start, Int(objects[object].length)), text)
    } catch {
      rollback(to: before)
      throw error
    }
  }

  /// Inserts a string, an element for each scalar (grapheme documents: for each cluster).
  ///
  /// The string's bytes are appended to `values` once, and every element of it points into them.
  /// They are taken back when it throws; the store is unchanged then.
  @inline(__always)
  private mutating func type(
    _ object: ObjectHandle,
    _ index: Int,
    _ text: String
  ) throws(EditError) {
    var text = text
    let from = values.count
    text.withUTF8 { utf8 in
      if let base = utf8.baseAddress {
        unsafe values.append(ByteView(base: base, count: utf8.count))
      }
    }
    do throws(EditError) {
      guard values.count <= Limits.totalValueByteLimit else {
        throw .limitExceeded(.totalValueByteLimit)
      }
      // At most one operation for each byte.
      _ = try nextOp(values.count - from)
      var gap = try gap(object, at: index)
      if unit == .grapheme {
        try typeClusters(object, &gap, text, from: from)
      } else {
        try typeScalars(object, &gap, from: from, to: values.count)
      }
    } catch {
      values.truncate(to: from)
      throw error
    }
  }

  /// Inserts the scalars of stored bytes, a run for each stretch of equal length.
  ///
  /// The bytes stand in `values` already, one scalar behind the other, which is just how a run finds the
  /// values of its elements: `"aé"` is a run of one byte each, then a run of two.
  @inline(__always)
  private mutating func typeScalars(
    _ object: ObjectHandle,
    _ gap: inout Gap,
    from: Int,
    to end: Int
  ) throws(EditError) {
    var at = from
    while at < end {
      let size = scalarLength(values[at])
      var next = at + size
      while next < end && scalarLength(values[next]) == size { next += size }
      let unitWidth: UInt32 =
        switch unit {
        case .scalar, .grapheme: 1
        case .utf8: UInt32(size)
        case .utf16: size == 4 ? 2 : 1
        }
      try insertRun(
        object,
        &gap,
        action: .set,
        count: UInt32(size == 1 ? next - at : (next - at) / size),
        meta: ValueMeta(TypeCode.string, byteCount: size),
        value: UInt32(at),
        plain: true,
        unitWidth: unitWidth
      )
      at = next
    }
  }

  /// Inserts one element for each grapheme cluster, which is one unit whatever its bytes.
  ///
  /// Clusters differ in length and are not plain beyond one scalar, so that each is a run of its own.
  private mutating func typeClusters(
    _ object: ObjectHandle,
    _ gap: inout Gap,
    _ text: String,
    from: Int
  ) throws(EditError) {
    // All before the first is inserted: `type` takes the bytes back when this throws.
    if values.count - from > Limits.valueByteLimit,
      text.contains(where: { $0.utf8.count > Limits.valueByteLimit })
    {
      throw .limitExceeded(.valueByteLimit)
    }
    var at = from
    for cluster in text {
      let size = cluster.utf8.count
      try insertRun(
        object,
        &gap,
        action: .set,
        count: 1,
        meta: ValueMeta(TypeCode.string, byteCount: size),
        value: UInt32(at),
        plain: scalarLength(values[at]) == size,
        unitWidth: 1
      )
      at += size
    }
  }

  /// Deletes the visible elements that hold any of the units `index..<index + count`.
  ///
  ///     [hello] [you]    4 units from 3    round 1: "lo", in one call of `hide`
  ///     [hel] [--] [you]                   round 2, again at 3: "yo"
  ///     [hel] [--] [--] [u]                in the log one run, where ids go on
  ///
  /// Each round deletes at least one element, so that it ends. Cost: a search for each run that the
  /// range touches, which mostly begins at the cursor that the round before has left.
  ///
  /// Returns where the first of them began: before `index`, if that lies within a wide element.
  @inline(__always)
  @discardableResult
  mutating func deleteUnits(
    _ object: ObjectHandle,
    from index: Int,
    count: Int
  ) throws(EditError) -> Int {
    // At most one operation for each unit: asked for before anything is hidden, so that a document
    // which has no counters left refuses the whole edit.
    _ = try nextOp(count)
    var index = UInt32(index)
    var left = UInt32(count)
    while left > 0 && index < objects[object].length {
      let place = locate(object, index)
      let run = runs[at(place.run)]
      let unitWidth = run.unitWidth(in: widths[at(place.run)])
      let offset = unitWidth.elements(in: index &- place.start)
      let first = place.start &+ unitWidth.units(of: offset)
      // Elements that hold a unit of the range, the first and last in part: rounded up.
      let wanted = unitWidth.elements(in: index &- first &+ left &+ unitWidth.units(of: 1) &- 1)
      let number = min(run.count &- offset, wanted)
      if run.isComplex {
        try deleteComplex(object, place.run, run)
      } else {
        let record = objects[object]
        let op = PackedID(maxOp &+ 1, transaction.actor)
        let cut = hide(ElementPlace(place.run, offset: offset), count: number, by: op)
        objects[object].cursor = UnitPlace(
          run: cut,
          start: cut == place.run ? place.start : first
        )
        log(
          OpRun(
            objectCounter: record.counter,
            objectActor: record.actor,
            actor: op.actor,
            counter: op.counter,
            count: number,
            key: .none,
            elementCounter: run.counter &+ offset,
            elementActor: run.actor,
            action: .delete,
            flags: .plainDelete
          )
        )
      }
      // What went is no longer counted: the next element to delete begins where this one did.
      let deleted = unitWidth.units(of: number) &- (index &- first)
      left = deleted >= left ? 0 : left &- deleted
      index = first
    }
    return Int(index)
  }

  /// Deletes an element with a register: every visible row of it gets the deletion as successor.
  ///
  ///     register   put 3@a, put 5@b, both visible     7@a deletes: successor of both, none visible
  ///     run        width 1                            width 0: no winner is left
  ///
  /// One operation, which names all visible rows. The number was asked for by the caller for all
  /// units, so that this does not throw halfway.
  private mutating func deleteComplex(
    _ object: ObjectHandle,
    _ place: RunPlace,
    _ run: ElementRun
  ) throws(EditError) {
    let op = try nextOp()
    let target = Target(
      object: object,
      register: run.register,
      element: run.first,
      place: place
    )
    var deletion = draft(target, op, action: .delete)
    overwrite(target, &deletion)
    log(deletion)
    objects[object].cursor = .none
    refreshWidth(place)
  }
}
