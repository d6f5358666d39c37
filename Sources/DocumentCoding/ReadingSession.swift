import AutomergeDocument
import CodingSupport
import Foundation
import MergeEngine

/// What the containers of one decode share, and the one rule by which scalars are read.
///
/// The rule is the same in every position: integers and floating-point numbers read each other where
/// the value is exactly the same, a `Float` reads the nearest to a stored double, a string reads a
/// text as well, and all else reads its own kind alone.
///
/// Paths come as closures everywhere: a path is made for an error alone, and most values make none.
///
///      stored      Bool   String   Int...   Double   Float     Date    Data
///      boolean     yes    -        -        -        -         -       -
///      integer     -      -        exact    exact    exact     -       -
///      double      -      -        exact    yes      nearest   -       -
///      string      -      yes      -        -        -         -       -
///      text        -      yes      -        -        -         -       -
///      timestamp   -      -        -        -        -         yes     -
///      bytes       -      -        -        -        -         -       yes
///      counter     -      -        -        -        -         -       -
final class ReadingSession {
  let document: Document
  let engine: MergeDocument
  let userInfo: [CodingUserInfoKey: Any]
  let limit = NestingLimit.standard
  let stack = StackRoom()

  init(document: Document, engine: MergeDocument, userInfo: [CodingUserInfoKey: Any]) {
    self.document = document
    self.engine = engine
    self.userInfo = userInfo
  }

  // MARK: - Scalars

  /// A document's boolean, and nothing that could stand for one.
  @inline(__always)
  func bool(_ value: MergeEngine.Value, _ path: () -> CodingPath) throws -> Bool {
    guard case .scalar(.bool(let result)) = value else {
      throw mismatch(Bool.self, value, path())
    }
    return result
  }

  /// A text is read as its string; binding to it needs the type ``AutomergeText``.
  @inline(__always)
  func string(_ value: MergeEngine.Value, _ path: () -> CodingPath) throws -> String {
    if case .scalar(.string(let result)) = value { return result }
    guard case .object(let object, .text) = value else {
      throw mismatch(String.self, value, path())
    }
    return try engine.text(object)
  }

  /// Wrong kinds are a mismatch, and numbers that do not fit are corrupted data: a caller may tell
  /// a foreign document from a value out of range.
  ///
  ///     Int8 from int 7, uint 7, double 7.0     7
  ///     Int8 from int 300, double 7.5           dataCorrupted
  ///     Int8 from string "7", counter 7         typeMismatch
  ///     Int8 from null                          valueNotFound
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type,
    _ value: MergeEngine.Value,
    _ path: () -> CodingPath
  ) throws -> Integer {
    let exact: Integer? =
      switch value {
      case .scalar(.int(let number)): Integer(exactly: number)
      case .scalar(.uint(let number)): Integer(exactly: number)
      case .scalar(.double(let number)): Integer(exactly: number)
      default: throw mismatch(type, value, path())
      }
    guard let exact else { throw unfit(type, value, path()) }
    return exact
  }

  /// A stored double is rounded to a `Float`, as the model itself would have been when it was
  /// written; integers must fit exactly.
  ///
  ///     Float from double 0.1         the nearest
  ///     Float from double 1e300       dataCorrupted: none is near
  ///     Float from int 16777217       dataCorrupted: 2^24 + 1 is no Float
  @inline(__always)
  func float<Number: BinaryFloatingPoint>(
    _ type: Number.Type,
    _ value: MergeEngine.Value,
    _ path: () -> CodingPath
  ) throws -> Number {
    switch value {
    case .scalar(.double(let number)):
      let nearest = Number(number)
      guard nearest.isFinite || !number.isFinite else { throw unfit(type, value, path()) }
      return nearest
    case .scalar(.int(let number)):
      guard let exact = Number(exactly: number) else { throw unfit(type, value, path()) }
      return exact
    case .scalar(.uint(let number)):
      guard let exact = Number(exactly: number) else { throw unfit(type, value, path()) }
      return exact
    default: throw mismatch(type, value, path())
    }
  }

  // MARK: - Values

  /// Decodes the value that a decode begins with.
  func decode<Value: Decodable>(
    _ type: Value.Type,
    _ value: MergeEngine.Value,
    from path: CodingPath,
    at place: @autoclosure () -> CounterPlace?
  ) throws -> Value {
    let start = DocumentReader(
      session: self,
      value: value,
      place: nil,
      origin: .start(path),
      depth: 0
    )
    return try decode(type, value, in: start, nil, at: place())
  }

  /// Decodes a value of any type, which stands at a step of another one, or is that one.
  ///
  /// For a counter, `place` is where it stands.
  func decode<Value: Decodable>(
    _ type: Value.Type,
    _ value: MergeEngine.Value,
    in reader: DocumentReader,
    _ step: @autoclosure () -> PathKey?,
    at place: @autoclosure () -> CounterPlace?
  ) throws -> Value {
    func path() -> CodingPath { reader.path(step()) }
    // What arrays are made of comes here, too: each type is compared, and needs no cast.
    if type == String.self { return unsafe unsafeBitCast(try string(value, path), to: type) }
    if type == Int.self {
      return unsafe unsafeBitCast(try integer(Int.self, value, path), to: type)
    }
    if type == Double.self {
      return unsafe unsafeBitCast(try float(Double.self, value, path), to: type)
    }
    if type == Bool.self { return unsafe unsafeBitCast(try bool(value, path), to: type) }
    if Self.hasOwnRule(type) {
      return try decodeByRule(type, value, in: reader, step, at: place)
    }
    let within = try self.reader(value, in: reader, step(), at: place())
    return try Value(from: within)
  }

  /// Apart from all other types: for a result that may be `nil` the runtime is asked for the optional of its
  /// type, in each call of a function that has one.
  ///
  /// What it earns: within ``decode(_:_:in:_:at:)`` it is a tenth of the instructions of a decode (W10's records).
  @inline(never)
  private func decodeByRule<Value: Decodable>(
    _ type: Value.Type,
    _ value: MergeEngine.Value,
    in reader: DocumentReader,
    _ step: () -> PathKey?,
    at place: () -> CounterPlace?
  ) throws -> Value {
    let result = try special(type, value, in: reader, at: place) { reader.path(step()) }
    return try result ?? Value(from: self.reader(value, in: reader, step(), at: place()))
  }

  /// Refuses what nests too deep, by count and by the stack that is left.
  func reader(
    _ value: MergeEngine.Value,
    in reader: DocumentReader,
    _ step: PathKey?,
    at place: @autoclosure () -> CounterPlace?
  ) throws -> DocumentReader {
    let depth = reader.depth
    guard depth < limit.depth, stack.admits(depth) else {
      let path = reader.path(step)
      throw DecodingError.dataCorrupted(
        context(path, "\(limit.explanation(at: depth)), at \(path)")
      )
    }
    return DocumentReader(
      session: self,
      value: value,
      place: value.isCounter ? place() : nil,
      origin: .within(reader, step),
      depth: depth + 1
    )
  }

  /// Whether a type has a rule of its own, at least for some values.
  private static func hasOwnRule(_ type: Any.Type) -> Bool {
    type == Date.self || type == Data.self || type == URL.self || type == AutomergeText.self
      || type == Counter.self
  }

  /// Types with a rule of their own.
  ///
  ///     Date            a timestamp
  ///     Data            bytes
  ///     URL             a string or a text; a map as Foundation writes one decodes itself
  ///     AutomergeText   a text, bound; at the root and at a path also a map with it under "value"
  ///     Counter         a counter, bound where it has a place; likewise
  ///
  /// Nil if the rule is not for this value: then the type decodes itself. The cast `as? Value` always
  /// succeeds, since the type was compared before.
  @inline(never)
  private func special<Value: Decodable>(
    _ type: Value.Type,
    _ value: MergeEngine.Value,
    in reader: DocumentReader,
    at place: () -> CounterPlace?,
    _ path: () -> CodingPath
  ) throws -> Value? {
    if type == Date.self {
      guard case .scalar(.timestamp(let milliseconds)) = value else {
        throw mismatch(type, value, path())
      }
      return Date(millisecondsSince1970: milliseconds) as? Value
    }
    if type == Data.self {
      guard case .scalar(.bytes(let bytes)) = value else { throw mismatch(type, value, path()) }
      return Data(bytes) as? Value
    }
    if type == URL.self {
      // As a map it was written by automerge-swift in some positions.
      if case .object(let map, .map) = value, try engine.get(map, .key("relative")) != nil {
        return nil
      }
      let text = try text(type, value, path)
      guard let url = URL(string: text) else {
        let path = path()
        throw DecodingError.dataCorrupted(
          context(path, "expected URL, found a string that is not a URL at \(path)")
        )
      }
      return url as? Value
    }
    if type == AutomergeText.self {
      if case .object(let map, .map) = value, reader.depth == 0 {
        // As automerge-swift wrote a text at a path.
        let key = AutomergeEncoder.referenceKey
        guard case .object(let object, .text)? = try engine.get(map, .key(key))?.value else {
          throw mismatch(type, value, path())
        }
        return bound(object) as? Value
      }
      guard case .object(let object, .text) = value else { throw mismatch(type, value, path()) }
      return bound(object) as? Value
    }
    // A counter.
    if case .object(let map, .map) = value, reader.depth == 0 {
      let key = AutomergeEncoder.referenceKey
      guard case .scalar(.counter(let count))? = try engine.get(map, .key(key))?.value else {
        return nil
      }
      return bound(CounterPlace(holder: map, step: .key(key)), count) as? Value
    }
    guard case .scalar(.counter(let count)) = value else { throw mismatch(type, value, path()) }
    guard Int(exactly: count) != nil else { throw unfit(type, value, path()) }
    guard let place = place() else { return Counter(Int(truncatingIfNeeded: count)) as? Value }
    return bound(place, count) as? Value
  }

  /// A URL may have become a text by a peer's hand.
  private func text(
    _ type: Any.Type,
    _ value: MergeEngine.Value,
    _ path: () -> CodingPath
  ) throws -> String {
    switch value {
    case .scalar(.string(let text)): text
    case .object(let object, .text): try engine.text(object)
    default: throw mismatch(type, value, path())
    }
  }

  /// Bound before the model sees it.
  ///
  /// A new instance for each decode: two values that were decoded from one place are two bindings
  /// to it.
  private func bound(_ object: ObjectID) -> AutomergeText {
    let text = AutomergeText()
    text.attach(to: document, ObjId(object, .text))
    return text
  }

  /// It knows its count from the start: a peer may take its key away before anyone reads it.
  private func bound(_ place: CounterPlace, _ count: Int64) -> Counter {
    let counter = Counter()
    counter.attach(to: document, place, count: count)
    return counter
  }

  // MARK: - Refusals

  func context(
    _ path: CodingPath,
    _ words: String,
    _ error: (any Error)? = nil
  ) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: path.codingKeys,
      debugDescription: words,
      underlyingError: error
    )
  }

  /// The document has another kind than the type reads; nothing at all if it has null.
  @inline(never)
  func mismatch(
    _ type: Any.Type,
    _ value: MergeEngine.Value,
    _ path: CodingPath
  ) -> DecodingError {
    let words = "expected \(type), found \(value.word) at \(path)"
    let context = context(path, words, CodingKeyLookupError.MismatchedSchema(words))
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The kind is right, but the type has no such value.
  @inline(never)
  func unfit(_ type: Any.Type, _ value: MergeEngine.Value, _ path: CodingPath) -> DecodingError {
    .dataCorrupted(
      context(path, "expected \(type), found \(value.word) that does not fit at \(path)")
    )
  }
}

/// The errors of paths that the decoder passes on as underlying ones.
enum CodingKeyLookupErrors {
  static func missing(_ words: String) -> any Error {
    CodingKeyLookupError.SchemaMissing(words)
  }

  static func outOfBounds(_ words: String) -> any Error {
    CodingKeyLookupError.IndexOutOfBounds(words)
  }
}
