import Foundation
import Testing
import Touchstone

@Suite("Types that merge")
struct ConvergenceTests {
  private static func testFile() -> String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-tests-\(UUID().uuidString)")
      .appendingPathComponent("MergeTests.swift").path
  }

  @Test("A type that merges rightly converges")
  func right() async throws {
    try await expectConverges(VoteCount.self, cases: 100)
  }

  @Test("A count that adds up is refuted in one step, told, stored and replayed")
  func wrong() async throws {
    let file = Self.testFile()
    let failures = try await convergenceFailures(of: AddedVotes.self, file: file, test: "votes()")
    let failure = try #require(failures.first)
    let stored = try #require(failure.storedPath)
    #expect(
      failure.description == """
        AddedVotes breaks merge.idempotent
        Merging what is known already changes nothing.

        history:
          1. r0: votes

        then r0 hears itself, and shows something else than before
          expected: 1
          found:    2

        A merge takes the later or the greater of two, or their union: it never adds them up.

        found by case 0 of seed 0x1, shrunk in 8 attempts
        stored: \(stored) (tried first from now on)
        replay: TOUCHSTONE_REPLAY=\(stored) swift test --filter votes
        """
    )
    let again = try await convergenceFailures(of: AddedVotes.self, file: file, test: "votes()")
    #expect(again.count == failures.count)
    #expect(again.allSatisfy { $0.description.contains("(found by an earlier run)") })
  }

  @Test("A class is refused: its replicas would share one state")
  func shared() async throws {
    await #expect(throws: JudgementError.sharedState(type: "SharedVotes")) {
      try await expectConverges(SharedVotes.self)
    }
  }

  // MARK: - Drift

  @Test("A newer version reads what the older one wrote, or says what it would do to it")
  func drift() async throws {
    try await expectDrift(from: RoomV1.self, to: RoomV2.self, losing: ["floor"])
    let lost = try await driftFailures(from: RoomV1.self, to: RoomV2.self)
    #expect(lost.map(\.summary) == ["`floor` is lost when the document is written again"])
    let refused = try await driftFailures(from: RoomV1.self, to: RoomV3.self)
    #expect(refused.map(\.summary) == ["the document is refused: there is no `seats`"])
  }

  @Test("A snapshot is written, guards the model, and says in a table what a change means")
  func snapshot() throws {
    let folder = URL(fileURLWithPath: Self.testFile()).deletingLastPathComponent().path
    let path = "Schemas/Room.json"
    guard case .written = try silentDrift(of: RoomV1.self, since: path, in: folder) else {
      Issue.record("no snapshot was written")
      return
    }
    #expect(try silentDrift(of: RoomV1.self, since: path, in: folder) == .unchanged)
    // The next release has the name of the last one.
    let url = URL(fileURLWithPath: folder).appendingPathComponent(path)
    let text = try String(contentsOf: url, encoding: .utf8).replacing("RoomV1", with: "RoomV3")
    try Data(text.utf8).write(to: url)
    guard case .drifted(let words) = try silentDrift(of: RoomV3.self, since: path, in: folder)
    else {
      Issue.record("the drift was silent")
      return
    }
    let rows = words.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(
      rows == [
        ["where", "change", "this release, of old documents", "the last one, of new documents"],
        [
          "RoomV3.floor", "is gone; it was optional Int",
          "loses it when it writes the document again", "reads it as missing",
        ],
        [
          "RoomV3.seats", "is new: Int", "refuses the document: the key is missing",
          "loses it when it writes the document again",
        ],
      ]
    )
    #expect(words.hasSuffix("TOUCHSTONE_ACCEPT=RoomV3 swift test"))
    let accepted = try silentDrift(of: RoomV3.self, since: path, in: folder, accepting: "RoomV3")
    #expect(accepted == .written("\(path) was written: the schema of RoomV3. Commit it."))
    #expect(try silentDrift(of: RoomV3.self, since: path, in: folder) == .unchanged)
  }

  @Test("Two subjects agree on a history")
  func agreement() async throws {
    let history = """
      history 1
      base objects
      replicas 2
      healing merge
      r0 delete root "l"
      r1 put root "l" int 0
      """
    try await expectAgreement(of: "engine", and: "naive", on: [history])
    await #expect(throws: JudgementError.nothingJudged(type: "engine")) {
      try await expectAgreement(of: "engine", and: "naive", on: [])
    }
  }
}

private struct VoteCount: MergeType {
  let replica: Int
  var counts: [Int: Int] = [:]

  init(replica: Int) { self.replica = replica }

  mutating func edit(_ source: inout ValueSource) -> String {
    counts[replica, default: 0] += 1
    return "votes"
  }

  mutating func merge(_ other: VoteCount) {
    counts.merge(other.counts) { max($0, $1) }
  }

  var content: Int { counts.values.reduce(0, +) }
}

private struct AddedVotes: MergeType {
  var content = 0

  init(replica: Int) {}

  mutating func edit(_ source: inout ValueSource) -> String {
    content += 1
    return "votes"
  }

  mutating func merge(_ other: AddedVotes) { content += other.content }
}

private final class SharedVotes: MergeType {
  var content = 0

  init(replica: Int) {}

  func edit(_ source: inout ValueSource) -> String { "nothing" }

  func merge(_ other: SharedVotes) {}
}

private struct RoomV1: Codable {
  var name: String
  var floor: Int?
}

private struct RoomV2: Codable {
  var name: String
}

private struct RoomV3: Codable {
  var name: String
  var seats: Int
}
