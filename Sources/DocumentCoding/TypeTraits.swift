import Foundation

/// What the coders treat a type as, found once for each type.
enum TypeTrait {
  /// A struct or class, or anything else without a rule of its own.
  case plain
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
  private var last: (type: ObjectIdentifier, trait: TypeTrait)?

  init(findsEnums: Bool) {
    self.findsEnums = findsEnums
  }

  mutating func trait<Value>(of value: Value) -> TypeTrait {
    let type = ObjectIdentifier(Value.self)
    if let last, last.type == type { return last.trait }
    let trait = known[type] ?? find(value)
    known[type] = trait
    last = (type, trait)
    return trait
  }

  private func find<Value>(_ value: Value) -> TypeTrait {
    if let dictionary = Value.self as? any DictionaryType.Type {
      let key = dictionary.keyType
      if key == Int.self { return .integerDictionary }
      return key is any CodingKeyRepresentable.Type ? .dictionary : .pairs
    }
    if Value.self is any SetType.Type { return .set }
    guard findsEnums else { return .plain }
    return Mirror(reflecting: value).displayStyle == .enum ? .enumeration : .plain
  }
}
