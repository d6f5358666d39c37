/// Operations of one actor with consecutive counters that a rule derives from the first.
///
/// The common form of a local transaction's log, of a decoded change and of the ops that a
/// saved document implies. Either one operation of any kind, or
///
/// - `count` insertions, each after the one before, with neighbouring values of one size, or
/// - `count` deletions of simple elements: `key + step * j`, each its own predecessor.
struct OpRun: BitwiseCopyable {
  /// The object's id; counter 0 is the root.
  var objectCounter: UInt32
  var objectActor: UInt16
  var actor: UInt16
  var counter: UInt32
  var count: UInt32 = 1
  /// A map key's number, or `.max` when the key is an element.
  var key: UInt32
  /// The element; counter 0 is the head.
  var elementCounter: UInt32 = 0
  var elementActor: UInt16 = 0
  var action: UInt8
  var flags: UInt8 = 0
  var meta: UInt32 = 0
  /// Offset in the value bytes.
  var value: UInt32 = 0
  /// Predecessors: `predCount` entries from `pred` on in the list that goes with the runs.
  var pred: UInt32 = 0
  var predCount: UInt32 = 0
  var name: UInt32 = .max
  var step: Int32 = 1

  enum Flag {
    static let insert: UInt8 = 1
    static let expand: UInt8 = 2
    /// A deletion whose only predecessor is the element's own insertion.
    static let plainDelete: UInt8 = 4
  }

  @inline(__always) var isInsert: Bool { flags & Flag.insert != 0 }
  @inline(__always) var isPlainDelete: Bool { flags & Flag.plainDelete != 0 }
  @inline(__always) var expands: Bool { flags & Flag.expand != 0 }
  @inline(__always) var id: PackedID { PackedID(counter, actor) }
  @inline(__always) var object: PackedID { PackedID(objectCounter, objectActor) }
  @inline(__always) var element: PackedID { PackedID(elementCounter, elementActor) }
  @inline(__always) var end: UInt32 { counter &+ count }

  /// The element of the operation at `offset`.
  @inline(__always)
  func element(of offset: UInt32) -> PackedID {
    if offset == 0 { return element }
    if isInsert { return PackedID(counter &+ offset &- 1, actor) }
    let moved = elementCounter &+ UInt32(bitPattern: step &* Int32(bitPattern: offset))
    return PackedID(moved, elementActor)
  }
}
