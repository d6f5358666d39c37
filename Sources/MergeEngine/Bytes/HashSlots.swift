/// Open addressing over numbers that name entries elsewhere.
///
/// The hash has a new seed in each process, and the seed goes in before the input is mixed, so that
/// no sender can prepare keys, ids or hashes that collide; nothing iterates the slots, so the seed
/// cannot reach an output. What one process answered tells nothing of the seed but by its timing.
///
///     slots      [ - | 2 | 0 | - | 1 | - | - | - ]       places of entries; `.max` is a free slot
///     entries    [ key 0 | key 1 | key 2 ]               kept by the owner: keys, actors, hashes
///
/// A search begins at the slot that the hash names, and goes on slot by slot until an entry has the
/// key or a slot is free. Slots are never emptied one by one, which would cut searches short; at
/// most three quarters are filled, so that every search ends.
///
/// There are none before the first is filled: most tables of a small document, and those of its
/// copies, stay empty.
///
/// The owner keeps the slots right: whatever it enters it fills in, and asks ``isCrowded`` after
/// each; where entries go or move, it builds fresh slots. A place is at most 2^32 - 2.
struct HashSlots: ~Copyable {
  private var slots: Arena<UInt32>
  /// There are two to this power of slots, so that a mask gives the place.
  private(set) var sizeLog: Int
  private var used = 0

  private static let seed = UInt64.random(in: .min ... .max) | 1

  init(sizeLog: Int = Sizes.tableLog) {
    self.sizeLog = sizeLog
    slots = Arena()
  }

  private init(slots: consuming Arena<UInt32>, sizeLog: Int, used: Int) {
    self.slots = slots
    self.sizeLog = sizeLog
    self.used = used
  }

  borrowing func copy() -> HashSlots {
    HashSlots(slots: slots.copy(), sizeLog: sizeLog, used: used)
  }

  var byteCapacity: Int { slots.byteCapacity }

  /// Asked by the owner after each ``fill(_:_:)``; it then builds new slots of ``grownSizeLog``.
  var isCrowded: Bool { used * 4 > 3 << sizeLog }

  /// The size to grow to: small tables fourfold, so that they are rebuilt seldom.
  var grownSizeLog: Int { sizeLog + (sizeLog < Sizes.fastTableLog ? 2 : 1) }

  /// The hash of any bytes; cost: a multiplication for each.
  @inline(__always)
  static func hash(of bytes: ByteView) -> UInt64 {
    var hash = seed
    var at = 0
    while at < bytes.count {
      hash = (hash ^ UInt64(bytes[at])) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      at += 1
    }
    return mix(hash ^ UInt64(bytes.count))
  }

  @inline(__always)
  static func hash(of number: UInt64) -> UInt64 { mix(number ^ seed) }

  /// Folds the 128 bits of a product: slots are chosen by low bits, which all bits thus reach.
  @inline(__always)
  private static func mix(_ number: UInt64) -> UInt64 {
    let product = number.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }

  @inline(__always)
  private var mask: Int { (1 << sizeLog) - 1 }

  /// The slot at which a search begins.
  @inline(__always)
  func start(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & mask }

  /// The slot behind; the first behind the last.
  @inline(__always)
  func next(_ at: Int) -> Int { (at + 1) & mask }

  /// The entry in a slot; `nil` if the slot is free.
  @inline(__always)
  func value(_ at: Int) -> UInt32? {
    if slots.isEmpty { return nil }
    let value = slots[at]
    return value == .max ? nil : value
  }

  /// The slot must be free: the one at which a search ended.
  @inline(__always)
  mutating func fill(_ at: Int, _ value: UInt32) {
    if slots.isEmpty { makeSlots() }
    slots[at] = value
    used += 1
  }

  private mutating func makeSlots() {
    slots = Arena(capacity: 1 << sizeLog)
    slots.append(repeating: .max, count: 1 << sizeLog)
  }
}

/// A map from 64-bit numbers to 32-bit ones.
///
/// Insertion order is entry order, and no call shows either.
///
///     set 70 -> 3, set 5 -> 0     entries [ 70: 3 | 5: 0 ]       slots name entries 0 and 1
///     remove 70                   entries [ 70: none | 5: 0 ]    found, and told as nil
///     set 70 -> 8                 entries [ 70: 8 | 5: 0 ]       the old place
///
/// Finds objects by packed id, registers by object and key, pages of the index of elements.
struct NumberTable: ~Copyable {
  /// Key and value side by side: a look-up touches two places, the slot and this.
  ///
  /// Private, it would crash the compiler (6.3.1) in debug builds.
  struct Entry: BitwiseCopyable {
    var key: UInt64
    var value: UInt32
  }

  private var entries: Arena<Entry>
  private var slots: HashSlots

  init() {
    entries = Arena()
    slots = HashSlots()
  }

  private init(entries: consuming Arena<Entry>, slots: consuming HashSlots) {
    self.entries = entries
    self.slots = slots
  }

  borrowing func copy() -> NumberTable {
    NumberTable(entries: entries.copy(), slots: slots.copy())
  }

  var byteCapacity: Int { entries.byteCapacity + slots.byteCapacity }

  @inline(__always)
  func find(_ key: UInt64) -> UInt32? {
    var at = slots.start(HashSlots.hash(of: key))
    while let number = slots.value(at) {
      let entry = entries[number]
      if entry.key == key { return entry.value == .max ? nil : entry.value }
      at = slots.next(at)
    }
    return nil
  }

  /// Forgets the value of a key; its place in memory stays.
  ///
  /// A key set again later gets its old place. Undoing and redoing edits thus takes no more memory
  /// than making them once.
  mutating func remove(_ key: UInt64) { set(key, .max) }

  /// Sets the value of a key, new or not; at most 2^32 - 2.
  @inline(__always)
  mutating func set(_ key: UInt64, _ value: UInt32) {
    var at = slots.start(HashSlots.hash(of: key))
    while let number = slots.value(at) {
      if entries[number].key == key {
        entries[number].value = value
        return
      }
      at = slots.next(at)
    }
    slots.fill(at, UInt32(entries.count))
    entries.append(Entry(key: key, value: value))
    if slots.isCrowded { rebuild(sizeLog: slots.grownSizeLog) }
  }

  /// Makes room for `extra` more keys.
  mutating func reserve(_ extra: Int) {
    entries.reserve(extra)
    var sizeLog = slots.sizeLog
    while (entries.count + extra) * 4 > 3 << sizeLog { sizeLog += 1 }
    if sizeLog > slots.sizeLog { rebuild(sizeLog: sizeLog) }
  }

  private mutating func rebuild(sizeLog: Int) {
    var fresh = HashSlots(sizeLog: sizeLog)
    for number in 0..<entries.count {
      var at = fresh.start(HashSlots.hash(of: entries[number].key))
      while fresh.value(at) != nil { at = fresh.next(at) }
      fresh.fill(at, UInt32(number))
    }
    slots = fresh
  }
}
