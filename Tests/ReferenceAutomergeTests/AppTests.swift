import Foundation
import ReferenceAutomerge
import Synchronization
import Testing

/// A document-based app: user edits go from the model into the document, merges the other way.
@Suite("A document-based app")
struct AppTests {
  struct Meeting: Codable, Equatable {
    var title = ""
    var attendees: [String] = []
    var notes = AutomergeText()
  }

  /// What such an app keeps for an open file.
  final class OpenFile {
    let doc: Document
    private let encoder: AutomergeEncoder
    private let decoder: AutomergeDecoder
    var model: Meeting
    /// The heads that the model stems from.
    private var heads: Set<ChangeHash>

    init(_ doc: Document, _ model: Meeting?) throws {
      self.doc = doc
      encoder = AutomergeEncoder(doc: doc)
      decoder = AutomergeDecoder(doc: doc)
      if let model { try encoder.encode(model) }
      self.model = try decoder.decode(Meeting.self)
      heads = doc.heads()
    }

    /// After the user edited the model.
    func storeModelUpdates() throws {
      try encoder.encode(model, basedOn: heads)
      try getModelUpdates()
    }

    /// After the document merged.
    func getModelUpdates() throws {
      model = try decoder.decode(Meeting.self)
      heads = doc.heads()
    }
  }

  @Test("Two people edit one file; both models end alike, with all edits") func bothWays() throws {
    let first = try OpenFile(Document(), Meeting(title: "Plan", attendees: ["A"]))
    let second = try OpenFile(Document(first.doc.save()), nil)

    first.model.title = "Plan B"
    try first.storeModelUpdates()
    first.model.notes.value = "Bring coffee."

    second.model.attendees.append("B")
    try second.storeModelUpdates()
    second.model.notes.value = "Bring cups."

    try first.doc.merge(other: second.doc)
    try second.doc.merge(other: first.doc)
    try first.getModelUpdates()
    try second.getModelUpdates()
    #expect(first.model.title == "Plan B" && first.model.attendees == ["A", "B"])
    #expect(second.model.title == "Plan B" && second.model.attendees == ["A", "B"])
    #expect(first.model.notes.value == second.model.notes.value)
    #expect(first.model.notes.value.contains("coffee"))
    #expect(first.model.notes.value.contains("cups"))
  }

  @Test("A merge between decoding and storing is not taken back") func mergeInBetween() throws {
    let first = try OpenFile(Document(), Meeting(title: "Plan", attendees: ["A"]))
    let second = try OpenFile(Document(first.doc.save()), nil)
    second.model.attendees.append("B")
    try second.storeModelUpdates()

    first.model.title = "Edited"
    try first.doc.merge(other: second.doc)
    try first.storeModelUpdates()
    #expect(first.model.title == "Edited")
    #expect(first.model.attendees == ["A", "B"])
  }

  @Test("Text fields write through, so storing the model afterwards writes nothing")
  func textFields() throws {
    let file = try OpenFile(Document(), Meeting())
    let heads = file.doc.heads()
    file.model.notes.value = "typed"
    let typed = file.doc.heads()
    #expect(typed != heads)
    try AutomergeEncoder(doc: file.doc).encode(file.model)
    #expect(file.doc.heads() == typed)
  }

  @Test("A text's changes can be followed on every platform") func following() throws {
    let file = try OpenFile(Document(), Meeting())
    let id = try #require(file.model.notes.objId)
    let heard = Mutex(0)
    let token = file.doc.observe(id) { event in
      if event.phase == .did { heard.withLock { $0 += 1 } }
    }
    file.model.notes.value = "a"
    file.model.title = "b"
    try AutomergeEncoder(doc: file.doc).encode(file.model)
    #expect(heard.withLock { $0 } == 1)
    token.cancel()
  }

  @Test("Encoders, decoders, texts and counters pass between threads") func sendable() async throws
  {
    let doc = Document()
    let encoder = AutomergeEncoder(doc: doc)
    let decoder = AutomergeDecoder(doc: doc)
    try encoder.encode(["n": Counter()])
    let text = try AutomergeText("", doc: doc, path: "t")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<10 {
            try Counter(1).bind(doc: doc, path: "n")
            try encoder.encode(step, at: [AnyCodingKey("m"), AnyCodingKey("k\(task)")])
            text.value += "x"
            _ = try decoder.decode([String: Int].self, from: [AnyCodingKey("m")])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try decoder.decode(Counter.self, from: [AnyCodingKey("n")]).value == 80)
    #expect(try decoder.decode([String: Int].self, from: [AnyCodingKey("m")]).count == 8)
  }
}
