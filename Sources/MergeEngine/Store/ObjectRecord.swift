/// An object: what it is, where it hangs, and for sequences the root of its tree.
struct ObjectRecord: BitwiseCopyable {
  /// The making operation: with `actor` the object's id; 0 for the root.
  var counter: UInt32
  var actor: UInt16
  var kind: ObjectKind
  /// Levels of inner nodes above the leaves.
  var height: UInt8 = 0
  /// The containing object; none for the root.
  var parent: ObjectHandle
  /// The key in the parent; none when the parent is a sequence.
  var key: KeyHandle
  /// The element in the parent sequence.
  var element: PackedID
  /// A leaf, or an inner node when `height > 0`; none while nothing was ever inserted.
  var root = NodeHandle.none
  var firstLeaf = LeafHandle.none
  /// Visible units.
  var length: UInt32 = 0
  /// Mark operations in the sequence.
  var marks: UInt32 = 0
  /// A map's registers.
  ///
  /// Linked by ``Register/next``, the youngest first.
  var firstRegister = RegisterHandle.none
  /// Where the last local edit was.
  var cursor = UnitPlace.none

  var id: PackedID { PackedID(counter, actor) }
}
