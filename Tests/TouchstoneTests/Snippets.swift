import Foundation
import ReferenceAutomerge
import Testing
import TouchstoneEngines

// The code of the articles in Touchstone.docc, word for word: ArticleTests compares them.

// They run, with fewer cases where the article does not say how many.
@Suite("Snippets", .laws(cases: 60))
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
      merge: { $0.formUnion($1) },
      keeping: { $0 }
    )
  }

  /// Three seats; each replica sells one at most.
  struct Sales: MergeType {
    let replica: Int
    var sold: Set<Int> = []

    init(replica: Int) { self.replica = replica }

    mutating func edit(_ source: inout ValueSource) -> String {
      sold.insert(replica)
      return "sells its seat"
    }

    mutating func merge(_ other: Sales) { sold.formUnion(other.sold) }

    var content: Int { sold.count }
  }

  @Test func seatsAreNotOversold() async throws {
    try await expectConverges(Sales.self, invariant: { $0.content <= 3 })
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

  @Test("Generators of the articles make what is judged")
  func emailsAreSafe() async throws {
    try await expectLaws(of: Email.self, generators: [emails])
  }

  func shortened(_ text: String, to limit: Int) -> String { String(text.prefix(limit)) }

  @Test func shorteningKeepsTheStart() async throws {
    try await expectProperty("shortening", of: .string(), .int(in: 0...20)) { text, limit in
      let short = shortened(text, to: limit)
      #expect(short.count <= limit)
      #expect(text.hasPrefix(short))
    }
  }

  @Test func slicesAreWithin() async throws {
    let slices = Values<([Int], Int)> { source in
      let list = try source.draw(.array(of: .int(), count: 1...9))
      return (list, try source.draw(.int(in: 0...list.count - 1)))
    }
    try await expectProperty("slices", of: slices) { slice in
      let (list, index) = slice
      #expect(list[index...].count == list.count - index)
    }
  }

  actor Inventory {
    private var counts: [String: Int] = [:]

    func add(_ name: String, _ count: Int) { counts[name, default: 0] += count }

    func take(_ name: String) -> Bool {
      guard let count = counts[name], count > 0 else { return false }
      counts[name] = count - 1
      return true
    }

    var total: Int { counts.values.reduce(0, +) }
  }

  @Test func inventoryCounts() async throws {
    let names = Values<String>.element(of: ["nut", "bolt"])
    let commands: [Command<[String: Int], Inventory>] = [
      Command(
        "add",
        of: .tuple(names, .int(in: 1...9)),
        updating: { model, item in model[item.0, default: 0] += item.1 },
        running: { await $0.add($1.0, $1.1) }
      ),
      Command(
        "take",
        of: names,
        returning: { model, name in
          guard let count = model[name], count > 0 else { return false }
          model[name] = count - 1
          return true
        },
        running: { await $0.take($1) }
      ),
    ]
    try await expectCommands(
      "inventory",
      model: [:],
      system: { Inventory() },
      commands: commands,
      always: { model, inventory in
        #expect(await inventory.total == model.values.reduce(0, +))
      }
    )
  }
}
