import CodingSupport
import PropertyEngine

struct UnkeyedDeriving: UnkeyedDecodingContainer {
  /// Elements of one list at most.
  private static let elementLimit = 12

  let place: DerivationPlace
  private(set) var currentIndex = 0

  init(place: DerivationPlace) {
    self.place = place
  }

  var codingPath: [any CodingKey] { place.path.codingKeys }

  /// Nil, as the end is not known before it comes, unless the type wants a number.
  var count: Int? {
    let (run, owner) = (place.run, place.owner)
    if owner === run.probed, run.depth == 1, !run.countRequests.contains(place.slot) {
      run.countRequests.append(place.slot)
    }
    guard let count = owner.counts[place.slot] else { return nil }
    return max(count, place.node.elements.count)
  }

  var isAtEnd: Bool {
    let node = place.node
    if currentIndex < node.elements.count { return false }
    if node.isEnded { return true }
    if let count = place.owner.counts[place.slot] {
      guard currentIndex < count else { return true }
      node.elements.append(DerivationNode())
      return false
    }
    let isOver =
      place.run.showsAll
      ? currentIndex >= 1
      : currentIndex >= Self.elementLimit
        || !place.run.flag(percent: place.run.percentOfMore)
    if isOver { node.isEnded = true } else { node.elements.append(DerivationNode()) }
    return isOver
  }

  /// The next element, which is made if nobody asked whether there is one.
  private func next(_ type: Any.Type) throws -> DerivationPlace {
    let node = place.node
    if currentIndex >= node.elements.count {
      let limit = place.owner.counts[place.slot] ?? 4096
      guard !node.isEnded, currentIndex < limit else { throw place.noValue(type) }
      node.elements.append(DerivationNode())
    }
    return place.element(currentIndex, node.elements[currentIndex])
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { return false }
    let isNull = try next(Any.self).isNull()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let element = try next(type)
    let span = place.run.beginSpan("element")
    defer { place.run.endSpan(span) }
    let value = try element.value(type)
    currentIndex += 1
    return value
  }

  private mutating func scalar<S: DerivableScalar>(_ type: S.Type) throws -> S {
    let value = try next(type).scalar(type)
    currentIndex += 1
    return value
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar(type) }
  mutating func decode(_ type: String.Type) throws -> String { try scalar(type) }
  mutating func decode(_ type: Double.Type) throws -> Double { try scalar(type) }
  mutating func decode(_ type: Float.Type) throws -> Float { try scalar(type) }
  mutating func decode(_ type: Int.Type) throws -> Int { try scalar(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try scalar(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try scalar(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try scalar(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try scalar(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try scalar(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try DerivingDecoder(place: next(type)).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try DerivingDecoder(place: next([Any].self)).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = DerivingDecoder(place: try next((any Decoder).self))
    currentIndex += 1
    return decoder
  }
}

struct SingleDeriving: SingleValueDecodingContainer {
  let place: DerivationPlace

  var codingPath: [any CodingKey] { place.path.codingKeys }

  func decodeNil() -> Bool { place.isNull() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try place.value(type) }

  func decode(_ type: Bool.Type) throws -> Bool { try place.scalar(type) }
  func decode(_ type: String.Type) throws -> String { try place.scalar(type) }
  func decode(_ type: Double.Type) throws -> Double { try place.scalar(type) }
  func decode(_ type: Float.Type) throws -> Float { try place.scalar(type) }
  func decode(_ type: Int.Type) throws -> Int { try place.scalar(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try place.scalar(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try place.scalar(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try place.scalar(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try place.scalar(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try place.scalar(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try place.scalar(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try place.scalar(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try place.scalar(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try place.scalar(type) }
}
