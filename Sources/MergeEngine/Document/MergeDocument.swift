/// A document that replicas edit apart and merge: maps, lists, texts, counters.
///
/// Writes and reads Automerge's storage format: the same edits produce the same change hashes.
/// Not safe for use from several threads at once. Nothing from outside traps: local calls throw
/// ``EditError``, bytes throw ``ChunkError``.
///
/// A class, so that documents are shared as references; the value within is ``Core``. Operations go
/// into an open transaction, which every call that looks at changes commits first.
///
/// What an edit makes, and why it is refused besides `unknownObject`, `counterOverflow` and a
/// limit:
///
///     put, putObject          one operation; `put` none for the value that is there alone
///     insert, insertObject    one
///     delete                  one; none for a key without value, and behind the end of a text
///     increment               one, for all counters that the place shows; else `notACounter`
///     splice                  one for each element deleted and each value
///     spliceText              one for each element deleted and each scalar, or cluster, typed
///     all                     `invalidOperation` for the wrong kind of object or `Prop`,
///                             `indexOutOfBounds`, `invalidScalar` for an unknown type code
///
/// A refused edit has changed nothing that can be read, saved or committed. It may have opened the
/// transaction, and entered a key or the writer into a table, which no saved byte shows.
package final class MergeDocument {
  // One stored property, touched once a call. Each touch would cost an exclusivity check, 16 % of
  // the trace's replay; no call hands control to its caller while it changes the core, so that no
  // second access can begin. As for any class that is not Sendable, one thread at a time may call.
  @exclusivity(unchecked)
  private var storage: Core

  var core: Core {
    @inline(__always) _read { yield unsafe storage }
    @inline(__always) _modify { yield unsafe &storage }
  }

  /// An empty document.
  package init(
    actor: ActorID,
    unit: TextUnit = .scalar,
    limits: DocumentLimits = DocumentLimits()
  ) {
    unsafe storage = Core(actor: actor, unit: unit, limits: limits)
  }

  init(core: consuming Core) {
    unsafe storage = core
  }

  /// The actor of local edits.
  ///
  /// Setting it commits what is open: the operations of a change are one actor's. The new one is
  /// entered into the table of actors by its first edit.
  package var actor: ActorID {
    get { core.actor }
    set {
      core.commit()
      core.actor = newValue
    }
  }

  /// What this document takes in from outside, and what a call may cost for it; forks take it over.
  package var limits: DocumentLimits {
    get { core.limits }
    set { core.limits = newValue }
  }

  /// What indexes and lengths of texts count.
  package var unit: TextUnit { core.unit }

  // MARK: Edits

  /// Sets a value; the same value as the only visible one makes no operation.
  package func put(_ object: ObjectID, _ prop: Prop, _ value: Scalar) throws(EditError) {
    try core.put(core.resolve(object), prop, value)
  }

  /// Sets a new, empty object, also where one of that kind stands: the old one is then overwritten.
  package func putObject(
    _ object: ObjectID,
    _ prop: Prop,
    _ kind: ObjectKind
  ) throws(EditError) -> ObjectID {
    let number = try core.putObject(core.resolve(object), prop, kind)
    return core.publicID(ofObject: number)
  }

  /// Inserts a value before the element at `index`.
  package func insert(
    _ object: ObjectID,
    at index: Int,
    _ value: Scalar
  ) throws(EditError) {
    try core.insert(core.resolve(object), at: index, value)
  }

  /// Inserts a new, empty object before the element at `index`.
  package func insertObject(
    _ object: ObjectID,
    at index: Int,
    _ kind: ObjectKind
  ) throws(EditError) -> ObjectID {
    let number = try core.insertObject(core.resolve(object), at: index, kind)
    return core.publicID(ofObject: number)
  }

  /// Deletes a key or an element.
  ///
  /// A key without value makes no operation.
  package func delete(_ object: ObjectID, _ prop: Prop) throws(EditError) {
    try core.delete(core.resolve(object), prop)
  }

  /// Adds to all visible counters of a register.
  ///
  /// Visible values that are no counters are overwritten by it: an increment names all that is
  /// visible.
  package func increment(
    _ object: ObjectID,
    _ prop: Prop,
    by amount: Int64
  ) throws(EditError) {
    try core.increment(core.resolve(object), prop, by: amount)
  }

  /// Deletes `count` elements (in a text: units) from `index` on, then inserts values there.
  ///
  /// A negative count deletes before `index`; past the end deletion stops.
  ///
  /// - Throws: An ``EditError``; what was deleted is then there again.
  package func splice(
    _ object: ObjectID,
    at index: Int,
    delete count: Int,
    insert values: [Scalar] = []
  ) throws(EditError) {
    try core.splice(core.resolve(object), index, delete: count, values)
  }

  /// Deletes `count` units of a text from `index` on, then types `text` there.
  package func spliceText(
    _ object: ObjectID,
    at index: Int,
    delete count: Int,
    insert text: String = ""
  ) throws(EditError) {
    try core.spliceText(core.resolve(object), index, delete: count, text)
  }

  // MARK: Transactions

  /// Operations made since the last commit.
  package var pendingOpCount: Int { core.pendingCount }

  /// Makes a change of the open operations; `nil` if there are none.
  @discardableResult
  package func commit(message: String? = nil, time: Int64 = 0) -> ChangeHash? {
    core.commit(message: message, time: time)
  }

  /// Makes a change without operations, after committing what is open.
  @discardableResult
  package func commitEmpty(
    message: String? = nil,
    time: Int64 = 0
  ) throws(EditError) -> ChangeHash {
    core.commit()
    return try core.commitEmpty(message: message, time: time)
  }

  /// Undoes all open operations; returns how many there were.
  ///
  /// Their numbers are used again. Cost: that of making them, and for elements the id index.
  @discardableResult
  package func rollback() -> Int {
    let count = core.pendingCount
    core.rollback()
    return count
  }

  /// The changes that no other change depends on, ascending.
  ///
  /// Commits what is open.
  package var heads: [ChangeHash] {
    core.commit()
    return core.history.headHashes
  }
}
