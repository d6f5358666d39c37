import Inspection
import JSONOracle
import MergeEngine
import PropertyEngine
import Testing
import Texts

/// JSON in and out, compared with json-c on samples from choices.
@Suite(
  "JSON agrees with json-c",
  .enabled(if: JSONOracle.isPresent, Comment(rawValue: JSONOracle.absence))
)
struct JSONOracleAgreementTests {
  private static let numbers: [JSONValue] = [
    .int(0), .int(1), .int(-1), .int(.max), .int(.min), .uint(1 << 63), .uint(.max), .double(0.1),
    .double(-0.0), .double(1e300), .double(.leastNonzeroMagnitude), .double(1e16),
    .double(123_456.75),
  ]

  /// Trees of JSON; an object has each key once, and none with a zero byte, which json-c cuts.
  private static func tree(_ choices: inout Choices, depth: Int) -> JSONValue {
    let kinds = depth > 3 ? 4 : 6
    switch choices.choice(upTo: UInt32(kinds - 1)) {
    case 0: return .null
    case 1: return .boolean(choices.choice(upTo: 1) == 1)
    case 2: return numbers[Int(choices.choice(upTo: UInt32(numbers.count - 1)))]
    case 3: return .string(text(&choices))
    case 4:
      return .array((0..<choices.choice(upTo: 4)).map { _ in tree(&choices, depth: depth + 1) })
    default:
      var members: [JSONValue.Member] = []
      for _ in 0..<choices.choice(upTo: 4) {
        let key = text(&choices).replacing("\0", with: "")
        guard !members.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) else { continue }
        members.append(.init(key, tree(&choices, depth: depth + 1)))
      }
      return .object(members)
    }
  }

  private static func text(_ choices: inout Choices) -> String {
    let parts = [
      "a", "\"", "\\", "/", "\n", "\u{0}", "\u{1f}", "\u{7f}", "é", "\u{301}", "\u{2028}", "😀",
      "\u{10ffff}", "{", "1e5", ",",
    ]
    return (0..<choices.choice(upTo: 6))
      .map { _ in parts[Int(choices.choice(upTo: UInt32(parts.count - 1)))] }.joined()
  }

  @Test("What is printed json-c reads as the same value, and so do we")
  func printing() throws {
    for seed in 0..<2_000 {
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      let tree = Self.tree(&choices, depth: 0)
      for layout in [JSONWriter.Layout.compact, .indented] {
        let text = utf8(tree.text(layout))
        let theirs = try JSONOracle.read(text)
        #expect(theirs == tree, "seed \(seed)")
        let ours = (try JSONValue(parsing: text)).sorted
        #expect(ours == theirs.sorted, "seed \(seed)")
      }
    }
  }

  /// json-c prints a whole double as an integer: what counts is what it reads in its own text.
  @Test("What json-c prints is read as json-c reads it")
  func reading() throws {
    for seed in 0..<500 {
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      let value = Self.tree(&choices, depth: 0)
      let text = try JSONOracle.print(value)
      let ours = (try JSONValue(parsing: text)).sorted
      #expect(try ours == JSONOracle.read(text).sorted, "seed \(seed)")
    }
  }

  @Test("Of damaged texts, what is read is what json-c reads; the rest is refused by both or typed")
  func damaged() throws {
    let marks = utf8("{}[]\",:\\-+.eE0159 tfn\u{1}x") + [0xC3, 0xFF]
    var (both, neither, ours, theirs) = (0, 0, 0, 0)
    for seed in 0..<6_000 {
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      var text = utf8(Self.tree(&choices, depth: 1).text(.compact))
      for _ in 0...choices.choice(upTo: 1) where !text.isEmpty {
        let place = Int(choices.choice(upTo: UInt32(text.count - 1)))
        let mark = marks[Int(choices.choice(upTo: UInt32(marks.count - 1)))]
        switch choices.choice(upTo: 2) {
        case 0: text[place] = mark
        case 1: text.insert(mark, at: place)
        default: text.remove(at: place)
        }
      }
      let read: Result<JSONValue, JSONError> = Result { () throws(JSONError) in
        try JSONValue(parsing: text)
      }
      switch (read, try? JSONOracle.read(text)) {
      case (.success(let tree), let value?):
        both += 1
        #expect(tree.sorted == value.sorted, "seed \(seed)")
      case (.failure, nil): neither += 1
      case (.failure, _?): theirs += 1
      case (.success, nil):
        ours += 1
        Issue.record("seed \(seed): json-c refuses \(String(decoding: text, as: UTF8.self))")
      }
    }
    // Each way was gone often enough to mean something; json-c is the more lenient.
    #expect(both > 300)
    #expect(neither > 1_000)
    #expect(theirs > 0)
    #expect(ours == 0)
  }

  @Test("Golden documents export to what json-c reads; importing it exports the same")
  func documents() throws {
    var count = 0
    for vector in try Vector.all() where vector.expect == "ok" {
      let tree = try DocumentExport.winners(of: try Fixtures.document(vector.name))
      let text = utf8(tree.text())
      #expect(try JSONOracle.read(text) == tree, "\(vector)")
      let full = try DocumentExport.full(of: try Fixtures.document(vector.name))
      #expect(try JSONOracle.read(utf8(full.text())) == full, "\(vector)")
      let back = try DocumentImport.document(parsing: text, actor: ActorID([1]))
      #expect(try DocumentExport.winners(of: back) == tree, "\(vector)")
      count += 1
    }
    #expect(count > 40)
  }
}
