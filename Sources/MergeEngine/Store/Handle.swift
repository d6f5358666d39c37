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
struct Handle<Record>: BitwiseCopyable, Hashable {
  /// Place in the arena; `UInt32.max` for none.
  var place: UInt32

  @inline(__always)
  init(place: UInt32) { self.place = place }

  /// The handle of the record at `place`, which is below 2^32 - 1 by the limits of what fits
  /// (``Limits``).
  @inline(__always)
  init(_ place: Int) { self.place = UInt32(place) }

  @inline(__always) static var none: Handle { Handle(place: .max) }
  @inline(__always) var isNone: Bool { place == .max }

  /// The handle of the record behind.
  @inline(__always) var next: Handle { Handle(place: place &+ 1) }
}

typealias ObjectHandle = Handle<ObjectRecord>
typealias RegisterHandle = Handle<Register>
typealias RowHandle = Handle<Row>
typealias ChainHandle = Handle<SuccessorChain>
typealias ChainNodeHandle = Handle<SuccessorNode>
typealias LeafHandle = Handle<LeafRecord>
typealias InnerHandle = Handle<InnerRecord>
typealias KeyHandle = Handle<KeyTable.Key>

extension Handle where Record == ObjectRecord {
  /// The root map, the first object of every document.
  @inline(__always) static var root: Handle { Handle(place: 0) }
}

/// All handles of an arena, ascending.
///
/// Those that the arena had when the sequence was made; records appended meanwhile are left out.
struct Handles<Record>: Sequence, IteratorProtocol {
  private var place: UInt32 = 0
  private let end: UInt32

  init(count: Int) { end = UInt32(count) }

  @inline(__always)
  mutating func next() -> Handle<Record>? {
    guard place < end else { return nil }
    defer { place &+= 1 }
    return Handle(place: place)
  }
}

extension Arena {
  subscript(handle: Handle<Element>) -> Element {
    @inline(__always) unsafeAddress { unsafe address(of: handle.place) }
    @inline(__always) unsafeMutableAddress { unsafe mutableAddress(of: handle.place) }
  }

  /// The handles of all elements, ascending.
  @inline(__always) var handles: Handles<Element> { Handles(count: count) }

  /// Whether a handle names an element; false of none.
  @inline(__always)
  func contains(_ handle: Handle<Element>) -> Bool { Int(handle.place) < count }

  /// The handle that the next element gets.
  @inline(__always) var nextHandle: Handle<Element> { Handle(count) }
}

/// A child of an inner node, or the root of a tree: a leaf or an inner node, as the level tells.
///
/// One number for two arenas. Which is meant is the caller's to know: the object's `height`, or the
/// `level` of the node above.
struct NodeHandle: BitwiseCopyable, Hashable {
  private let place: UInt32

  @inline(__always)
  init(_ leaf: LeafHandle) { place = leaf.place }

  @inline(__always)
  init(_ inner: InnerHandle) { place = inner.place }

  @inline(__always) static var none: NodeHandle { NodeHandle(LeafHandle.none) }
  @inline(__always) var isNone: Bool { place == .max }
  @inline(__always) var leaf: LeafHandle { LeafHandle(place: place) }
  @inline(__always) var inner: InnerHandle { InnerHandle(place: place) }
}
