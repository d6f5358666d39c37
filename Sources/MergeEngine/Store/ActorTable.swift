/// The actors a document knows, numbered in the order in which it met them.
///
/// Numbers never change, so ids in the store stay valid; `ranks` gives each number's place in
/// byte order, which decides between ids of equal counters.
struct ActorTable: ~Copyable {
  private(set) var ids: [ActorID] = []
  private(set) var ranks = Arena<UInt16>()
  /// From an id's bytes to its number; empty while there are few.
  private var slots = HashSlots()
  /// Actor numbers in byte order.
  private(set) var sorted: ContiguousArray<UInt16> = []
  /// The bytes of all ids, one behind the other, and where each ends.
  private var bytes = Arena<UInt8>()
  private var ends = Arena<UInt32>()

  init() {}

  borrowing func copy() -> ActorTable {
    var copy = ActorTable()
    copy.ids = ids
    copy.ranks = ranks.copy()
    copy.slots = slots.copy()
    copy.sorted = sorted
    copy.bytes = bytes.copy()
    copy.ends = ends.copy()
    return copy
  }

  var count: Int { ranks.count }
  var byteCapacity: Int {
    ranks.byteCapacity + slots.byteCapacity + bytes.byteCapacity + ends.byteCapacity
  }

  /// The bytes of an actor's id.
  @inline(__always)
  func view(_ number: UInt16) -> ByteView {
    let start = number == 0 ? 0 : Int(ends[Int(number) - 1])
    return bytes.view(from: start, length: Int(ends[Int(number)]) - start)
  }

  /// Up to so many actors are compared one by one.
  private static let fewCount = Sizes.fewActors

  func find(_ id: ActorID) -> UInt16? {
    if ids.count > Self.fewCount { return withView(of: id.bytes) { lookUp($0) } }
    for (number, known) in ids.enumerated() where known == id { return UInt16(number) }
    return nil
  }

  /// The number of an actor by its bytes, without making an id of them.
  func find(_ bytes: ByteView) -> UInt16? {
    if ids.count > Self.fewCount { return lookUp(bytes) }
    for number in 0..<UInt16(ids.count) where view(number).matches(bytes) { return number }
    return nil
  }

  private func lookUp(_ bytes: ByteView) -> UInt16? {
    var at = slots.start(HashSlots.hash(of: bytes))
    while let number = slots.value(at) {
      if view(UInt16(number)).matches(bytes) { return UInt16(number) }
      at = slots.next(at)
    }
    return nil
  }

  /// Enters every id into slots of a size.
  private mutating func rebuildSlots(sizeLog: Int) {
    var fresh = HashSlots(sizeLog: sizeLog)
    for number in 0..<UInt32(ids.count) {
      var at = fresh.start(HashSlots.hash(of: view(UInt16(number))))
      while fresh.value(at) != nil { at = fresh.next(at) }
      fresh.fill(at, number)
    }
    slots = fresh
  }

  /// The number of an actor by its bytes, which is added if it is new; nil when the table is full.
  mutating func intern(_ bytes: ByteView) -> UInt16? {
    find(bytes) ?? intern(ActorID(bytes.array))
  }

  /// The number of an actor, which is added if it is new; nil when the table is full.
  mutating func intern(_ id: ActorID) -> UInt16? {
    if let known = find(id) { return known }
    guard ids.count < Limits.actorLimit else { return nil }
    let number = UInt16(ids.count)
    ids.append(id)
    bytes.append(id.bytes)
    ends.append(UInt32(bytes.count))
    if ids.count == Self.fewCount + 1 {
      rebuildSlots(sizeLog: Sizes.actorTableLog)
    } else if ids.count > Self.fewCount {
      var at = slots.start(HashSlots.hash(of: view(number)))
      while slots.value(at) != nil { at = slots.next(at) }
      slots.fill(at, UInt32(number))
      if slots.isCrowded { rebuildSlots(sizeLog: slots.grownSizeLog) }
    }
    var (rank, high) = (0, sorted.count)
    // Files name their actors in order: each goes to the end, and moves no other.
    if let last = sorted.last, ids[Int(last)] < id { rank = high }
    while rank < high {
      let middle = (rank + high) / 2
      if ids[Int(sorted[middle])] < id { rank = middle + 1 } else { high = middle }
    }
    sorted.insert(number, at: rank)
    if rank < Int(number) {
      for other in 0..<Int(number) where ranks[other] >= UInt16(rank) { ranks[other] += 1 }
    }
    ranks.append(UInt16(rank))
    return number
  }

  /// Forgets every actor numbered `count` or more.
  mutating func truncate(to count: Int) {
    if ids.count == count { return }
    while ids.count > count {
      let rank = ranks[ids.count - 1]
      sorted.remove(at: Int(rank))
      ranks.truncate(to: ids.count - 1)
      ends.truncate(to: ids.count - 1)
      bytes.truncate(to: ids.count == 1 ? 0 : Int(ends[ids.count - 2]))
      ids.removeLast()
      for other in 0..<ids.count where ranks[other] > rank { ranks[other] -= 1 }
    }
    // Slots forget nothing one by one.
    if count > Self.fewCount { rebuildSlots(sizeLog: slots.sizeLog) }
  }
}
