/// The strings used as map keys and mark names, each once, named by handles.
///
/// Two keys are equal exactly when their handles are. Nothing is ever removed.
///
///     bytes    t i t l e d u e t a g s            one key behind the other
///     ends                 5     8       12       key 1 is "due": from 5 to 8
///     slots    by hash, to 0, 1 or 2
///
/// Equal means equal bytes: keys that look alike in different normal forms are two.
///
/// All keys together have at most ``Limits/totalValueByteLimit`` bytes, and each but the empty one
/// has a byte of its own: so every place and every end fits 32 bits, and no place is that of
/// `.none`.
///
/// Keys that only refused changes have named stay until the store is rebuilt.
struct KeyTable: ~Copyable {
  /// What a ``KeyHandle`` names: a string of the table.
  struct Key {}

  private var bytes: Arena<UInt8>
  /// Where each key ends; it begins where the one before ends.
  private var ends: Arena<UInt32>
  private var slots: HashSlots

  init() {
    bytes = Arena()
    ends = Arena()
    slots = HashSlots()
  }

  private init(
    bytes: consuming Arena<UInt8>,
    ends: consuming Arena<UInt32>,
    slots: consuming HashSlots
  ) {
    self.bytes = bytes
    self.ends = ends
    self.slots = slots
  }

  borrowing func copy() -> KeyTable {
    KeyTable(bytes: bytes.copy(), ends: ends.copy(), slots: slots.copy())
  }

  var byteCount: Int { bytes.byteCount + ends.byteCount }
  var byteCapacity: Int { bytes.byteCapacity + ends.byteCapacity + slots.byteCapacity }

  /// The bytes of a key.
  @inline(__always)
  func view(_ key: KeyHandle) -> ByteView {
    let start = key.place == 0 ? 0 : Int(ends[key.place - 1])
    return bytes.view(from: start, length: Int(ends[key.place]) - start)
  }

  func string(_ key: KeyHandle) -> String { view(key).string }

  /// The handle of a key; `nil` if the table lacks it.
  func find(_ text: ByteView) -> KeyHandle? {
    let hash = HashSlots.hash(of: text)
    var at = slots.start(hash)
    while let place = slots.value(at) {
      let key = KeyHandle(place: place)
      if view(key).matches(text) { return key }
      at = slots.next(at)
    }
    return nil
  }

  /// The handle of a key, which is added if it is new; `nil` when the table is full.
  ///
  /// Full is about the bytes, and `nil` leaves the table as it was. Cost: amortised constant for each
  /// byte of the key.
  mutating func intern(_ text: ByteView) -> KeyHandle? {
    let hash = HashSlots.hash(of: text)
    var at = slots.start(hash)
    while let place = slots.value(at) {
      let key = KeyHandle(place: place)
      if view(key).matches(text) { return key }
      at = slots.next(at)
    }
    guard bytes.count + text.count <= Limits.totalValueByteLimit else { return nil }
    let key = KeyHandle(ends.count)
    bytes.append(text)
    ends.append(UInt32(bytes.count))
    slots.fill(at, key.place)
    if slots.isCrowded { rebuild() }
    return key
  }

  /// Enters every key into larger slots; the order of the keys, and so their handles, stay.
  private mutating func rebuild() {
    var fresh = HashSlots(sizeLog: slots.grownSizeLog)
    for key in Handles<Key>(count: ends.count) {
      var at = fresh.start(HashSlots.hash(of: view(key)))
      while fresh.value(at) != nil { at = fresh.next(at) }
      fresh.fill(at, key.place)
    }
    slots = fresh
  }
}
