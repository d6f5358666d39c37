import CodingSupport

struct UnkeyedTreeDecoding: UnkeyedDecodingContainer {
  let decoder: TreeDecoder
  let elements: [Tree]
  let path: CodingPath
  private(set) var currentIndex = 0

  init(decoder: TreeDecoder, elements: [Tree], path: CodingPath) {
    self.decoder = decoder
    self.elements = elements
    self.path = path
  }

  var codingPath: [any CodingKey] { path.codingKeys }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  /// Reads the next element, and goes on to the one after it only if that succeeds.
  private mutating func advance<T>(
    _ type: Any.Type,
    _ body: (Tree, CodingPath) throws -> T
  ) throws -> T {
    let place = path.appending(.index(currentIndex))
    guard !isAtEnd else {
      throw decoder.refusal(
        .valueNotFound(type),
        place,
        "expected \(type), found the end of the list at \(place)"
      )
    }
    let value = try body(elements[currentIndex], place)
    currentIndex += 1
    return value
  }

  mutating func decode<S: DerivableScalar>(_ type: S.Type) throws -> S {
    let decoder = decoder
    return try advance(type) { try decoder.scalar(type, from: $0, at: $1) }
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let decoder = decoder
    return try advance(type) { try decoder.decode(type, from: $0, at: $1) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let decoder = decoder
    return try advance([String: Any].self) {
      try TreeDecoding(decoder: decoder, tree: $0, path: $1).container(keyedBy: type)
    }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let decoder = decoder
    return try advance([Any].self) {
      try TreeDecoding(decoder: decoder, tree: $0, path: $1).unkeyedContainer()
    }
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = decoder
    return try advance((any Decoder).self) {
      TreeDecoding(decoder: decoder, tree: $0, path: $1)
    }
  }
}

struct SingleTreeDecoding: SingleValueDecodingContainer {
  let decoder: TreeDecoder
  let tree: Tree
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }

  func decodeNil() -> Bool { tree == .null }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decoder.decode(type, from: tree, at: path)
  }

  func decode<S: DerivableScalar>(_ type: S.Type) throws -> S {
    try decoder.scalar(type, from: tree, at: path)
  }
}
