/// Filling a new, empty object of a document with what a container of a draft holds, down to the last
/// element.
///
/// Nothing is compared, and no key is looked for: the object has none. What only its owner can write
/// is left to the owner, who makes it and goes on:
///
///     draft      { title: "a", likes: foreign, tags: [1, 2] }
///     resume     title is put; left: likes                     the owner puts a counter
///     resume     tags is made, 1 and 2 are inserted; nil       the end
///
/// Operations are made in the order of the draft, each container's own right behind it.
package struct DraftFilling {
  /// What the owner writes before the walk goes on.
  package struct Rest {
    package let node: Draft.Node
    /// The map or list that has a place for it.
    package let holder: ObjectID
    /// How many elements of a list stand before it; `nil` in a map.
    package let index: Int?
  }

  /// A container that is being filled.
  fileprivate struct Frame: BitwiseCopyable {
    let object: ObjectHandle
    let isMap: Bool
    /// The entry or element that is written next; none at the end.
    var next: Draft.Node
    /// Elements of a list that are written.
    var index = 0
    /// Where a list's next element goes; `nil` where the list is new, or its owner has written to it.
    var gap: Core.Gap?
  }

  fileprivate let draft: Draft
  /// Which containers are left to the owner, by any of these marks.
  fileprivate let leaving: Draft.Marks
  /// Whether all containers are.
  fileprivate let leavesContainers: Bool
  fileprivate var frames: ContiguousArray<Frame> = []

  fileprivate mutating func enter(_ container: DraftNode, _ object: ObjectHandle) {
    frames.append(Frame(object: object, isMap: container.kind != .list, next: container.first))
  }

  fileprivate func isLeft(_ node: DraftNode) -> Bool {
    guard node.isContainer else { return node.kind == .foreign }
    return leavesContainers || !node.marks.isDisjoint(with: leaving)
  }
}

extension MergeDocument {
  /// Begins to fill an object with what a container of its kind holds.
  ///
  /// Containers with any of the marks `leaving` are left to the owner, or all of them.
  package func filling(
    _ object: ObjectID,
    with container: Draft.Node,
    of draft: Draft,
    leaving: Draft.Marks,
    leavesContainers: Bool
  ) throws(EditError) -> DraftFilling {
    let number = try core.resolve(object)
    draft.store.keys.read(by: ObjectIdentifier(self), core.compactions)
    core.makeRoom(for: draft)
    var walk = DraftFilling(draft: draft, leaving: leaving, leavesContainers: leavesContainers)
    walk.enter(draft.store.nodes[container], number)
    return walk
  }

  /// Goes on to what is the owner's to write; `nil` at the end.
  package func resume(_ walk: inout DraftFilling) throws(EditError) -> DraftFilling.Rest? {
    try core.fill(&walk)
  }
}

extension Core {
  /// Makes room for all of a draft in a document that holds next to nothing, as at a first encode; and an
  /// eighth more, for what is written next.
  ///
  /// An arena that grows step by step is copied at some of them, and so touches more memory than it keeps:
  /// for the first use of a page the system takes as long as for some thousand instructions.
  fileprivate mutating func makeRoom(for draft: Draft) {
    let (entries, containers) = (draft.store.entryCount, draft.store.containerCount)
    guard entries / 8 > rows.count else { return }
    func withSpare(_ count: Int) -> Int { count + count / 8 }
    rows.reserve(withSpare(entries))
    registers.reserve(withSpare(entries))
    registerNumbers.reserve(withSpare(entries))
    transaction.log.reserve(withSpare(entries + containers))
    objects.reserve(withSpare(containers))
    objectNumbers.reserve(withSpare(containers))
    leaves.reserve(withSpare(draft.store.listCount))
    runs.reserve(withSpare(draft.store.listCount) * LeafRecord.capacity)
    widths.reserve(withSpare(draft.store.listCount) * LeafRecord.capacity)
  }

  fileprivate mutating func fill(
    _ walk: inout DraftFilling
  ) throws(EditError) -> DraftFilling.Rest? {
    while var frame = walk.frames.popLast() {
      guard let place = try fillValues(&frame, walk.draft) else { continue }
      let node = walk.draft.store.nodes[place]
      frame.next = node.next
      if walk.isLeft(node) {
        let rest = DraftFilling.Rest(
          node: place,
          holder: publicID(ofObject: frame.object),
          index: frame.isMap ? nil : frame.index
        )
        frame.index += 1
        frame.gap = nil
        walk.frames.append(frame)
        return rest
      }
      let made = try makeObject(for: node, &frame, walk.draft)
      walk.frames.append(frame)
      walk.enter(node, made)
    }
    return nil
  }

  /// Writes values up to a container, or what is the owner's; `nil` at the end.
  private mutating func fillValues(
    _ frame: inout DraftFilling.Frame,
    _ draft: Draft
  ) throws(EditError) -> Draft.Node? {
    while !frame.next.isNone {
      let node = draft.store.nodes[frame.next]
      if node.kind != .absent {
        guard let scalar = draft.scalar(frame.next) else { return frame.next }
        if frame.isMap {
          let key = try key(node.key, of: draft)
          let op = try nextOp()
          let (meta, value) = try store(scalar)
          add(op, .set, meta: meta, value: value, under: key, of: frame.object)
        } else {
          var gap = try gap(of: frame)
          try insert(frame.object, &gap, scalar)
          frame.gap = gap
          frame.index += 1
        }
      }
      frame.next = node.next
    }
    return nil
  }

  /// Makes an empty object for a container.
  private mutating func makeObject(
    for node: DraftNode,
    _ frame: inout DraftFilling.Frame,
    _ draft: Draft
  ) throws(EditError) -> ObjectHandle {
    let kind: ObjectKind = node.kind == .list ? .list : .map
    if frame.isMap {
      let key = try key(node.key, of: draft)
      let op = try nextOp()
      add(op, Action(making: kind), under: key, of: frame.object)
      let made = objects.nextHandle
      addObject(op, kind, parent: frame.object, key: key, element: .none)
      return made
    }
    var gap = try gap(of: frame)
    let made = try insertObject(frame.object, &gap, kind)
    frame.gap = gap
    frame.index += 1
    return made
  }

  /// Where the next element of a list goes.
  private mutating func gap(of frame: DraftFilling.Frame) throws(EditError) -> Gap {
    if let gap = frame.gap { return gap }
    return try gap(frame.object, at: frame.index)
  }

  /// The handle of a draft's key.
  private mutating func key(
    _ key: DraftKeyHandle,
    of draft: Draft
  ) throws(EditError) -> KeyHandle {
    guard let stored = draft.store.keys.intern(key, into: &keys) else {
      throw .limitExceeded(.totalValueByteLimit)
    }
    return stored
  }

  /// Makes an operation under a key that the object never had.
  private mutating func add(
    _ op: PackedID,
    _ action: Action,
    meta: ValueMeta = .null,
    value: UInt32 = 0,
    under key: KeyHandle,
    of object: ObjectHandle
  ) {
    let row = rows.nextHandle
    rows.append(
      Row(counter: op.counter, meta: meta, value: value, actor: op.actor, action: action)
    )
    // As `makeRegister` and `addRow` would have it, which look for what is there already.
    var register = Register(object: object, key: key, next: objects[object].firstRegister)
    (register.first, register.last) = (row, row)
    (register.top, register.bottom) = (row, row)
    objects[object].firstRegister = registers.nextHandle
    registerNumbers.set(Self.registerKey(object, key), registers.nextHandle.place)
    registers.append(register)
    var run = draft(Target(object: object, key: key), op, action: action)
    run.meta = meta
    run.value = value
    log(run)
  }
}
