/// A comparison of a container of a draft with an object of a document, down to the last element.
///
/// `MergeDocument.resume(_:)` goes on until it meets what it cannot judge, and asks; to answer yes,
/// the caller calls it again. So the walk is one loop within the engine, while what is the same only to its
/// owner, as an integer is to the float of the same value, stays the owner's to say.
///
///     draft      { title: "a", tags: [1, 2] }      document   { title: "a", tags: [1, 2.0] }
///     frames     root                              title is equal
///                root, tags                        1 is equal; 2 is asked: `.value(2, 2.0)`
///                resumed                           the owner said yes: end of tags, end of root, equal
///
/// Between two calls the document must not change: frames hold places in its store.
package struct DraftComparison {
  package enum Outcome {
    /// Everything stands in the document.
    case equal
    case different
    case question(Question)
  }

  package enum Question {
    /// Whether the value stored under the key of a map, or at an element of a list, shows the node.
    case value(Draft.Node, Value, in: ObjectID, element: OpID?)
    /// Whether the object may have keys that the node does not name.
    case surplus(Draft.Node)
  }

  /// A container that the walk is in.
  ///
  /// Copied out, moved on and written back before the walk leaves the container: by a question, or
  /// into a container within.
  fileprivate struct Frame: BitwiseCopyable {
    let container: Draft.Node
    let object: ObjectHandle
    let isMap: Bool
    /// The entry or element that is compared next; none at the end.
    var next: Draft.Node
    /// Entries that were found, elements that were met: what is visible and was not found is surplus.
    var found: UInt32 = 0
    /// Whether an entry with nothing to stand there was passed over.
    var hasAbsent = false
    /// Where the next element of a list stands: `offset` counts elements within a run.
    var leaf: LeafHandle
    var slot: UInt32 = 0
    var offset: UInt32 = 0
  }

  /// An element of a list.
  fileprivate struct Element {
    let id: PackedID
    /// The operation that set it: its own, or a later one.
    let setter: PackedID
    let action: Action
    let meta: ValueMeta
    let value: UInt32
    /// The winner of a complex element.
    let row: RowHandle
    let register: RegisterHandle
  }

  let draft: Draft
  fileprivate var frames: ContiguousArray<Frame> = []
  /// Whether the list may end before those staged, or behind.
  fileprivate let isPrefix: Bool
  /// Registers and objects stand in the order in which they were made, and that is mostly the
  /// order in which they are compared: what is looked for is likely the one behind the last.
  fileprivate var nextRegister = RegisterHandle.none
  fileprivate var nextObject = ObjectHandle.none

  /// Elements or entries of the outermost container that were begun.
  package private(set) var begun = 0

  init(_ draft: Draft, isPrefix: Bool) {
    self.draft = draft
    self.isPrefix = isPrefix
  }
}

extension DraftComparison {
  /// Goes into a container, whose object is of its kind.
  ///
  ///     frames before    root (next: due)
  ///     frames after     root (next: due), tags (next: its first element)
  mutating func enter(
    _ container: Draft.Node,
    _ object: ObjectHandle,
    _ core: borrowing Core
  ) {
    frames.append(
      Frame(
        container: container,
        object: object,
        isMap: !core.objects[object].kind.isSequence,
        next: draft.store.nodes[container].first,
        leaf: core.objects[object].firstLeaf
      )
    )
  }

  /// Leaves what is not equal, and goes on with the next element of the outermost container.
  package mutating func skip() { frames.removeLast(max(frames.count - 1, 0)) }

  /// Goes on from where the walk stands, down to the end or to what it cannot judge.
  ///
  /// Cost: a step for each node, without a look-up where keys and objects stand in the order in which they
  /// were made.
  mutating func resume(_ core: borrowing Core) -> Outcome {
    while let frame = frames.last {
      if let outcome = frame.isMap ? compareMap(frame, core) : compareList(frame, core) {
        return outcome
      }
    }
    return .equal
  }

  // MARK: - Maps

  /// Compares entries up to a container among them, or to the end; `nil` if the walk goes on.
  ///
  ///     entry            document           outcome
  ///     "a"              "a"                next entry
  ///     "a"              no such key        different
  ///     { x }            an object          into it; the frame is written back first
  ///     1                1.0, or an object  asked: `.value`
  ///     nothing          whatever it has    next entry; looked at again at the end
  ///
  /// A missing key is a difference and no question: nothing of the coder's rules makes a value of
  /// nothing.
  private mutating func compareMap(_ start: Frame, _ core: borrowing Core) -> Outcome? {
    var frame = start
    while !frame.next.isNone {
      let entry = frame.next
      let node = draft.store.nodes[entry]
      frame.next = node.next
      if frames.count == 1 { begun += 1 }
      if node.kind == .absent {
        frame.hasAbsent = true
        continue
      }
      guard let register = core.register(frame.object, node.key, of: draft, &nextRegister),
        let row = core.winner(register)
      else { return .different }
      frame.found &+= 1
      let record = core.rows[row]
      if record.action == .set, core.isStored(node, of: draft, record.meta, record.value) {
        continue
      }
      frames[frames.count - 1] = frame
      if let object = child(node, action: record.action, id: record.id, in: core) {
        enter(entry, object, core)
        return nil
      }
      let value = core.value(row, in: register)
      return .question(
        .value(entry, value, in: core.publicID(ofObject: frame.object), element: nil)
      )
    }
    frames.removeLast()
    return endMap(frame, core)
  }

  /// Looks for keys that are visible and were not found; `nil` if there are none.
  ///
  ///     visible title, due, extra; found title, due      3 != 2: asked, `.surplus`
  ///     visible title, note: null; note is absent        found title, and note shows nothing: equal
  ///
  /// Counts rather than looks for: if as many keys are visible as were found, none is left over.
  private mutating func endMap(_ frame: Frame, _ core: borrowing Core) -> Outcome? {
    let visible = core.length(frame.object, at: nil)
    var found = Int(frame.found)
    if visible == found { return nil }
    if frame.hasAbsent {
      var entry = draft.store.nodes[frame.container].first
      while !entry.isNone {
        let node = draft.store.nodes[entry]
        entry = node.next
        guard node.kind == .absent,
          let register = core.register(frame.object, node.key, of: draft, &nextRegister),
          let row = core.winner(register)
        else { continue }
        // Null is nothing.
        let record = core.rows[row]
        guard record.action == .set && record.meta.type == TypeCode.null else {
          return .different
        }
        found += 1
      }
    }
    return visible == found ? nil : .question(.surplus(frame.container))
  }

  // MARK: - Lists

  /// Compares elements up to a container among them, or to the end; `nil` if the walk goes on.
  private mutating func compareList(_ start: Frame, _ core: borrowing Core) -> Outcome? {
    var frame = start
    if frame.found == 0, !(isPrefix && frames.count == 1),
      core.objects[frame.object].length != draft.store.nodes[frame.container].count
    {
      return .different
    }
    while !frame.next.isNone, let element = nextElement(&frame, core) {
      let place = frame.next
      let node = draft.store.nodes[place]
      frame.next = node.next
      frame.found &+= 1
      if frames.count == 1 { begun += 1 }
      if element.action == .set, core.isStored(node, of: draft, element.meta, element.value) {
        continue
      }
      frames[frames.count - 1] = frame
      if let object = child(node, action: element.action, id: element.setter, in: core) {
        enter(place, object, core)
        return nil
      }
      return .question(
        .value(
          place,
          value(of: element, core),
          in: core.publicID(ofObject: frame.object),
          element: core.publicID(element.id)
        )
      )
    }
    frames.removeLast()
    return nil
  }

  /// The next visible element of a list.
  ///
  /// The frame holds the place in the tree, so that no index is looked up; hidden runs are passed
  /// one by one. For a complex run `offset` stays 0.
  private func nextElement(_ frame: inout Frame, _ core: borrowing Core) -> Element? {
    while !frame.leaf.isNone {
      if frame.slot >= core.leaves[frame.leaf].count {
        frame.leaf = core.leaves[frame.leaf].next
        frame.slot = 0
        continue
      }
      let run = core.runs[core.at(frame.leaf, Int(frame.slot))]
      if run.isComplex {
        frame.slot &+= 1
        guard let row = core.winner(run.register) else { continue }
        let record = core.rows[row]
        return Element(
          id: run.first,
          setter: record.id,
          action: record.action,
          meta: record.meta,
          value: record.value,
          row: row,
          register: run.register
        )
      }
      if run.isHidden || frame.offset == run.count {
        frame.slot &+= 1
        frame.offset = 0
        continue
      }
      defer { frame.offset &+= 1 }
      let id = PackedID(run.counter &+ frame.offset, run.actor)
      return Element(
        id: id,
        setter: id,
        action: run.action,
        meta: run.meta,
        value: run.value &+ frame.offset &* run.byteCount,
        row: .none,
        register: .none
      )
    }
    return nil
  }

  private func value(of element: Element, _ core: borrowing Core) -> Value {
    if !element.row.isNone { return core.value(element.row, in: element.register) }
    if let kind = element.action.made {
      return .object(core.objectID(element.setter), kind)
    }
    return .scalar(core.scalar(meta: element.meta, value: element.value))
  }

  // MARK: - Both

  /// The object that was made by an operation, if it is of a container's kind; `nil` leaves it to the
  /// owner.
  private mutating func child(
    _ node: DraftNode,
    action: Action,
    id: PackedID,
    in core: borrowing Core
  ) -> ObjectHandle? {
    switch (node.kind, action.made) {
    case (.map, .map?), (.map, .table?), (.open, .map?), (.open, .table?): break
    case (.list, .list?) where !node.marks.contains(.unordered): break
    default: return nil
    }
    let guess = nextObject
    let number =
      core.objects.contains(guess) && core.objects[guess].id == id
      ? guess : core.objectHandle(id)
    if let number { nextObject = number.next }
    return number
  }
}
