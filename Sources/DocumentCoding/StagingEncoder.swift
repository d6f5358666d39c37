import CodingSupport
import Foundation
import MergeEngine

/// What a value encodes itself into: a place of the tree.
///
/// Small enough for an existential to hold it without an object of its own.
///
///     place is open        container(.map)          begins the map there
///     place is a map       container(.map) again    the same map
///     place is a map       container(.list)         refused when the encode ends
struct StagingEncoder: Encoder {
  let session: StagingSession
  let node: Draft.Node
  /// Values around this one.
  let depth: Int32

  private var draft: Draft { session.draft }

  var path: CodingPath { session.tree.path(to: node) }
  var codingPath: [any CodingKey] { path.codingKeys }
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let isNew = draft.kind(node) == .open
    let map = container(.map)
    session.mark(map, keys: type, isNew: isNew)
    return KeyedEncodingContainer(KeyedStaging<Key>(session: session, map: map, depth: depth))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedStaging(session: session, list: container(.list), depth: depth)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleStaging(encoder: self)
  }

  /// The container that stands at the place, made if the place is open.
  ///
  /// Containers cannot refuse when they are asked for: the refusal is thrown at the end, and until
  /// then one outside the tree takes what is written.
  private func container(_ kind: Draft.Kind) -> Draft.Node {
    let known = draft.kind(node)
    if known == kind { return node }
    if known == .open {
      draft.begin(kind, at: node)
      return node
    }
    refuse()
    let hidden = draft.open(beside: node)
    draft.begin(kind, at: hidden)
    return hidden
  }

  /// Takes the value of a single-value container.
  func set(_ content: Draft.Content) {
    if takesValue() { draft.fill(node, with: content) }
  }

  /// Takes a value that has an encoding of its own.
  ///
  /// Staged beside the place first: a model may catch what its value throws, and try another.
  func pass<Value: Encodable>(_ value: Value) throws {
    if let content = try session.content(of: value, at: .node(node)) { return set(content) }
    // A model that catches the failure may encode another value instead.
    let attempt = draft.open(beside: node)
    try session.stage(value, at: attempt, depth)
    guard takesValue() else { return }
    draft.adopt(attempt, at: node)
    draft.mark(node, .passedOn)
  }

  /// True once: a second value for one place is refused.
  private func takesValue() -> Bool {
    switch draft.kind(node) {
    case .open: return true
    case .map, .list: refuse()
    default: refuse("one value encoded a second value through its single-value container")
    }
    return false
  }

  /// Fails the encode when it ends: `set` cannot throw, and the first failure is the one that is
  /// thrown.
  private func refuse(
    _ words: String = "one value asked its encoder for containers of two kinds"
  ) {
    session.fail(session.refusal("\(path)", path, words))
  }
}
