/// The actors a document knows, numbered in the order in which it met them.
///
/// Numbers never change, so ids in the store stay valid; `ranks` knows the byte order, which decides
/// between ids of equal counters.
///
/// Cost: constant (amortised) for each actor that comes, wherever it stands in byte order.
///
///     number    0        1        2               in the order of meeting; part of every packed id
///     ids       c0 ...   07 ...   9a ...
///     order     2nd      0th      1st             by bytes: asked of `ranks`, stored nowhere
///
/// A change that is refused takes its actors back (``truncate(to:)``), so that only the last
/// numbers are ever given again, and no id in the store has them then.
struct ActorTable: ~Copyable {
  /// The same ids as in `ranks`, as values that callers get.
  private(set) var ids: [ActorID] = []
  private(set) var ranks = ActorRanks()
  /// From an id's bytes to its number; empty while there are few.
  private var slots = HashSlots()

  init() {}

  borrowing func copy() -> ActorTable {
    var copy = ActorTable()
    copy.ids = ids
    copy.ranks = ranks.copy()
    copy.slots = slots.copy()
    return copy
  }

  var count: Int { ranks.count }
  var byteCapacity: Int { ranks.byteCapacity + slots.byteCapacity }

  /// The bytes of an actor's id.
  @inline(__always)
  func view(_ number: UInt16) -> ByteView { ranks.view(number) }

  /// Actor numbers in byte order.
  ///
  /// Cost: n log n; saving asks once.
  var sorted: [UInt16] {
    if count == 1 { return [0] }
    return (0..<UInt16(count)).sorted { ranks.precedes($0, $1) }
  }

  /// Up to this many actors a search compares one by one.
  private static let fewCount = Sizes.fewActors

  /// The number of an actor; `nil` if the document has not met it.
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

  /// The number of an actor by its bytes, which is added if it is new and fewer than `limit` are here;
  /// `nil` otherwise.
  mutating func intern(_ bytes: ByteView, limit: Int = Limits.actorLimit) -> UInt16? {
    find(bytes) ?? intern(ActorID(bytes.array), limit: limit)
  }

  /// The number of an actor, which is added if it is new and fewer than `limit` are here; `nil`
  /// otherwise.
  mutating func intern(_ id: ActorID, limit: Int = Limits.actorLimit) -> UInt16? {
    if let known = find(id) { return known }
    // Both limits are checked before anything is entered: nil leaves the table as it was.
    guard ids.count < min(limit, Limits.actorLimit), id.bytes.count <= Limits.actorByteLimit
    else { return nil }
    let number = UInt16(ids.count)
    ids.append(id)
    ranks.append(id.bytes)
    if ids.count == Self.fewCount + 1 {
      rebuildSlots(sizeLog: Sizes.actorTableLog)
    } else if ids.count > Self.fewCount {
      var at = slots.start(HashSlots.hash(of: view(number)))
      while slots.value(at) != nil { at = slots.next(at) }
      slots.fill(at, UInt32(number))
      if slots.isCrowded { rebuildSlots(sizeLog: slots.grownSizeLog) }
    }
    return number
  }

  /// Forgets every actor numbered `count` or more.
  mutating func truncate(to count: Int) {
    ids.removeLast(ids.count - count)
    ranks.truncate(to: count)
    // Slots forget nothing one by one.
    if count > Self.fewCount { rebuildSlots(sizeLog: slots.sizeLog) }
  }
}

/// The byte order of numbered actors.
///
/// The first eight bytes decide as one number, so that an actor which comes moves no other; ids that
/// begin alike are compared as a whole.
///
///     id              prefix
///     61 62           6162 0000 0000 0000        zeros fill up: an id of fewer bytes may have the
///     61 62 00        6162 0000 0000 0000        prefix of another, and the whole ids decide
struct ActorRanks: ~Copyable {
  /// The first eight bytes of each id, the first one highest; zeros where it has fewer.
  private var prefixes = Arena<UInt64>()
  /// The bytes of all ids, one behind the other, and where each ends.
  private var bytes = Arena<UInt8>()
  private var ends = Arena<UInt32>()

  init() {}

  borrowing func copy() -> ActorRanks {
    var copy = ActorRanks()
    copy.prefixes = prefixes.copy()
    copy.bytes = bytes.copy()
    copy.ends = ends.copy()
    return copy
  }

  var count: Int { prefixes.count }
  var byteCapacity: Int { prefixes.byteCapacity + bytes.byteCapacity + ends.byteCapacity }

  @inline(__always)
  func view(_ number: UInt16) -> ByteView {
    let start = number == 0 ? 0 : Int(ends[Int(number) - 1])
    return bytes.view(from: start, length: Int(ends[Int(number)]) - start)
  }

  @inline(__always)
  func precedes(_ left: UInt16, _ right: UInt16) -> Bool {
    let (first, second) = (prefixes[Int(left)], prefixes[Int(right)])
    if first != second { return first < second }
    return left != right && wholePrecedes(left, right)
  }

  private func wholePrecedes(_ left: UInt16, _ right: UInt16) -> Bool {
    view(left).precedes(view(right))
  }

  fileprivate mutating func append(_ id: [UInt8]) {
    var prefix: UInt64 = 0
    for index in 0..<8 { prefix = prefix << 8 | (index < id.count ? UInt64(id[index]) : 0) }
    prefixes.append(prefix)
    bytes.append(id)
    ends.append(UInt32(bytes.count))
  }

  fileprivate mutating func truncate(to count: Int) {
    prefixes.truncate(to: count)
    ends.truncate(to: count)
    bytes.truncate(to: count == 0 ? 0 : Int(ends[count - 1]))
  }
}
