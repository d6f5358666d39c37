/// An object: what it is, where it hangs, and for sequences the root of its tree.
///
///     root           parent none                      kind map, the first object of every store
///     {"t": text}    parent root, key "t"             element none
///     [[1]]          parent 4, key none, element 5@a  the inner list, at the element that made it
///
/// Parent, key and element say where the object was made, which never changes; whether it is shown
/// there is a question to that place. Its own place in the arena is the order in which this replica
/// met it.
struct ObjectRecord: BitwiseCopyable {
  /// The making operation: with `actor` the object's id; 0 for the root.
  var counter: UInt32
  var actor: UInt16
  var kind: ObjectKind
  /// Levels of inner nodes above the leaves: what tells whether `root` is a leaf.
  var height: UInt8 = 0
  /// The containing object; none for the root.
  var parent: ObjectHandle
  /// The key in the parent; none when the parent is a sequence.
  var key: KeyHandle
  /// The element in the parent sequence; none when the parent is a map.
  var element: PackedID
  /// A leaf, or an inner node when `height > 0`; none while nothing was ever inserted.
  var root = NodeHandle.none
  var firstLeaf = LeafHandle.none
  /// Visible units: the sum of all widths, kept by ``Core/addWidthAbove(_:_:)``; 0 of a map.
  var length: UInt32 = 0
  /// Mark operations in the sequence, those that are past included: 0 spares edits a look for
  /// marks.
  var marks: UInt32 = 0
  /// A map's registers.
  ///
  /// Linked by ``Register/next``, the youngest first.
  var firstRegister = RegisterHandle.none
  /// Where the last local edit was: a hint, and `.none` wherever it might not be right.
  var cursor = UnitPlace.none

  var id: PackedID { PackedID(counter, actor) }
}
