public import AutomergeDocument
package import FileSystems
public import Foundation
public import LocalStore

/// Documents by id, in files: a snapshot of each, and the changes since.
///
/// ```swift
/// let documents = try DocumentRepository(directory: folder, name: "documents")
/// try await documents.save(document, as: "draft")
/// let draft = try await documents.load("draft")
/// ```
///
/// Saving appends the changes that are not yet stored; when they outweigh the snapshot, a new one takes their place, so that
/// all writing is a small multiple of what was typed. A crash at any moment leaves every change whose saving had returned,
/// as far as the level covers it (`StoreDurability`): changes are appended whole, and the snapshot is replaced whole.
///
/// What waits in a document for other changes is stored with it.
///
/// Saving two forks under one id keeps both: what is stored is the merge of all that was saved. Ids are told apart by
/// their bytes.
///
/// Source: LocalStore.md, "Documents".
public actor DocumentRepository {
  /// What opening the files found.
  public nonisolated let openReport: OpenReport

  private let writer: StoreWriter
  private let durability: StoreDurability
  // By bytes, as the store tells ids apart: to Swift's `==` two spellings of a letter are one.
  private var known: [ItemID: Stored] = [:]
  private var ids: Set<ItemID> = []
  /// Whether a call is at work, and calls that wait for it, in their order.
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// What is known of a stored document.
  private struct Stored {
    var heads: Set<ChangeHash>
    /// Changes that wait for others in what is stored.
    var waiting: Set<ChangeHash>
    /// Changes that waited in a document that was saved: they are stored, or can never be.
    var settled: Set<ChangeHash> = []
    var snapshotSize: Int
    var appendedSize = 0
  }

  /// Bytes of changes below which no new snapshot is made.
  private static let appendedFloor = 4096

  /// Opens a repository of documents, or makes one, in the calling thread.
  ///
  /// - Throws: `StoreError` if the files cannot be had.
  public init(
    directory: URL,
    name: String = "documents",
    options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    try self.init(directory: StorePlace.path(of: directory), name, options, on: SystemFiles())
  }

  package init(
    directory: String,
    _ name: String,
    _ options: StoreOptions,
    on files: any FileSystem,
    executor: any SerialExecutor = FileExecutor()
  ) throws(StoreError) {
    var report: OpenReport?
    var found: Set<ItemID> = []
    let place = try StorePlace(directory: directory, filename: name)
    writer = try StoreWriter(place, options, on: files, executor: executor) { engine in
      report = engine.report
      found = Set(engine.table.entries.map(\.id))
    }
    openReport = report ?? OpenReport(state: .refused)
    durability = options.durability
    ids = found
  }

  /// The ids of all documents, in the order of their bytes.
  public var documents: [String] {
    ids.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Stores what a document has and the store does not; nothing if it has nothing new.
  ///
  /// - Throws: `StoreError`; `LoadError` if what is stored is no document.
  public func save(_ document: Document, as id: String) async throws {
    await begin()
    defer { end() }
    let id = ItemID(id)
    guard var stored = try await stored(id) else {
      // A copy: what the caller has yet to send stays new to `encodeNewChanges`.
      let copy = document.fork()
      let (bytes, heads) = copy.saveWithHeads()
      try await write(StoreOperation(.put, id, [UInt8](bytes)))
      known[id] = Stored(heads: heads, waiting: copy.waitingHashes, snapshotSize: bytes.count)
      ids.insert(id)
      return
    }
    // Before the changes are taken: what waits now may be one of them by then.
    let waiting = document.waitingChanges.filter { change in
      !stored.waiting.contains(change.hash) && !stored.settled.contains(change.hash)
    }
    var (news, heads) = try await news(of: document, id, beyond: stored.heads)
    if !waiting.isEmpty || !news.isEmpty && !stored.waiting.isEmpty {
      let whole = try Self.document(of: Data(await writer.payload(of: id) ?? []) + news)
      news += Self.accepted(waiting, by: whole)
      // What waited may be among the changes of what is stored by now.
      heads = whole.heads()
      stored.waiting = whole.waitingHashes
      stored.settled.formUnion(waiting.map(\.hash))
    }
    guard !news.isEmpty else {
      known[id] = stored
      return
    }
    if stored.appendedSize + news.count <= max(Self.appendedFloor, stored.snapshotSize) {
      do throws(StoreError) {
        try await write(StoreOperation(.append, id, [UInt8](news)))
        stored.appendedSize += news.count
        stored.heads = heads
        known[id] = stored
        return
      } catch {
        // Where changes have no room behind the snapshot, a new one of all of them may have.
        guard case .tooLarge = error.reason else { throw error }
      }
    }
    let whole = try Self.document(of: Data(await writer.payload(of: id) ?? []))
    try whole.applyEncodedChanges(encoded: news)
    let (bytes, allHeads) = whole.saveWithHeads()
    try await write(StoreOperation(.put, id, [UInt8](bytes)))
    known[id] = Stored(
      heads: allHeads,
      waiting: whole.waitingHashes,
      settled: stored.settled,
      snapshotSize: bytes.count
    )
  }

  /// The document with an id; `nil` if there is none.
  ///
  /// No limit refuses what was saved. The document's own limits, for what it takes in later, are the defaults.
  ///
  /// - Throws: `LoadError` if what is stored is no document.
  public func load(_ id: String) async throws -> Document? {
    await begin()
    defer { end() }
    let id = ItemID(id)
    guard let bytes = await writer.payload(of: id) else { return nil }
    let document = try Self.document(of: Data(bytes))
    // From here on it takes in what others send.
    document.limits = DocumentLimits()
    if known[id] == nil {
      known[id] = Stored(
        heads: document.heads(),
        waiting: document.waitingHashes,
        snapshotSize: bytes.count
      )
    }
    return document
  }

  /// Deletes a document; one that is not there is deleted already.
  ///
  /// - Throws: `StoreError`.
  public func delete(_ id: String) async throws {
    await begin()
    defer { end() }
    let id = ItemID(id)
    guard ids.contains(id) else { return }
    try await write(StoreOperation(.delete, id))
    known[id] = nil
    ids.remove(id)
  }

  /// Stores what is left and gives the files up.
  ///
  /// - Throws: `StoreError`.
  public func close() async throws {
    await begin()
    defer { end() }
    try await writer.close().get()
  }

  /// A stored document, within the greatest limits.
  ///
  /// What is stored was in a document of the app, which let it in or wrote it, and the store's checksums hold it.
  /// Limits are for what comes from others.
  private static func document(of bytes: Data) throws -> Document {
    try Document(bytes, limits: .greatest)
  }

  /// The changes of a document that the store does not have, and the heads of what is stored once it has them.
  ///
  /// A document that lacks some of what is stored is merged with it first: its own heads do not say what is new.
  private func news(
    of document: Document,
    _ id: ItemID,
    beyond heads: Set<ChangeHash>
  ) async throws -> (changes: Data, heads: Set<ChangeHash>) {
    if heads.allSatisfy({ document.change(hash: $0) != nil }) {
      // Before the changes are taken: another thread may edit on, and what is written twice is no loss.
      let stored = document.heads()
      return (try document.encodeChangesSince(heads: heads), stored)
    }
    let whole = try Self.document(of: Data(await writer.payload(of: id) ?? []))
    try whole.merge(other: document)
    return (try whole.encodeChangesSince(heads: heads), whole.heads())
  }

  /// The waiting changes that what is stored lacks and takes in, one behind the other.
  ///
  /// It may have what they wait for, or them. One that it refused would keep the document from loading.
  private static func accepted(
    _ waiting: [(hash: ChangeHash, bytes: Data)],
    by whole: Document
  ) -> Data {
    waiting.reduce(into: Data()) { accepted, change in
      if whole.change(hash: change.hash) != nil { return }
      if (try? whole.applyEncodedChanges(encoded: change.bytes)) != nil { accepted += change.bytes }
    }
  }

  /// What is stored under an id, from the store if it is not known yet.
  private func stored(_ id: ItemID) async throws -> Stored? {
    if let stored = known[id] { return stored }
    guard let bytes = await writer.payload(of: id) else { return nil }
    let document = try Self.document(of: Data(bytes))
    return Stored(
      heads: document.heads(),
      waiting: document.waitingHashes,
      snapshotSize: bytes.count
    )
  }

  private func write(_ operation: StoreOperation) async throws(StoreError) {
    _ = try await writer.commit([[operation]], durability).0.get()
  }

  // MARK: - One call at a time

  /// Waits until no other call is at work: a snapshot must not replace changes that came meanwhile.
  private func begin() async {
    guard isBusy else {
      isBusy = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func end() {
    if waiting.isEmpty {
      isBusy = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}

extension Document {
  /// The changes that wait here for others.
  fileprivate var waitingHashes: Set<ChangeHash> { Set(waitingChanges.map(\.hash)) }
}
