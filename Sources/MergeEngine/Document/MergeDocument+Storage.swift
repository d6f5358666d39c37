/// Saving, loading, and changes as bytes.
///
/// The actor abcd sets "k" to 5 in an empty document, and commits at time 0:
///
///     saveIncremental()   85 6f 4a 83  ef 3b f0 13  01 21  00 02 ab cd  01 01 00 00 00 ... 00
///                         a change (type 01) of 33 bytes
///     save()              85 6f 4a 83  a0 d8 f5 d3  00 60  01 02 ab cd  01 ef 3b f0 13 ... 00
///                         a document (type 00) of 96 bytes: one actor, one head, which is the
///                         hash of that change, and the columns
///     once more           save() gives the same 106 bytes, saveIncremental() none
///
/// One state gives one file: `save` is a function of the changes, the order in which they were
/// applied, what waits, and zlib. The bytes that ``loadIncremental(_:)`` takes are chunks one
/// behind the other, so that a file may be appended to with what `saveIncremental` gives.
extension MergeDocument {
  /// Reads a saved file: a document chunk, change chunks, or one after the other.
  ///
  /// All or none. `limits` are for this and all that the document and its forks take in.
  package convenience init(
    loading bytes: [UInt8],
    actor: ActorID,
    unit: TextUnit = .scalar,
    limits: DocumentLimits = DocumentLimits()
  ) throws(ChunkError) {
    var core = Core(actor: actor, unit: unit, limits: limits)
    try withView(of: bytes) { (view) throws(ChunkError) in try core.load(view) }
    self.init(core: core)
  }

  /// The whole document, waiting changes included; commits what is open.
  ///
  /// Twice in a row gives the same bytes.
  package func save(compressed: Bool = true) -> [UInt8] {
    core.save(deflates: compressed).view.array
  }

  /// The changes since the last save or load, as plain chunks; commits what is open.
  ///
  /// Twice in a row, the second has no bytes. Waiting changes are left out.
  package func saveIncremental() -> [UInt8] {
    core.commit()
    var output = Arena<UInt8>()
    if core.history.savedCount < core.history.count {
      // Most were committed or received here, and their bytes are kept.
      let unsaved = core.history.changes(from: core.history.savedCount)
      if unsaved.contains(where: { core.history.records[$0].chunkLength == 0 }) {
        core.materializeChunks()
      }
      for change in unsaved {
        let record = core.history.records[change]
        output.append(
          core.history.chunks,
          from: record.chunkStart,
          length: Int(record.chunkLength)
        )
      }
    }
    core.history.savedCount = core.history.count
    return output.view.array
  }

  /// Reads further chunks into this document; changes with unknown dependencies wait.
  ///
  /// All or none: refused input leaves the document as it was. A change that waited before the call
  /// and turns out bad when the call brings its dependencies is dropped (``droppedChanges``).
  package func loadIncremental(_ bytes: [UInt8]) throws(ChunkError) {
    try withView(of: bytes) { (view) throws(ChunkError) in try loadIncremental(view) }
  }

  /// The same for bytes that others own, such as a part of a message.
  func loadIncremental(_ bytes: ByteView) throws(ChunkError) {
    core.commit()
    let isEmpty = core.history.count == 0 && core.history.waiting.isEmpty
    // Into a fresh core, since a document chunk is read in place: what is refused halfway is thrown
    // away with it.
    if isEmpty {
      var fresh = core.emptied()
      let meter = fresh.meter
      meter.add(core.meter.steps)
      meter.ceiling = core.meter.ceiling
      do throws(ChunkError) {
        _ = try fresh.take(bytes, intoEmpty: true)
      } catch {
        core.meter.add(meter.steps - core.meter.steps)
        throw error
      }
      replaceCore(by: fresh)
    } else {
      _ = try core.take(bytes, intoEmpty: false)
    }
  }

  /// Applies changes, each one or more chunks, in any order; known ones are skipped.
  ///
  /// All or none: a refused change leaves the document as it was before the call. A change that
  /// waited before it and turns out bad is dropped (``droppedChanges``).
  package func applyChanges(_ changes: [[UInt8]]) throws(ChunkError) {
    core.commit()
    if changes.count == 1 {
      try withView(of: changes[0]) { (view) throws(ChunkError) in
        _ = try core.take(view, intoEmpty: false)
      }
      return
    }
    var joined: [UInt8] = []
    joined.reserveCapacity(changes.reduce(0) { $0 + $1.count })
    for change in changes { joined.append(contentsOf: change) }
    try withView(of: joined) { (view) throws(ChunkError) in
      _ = try core.take(view, intoEmpty: false)
    }
  }

  // MARK: Copies

  /// A copy of everything, waiting changes included, for another writer.
  ///
  /// Cost: the memory of the document is copied, and nothing is rebuilt.
  package func fork(actor: ActorID) -> MergeDocument {
    core.commit()
    var copy = core.copy()
    copy.actor = actor
    return MergeDocument(core: copy)
  }

  /// A document with some changes and their ancestors, for another writer.
  ///
  /// Cost: the changes are applied one after the other; chunks of a loaded document are rebuilt
  /// first.
  ///
  /// - Throws: ``EditError/unknownHash(_:)``, ``EditError/incompleteHistory(_:)``.
  package func fork(at heads: [ChangeHash], actor: ActorID) throws(EditError) -> MergeDocument {
    core.commit()
    for hash in heads where core.history.find(hash) == nil { throw .unknownHash(hash) }
    core.materializeChunks()
    let order = core.walk(from: heads)
    // What is here was let in once, or written here: limits that were lowered since refuse no copy.
    var copy = Core(actor: actor, unit: core.unit, limits: .greatest)
    do throws(ChunkError) { try copy.receive(backwards: order, from: core) } catch {
      throw .incompleteHistory(error)
    }
    copy.limits = core.limits
    return MergeDocument(core: copy)
  }

  /// Applies all changes of another document that are not here; returns the new heads.
  ///
  /// Commits what is open in both. Waiting changes of the other are left out. All or none: if a
  /// change of the other is refused, none is taken; a change that waited here and turns out bad is
  /// dropped (``droppedChanges``).
  @discardableResult
  package func merge(_ other: MergeDocument) throws(ChunkError) -> [ChangeHash] {
    core.commit()
    if other === self { return core.history.headHashes }
    other.core.commit()
    let order = core.unknown(in: other.core)
    if order.isEmpty { return core.history.headHashes }
    if order.contains(where: { other.core.history.records[$0].chunkLength == 0 }) {
      other.core.materializeChunks()
    }
    try core.receive(backwards: order, from: other.core)
    return core.history.headHashes
  }

  /// Applies the changes of a branch that this document's app has written, as edits of its own.
  ///
  /// Like ``merge(_:)``, but held to the only limit that local edits keep: ``DocumentLimits/emptyElementLimit``.
  package func merge(own branch: MergeDocument) throws(ChunkError) {
    var limits = DocumentLimits.greatest
    limits.emptyElementLimit = core.limits.emptyElementLimit
    swap(&limits, &core.limits)
    defer { swap(&limits, &core.limits) }
    try merge(branch)
  }
}
