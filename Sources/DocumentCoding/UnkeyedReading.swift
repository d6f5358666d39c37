import CodingSupport
import MergeEngine

/// Reads the elements of an array or set.
///
/// The list was read once, when the container was asked for: a long list is walked in the engine
/// one time, and not once for each index. An element that is refused is not passed, so that a model
/// may try another type for it.
///
///      values         [ 1 | "a" | null ]      isAtEnd once currentIndex is 3
///      currentIndex         ^                 after a refused decode it still points here
struct UnkeyedReading: UnkeyedDecodingContainer {
  // Three words, which an existential holds without an object of its own.
  let reader: DocumentReader
  let list: StoredList
  private(set) var currentIndex = 0

  init(reader: DocumentReader, list: StoredList) {
    self.reader = reader
    self.list = list
  }

  private var session: ReadingSession { reader.session }

  var codingPath: [any CodingKey] { reader.codingPath }
  var count: Int? { list.count }
  var isAtEnd: Bool { currentIndex >= list.count }

  /// From the list to the element that comes next.
  private var step: PathKey? { .index(currentIndex) }

  /// The element that comes next; only a successful read goes on to the one after.
  @inline(__always)
  private func next(_ type: Any.Type) throws -> MergeEngine.Value {
    guard currentIndex < list.count else { throw pastEnd(type) }
    return list.values[currentIndex]
  }

  private func pastEnd(_ type: Any.Type) -> DecodingError {
    let path = reader.path(step)
    let words = "expected \(type), found the end of the array at \(path)"
    return .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: path.codingKeys,
        debugDescription: words,
        underlyingError: CodingKeyLookupErrors.outOfBounds(words)
      )
    )
  }

  /// Passes a null; stays in front of anything else.
  mutating func decodeNil() throws -> Bool {
    guard try next(Never?.self).isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<S: CodableScalar>(_ type: S.Type) throws -> S {
    let result = try current(type)
    currentIndex += 1
    return result
  }

  private func current<S: CodableScalar>(_ type: S.Type) throws -> S {
    try S.read(
      from: StoredScalar(
        reader: reader,
        value: next(type),
        step: step
      )
    )
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try next(type)
    let place = try place(type)
    let result = try session.decode(type, value, in: reader, step, at: place)
    currentIndex += 1
    return result
  }

  /// The id of an element is looked up for counters alone.
  private func place(_ type: Any.Type) throws -> CounterPlace? {
    guard case .scalar(.counter) = list.values[currentIndex] else { return nil }
    return CounterPlace(
      holder: list.object,
      step: try list.step(currentIndex, .counter(Counter()))
    )
  }

  /// Does not go on to the next element: its callers do, once the container has been made.
  ///
  /// So a list that was asked for where a map stands may be asked for as a map.
  private func element(_ type: Any.Type) throws -> DocumentReader {
    let value = try next(type)
    let place = try place(type)
    return try session.reader(value, in: reader, step, at: place)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try element([String: Any].self).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try element([Any].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let element = try element((any Decoder).self)
    currentIndex += 1
    return element
  }
}
