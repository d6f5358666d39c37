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

  private mutating func scalar<T>(
    _ type: T.Type,
    _ read: (DecodingRules, Tree) throws(ScalarMismatch) -> T
  ) throws -> T {
    let decoder = decoder
    return try advance(type) { try decoder.scalar(type, from: $0, at: $1, read) }
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

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.boolean(tree) }
  }

  mutating func decode(_ type: String.Type) throws -> String {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.string(tree) }
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.float(Double.self, tree) }
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.float(Float.self, tree) }
  }

  mutating func decode(_ type: Int.Type) throws -> Int {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.integer(Int.self, tree) }
  }

  mutating func decode(_ type: Int8.Type) throws -> Int8 {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.integer(Int8.self, tree) }
  }

  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.integer(Int16.self, tree) }
  }

  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.integer(Int32.self, tree) }
  }

  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.integer(Int64.self, tree) }
  }

  mutating func decode(_ type: UInt.Type) throws -> UInt {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.integer(UInt.self, tree) }
  }

  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.integer(UInt8.self, tree) }
  }

  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.integer(UInt16.self, tree)
    }
  }

  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.integer(UInt32.self, tree)
    }
  }

  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    try scalar(type) { (rules, tree) throws(ScalarMismatch) in try rules.integer(UInt64.self, tree)
    }
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

  func decode(_ type: Bool.Type) throws -> Bool {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.boolean(tree)
    }
  }

  func decode(_ type: String.Type) throws -> String {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.string(tree)
    }
  }

  func decode(_ type: Double.Type) throws -> Double {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.float(Double.self, tree)
    }
  }

  func decode(_ type: Float.Type) throws -> Float {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.float(Float.self, tree)
    }
  }

  func decode(_ type: Int.Type) throws -> Int {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(Int.self, tree)
    }
  }

  func decode(_ type: Int8.Type) throws -> Int8 {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(Int8.self, tree)
    }
  }

  func decode(_ type: Int16.Type) throws -> Int16 {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(Int16.self, tree)
    }
  }

  func decode(_ type: Int32.Type) throws -> Int32 {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(Int32.self, tree)
    }
  }

  func decode(_ type: Int64.Type) throws -> Int64 {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(Int64.self, tree)
    }
  }

  func decode(_ type: UInt.Type) throws -> UInt {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(UInt.self, tree)
    }
  }

  func decode(_ type: UInt8.Type) throws -> UInt8 {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(UInt8.self, tree)
    }
  }

  func decode(_ type: UInt16.Type) throws -> UInt16 {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(UInt16.self, tree)
    }
  }

  func decode(_ type: UInt32.Type) throws -> UInt32 {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(UInt32.self, tree)
    }
  }

  func decode(_ type: UInt64.Type) throws -> UInt64 {
    try decoder.scalar(type, from: tree, at: path) { (rules, tree) throws(ScalarMismatch) in
      try rules.integer(UInt64.self, tree)
    }
  }
}
