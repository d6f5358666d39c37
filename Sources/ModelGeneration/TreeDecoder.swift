package import CodingSupport
import Foundation

/// Decodes a value from a tree, a recorded one or a document's, by stated rules.
///
/// It is the executable form of those rules: laws compare a subject's answers with it.
package struct TreeDecoder {
  package var rules = DecodingRules.document
  package var userInfo: [CodingUserInfoKey: Any] = [:]
  package var limit = NestingLimit.standard
  /// Whether `decode` of an optional is `nil` under a key that its map lacks.
  ///
  /// As documents say it. Foundation's coders refuse it, so that a model that is to be read by any coder must not
  /// rely on it.
  package var optionalsReadNothing = false
  /// Asked first for every type; what it gives stands for the value.
  package var intercept: (any Decodable.Type, Tree, CodingPath) throws -> Any? = { _, _, _ in nil }

  /// Told of each type that may trap on what it reads (``FoundationTraps``), before its parts are looked at.
  package var willReadTrapping: (any Decodable.Type) -> Void = { _ in }
  /// Told of every place of a map that is asked for, whatever is there.
  package var willRead: (CodingPath) -> Void = { _ in }

  package init() {}

  package func decode<T: Decodable>(
    _ type: T.Type,
    from tree: Tree,
    at path: CodingPath = .root
  ) throws -> T {
    guard limit.admits(path) else {
      throw refusal(
        .dataCorrupted,
        path,
        "it nests deeper than \(limit.depth) containers"
      )
    }
    if let value = try intercept(type, tree, path) ?? leaf(type, tree, path) {
      guard let value = value as? T else { throw mismatch(type, tree, path) }
      return value
    }
    return try T(from: TreeDecoding(decoder: self, tree: tree, path: path))
  }

  /// A value that is read without its own `init(from:)`; `nil` for one that is not.
  private func leaf(_ type: any Decodable.Type, _ tree: Tree, _ path: CodingPath) throws -> Any? {
    switch TypeKind.of(type) {
    // As the type itself would ask.
    case .string: return try scalar(String.self, from: tree, at: path)
    case .date:
      switch tree {
      case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
      case .timestamp(let value): return Date(timeIntervalSince1970: Double(value) / 1000)
      default: throw mismatch(type, tree, path)
      }
    case .data:
      guard case .bytes(let bytes) = tree else { throw mismatch(type, tree, path) }
      return Data(bytes)
    case .url:
      let string: String
      switch tree {
      case .string(let value): string = value
      case .text(let value) where rules.urlsReadTexts: string = value
      // As automerge-swift 0.6.1 wrote it in some positions: Foundation's own form, which a URL reads itself.
      case .map where tree.child(.key("relative")) != nil: return nil
      default: throw mismatch(type, tree, path)
      }
      guard let url = URL(string: string) else {
        throw refusal(.dataCorrupted, path, "expected a URL, found a string that is not a URL")
      }
      return url
    case .text:
      guard let type = type as? any ModelText.Type else { return nil }
      guard case .text(let value) = tree else { throw mismatch(type, tree, path) }
      return type.init(value)
    case .counter:
      guard let type = type as? any ModelCounter.Type else { return nil }
      guard case .counter(let value) = tree else { throw mismatch(type, tree, path) }
      guard let exact = Int(exactly: value) else {
        throw refusal(.dataCorrupted, path, "the counter does not fit")
      }
      return type.init(exact)
    default: return nil
    }
  }

  // MARK: - Refusals

  enum RefusalCase {
    case dataCorrupted
    case valueNotFound(Any.Type)
    case typeMismatch(Any.Type)
    case keyNotFound(any CodingKey)
  }

  func refusal(_ refusal: RefusalCase, _ path: CodingPath, _ words: String) -> DecodingError {
    let context = DecodingError.Context(codingPath: path.codingKeys, debugDescription: words)
    return switch refusal {
    case .dataCorrupted: .dataCorrupted(context)
    case .valueNotFound(let type): .valueNotFound(type, context)
    case .typeMismatch(let type): .typeMismatch(type, context)
    case .keyNotFound(let key): .keyNotFound(key, context)
    }
  }

  /// A type found another kind than it reads; nothing at all if it found null.
  func mismatch(_ type: Any.Type, _ tree: Tree, _ path: CodingPath) -> DecodingError {
    let words = "expected \(type), found \(tree.kind.rawValue) at \(path)"
    return refusal(tree == .null ? .valueNotFound(type) : .typeMismatch(type), path, words)
  }

  func scalar<S: DerivableScalar>(
    _ type: S.Type,
    from tree: Tree,
    at path: CodingPath
  ) throws -> S {
    do {
      return try S.read(tree, by: rules)
    } catch {
      switch error {
      case .kind: throw mismatch(type, tree, path)
      case .range:
        let words = "expected \(type), found \(tree.kind.rawValue) that does not fit at \(path)"
        throw refusal(.dataCorrupted, path, words)
      }
    }
  }
}

struct TreeDecoding: Decoder {
  let decoder: TreeDecoder
  let tree: Tree
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }
  var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let entries) = tree else {
      throw decoder.mismatch([String: Any].self, tree, path)
    }
    let keys = ObjectIdentifier(type)
    if let trapping = FoundationTraps.type(readBy: keys) { decoder.willReadTrapping(trapping) }
    try FoundationTraps.check(keys: keys, from: self)
    return KeyedDecodingContainer(
      KeyedTreeDecoding(decoder: decoder, tree: tree, entries: entries, path: path)
    )
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let elements) = tree else { throw decoder.mismatch([Any].self, tree, path) }
    return UnkeyedTreeDecoding(decoder: decoder, elements: elements, path: path)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleTreeDecoding(decoder: decoder, tree: tree, path: path)
  }
}
