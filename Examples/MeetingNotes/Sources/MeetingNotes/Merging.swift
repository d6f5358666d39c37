/// When something was written, and where: no two writes have the same stamp.
public struct Stamp: Hashable, Comparable, Sendable {
  public var time: Int
  public var replica: Int

  public init(time: Int, replica: Int) {
    self.time = time
    self.replica = replica
  }

  public static func < (left: Stamp, right: Stamp) -> Bool {
    (left.time, left.replica) < (right.time, right.replica)
  }
}

/// A map in which the last writer of a key wins, by Lamport's time.
public struct LastWriterMap: Sendable {
  public let replica: Int
  private var time = 0
  private var cells: [String: Cell] = [:]

  private struct Cell: Sendable {
    var stamp: Stamp
    /// Nil for a key that was removed.
    var value: Int?
  }

  public init(replica: Int) { self.replica = replica }

  public mutating func set(_ key: String, to value: Int?) {
    time += 1
    cells[key] = Cell(stamp: Stamp(time: time, replica: replica), value: value)
  }

  public mutating func merge(_ other: LastWriterMap) {
    time = max(time, other.time)
    cells.merge(other.cells) { $0.stamp < $1.stamp ? $1 : $0 }
  }

  public var content: [String: Int] { cells.compactMapValues(\.value) }
}

/// A set in which an add wins over a remove that has not seen it.
public struct ObservedSet: Sendable {
  public let replica: Int
  private var count = 0
  private var added: [Stamp: String] = [:]
  private var removed: Set<Stamp> = []

  public init(replica: Int) { self.replica = replica }

  public mutating func insert(_ element: String) {
    count += 1
    added[Stamp(time: count, replica: replica)] = element
  }

  public mutating func remove(_ element: String) {
    removed.formUnion(added.filter { $0.value == element }.keys)
  }

  public mutating func merge(_ other: ObservedSet) {
    added.merge(other.added) { mine, _ in mine }
    removed.formUnion(other.removed)
  }

  public var content: Set<String> {
    Set(added.filter { !removed.contains($0.key) }.values)
  }
}

/// A counter that goes up and down: two counts for each replica, and of each the greater wins.
public struct UpDownCounter: Sendable {
  public let replica: Int
  private var up: [Int: Int] = [:]
  private var down: [Int: Int] = [:]

  public init(replica: Int) { self.replica = replica }

  public mutating func add(_ amount: Int) {
    if amount >= 0 {
      up[replica, default: 0] += amount
    } else {
      down[replica, default: 0] -= amount
    }
  }

  public mutating func merge(_ other: UpDownCounter) {
    up.merge(other.up) { max($0, $1) }
    down.merge(other.down) { max($0, $1) }
  }

  public var content: Int { up.values.reduce(0, +) - down.values.reduce(0, +) }
}
