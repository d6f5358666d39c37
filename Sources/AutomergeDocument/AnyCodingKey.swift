/// A step of a path through a document: a key of a map, or an index of a list.
public struct AnyCodingKey: CodingKey, Hashable, Sendable, CustomStringConvertible {
  private let prop: Prop

  /// The step that `pathProperty` takes.
  public init(_ pathProperty: Prop) {
    prop = pathProperty
  }

  /// The step that `element` takes.
  public init(_ element: PathElement) {
    prop = element.prop
  }

  /// An index if the key has one that is not negative, otherwise a key.
  public init(_ key: some CodingKey) {
    if let same = key as? AnyCodingKey {
      self = same
    } else if let index = key.intValue, index >= 0 {
      prop = .Index(UInt64(index))
    } else {
      prop = .Key(key.stringValue)
    }
  }

  /// A key, also where the text is digits.
  public init(_ stringVal: String) {
    prop = .Key(stringVal)
  }

  /// An index.
  public init(_ intValue: UInt64) {
    prop = .Index(intValue)
  }

  /// An index; `nil` for a negative number.
  public init?(intValue: Int) {
    guard let index = UInt64(exactly: intValue) else { return nil }
    prop = .Index(index)
  }

  /// A key, also where the text is digits.
  public init?(stringValue: String) {
    prop = .Key(stringValue)
  }

  /// The key that is the empty string.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let ROOT = AnyCodingKey("")

  /// The step as a place in an object.
  package var place: Prop { prop }

  /// The key, or the index in decimal.
  public var stringValue: String {
    switch prop {
    case .Key(let key): key
    case .Index(let index): "\(index)"
    }
  }

  /// The index; `nil` for a key, and for an index that `Int` cannot hold.
  public var intValue: Int? {
    switch prop {
    case .Key: nil
    case .Index(let index): Int(exactly: index)
    }
  }

  /// The key as it is, or `[index]`.
  public var description: String {
    switch prop {
    case .Key(let key): key
    case .Index(let index): "[\(index)]"
    }
  }

  /// Reads a path such as `.list.[45].notes`.
  ///
  /// Steps stand between dots, and empty ones do not count. A step is `[index]`, or a key that
  /// begins with an ASCII letter; a key with a dot in it cannot be written.
  ///
  ///     ".list.[45].notes"     the key "list", the index 45, the key "notes"
  ///     "."  and  ""           no step: the root
  ///     ".1st"                 InvalidPathElement("1st")
  ///     ".[-1]"                EmptyListIndex("[-1]")
  ///
  /// - Throws: ``PathParseError``.
  public static func parsePath(_ path: String) throws -> [AnyCodingKey] {
    try path.split(separator: ".").map { step in
      guard let first = step.unicodeScalars.first else { return AnyCodingKey("") }
      if first == "[" && step.hasSuffix("]") {
        // `UInt64` takes a sign, too: `-0` is 0 to it.
        guard !step.dropFirst().hasPrefix("+"), !step.dropFirst().hasPrefix("-"),
          let index = UInt64(step.dropFirst().dropLast())
        else {
          throw PathParseError.EmptyListIndex(String(step))
        }
        return AnyCodingKey(index)
      }
      guard ("a"..."z").contains(first) || ("A"..."Z").contains(first) else {
        throw PathParseError.InvalidPathElement(String(step))
      }
      return AnyCodingKey(String(step))
    }
  }
}

extension Sequence where Element == any CodingKey {
  /// The path as text: `.list.[45].notes`, and `.` for the root.
  public func stringPath() -> String { map { AnyCodingKey($0) }.stringPath() }
}

extension Sequence where Element == AnyCodingKey {
  /// The path as text: `.list.[45].notes`, and `.` for the root.
  public func stringPath() -> String {
    "." + map(\.description).joined(separator: ".")
  }
}

extension Sequence where Element == PathElement {
  /// The path as text: `.list.[45].notes`, and `.` for the root.
  public func stringPath() -> String { map { AnyCodingKey($0) }.stringPath() }
}
