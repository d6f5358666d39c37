import Foundation
import ReferenceAutomerge
import Testing
import Touchstone

// The code of the articles in Touchstone.docc, word for word: ArticleTests compares them.

@Suite("Snippets", .disabled("they are compiled; other tests run the same calls with fewer cases"))
struct Snippets {
  struct Note: Codable {
    var title: String
    var body: AutomergeText
    var created: Date
    var isDone: Bool
  }

  @Test func noteIsSafe() async throws {
    try await expectLaws(of: Note.self)
  }

  struct ForgetfulNote: Codable {
    var title: String
    var isDone = false

    enum CodingKeys: CodingKey { case title, isDone }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      title = try container.decode(String.self, forKey: .title)
      isDone = try container.decodeIfPresent(Bool.self, forKey: .isDone) ?? false
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(title, forKey: .title)
    }
  }

  struct Shape: Codable, Sendable {
    var kind: String
    var size: Int

    init(kind: String, size: Int) {
      self.kind = kind
      self.size = size
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      kind = try container.decode(String.self, forKey: .kind)
      size = try container.decode(Int.self, forKey: .size)
      guard kind == "circle" || kind == "square" else { throw CancellationError() }
    }
  }

  @Test func shapeIsSafe() async throws {
    try await expectLaws(of: Shape.self, words: ["kind": ["circle", "square"]])
    try await expectLaws(of: Shape.self, samples: [Shape(kind: "circle", size: 2)])
    try await expectLaws(
      of: Shape.self,
      generators: [
        .value(Shape.self) { source in
          Shape(kind: source.element(of: ["circle", "square"]), size: source.number(in: 0...9))
        }
      ]
    )
  }

  /// Keeps days and no milliseconds.
  struct Diary: Codable {
    var day: Date

    enum CodingKeys: CodingKey { case day }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      let seconds = day.timeIntervalSinceReferenceDate.rounded()
      try container.encode(Date(timeIntervalSinceReferenceDate: seconds), forKey: .day)
    }
  }

  @Test func diaryIsSafe() async throws {
    try await expectLaws(of: Diary.self, tolerance: LawTolerance(dateSeconds: 1))
  }

  @Test func noteDoesNotDrift() async throws {
    try await expectNoSilentDrift(of: Note.self, since: "Schemas/Note.json")
  }

  struct NoteV1: Codable {
    var title: String
    var color: String
  }

  struct NoteV2: Codable {
    var title: String
  }

  @Test func newNotesReadOldOnes() async throws {
    try await expectDrift(from: NoteV1.self, to: NoteV2.self, losing: ["color"])
  }

  @Test func noteFromSeedSeven() async throws {
    try await expectLaws(of: Note.self, cases: 200, seed: 7)
  }

  @Test(.laws(cases: 200, seed: 7))
  func noteFromSeedSevenByTrait() async throws {
    try await expectLaws(of: Note.self)
  }

  @Test(.laws(time: .seconds(5)))
  func noteInFiveSeconds() async throws {
    try await expectLaws(of: Note.self)
  }

  struct Votes: MergeType {
    let replica: Int
    var counts: [Int: Int] = [:]

    init(replica: Int) { self.replica = replica }

    mutating func edit(_ source: inout ValueSource) -> String {
      let amount = source.number(in: 1...3)
      counts[replica, default: 0] += amount
      return "votes \(amount) times"
    }

    mutating func merge(_ other: Votes) {
      counts.merge(other.counts) { max($0, $1) }
    }

    var content: Int { counts.values.reduce(0, +) }
  }

  @Test func votesConverge() async throws {
    try await expectConverges(Votes.self)
  }

  @Test func namesConverge() async throws {
    try await expectConverges(
      initial: { _ in Set<String>() },
      edit: { state, source in
        let name = source.element(of: ["ada", "bob"])
        state.insert(name)
        return "adds \(name)"
      },
      merge: { $0.formUnion($1) }
    )
  }

  @Test func engineKeepsItsLaws() async throws {
    try await expectLaws(of: "engine", matching: ["merge.*"], cases: 50)
  }

  let history = """
    history 1
    base objects
    replicas 2
    healing merge
    r0 delete root "l"
    r1 put root "l" int 0
    """

  @Test func enginesAgree() async throws {
    try await expectAgreement(of: "engine", and: "naive", on: [history])
  }

  struct Email: Codable {
    var text: String
  }

  let emails: ValueGenerator = .value(Email.self) { source in
    Email(text: "\(source.element(of: ["ada", "bob"]))@example.org")
  }
}
