/// A text of a model that merges by character where the coder can do that.
///
/// Each subject has a type of its own, `AutomergeText` among them; models of the laws are generic
/// over it. An instance may be *bound* to a place in a document: it then reads and writes there.
package protocol ModelText: AnyObject, Codable {
  /// An instance that no document knows.
  init(_ value: String)
  var value: String { get set }
  var isBound: Bool { get }
}

/// A number of a model that merges by adding where the coder can do that.
package protocol ModelCounter: AnyObject, Codable {
  /// An instance that no document knows.
  init(_ value: Int)
  var value: Int { get }
  var isBound: Bool { get }
  func increment(by amount: Int)
}

/// A text for coders that know none: `{"value": "..."}`.
package final class PlainText: ModelText, Hashable {
  package var value: String
  package var isBound: Bool { false }

  private enum CodingKeys: String, CodingKey {
    case value
  }

  package init(_ value: String) {
    self.value = value
  }

  package static func == (left: PlainText, right: PlainText) -> Bool { left.value == right.value }

  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A counter for coders that know none: `{"value": 1}`.
package final class PlainCounter: ModelCounter, Hashable {
  package private(set) var value: Int
  package var isBound: Bool { false }

  private enum CodingKeys: String, CodingKey {
    case value
  }

  package init(_ value: Int) {
    self.value = value
  }

  package func increment(by amount: Int) { value &+= amount }

  package static func == (left: PlainCounter, right: PlainCounter) -> Bool {
    left.value == right.value
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
