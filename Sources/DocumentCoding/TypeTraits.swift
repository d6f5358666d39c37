import Foundation

/// What the coders treat a type as, found once for each type.
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
struct TypeTraits {
  /// Whether enums are told from other types, which takes a look at a value.
  let findsEnums: Bool
  private var known: [ObjectIdentifier: TypeTrait] = [:]
  /// The types met last, each at a place of its address.
  private var recent = ContiguousArray<(type: ObjectIdentifier, trait: TypeTrait)?>(
    repeating: nil,
    count: 32
  )

  init(findsEnums: Bool) {
    self.findsEnums = findsEnums
  }

  @inline(__always)
  mutating func trait<Value>(of value: Value) -> TypeTrait {
    let type = ObjectIdentifier(Value.self)
    let address = UInt(bitPattern: type)
    let place = Int(truncatingIfNeeded: (address >> 4 ^ address >> 9) & 31)
    if let met = recent[place], met.type == type { return met.trait }
    let trait = known[type] ?? find(value)
    known[type] = trait
    recent[place] = (type, trait)
    return trait
  }

  @inline(never)
  private func find<Value>(_ value: Value) -> TypeTrait {
    if Self.stored.contains(ObjectIdentifier(Value.self)) { return .value }
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
