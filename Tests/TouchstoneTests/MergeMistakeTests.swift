import Foundation
import Synchronization
import Testing
import Touchstone

@Suite("Mistakes in types that merge")
struct MergeMistakeTests {
  @Test("An edit that draws from elsewhere is refused as that, at first and where a case is stored")
  func randomEdit() async throws {
    let file = TemporaryFolder().file
    func judged() async throws {
      _ = try await convergenceFailures(of: RandomEdit.self, file: file, test: "random()")
    }
    let error = await #expect(throws: JudgementError.self) { try await judged() }
    let words =
      "`edit` of RandomEdit made two different edits of the same choices: draw from `source`"
    #expect(error?.description.hasPrefix(words) == true, "\(String(describing: error))")
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("__Touchstone__")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let stored = """
      touchstone case 1
      law: merging.commutative
      subjects: merge
      kind: merge.content
      seed: 0x1
      model: RandomEdit
      choices:
        0/1 1/1 0/1x2 1/1x2 0/1x2
      sample: merge 1
        r0: adds a number
        r1: adds a number
      end

      """
    try Data(stored.utf8).write(to: folder.appendingPathComponent("random.case"))
    let again = await #expect(throws: JudgementError.self) { try await judged() }
    #expect(again?.description.hasPrefix(words) == true, "\(String(describing: again))")
  }

  @Test("A stored case whose choices make another history each time is told as that")
  func randomDescription() async throws {
    let file = TemporaryFolder().file
    let notes = Mutex<[String]>([])
    func judged() async throws -> [ModelFailure] {
      try await convergenceFailures(
        "numbered votes",
        initial: { _ in 0 },
        edit: { state, _ in
          state += 1
          return "vote \(UUID())"
        },
        merge: { $0 += $1 },
        showing: { $0 },
        file: file,
        test: "votes()",
        onNote: { note in notes.withLock { $0.append(note) } }
      )
    }
    #expect(!(try await judged()).isEmpty)
    notes.withLock { $0 = [] }
    _ = try await judged()
    let told = notes.withLock { $0 }
    #expect(told.contains { $0.contains("its choices make another sample each time") }, "\(told)")
    #expect(!told.contains { $0.contains("an earlier form of the type") }, "\(told)")
  }

  @Test("Replicas that differ before any edit are refused, with what to leave out")
  func unequalStarts() async throws {
    let error = await #expect(throws: JudgementError.self) {
      try await expectConverges(
        "named",
        initial: { [$0] },
        edit: { state, source in
          state.append(source.number(in: 5...9))
          return "appends"
        },
        merge: { $0 = max($0.description, $1.description) == $0.description ? $0 : $1 }
      )
    }
    #expect(error == .unequalStarts(type: "named", one: "[0]", other: "[1]"))
    #expect(error?.description.contains("leave the replica's id") == true)
  }

  // MARK: - Invariants

  @Test(
    "A state that no edit allows and a merge makes is told with the history, stored and replayed"
  )
  func oversold() async throws {
    let file = TemporaryFolder().file
    func failures(of limit: Int) async throws -> [ModelFailure] {
      try await convergenceFailures(
        of: Sales.self,
        invariant: { $0.content <= limit },
        file: file,
        test: "sales()"
      )
    }
    #expect(try await failures(of: 3) == [])
    let failure = try #require(try await failures(of: 1).first)
    #expect(failure.law == "merging.invariant")
    let told = failure.description
    #expect(told.contains(/history:\n  1\. .*\n  2\. .*\n  3\. .*\n\n/), "\(told)")
    #expect(
      told.contains(", and the invariant does not hold\n  expected: a state that keeps"),
      "\(told)"
    )
    #expect(told.contains("\n  found:    2\n"), "\(told)")
    let again = try await failures(of: 1)
    #expect(again.map(\.law) == ["merging.invariant"])
    #expect(again.first?.description.contains("(found by an earlier run)") == true)
    // A state that is not valid at the start is no step's.
    let early = try #require(try await failures(of: -1).first)
    #expect(early.description.contains("r0 starts, and the invariant does not hold"))
  }

  @Test("Of the issues of a type that merges, what is lost comes first")
  func lossFirst() async throws {
    let found = try await ModelFailureTests.issues(of: Overwritten.self)
    #expect(found.map(\.law).first == "merging.keeps")
    #expect(found.map(\.law).contains("merging.commutative"))
  }
}

/// Adds a number of the system's own.
private struct RandomEdit: MergeType {
  var content: Set<UInt64> = []

  init(replica: Int) {}

  mutating func edit(_ source: inout ValueSource) -> String {
    content.insert(.random(in: 0...UInt64.max))
    return "adds a number"
  }

  mutating func merge(_ other: RandomEdit) { content.formUnion(other.content) }
}

/// Sells one seat for each replica, whatever others have sold.
private struct Sales: MergeType {
  let replica: Int
  var sold: Set<Int> = []

  init(replica: Int) { self.replica = replica }

  mutating func edit(_ source: inout ValueSource) -> String {
    sold.insert(replica)
    return "sells a seat"
  }

  mutating func merge(_ other: Sales) { sold.formUnion(other.sold) }

  var content: Int { sold.count }
}

/// The later state wins as a whole, and of two at one time each replica keeps its own.
private struct Overwritten: MergeType {
  var names: Set<String> = []
  var time = 0

  init(replica: Int) {}

  mutating func edit(_ source: inout ValueSource) -> String {
    let name = source.element(of: ["ada", "bob"])
    names.insert(name)
    time += 1
    return "invites \(name)"
  }

  mutating func merge(_ other: Overwritten) { if other.time > time { self = other } }

  var content: Set<String> { names }
  var kept: Set<String> { names }
}
