public import Foundation
package import MergeEngine

/// A call that observers hear of, from its beginning to its end.
final class ObservedCall {
  /// Nil if there is no observer to tell.
  let mutation: ObserverList.Mutation?
  let before: Savepoint

  init(mutation: ObserverList.Mutation?, before: Savepoint) {
    self.mutation = mutation
    self.before = before
  }
}

/// A document that people edit apart and merge: maps, lists, texts and scalars.
///
/// Edits gather in one open change. It is closed by ``commitWith(message:timestamp:)``, and with
/// time 0 and no message by whatever looks at changes: ``heads()``, ``save()``, ``fork()``,
/// ``merge(other:)``, ``getHistory()``, ``change(hash:)``, the `encode` and `apply` calls, and
/// setting ``actor``.
///
/// Safe to use from several threads: each call takes the document's recursive lock. No lock is
/// held while observers are called. ``merge(other:)`` takes the locks of both documents, always in
/// the same order, so two documents may merge into each other at once. Nothing from outside
/// traps: foreign ids, wrong indexes and damaged bytes are refused with errors.
///
/// Locks are taken in this order, and given back before observers are notified: documents by their
/// `number`, then the lock within a ``SyncState``, then that of an observers' list, under which
/// nothing is called.
public final class Document: @unchecked Sendable {
  let engine: MergeDocument
  let lock = RecursiveLock()

  /// Whether no call of any thread is in the document at this moment.
  package var isIdle: Bool { lock.isFree }

  let observers: ObserverList
  let log: DocumentLog
  /// Which of two documents is locked first: the one with the smaller number.
  let number: UInt64
  /// The running transactions, outermost first; guarded by `lock`.
  ///
  /// Empty whenever no thread holds the lock: a transaction holds it from its beginning to its end.
  var transactions: [OpenTransaction] = []
  #if canImport(Combine)
  /// Made when a caller first asks for a publisher; guarded by `lock`.
  var publishers: DocumentPublishers?
  #endif

  /// What positions and lengths of texts count.
  public let textEncoding: TextEncoding

  package init(engine: MergeDocument, log: DocumentLog) {
    self.engine = engine
    self.log = log
    observers = ObserverList(isTraced: log.verbosity.canTrace())
    textEncoding = TextEncoding(engine.unit)
    number = Self.numbers.next()
  }

  /// An empty document with a random actor.
  ///
  /// `limits` hold for all that it and its forks take in from others.
  public convenience init(
    textEncoding: TextEncoding = .unicodeScalar,
    logLevel: LogVerbosity = .errorOnly,
    limits: DocumentLimits = DocumentLimits()
  ) {
    self.init(
      engine: MergeDocument(
        actor: ActorId().engineID,
        unit: textEncoding.engineUnit,
        limits: limits.engine
      ),
      log: DocumentLog(logLevel)
    )
  }

  /// The document in saved bytes: what ``save()`` gave, changes, or several one after the other.
  ///
  /// A text encoding is not stored: without one given, positions count Unicode scalars. `limits` hold
  /// for these bytes, and for all that the document and its forks take in later.
  ///
  /// - Throws: ``LoadError``.
  public convenience init(
    _ bytes: Data,
    textEncoding: TextEncoding = .unicodeScalar,
    logLevel: LogVerbosity = .errorOnly,
    limits: DocumentLimits = DocumentLimits()
  ) throws {
    try self.init(bytes, textEncoding: textEncoding, log: DocumentLog(logLevel), limits: limits)
  }

  package convenience init(
    _ bytes: Data,
    textEncoding: TextEncoding = .unicodeScalar,
    log: DocumentLog,
    limits: DocumentLimits = DocumentLimits()
  ) throws {
    do throws(ChunkError) {
      let engine = try MergeDocument(
        loading: [UInt8](bytes),
        actor: ActorId().engineID,
        unit: textEncoding.engineUnit,
        limits: limits.engine
      )
      self.init(engine: engine, log: log)
    } catch {
      let error = LoadError(error)
      log.error("loading \(bytes.count) bytes was refused: \(error)")
      throw error
    }
    logDropped(since: 0)
    log.debug("loaded \(bytes.count) bytes")
  }

  /// The actor of the changes that this document makes from now on.
  ///
  /// Setting it closes the open change.
  public var actor: ActorId {
    get { lock.withLock { ActorId(engine.actor) } }
    set {
      lock.withLock {
        let droppedCount = engine.droppedChangeCount
        prepareToCommit()
        engine.actor = newValue.engineID
        logDropped(since: droppedCount)
      }
    }
  }

  /// What the document takes in from others from now on, and what one call may cost for it.
  public var limits: DocumentLimits {
    get { lock.withLock { DocumentLimits(engine: engine.limits) } }
    set { lock.withLock { engine.limits = newValue.engine } }
  }

  private static let numbers = DocumentNumbers()

  // MARK: - How calls run

  /// Runs an edit of one object under the lock; observers hear of its beginning and end.
  ///
  /// Without observers the edit only takes the lock and gives it back. `body` calls the engine
  /// alone, as in ``underLock(_:)``.
  ///
  /// Inlined, since the captures of `body` would else be put aside for each call: a splice of text
  /// takes 43 instructions more than the engine's, and would take 137 more.
  @inline(__always)
  func edit<Result>(
    _ call: StaticString,
    _ object: ObjId,
    _ body: (MergeDocument) throws(EditError) -> Result
  ) throws -> Result {
    guard observers.isQuiet else {
      let observed = try beginObserved(call, object)
      defer { endObserved(observed) }
      do throws(EditError) { return try body(engine) } catch { throw DocError(error) }
    }
    return try underLock(body)
  }

  /// Runs calls of the engine, and nothing else, under the lock.
  ///
  /// What asked for the lock again would wait for ever.
  private func underLock<Result>(
    _ body: (MergeDocument) throws(EditError) -> Result
  ) throws -> Result {
    lock.lockOnce()
    // Given back in two places, since a `defer` would be a call of 24 instructions.
    do throws(EditError) {
      let result = try body(engine)
      lock.unlock()
      return result
    } catch {
      lock.unlock()
      throw DocError(error)
    }
  }

  @inline(never)
  private func beginObserved(_ call: StaticString, _ object: ObjId) throws -> ObservedCall {
    log.trace("\(call) in \(object.debugDescription)")
    return try beginObserved(object)
  }

  @inline(never)
  private func endObserved(_ observed: ObservedCall) {
    endObserved(observed, changed: nil)
  }

  /// Tells observers that a call begins, and takes the lock.
  ///
  /// Inside a transaction no observer is notified: the transaction notifies once for all it holds.
  ///
  /// - Throws: ``DocError`` of kind `observersNested`, holding no lock.
  func beginObserved(_ target: ObjId?) throws -> ObservedCall {
    let mutation = try announce(target)
    lock.lock()
    return ObservedCall(mutation: mutation, before: engine.savepoint)
  }

  /// Takes the lock, and tells no observer.
  func beginUnobserved() -> ObservedCall {
    lock.lock()
    return ObservedCall(mutation: nil, before: engine.savepoint)
  }

  /// Tells observers that a call begins; `nil` if there are none to tell.
  func announce(_ target: ObjId?) throws -> ObserverList.Mutation? {
    let isInside = lock.isHeldByCurrentThread && !transactions.isEmpty
    if observers.isEmpty || isInside { return nil }
    guard let mutation = observers.willMutate(target) else {
      throw DocError(kind: .observersNested(ObserverList.depthLimit))
    }
    return mutation
  }

  /// Gives the lock back, and tells observers which objects the call reached.
  func endObserved(_ observed: ObservedCall, changed known: Set<ObjId>?) {
    guard let mutation = observed.mutation else { return lock.unlock() }
    let changed = known ?? changedObjects(since: observed.before)
    lock.unlock()
    observers.didMutate(mutation, changed)
  }

  /// The objects that operations since a savepoint wrote into; asked only if there are observers.
  ///
  /// Cost: changes received since are decoded again.
  func changedObjects(since savepoint: Savepoint) -> Set<ObjId> {
    guard engine.hasChanged(since: savepoint) else { return [] }
    return Set(
      engine.objectsChanged(since: savepoint).map { id in
        ObjId(id, (try? engine.kind(of: id)) ?? .map)
      }
    )
  }

  /// Runs a reading call under the lock; the edits of the open change are seen, and it stays open.
  func read<Result>(
    _ body: (MergeDocument) throws(EditError) -> Result
  ) throws -> Result {
    try underLock(body)
  }

  /// Runs a call that closes the open change first; observers are not told, since nothing that is
  /// shown changes.
  ///
  /// Changes that the commit has made impossible are dropped, and logged behind the call.
  func committing<Result>(_ body: (MergeDocument) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    prepareToCommit()
    let droppedCount = engine.droppedChangeCount
    defer { logDropped(since: droppedCount) }
    return try body(engine)
  }

  /// To be called before anything that commits: keeps what running transactions may go back to.
  ///
  ///     transaction begins      savepoint behind operation 3, backup nil
  ///     two edits               operations 4 and 5
  ///     save() within it        backup = the document at the savepoint; then 1...5 become a change
  ///     it throws               the backup is restored: 1...3 are open again, the change is gone
  ///
  /// A savepoint alone would do while nothing commits. Cost: a copy of the document, for each
  /// running transaction once.
  func prepareToCommit() {
    for place in transactions.indices where transactions[place].backup == nil {
      transactions[place].backup = engine.copy(at: transactions[place].savepoint)
    }
  }
}
