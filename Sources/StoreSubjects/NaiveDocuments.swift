import FileSystems
import Schedules
import StoreLaws

/// The executable specification of stores of documents: each is a row of a naive store, whose text has all changes.
///
/// A copy is the set of changes that one writer has of a document, whether they show or wait. Saving
/// writes the union of the copy and what is stored; saves take turns, as between reading and writing
/// what is stored another one would be lost.
actor NaiveDocuments: OpenedDocuments {
  private let store: NaiveStore
  private let defect: StoreDefect?
  private var copies: [DocumentCopy: Set<WordChange>] = [:]
  /// What a copy was loaded with: it has the rest to send to others.
  private var sent: [DocumentCopy: Set<WordChange>] = [:]
  /// Of a wrong store: what it takes for stored.
  private var believed: [DocumentCopy: Set<WordChange>] = [:]
  private var late: StoreRow?
  /// Names that the wrong store lists: those of all documents that it has saved since it was opened.
  private var listed: Set<String> = []
  /// Whether a save is at work, and those that wait for it.
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule,
    defect: StoreDefect?
  ) throws {
    self.defect = defect
    var settings = settings
    if defect == .growsForEver { (settings.itemLimit, settings.batchLimit) = (1 << 40, 1 << 40) }
    store = try NaiveStore(settings, on: files, schedule, defect: defect)
  }

  /// A writer's copy, which begins with what is stored.
  private func copy(_ copy: DocumentCopy, of id: String) async throws -> Set<WordChange> {
    if let changes = copies[copy] { return changes }
    let changes = await changes(of: id) ?? []
    sent[copy] = changes
    return changes
  }

  func add(_ word: String, to id: String, by writer: Int) async throws -> [UInt8] {
    let copy = DocumentCopy(id: id, writer: writer)
    let known = try await self.copy(copy, of: id)
    let change = WordChange(word: word, behind: WordChange.shown(known))
    copies[copy] = known.union([change])
    return Array(change.text.utf8)
  }

  func take(_ change: [UInt8], into id: String, by writer: Int) async throws {
    let copy = DocumentCopy(id: id, writer: writer)
    let change = WordChange(Substring(decoding: change, as: UTF8.self))
    copies[copy] = try await self.copy(copy, of: id).union([change])
  }

  func adopt(_ other: any OpenedDocuments) async {
    guard let other = other as? NaiveDocuments else { return }
    (copies, sent) = (await other.copies, await other.sent)
  }

  func unsent(_ id: String, by writer: Int) async throws -> [UInt8] {
    let copy = DocumentCopy(id: id, writer: writer)
    let unsent = copies[copy, default: []].subtracting(sent[copy, default: []])
    return Array(unsent.map(\.text).sorted().joined(separator: " ").utf8)
  }

  func save(_ id: String, by writer: Int) async throws {
    guard defect != .interleaves else { return try await store(id, by: writer) }
    if isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    defer {
      if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
    try await store(id, by: writer)
  }

  private func store(_ id: String, by writer: Int) async throws {
    let copy = DocumentCopy(id: id, writer: writer)
    guard var changes = copies[copy] else { return }
    if defect == .notesFirst {
      guard believed[copy] != changes else { return }
      believed[copy] = changes
    }
    if defect == .savingIsSending { sent[copy] = changes }
    if defect == .dropsWaiting { changes = WordChange.shown(changes) }
    let old = defect == .forksReplace ? [] : await self.changes(of: id) ?? []
    guard !changes.isSubset(of: old) || defect == .savesAgain else { return }
    listed.insert(id)
    let row = StoreRow(id, old.union(changes).map(\.text).sorted().joined(separator: " "))
    guard defect != .savesLate else {
      if let late { _ = try await store.apply(saving: [late], deleting: []) }
      late = row
      return
    }
    _ = try await store.apply(saving: [row], deleting: [])
  }

  func reload(_ id: String, by writer: Int) async throws {
    let copy = DocumentCopy(id: id, writer: writer)
    copies[copy] = await changes(of: id)
    sent[copy] = copies[copy]
  }

  /// All changes of what is stored, those that wait among them; `nil` if there is no such document.
  private func changes(of id: String) async -> Set<WordChange>? {
    let row = if let late, late.id == id { late } else { await store.find(id) }
    return row.map { Set($0.text.split(separator: " ").map { WordChange($0) }) }
  }

  func stored(_ id: String) async throws -> Set<String>? {
    await changes(of: id).map { Set(WordChange.shown($0).map(\.word)) }
  }

  func names() async throws -> [String] {
    if defect == .listsDeleted {
      return listed.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    return await store.snapshot().rows.map(\.id).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }

  func delete(_ id: String) async throws {
    if late?.id == id { late = nil }
    _ = try await store.apply(saving: [], deleting: [id])
  }

  func close() async throws {
    if let late { _ = try await store.apply(saving: [late], deleting: []) }
    try await store.close()
  }
}

/// A change of a document of words: the word that it adds, and the newest words that its writer saw.
private struct WordChange: Hashable {
  let word: String
  let past: Set<String>

  /// Adds a word behind changes that all show.
  init(word: String, behind shown: Set<WordChange>) {
    self.word = word
    past = Set(shown.map(\.word)).subtracting(shown.flatMap(\.past))
  }

  /// Reads a text: `3<1,2` adds 3 behind 1 and 2.
  init(_ text: Substring) {
    let parts = text.split(separator: "<")
    word = String(parts[0])
    past = Set(parts.dropFirst().flatMap { $0.split(separator: ",").map(String.init) })
  }

  var text: String { past.isEmpty ? word : word + "<" + past.sorted().joined(separator: ",") }

  /// The changes that show: all that they build on does.
  static func shown(_ changes: Set<WordChange>) -> Set<WordChange> {
    var words: Set<String> = []
    while true {
      let ready = changes.filter { !words.contains($0.word) && $0.past.isSubset(of: words) }
      if ready.isEmpty { return changes.filter { words.contains($0.word) } }
      words.formUnion(ready.map(\.word))
    }
  }
}
