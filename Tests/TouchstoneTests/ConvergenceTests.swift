import Foundation
import Synchronization
import Testing
import TouchstoneEngines

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
        AddedVotes breaks merging.idempotent
        Merging what is known already changes nothing.

        history:
          1. r0: votes

        then r0 hears itself, and shows something else than before
          r0:                      1
          r0 after hearing itself: 2
          Compared: r0, with r0 after hearing itself.

        Often a merge adds two up, or appends one to the other: it should take the later or the greater of \
        them, or their union.

        found by case 0 of seed 0x1, shrunk in 12 attempts
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

  @Test("A type none of whose edits shows is refused: that replicas agree proves nothing")
  func idle() async throws {
    let error = await #expect(throws: JudgementError.nothingChanges(type: "Idle")) {
      try await expectConverges(Idle.self, cases: 60)
    }
    #expect(
      error?.description
        == "no edit of Idle changed what it shows, so that replicas which agree prove nothing"
    )
  }

  @Test("Rules given as closures are proved or refuted like a type")
  func closures() async throws {
    try await expectConverges(
      initial: { _ in Set<String>() },
      edit: { state, source in
        let element = source.element(of: ["x", "y"])
        state.insert(element)
        return "adds \(element)"
      },
      merge: { $0.formUnion($1) },
      cases: 60
    )
    let file = Self.testFile()
    func failures() async throws -> [ModelFailure] {
      try await convergenceFailures(
        "the greatest total",
        initial: { _ in (total: 0, edits: 0) },
        edit: { state, source in
          let amount = source.number(in: 1...3) * (source.flag() ? -1 : 1)
          state = (state.total + amount, state.edits + 1)
          return "adds \(amount)"
        },
        merge: { $0 = (max($0.total, $1.total), max($0.edits, $1.edits)) },
        showing: { $0.total },
        file: file,
        test: "totals()"
      )
    }
    let found = try await failures()
    #expect(found.map(\.law) == ["merging.absorbs-the-past"])
    let words = try #require(found.first?.description)
    #expect(
      words.hasPrefix(
        """
        the greatest total breaks merging.absorbs-the-past
        Merging the past changes nothing. Merging an older state of oneself changes nothing: it brings no news.

        history:
          1. r0: adds -1

        """
      ),
      "\(words)"
    )
    #expect(words.hasSuffix("swift test --filter totals"))
    let again = try await failures()
    #expect(again.first?.description.contains("(found by an earlier run)") == true)
  }

  @Test("A class is refused as a state of closures, too")
  func sharedState() async throws {
    await #expect(throws: JudgementError.sharedState(type: "SharedVotes")) {
      try await expectConverges(
        initial: { SharedVotes(replica: $0) },
        edit: { state, source in state.edit(&source) },
        merge: { $0.merge($1) },
        showing: { $0.content }
      )
    }
  }

  // MARK: - Loss

  @Test("A type that says what it keeps is refuted if a merge loses it, by what either side holds")
  func loss() async throws {
    let file = Self.testFile()
    let found = try await convergenceFailures(of: LaterGuests.self, file: file, test: "guests()")
    let failure = try #require(found.first)
    let stored = try #require(failure.storedPath)
    #expect(found.count == 1)
    #expect(
      failure.description == """
        LaterGuests breaks merging.keeps
        Merging loses nothing. Two states merge to one that keeps what either holds, unless an edit that the \
        other made or heard of removed it.

        history:
          1. r0: invites ada
          2. r1: invites bob

        then r0 hears r1, and what r0 holds is lost: Set(["ada"])
          expected: at least Set(["ada", "bob"])
          found:    Set(["bob"])
          Looked at: r0 after hearing r1.

        Often one state, or one part of it, is taken whole where both have something of their own: take the \
        union, less what was removed.

        found by case 4 of seed 0x1, shrunk in 55 attempts
        stored: \(stored) (tried first from now on)
        replay: TOUCHSTONE_REPLAY=\(stored) swift test --filter guests
        """
    )
  }

  @Test("A case of a loss is tried first, and is told as not judged where nothing is to be kept")
  func storedLoss() async throws {
    let file = Self.testFile()
    func failures(
      keeping kept: (@Sendable (Set<String>) -> Set<AnyHashable>)?
    ) async throws -> (laws: [String], notes: [String]) {
      let notes = Mutex<[String]>([])
      let failures = try await convergenceFailures(
        "guests",
        initial: { _ in Set<String>() },
        edit: { state, source in
          let name = source.element(of: ["ada", "bob"])
          state.insert(name)
          return "invites \(name)"
        },
        // The greatest name alone: a merge as good as any, but for what it loses.
        merge: { $0 = Set($0.union($1).max().map { [$0] } ?? []) },
        showing: { $0.max() },
        keeping: kept,
        cases: 60,
        file: file,
        test: "guests()",
        onNote: { note in notes.withLock { $0.append(note) } }
      )
      return (failures.map(\.law), notes.withLock { $0 })
    }
    #expect(try await failures(keeping: nil) == ([], []))
    #expect(try await failures(keeping: { $0 }) == (["merging.keeps"], []))
    let again = try await failures(keeping: nil)
    #expect(again.laws == [])
    #expect(again.notes.count == 1)
    let reason =
      "the law merging.keeps was not judged on guests: the type does not say what it keeps"
    #expect(again.notes.first?.contains(reason) == true)
  }

  @Test("A test that passes without the law of loss prints that, and how to have it asked")
  func unaskedLoss() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try await expectConverges(VoteCount.self, cases: 60)
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.contains("VoteCount: merging.keeps was not asked"), "\(text)")
    #expect(text.contains("`keeping:`"), "\(text)")
  }

  @Test("A type whose replicas all keep the same is refused: that nothing is lost proves nothing")
  func nothingToLose() async throws {
    await #expect(throws: JudgementError.nothingToLose(type: "Set<String>")) {
      try await expectConverges(
        initial: { _ in Set<String>() },
        edit: { state, source in
          state.insert(source.element(of: ["ada", "bob"]))
          return "invites"
        },
        merge: { $0.formUnion($1) },
        keeping: { _ in ["the title"] },
        cases: 60
      )
    }
  }

  // MARK: - Drift

  @Test("A newer version reads what the older one wrote, or says what it would do to it")
  func drift() async throws {
    try await expectDrift(from: RoomV1.self, to: RoomV2.self, losing: ["floor"])
    let file = Self.testFile()
    let lost = try await driftFailures(from: RoomV1.self, to: RoomV2.self, file: file)
    #expect(lost.map(\.summary) == ["`floor` is lost when the document is written again"])
    let refused = try await driftFailures(from: RoomV1.self, to: RoomV3.self, file: file)
    #expect(refused.map(\.summary) == ["the document is refused: there is no `seats`"])
  }

  @Test("A failure of a drift is told, stored, tried first and replayed; a declared loss fixes it")
  func storedDrift() async throws {
    let file = Self.testFile()
    func failures(losing: Set<String> = [], cases: Int? = nil) async throws -> [ModelFailure] {
      try await driftFailures(
        from: RoomV1.self,
        to: RoomV2.self,
        losing: losing,
        cases: cases,
        file: file,
        test: "rooms()"
      )
    }
    let first = try #require(try await failures().first)
    let stored = try #require(first.storedPath)
    #expect(
      first.description == """
        RoomV2 breaks drift.upgrade
        The newer version reads old data. A newer version reads what an older one wrote, and loses nothing of it.

        `floor` is lost when the document is written again
          expected: int 0
          found:    nothing
          Compared: the document, with the document written again.

        written by RoomV1: {"floor": int 0, "name": ""}

        Decode what the older version wrote, or declare the loss: `losing: ["key"]`.

        found by case 1 of seed 0x1
        stored: \(stored) (tried first from now on)
        replay: TOUCHSTONE_REPLAY=\(stored) swift test --filter rooms
        """
    )
    #expect(stored.hasSuffix("__Touchstone__/RoomV2--drift.upgrade--RoomV1.case"))
    #expect(try String(contentsOfFile: stored, encoding: .utf8) == first.caseFile)
    // The one new case would not show it.
    let again = try await failures(cases: 1)
    #expect(again.map(\.summary) == [first.summary])
    #expect(again.first?.description.contains("(found by an earlier run)") == true)
    #expect(try await failures(losing: ["floor"]) == [])
    // Another pair of versions has cases of its own.
    let other = try await driftFailures(from: RoomV2.self, to: RoomV2.self, cases: 6, file: file)
    #expect(other == [])
  }

  @Test("Peers that were not updated are judged where a test speaks of them")
  func downgrade() async throws {
    let file = Self.testFile()
    #expect(try await driftFailures(from: RoomV2.self, to: RoomV1.self, file: file) == [])
    let dropped = try await driftFailures(
      from: RoomV2.self,
      to: RoomV1.self,
      oldPeersLosing: [],
      file: file
    )
    #expect(dropped.map(\.law) == ["drift.downgrade"])
    #expect(dropped.map(\.model) == ["RoomV2"])
    #expect(dropped.map(\.summary) == ["`floor` is lost when the document is written again"])
    let declared = try await driftFailures(
      from: RoomV2.self,
      to: RoomV1.self,
      oldPeersLosing: ["floor"],
      file: file
    )
    #expect(declared == [])
    let refused = try await driftFailures(
      from: RoomV3.self,
      to: RoomV1.self,
      losing: ["seats"],
      oldPeersLosing: ["floor"],
      file: file
    )
    #expect(refused.map(\.law) == ["drift.downgrade"])
    #expect(refused.map(\.summary) == ["the document is refused: there is no `seats`"])
  }

  @Test("A renamed type is compared by what is in it, wherever it stands")
  func renamed() throws {
    let folder = URL(fileURLWithPath: Self.testFile()).deletingLastPathComponent().path
    let path = "House.json"
    guard case .written = try silentDrift(of: HouseV1.self, since: path, in: folder) else {
      Issue.record("no snapshot was written")
      return
    }
    // Nothing but names changed.
    #expect(try silentDrift(of: HouseV2.self, since: path, in: folder) == .unchanged)
    guard case .drifted(let words) = try silentDrift(of: HouseV3.self, since: path, in: folder)
    else {
      Issue.record("the drift was silent")
      return
    }
    let places = words.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
      row.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(
      places == [
        ["Chamber3.floor", "is gone; it was Int"], ["Chamber3.level", "is new: Int"],
        ["Use3", "the value `work` is gone"],
      ],
      "\(words)"
    )
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

  @Test("A field of another type is told by what documents hold of the two")
  func retyped() throws {
    let folder = URL(fileURLWithPath: Self.testFile()).deletingLastPathComponent().path
    guard case .written = try silentDrift(of: LotV1.self, since: "Lot.json", in: folder),
      case .drifted(let words) = try silentDrift(of: LotV2.self, since: "Lot.json", in: folder)
    else {
      Issue.record("the drift was silent")
      return
    }
    let rows = words.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let unfit = "refuses values that do not fit"
    #expect(
      rows == [
        [
          "LotV2.count", "was Int, is Double", "misreads it: as a float",
          "refuses the document: it holds a float",
        ],
        ["LotV2.id", "was UUID, is String", unfit, unfit],
        [
          "LotV2.marks", "was Set<Int>, is String",
          "refuses the document: it holds a list (Set<Int>)",
          "refuses the document: it holds a string",
        ],
      ],
      "\(words)"
    )
  }

  @Test("A snapshot that cannot be read or written is told by its path, and why")
  func snapshotOutOfReach() throws {
    let folder = URL(fileURLWithPath: Self.testFile()).deletingLastPathComponent()
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("Room.json"),
      withIntermediateDirectories: true
    )
    let place = "a folder is in the place of the file"
    #expect(throws: JudgementError.unreadable(reason: "Room.json: \(place)")) {
      try silentDrift(of: RoomV1.self, since: "Room.json", in: folder.path)
    }
    #expect(throws: JudgementError.unwritable(reason: "Room.json: \(place)")) {
      try silentDrift(of: RoomV1.self, since: "Room.json", in: folder.path, accepting: "RoomV1")
    }
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

/// Counts votes, and shows none of them.
private struct Idle: MergeType {
  var votes = 0

  init(replica: Int) {}

  mutating func edit(_ source: inout ValueSource) -> String {
    votes += 1
    return "votes"
  }

  mutating func merge(_ other: Idle) { votes = max(votes, other.votes) }

  var content: Int { 0 }
}

/// A list of guests that the later of two writers decides.
private struct LaterGuests: MergeType {
  let replica: Int
  var names: Set<String> = []
  var time = 0
  var writer = 0

  init(replica: Int) { self.replica = replica }

  mutating func edit(_ source: inout ValueSource) -> String {
    let name = source.element(of: ["ada", "bob"])
    names.insert(name)
    (time, writer) = (time + 1, replica)
    return "invites \(name)"
  }

  mutating func merge(_ other: LaterGuests) {
    guard (time, writer) < (other.time, other.writer) else { return }
    (names, time, writer) = (other.names, other.time, other.writer)
  }

  var content: Set<String> { names }

  var kept: Set<String> { names }
}

private final class SharedVotes: MergeType {
  var content = 0

  init(replica: Int) {}

  func edit(_ source: inout ValueSource) -> String { "nothing" }

  func merge(_ other: SharedVotes) {}
}

private struct HouseV1: Codable {
  var rooms: [Chamber]
  var byName: [String: Chamber]

  struct Chamber: Codable {
    var floor: Int
    var use: Use?
  }

  enum Use: String, Codable { case sleep, work }
}

private struct HouseV2: Codable {
  var rooms: [Chamber2]
  var byName: [String: Chamber2]

  struct Chamber2: Codable {
    var floor: Int
    var use: Use2?
  }

  enum Use2: String, Codable { case sleep, work }
}

private struct HouseV3: Codable {
  var rooms: [Chamber3]
  var byName: [String: Chamber3]

  struct Chamber3: Codable {
    var level: Int
    var use: Use3?
  }

  enum Use3: String, Codable { case sleep }
}

private struct LotV1: Codable {
  var count: Int
  var id: UUID
  var marks: Set<Int>
}

private struct LotV2: Codable {
  var count: Double
  var id: String
  var marks: String
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
