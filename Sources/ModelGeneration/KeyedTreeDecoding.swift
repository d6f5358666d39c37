import CodingSupport

struct KeyedTreeDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: TreeDecoder
  let tree: Tree
  let entries: [Tree.Entry]
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }
  var allKeys: [Key] {
    for entry in entries { decoder.willRead(path.appending(.key(entry.key))) }
    return entries.compactMap { Key(stringValue: $0.key) }
  }

  func contains(_ key: Key) -> Bool {
    let step = PathKey(keyed: key)
    decoder.willRead(path.appending(step))
    return tree.child(step) != nil
  }

  private func place(_ key: Key) throws -> (tree: Tree, path: CodingPath) {
    let step = PathKey(keyed: key)
    decoder.willRead(path.appending(step))
    guard let value = tree.child(step) else {
      throw decoder.refusal(
        .keyNotFound(key),
        path,
        "expected a value for \(Tree.quoted(key.stringValue)), found none at \(path)"
      )
    }
    return (value, path.appending(step))
  }

  func decode<S: DerivableScalar>(_ type: S.Type, forKey key: Key) throws -> S {
    let (tree, path) = try place(key)
    return try decoder.scalar(type, from: tree, at: path)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try place(key).tree == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if decoder.optionalsReadNothing, type is any AnyOptional.Type, !contains(key) {
      return try decoder.decode(type, from: .null, at: path.appending(PathKey(keyed: key)))
    }
    let (tree, path) = try place(key)
    return try decoder.decode(type, from: tree, at: path)
  }

  private func nested(_ key: Key) throws -> TreeDecoding {
    let (tree, path) = try place(key)
    return TreeDecoding(decoder: decoder, tree: tree, path: path)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }

  /// A superclass shares the map of its subclass.
  func superDecoder() -> any Decoder {
    TreeDecoding(decoder: decoder, tree: tree, path: path)
  }

  /// What stands at the key; the same map where nothing does.
  func superDecoder(forKey key: Key) throws -> any Decoder {
    contains(key) ? try nested(key) : superDecoder()
  }
}
