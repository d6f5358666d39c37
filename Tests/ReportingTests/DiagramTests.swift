import PastRuns
import TestSupport
import Testing
import Texts

@testable import Reporting

@Suite("Space-time diagram")
struct DiagramTests {
  private typealias Point = Diagram.Point

  private func step(
    _ kind: Report.TimelineStep.Kind,
    _ replicas: [Int],
    message: Int? = nil
  ) -> Report.TimelineStep {
    SampleFailures.step(kind, "", replicas, [], message: message)
  }

  private func shapes(_ steps: [Report.TimelineStep], replicas: Int = 2) -> [Diagram.Shape] {
    Diagram(steps, replicas: replicas).parts.map(\.shape).filter {
      if case .life = $0 { false } else { true }
    }
  }

  private func at(_ lane: Int, _ row: Int) -> Diagram.Point {
    Point(lane: Double(lane), row: Double(row))
  }

  @Test("A message runs from its sending to its arrival")
  func message() {
    let found = shapes([
      step(.send, [0, 1], message: 7), step(.edit, [1]), step(.deliver, [0, 1], message: 7),
    ])
    #expect(
      found == [
        .arrow(at(0, 0), at(1, 2)), .mark(.send, at(0, 0)), .mark(.edit, at(1, 1)),
        .mark(.arrival, at(1, 2)),
      ]
    )
  }

  @Test("Each part of a message has its arrow")
  func parts() {
    let found = shapes([
      step(.send, [0, 1], message: 7), step(.deliver, [0, 1], message: 7),
      step(.deliver, [0, 1], message: 7),
    ])
    #expect(found.prefix(2) == [.arrow(at(0, 0), at(1, 1)), .arrow(at(0, 0), at(1, 2))])
  }

  @Test("A message whose sending is not there arrives from beside")
  func unknown() {
    #expect(
      shapes([step(.deliver, [0, 1], message: 3)]) == [
        .arrow(at(0, 0), at(1, 0)), .mark(.arrival, at(1, 0)),
      ]
    )
  }

  @Test("A loss ends on the way; what is still under way ends nowhere")
  func losses() {
    let found = shapes([
      step(.send, [0, 1], message: 1), step(.send, [1, 0], message: 2),
      step(.drop, [0, 1], message: 1),
    ])
    #expect(
      found == [
        .pending(at(1, 1), Point(lane: 0.5, row: 2.5)),
        .loss(at(0, 0), Point(lane: 0.6, row: 2)), .mark(.send, at(0, 0)), .mark(.send, at(1, 1)),
      ]
    )
  }

  @Test("A cut lasts until it is mended, healed or over")
  func cuts() {
    #expect(
      shapes([step(.cut, [1]), step(.edit, [0]), step(.mend, [])]).first
        == .cut(lane: 1, from: 0, to: 2)
    )
    #expect(
      shapes([step(.cut, [1]), step(.heal, [0, 1])])
        == [.cut(lane: 1, from: 0, to: 0.5), .mutual(at(0, 1), at(1, 1))]
    )
    #expect(shapes([step(.cut, [0])]) == [.cut(lane: 0, from: 0, to: 0.5)])
    #expect(
      shapes([step(.clog, [0, 1]), step(.unclog, [0, 1])])
        == [.clog(from: 0, to: 1, start: 0, end: 1)]
    )
    #expect(shapes([step(.heal, [])]) == [.heal(row: 0)])
  }

  @Test("A fork's line begins with it, a restart breaks the line")
  func lives() {
    let steps = [step(.fork, [0, 2]), step(.restart, [0])]
    let lives = Diagram(steps, replicas: 2).parts.map(\.shape).filter {
      if case .life = $0 { true } else { false }
    }
    #expect(
      lives == [
        .life(lane: 0, from: -0.5, to: 0.75), .life(lane: 0, from: 1, to: 1.5),
        .life(lane: 1, from: -0.5, to: 1.5), .life(lane: 2, from: 0, to: 1.5),
      ]
    )
    #expect(shapes(steps).first == .branch(at(0, 0), at(2, 0)))
  }

  @Test("A state that differs is ringed")
  func differs() {
    let step = SampleFailures.step(.exchange, "", [0, 1], ["a"], oracle: ["b"])
    #expect(
      shapes([step]) == [
        .mark(.differs, at(1, 0)), .arrow(at(0, 0), at(1, 0)), .mark(.arrival, at(0, 0)),
        .mark(.arrival, at(1, 0)),
      ]
    )
  }

  @Test("Healing that leaves a difference has a ring at both of two, and a red bar for more")
  func differsHealed() {
    let pair = SampleFailures.step(.heal, "", [0, 1], ["a"], oracle: ["b"])
    #expect(
      shapes([pair]) == [
        .mark(.differs, at(0, 0)), .mark(.differs, at(1, 0)), .mutual(at(0, 0), at(1, 0)),
      ]
    )
    let all = SampleFailures.step(.heal, "", [0, 1, 2], ["a"], oracle: ["b"])
    #expect(shapes([all]) == [.heal(row: 0, differs: true)])
  }

  @Test("An arrow ends outside of the ring around a state that differs", arguments: 2...12)
  func arrowsBesideRings(replicas: Int) throws {
    let step = SampleFailures.step(.exchange, "", [0, 1], ["a"], oracle: ["b"])
    let diagram = Diagram([step], replicas: replicas)
    var page = Markup(MarkupRules())
    diagram.svg(into: &page, label: "", isFaded: { _ in false })
    let parts = try MarkupTree.read(page.text)
    let ring = try #require(parts.all(ofClass: "differs").first?.all("circle").first)
    let left = try #require(ring.attributes["cx"].flatMap(Double.init))
    let radius = try #require(ring.attributes["r"].flatMap(Double.init))
    let head = try #require(parts.all(ofClass: "head").first?.attributes["d"])
    let tip = try #require(Double(head.dropFirst().prefix { $0 != " " }))
    #expect(tip <= left - min(radius, (diagram.laneWidth - 10) / 2))
  }

  @Test("Replicas that no run could have are left out, whatever their number")
  func limits() {
    let steps = Report.TimelineStep.Kind.allCases.flatMap { kind in
      [[], [Int.max], [-1], [Int.min, 0], [11, 12], [3]].map { step(kind, $0, message: .max) }
    }
    for replicas in [Int.min, -1, 0, 1, 5, Int.max] {
      let diagram = Diagram(steps, replicas: replicas)
      #expect(diagram.laneCount == Diagram.laneLimit)
      #expect(diagram.rowCount == steps.count)
    }
    #expect(Diagram([], replicas: 0).laneCount == 1)
  }
}

@Suite("Comparison of texts")
struct TextComparisonTests {
  private func marked(_ pieces: [TextComparison.Piece]) -> String {
    pieces.map { $0.isCommon ? $0.text : "<\($0.text)>" }.joined()
  }

  @Test(
    "What differs is marked by words",
    arguments: [
      ("", "", "", ""), ("a", "a", "a", "a"), ("", "a b", "", "<a b>"),
      ("int 5", "int 7", "int <5>", "int <7>"),
      ("a b c", "a c", "a <b >c", "a c"),
      ("(an empty map)", "\"n\": int 5)", "<(an empty map)>", "<\"n\": int 5)>"),
      ("x, y, z", "x, z, y", "x, <y>, <z>", "x, <z>, <y>"),
      ("\"caf\u{E9}\"", "\"cafe\u{301}\"", "\"<caf\u{E9}>\"", "\"<cafe\u{301}>\""),
    ]
  )
  func marks(_ expected: String, _ actual: String, _ left: String, _ right: String) {
    let comparison = TextComparison(expected: expected, actual: actual)
    #expect(marked(comparison.expected) == left)
    #expect(marked(comparison.actual) == right)
  }

  @Test("The pieces of any two texts are the texts, beyond the limit, too")
  func complete() {
    let long = (0..<1000).map { "w\($0 * 7 % 13)" }.joined(separator: " ")
    let other = (0..<900).map { "w\($0 * 5 % 11)" }.joined(separator: " ")
    for (left, right) in [(long, other), (long, ""), (other, long + "x"), (long, long)] {
      let comparison = TextComparison(expected: left, actual: right)
      #expect(comparison.expected.map(\.text).joined() == left)
      #expect(comparison.actual.map(\.text).joined() == right)
      let common = { (pieces: [TextComparison.Piece]) in
        pieces.filter(\.isCommon).map(\.text).joined()
      }
      #expect(common(comparison.expected) == common(comparison.actual))
    }
  }
}

@Suite("Abbreviation")
struct AbbreviationTests {
  private static let ones = String(repeating: "01", count: 16)
  private static let twos = String(repeating: "02", count: 16)

  @Test("Long numbers keep the digits that tell them apart")
  func cuts() {
    let texts = [
      "int 1 (1@\(Self.ones))", "int 2 (1@\(Self.twos))", "0x0101", "heads \(Self.ones)#1",
    ]
    let abbreviate = Abbreviation(texts)
    #expect(
      texts.map { abbreviate($0) } == [
        "int 1 (1@0101…)", "int 2 (1@0202…)", "0x0101", "heads 0101…#1",
      ]
    )
  }

  @Test("More digits stay where four do not suffice, and all where twelve do not")
  func distinct() {
    let near = [Self.ones + "aa", "010102" + Self.ones]
    #expect(near.map { Abbreviation(near)($0) } == ["010101…", "010102…"])
    let nearer = [Self.ones + "aa", Self.ones + "ab"]
    #expect(nearer.map { Abbreviation(nearer)($0) } == nearer)
  }

  @Test(
    "Everything else stays",
    arguments: [
      "", "é\u{301}", "0123456789abcde", "ABCDEF0123456789ABCDEF", "18446744073709551615",
      "0.094720005989074711234567",
    ]
  )
  func others(_ text: String) {
    #expect(Abbreviation([text, Self.ones])(text) == text)
  }
}

@Suite("Visible text")
struct VisibleTextTests {
  @Test(
    "What cannot be seen is spelled out",
    arguments: [
      ("plain ~", "plain ~"), ("\u{0}\u{1B}[0m", "\\u{0}\\u{1B}[0m"), ("a\u{202E}b", "a\\u{202E}b"),
      ("\u{301}a\u{301}", "\\u{301}a\u{301}"), ("\u{2028}", "\\u{2028}"), ("é中😀", "é中😀"),
      ("\u{FFFE}\u{E000}", "\\u{FFFE}\\u{E000}"), ("\n\t", "\\u{A}\\u{9}"), ("\u{9B}", "\\u{9B}"),
    ]
  )
  func spells(_ text: String, _ visible: String) {
    #expect(VisibleText()(text) == visible)
  }

  @Test("Lines stay where they may; long texts are cut, and say so")
  func lines() {
    #expect(VisibleText(keepsLines: true)("a\n\tb\r") == "a\n\tb\\u{D}")
    #expect(VisibleText(scalarLimit: 3)("abcdef") == "abc… (3 more)")
    #expect(VisibleText(scalarLimit: 3)("abc") == "abc")
  }

  @Test(
    "Numbers are grouped and rounded",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
      (Int.min, "-9,223,372,036,854,775,808"),
    ]
  )
  func numbers(_ number: Int, _ words: String) {
    #expect(grouped(number) == words)
  }

  @Test(
    "Decimals are rounded to what is asked for",
    arguments: [
      (0.0, 1, "0.0"), (1.26, 1, "1.3"), (-0.25, 2, "-0.25"), (2.005, 3, "2.005"),
      (999.96, 1, "1000.0"),
      (12_345.6, 1, "12,346"), (.nan, 1, "nan"), (.infinity, 1, "inf"), (1e300, 1, "1e+300"),
    ]
  )
  func decimals(_ value: Double, _ digits: Int, _ words: String) {
    #expect(decimal(value, digits: digits) == words)
  }

  @Test("Counts that no Int holds are held at the largest")
  func saturates() {
    var tally = Report.Tally()
    var cell = Report.Cell(law: "a", subject: "b")
    cell.held = .max
    cell.violated = .max
    tally.add(cell)
    tally.add(cell)
    #expect(tally.all == .max)
    #expect([Int.min, -1].saturatedSum == .min)
  }
}
