import AutomergeDocument
import Observation
import Synchronization
import Testing

/// A view model over one text of a document, as an app on any platform would write it.
///
/// Reads go to the document each time, so that the model has no state of its own that could go
/// stale; the observation of that one text says when to read again.
@Observable
private final class NoteModel: Sendable {
  @ObservationIgnored private let document: Document
  @ObservationIgnored private let text: ObjId
  @ObservationIgnored private let token = Mutex<ObservationToken?>(nil)

  init(_ document: Document, text: ObjId) {
    self.document = document
    self.text = text
    let registrar = _$observationRegistrar
    let token = document.observe(text) { [weak self] event in
      guard let self else { return }
      switch event.phase {
      case .will: registrar.willSet(self, keyPath: \.content)
      case .did: registrar.didSet(self, keyPath: \.content)
      }
    }
    self.token.withLock { $0 = token }
  }

  var content: String {
    get {
      access(keyPath: \.content)
      return (try? document.text(obj: text)) ?? ""
    }
    set { try? document.updateText(obj: text, value: newValue) }
  }
}

@Suite("A document under Observation")
struct ObservableExampleTests {
  /// Whether `change` makes what was read of `model` stale.
  private func isStale(_ model: NoteModel, after change: () throws -> Void) rethrows -> Bool {
    let seen = Atomic<Bool>(false)
    withObservationTracking {
      _ = model.content
    } onChange: {
      seen.store(true, ordering: .relaxed)
    }
    try change()
    return seen.load(ordering: .relaxed)
  }

  @Test("What shows a text is told when that text changes, by typing or by a merge, and else not")
  func note() throws {
    let document = Document()
    let text = try document.putObject(obj: .ROOT, key: "note", ty: .Text)
    let model = NoteModel(document, text: text)
    let other = document.fork()
    #expect(isStale(model) { model.content = "hello" })
    #expect(model.content == "hello")
    #expect(try !isStale(model) { try document.put(obj: .ROOT, key: "else", value: .Null) })
    try other.spliceText(obj: text, start: 0, delete: 0, value: "> ")
    #expect(try isStale(model) { try document.merge(other: other) })
    #expect(model.content == "> hello" || model.content == "hello> ")
    try other.put(obj: .ROOT, key: "more", value: .Null)
    #expect(try !isStale(model) { try document.merge(other: other) })
  }
}
