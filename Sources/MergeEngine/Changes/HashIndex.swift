/// Finds a change by its hash.
///
/// Most changes depend on the one before, which is found without an index. So hashes are entered
/// when a search looks for another one: a document that is loaded, or written by one actor, never
/// pays.
///
/// A class, so that searches which change nothing else can enter what is missing.
///
/// What always holds: the slots name the first `count` hashes, and the rest is entered by the next
/// search.
///
/// Two of nine hashes; the first word of each decides where it stands among 32 slots:
///
///     hashes    0: aec37ff6 f7898c9d 1267da75 ...     first word 0xaec37ff6f7898c9d
///               1: ef3bf013 eb807e8e 69baf564 ...     first word 0xef3bf013eb807e8e
///     slots     [ - | 1 | - | 7 | ... | 0 | - ]       positions, at places that differ by process
///
/// A slot holds a position, four bytes, and no hash: what is found is compared with all 32 bytes of
/// `hashes`, so that a peer's forged hash that shares a first word finds nothing.
final class HashIndex {
  /// One field, so that a search asks for exclusive access once.
  private var table = HashIndexTable()

  /// The change of a hash; `nil` if it is not there.
  ///
  /// Cost: amortised constant; entering what is missing costs a step for each hash, once.
  ///
  /// `hashes` must be those of the calls before, lengthened at most: who takes some away calls
  /// ``forget(from:)`` before the next search.
  func find(_ hash: ChangeHash, in hashes: borrowing Arena<ChangeHash>) -> ChangeHandle? {
    if hashes.count <= Sizes.fewHashes {
      // Compared one by one.
      for change in Handles<ChangeRecord>(count: hashes.count) where hashes[change] == hash {
        return change
      }
      return nil
    }
    return table.find(hash, in: hashes)
  }

  /// Forgets the hashes from a place on, which are no longer there.
  func forget(from place: Int) { table.forget(from: place) }
}

/// The slots of a ``HashIndex``, and how far they reach.
private struct HashIndexTable: ~Copyable {
  private var slots = HashSlots()
  /// How many of the hashes, from the first on, stand in the slots.
  private var count = 0

  mutating func find(_ hash: ChangeHash, in hashes: borrowing Arena<ChangeHash>) -> ChangeHandle? {
    if count < hashes.count { enterRest(of: hashes) }
    var at = slots.start(HashSlots.hash(of: hash.words.0))
    while let place = slots.value(at) {
      let change = ChangeHandle(place: place)
      if hashes[change] == hash { return change }
      at = slots.next(at)
    }
    return nil
  }

  /// Enters the hashes from `count` on; all of them again where the slots must grow.
  ///
  /// Positions never change but for ``forget(from:)``, so that what was entered stays right.
  private mutating func enterRest(of hashes: borrowing Arena<ChangeHash>) {
    var sizeLog = slots.sizeLog
    while hashes.count * 4 > (1 << sizeLog) * 3 { sizeLog += 1 }
    if sizeLog > slots.sizeLog {
      // Room for as many again, so that growth stays seldom.
      slots = HashSlots(sizeLog: sizeLog + 1)
      count = 0
    }
    for place in UInt32(count)..<UInt32(hashes.count) {
      var at = slots.start(HashSlots.hash(of: hashes[place].words.0))
      while slots.value(at) != nil { at = slots.next(at) }
      slots.fill(at, place)
    }
    count = hashes.count
  }

  /// Forgets the hashes from a place on, which are no longer there.
  mutating func forget(from place: Int) {
    // Slots forget nothing one by one.
    guard count > place else { return }
    slots = HashSlots()
    count = 0
  }
}
