import Foundation
import Inspection
import MergeEngine
import Testing

@Suite("The graph of a document's changes")
struct HistoryGraphTests {
  /// Two replicas that edit at the same time, and meet.
  private func document() throws -> MergeDocument {
    let left = MergeDocument(actor: ActorID([0x0a]))
    try left.put(.root, .key("k"), .int(1))
    left.commit(message: "first")
    let right = left.fork(actor: ActorID([0x0b]))
    try right.put(.root, .key("k"), .int(2))
    right.commit()
    try left.put(.root, .key("l"), .int(3))
    left.commit(message: "second")
    _ = try right.merge(left)
    try right.put(.root, .key("k"), .int(4))
    right.commit(message: "merged")
    return right
  }

  /// A line without its hash, which is between two gaps.
  private func withoutHash(_ line: String) -> String {
    guard line.contains("●") else { return line }
    let parts = line.components(separatedBy: "  ")
    return ([parts[0]] + parts.dropFirst(2)).joined(separator: "  ")
  }

  @Test(
    "Branches have columns, which begin where a change has two dependencies and end where they meet"
  )
  func branches() throws {
    let lines = HistoryGraph.lines(of: try document()).map(withoutHash)
    #expect(lines.first == "●  0b  2  \"merged\"")
    #expect(lines.last == "●  0a  1  \"first\"")
    #expect(lines.contains("├─╮") && lines.contains("├─╯"))
    #expect(lines.count == 6)
    let middle = lines[2...3].map { $0.prefix(3) }
    #expect(Set(middle) == ["● │", "│ ●"])
  }

  @Test("Where earlier changes are left out, columns go on")
  func cut() throws {
    let lines = HistoryGraph.lines(of: try document(), last: 1)
    #expect(lines.count == 3)
    #expect(lines[1...] == ["├─╮", "┆ ┆"])
  }

  @Test("A document without changes has no lines")
  func empty() {
    #expect(HistoryGraph.lines(of: MergeDocument(actor: ActorID([1]))).isEmpty)
  }
}
