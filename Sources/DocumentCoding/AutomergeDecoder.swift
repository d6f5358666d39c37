public import AutomergeDocument
import CodingSupport
import MergeEngine

/// Reads models from a document.
///
/// Texts and counters come back bound to the document. Nothing that stands in a document traps:
/// what the model does not read is refused with a `DecodingError`, whose coding path is the path in
/// the document, and whose words say what was expected and what was found. Decoding changes
/// nothing, and sees the document as it is at one moment: other threads wait meanwhile. How deep
/// containers may nest is as in ``AutomergeEncoder``.
///
/// What is put into ``userInfo`` must be safe to use from wherever the decoder is used.
public struct AutomergeDecoder: @unchecked Sendable {
  /// What `init(from:)` of the model finds in its decoder.
  public var userInfo: [CodingUserInfoKey: Any] = [:]
  /// The document that is read.
  public let doc: Document

  public init(doc: Document) {
    self.doc = doc
  }

  /// Reads a model from the root.
  ///
  /// - Throws: `DecodingError`.
  public func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decode(type, from: [])
  }

  /// Reads a value from a path.
  ///
  /// A key that has an integer is an index. An optional is `nil` where nothing is.
  ///
  /// - Throws: `DecodingError`; a path that leads nowhere is its underlying error.
  public func decode<T: Decodable>(_ type: T.Type, from path: [any CodingKey]) throws -> T {
    let steps = path.map { PathKey($0) }
    return try doc.reading { engine in
      let session = ReadingSession(document: doc, engine: engine, userInfo: userInfo)
      let codingPath = CodingPath.of(steps)
      guard !steps.isEmpty else { return try decodeRoot(type, session) }
      let spot = try locate(type, steps, session)
      guard let value = spot.current else {
        if let optional = type as? any OptionalType.Type, let none = optional.none as? T {
          return none
        }
        throw missing(type, steps, session)
      }
      return try session.decode(
        type,
        value,
        from: codingPath,
        at: try? engine.counterPlace(spot.place.holder, spot.place.prop)
      )
    }
  }

  /// What asks the root for another container than a map learns by the underlying error that a root
  /// is always one.
  private func decodeRoot<T: Decodable>(_ type: T.Type, _ session: ReadingSession) throws -> T {
    do {
      return try session.decode(type, .object(.root, .map), from: .root, at: nil)
    } catch DecodingError.typeMismatch(let found, let context) where context.codingPath.isEmpty {
      throw DecodingError.typeMismatch(
        found,
        session.context(
          .root,
          context.debugDescription,
          CodingKeyLookupError.InvalidIndexLookup(Locator.rootWords)
        )
      )
    }
  }

  /// A path error of the document becomes the decoding error that comes nearest to it, and stays as
  /// the underlying one.
  ///
  ///     on the way nothing stands          SchemaMissing          keyNotFound
  ///     an index beyond the end            IndexOutOfBounds       valueNotFound
  ///     through a text or a scalar         PathExtendsThrough...  typeMismatch
  ///     a key of a list, an index of a map AutomergeDocError      typeMismatch
  private func locate<T>(
    _ type: T.Type,
    _ steps: [PathKey],
    _ session: ReadingSession
  ) throws -> Locator.Spot {
    do {
      return try Locator(engine: session.engine, strategy: .readonly).locate(steps)
    } catch let error as CodingKeyLookupError {
      func context(_ path: CodingPath) -> DecodingError.Context {
        session.context(path, error.errorDescription ?? "", error)
      }
      let path = CodingPath.of(steps)
      switch error {
      case .SchemaMissing:
        let container = steps.dropLast()
        throw DecodingError.keyNotFound(steps[steps.count - 1], context(CodingPath.of(container)))
      case .IndexOutOfBounds: throw DecodingError.valueNotFound(type, context(path))
      default: throw DecodingError.typeMismatch(type, context(path))
      }
    }
  }

  /// The error of a missing key has the path of its container, as in the standard library; that of
  /// an index has its own.
  ///
  ///     {"a": {}},        path a, b     keyNotFound b,       coding path a
  ///     {"l": [1, 2]},    path l, 2     valueNotFound,       coding path l, 2
  private func missing<T>(
    _ type: T.Type,
    _ steps: [PathKey],
    _ session: ReadingSession
  ) -> DecodingError {
    let last = steps[steps.count - 1]
    let words = "expected \(type), nothing exists at \(steps.place)"
    guard case .key = last else {
      return .valueNotFound(
        type,
        session.context(
          CodingPath.of(steps),
          words,
          CodingKeyLookupError.IndexOutOfBounds(words)
        )
      )
    }
    return .keyNotFound(
      last,
      session.context(
        CodingPath.of(steps.dropLast()),
        words,
        CodingKeyLookupError.SchemaMissing(words)
      )
    )
  }
}
