#if canImport(Combine) && canImport(SwiftUI)
import AutomergeDocument
import Combine
import DocumentCoding
import Foundation
import SwiftUI
import Testing

/// What Apple's platforms add.
///
/// On Linux `AppleTests` builds this file with stand-ins for the frameworks, and runs it.
@Suite("Views and publishers")
struct ViewTests {
  private struct Note: Codable {
    var title = AutomergeText("title")
    var body = AutomergeText("body")
    var likes = Counter(1)
    var dislikes = Counter(2)
  }

  /// A document with a note, and the note as it is decoded: bound to it.
  private func bound() throws -> (Document, Note) {
    let doc = Document()
    try AutomergeEncoder(doc: doc).encode(Note())
    return (doc, try AutomergeDecoder(doc: doc).decode(Note.self))
  }

  @Test("BND-18: a text field's binding reads the document, and writes what was typed alone")
  func textBinding() throws {
    let (doc, note) = try bound()
    let id = try #require(note.title.objId)
    let binding = note.title.textBinding()
    #expect(binding.wrappedValue == "title")
    let peer = doc.fork()
    binding.wrappedValue = "title!"
    #expect(try doc.text(obj: id) == "title!")
    #expect(note.title.value == "title!")
    #expect(note.body.value == "body")
    try peer.spliceText(obj: id, start: 0, delete: 0, value: "A ")
    try doc.merge(other: peer)
    #expect(binding.wrappedValue == "A title!")
    try doc.updateText(obj: id, value: "B")
    #expect(binding.wrappedValue == "B")
    let unbound = AutomergeText("own")
    let other = unbound.textBinding()
    other.wrappedValue += "ed"
    #expect(unbound.value == "owned" && other.wrappedValue == "owned")
  }

  @Test("BND-18: a stepper's binding reads the document, and adds what was changed")
  func valueBinding() throws {
    let (doc, note) = try bound()
    let binding = note.likes.valueBinding()
    #expect(binding.wrappedValue == 1)
    let peer = doc.fork()
    binding.wrappedValue += 3
    #expect(try doc.get(obj: .ROOT, key: "likes") == .Scalar(.Counter(4)))
    #expect(note.likes.value == 4)
    try peer.increment(obj: .ROOT, key: "likes", by: 10)
    try doc.merge(other: peer)
    #expect(binding.wrappedValue == 14)
    #expect(note.dislikes.value == 2)
    let unbound = Counter(5)
    unbound.valueBinding().wrappedValue -= 1
    #expect(unbound.value == 4)
  }

  @Test("BND-19: each mutating call sends once before and once after, an encode too")
  func documentPublishers() throws {
    let (doc, note) = try bound()
    var events: [String] = []
    func shown() -> String { (try? doc.get(obj: .ROOT, key: "k")).flatMap { "\($0)" } ?? "none" }
    let will = doc.objectWillChange.sink { events.append("will \(shown())") }
    let did = doc.objectDidChange.sink { events.append("did \(shown())") }
    try doc.put(obj: .ROOT, key: "k", value: .Int(1))
    let one = "\(Value.Scalar(.Int(1)))"
    #expect(events == ["will none", "did \(one)"])
    events = []
    try doc.put(obj: .ROOT, key: "k", value: .Int(1))
    #expect(throws: DocError.self) { try doc.put(obj: .ROOT, index: 0, value: .Null) }
    #expect(events == ["will \(one)", "did \(one)", "will \(one)", "did \(one)"])
    events = []
    _ = try doc.get(obj: .ROOT, key: "k")
    _ = try AutomergeDecoder(doc: doc).decode(Note.self)
    _ = doc.fork()
    #expect(events == [])
    try AutomergeEncoder(doc: doc).encode(note)
    #expect(events == ["will \(one)", "did none"])
    will.cancel()
    did.cancel()
    note.title.value = "unheard"
    #expect(events.count == 2)
  }

  @Test("BND-20: a bound text or counter sends when its own content changed, and only then")
  func boundPublishers() throws {
    let (doc, note) = try bound()
    var heard: [String] = []
    let subscriptions = [
      note.title.objectWillChange.sink { heard.append("title") },
      note.body.objectWillChange.sink { heard.append("body") },
      note.likes.objectWillChange.sink { heard.append("likes") },
      note.dislikes.objectWillChange.sink { heard.append("dislikes") },
    ]
    func hears(_ names: [String], line: Int = #line, _ change: () throws -> Void) throws {
      heard = []
      try change()
      #expect(heard.sorted() == names, "line \(line)")
    }
    let peer = doc.fork()
    try hears(["title"]) { note.title.value = "T" }
    try hears([]) { note.title.value = "T" }
    try hears(["likes"]) { note.likes.increment(by: 1) }
    try hears([]) { note.likes.increment(by: 0) }
    try hears([]) { try doc.put(obj: .ROOT, key: "other", value: .Null) }
    let body = try #require(note.body.objId)
    try peer.updateText(obj: body, value: "by a peer")
    try peer.increment(obj: .ROOT, key: "dislikes", by: 1)
    try hears(["body", "dislikes"]) { try doc.merge(other: peer) }
    try hears([]) { try doc.merge(other: peer) }
    let unbound = AutomergeText("u")
    let own = unbound.objectWillChange.sink { heard.append("unbound") }
    try hears(["unbound"]) { unbound.value = "v" }
    for subscription in subscriptions + [own] { subscription.cancel() }
    try hears([]) { note.title.value = "unheard" }
  }
}

#if os(Linux)
import CoreTransferable
import UniformTypeIdentifiers

// Apple's systems have these calls from 15.2 on; the stand-ins have them everywhere.
@Suite("Transfer")
struct TransferTests {
  @Test("A document travels as its saved bytes; damaged ones throw and give no empty document")
  func transfer() async throws {
    #expect(UTType.automerge.identifier == "com.github.automerge")
    let doc = Document()
    try doc.put(obj: .ROOT, key: "k", value: .Int(1))
    let bytes = try await doc.exported(as: .automerge)
    #expect(bytes == doc.save())
    let copy = try await Document(importing: bytes, contentType: .automerge)
    #expect(copy.heads() == doc.heads())
    for damaged in [Data([1, 2, 3]), bytes.dropLast(), Data("no document".utf8)] {
      await #expect(throws: LoadError.self) {
        _ = try await Document(importing: damaged, contentType: .automerge)
      }
    }
  }
}
#endif
#endif
