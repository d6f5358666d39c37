import Testing
import Touchstone

/// Each test fails, with a history of a few steps.
@Suite("Types that do not converge")
struct BrokenMergeTests {
  @Test func mapWithTies() async throws { try await expectConverges(TiedMap.self) }

  @Test func setWithoutTombstones() async throws { try await expectConverges(ForgetfulSet.self) }

  @Test func counterOfTotals() async throws { try await expectConverges(GreatestTotal.self) }
}

/// Keeps its own value when two were written at the same time.
struct TiedMap: MergeType {
  var time = 0
  var cells: [String: Cell] = [:]

  struct Cell {
    var time: Int
    var value: Int
  }

  init(replica: Int) {}

  mutating func edit(_ source: inout ValueSource) -> String {
    let (key, value) = (source.element(of: ["a", "b"]), source.number(in: 0...3))
    time += 1
    cells[key] = Cell(time: time, value: value)
    return "sets \(key) to \(value)"
  }

  mutating func merge(_ other: TiedMap) {
    time = max(time, other.time)
    cells.merge(other.cells) { $0.time >= $1.time ? $0 : $1 }
  }

  var content: [String: Int] { cells.mapValues(\.value) }
}

/// Forgets what was removed, so that an older copy brings it back.
struct ForgetfulSet: MergeType {
  var content: Set<String> = []

  init(replica: Int) {}

  mutating func edit(_ source: inout ValueSource) -> String {
    let element = source.element(of: ["x", "y"])
    if content.remove(element) != nil { return "removes \(element)" }
    content.insert(element)
    return "adds \(element)"
  }

  mutating func merge(_ other: ForgetfulSet) { content.formUnion(other.content) }
}

/// Takes the greater of two totals, so that what was taken away comes back.
struct GreatestTotal: MergeType {
  var content = 0

  init(replica: Int) {}

  mutating func edit(_ source: inout ValueSource) -> String {
    let amount = source.number(in: 1...3) * (source.flag() ? -1 : 1)
    content += amount
    return "adds \(amount)"
  }

  mutating func merge(_ other: GreatestTotal) { content = max(content, other.content) }
}
