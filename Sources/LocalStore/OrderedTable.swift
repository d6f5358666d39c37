/// Values by id, in the order in which their ids were first put; deleting one and putting it again moves it
/// to the end.
///
/// Finding, putting and deleting take constant time on average; walking takes time in the number of values.
///
/// Invariant: `positions` has each id of a slot that is not empty, and no other; after each removal
/// there are at most 16 slots, or at most two for each value.
///
///     put a, b, c      slots [a b c]
///     remove b         slots [a - c]      the others keep their positions
///     put b            slots [a - c b]    behind all that are there
///
/// A dictionary alone has no order, and an array alone is searched and moved in time of its length.
package struct OrderedTable<Value> {
  package struct Entry {
    package let id: ItemID
    package var value: Value

    fileprivate mutating func update(_ change: (inout Value) -> Void) { change(&value) }
  }

  private var slots: [Entry?] = []
  private var positions: [ItemID: Int] = [:]

  package init() {}

  package var count: Int { positions.count }

  package mutating func reserveCapacity(_ count: Int) {
    slots.reserveCapacity(count)
    positions.reserveCapacity(count)
  }

  package subscript(id: ItemID) -> Value? {
    positions[id].flatMap { slots[$0]?.value }
  }

  /// Sets the value of an id: a known one keeps its place, a new one goes to the end.
  package mutating func put(_ id: ItemID, _ value: Value) {
    if let position = positions[id] {
      slots[position] = Entry(id: id, value: value)
    } else {
      positions[id] = slots.count
      slots.append(Entry(id: id, value: value))
    }
  }

  /// Changes the value of an id in place; false if there is none.
  ///
  /// Its place in the order stays, as it does when a known id is put.
  package mutating func modify(_ id: ItemID, _ change: (inout Value) -> Void) -> Bool {
    guard let position = positions[id] else { return false }
    slots[position]?.update(change)
    return true
  }

  @discardableResult
  package mutating func remove(_ id: ItemID) -> Value? {
    guard let position = positions.removeValue(forKey: id) else { return nil }
    let value = slots[position]?.value
    slots[position] = nil
    // More holes than values: close them, which the deletions since the last time have paid for.
    if slots.count > 16, positions.count * 2 < slots.count {
      slots.removeAll { $0 == nil }
      for (index, entry) in slots.enumerated() {
        if let entry { positions[entry.id] = index }
      }
    }
    return value
  }

  /// The same ids in the same order with other values; what finds them is shared.
  func mapped<Other>(_ transform: (ItemID, Value) -> Other) -> OrderedTable<Other> {
    var mapped = OrderedTable<Other>()
    mapped.slots = slots.map { entry in
      entry.map { OrderedTable<Other>.Entry(id: $0.id, value: transform($0.id, $0.value)) }
    }
    mapped.positions = positions
    return mapped
  }

  /// In their order.
  package var entries: some Sequence<Entry> { slots.lazy.compactMap { $0 } }
}

extension OrderedTable.Entry: Sendable where Value: Sendable {}
extension OrderedTable: Sendable where Value: Sendable {}

/// An item as it is stored.
package struct StoredItem: Hashable, Sendable {
  package var version: UInt64
  package var payload: [UInt8]
}

extension OrderedTable<StoredItem> {
  /// Whether operations can all be carried out, one after the other: each that appends finds its item.
  func takes(_ operations: [StoreOperation]) -> Bool {
    guard operations.contains(where: { $0.kind == .append }) else { return true }
    var isThere: [ItemID: Bool] = [:]
    for operation in operations {
      let id = operation.id
      if operation.kind == .append, !(isThere[id] ?? (self[id] != nil)) { return false }
      isThere[id] = operation.kind != .delete
    }
    return true
  }

  /// Carries an operation out; false if it appends to an item that is not there.
  mutating func apply(_ operation: StoreOperation, version: UInt64) -> Bool {
    switch operation.kind {
    case .put: put(operation.id, StoredItem(version: version, payload: operation.payload))
    case .delete: remove(operation.id)
    case .append:
      return modify(operation.id) {
        $0.payload += operation.payload
        $0.version = version
      }
    }
    return true
  }
}
