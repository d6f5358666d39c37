import MergeEngine

/// A property that writes a list when it is encoded, of a value that has written one.
///
/// A type that calls `encode(to:)` of a property with its own encoder, as property wrappers do, writes the property's
/// list, and what its elements are is then said by the property's type:
///
///     struct Tags: Codable {
///       var names: Set<String>                  a set: the list is in any order
///       var color = "red"                       no list
///       func encode(to encoder: any Encoder) throws { try names.encode(to: encoder) }
///     }
struct ListProperty {
  /// `set`, `pairs`, `whole`, or `array` for any other.
  let trait: TypeTrait
  /// Elements of its list; `nil` where its type does not tell.
  let count: Int?

  private init(_ trait: TypeTrait, count: Int?) {
    self.trait = trait
    self.count = count
  }

  /// Wrappers within one another that are looked through at most: a class may hold itself.
  private static let depthLimit = 8

  /// The properties of a value that write lists, as far as their types tell.
  static func find(in properties: [Any]) -> [ListProperty] {
    let found = properties.compactMap { ListProperty($0) }
    return properties.count == 1 ? found : found.filter { $0.count != nil }
  }

  /// Nil for a property that writes no list.
  ///
  /// A value with one property is what that is, and an optional what it holds.
  private init?(_ property: Any) {
    var value = property
    for _ in 0..<Self.depthLimit {
      let trait = TypeTraits.find(type(of: value))
      switch trait {
      case .whole:
        self.init(trait, count: Self.partCount(of: value))
        return
      case .set, .pairs, .array:
        guard let count = (value as? any Collection)?.count else { return nil }
        self.init(trait, count: trait == .pairs ? 2 * count : count)
        return
      case .plain: break
      default: return nil
      }
      let properties = Self.properties(of: value)
      if properties.count == 1 {
        value = properties[0]
        continue
      }
      guard let elements = value as? any Collection, !(value is any StringProtocol) else {
        return nil
      }
      self.init(.array, count: elements.count)
      return
    }
    return nil
  }

  /// Elements of the list that a range or a vector writes.
  ///
  /// A range is not asked for its `count`: of all integers it has more than an `Int` holds, and traps.
  private static func partCount(of value: Any) -> Int? {
    if let vector = value as? any SIMDStorage { return vector.scalarCount }
    return value is any RangeExpression || value is Duration ? 2 : nil
  }

  /// The stored properties of a value and its superclasses.
  ///
  /// None for a value that shows its elements in place of them.
  static func properties(of value: Any) -> [Any] {
    var properties: [Any] = []
    var mirror: Mirror? = Mirror(reflecting: value)
    while let level = mirror {
      switch level.displayStyle {
      case .collection?, .set?, .dictionary?: return []
      default: properties += level.children.map(\.value)
      }
      mirror = level.superclassMirror
    }
    return properties
  }
}

/// The list that a value with properties has written.
struct WrittenList {
  private let node: Draft.Node
  private let draft: Draft
  private let propertyCount: Int

  init(_ node: Draft.Node, of draft: Draft, propertyCount: Int) {
    self.node = node
    self.draft = draft
    self.propertyCount = propertyCount
  }

  /// The property whose list it is; `nil` where its elements are, or are made of, the properties.
  ///
  /// Of as many elements as there are properties their kinds tell:
  ///
  ///     numbers [1, 2], name "a"        [1, 2]            the list of `numbers`
  ///                                     [[1, 2], "a"]     the two properties
  ///     first [1, 2], second [3]        [[1, 2], [3]]     the two properties
  ///
  /// Cost: the properties; the elements, too, where they are as many.
  func property(among properties: [ListProperty]) -> ListProperty? {
    let count = draft.count(node)
    if propertyCount == 1 { return properties.first { $0.trait == .whole || $0.count == count } }
    if count == propertyCount {
      let kinds = Set(StagedNodes(in: node, of: draft).map { draft.kind($0) })
      guard kinds.count <= 1, !kinds.contains(.list) || properties.count < count else { return nil }
    }
    return properties.first { $0.count == count }
  }
}
