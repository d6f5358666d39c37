import AutomergeDocument
import Foundation
import Testing

@Suite("Dropped changes")
struct DroppedChangeTests {
  private func attack(_ name: String) throws -> Data {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try Data(contentsOf: root.appending(path: "fixtures/attacks/\(name)"))
  }

  @Test("A bad change that waited keeps nothing out, and is told with its reason")
  func poison() throws {
    let doc = Document()
    try doc.applyEncodedChanges(encoded: attack("poison-base.chg"))
    try doc.applyEncodedChanges(encoded: attack("poison-object.chg"))
    #expect(doc.droppedChanges.isEmpty)
    try doc.applyEncodedChanges(encoded: attack("poison-awaited.chg"))
    let honest = try Document(attack("poison-honest.chg"))
    #expect(doc.keys(obj: .ROOT).contains("honest"))
    try doc.merge(other: honest)
    #expect(doc.heads() == honest.heads())
    #expect(doc.droppedChangeCount == 1)
    let dropped = try #require(doc.droppedChanges.first)
    #expect(dropped.reason.reason == "an operation names an object that does not exist")
    #expect(dropped.reason.section == ["change", "apply"])
    #expect(!doc.getHistory().contains(dropped.hash))
  }
}
