import CodingSupport

/// Keys in the order in which they came, each once, with the number of each.
///
/// Most containers have a few keys, which are looked through one by one; behind the ``scanLimit`` they are found by their
/// hashes.
struct KeyList {
  private static let scanLimit = 16

  private(set) var keys: [String] = []
  /// The number of each key, once there are more than are looked through.
  private var numbers: [PathKey: Int]?

  /// The number of a key; `nil` if it has not come.
  func number(of key: String) -> Int? {
    if let numbers { return numbers[.key(key)] }
    return keys.firstIndex { $0.hasSameBytes(as: key) }
  }

  /// Adds a key that has not come.
  mutating func append(_ key: String) {
    numbers?[.key(key)] = keys.count
    keys.append(key)
    guard numbers == nil, keys.count > Self.scanLimit else { return }
    numbers = [:]
    for (number, key) in keys.enumerated() { numbers?[.key(key)] = number }
  }
}
