import Foundation
import MergeEngine

/// What a value asks to be written, before anything is.
///
/// Staging runs the model's code, and can fail; writing compares with the document, and runs no
/// code but ours.
enum StagedValue {
  /// A key that the type named, with nothing to write: `encodeIfPresent` of nil.
  case absent
  /// Nil from `encodeNil(forKey:)`, which cautious writing never checks.
  case keyedNil
  case scalar(Scalar)
  /// Apart from doubles, since it reads more stored numbers as itself.
  case float(Float)
  case date(Date, milliseconds: Int64)
  case url(String)
  case uuid(UUID)
  case text(AutomergeText)
  case counter(Counter)
  case map(StagedMap)
  case list(StagedList)
  /// Whatever the encoder handed out for it will hold at the end.
  case later(StagingEncoder)
  /// An element of the document that stays as it is.
  case kept
}

/// A keyed container as far as it has been written.
///
/// One thread stages a value, and no call hands control to its caller while it changes the map: the
/// checks of exclusive access, one for each field, would find nothing.
final class StagedMap {
  /// What asked for the container.
  enum Owner {
    /// A struct or class.
    case type
    case dictionary
    /// An enum, or the payload of its case.
    case enumeration
  }

  struct Entry {
    let key: String
    var value: StagedValue
  }

  @exclusivity(unchecked)
  private var storage: StagedEntries
  var owner: Owner = .type
  /// Whether it was asked for by `nestedContainer`, so that it is part of the value around it.
  let isNested: Bool

  /// `capacity` says how many keys are to be expected.
  init(isNested: Bool = false, capacity: Int = 0) {
    self.isNested = isNested
    unsafe storage = StagedEntries(capacity: capacity)
  }

  /// In the order in which the keys were first written.
  var entries: ContiguousArray<Entry> { unsafe storage.entries }

  /// Sets a key; of two values for one key the later counts.
  @inline(__always)
  func set(_ key: String, _ value: StagedValue) { unsafe storage.set(key, value) }

  func value(of key: String) -> StagedValue? {
    unsafe storage.place(of: key).map { unsafe storage.entries[$0].value }
  }

  /// Marks the map, and what belongs to it, as an enum's.
  func markEnumeration() {
    owner = .enumeration
    for case .map(let child) in entries.lazy.map(\.value) where child.isNested {
      child.markEnumeration()
    }
  }

  /// Puts the values in place of the encoders that were handed out for them.
  func settle() {
    for entry in entries {
      if case .later(let encoder) = entry.value {
        let value = encoder.finish()
        set(entry.key, value)
        value.settle()
      } else {
        entry.value.settle()
      }
    }
  }
}

/// The entries of a map, and where each key stands.
struct StagedEntries {
  private(set) var entries: ContiguousArray<StagedMap.Entry> = []
  /// One bit for each rough look of a key: a clear bit says that no such key is there.
  private var looks: UInt64 = 0
  /// Places of the keys, as soon as there are many.
  private var places: [ExactKey: Int]?

  private static let scanLimit = 64

  init(capacity: Int) {
    if capacity > 0 { entries.reserveCapacity(capacity) }
  }

  @inline(__always)
  mutating func set(_ key: String, _ value: StagedValue) {
    let bit = Self.look(key)
    if looks & bit != 0 || places != nil, let place = scan(for: key) {
      entries[place].value = value
      return
    }
    looks |= bit
    if places != nil { places?[ExactKey(key)] = entries.count }
    entries.append(StagedMap.Entry(key: key, value: value))
    if entries.count == Self.scanLimit { index() }
  }

  func place(of key: String) -> Int? {
    looks & Self.look(key) != 0 || places != nil ? scan(for: key) : nil
  }

  @inline(never)
  private func scan(for key: String) -> Int? {
    if let places { return places[ExactKey(key)] }
    return entries.firstIndex { $0.key == key && $0.key.utf8.elementsEqual(key.utf8) }
  }

  private mutating func index() {
    var places: [ExactKey: Int] = [:]
    for (place, entry) in entries.enumerated() { places[ExactKey(entry.key)] = place }
    self.places = places
  }

  private static func look(_ key: String) -> UInt64 {
    let utf8 = key.utf8
    let last = utf8.last ?? 0
    let first = utf8.first ?? 0
    return 1 << UInt64((Int(first) &* 5 &+ Int(last) &* 11 &+ utf8.count) & 63)
  }
}

/// An unkeyed container as far as it has been written.
final class StagedList {
  /// Whether the order of elements means something.
  enum Order {
    case fixed
    /// A set's elements come in any order.
    case any
    /// A dictionary's keys and values alternate, pairs in any order.
    case anyPairs
  }

  @exclusivity(unchecked)
  private var storage: ContiguousArray<StagedValue> = []
  var elements: ContiguousArray<StagedValue> { unsafe storage }
  var order: Order = .fixed

  @inline(__always)
  func append(_ value: StagedValue) { unsafe storage.append(value) }

  func settle() {
    for (place, element) in elements.enumerated() {
      if case .later(let encoder) = element { unsafe storage[place] = encoder.finish() }
      elements[place].settle()
    }
  }
}

extension StagedValue {
  func settle() {
    switch self {
    case .map(let map): map.settle()
    case .list(let list): list.settle()
    default: break
    }
  }
}

/// A key that equals another if the bytes do, as in a document.
struct ExactKey: Hashable {
  let key: String

  init(_ key: String) {
    self.key = key
  }

  static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.key.utf8.elementsEqual(right.key.utf8)
  }

  // Strings that are equal by bytes are equal, so their own hash serves.
  func hash(into hasher: inout Hasher) {
    hasher.combine(key)
  }
}
