/// By an actor's number in the document, the index by which a chunk names the actor.
///
/// A document numbers actors as they come; a chunk lists those that it names, and its columns have
/// places in that list. A change lists its author first, and the others by their bytes:
///
///     number in the document     0 "07"     1 "ab"     2 "cd"     3 "ff"
///     a change by 2, begun       absent     absent     0          absent
///     its ops name 3, then 1     absent     noted      0          noted
///     settled                    absent     1          0          2
///     read by ops of the change  bytes 02 in a column of actors are "ff"
///
/// A document chunk lists all that made a change, by their bytes, so that nothing has to be noted.
struct ChunkActors: ~Copyable {
  /// ``absent``, ``noted`` or an index.
  private var indexes: Arena<UInt64>

  /// The chunk does not name the actor.
  private static var absent: UInt64 { .max }
  /// The chunk names the actor; its index is not known before all are noted.
  private static var noted: UInt64 { .max - 1 }

  init() { indexes = Arena() }

  var byteCapacity: Int { indexes.byteCapacity }

  /// Makes room for the numbers below `count`; new ones are absent.
  mutating func reserve(_ count: Int) {
    while indexes.count < count { indexes.append(Self.absent) }
  }

  /// The index of an actor that has one; of another a number that no chunk has.
  subscript(actor: UInt16) -> UInt64 {
    @inline(__always) get { indexes[Int(actor)] }
    @inline(__always) set { indexes[Int(actor)] = newValue }
  }

  /// Notes an actor; false if it is noted already, or has its index.
  @inline(__always)
  mutating func note(_ actor: UInt16) -> Bool {
    guard indexes[Int(actor)] == Self.absent else { return false }
    indexes[Int(actor)] = Self.noted
    return true
  }

  mutating func forget(_ actor: UInt16) { indexes[Int(actor)] = Self.absent }
}
