/// Checks that the insertions of a sequence come in list order.
///
/// List order is a walk of the tree in which an element's parent is its reference; of two
/// siblings the one with the greater id comes first. One pass with a stack of the open branch
/// decides, runs counting as one entry: amortised constant time for each run.
///
///     list  A1 A2 B5 A3      A2 refers to A1, B5 to A2, A3 to A2
///     stack [A1 A2]          A2 extends the entry of A1
///           [A1 A2] [B5]     the branch under A2 is open, B5 first
///           [A1 A2] [A3]     B5 is popped; A3 must have the lesser id: siblings descend
///
/// Source: Specification/Format.md, "Order of operation rows".
///
/// What always holds: the first element of an entry refers to the last element of the entry below
/// it, whose rest was cut off when the branch began.
struct OrderStack: ~Copyable {
  /// Elements of one actor with consecutive ids, each behind the one before: `counter...last`.
  ///
  /// The last and not the one behind it, which the greatest counter does not have.
  // Not private: the debug build of other files needs its metadata (compiler 6.3.1).
  struct Entry: BitwiseCopyable {
    var counter: UInt32
    var last: UInt32
    var actor: UInt16
  }
  /// The open branch, from the head of the list to the element that came last.
  private var entries = Arena<Entry>()

  mutating func reset() { entries.truncate(to: 0) }

  /// Enters `count` elements from `id` on; `false` if they cannot stand here.
  ///
  ///     entries [1...4@b] [9@c]     push 3@a behind 2@b
  ///     pop [9@c]; 2 stands in [1...4@b], whose rest 3, 4 is cut off: [1...2@b]
  ///     the rest's first, 3@b, is the sibling before: 3@a must precede it, and does
  ///     entries [1...2@b] [3@a]
  ///
  /// `popped` is the first element of what was taken off last: the sibling that came before. The id
  /// must also be above its reference, as every writer's is.
  ///
  /// After `false` the stack is of no use until ``reset()``.
  @inline(__always)
  mutating func push(
    _ id: PackedID,
    count: UInt32,
    after reference: PackedID,
    _ core: borrowing Core
  ) -> Bool {
    var popped = PackedID.none
    while true {
      if entries.isEmpty {
        if reference.isNone { break }
        return false
      }
      let place = entries.count - 1
      let top = entries[place]
      if top.actor == reference.actor && reference.counter >= top.counter
        && reference.counter <= top.last
      {
        if reference.counter < top.last {
          popped = PackedID(reference.counter &+ 1, top.actor)
          entries[place].last = reference.counter
        } else if popped.isNone && id.actor == top.actor && id.counter == top.last &+ 1 {
          entries[place].last = top.last &+ count
          return true
        }
        break
      }
      popped = PackedID(top.counter, top.actor)
      entries.truncate(to: place)
    }
    if !popped.isNone && !core.precedes(id, popped) { return false }
    if !reference.isNone && !core.precedes(reference, id) { return false }
    entries.append(Entry(counter: id.counter, last: id.counter &+ (count &- 1), actor: id.actor))
    return true
  }
}
