import Testing

@testable import MergeEngine

/// Changes that use what they do not name: a document takes them if that is there.
@Suite("Changes that hide their dependencies")
struct HiddenDependencyTests {
  /// A change of one dependency, which names none.
  private func lonely(_ chunk: [UInt8]) -> [UInt8] {
    let content = content(of: chunk)
    precondition(content[0] == 1)
    return changeChunk([0] + content[33...])
  }

  /// A document of two changes; the second hides that it follows the first.
  private func document(of honest: MergeDocument) throws -> MergeDocument {
    let changes = honest.changeBytes()
    let document = MergeDocument(actor: actor(9))
    try document.applyChanges([changes[0]])
    try document.applyChanges([lonely(changes[1])])
    #expect(document.heads.count == 2 && document.waitingCount == 0)
    return document
  }

  /// The second change is the same writer's.
  private func ofOneWriter(_ number: Int64) throws -> MergeDocument {
    let honest = MergeDocument(actor: actor(1))
    try honest.put(.root, .key("a"), .int(number))
    honest.commit(time: 1)
    try honest.put(.root, .key("b"), .int(2))
    honest.commit(time: 2)
    return try document(of: honest)
  }

  /// The second change writes into a list that the first has made.
  private func ofTwoWriters() throws -> MergeDocument {
    let honest = MergeDocument(actor: actor(1))
    let list = try honest.putObject(.root, .key("list"), .list)
    try honest.insert(list, at: 0, .int(1))
    honest.commit(time: 1)
    let other = honest.fork(actor: actor(2))
    try other.insert(list, at: 1, .int(2))
    other.commit(time: 2)
    return try document(of: other)
  }

  @Test("A fork at one that means nothing by itself is refused, and the other is forked")
  func forks() throws {
    for document in [try ofOneWriter(1), try ofTwoWriters()] {
      let hashes = document.changes().map(\.hash)
      let (first, second) = (hashes[0], hashes[1])
      #expect(try document.fork(at: [first], actor: actor(4)).heads == [first])
      let error = #expect(throws: EditError.self) {
        _ = try document.fork(at: [second], actor: actor(4))
      }
      guard case .incompleteHistory = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(try document.fork(at: document.heads, actor: actor(4)).save() == document.save())
    }
  }

  @Test("A merge brings what is hidden first, whichever of two heads has the smaller hash")
  func merges() throws {
    var isWalkedRight: Set<Bool> = []
    for number in 0..<8 as Range<Int64> {
      let document = try ofOneWriter(number)
      let hashes = document.changes().map(\.hash)
      isWalkedRight.insert(hashes[0] > hashes[1])
      let other = MergeDocument(actor: actor(3))
      try other.put(.root, .key("own"), .int(1))
      try other.merge(document)
      #expect(hashes.allSatisfy { other.change($0) != nil })
      try other.core.checkInvariants()
    }
    #expect(isWalkedRight.count == 2)
  }
}
