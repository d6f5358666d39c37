import FileSystems
import PropertyEngine

/// A store of documents beside its model, while the steps of a sample happen to both.
///
/// It opens the store when it is first needed. After a call that throws, the model is as before the
/// call.
struct DocumentRun {
  /// One thing that is done to the documents.
  enum Action {
    case add(String, id: String, writer: Int)
    /// The change that added a word is handed to a copy, which may lack what it builds on.
    case hand(String, id: String, writer: Int)
    case save(id: String, writer: Int)
    case reload(id: String, writer: Int)
    case delete(id: String)

    /// The copy that it is about; deleting is about none, and counts as writer 0's.
    var copy: (id: String, writer: Int) {
      switch self {
      case .add(_, let id, let writer), .hand(_, let id, let writer), .save(let id, let writer),
        .reload(let id, let writer):
        (id, writer)
      case .delete(let id): (id, 0)
      }
    }
  }

  /// Two documents, by the names of the model.
  static let ids = ["a", "b"]
  /// The name of a document in the store: to Swift's `==` the two are one.
  ///
  /// So every run also asks that ids are told apart by their bytes.
  private static func name(_ id: String) -> String { id == "a" ? "\u{E9}" : "e\u{301}" }
  private static let writers = 0..<3
  /// Characters of a long word: more than a store appends before it rewrites a document.
  private static let longCount = 5000

  private let trial: StoreTrial
  private var files: any FileSystem
  private var store: (any OpenedDocuments)?
  private(set) var model = DocumentModel()
  /// The bytes of the change that added a word.
  private var changes: [String: [UInt8]] = [:]
  /// Words in the order in which they were added, by the document.
  private var words: [String: [String]] = [:]
  private var wordCount = 0
  private var openCount = 0

  init(_ trial: StoreTrial, _ files: any FileSystem) {
    self.trial = trial
    self.files = files
  }

  /// The open store; opened if it is not, which counts as one opening of the case.
  @discardableResult
  mutating func open() async throws -> any OpenedDocuments {
    if let store { return store }
    openCount += 1
    let opened = try trial.subject.openDocuments(
      trial.settings,
      on: files,
      trial.schedule,
      number: openCount
    )
    store = opened
    return opened
  }

  /// Closes the store, and opens it on other files when it is needed next; writers lose their
  /// copies.
  ///
  /// A call that comes late may be refused, but not be left waiting, nor store anything.
  mutating func reopen(on files: any FileSystem) async throws {
    let closed = try await open()
    try await closed.close()
    try? await closed.save(Self.name("a"), by: 0)
    try? await closed.close()
    store = nil
    self.files = files
    model.reopen()
  }

  /// Closes the store and opens it again; writers keep their copies, which no call has loaded from it.
  mutating func reopenKeepingCopies() async throws {
    let closed = try await open()
    try await closed.close()
    store = nil
    try await open().adopt(closed)
  }

  /// What a step comes to: texts are words of writers, flushing reloads, compacting adds a long word.
  ///
  /// Texts of a sample are not used but for their numbers: a number picks the writer (its remainder
  /// by 3), and one word of four is added and not saved, so that a later save brings several.
  /// Deletions of two items of three are left out: a document that is deleted at every step never
  /// grows.
  ///
  ///     item 1, text 14      writer 2 adds a word to b, and saves b
  ///     item 0, text 9       writer 0 adds a word to a; the writer's next save brings it
  mutating func actions(_ step: StoreStep) -> [Action] {
    func word(_ text: String) -> String {
      wordCount += 1
      return "\(wordCount)\(text)"
    }
    switch step {
    case .change(let saved, let deleted):
      return saved.flatMap { text -> [Action] in
        let (id, writer) = (Self.ids[text.item % 2], text.number % 3)
        let add = Action.add(word(""), id: id, writer: writer)
        return text.number / 3 % 4 == 3 ? [add] : [add, .save(id: id, writer: writer)]
      } + deleted.filter { $0 % 3 == 0 }.map { .delete(id: Self.ids[$0 / 3 % 2]) }
    case .flush: return Self.ids.map { .reload(id: $0, writer: 0) }
    case .compact:
      let long = Self.longWord(Self.longCount, number: wordCount + 1)
      return [.add(word(long), id: "a", writer: 1), .save(id: "a", writer: 1)]
    case .reopen, .restart: return []
    }
  }

  /// A word of letters that do not compress: few bytes would be stored otherwise.
  static func longWord(_ count: Int, number: Int) -> String {
    var state = UInt32(truncatingIfNeeded: number)
    let letters = (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(ascii: "a") + UInt8(state >> 24) % 23
    }
    return "x" + String(decoding: letters, as: UTF8.self)
  }

  /// A writer adds a short word to its copy of a document.
  mutating func addWord(to id: String, by writer: Int) async throws {
    wordCount += 1
    try await carryOut(.add("\(wordCount)", id: id, writer: writer))
  }

  /// One writer adds a short word to a document, and saves it.
  mutating func addAndSave() async throws {
    wordCount += 1
    try await carryOut(.add("\(wordCount)", id: "a", writer: 1))
    try await carryOut(.save(id: "a", writer: 1))
  }

  /// The change that a number picks, and the copy that it is handed to; none as long as there is no change.
  ///
  ///     number 0      the latest change of a is handed to writer 0
  ///     number 9      the second latest change of b is handed to writer 1
  func handing(_ number: Int) -> Action? {
    let (id, writer) = (Self.ids[number % 2], number / 2 % Self.writers.count)
    guard let added = words[id] else { return nil }
    let back = number / (2 * Self.writers.count) % added.count
    return .hand(added[added.count - 1 - back], id: id, writer: writer)
  }

  /// One writer gets every change of every stored document but those that wait there, and saves.
  ///
  /// What waited shows then, if it is still there.
  mutating func handAllThatIsMissing() async throws {
    for id in Self.ids where model.stored[id] != nil {
      try await carryOut(.reload(id: id, writer: 0))
      let waiting = model.waiting(in: id)
      for word in words[id, default: []] where !waiting.contains(word) {
        try await carryOut(.hand(word, id: id, writer: 0))
      }
      try await carryOut(.save(id: id, writer: 0))
    }
  }

  /// What a writer's copy of a document has to send to others next.
  mutating func unsent(_ id: String, by writer: Int) async throws -> [UInt8] {
    try await open().unsent(Self.name(id), by: writer)
  }

  /// What is stored after an action.
  func after(_ action: Action) -> [String: Set<String>] {
    var model = model
    model.carryOut(action)
    return model.stored
  }

  /// Carries an action out on the store, and then on the model.
  mutating func carryOut(_ action: Action) async throws {
    let store = try await open()
    switch action {
    case .add(let word, let id, let writer):
      changes[word] = try await store.add(word, to: Self.name(id), by: writer)
      words[id, default: []].append(word)
    case .hand(let word, let id, let writer):
      try await store.take(changes[word] ?? [], into: Self.name(id), by: writer)
    case .save(let id, let writer): try await store.save(Self.name(id), by: writer)
    case .reload(let id, let writer): try await store.reload(Self.name(id), by: writer)
    case .delete(let id): try await store.delete(Self.name(id))
    }
    model.carryOut(action)
  }

  /// Carries out all that a step comes to.
  mutating func carryOut(_ step: StoreStep) async throws {
    for action in actions(step) { try await carryOut(action) }
    if step == .reopen || step == .restart { try await reopen(on: files) }
  }

  /// Every writer saves what it has of every document.
  mutating func saveAll() async throws {
    for id in Self.ids {
      for writer in Self.writers { try await carryOut(.save(id: id, writer: writer)) }
    }
  }

  /// The words of each document that is stored, by its short id.
  mutating func stored() async throws -> [String: Set<String>] {
    let store = try await open()
    var found: [String: Set<String>] = [:]
    for id in Self.ids { found[id] = try await store.stored(Self.name(id)) }
    return found
  }

  /// Where what is stored is not what the model says.
  mutating func difference(_ kind: String) async throws -> Difference? {
    let found = try await stored()
    let names = try await open().names()
    // As bytes: to Swift's `==` the names of the two documents are one.
    let due = model.stored.keys.map(Self.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard names.map({ Array($0.utf8) }) == due.map({ Array($0.utf8) }) else {
      return Difference(
        kind: "documents.names",
        summary: "the documents that are listed are not those that are stored",
        expected: "\(due)",
        actual: "\(names)"
      )
    }
    guard found != model.stored else { return nil }
    return Difference(
      kind: kind,
      summary: "what is stored of the documents differs",
      expected: Self.text(of: model.stored),
      actual: Self.text(of: found)
    )
  }

  /// Words without their padding, by documents.
  static func text(of documents: [String: Set<String>]) -> String {
    let parts = documents.sorted { $0.key < $1.key }.map { id, words in
      "\(id): " + words.map { String($0.prefix { $0 != "x" }) }.sorted().joined(separator: " ")
    }
    return parts.isEmpty ? "none" : parts.joined(separator: "; ")
  }
}

extension DocumentModel {
  /// What an action does to the model.
  mutating func carryOut(_ action: DocumentRun.Action) {
    switch action {
    case .add(let word, let id, let writer): add(word, to: id, by: writer)
    case .hand(let word, let id, let writer): take(word, into: id, by: writer)
    case .save(let id, let writer): save(id, by: writer)
    case .reload(let id, let writer): reload(id, by: writer)
    case .delete(let id): delete(id)
    }
  }
}
