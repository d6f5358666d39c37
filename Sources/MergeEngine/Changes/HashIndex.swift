/// Finds a change by its hash.
///
/// Most changes depend on the one before, which is found without an index. So hashes are entered when
/// somebody looks for another one: a document that is loaded, or written by one actor, never pays.
///
/// A class, so that searches which change nothing else can enter what is missing.
///
/// What always holds: the slots name the first `count` hashes, and the rest is entered by the next
/// search.
final class HashIndex {
  private var slots = HashSlots()
  /// How many of the hashes, from the first on, stand in the slots.
  private var count = 0

  /// Up to so many hashes are compared one by one.
  private static let fewCount = Sizes.fewHashes

  /// The change of a hash; nil if it is not there.
  ///
  /// Cost: amortised constant; entering what is missing costs a step for each hash, once.
  @inline(never)
  func find(_ hash: ChangeHash, in hashes: borrowing Arena<ChangeHash>) -> ChangeHandle? {
    if hashes.count <= Self.fewCount {
      for change in Handles<ChangeRecord>(count: hashes.count) where hashes[change] == hash {
        return change
      }
      return nil
    }
    if count < hashes.count { enterRest(of: hashes) }
    var at = slots.start(HashSlots.hash(of: hash.words.0))
    while let place = slots.value(at) {
      let change = ChangeHandle(place: place)
      if hashes[change] == hash { return change }
      at = slots.next(at)
    }
    return nil
  }

  private func enterRest(of hashes: borrowing Arena<ChangeHash>) {
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
  func forget(from place: Int) {
    // Slots forget nothing one by one.
    guard count > place else { return }
    slots = HashSlots()
    count = 0
  }
}
