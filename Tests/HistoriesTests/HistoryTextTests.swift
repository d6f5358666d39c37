import DocumentModel
import PropertyEngine
import Testing
import Texts

@testable import Histories

@Suite("Histories as text")
struct HistoryTextTests {
  @Test("A valid history is read back as it was, and written again byte for byte")
  func roundTrip() throws {
    for sample in normalisedHistories(500, seed: 11) {
      let text = sample.history.text
      let parsed = try History(text: text)
      #expect(parsed == sample.history, "\(text)")
      #expect(ExactString(parsed.text) == ExactString(text))
    }
  }

  @Test("Every step, edit and scalar has a line of its own form")
  func snapshot() throws {
    let text = """
      history 1
      base objects
      replicas 3
      healing merge document changes
      r0 put root "e\\u{301}" string "a\\"\\\\\\n"
      r0 put root "" new list as list4
      r1 insert list4 0 int -1
      r1 insert list4 1 new text as text5
      r2 delete list1 0
      r2 increment root "n" -9223372036854775808
      r0 splice list1 1 delete 2 insert uint 1 insert boolean true
      r0 type text2 0 delete 1 insert "xy"
      r0 mark text2 1 to 3 "bold" boolean true expand after
      r1 mark list1 0 to 0 "" null expand none
      r0 put map3 "k" float bits:7ff8000000000001
      r0 put map3 "k" unknown 10 0x00ff
      r0 put map3 "k" timestamp 0
      r0 put map3 "k" counter 3
      r0 put map3 "k" bytes 0x
      r0 put map3 "k" null
      r0 commit
      r0 fork r3 actor 3
      r0 -> r1 document
      r0 -> r1 send m1 changes
      m1 deliver
      m1 deliver part 2
      m1 drop noise
      m1 drop cut
      cut r0 r2
      cut-outgoing r1
      mend
      clog r0 -> r1
      unclog r0 -> r1
      r0 save s0
      r0 restart s0 actor 4
      r1 cursor text2 3 moving before
      r2 cursor list1 0 moving after
      r0 syncs r1
      r0 syncs r2 lose double late restart deliver
      r1 hears poison knowing r0 pick 999
      r2 hears lie knowing r2 pick 0

      """
    #expect(try History(text: text).text == text)
  }

  /// A text that is no history, and the line and reason of its refusal.
  struct Refusal: CustomStringConvertible {
    let text: String
    let line: Int
    let reason: HistoryTextError.Reason

    init(_ text: String, _ line: Int, _ reason: HistoryTextError.Reason) {
      self.text = text
      self.line = line
      self.reason = reason
    }

    /// A step below a good head.
    static func step(_ step: String, _ reason: HistoryTextError.Reason) -> Refusal {
      Refusal("history 1\nbase empty\nreplicas 2\nhealing merge\nmend\n\n\(step)\n", 7, reason)
    }

    static func step(_ step: String, due: String, found: String) -> Refusal {
      Self.step(step, .expected(due, found: found))
    }

    var description: String { quoted(text) }
  }

  private static let end = "the end of the line"

  static let heads: [Refusal] = [
    Refusal("", 1, .expected("\"history\"", found: end)),
    Refusal("History 1", 1, .expected("\"history\"", found: "History")),
    Refusal("history", 1, .expected("a version", found: end)),
    Refusal("history 2", 1, .unknownVersion("2")),
    Refusal("history 1 2", 1, .surplus("2")),
    Refusal("history 1", 2, .missingLine("the base")),
    Refusal("history 1\nbase nothing", 2, .expected("a base", found: "nothing")),
    Refusal("history 1\nbase empty objects", 2, .surplus("objects")),
    Refusal("history 1\nbase empty\n", 3, .expected("\"replicas\"", found: end)),
    Refusal(
      "history 1\nbase empty\nreplicas 0",
      3,
      .expected("a number of replicas", found: "0")
    ),
    Refusal(
      "history 1\nbase empty\nreplicas 65",
      3,
      .expected("a number of replicas", found: "65")
    ),
    Refusal("history 1\nbase empty\nreplicas 2 3", 3, .surplus("3")),
    Refusal("history 1\nbase empty\nreplicas 2", 4, .missingLine("the transports of healing")),
    Refusal(
      "history 1\nbase empty\nreplicas 2\nhealing merge pigeon",
      4,
      .expected("a transport", found: "pigeon")
    ),
  ]

  static let steps: [Refusal] = [
    .step("\"r0\" commit", due: "a step", found: "\"r0\""),
    .step("x0 commit", due: "a replica such as r0", found: "x0"),
    .step("r-1 commit", due: "a replica such as r0", found: "r-1"),
    .step("r1001 commit", due: "a replica such as r0", found: "r1001"),
    .step("r0 commit now", .surplus("now")),
    .step("r0 cursor root", due: "an index", found: end),
    .step("r0 cursor list1 0 moving up", due: "before or after", found: "up"),
    .step("r0 syncs r1 hope", due: "what becomes of a message", found: "hope"),
    .step("r0 hears music", due: "what a hostile peer does", found: "music"),
    .step("r0 hears lie knowing r1", due: "\"pick\"", found: end),
    .step(
      "r0 hears lie knowing r1 pick 1000",
      due: "the number of a choice",
      found: "1000"
    ),
    .step("r0", due: "what the replica does", found: end),
    .step("r0 jump", due: "put, insert, delete, increment, splice, type or mark", found: "jump"),
    .step("r0 put", due: "an object such as list1", found: end),
    .step("r0 put list \"k\" null", due: "an object such as list1", found: "list"),
    .step("r0 put list0 \"k\" null", due: "an object such as list1", found: "list0"),
    .step(
      "r0 put list99999999999999999999 0 null",
      due: "an object such as list1",
      found: "list99999999999999999999"
    ),
    .step("r0 put root k null", due: "a key in quotes or an index", found: "k"),
    .step("r0 put root -1 null", due: "a key in quotes or an index", found: "-1"),
    .step("r0 put root \"k\"", due: "the type of a value", found: end),
    .step("r0 put root \"k\" number 1", due: "the type of a value", found: "number"),
    .step(
      "r0 put root \"k\" int 9223372036854775808",
      due: "a number that Int64 holds",
      found: "9223372036854775808"
    ),
    .step("r0 put root \"k\" uint -1", due: "a number that UInt64 holds", found: "-1"),
    .step("r0 put root \"k\" unknown 256 0x", due: "a number that UInt8 holds", found: "256"),
    .step("r0 put root \"k\" float x", due: "a float", found: "x"),
    .step("r0 put root \"k\" float bits:xyz", due: "a float", found: "bits:xyz"),
    .step("r0 put root \"k\" float", due: "a float", found: end),
    .step("r0 put root \"k\" bytes 0x0", due: "bytes such as 0x00ff", found: "0x0"),
    .step("r0 put root \"k\" boolean yes", due: "\"false\"", found: "yes"),
    .step("r0 put root \"k\" string k", due: "a string in quotes", found: "k"),
    .step("r0 put root \"k\" new tree as tree1", due: "a kind of object", found: "tree"),
    .step("r0 put root \"k\" new map", due: "\"as\"", found: end),
    .step("r0 put root \"k\" new map as", due: "the object's name", found: end),
    .step("r0 put root \"k\" null null", .surplus("null")),
    .step("r0 put root \"k null", .badString),
    .step("r0 put root \"\\q\" null", .badString),
    .step("r0 put root \"\\\" null", .badString),
    .step("r0 put root \"\\u{d800}\" null", .badString),
    .step("r0 put root \"\\u{110000}\" null", .badString),
    .step("r0 put root \"\\u{}\" null", .badString),
    .step("r0 put root \"\\u{41\" null", .badString),
    .step("r0 put root \"\\u41\" null", .badString),
    .step("r0 insert list1 x int 1", due: "an index", found: "x"),
    .step("r0 increment root \"k\" x", due: "a number that Int64 holds", found: "x"),
    .step("r0 splice list1 0 insert int 1", due: "\"delete\"", found: "insert"),
    .step("r0 splice list1 0 delete x", due: "how many to delete", found: "x"),
    .step("r0 type text1 0 delete 0", due: "\"insert\"", found: end),
    .step("r0 type text1 0 delete 0 insert x", due: "the text to insert", found: "x"),
    .step("r0 -> x1 merge", due: "a replica such as r0", found: "x1"),
    .step("r0 -> r1 pigeon", due: "a transport", found: "pigeon"),
    .step("r0 -> r1 send 1 merge", due: "a message such as m1", found: "1"),
    .step("r0 fork r2", due: "\"actor\"", found: end),
    .step("r0 save 0", due: "a slot such as s0", found: "0"),
    .step("r0 restart s0 actor x", due: "the number of a writer", found: "x"),
    .step("m1 arrive", due: "\"deliver\"", found: "arrive"),
    .step("m1 drop by chance", due: "a cause of loss", found: "by"),
    .step("m1 deliver part x", due: "the number of a part", found: "x"),
    .step("mx deliver", due: "a message such as m1", found: "mx"),
    .step("cut r0 and r1", due: "a replica such as r0", found: "and"),
    .step("clog r0 r1", due: "\"->\"", found: "r1"),
    .step("mend all", .surplus("all")),
  ]

  @Test(
    "What is no history is refused at its line, with what was due there",
    arguments: heads + steps
  )
  func refuses(_ refusal: Refusal) {
    let error = #expect(throws: HistoryTextError.self) { try History(text: refusal.text) }
    #expect(error?.line == refusal.line)
    #expect(error?.reason == refusal.reason)
  }

  @Test("A short text makes no large history")
  func repeated() {
    let value = String(repeating: "x", count: 1024)
    let step =
      "r0 splice list1 0 delete 0"
      + String(repeating: " insert string \"\(value)\" times 100000", count: 30)
    let head = "history 1\nbase empty\nreplicas 1\nhealing merge\n"
    let one = #expect(throws: HistoryTextError.self) { try History(text: head + step) }
    #expect(one?.line == 5)
    #expect(one?.description.contains("values with `times` make more than 64 MB") == true)
    // Each line alone is small enough; elements share their value, and still take memory.
    let counted = "r0 splice list1 0 delete 0 insert int 1 times 100000 counting\n"
    let many = head + String(repeating: counted, count: 1_000)
    #expect(throws: HistoryTextError.self) { try History(text: many) }
    #expect(throws: Never.self) { try History(text: head + counted) }
  }

  @Test("A refusal reads as a sentence")
  func sentences() {
    let texts = [
      HistoryTextError.Reason.missingLine("the base"), .unknownVersion("2"),
      .expected("a step", found: "x"), .badString, .surplus("x"),
    ].map { HistoryTextError(reason: $0, line: 3).description }
    #expect(
      texts == [
        "line 3: the text ends where the base was due",
        "line 3: version 2 of the text form is not known here",
        "line 3: expected a step, found x",
        "line 3: a string does not end, or has an unknown escape",
        "line 3: nothing more was due, found x",
      ]
    )
  }

  @Test("A step that is misspelt is refused with the one that was likely meant")
  func guesses() {
    let head = "history 1\nbase empty\nreplicas 1\nhealing merge\n"
    let error = #expect(throws: HistoryTextError.self) {
      try History(text: head + "r0 incremnt root \"n\" 1\n")
    }
    let words = "expected put, insert, delete, increment, splice, type or mark, found incremnt."
    #expect(error?.description == "line 5: \(words) Did you mean 'increment'?")
    // In a text that stands further down.
    #expect(error?.lowered(by: 7).description.hasPrefix("line 12: expected put") == true)
  }

  @Test("A damaged text is read or refused at a line that it has, and what is read is stable")
  func mutated() throws {
    let texts = normalisedHistories(100, seed: 12).map { Array($0.history.text.utf8) }
    var choices = Choices(seed: 13)
    var refused = 0
    for index in 0..<2000 {
      let text = damaged(texts[index % texts.count], &choices)
      do {
        let history = try History(text: text)
        let again = try? History(text: history.text)
        #expect(again == history, "\(text)")
      } catch {
        refused += 1
        let lineCount = text.split(separator: "\n", omittingEmptySubsequences: false).count
        #expect((1...(lineCount + 1)).contains(error.line))
      }
    }
    #expect((200..<1990).contains(refused))
  }

  /// The text with one to three bytes, words or lines changed, cut out, doubled or replaced.
  private func damaged(_ text: [UInt8], _ choices: inout Choices) -> String {
    var text = text
    for _ in 0...choices.index(below: 3) {
      let place = choices.index(below: text.count + 1)
      let end = min(text.count, place + choices.index(below: 12))
      switch choices.index(below: 6) {
      case 0: text.removeSubrange(place..<end)
      case 1: text.insert(contentsOf: text[place..<end], at: place)
      case 2: text.insert(UInt8(choices.index(below: 256)), at: place)
      case 3: text.replaceSubrange(place..<end, with: "\u{1f600}\n".utf8)
      case 4: text.replaceSubrange(place..<end, with: "99999999999999999999".utf8)
      default: text.replaceSubrange(place..<end, with: " \"\\u{".utf8)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
