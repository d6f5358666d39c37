package import FileSystems
public import Foundation

/// A repository of identifiable items, kept in memory and in files.
///
/// ```swift
/// let notes = LocalRepository<Note>(filename: "notes.json")
/// try await notes.save(note)
/// let found = await notes.find(by: note.id)
/// ```
///
/// What it promises:
///
/// - A call that returned survives what the store's ``StoreDurability`` covers; one that threw has changed
///   nothing, or says that it is not known.
/// - After an interruption at any moment the store opens with the state after some change: changes are whole.
/// - Reads show what was stored, never what is being stored; after `save` returned every read shows it.
/// - Damaged files are reported and kept, never served and never overwritten.
/// - Items keep the order in which they were first saved.
/// - One instance has the files at a time, among all processes.
///
/// Ids are told apart by their bytes. Reads take constant time, a change time in its own size on average.
///
/// Source: LocalStore.md, "What it promises".
public actor LocalRepository<Item: Codable & Identifiable & Sendable> where Item.ID == String {
  /// What opening the files found.
  public nonisolated let openReport: OpenReport
  /// Whether changes are carried out.
  public internal(set) var health: StoreHealth
  /// The number of the newest change.
  public internal(set) var sequence: UInt64

  /// An item and the number of its latest change; no item if its bytes do not decode.
  ///
  /// The bytes stay with the engine: such an item is counted and can be saved over or deleted; `find` does not show
  /// it, and `update` refuses it.
  struct Row: Sendable {
    var version: UInt64
    var item: Item?
  }

  let coder: StoreCoder<Item>
  let options: StoreOptions
  /// `nil` if the store could not be opened.
  let writer: StoreWriter?
  var rows: OrderedTable<Row>
  /// Whether a caller is carrying changes out; others wait.
  ///
  /// False only if no caller waits: the leader hands over before it returns.
  var isLed = false
  /// Callers in the order in which they came; the leader takes up to 1,024 of them along.
  var waiting: [Waiter] = []
  /// Gone once no caller holds their sequence; what is left of them is dropped by the next change
  /// or observer.
  var observers: [WeakBuffer] = []

  struct WeakBuffer {
    weak var buffer: ChangeBuffer<Item>?
  }

  /// The user's documents on Apple's systems, and the folder of that purpose elsewhere.
  public static var defaultDirectory: URL {
    FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
      ?? FileManager.default.homeDirectoryForCurrentUser
  }

  /// Opens a repository, or makes one; takes the seed's JSON file over if one has this name.
  ///
  /// It opens in the calling thread, and never fails: where the files cannot be had, ``openReport`` says why,
  /// reads find nothing and each change throws the reason. ``open(directory:filename:options:coder:)`` throws
  /// instead, and does not block.
  public init(
    directory: URL = LocalRepository.defaultDirectory,
    filename: String = "data.json",
    options: StoreOptions = StoreOptions(),
    coder: StoreCoder<Item> = .json
  ) {
    Self.makeDefault(directory)
    self.init(
      opening: Opening(
        directory: StorePlace.path(of: directory),
        filename: filename,
        options,
        coder,
        on: SystemFiles()
      )
    )
  }

  /// Makes the directory that is there by default, which some systems lack; any other is the caller's to make.
  private static func makeDefault(_ directory: URL) {
    guard directory == defaultDirectory else { return }
    try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// Opens a repository, or makes one, away from the cooperative pool.
  ///
  /// - Throws: ``StoreError`` if the files cannot be had; they are as they were.
  public static func open(
    directory: URL = LocalRepository.defaultDirectory,
    filename: String = "data.json",
    options: StoreOptions = StoreOptions(),
    coder: StoreCoder<Item> = .json
  ) async throws(StoreError) -> LocalRepository {
    await FileThread().run { Self.makeDefault(directory) }
    return try await open(
      directory: StorePlace.path(of: directory),
      filename,
      options,
      coder,
      on: SystemFiles()
    )
  }

  /// A repository on other files, whose writer runs on a given executor.
  package init(
    directory: String,
    filename: String,
    options: StoreOptions,
    coder: StoreCoder<Item>,
    on files: any FileSystem,
    executor: any SerialExecutor
  ) {
    self.init(
      opening: Opening(
        directory: directory,
        filename: filename,
        options,
        coder,
        on: files,
        executor: executor
      )
    )
  }

  package static func open(
    directory: String,
    _ filename: String,
    _ options: StoreOptions,
    _ coder: StoreCoder<Item>,
    on files: any FileSystem
  ) async throws(StoreError) -> LocalRepository {
    let opening = await FileThread().run {
      Opening(directory: directory, filename: filename, options, coder, on: files)
    }
    if let error = opening.report.error { throw error }
    return LocalRepository(opening: opening)
  }

  /// What opening a store came to.
  struct Opening: Sendable {
    var writer: StoreWriter?
    var rows = OrderedTable<Row>()
    var report: OpenReport
    var health: StoreHealth
    let coder: StoreCoder<Item>
    let options: StoreOptions

    init(
      directory: String,
      filename: String,
      _ options: StoreOptions,
      _ coder: StoreCoder<Item>,
      on files: any FileSystem,
      executor: any SerialExecutor = FileExecutor()
    ) {
      self.coder = coder
      self.options = options
      report = OpenReport(state: .refused)
      health = .ok
      do {
        let place = try StorePlace(directory: directory, filename: filename)
        var found: (OrderedTable<Row>, OpenReport, StoreHealth)?
        writer = try StoreWriter(
          place,
          options,
          on: files,
          executor: executor,
          readLegacy: { bytes throws(StoreError) in
            try SeedFile.read(bytes, file: filename, options.onDuplicates) { element in
              (try? coder.decode(Array(element)))?.id
            }
          },
          deliver: { found = Self.read($0, coder) }
        )
        if let found { (rows, report, health) = found }
      } catch {
        report.error = error
        health = .failed("\(error)")
      }
    }

    /// Decodes all items; one that does not decode, or that says another id, stays as bytes.
    private static func read(
      _ engine: StoreEngine,
      _ coder: StoreCoder<Item>
    ) -> (OrderedTable<Row>, OpenReport, StoreHealth) {
      var report = engine.report
      let rows = engine.table.mapped { id, stored in
        var item = try? coder.decode(stored.payload)
        if let found = item?.id, ItemID(found) != id { item = nil }
        if item == nil { report.undecodable.append(id.text) }
        return Row(version: stored.version, item: item)
      }
      return (rows, report, engine.health)
    }
  }

  private init(opening: Opening) {
    writer = opening.writer
    rows = opening.rows
    openReport = opening.report
    health = opening.health
    sequence = opening.report.sequence
    coder = opening.coder
    options = opening.options
  }

  /// Ends the changes of observers: none comes any more, and no caller is left to close the repository.
  deinit { for observer in observers { observer.buffer?.finish() } }

  // MARK: - Reading

  /// The item with an id; `nil` if there is none, or if its bytes do not decode.
  public func find(by id: String) -> Item? { rows[ItemID(id)]?.item }

  /// All items, in the order in which they were first saved.
  public func loadAll() -> [Item] { rows.entries.compactMap { $0.value.item } }

  /// All items and the number of the newest change among them.
  public func snapshot() -> StoreSnapshot<Item> {
    StoreSnapshot(sequence: sequence, items: loadAll())
  }

  /// The number of the change that wrote an item last; `nil` if there is none.
  public func version(of id: String) -> UInt64? { rows[ItemID(id)]?.version }

  /// The number of items, those included that do not decode.
  public var count: Int { rows.count }

  /// All items at this moment, and every later change.
  ///
  /// Taken and registered without a suspension between, so that no change is lost or told twice. Of a closed repository
  /// they are the items, and then the end.
  ///
  /// `limit`: Changes that wait for the observer at most.
  public func changes(limit: Int = 256) -> StoreChanges<Item> {
    let buffer = ChangeBuffer(limit: limit, first: StoreChange.snapshot(snapshot()))
    if health == .closed || writer == nil { buffer.finish() }
    observers.removeAll { $0.buffer == nil }
    observers.append(WeakBuffer(buffer: buffer))
    return StoreChanges(buffer: buffer)
  }

  /// Why the last rewrite of the files failed, which is no failure of a change; `nil` if it
  /// succeeded.
  public var compactionFailure: StoreError? {
    get async { await writer?.compactionFailure }
  }

  // MARK: - Whole store

  /// Makes every change so far survive what a level covers.
  public func flush(_ durability: StoreDurability = .full) async throws(StoreError) {
    let writer = try openWriter(.synchronize)
    let (result, health) = await writer.flush(durability)
    note(health)
    try result.get()
  }

  /// Rewrites the files without what was replaced or deleted.
  ///
  /// It also ends a failure of synchronising: what the store shows is then what is stored.
  public func compact() async throws(StoreError) {
    let writer = try openWriter(.compact)
    let (result, health) = await writer.compact()
    note(health)
    try result.get()
  }

  /// Stores what is left and gives the files up.
  ///
  /// Later changes throw; closing again does nothing.
  public func close() async throws(StoreError) {
    guard health != .closed, let writer else { return }
    // After the changes that are being carried out, so that observers get them; a caller that was
    // cancelled closes as any other.
    _ = try? await takeTurn { _ in [] }
    let result = await writer.close()
    health = .closed
    for observer in observers { observer.buffer?.finish() }
    observers = []
    try result.get()
  }

  func openWriter(_ phase: StoreError.Phase) throws(StoreError) -> StoreWriter {
    if let writer { return writer }
    if let error = openReport.error { throw error }
    throw StoreError(.closed, phase)
  }

  /// A closed store stays so, whatever a call that began before says.
  func note(_ health: StoreHealth) {
    if self.health != .closed { self.health = health }
  }
}
