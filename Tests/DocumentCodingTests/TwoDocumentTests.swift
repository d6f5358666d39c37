import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

@Suite("Models of two documents")
struct TwoDocumentTests {
  private struct Note: Codable {
    var title = AutomergeText("title")
    var count = Counter(3)
    var lines = [AutomergeText("one"), AutomergeText("two")]
  }

  @Test("An encode holds no lock while it waits for the document that a text is bound to")
  func waiting() throws {
    let (source, target) = (Document(), Document())
    try source.encode(Note())
    try target.encode(Note(title: AutomergeText("old"), count: Counter(1), lines: []))
    let note = try source.decode(Note.self)
    let isDone = DispatchSemaphore(value: 0)
    source.reading { _ in
      Thread {
        try? target.encode(note)
        try? AutomergeEncoder(doc: target).encode(note.title, at: path(key("copy")))
        isDone.signal()
      }.start()
      // The lock of the source is held here: to wait for that of the target would never end if the encode had it.
      for _ in 0..<50 {
        _ = target.heads()
        Thread.sleep(forTimeInterval: 0.001)
      }
    }
    isDone.wait()
    let copy = try target.decode(Note.self)
    #expect(copy.title.value == "title" && copy.count.value == 3)
    #expect(copy.lines.map(\.value) == ["one", "two"])
    #expect(note.title.objId != copy.title.objId || note.title != copy.title)
  }
}
