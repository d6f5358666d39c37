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
  /// The document of values that generators made for types which read themselves here, and do so from this document.
  private(set) var whole: Tree?
  /// The keys of these types.
  private(set) var wholeKeys: Set<ObjectIdentifier> = []
  /// What is here, if it is part of such a document: whatever is asked for is read from it.
  private(set) var settled: Tree?
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

  /// Whether keys that were not asked for may still be there.
  var takesKeys: Bool {
    switch state {
    case .fresh, .keyed: enumCase == nil && dynamicKeys == nil
    default: false
    }
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

  /// Takes the document of a value that reads itself here by such keys, beside what else was asked for.
  ///
  /// - Returns: Whether it was taken: an answer that was given stays.
  func take(_ document: Tree, readBy keys: ObjectIdentifier) -> Bool {
    guard takesKeys else { return false }
    guard case .map(let entries) = document else {
      guard case .fresh = state else { return false }
      settle(document)
      return true
    }
    guard entries.allSatisfy({ known.number(of: $0.key) == nil }) else { return false }
    state = .keyed
    for entry in entries {
      let child = child(entry.key)
      child.isPresent = true
      child.settle(entry.value)
    }
    if case .map(let others)? = whole {
      whole = .map(of: others + entries)
    } else {
      whole = document
    }
    wholeKeys.insert(keys)
    return true
  }

  private func settle(_ document: Tree) {
    state = document == .null ? .null : .value(document)
    settled = document
  }

  /// Forgets everything below, for another attempt; that the place is there stays.
  func reset() {
    state = .fresh
    whole = nil
    wholeKeys = []
    settled = nil
    enumCase = nil
    refused = nil
    known = KeyList()
    children = []
    dynamicKeys = nil
    elements = []
    isEnded = false
  }
}
