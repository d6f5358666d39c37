import Inspection
import MergeEngine
import Testing

@Suite("Lists of operations")
struct OperationListTests {
  private func document() throws -> MergeDocument {
    let document = MergeDocument(actor: ActorID([0xaa]))
    let list = try document.putObject(.root, .key("l"), .list)
    try document.splice(list, at: 0, delete: 0, insert: [.int(1), .int(2), .int(3)])
    try document.put(.root, .key("n"), .counter(5))
    document.commit(time: 1)
    try document.splice(list, at: 1, delete: 2, insert: [])
    try document.increment(.root, .key("n"), by: 2)
    try document.put(.root, .key("s\u{1b}"), .string("x\u{7}"))
    let text = try document.putObject(.root, .key("t"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: "ab")
    try document.mark(text, 0..<1, expand: .both, name: "bold", value: .bool(true))
    document.commit(time: 2)
    return document
  }

  @Test("Each operation says what it did, where, and over which; runs are listed one by one")
  func lines() throws {
    let document = try document()
    let changes = document.changes().map { "operations of change \($0.hash)" }
    let expected = [
      "", changes[0],
      #"  1@aa _root "l": new list"#,
      "  2@aa 1@aa first: int 1",
      "  3@aa 1@aa behind 2@aa: int 2",
      "  4@aa 1@aa behind 3@aa: int 3",
      #"  5@aa _root "n": counter 5"#,
      "", changes[1],
      "  6@aa 1@aa at 3@aa: delete (over 3@aa)",
      "  7@aa 1@aa at 4@aa: delete (over 4@aa)",
      #"  8@aa _root "n": add int 2 (over 5@aa)"#,
      #"  9@aa _root "s\u{1b}": string "x\u{7}""#,
      #"  10@aa _root "t": new text"#,
      #"  11@aa 10@aa first: string "a""#,
      #"  12@aa 10@aa behind 11@aa: string "b""#,
      #"  13@aa 10@aa first: mark "bold" boolean true, expands"#,
      "  14@aa 10@aa behind 11@aa: the end of a mark",
    ]
    #expect(OperationList.lines(document) == expected)
    // A loaded document keeps no chunks: they are built again.
    let loaded = try MergeDocument(loading: document.save(), actor: ActorID([1]))
    #expect(OperationList.lines(loaded) == expected)
    #expect(loaded.save() == document.save())
    #expect(loaded.brokenInvariant == nil)
  }

  @Test("Long changes are cut, and say so")
  func limits() throws {
    let lines = OperationList.lines(try document(), operationLimit: 3)
    #expect(lines.contains("  and 2 more operations: --whole lists all"))
    #expect(lines.contains("  and 6 more operations: --whole lists all"))
    let text = "[" + Array(repeating: "1", count: 1500).joined(separator: ",") + "]"
    let long = try DocumentImport.document(
      parsing: Array("{\"n\":\(text)}".utf8),
      actor: ActorID([1])
    )
    #expect(
      OperationList.lines(long, operationLimit: 1).last
        == "  and 1,500 more operations: --whole lists all"
    )
    #expect(DocumentHistory.lines(of: long)[1] == "  actor 01, number 1, 1,501 operations from 1")
  }

  @Test("Golden files have as many operations as their changes say")
  func golden() throws {
    var count = 0
    for vector in try Vector.all() where vector.expect == "ok" {
      let document = try MergeDocument(
        loading: try Fixtures.vector(vector.name),
        actor: ActorID([])
      )
      for change in document.changes() {
        let operations = try #require(document.operations(of: change.hash))
        #expect(operations.count == change.opCount, "\(vector)")
        for (index, operation) in operations.enumerated() {
          #expect(Int(operation.id.counter) == Int(change.startOp) + index, "\(vector)")
          #expect(operation.id.actor == change.actor)
        }
        count += operations.count
      }
      #expect(document.brokenInvariant == nil)
    }
    #expect(count > 100)
  }
}
