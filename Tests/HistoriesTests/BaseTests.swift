import DocumentModel
import Foundation
import Histories
import Subjects
import Testing

@Suite("Bases")
struct BaseTests {
  @Test("The saved counters are the golden document, byte for byte")
  func counters() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../fixtures/vectors/counter.automerge")
    #expect(Base.counters.savedBytes == Array(try Data(contentsOf: url)))
    #expect(Base.counters.actor.description == "aa01")
    #expect(Base.empty.savedBytes == nil)
    #expect(Base.objects.savedBytes == nil)
  }

  @Test("A base shows what it is described to hold", arguments: Base.allCases)
  func shows(_ base: Base) throws {
    let state = try #require(outcomes(written("", base: base)).last?.observation)
    let actor = String(repeating: "ff", count: 16)
    let expected: [Base: [String]] = [
      .empty: [],
      .counters: ["\"n\": counter 10 (1@aa01)", "\"n2\": counter -5 (2@aa01)"],
      .objects: [
        "\"l\": list (1@\(actor))", "  0: string \"a\" (2@\(actor))",
        "  1: string \"b\" (3@\(actor))", "\"m\": map (7@\(actor))",
        "  \"k\": int 0 (8@\(actor))", "\"t\": text (4@\(actor))", "  \"ab\" (2 units)",
      ],
    ]
    #expect(Array(state.lines.dropLast()) == expected[base])
  }

  @Test("The ids of a base's objects are those under which they are made", arguments: Base.allCases)
  func objectIDs(_ base: Base) throws {
    let sample = try written("", base: base)
    let root = try #require(outcomes(sample).last?.observation).root
    var shown: [ObjectID] = []
    func visit(_ object: ObservedObject) {
      if let id = object.id { shown.append(id) }
      guard case .map(let entries) = object.content else { return }
      for case .object(let child) in entries.compactMap({ $0.register.values.last?.content }) {
        visit(child)
      }
    }
    visit(root)
    #expect(shown.sorted() == base.objectIDs)
    #expect(base.objectIDs.count == base.objectKinds.count + 1)
  }
}
