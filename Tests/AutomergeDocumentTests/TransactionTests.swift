import AutomergeDocument
import Foundation
import MergeEngine
import Testing

@Suite("Transactions")
struct TransactionTests {
  private struct Stop: Error {}

  private func sample() throws -> (Document, list: ObjId, text: ObjId) {
    let document = Document()
    let list = try document.putObject(obj: .ROOT, key: "l", ty: .List)
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    try document.splice(obj: list, start: 0, delete: 0, values: [.Int(1), .Counter(2), .Int(3)])
    try document.spliceText(obj: text, start: 0, delete: 0, value: "hello")
    return (document, list, text)
  }

  /// Edits of every kind, also such as lengthen the last run of the log.
  private func edit(_ engine: MergeDocument, _ list: ObjId, _ text: ObjId) throws {
    let end = try engine.length(text.engineID)
    try engine.spliceText(text.engineID, at: end, delete: 0, insert: " world")
    try engine.spliceText(text.engineID, at: 0, delete: 2)
    try engine.put(.root, .key("new"), .int(1))
    try engine.put(list.engineID, .index(0), .string("x"))
    try engine.increment(list.engineID, .index(1), by: 5)
    let made = try engine.putObject(.root, .key("m"), .map)
    try engine.put(made, .key("k"), .bool(true))
    try engine.delete(list.engineID, .index(2))
    _ = try engine.insertObject(list.engineID, at: 0, .text)
    try engine.delete(.root, .key("t"))
    try engine.updateText(text.engineID, "other")
  }

  @Test("A transaction that throws leaves no trace, whatever was open before it")
  func rollback() throws {
    for isOpen in [true, false] {
      let (document, list, text) = try sample()
      let twin = document.fork()
      twin.actor = document.actor
      if isOpen {
        // Runs that the transaction's edits will lengthen.
        for each in [document, twin] {
          try each.spliceText(obj: text, start: 5, delete: 0, value: "!")
          try each.spliceText(obj: text, start: 3, delete: 1)
        }
      }
      let before = try document.schema()
      #expect(throws: Stop.self) {
        try document.transaction { engine in
          try engine.spliceText(text.engineID, at: 2, delete: 1)
          try edit(engine, list, text)
          throw Stop()
        }
      }
      #expect(try document.schema() == before)
      for each in [document, twin] { try each.put(obj: .ROOT, key: "after", value: .Int(1)) }
      #expect(document.heads() == twin.heads())
      #expect(document.save() == twin.save())
    }
  }

  @Test("A transaction that returns stays in the open change")
  func success() throws {
    let (document, list, text) = try sample()
    let count = document.getHistory().count
    let result = try document.transaction { engine in
      try edit(engine, list, text)
      return 7
    }
    #expect(result == 7)
    try document.put(obj: .ROOT, key: "after", value: .Int(1))
    #expect(document.getHistory().count == count + 1)
    #expect(try document.text(obj: text) == "other")
  }

  @Test("What commits while a transaction runs is taken back with it")
  func commitInside() throws {
    let (document, list, text) = try sample()
    try document.put(obj: .ROOT, key: "open", value: .Int(1))
    let before = try document.schema()
    #expect(throws: Stop.self) {
      try document.transaction { engine in
        try edit(engine, list, text)
        let heads = document.heads()
        try document.put(obj: .ROOT, key: "second", value: .Int(2))
        #expect(document.heads() != heads)
        let other = Document()
        try other.put(obj: .ROOT, key: "merged", value: .Int(3))
        try document.merge(other: other)
        throw Stop()
      }
    }
    #expect(try document.schema() == before)
    #expect(document.getHistory().count == 1)
    #expect(try Document(document.save()).equivalentContents(document))
  }

  @Test("Transactions nest: the inner one can fail alone")
  func nested() throws {
    let (document, list, text) = try sample()
    for commits in [false, true] {
      try document.transaction { engine in
        try engine.put(.root, .key("outer"), .bool(commits))
        if commits { _ = document.heads() }
        #expect(throws: Stop.self) {
          try document.transaction { engine in
            try edit(engine, list, text)
            if commits { _ = document.save() }
            throw Stop()
          }
        }
        #expect(try document.text(obj: text) == "hello")
        try engine.put(.root, .key("outer2"), .int(1))
      }
      #expect(try document.get(obj: .ROOT, key: "outer") == .Scalar(.Boolean(commits)))
      #expect(try document.get(obj: .ROOT, key: "new") == nil)
    }
    #expect(throws: Stop.self) {
      try document.transaction { _ in
        try document.transaction { try $0.put(.root, .key("inner"), .int(1)) }
        throw Stop()
      }
    }
    #expect(try document.get(obj: .ROOT, key: "inner") == nil)
  }

  @Test("Public calls may be made where the engine is read")
  func readingInside() throws {
    let (document, _, text) = try sample()
    let seen = try document.reading { engine in
      try engine.text(text.engineID) + (try document.text(obj: text))
    }
    #expect(seen == "hellohello")
  }
}
