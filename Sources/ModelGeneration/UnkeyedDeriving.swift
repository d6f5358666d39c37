import CodingSupport
import PropertyEngine
import Texts

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
    if isOver {
      node.isEnded = true
      // An index or `first!` traps next: without this, what was told last would be some other place.
      let count = currentIndex
      place.tell(count == 0 ? "is an empty list" : "is a list of \(counted(count, "element"))")
    } else {
      node.elements.append(DerivationNode())
    }
    return isOver
  }

  /// The next element, which is made unless the type asked whether there is one.
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

  mutating func decode<S: DerivableScalar>(_ type: S.Type) throws -> S {
    let value = try next(type).scalar(type)
    currentIndex += 1
    return value
  }

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

  func decode<S: DerivableScalar>(_ type: S.Type) throws -> S { try place.scalar(type) }
}
