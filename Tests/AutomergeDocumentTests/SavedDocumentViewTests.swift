import Foundation
import Testing

@testable import AutomergeDocument

@Suite("Views of saved documents")
struct SavedDocumentViewTests {
  /// A document with the key "n" 1 and 2 at once, a list and a text.
  private func sample() throws -> (document: Document, list: ObjId, text: ObjId) {
    let document = Document(textEncoding: .utf16)
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    try document.insert(obj: list, index: 0, value: .Int(1))
    _ = try document.insertObject(obj: list, index: 1, ty: .Map)
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "hé😀llo")
    let fork = document.fork()
    try document.put(obj: .ROOT, key: "n", value: .Int(1))
    try fork.put(obj: .ROOT, key: "n", value: .Int(2))
    try document.merge(other: fork)
    return (document, list, text)
  }

  @Test("Every question has the document's answer")
  func answers() throws {
    let (document, list, text) = try sample()
    let view = try SavedDocumentView(document.save(), textEncoding: .utf16)
    #expect(view.textEncoding == .utf16)
    for key in ["n", "list", "text", "absent"] {
      #expect(try view.get(obj: .ROOT, key: key) == document.get(obj: .ROOT, key: key))
      #expect(try view.getAll(obj: .ROOT, key: key) == document.getAll(obj: .ROOT, key: key))
    }
    #expect(try view.getAll(obj: .ROOT, key: "n").count == 2)
    for object in [list, text] {
      for index: UInt64 in [0, 1, 2, 3, 5, 6, .max] {
        #expect(try view.get(obj: object, index: index) == document.get(obj: object, index: index))
        #expect(
          try view.getAll(obj: object, index: index) == document.getAll(obj: object, index: index)
        )
      }
    }
    for object in [ObjId.ROOT, list, text] {
      #expect(try view.keys(obj: object) == document.keys(obj: object))
      #expect(try view.values(obj: object) == document.values(obj: object))
      #expect(try view.length(obj: object) == document.length(obj: object))
      #expect(try view.objectType(obj: object) == document.objectType(obj: object))
    }
    let entries = try view.mapEntries(obj: .ROOT)
    #expect(entries.map(\.0) == ["list", "n", "text"])
    #expect(try entries.map(\.1) == document.values(obj: .ROOT))
    #expect(try view.text(obj: text) == "hé😀llo")
    #expect(try view.document().heads() == document.heads())
  }

  @Test("Questions that do not fit are refused as the document refuses them")
  func refusals() throws {
    let (document, list, text) = try sample()
    let view = try SavedDocumentView(document.save())
    let foreign = try Document().putObject(obj: .ROOT, key: "x", ty: .List)
    func kind(_ call: () throws -> Any?) -> DocError.Kind? {
      do { _ = try call() } catch { return (error as? DocError)?.kind }
      return nil
    }
    #expect(kind { try view.get(obj: list, key: "k") } == .wrongObjectType(.List))
    #expect(kind { try view.get(obj: .ROOT, index: 0) } == .wrongObjectType(.Map))
    #expect(kind { try view.mapEntries(obj: text) } == .wrongObjectType(.Text))
    #expect(kind { try view.text(obj: list) } == .wrongObjectType(.List))
    #expect(kind { try view.length(obj: foreign) } == .unknownObject(foreign))
    #expect(kind { try view.keys(obj: foreign) } == .unknownObject(foreign))
    #expect(kind { try view.objectType(obj: foreign) } == .unknownObject(foreign))
  }

  @Test("Bytes that were damaged are refused; changes behind the document are seen")
  func bytes() throws {
    let (document, _, text) = try sample()
    let saved = document.save()
    var damaged = saved
    damaged[damaged.count - 3] ^= 4
    #expect(throws: LoadError.self) { try SavedDocumentView(damaged) }
    try document.spliceText(obj: text, start: 0, delete: 1, value: "J")
    let view = try SavedDocumentView(saved + document.encodeNewChanges())
    #expect(try view.text(obj: text) == "Jé😀llo")
    #expect(try SavedDocumentView(Data()).keys(obj: .ROOT).isEmpty)
  }
}
