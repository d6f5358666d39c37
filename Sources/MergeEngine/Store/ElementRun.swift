/// Neighbouring list elements of which every column is constant or steps by one.
///
/// The unit of editing, merging, saving and loading. Element `j` of `0..<count` has
///
///     id        = (counter + j, actor)
///     reference = j == 0 ? (reference, referenceActor) : (counter + j - 1, actor)
///     successor = none | (successor + j, successorActor) | (successor - j, successorActor)
///     value     = `byteCount` bytes at `value + j * byteCount`
///
/// An element with more history than one insert and at most one delete, and every mark, is
/// *complex*: a run of one whose `successor` is the number of its register.
struct ElementRun: BitwiseCopyable {
  var counter: UInt32
  var count: UInt32
  var reference: UInt32
  var successor: UInt32 = 0
  /// Offset in the value bytes.
  var value: UInt32
  /// The format's value metadata: `byte count << 4 | type`.
  var meta: UInt32
  var actor: UInt16
  var referenceActor: UInt16
  var successorActor: UInt16 = 0
  var flags: UInt16

  /// Low three bits: the action.
  ///
  /// The rest as named here.
  enum Flag {
    static let action: UInt16 = 7
    /// One successor each, rising with the elements.
    static let ascending: UInt16 = 8
    /// One successor each, falling with the elements.
    static let descending: UInt16 = 16
    static let hidden: UInt16 = 24
    static let complex: UInt16 = 32
    /// A string of exactly one Unicode scalar.
    static let plain: UInt16 = 64
    static let mark: UInt16 = 128
  }

  @inline(__always) var action: UInt8 { UInt8(truncatingIfNeeded: flags & Flag.action) }
  @inline(__always) var isHidden: Bool { flags & Flag.hidden != 0 }
  @inline(__always) var isComplex: Bool { flags & Flag.complex != 0 }
  @inline(__always) var isPlain: Bool { flags & Flag.plain != 0 }
  @inline(__always) var isMark: Bool { flags & Flag.mark != 0 }
  @inline(__always) var byteCount: UInt32 { meta >> 4 }
  @inline(__always) var end: UInt32 { counter &+ count }
  @inline(__always) var first: PackedID { PackedID(counter, actor) }
  @inline(__always) var last: PackedID { PackedID(end &- 1, actor) }

  @inline(__always)
  func contains(_ id: PackedID) -> Bool {
    actor == id.actor && id.counter >= counter && id.counter &- counter < count
  }

  /// The reference of element `offset`.
  @inline(__always)
  func reference(of offset: UInt32) -> PackedID {
    offset == 0
      ? PackedID(reference, referenceActor) : PackedID(counter &+ offset &- 1, actor)
  }

  /// The successor's counter of element `offset` of a hidden run.
  @inline(__always)
  func successorCounter(of offset: UInt32) -> UInt32 {
    flags & Flag.descending != 0 ? successor &- offset : successor &+ offset
  }

  /// Drops the first `offset` elements.
  @inline(__always)
  mutating func dropFirst(_ offset: UInt32) {
    if isHidden { successor = successorCounter(of: offset) }
    let last = PackedID(counter &+ offset &- 1, actor)
    counter &+= offset
    count &-= offset
    reference = last.counter
    referenceActor = last.actor
    value &+= offset &* byteCount
  }
}

/// The bookkeeping of a leaf; its runs and widths stand in arenas of their own.
struct LeafRecord: BitwiseCopyable {
  var count: UInt32 = 0
  /// Place among the parent's children.
  var slot: UInt32 = 0
  var parent: UInt32 = .max
  var next: UInt32 = .max
  var previous: UInt32 = .max
  var object: UInt32
  /// Not above the id of any element below; see `Core.precedes`.
  var minimum = PackedID(raw: .max)

  /// Runs of one leaf, children of one inner node.
  static let capacity = 16
}

/// The bookkeeping of an inner node; children, widths and minima stand in arenas of their own.
struct InnerRecord: BitwiseCopyable {
  var count: UInt32 = 0
  var slot: UInt32 = 0
  var parent: UInt32 = .max
  /// 1 above leaves.
  var level: UInt32
}

/// Where a run stands, and how many units are before it.
struct Place: BitwiseCopyable {
  var leaf: UInt32
  var slot: Int
  var start: UInt32
}

/// An operation of a map key, or of a list element with a history.
struct Row: BitwiseCopyable {
  var counter: UInt32
  var meta: UInt32 = 0
  var value: UInt32 = 0
  /// The least successor; 0 for none.
  var successor: UInt32 = 0
  /// Further successors: a number in the list of successor chains, or `.max`.
  var more: UInt32 = .max
  /// The next row of the register, by id, and the one before.
  var next: UInt32 = .max
  var previous: UInt32 = .max
  /// Of a visible row, the next visible row and the one before, by id.
  var above: UInt32 = .max
  var below: UInt32 = .max
  /// Mark name, or `.max`.
  var name: UInt32 = .max
  var actor: UInt16
  var successorActor: UInt16 = 0
  var action: UInt8
  var flags: UInt8 = 0

  enum Flag {
    /// Overwritten, by more than increments of a counter.
    static let hidden: UInt8 = 1
    static let expand: UInt8 = 2
  }

  var id: PackedID { PackedID(counter, actor) }
  var isCounter: Bool { action == Action.set && meta & 15 == TypeCode.counter }
  /// Whether rows of this kind are ever values.
  var isValue: Bool { action != Action.increment && action != Action.mark }
  var isVisible: Bool { isValue && flags & Flag.hidden == 0 }
}

/// All operations that name one map key or one list element, ascending by id.
struct Register: BitwiseCopyable {
  var first: UInt32 = .max
  var last: UInt32 = .max
  var object: UInt32
  /// The map key; `.max` for a list element.
  var key: UInt32
  /// The object's next register (maps only).
  var next: UInt32 = .max
  /// The visible rows with the greatest and the least id, or `.max`: ends of a list of their own.
  ///
  /// Keys which are overwritten again and again keep many rows, of which reads and edits see these
  /// alone.
  var top: UInt32 = .max
  var bottom: UInt32 = .max
  /// The row that was last entered between others, where the next one likely belongs, or `.max`.
  var near: UInt32 = .max
}

/// Successors of a row beyond the first, ascending.
struct SuccessorChain: BitwiseCopyable {
  /// `.max` if none is left.
  var first: UInt32 = .max
  var last: UInt32 = .max
  /// The node last entered between others, or `.max`.
  var near: UInt32 = .max
  /// How many successors of the row, its own among them, hide it.
  var hiders: UInt32
}

struct SuccessorNode: BitwiseCopyable {
  var id: PackedID
  var next: UInt32 = .max
  var previous: UInt32 = .max
}

/// An object: what it is, where it hangs, and for sequences the root of its tree.
struct ObjectRecord: BitwiseCopyable {
  var counter: UInt32
  var actor: UInt16
  var kind: ObjectKind
  /// Levels of inner nodes above the leaves.
  var height: UInt8 = 0
  /// The containing object; `.max` for the root.
  var parent: UInt32
  /// The key in the parent, or `.max` when the parent is a sequence.
  var key: UInt32
  /// The element in the parent sequence.
  var element: PackedID
  /// A leaf, or an inner node when `height > 0`; `.max` while nothing was ever inserted.
  var root: UInt32 = .max
  var firstLeaf: UInt32 = .max
  /// Visible units.
  var length: UInt32 = 0
  /// Mark operations in the sequence.
  var marks: UInt32 = 0
  /// A map's registers.
  var firstRegister: UInt32 = .max
  /// Where the last local edit was; `.max` for nowhere.
  var cursor = Place(leaf: .max, slot: 0, start: 0)

  var id: PackedID { PackedID(counter, actor) }
}
