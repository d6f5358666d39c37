/// One place of the document that a derivation writes while it is asked.
///
/// A place that was asked once is fixed: asked again it repeats its answer, asked for another kind it
/// refuses. So a type may read the same place twice, as a superclass on the same decoder does.
final class DerivationNode {
  enum State {
    case fresh
    /// A scalar, or a value of a type with a generator of its own.
    case value(Any)
    case null
    case keyed
    case unkeyed
  }

  var state = State.fresh
  /// The document of a value that a generator made for a type which reads itself here, and does so from this document.
  var whole: Tree?
  /// Whether the key that leads here exists; `nil` until the type asks.
  var isPresent: Bool?
  /// The one key of an enumeration's map.
  var enumCase: String?
  /// Whether requests were refused, of those that may be; `nil` where none was asked for.
  private(set) var refused: [ValueRequest: Bool]?
  /// Keys in the order in which they were first asked for.
  var keys: [String] { known.keys }
  private var known = KeyList()
  /// In the order of the keys.
  private var children: [DerivationNode] = []
  /// Keys that a dynamic container was given.
  var dynamicKeys: [String]?
  var elements: [DerivationNode] = []
  /// Whether the list has come to its end.
  var isEnded = false

  var isFresh: Bool {
    guard case .fresh = state else { return false }
    return refused == nil
  }

  /// Notes whether a request that may be refused was.
  func note(_ request: ValueRequest, isRefused: Bool) {
    if refused == nil { refused = [:] }
    refused?[request] = isRefused
  }

  func child(_ key: String) -> DerivationNode {
    if let number = known.number(of: key) { return children[number] }
    let child = DerivationNode()
    known.append(key)
    children.append(child)
    return child
  }

  /// Forgets everything below, for another attempt; that the place is there stays.
  func reset() {
    state = .fresh
    whole = nil
    enumCase = nil
    refused = nil
    known = KeyList()
    children = []
    dynamicKeys = nil
    elements = []
    isEnded = false
  }
}
