/// One step of a path: the key of a map, or the index of a list.
///
/// Which of the two decides the *kind of the container* that appended the step, never the look of
/// the key: the key `"1"` of a dictionary is a key. Two keys are equal if their bytes are, so that
/// canonically equivalent strings stay apart, as they do in a document.
public enum PathKey: CodingKey, Hashable, Sendable {
  case key(String)
  /// `0...Int.max`, from the start of the list.
  case index(Int)

  /// The key of a keyed container: always its string.
  package init(keyed key: some CodingKey) {
    self = .key(key.stringValue)
  }

  /// A step as a caller spells it: an index where the key has an integer that is not negative.
  package init(spelled key: some CodingKey) {
    if let step = key as? PathKey {
      self = step
    } else if let index = key.intValue, index >= 0 {
      self = .index(index)
    } else {
      self = .key(key.stringValue)
    }
  }

  public init(stringValue: String) { self = .key(stringValue) }

  /// The index; `nil` if it is negative.
  public init?(intValue: Int) {
    guard intValue >= 0 else { return nil }
    self = .index(intValue)
  }

  public var stringValue: String {
    switch self {
    case .key(let key): key
    case .index(let index): "\(index)"
    }
  }

  public var intValue: Int? {
    switch self {
    case .key: nil
    case .index(let index): index
    }
  }

  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.key(let left), .key(let right)): left.hasSameBytes(as: right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    // Strings with the same bytes have the same hash; canonically equivalent ones share it.
    case .key(let key): hasher.combine(key)
    case .index(let index): hasher.combine(index)
    }
  }
}

extension PathKey: CustomStringConvertible {
  /// The key as it stands, or `[n]`.
  public var description: String {
    switch self {
    case .key(let key): key
    case .index(let index): "[\(index)]"
    }
  }
}

extension Collection<PathKey> {
  /// The path as Swift would write it, the one form in which people read paths: `agenda[0].title`, and
  /// `names["a b"]` for a key that would not be one word.
  ///
  /// The empty path is the empty string.
  package var swiftly: String { spelled { "[\($0)]" } }

  /// The path as ``swiftly`` writes it, with `[]` for each index: `agenda[].title`.
  package var swiftlyForAnyElement: String { spelled { _ in "[]" } }

  private func spelled(element: (Int) -> String) -> String {
    var text = ""
    for step in self {
      switch step {
      case .key(let key) where !key.isWord:
        let escaped = key.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        text += "[\"\(escaped)\"]"
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += element(index)
      }
    }
    return text
  }

  /// The path as a place in a sentence, which the empty path has no word for.
  package var place: String { isEmpty ? "the root" : swiftly }
}

extension String {
  /// Whether it reads as one word in a path.
  fileprivate var isWord: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        !scalar.properties.isWhitespace && !".[]`\"\\".unicodeScalars.contains(scalar)
      }
  }
}

extension Sequence<PathKey> {
  /// The steps with a dot before each, as automerge-swift's own errors and calls spell a path; `.` for none.
  package var dotted: String {
    let steps = map { ".\($0)" }
    return steps.isEmpty ? "." : steps.joined()
  }
}
