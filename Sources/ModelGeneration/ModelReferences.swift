/// A text of a model that merges by character where the coder can do that.
///
/// Each subject has a type of its own, `AutomergeText` among them; models of the laws are generic
/// over it. An instance may be *bound* to a place in a document: it then reads and writes there.
public protocol ModelText: AnyObject, Codable {
  /// An instance that no document knows.
  init(_ value: String)
  var value: String { get set }
  var isBound: Bool { get }
  /// Whether the document still shows what the instance is bound to.
  var isAttached: Bool { get }
}

extension ModelText {
  public var isAttached: Bool { isBound }
}

/// A number of a model that merges by adding where the coder can do that.
public protocol ModelCounter: AnyObject, Codable {
  /// An instance that no document knows.
  init(_ value: Int)
  var value: Int { get }
  var isBound: Bool { get }
  /// Whether a counter still stands where the instance is bound.
  var isAttached: Bool { get }
  func increment(by amount: Int)
  /// Makes it another number: adds the difference, unless the type has a way of its own.
  func set(_ value: Int)
}

extension ModelCounter {
  public var isAttached: Bool { isBound }

  public func set(_ value: Int) { increment(by: value &- self.value) }
}

/// A text or counter that a value of any type is.
///
/// The type is looked at before the value is cast: a cast to a class bridges Foundation's values, which ends the
/// process for sets of `Decimal` and for URL components that make no URL.
package enum ModelReference {
  case text(any ModelText)
  case counter(any ModelCounter)

  /// Nil if the value is neither; also for an optional, whatever it holds.
  package init?(_ value: Any) {
    switch TypeKind.of(type(of: value)) {
    case .text:
      guard let text = value as? any ModelText else { return nil }
      self = .text(text)
    case .counter:
      guard let counter = value as? any ModelCounter else { return nil }
      self = .counter(counter)
    default: return nil
    }
  }
}

/// A text for coders that know none: `{"value": "..."}`.
public final class PlainText: ModelText, Hashable {
  public var value: String
  public var isBound: Bool { false }

  private enum CodingKeys: String, CodingKey {
    case value
  }

  public init(_ value: String) {
    self.value = value
  }

  public static func == (left: PlainText, right: PlainText) -> Bool { left.value == right.value }

  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A counter for coders that know none: `{"value": 1}`.
public final class PlainCounter: ModelCounter, Hashable {
  public private(set) var value: Int
  public var isBound: Bool { false }

  private enum CodingKeys: String, CodingKey {
    case value
  }

  public init(_ value: Int) {
    self.value = value
  }

  public func increment(by amount: Int) { value &+= amount }

  public static func == (left: PlainCounter, right: PlainCounter) -> Bool {
    left.value == right.value
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
