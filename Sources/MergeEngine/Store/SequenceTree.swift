/// The bookkeeping of a leaf; its runs and widths stand in arenas of their own.
struct LeafRecord: BitwiseCopyable {
  /// Slots in use, from the first on: `0...capacity`; 0 before the first run, and where undoing
  /// took all.
  var count: UInt32 = 0
  /// Place among the parent's children; of no meaning without a parent.
  var slot: UInt32 = 0
  /// None while the leaf is the tree.
  var parent = InnerHandle.none
  /// Neighbours in list order, whatever their parents; none at the ends.
  var next = LeafHandle.none
  var previous = LeafHandle.none
  var object: ObjectHandle
  /// Not above the id of any element below; see `Core.precedes`.
  var minimum = PackedID.above

  /// Runs of one leaf, children of one inner node.
  static let capacity = Sizes.nodeCapacity
}

/// The bookkeeping of an inner node; children, widths and minima stand in arenas of their own.
///
/// Which object it belongs to only the leaves below it say: it is asked when a root is split.
struct InnerRecord: BitwiseCopyable {
  /// Children, from the first slot on: `1...capacity` once it is in a tree.
  var count: UInt32 = 0
  var slot: UInt32 = 0
  var parent = InnerHandle.none
  /// 1 above leaves.
  var level: UInt32
}

/// Where a run stands: a slot of a leaf.
///
/// Good until the leaf is next changed: inserting and splitting move runs.
struct RunPlace: BitwiseCopyable, Equatable {
  var leaf: LeafHandle
  var slot: Int

  /// The same leaf, `distance` slots further.
  @inline(__always)
  func moved(by distance: Int) -> RunPlace { RunPlace(leaf: leaf, slot: slot + distance) }
}

/// Where an element stands: the run, and its number there.
///
/// As a place behind which something is inserted, slot -1 of the first leaf is the head.
struct ElementPlace: BitwiseCopyable {
  var run: RunPlace
  var offset: UInt32 = 0

  @inline(__always)
  init(_ run: RunPlace, offset: UInt32 = 0) {
    self.run = run
    self.offset = offset
  }

  @inline(__always) var isHead: Bool { run.slot < 0 }
}

/// Where a run stands, and how many units are before it.
///
///     widths [ 4 | 7 | 2 ] in the first leaf      slot 1: start 4      slot 2: start 11
///
/// `start` counts visible units of the document's text unit; it is right until anything before the
/// run changes.
struct UnitPlace: BitwiseCopyable {
  var run: RunPlace
  var start: UInt32

  /// Nowhere: what a sequence's cursor is after anything but an edit at it.
  @inline(__always) static var none: UnitPlace {
    UnitPlace(run: RunPlace(leaf: .none, slot: 0), start: 0)
  }
  @inline(__always) var isNone: Bool { run.leaf.isNone }
}
