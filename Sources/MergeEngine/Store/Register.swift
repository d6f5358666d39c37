/// All operations that name one map key or one list element, ascending by id.
///
/// Example: the key "k" was put by operation 5, then by 7 and 8 at once, each overwriting 5:
///
///     first                         last        rows by id: next, previous
///       5  <------>  7  <------>  8
///       successors   |            |
///       7, 8         |            |
///                  bottom        top            visible rows: above, below
///
/// A register is made with the first operation that names its place and is never given back: one
/// whose operations were all undone is empty, and neither shown nor saved.
struct Register: BitwiseCopyable {
  /// Ends of the list of all rows; none if it has no rows.
  var first = RowHandle.none
  var last = RowHandle.none
  /// None once the object itself, or the list element, was undone: the handle may then name another object.
  var object: ObjectHandle
  /// The map key; none for a list element.
  var key: KeyHandle
  /// The object's next register (maps only).
  var next = RegisterHandle.none
  /// The visible rows with the greatest and the least id: ends of a list of their own.
  ///
  /// A key that is overwritten again and again keeps many rows; reads and edits visit only the
  /// visible ones.
  var top = RowHandle.none
  var bottom = RowHandle.none
  /// The row that was last entered between others, where the next one likely belongs.
  ///
  /// Where a search begins, and nothing more: any row of the register would do, or none.
  var near = RowHandle.none
}

/// An operation of a map key, or of a list element with a history.
///
/// A counter, an object's making, a value, a mark or an increment: all that `Action` has but
/// deletions, which are successors of other rows alone.
///
/// Id, action, value and name never change: what comes later adds successors, and with them hides
/// the row or shows it again.
///
///     row 5@a, set "x"      successor 7@b, more -> [9@a]       hidden: two operations overwrote it
///     row 6@a, counter 10   successor 8@b, an increment        visible: 10, and what 8@b adds
struct Row: BitwiseCopyable {
  /// With `actor` the operation's id; 1 or more.
  var counter: UInt32
  var meta = ValueMeta.null
  /// Offset in the value bytes; 0 where `meta` says that there are none.
  var value: UInt32 = 0
  /// The counter of the least successor; 0 for none.
  var successor: UInt32 = 0
  /// Further successors; none before the second one comes.
  var more = ChainHandle.none
  /// The next row of the register, by id, and the one before.
  var next = RowHandle.none
  var previous = RowHandle.none
  /// Of a visible row, the next visible row and the one before, by id.
  var above = RowHandle.none
  var below = RowHandle.none
  /// A mark's name; none for an end of a mark, and for every other action.
  var name = KeyHandle.none
  /// Places in the table of actors.
  var actor: UInt16
  /// Of no meaning while `successor` is 0.
  var successorActor: UInt16 = 0
  var action: Action
  var flags: Flags = []

  struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt8

    /// Overwritten, by more than increments of a counter.
    ///
    /// Set exactly while a successor hides the row, by ``Core/addSuccessor(_:_:byIncrement:in:)``
    /// and its inverse; while a file is read, by any successor until ``Core/reveal(_:)``.
    static let hidden = Flags(rawValue: 1)
    /// Of a mark: what is typed at this end becomes part of it.
    static let expand = Flags(rawValue: 2)
  }

  var id: PackedID { PackedID(counter, actor) }

  /// The least successor as an id; none if the row has none.
  var firstSuccessor: PackedID {
    get { PackedID(successor, successorActor) }
    set {
      successor = newValue.counter
      successorActor = newValue.actor
    }
  }
  var isCounter: Bool { action == .set && meta.type == TypeCode.counter }
  /// Whether rows of this kind are ever values.
  var isValue: Bool { action != .increment && action != .mark }
  var isHidden: Bool { flags.contains(.hidden) }
  var isVisible: Bool { isValue && !isHidden }
}

extension Row {
  /// The insertion of a simple element, with the deletion that hides it, if one does.
  init(ofSimple element: ElementRun) {
    self.init(
      counter: element.counter,
      meta: element.meta,
      value: element.value,
      actor: element.actor,
      action: element.action
    )
    guard element.isHidden else { return }
    successor = element.successor
    successorActor = element.successorActor
    flags = .hidden
  }
}

/// Successors of a row beyond the first, ascending.
///
///     row 5    successor 7    more -> [9] <-> [12]      9 and 12 stand in nodes, 7 in the row
///
/// Most rows have one successor or none, and no chain. One that has come stays with its row, also
/// when undoing has emptied it, until the row has no successor at all.
struct SuccessorChain: BitwiseCopyable {
  /// None if none is left.
  var first = ChainNodeHandle.none
  var last = ChainNodeHandle.none
  /// The node last entered between others.
  var near = ChainNodeHandle.none
  /// How many successors of the row, its own among them, hide it.
  var hiders: UInt32
}

/// One further successor of a row.
struct SuccessorNode: BitwiseCopyable {
  var id: PackedID
  var next = ChainNodeHandle.none
  var previous: ChainNodeHandle
}
