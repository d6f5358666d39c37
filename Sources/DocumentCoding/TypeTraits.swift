import CodingSupport
import Foundation

#if canImport(CoreGraphics)
import CoreGraphics
#endif

/// What the coders treat a type as, found once for each type.
///
///     Date, UUID, URL, Data, AutomergeText, Counter     value
///     [String: Int], and keys that are                  dictionary: a map
///     `CodingKeyRepresentable`, but for Int
///     [Int: String]                                     integerDictionary: refused
///     [Double: Int]                                     pairs: a list key, value, key, value ...
///     Set<String>                                       set: a list in any order
///     [Int], ContiguousArray<Int>                       array: a list in its own order
///     Range, SIMD2, Decimal, DateInterval, what is      whole: one value, though it has parts
///     a ``WholeValue``
///     an enum                                           enumeration
///     what wrote a list that is no property's, and      row: its elements are known by their places
///     is no sequence
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
  case array
  /// A type whose parts mean something together alone: it is written anew where one of them differs.
  case whole
  /// A type that is no sequence and has written a list, none of a property (``ListProperty``): its first element is one
  /// of its parts, the second another.
  case row
}

/// A type of the standard library or Foundation that has parameters, and a trait.
private protocol TraitedType {
  static var trait: TypeTrait { get }
}

extension Dictionary: TraitedType {
  static var trait: TypeTrait {
    let key = Key.self
    if key == Int.self { return .integerDictionary }
    return key is any CodingKeyRepresentable.Type ? .dictionary : .pairs
  }
}

extension Set: TraitedType {
  static var trait: TypeTrait { .set }
}

/// A list in an order of its own.
private protocol ArrayType: TraitedType {}

extension ArrayType {
  static var trait: TypeTrait { .array }
}

extension Array: ArrayType {}
extension ArraySlice: ArrayType {}
extension ContiguousArray: ArrayType {}

/// A type with parameters whose parts mean something together alone.
private protocol TypeOfParts: TraitedType {}

extension TypeOfParts {
  static var trait: TypeTrait { .whole }
}

// A partial range is none: it has one bound.
extension Range: TypeOfParts {}
extension ClosedRange: TypeOfParts {}
extension SIMD2: TypeOfParts {}
extension SIMD3: TypeOfParts {}
extension SIMD4: TypeOfParts {}
extension SIMD8: TypeOfParts {}
extension SIMD16: TypeOfParts {}
extension SIMD32: TypeOfParts {}
extension SIMD64: TypeOfParts {}
extension SIMDMask: TypeOfParts {}
extension CollectionDifference: TypeOfParts {}
extension Measurement: TypeOfParts {}

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

  /// The trait of a type.
  @inline(never)
  static func find(_ type: Any.Type) -> TypeTrait {
    if let trait = listed[ObjectIdentifier(type)] { return trait }
    if let type = type as? any TraitedType.Type { return type.trait }
    if type is any WholeValue.Type { return .whole }
    return isEnumeration(type) ? .enumeration : .plain
  }

  /// The trait of what asks for a container by keys of a type that is two bytes at most: an enumeration if they are all
  /// that the type has, and plain if they may be any.
  @inline(never)
  static func find(keys type: any CodingKey.Type) -> TypeTrait {
    if wholeKeys.contains(ObjectIdentifier(type)) { return .whole }
    return isEnumeration(type) ? .enumeration : .plain
  }

  /// Whether a type is an enum, by the number that its metadata begins with.
  ///
  /// Unlike a mirror it needs no value, and runs no code of the model. `Optional` has another number, and
  /// metadata of a class begins with an address.
  ///
  /// Source: Swift ABI, "Type Metadata".
  private static func isEnumeration(_ type: Any.Type) -> Bool {
    // Metadata lives as long as the process, and each kind starts with one word.
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == 0x201
  }

  private static let listed: [ObjectIdentifier: TypeTrait] = {
    let stored: [Any.Type] = [
      Date.self, UUID.self, URL.self, Data.self, AutomergeText.self, Counter.self,
    ]
    var whole: [Any.Type] = [
      Decimal.self, DateInterval.self, DateComponents.self, URLComponents.self, IndexPath.self,
      IndexSet.self, NSRange.self, Duration.self, AttributedString.self, Locale.Language.self,
      Locale.Language.Components.self, CGPoint.self, CGSize.self, CGRect.self,
    ]
    #if canImport(CoreGraphics)
    whole += [CGVector.self, CGAffineTransform.self]
    #endif
    #if os(macOS) || !canImport(Darwin)
    whole.append(AffineTransform.self)
    #endif
    var listed: [ObjectIdentifier: TypeTrait] = [:]
    for type in stored { listed[ObjectIdentifier(type)] = .value }
    for type in whole { listed[ObjectIdentifier(type)] = .whole }
    return listed
  }()

  /// The keys of dictionaries, which the standard library does not name; `nil` if it has others by now.
  static let dictionaryKey: Any.Type? = _typeByName("s20_DictionaryCodingKeyV")

  /// The types of keys of Foundation's wholes: such a container is theirs, whatever called their `encode(to:)`.
  ///
  /// Not of those with parameters, whose keys are another type for each.
  private static let wholeKeys: Set<ObjectIdentifier> = {
    let types: [any (Decodable & SendableMetatype).Type] = [
      Decimal.self, DateInterval.self, DateComponents.self, URLComponents.self, IndexPath.self,
      IndexSet.self,
    ]
    return Set(types.compactMap { KeyProbe.keys(of: $0) })
  }()
}
