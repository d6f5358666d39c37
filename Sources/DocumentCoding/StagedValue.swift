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
  case kept(OpID)
}

/// A keyed container as far as it has been written.
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

  private(set) var entries: ContiguousArray<Entry> = []
  var owner: Owner = .type
  /// Whether it was asked for by `nestedContainer`, so that it is part of the value around it.
  let isNested: Bool
  /// One bit for each rough look of a key: a clear bit says that no such key is there.
  private var looks: UInt64 = 0
  /// Places of the keys, as soon as there are many.
  private var places: [ExactKey: Int]?

  private static let scanLimit = 64

  init(isNested: Bool = false) {
    self.isNested = isNested
  }

  /// Sets a key; of two values for one key the later counts.
  @inline(__always)
  func set(_ key: String, _ value: StagedValue) {
    let bit = Self.look(key)
    if looks & bit != 0 || places != nil, let place = place(of: key) {
      entries[place].value = value
      return
    }
    looks |= bit
    if places != nil { places?[ExactKey(key)] = entries.count }
    entries.append(Entry(key: key, value: value))
    if entries.count == Self.scanLimit { index() }
  }

  func value(of key: String) -> StagedValue? {
    guard looks & Self.look(key) != 0 || places != nil, let place = place(of: key) else {
      return nil
    }
    return entries[place].value
  }

  @inline(never)
  private func place(of key: String) -> Int? {
    if let places { return places[ExactKey(key)] }
    return entries.firstIndex { $0.key == key && $0.key.utf8.elementsEqual(key.utf8) }
  }

  private func index() {
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

  /// Marks the map, and what belongs to it, as an enum's.
  func markEnumeration() {
    owner = .enumeration
    for case .map(let child) in entries.lazy.map(\.value) where child.isNested {
      child.markEnumeration()
    }
  }

  /// Puts the values in place of the encoders that were handed out for them.
  func settle() {
    for place in entries.indices {
      if case .later(let encoder) = entries[place].value {
        entries[place].value = encoder.finish()
      }
      entries[place].value.settle()
    }
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

  var elements: ContiguousArray<StagedValue> = []
  var order: Order = .fixed

  func settle() {
    for place in elements.indices {
      if case .later(let encoder) = elements[place] { elements[place] = encoder.finish() }
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
