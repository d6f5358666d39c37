import CodingSupport

struct KeyedTreeDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: TreeDecoder
  let tree: Tree
  let entries: [Tree.Entry]
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }
  var allKeys: [Key] { entries.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { tree.child(PathKey(keyed: key)) != nil }

  private func place(_ key: Key) throws -> (tree: Tree, path: CodingPath) {
    let step = PathKey(keyed: key)
    guard let value = tree.child(step) else {
      throw decoder.refusal(
        .keyNotFound(key),
        path,
        "expected a value for \(Tree.quoted(key.stringValue)), found none at \(path)"
      )
    }
    return (value, path.appending(step))
  }

  private func scalar<T>(
    _ type: T.Type,
    _ key: Key,
    _ read: (DecodingRules, Tree) throws(ScalarMismatch) -> T
  ) throws -> T {
    let (tree, path) = try place(key)
    return try decoder.scalar(type, from: tree, at: path, read)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try place(key).tree == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let (tree, path) = try place(key)
    return try decoder.decode(type, from: tree, at: path)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in try rules.boolean(tree) }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in try rules.string(tree) }
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.float(Double.self, tree)
    }
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.float(Float.self, tree)
    }
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(Int.self, tree)
    }
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(Int8.self, tree)
    }
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(Int16.self, tree)
    }
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(Int32.self, tree)
    }
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(Int64.self, tree)
    }
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(UInt.self, tree)
    }
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(UInt8.self, tree)
    }
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(UInt16.self, tree)
    }
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(UInt32.self, tree)
    }
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try scalar(type, key) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(UInt64.self, tree)
    }
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
