import CodingLaws
import CodingSupport
import DocumentModel
import Foundation
import ModelGeneration

// Decoding: the document's tree, or a part of it, goes to `TreeDecoder`, which knows the rules;
// this file adds what a document adds (paths, bindings) and what mutants see otherwise (`seen`).

/// Decodes a value from a document, and binds its texts and counters.
///
/// It observes the document once for the tree, and again for each text and counter that is bound.
struct NaiveReading {
  let document: NaiveDocument
  let userInfo: [CodingUserInfoKey: any Sendable]

  private var rules: NaiveCoderRules { document.rules }

  /// The value at a path.
  ///
  /// - Throws: `keyNotFound` or `valueNotFound` where nothing stands, `NaiveCodingError` for a type that
  ///   is no root, and what the rules refuse.
  func decode<T: Decodable>(_ type: T.Type, at path: [PathKey]) throws -> T {
    // The mutant writes the first key's value over itself.
    if !rules.onlyReads, let key = try document.tree().steps.first {
      try document.put(document.tree().child(key) ?? .null, at: [key])
    }
    // The whole tree, since a path may lead anywhere in it.
    let whole = try rules.readsWinners ? document.tree() : document.treeOfLosers()
    guard let tree = whole[path] else { return try absent(type, at: path, below: whole) }
    if path.isEmpty, !Self.isKeyed(type), rules.refusesListRoots {
      throw NaiveCodingError(.invalidPlace, .root)
    }
    var decoder = TreeDecoder()
    decoder.rules = rules.decoding
    decoder.optionalsReadNothing = true
    if !rules.refusesDeepDocuments { decoder.limit = NestingLimit(depth: 100_000) }
    if rules.passesUserInfo { decoder.userInfo = userInfo }
    let base = CodingPath.of(path)
    decoder.intercept = { type, tree, place in try bound(type, tree, place) }
    do {
      return try decoder.decode(type, from: seen(tree), at: base)
    } catch let error as DecodingError where !rules.namesWholePath {
      throw error.shortened
    } catch DecodingError.typeMismatch(let type, let context)
      where !rules.tellsOtherKindsFromMissing
    {
      throw DecodingError.valueNotFound(type, context)
    } catch DecodingError.dataCorrupted(let context) where !rules.namesPathOfRefusals {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: context.debugDescription)
      )
    }
  }

  /// What a type reads where nothing stands.
  ///
  /// An optional is `nil` at a key that its map lacks, and behind a list's last element.
  ///
  ///     {"a": {}}     path a, b     keyNotFound of b, at a
  ///     {"l": [1]}    path l, 1     valueNotFound, at l, 1
  private func absent<T: Decodable>(
    _ type: T.Type,
    at path: [PathKey],
    below root: Tree
  ) throws -> T {
    let words = "nothing stands at \(path.place)"
    let isNext: Bool
    switch (path.last, root[path.dropLast()]) {
    case (.key?, .map?): isNext = true
    case (.index(let index)?, .list(let elements)?): isNext = index == elements.count
    default: isNext = false
    }
    if isNext, type is any ExpressibleByNilLiteral.Type {
      return try TreeDecoder().decode(type, from: .null)
    }
    if isNext, let last = path.last, case .key = last {
      let holder = Array(path.dropLast())
      throw DecodingError.keyNotFound(
        last,
        DecodingError.Context(codingPath: holder, debugDescription: words)
      )
    }
    throw DecodingError.valueNotFound(
      type,
      DecodingError.Context(codingPath: path, debugDescription: words)
    )
  }

  /// Whether the type's first container is keyed, as far as it can be told without a value.
  ///
  /// A type that decodes itself from a list or a single value, and is not in the list below, is
  /// left to the decoder.
  private static func isKeyed(_ type: any Decodable.Type) -> Bool {
    !(type is any AnyScalar.Type)
  }

  /// The tree as wrong rules see it; as it is by the right ones.
  private func seen(_ tree: Tree) -> Tree {
    if rules.keepsMixedElements, rules.tellsNullFromMissing, rules.readsNullsAsNothing,
      rules.decodesDatesExactly, rules.readsKeysInAnyOrder
    {
      return tree
    }
    return tree.mapNodes { node in
      switch node {
      case .list(let elements) where !rules.keepsMixedElements:
        // The mutants `mixed-elements-skipped`, `null-is-missing`, `sixth-key-is-last`,
        // `dates-decoded-to-seconds`, `nulls-read-as-false`.
        return .list(elements.filter { $0.kind == elements.first?.kind })
      case .map(let entries) where !rules.tellsNullFromMissing:
        return .map(entries.filter { $0.value != .null })
      case .map(let entries) where !rules.readsKeysInAnyOrder:
        return .map(Array(entries.prefix(6)))
      case .null where !rules.readsNullsAsNothing: return .boolean(false)
      case .timestamp(let value) where !rules.decodesDatesExactly:
        return .timestamp(value / 1000 * 1000)
      default: return node
      }
    }
  }

  /// A text or counter that is bound to its place; `nil` for any other type, which `TreeDecoder` then
  /// decodes.
  ///
  /// A text is bound to its object, a counter to its place in the object that holds it: scalars
  /// have no name.
  private func bound(
    _ type: any Decodable.Type,
    _ tree: Tree,
    _ path: CodingPath
  ) throws -> Any? {
    guard rules.bindsOnDecode, let step = path.last, let parent = path.parent else { return nil }
    if type == NaiveText.self, case .text(let value) = tree {
      let text = NaiveText(value)
      if let object = try object(at: path.keys) { text.bind(document, object) }
      return text
    }
    if type == NaiveCounter.self, case .counter(let value) = tree {
      let counter = NaiveCounter(Int(clamping: value))
      if let object = try object(at: parent.keys) {
        counter.bind(document, CounterPlace(object, step.slot, below: try? document.root()))
      }
      return counter
    }
    return nil
  }

  /// The name of the object at a path, of winners; `nil` where none stands.
  private func object(at path: [PathKey]) throws -> ObjectID? {
    var object = try document.root()
    for step in path {
      guard case .object(let next)? = object.register(step)?.values.last?.content else {
        return nil
      }
      object = next
    }
    return object.id
  }
}

/// Types that are never the root of a document.
///
/// Scalars, and lists and sets: what asks for no keyed container.
private protocol AnyScalar {}

extension Bool: AnyScalar {}
extension String: AnyScalar {}
extension Int: AnyScalar {}
extension Double: AnyScalar {}
extension Date: AnyScalar {}
extension Data: AnyScalar {}
extension URL: AnyScalar {}
extension UUID: AnyScalar {}
extension Array: AnyScalar {}
extension Set: AnyScalar {}

extension DecodingError {
  /// The same error with the last step of its path gone.
  fileprivate var shortened: DecodingError {
    func cut(_ context: Context) -> Context {
      Context(
        codingPath: Array(context.codingPath.dropLast()),
        debugDescription: context.debugDescription
      )
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, cut(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, cut(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, cut(context))
    case .dataCorrupted(let context): .dataCorrupted(cut(context))
    @unknown default: self
    }
  }
}
