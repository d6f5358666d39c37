public import Foundation
import MergeEngine

/// Commits, storage, and what travels between replicas.
extension Document {
  // MARK: - Commits

  /// Closes the open change; without edits there is nothing to close.
  ///
  /// The time is kept in whole seconds, truncated toward 1970; one 2^62 seconds off or more as the nearest below that.
  public func commitWith(message: String? = nil, timestamp: Date = Date()) {
    let seconds = Int64(clamping: timestamp.timeIntervalSince1970)
    // An observer may commit in answer to each commit: within the innermost one none is notified.
    let observed = (try? beginObserved(nil)) ?? beginUnobserved()
    defer { endObserved(observed, changed: []) }
    prepareToCommit()
    let droppedCount = engine.droppedChangeCount
    defer { logDropped(since: droppedCount) }
    if let hash = engine.commit(message: message, time: seconds) {
      log.debug("committed \(hash)")
    }
  }

  // MARK: - Whole documents

  /// The whole document, compressed.
  ///
  /// Observers are not told, so that one may save.
  public func save() -> Data {
    let bytes = committing { Data($0.save()) }
    log.debug("saved \(bytes.count) bytes")
    return bytes
  }

  /// The whole document together with the heads that the bytes hold.
  ///
  /// Between two calls another thread could edit; here nothing comes in between. With these heads
  /// ``encodeChangesSince(heads:)`` gives the changes that came later.
  public func saveWithHeads() -> (bytes: Data, heads: Set<ChangeHash>) {
    committing { engine in
      (Data(engine.save()), Set(engine.heads.map { ChangeHash($0) }))
    }
  }

  /// A copy of everything, with a random actor.
  public func fork() -> Document {
    let copy = committing { $0.fork(actor: ActorId().engineID) }
    log.debug("forked")
    return Document(engine: copy, log: DocumentLog(.errorOnly))
  }

  /// The document as it was at `heads`, with a random actor.
  ///
  /// - Throws: ``DocError`` for a hash that the document does not know, and where a change, such as one of a hostile
  ///   writer, uses what it does not depend on.
  public func forkAt(heads: Set<ChangeHash>) throws -> Document {
    let copy = try committing { engine in
      do throws(EditError) {
        return try engine.fork(at: heads.engineHashes, actor: ActorId().engineID)
      } catch {
        throw DocError(error)
      }
    }
    log.debug("forked at \(heads.count) heads")
    return Document(engine: copy, log: DocumentLog(.errorOnly))
  }

  /// Takes in all changes of another document, which stays as it is.
  ///
  /// Merging a document with itself does nothing. Observers of this document are notified.
  ///
  /// A change that waited here for its dependencies and turns out bad when they come is dropped
  /// (``droppedChanges``).
  ///
  /// - Throws: ``DocError`` if both wrote different changes with one actor; nothing was taken in.
  public func merge(other: Document) throws {
    try merge(other, nil)
  }

  /// Takes in a branch of this document that the same app has written: no limit for what comes from
  /// others refuses it.
  package func merge(own branch: Document) throws {
    try merge(branch, nil) { engine, branch throws(ChunkError) in try engine.merge(own: branch) }
  }

  func merge(
    _ other: Document,
    _ collector: PatchCollector?,
    by take: (MergeDocument, MergeDocument) throws(ChunkError) -> Void = {
      (engine, other) throws(ChunkError) in
      _ = try engine.merge(other)
    }
  ) throws {
    try receiving("merging") {
      // Both locks, in an order that all threads keep to.
      let inner = number < other.number ? other.lock : lock
      let outer = number < other.number ? lock : other.lock
      outer.lock()
      defer { outer.unlock() }
      inner.lock()
      defer { inner.unlock() }
      other.prepareToCommit()
      let droppedCount = other.engine.droppedChangeCount
      defer { if other !== self { other.logDropped(since: droppedCount) } }
      return try deliver(collector) { engine throws(ChunkError) in
        try take(engine, other.engine)
      }
    }
  }

  // MARK: - Changes

  /// The changes made or received since the last save, load, or call of this.
  ///
  /// Appended to what was saved they make a file that loads. What waits for other changes is not
  /// among them.
  public func encodeNewChanges() -> Data {
    committing { Data($0.saveIncremental()) }
  }

  /// The changes that are neither `heads` nor their ancestors; empty if there are none.
  public func encodeChangesSince(heads: Set<ChangeHash>) throws -> Data {
    committing { engine in
      var bytes = Data()
      for change in engine.changeBytes(since: heads.engineHashes, compressed: true) {
        bytes.append(contentsOf: change)
      }
      return bytes
    }
  }

  /// Takes in changes, or a saved document, or several one after the other; none is no error.
  ///
  /// A change whose dependencies are missing waits for them. One that waited before the call and
  /// turns out bad when its dependencies come is dropped (``droppedChanges``): it does not keep out
  /// what the call brings.
  ///
  /// - Throws: ``DocError``; nothing was taken in.
  public func applyEncodedChanges(encoded: Data) throws {
    try apply(encoded, nil)
  }

  func apply(_ encoded: Data, _ collector: PatchCollector?) throws {
    let bytes = [UInt8](encoded)
    try receiving("applying \(bytes.count) bytes") {
      lock.lock()
      defer { lock.unlock() }
      return try deliver(collector) { engine throws(ChunkError) in
        if !bytes.isEmpty { try engine.loadIncremental(bytes) }
      }
    }
  }

  /// Runs a call that brings changes of others, and tells observers which objects they reached.
  ///
  /// Observers hear of a refused call, too, with nothing changed. `body` takes the locks itself:
  /// they differ.
  func receiving(
    _ call: @autoclosure () -> String,
    _ body: () throws -> Set<ObjId>
  ) throws {
    let mutation = try announce(nil)
    var changed: Set<ObjId> = []
    defer { if let mutation { observers.didMutate(mutation, changed) } }
    do {
      changed = try body()
    } catch let error as DocError {
      log.error("\(call()) was refused: \(error)")
      throw error
    }
    log.debug("\(call()) was done")
  }

  /// Closes the open change and runs `body`; returns the objects that it reached, if there are
  /// observers.
  ///
  /// A collector is given what that did as patches. The caller holds the lock from before the heads
  /// are read until the patches are there, so that they tell of this call alone.
  func deliver(
    _ collector: PatchCollector?,
    _ body: (MergeDocument) throws(ChunkError) -> Void
  ) throws -> Set<ObjId> {
    prepareToCommit()
    let droppedCount = engine.droppedChangeCount
    // Closing the change may drop one, also where the call is then refused.
    defer { logDropped(since: droppedCount) }
    engine.close()
    let before = engine.savepoint
    let heads = collector == nil ? [] : engine.heads
    do throws(ChunkError) { try body(engine) } catch { throw DocError(error) }
    if let collector {
      collector.patches = Patch.all(engine.patches(from: heads, to: engine.heads))
    }
    return observers.isEmpty ? [] : changedObjects(since: before)
  }

  /// The changes that wait for others, as they came.
  package var waitingChanges: [(hash: ChangeHash, bytes: Data)] {
    lock.withLock { engine.waitingChanges.map { (ChangeHash($0.hash), Data($0.bytes)) } }
  }

  // MARK: - Dropped changes

  /// The last 64 changes that waited for others and were refused when those came, oldest first.
  ///
  /// Whether such a change is sound shows only when its dependencies are there; it is then dropped,
  /// so that it cannot keep out what other writers send. One whose number another change of its author
  /// takes is dropped at once. Each is logged as an error, too; where one call drops more, only
  /// its last 64 are.
  public var droppedChanges: [DroppedChange] {
    lock.withLock { engine.droppedChanges.map(DroppedChange.init) }
  }

  /// Logs the changes dropped since there were `count`.
  func logDropped(since count: Int) {
    for dropped in engine.droppedChanges.suffix(max(0, engine.droppedChangeCount - count)) {
      log.error("dropped the waiting change \(dropped.hash): \(LoadError(dropped.reason))")
    }
  }

  /// How many waiting changes this document has dropped.
  public var droppedChangeCount: Int {
    lock.withLock { engine.droppedChangeCount }
  }

  // MARK: - History

  /// The changes that no other change depends on.
  public func heads() -> Set<ChangeHash> {
    committing { Set($0.heads.map { ChangeHash($0) }) }
  }

  /// All changes, each after those it depends on, in the order in which they came here.
  public func getHistory() -> [ChangeHash] {
    committing { $0.changeHashes().map { ChangeHash($0) } }
  }

  /// A change; `nil` for a hash that the document does not know.
  public func change(hash: ChangeHash) -> Change? {
    committing { engine in
      guard let info = engine.change(hash.engineHash),
        let bytes = engine.changeBytes(hash.engineHash, compressed: true)
      else { return nil }
      return Change(info, bytes: bytes)
    }
  }
}

extension Int64 {
  /// The whole part of a number of seconds, within 64 bits; 0 for NaN.
  ///
  ///     1.9 -> 1      -1.9 -> -1      1e300 -> 2^63 - 1      -infinity -> -2^63
  init(clamping seconds: Double) {
    if let exact = Int64(exactly: seconds.rounded(.towardZero)) {
      self = exact
    } else {
      self = seconds.isNaN ? 0 : seconds < 0 ? .min : .max
    }
  }
}
