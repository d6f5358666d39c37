/// The marks that are open at a place of a sequence, while the sequence is walked from its start.
///
/// A begin opens a mark and its end closes it; an end whose begin is not open is ignored. Of the open
/// marks of one name the begin with the greatest id gives the value, null included.
///
///     A   begin 7 bold   B   begin 9 bold=null   C   end 8   D   end 10   E
///         open: 7            open: 7, 9              9             -
///         bold               (taken away)            (taken away)
///
/// Cost: for n marks, each step takes O(log n), amortised.
///
/// Source: Specification/Semantics.md, "Marks".
///
/// A begin that is closed stays in its heap until it comes to the top: nothing is searched for.
struct OpenMarks {
  /// One mark's begin.
  private struct Begin {
    /// Orders ids across replicas: the counter, then the actor's rank.
    ///
    /// `counter << 16 | rank`, so that one comparison decides; ranks are those of one walk.
    var order: UInt64
    /// The packed id, which the end names by its own: an end's counter is one more.
    var id: UInt64
    var meta: ValueMeta
    var value: UInt32
  }

  /// All begins of one name that were met; closed ones go when they come to the top.
  private var heaps: [KeyHandle: [Begin]] = [:]
  /// The open begins by their ids, with their names.
  private var open: [UInt64: KeyHandle] = [:]
  /// The names whose value may have changed since ``takeChanged()``.
  private var changed: Set<KeyHandle> = []

  var hasChanged: Bool { !changed.isEmpty }

  /// The names whose value may have changed since the last call.
  mutating func takeChanged() -> Set<KeyHandle> {
    defer { changed = [] }
    return changed
  }

  /// Passes a mark operation.
  mutating func pass(_ row: Row, rank: UInt16) {
    if row.name.isNone {
      let begin = PackedID(row.counter &- 1, row.actor).raw
      if let name = open.removeValue(forKey: begin) { changed.insert(name) }
      return
    }
    open[row.id.raw] = row.name
    changed.insert(row.name)
    push(
      Begin(
        order: UInt64(row.counter) << 16 | UInt64(rank),
        id: row.id.raw,
        meta: row.meta,
        value: row.value
      ),
      to: row.name
    )
  }

  /// The value of a name here, as it is stored; `nil` if no mark of the name is open.
  mutating func value(of name: KeyHandle) -> (meta: ValueMeta, value: UInt32)? {
    guard var heap = heaps.removeValue(forKey: name) else { return nil }
    while let top = heap.first, open[top.id] == nil { Self.pop(&heap) }
    guard let top = heap.first else { return nil }
    heaps[name] = heap
    return (top.meta, top.value)
  }

  // A heap with the greatest order first.

  /// The heap is taken out of the table while it changes, so that it is not copied.
  private mutating func push(_ begin: Begin, to name: KeyHandle) {
    var heap = heaps.removeValue(forKey: name) ?? []
    heap.append(begin)
    var child = heap.count - 1
    while child > 0, heap[(child - 1) / 2].order < heap[child].order {
      heap.swapAt((child - 1) / 2, child)
      child = (child - 1) / 2
    }
    heaps[name] = heap
  }

  /// Takes the greatest out.
  private static func pop(_ heap: inout [Begin]) {
    let last = heap.removeLast()
    if heap.isEmpty { return }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      if child >= heap.count { return }
      if child + 1 < heap.count, heap[child + 1].order > heap[child].order { child += 1 }
      if heap[parent].order >= heap[child].order { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
