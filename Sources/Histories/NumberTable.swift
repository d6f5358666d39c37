/// Values by number, for the few small numbers that programs give to documents, slots and messages.
///
/// Numbers count from 0, or from ``Lowering/firstFreeSlot``; one far beyond both goes into a
/// dictionary. A dictionary for all of them would hash at each instruction.
///
/// Cost: constant; setting a number makes room for all below it, 4,096 at most.
struct NumberTable<Value> {
  /// By number; `high` is by number less the first free slot, `rest` for all others.
  private var low: [Value?] = []
  private var high: [Value?] = []
  private var rest: [Int: Value] = [:]

  private static var room: Int { 1 << 12 }

  subscript(number: Int) -> Value? {
    get {
      let offset = number &- Lowering.firstFreeSlot
      if low.indices.contains(number) { return low[number] }
      if high.indices.contains(offset) { return high[offset] }
      return rest.isEmpty ? nil : rest[number]
    }
    set {
      let offset = number &- Lowering.firstFreeSlot
      if (0..<Self.room).contains(number) {
        while low.count <= number { low.append(nil) }
        low[number] = newValue
      } else if (0..<Self.room).contains(offset) {
        while high.count <= offset { high.append(nil) }
        high[offset] = newValue
      } else {
        rest[number] = newValue
      }
    }
  }
}
