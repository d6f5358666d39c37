/// Operations of one actor with consecutive counters that a rule derives from the first.
///
/// The common form of a local transaction's log, of a decoded change and of the ops that a
/// saved document implies. Either one operation of any kind, or
///
/// - `count` insertions, each after the one before, with neighbouring values of one size, or
/// - `count` deletions of simple elements: `key + step * j`, each its own predecessor.
///
/// Example: after "hello" was typed by operations 7 to 11, the backspace key takes "lo" away:
///
///     insertions   counter 7, count 5, element head (then 7, 8, 9, 10), value "hello"
///     deletions    counter 12, count 2, element 11, step -1: of 11, then of 10
///
/// What holds of every run: `count` is 1 or more, its last counter at most 2^32 - 1; more than one
/// only of insertions and plain deletions, and of insertions only with the action `set`, or with
/// whatever action the sequence's own runs have when a document's are collected; a plain deletion
/// has no entry in `pred`.
struct OpRun: BitwiseCopyable {
  /// The object's id; counter 0 is the root.
  var objectCounter: UInt32
  var objectActor: UInt16
  /// With `counter` the id of the first operation.
  var actor: UInt16
  var counter: UInt32
  var count: UInt32 = 1
  /// A map key; none when the key is an element.
  var key: KeyHandle
  /// The element; counter 0 is the head.
  var elementCounter: UInt32 = 0
  var elementActor: UInt16 = 0
  var action: Action
  var flags: Flags = []
  /// Type and length of each value; all elements of a run share it.
  var meta = ValueMeta.null
  /// Offset in the value bytes.
  var value: UInt32 = 0
  /// Where its predecessors begin in the list that goes with the runs; meaningful if it has any.
  var predecessorStart = PredHandle(place: 0)
  var predecessorCount: UInt32 = 0
  /// A mark's name; none for an end of a mark, and for every other action.
  var name = KeyHandle.none
  /// Of deletions, 1 or -1: which way the deleted elements go.
  var step: Int32 = 1

  struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt8

    static let insert = Flags(rawValue: 1)
    static let expand = Flags(rawValue: 2)
    /// A deletion whose only predecessor is the element's own insertion.
    static let plainDelete = Flags(rawValue: 4)
  }

  @inline(__always) var isInsert: Bool { flags.contains(.insert) }
  @inline(__always) var isPlainDelete: Bool { flags.contains(.plainDelete) }
  @inline(__always) var expands: Bool { flags.contains(.expand) }
  @inline(__always) var id: PackedID { PackedID(counter, actor) }
  @inline(__always) var object: PackedID { PackedID(objectCounter, objectActor) }
  @inline(__always) var element: PackedID { PackedID(elementCounter, elementActor) }
  /// Its predecessors: entries of the list that goes with the runs, the transaction's or the change's.
  @inline(__always) var preds: Handles<PackedID> {
    Handles(from: predecessorStart, count: predecessorCount)
  }
  /// The counter behind the last operation's.
  @inline(__always) var end: UInt32 { counter &+ count }
  @inline(__always) var byteCount: UInt32 { meta.byteCount }

  /// The id of the operation at `offset`.
  @inline(__always)
  func id(of offset: UInt32) -> PackedID { PackedID(counter &+ offset, actor) }

  /// The element of the operation at `offset`.
  ///
  /// Of an insertion the element behind which it goes, of a deletion the one that it deletes.
  /// Deletions may step down: the product is negative then, and the sum wraps back.
  @inline(__always)
  func element(of offset: UInt32) -> PackedID {
    if offset == 0 { return element }
    if isInsert { return PackedID(counter &+ offset &- 1, actor) }
    let moved = elementCounter &+ UInt32(bitPattern: step &* Int32(bitPattern: offset))
    return PackedID(moved, elementActor)
  }

  /// Lengthens the run by the one that was made right behind it, if a rule allows; `false`
  /// otherwise, and nothing has changed.
  ///
  /// Only runs of one actor meet: those of one transaction, or of one change.
  @inline(__always)
  mutating func join(_ next: OpRun) -> Bool {
    guard objectCounter == next.objectCounter && objectActor == next.objectActor else {
      return false
    }
    if next.isInsert && isInsert {
      guard action == .set && next.action == .set && meta == next.meta,
        next.elementCounter == end &- 1 && next.elementActor == actor,
        predecessorCount == 0 && next.predecessorCount == 0,
        value &+ count &* byteCount == next.value
      else { return false }
    } else if next.isPlainDelete && isPlainDelete && next.elementActor == elementActor {
      let last = element(of: count &- 1).counter
      // Counters are unsigned: the difference is taken in 64 bits.
      let distance = Int64(next.elementCounter) - Int64(last)
      guard distance == 1 || distance == -1,
        count == 1 || distance == Int64(step),
        next.count == 1 || distance == Int64(next.step)
      else { return false }
      step = Int32(truncatingIfNeeded: distance)
    } else {
      return false
    }
    count &+= next.count
    return true
  }
}
