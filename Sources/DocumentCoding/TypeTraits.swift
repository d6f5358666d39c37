import Foundation

/// What the coders treat a type as, found once for each type.
///
///     Date, UUID, URL, Data, AutomergeText, Counter     value
///     [String: Int], and keys that are                  dictionary: a map
///     `CodingKeyRepresentable`, but for Int
///     [Int: String]                                     integerDictionary: refused
///     [Double: Int]                                     pairs: a list key, value, key, value ...
///     Set<String>                                       set: a list in any order
///     an enum, if unknown keys are preserved            enumeration
///     anything else                                     plain
enum TypeTrait {
  /// A struct or class, or anything else without a rule of its own.
  case plain
  /// A type that is stored as one value, rather than by its own encoding.
  case value
  case enumeration
  /// A dictionary that becomes a map.
  case dictionary
  /// A dictionary with `Int` keys, which automerge-swift refuses.
  case integerDictionary
  /// A dictionary that becomes a list of keys and values.
  case pairs
  case set
}

private protocol DictionaryType {
  static var keyType: Any.Type { get }
}

extension Dictionary: DictionaryType {
  static var keyType: Any.Type { Key.self }
}

private protocol SetType {}

extension Set: SetType {}

protocol OptionalType {
  /// Nil, as a value of the type.
  static var none: Self { get }
}

extension Optional: OptionalType {}

/// The traits of the types that one encode met.
///
/// Two types may share a place of `recent`, and then take turns; the dictionary knows both.
struct TypeTraits {
  private var known: [ObjectIdentifier: TypeTrait] = [:]
  /// The types met last, each at a place of its address.
  private var recent = ContiguousArray<(type: ObjectIdentifier, trait: TypeTrait)?>(
    repeating: nil,
    count: 32
  )

  @inline(__always)
  func known(_ type: ObjectIdentifier) -> TypeTrait? {
    if let met = recent[place(of: type)], met.type == type { return met.trait }
    return known[type]
  }

  mutating func note(_ trait: TypeTrait, of type: ObjectIdentifier) {
    known[type] = trait
    recent[place(of: type)] = (type, trait)
  }

  /// The lowest bits of metadata addresses are alike: they are shifted out.
  ///
  /// Which place it is depends on where the program was loaded, and decides nothing but how often the
  /// dictionary is asked.
  @inline(__always)
  private func place(of type: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: type)
    return Int(truncatingIfNeeded: (address >> 4 ^ address >> 9) & 31)
  }

  /// The trait of a value's type.
  ///
  /// Telling enums from other types takes a look at the value, which may run the model's code.
  @inline(never)
  static func find<Value>(_ value: Value, findsEnums: Bool) -> TypeTrait {
    if stored.contains(ObjectIdentifier(Value.self)) { return .value }
    if let dictionary = Value.self as? any DictionaryType.Type {
      let key = dictionary.keyType
      if key == Int.self { return .integerDictionary }
      return key is any CodingKeyRepresentable.Type ? .dictionary : .pairs
    }
    if Value.self is any SetType.Type { return .set }
    guard findsEnums else { return .plain }
    return Mirror(reflecting: value).displayStyle == .enum ? .enumeration : .plain
  }

  private static let stored: Set<ObjectIdentifier> = [
    ObjectIdentifier(Date.self), ObjectIdentifier(UUID.self), ObjectIdentifier(URL.self),
    ObjectIdentifier(Data.self), ObjectIdentifier(AutomergeText.self),
    ObjectIdentifier(Counter.self),
  ]
}
