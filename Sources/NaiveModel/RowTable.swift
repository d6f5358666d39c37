import DocumentModel

/// A key of a ``RowTable``.
protocol RowTableKey: Equatable {
  /// A word in which two keys seldom agree.
  var word: UInt64 { get }
}

extension OpID: RowTableKey {}

extension ObjectID: RowTableKey {
  var word: UInt64 {
    switch self {
    case .root: 0
    case .made(let id): id.word
    }
  }
}

/// What ``RowIndex`` knows by id: a dictionary that hashes with one multiplication, and that a copy of
/// the model shares or copies as two blocks of memory.
///
/// The hashes of `Dictionary` keep strangers from preparing collisions. Here every key is the harness's,
/// and they took a third of the specification's time.
///
///     slots      [ - | 2 | 0 | - | 1 | - | - | - ]       places of entries; -1 is a free slot
///     entries    [ 3@a: x | 1@b: y | 2@a: z ]            in the order in which keys came
///
/// A search begins at the slot that the hash names, and goes on slot by slot to the entry or a free
/// slot. Nothing is taken out, and at most half of the slots are filled.
struct RowTable<Key: RowTableKey & Sendable, Value: Sendable>: Sendable {
  private var entries: [(key: Key, value: Value)] = []
  private var slots: [Int32] = []
  /// There are two to this power of slots.
  private var sizeLog: UInt64 = 0

  /// Makes room for the first `count` keys.
  mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
    if count * 2 > slots.count { rebuild(for: count) }
  }

  /// The value of a key; `nil` if it has none.
  subscript(key: Key) -> Value? {
    guard !slots.isEmpty else { return nil }
    let place = slots[slot(of: key)]
    return place < 0 ? nil : entries[Int(place)].value
  }

  /// Changes the value of a key, which is `new` for a key that has none.
  mutating func update(_ key: Key, default new: Value, _ body: (inout Value) -> Void) {
    if (entries.count + 1) * 2 > slots.count { rebuild(for: entries.count + 1) }
    let slot = slot(of: key)
    if slots[slot] < 0 {
      slots[slot] = Int32(entries.count)
      entries.append((key, new))
    }
    body(&entries[Int(slots[slot])].value)
  }

  /// The slot that holds the key's place, or in which it is to stand.
  private func slot(of key: Key) -> Int {
    var at = Int(truncatingIfNeeded: (key.word &* 0x9e37_79b9_7f4a_7c15) >> (64 &- sizeLog))
    while slots[at] >= 0, entries[Int(slots[at])].key != key {
      at = (at + 1) & (slots.count - 1)
    }
    return at
  }

  private mutating func rebuild(for count: Int) {
    sizeLog = max(sizeLog, 3)
    while 1 << sizeLog < count * 2 { sizeLog += 1 }
    slots = [Int32](repeating: -1, count: 1 << sizeLog)
    for place in entries.indices { slots[slot(of: entries[place].key)] = Int32(place) }
  }
}
