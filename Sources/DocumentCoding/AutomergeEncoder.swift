public import AutomergeDocument
import CodingSupport
import Foundation
import MergeEngine

/// Writes models into a document.
///
/// The document is compared with the model, and only what differs is written: encoding an
/// unchanged model adds no operation, one changed field adds one, and an element that was taken
/// out of an array is the only one that is touched. All operations of one encode belong to the
/// open change, observers hear of them once, and an encode that throws leaves the document as it
/// was.
///
/// Root values become the document's root map, so they must be keyed: structs, classes,
/// dictionaries with string keys. Other values go to a path, ``encode(_:at:)``.
///
/// Up to 512 containers may stand within each other. They take a stack of 1.25 MiB in an
/// optimised build; a thread with less, such as the 512 KiB of one that an Apple system makes,
/// refuses what is too deep for it, at some 220 levels, with the same error.
///
/// What is put into ``userInfo`` must be safe to use from wherever the encoder is used.
///
/// Two halves; only the first runs code of the model:
///
///     stage     model -> encode(to:) -> draft          nothing is written; may fail
///     write     draft <-> document -> operations       in one transaction, which a failure takes back
public struct AutomergeEncoder: @unchecked Sendable {
  /// What `encode(to:)` of the model finds in its encoder.
  public var userInfo: [CodingUserInfoKey: Any] = [:]
  /// The document that is written.
  public let doc: Document
  /// What may change of the document's shape.
  public var schemaStrategy: SchemaStrategy
  /// Whether a stored scalar of another kind than the model's is refused rather than overwritten.
  public var cautiousWrite: Bool
  /// What happens to keys that the model's type never named.
  public var unknownKeys: UnknownKeys
  /// What is lost of dates.
  public var dateTruncation: DateTruncation
  /// How much is logged.
  public let logLevel: LogVerbosity

  package var log: DocumentLog

  public init(
    doc: Document,
    strategy: SchemaStrategy = .createWhenNeeded,
    cautiousWrite: Bool = false,
    reportingLoglevel: LogVerbosity = .errorOnly,
    unknownKeys: UnknownKeys = .remove,
    dateTruncation: DateTruncation = .seconds
  ) {
    self.doc = doc
    schemaStrategy = strategy
    self.cautiousWrite = cautiousWrite
    self.unknownKeys = unknownKeys
    self.dateTruncation = dateTruncation
    logLevel = reportingLoglevel
    log = DocumentLog(reportingLoglevel)
  }

  /// Writes a model to the root; `nil` writes nothing.
  ///
  /// - Throws: as ``encode(_:)-(T)``.
  public func encode<T: Encodable>(_ value: T?) throws {
    guard let value else { return }
    try encode(value)
  }

  /// Writes a model to the root.
  ///
  ///     {title: "a", tags: [1, 2]} into an empty document     4 operations: "a", the list, two elements
  ///     the same again                                        none
  ///     title "b"                                             1
  ///     tags [1, 9, 2]                                        1: the 9 is inserted
  ///
  /// - Throws: `EncodingError` for a value that documents do not hold, and for what cautious
  ///   writing refuses; `CodingKeyLookupError` where the document's shape is another than the
  ///   model's, and for a root value that is no map. The document is then as it was.
  public func encode<T: Encodable>(_ value: T) throws {
    try encode(value, at: [])
  }

  /// Writes a value to a path; maps and lists on the way are made where they are missing.
  ///
  /// A key that has an integer is an index. Nothing outside of the path is touched.
  ///
  /// - Throws: as ``encode(_:)-(T)``.
  public func encode<T: Encodable>(_ value: T, at path: [any CodingKey]) throws {
    try logging(T.self, path) {
      let staged = try stage(value, path)
      try doc.transaction { engine -> Void in
        try write(staged, with: engine).bind(to: doc, engine)
      }
    }
  }

  /// Writes what the model changed since the document had `heads`, and nothing else.
  ///
  /// A model that was decoded before a merge, and is encoded after it, would take back what the
  /// merge brought: to the encoder it looks as if the model had changed it all. Say which heads the
  /// document had when the model was decoded, and the model's changes are made there, on a branch
  /// of the document, and merged: where both sides wrote one place, the usual rules of merging
  /// decide.
  ///
  ///     let model = try decoder.decode(Model.self)
  ///     let heads = doc.heads()
  ///     // The model is edited; meanwhile the document merges.
  ///     try encoder.encode(model, basedOn: heads)
  ///
  ///     heads ---- changes of others ----- merged: both sides' fields
  ///        `------ the model's changes ----'
  ///
  /// The open change is closed first. If others changed the document since, the encode becomes a
  /// change of its own.
  ///
  /// - Throws: as ``encode(_:)-(T)``, and `DocError` for heads that the document does not know.
  public func encode<T: Encodable>(
    _ value: T,
    basedOn heads: Set<AutomergeDocument.ChangeHash>
  ) throws {
    try encode(value, basedOn: heads, at: [])
  }

  /// Writes what a value at a path changed since the document had `heads`.
  ///
  /// - Throws: as ``encode(_:basedOn:)``.
  public func encode<T: Encodable>(
    _ value: T,
    basedOn heads: Set<AutomergeDocument.ChangeHash>,
    at path: [any CodingKey]
  ) throws {
    try logging(T.self, path) {
      let staged = try stage(value, path)
      try doc.transaction { engine -> Void in
        if engine.pendingOpCount == 0,
          Set(engine.heads.map { AutomergeDocument.ChangeHash($0) }) == heads
        {
          return try write(staged, with: engine).bind(to: doc, engine)
        }
        let branch = try doc.forkAt(heads: heads)
        let ownChanges = doc.reading { engine in
          engine.changes(since: branch.reading(\.heads)).contains { $0.actor == engine.actor }
        }
        // The same writer goes on, unless it has gone on already here.
        branch.actor = ownChanges ? branchWriter : doc.actor
        let places = try branch.transaction { engine throws in
          try write(staged, with: engine)
        }
        try doc.merge(own: branch)
        doc.reading { engine in places.bind(to: doc, engine) }
      }
    }
  }

  // MARK: - Steps

  /// What an encode writes, and where.
  private struct Staged {
    var value: StagedValue
    let steps: [PathKey]
    /// Read before the document's lock is taken.
    let others: OtherDocumentsValues
  }

  /// The staged value, and the steps of the path.
  ///
  /// At the root only a map is taken; a text or counter is put into one:
  ///
  ///     encode(Counter(3))              {"value": counter 3}
  ///     encode(Counter(3), at: [n])     {"n": counter 3}
  ///     encode([1])                     refused: the root is always a map
  private func stage<T: Encodable>(
    _ value: T,
    _ path: [any CodingKey]
  ) throws -> Staged {
    let steps = path.map { PathKey($0) }
    let session = StagingSession(
      at: CodingPath.of(steps),
      userInfo: userInfo,
      dateTruncation: dateTruncation
    )
    let root = try session.stageRoot(value)
    var staged = Staged(
      value: session.tree.value(root),
      steps: steps,
      others: OtherDocumentsValues(of: session.tree.references, besides: doc)
    )
    guard steps.isEmpty else { return staged }
    switch staged.value {
    case .map: return staged
    case .text, .counter:
      // As automerge-swift has it: the root is a map, so they stand under their own key.
      let draft = session.tree.draft
      let map = draft.open()
      draft.begin(.map, at: map)
      draft.link(root, to: map, Self.referenceKey)
      staged.value = .map(StagedMap(session.tree, map))
      return staged
    default: throw CodingKeyLookupError.InvalidIndexLookup(Locator.rootWords)
    }
  }

  /// Whether a value of a type is written anew where a part of it differs.
  package static func isWhole(_ type: Any.Type) -> Bool {
    if case .whole = TypeTraits.find(type) { true } else { false }
  }

  /// Under which key a text or counter stands in a map of its own.
  static let referenceKey = "value"

  private func writer(_ engine: MergeDocument, _ staged: Staged) -> DocumentWriter {
    DocumentWriter(
      home: doc,
      engine: engine,
      strategy: schemaStrategy,
      isCautious: cautiousWrite,
      unknownKeys: unknownKeys,
      dateTruncation: dateTruncation,
      log: log,
      namedKeys: unknownKeys == .preserve ? staged.value.namedKeys : nil,
      held: HeldValues(staged.value, in: doc, engine, others: staged.others)
    )
  }

  /// A writer for one branch, made of this document's writer and heads.
  ///
  /// No other replica has that writer, and what the branch writes changes the heads, so no other
  /// branch ever has that name; and the same steps give the same changes again.
  ///
  ///     16 bytes = first half of each head ^ second half of each head ^ own actor
  private var branchWriter: ActorId {
    var bytes = [UInt8](repeating: 0, count: 16)
    for hash in doc.heads() {
      for (index, byte) in hash.bytes.enumerated() { bytes[index % 16] ^= byte }
    }
    for (index, byte) in doc.actor.data.enumerated() { bytes[index % 16] ^= byte }
    return ActorId(data: Data(bytes)) ?? ActorId()
  }

  /// Returns what is to be bound, and where: on a branch it is bound when the branch is merged.
  ///
  /// Refusals of the engine come out as `CodingKeyLookupError`; what was written by then is for the
  /// transaction around to take back.
  private func write(_ staged: Staged, with engine: MergeDocument) throws -> BindingPlaces {
    var writer = writer(engine, staged)
    do {
      if staged.steps.isEmpty, case .map(let map) = staged.value {
        try writer.update(.root, with: map, .root)
      } else {
        try writer.write(staged.value, at: staged.steps)
      }
      return try writer.bindingPlaces()
    } catch let error as EditError {
      throw CodingKeyLookupError.AutomergeDocError(DocError(error))
    }
  }

  /// Passes errors on; the log hears of them without what the user wrote.
  private func logging<T>(
    _ type: T.Type,
    _ path: [any CodingKey],
    _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch {
      log.debug(
        "encoding \(type) at \(path.stringPath()) was refused: \(Self.explanation(of: error))"
      )
      throw error
    }
    log.debug("encoded \(type) at \(path.stringPath())")
  }

  /// An error without what the user wrote.
  static func explanation(of error: any Error) -> String {
    switch error {
    case EncodingError.invalidValue(_, let context): context.debugDescription
    case let error as CodingKeyLookupError: error.errorDescription ?? "lookup"
    default: "\(Swift.type(of: error))"
    }
  }
}

extension DocumentWriter {
  /// Writes a value to a path that is not empty.
  mutating func write(_ value: StagedValue, at steps: [PathKey]) throws {
    var spot = try Locator(engine: engine, strategy: strategy).locate(steps)
    var path = CodingPath.of(steps)
    // {"body": {"value": text}}: the text goes into the inner place, and the map stays.
    if case .text = value, case .object(let map, .map)? = spot.current,
      case .object(_, .text)? = try engine.get(map, .key(AutomergeEncoder.referenceKey))?.value
    {
      // How automerge-swift 0.6.1 wrote a text at a path.
      path = path.appending(.key(AutomergeEncoder.referenceKey))
      spot = try Locator(engine: engine, strategy: strategy).locate(path.keys)
    }
    try write(value, over: spot.current, at: spot.place) { path }
  }
}

extension StagedValue {
  /// All keys that are named anywhere in the value.
  var namedKeys: Set<ExactKey> {
    var keys: Set<ExactKey> = []
    collectKeys(&keys)
    return keys
  }

  private func collectKeys(_ keys: inout Set<ExactKey>) {
    switch self {
    case .map(let map):
      for entry in map.entries {
        keys.insert(ExactKey(map.tree.draft.key(entry)))
        map.tree.value(entry).collectKeys(&keys)
      }
    case .list(let list): for element in list { element.collectKeys(&keys) }
    default: break
    }
  }
}
