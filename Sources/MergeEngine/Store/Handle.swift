/// Names one record of an arena by its place there.
///
/// Handles of different arenas are different types, so that a leaf is never taken for a row. Four
/// bytes; `.none` names no record, so an optional link costs nothing more.
///
/// A handle stays valid while its record exists: records are appended, never moved. Undoing takes
/// records away from the end alone. Rebuilding the store (``Core/compact()``) gives all of them new
/// places. The hint in an ``ObjectID`` outlives that, and is checked before it is believed.
///
/// Every use is compared with the arena's `count`: `.none` and a stale handle beyond the end stop
/// the program, a stale handle within it names another record of the same type.
///
/// Other modules hold handles of one arena, the nodes of a ``Draft``, and can neither make nor read
/// them.
package struct Handle<Record>: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// Place in the arena; `UInt32.max` for none.
  var place: UInt32

  init(place: UInt32) { self.place = place }

  /// The handle of the record at `place`, which is below 2^32 - 1 by the limits of what fits
  /// (``Limits``).
  init(_ place: Int) { self.place = UInt32(place) }

  static var none: Handle { Handle(place: .max) }
  var isNone: Bool { place == .max }

  /// The handle of the record behind.
  var next: Handle { Handle(place: place &+ 1) }

  /// The place as a number, for arrays beside the arena and for what is written or reported.
  var index: Int { Int(place) }

  /// In the order of the arena; none comes last.
  package static func < (left: Handle, right: Handle) -> Bool { left.place < right.place }
}

typealias ObjectHandle = Handle<ObjectRecord>
typealias RegisterHandle = Handle<Register>
typealias RowHandle = Handle<Row>
typealias ChainHandle = Handle<SuccessorChain>
typealias ChainNodeHandle = Handle<SuccessorNode>
typealias LeafHandle = Handle<LeafRecord>
typealias InnerHandle = Handle<InnerRecord>
typealias KeyHandle = Handle<KeyTable.Key>
typealias ChangeHandle = Handle<ChangeRecord>
/// One entry of a change's dependencies (``ChangeRecord/dependencies``).
typealias DependencyHandle = Handle<ChangeHandle>
typealias OpRunHandle = Handle<OpRun>
/// One entry of a run's predecessors (``OpRun/preds``).
typealias PredHandle = Handle<PackedID>
typealias DraftKeyHandle = Handle<DraftKey>

extension Handle where Record == ObjectRecord {
  /// The root map, the first object of every document.
  static var root: Handle { Handle(place: 0) }
}

/// Neighbouring handles of an arena, ascending; all of them, unless a range is given.
///
/// The sequence has the records that the arena had when it was made; records appended meanwhile are
/// left out.
struct Handles<Record>: Sequence, IteratorProtocol {
  private var place: UInt32 = 0
  private let end: UInt32

  init(count: Int) { end = UInt32(count) }

  /// The `count` handles from `first` on, which must not go beyond the arena.
  init(from first: Handle<Record>, count: UInt32) {
    place = first.place
    end = first.place &+ count
  }

  mutating func next() -> Handle<Record>? {
    guard place < end else { return nil }
    defer { place &+= 1 }
    return Handle(place: place)
  }
}

extension Arena {
  subscript(handle: Handle<Element>) -> Element {
    unsafeAddress { unsafe address(of: handle.place) }
    unsafeMutableAddress { unsafe mutableAddress(of: handle.place) }
  }

  /// The handles of all elements, ascending.
  var handles: Handles<Element> { Handles(count: count) }

  /// The handles of the elements from a place on, ascending; none if there are not as many.
  func handles(from start: Int) -> Handles<Element> {
    Handles(from: Handle(start), count: UInt32(max(count - start, 0)))
  }

  /// The element that stands where another arena has the record of a handle.
  ///
  /// For arenas that hold more of the same records, one element each.
  subscript<Record>(beside handle: Handle<Record>) -> Element {
    unsafeAddress { unsafe address(of: handle.place) }
    unsafeMutableAddress { unsafe mutableAddress(of: handle.place) }
  }

  /// Whether a handle names an element; false of none.
  func contains(_ handle: Handle<Element>) -> Bool { Int(handle.place) < count }

  /// The handle that the next element gets.
  var nextHandle: Handle<Element> { Handle(count) }
}

/// A child of an inner node, or the root of a tree: a leaf or an inner node, as the level tells.
///
/// One number for two arenas. Which is meant is the caller's to know: the object's `height`, or the
/// `level` of the node above.
struct NodeHandle: BitwiseCopyable, Hashable {
  private let place: UInt32

  init(_ leaf: LeafHandle) { place = leaf.place }

  init(_ inner: InnerHandle) { place = inner.place }

  static var none: NodeHandle { NodeHandle(LeafHandle.none) }
  var isNone: Bool { place == .max }
  var leaf: LeafHandle { LeafHandle(place: place) }
  var inner: InnerHandle { InnerHandle(place: place) }
}
