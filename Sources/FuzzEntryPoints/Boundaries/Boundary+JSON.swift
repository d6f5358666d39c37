import Foundation
import Inspection
import JSONOracle
import MergeEngine
import PropertyEngine
package import Texts

extension Boundary {
  /// Bytes are JSON, as files of documents, reports and answers of adapters are.
  package static func json(
    reading read: @escaping @Sendable ([UInt8]) throws -> JSONValue = { try JSONValue(parsing: $0) }
  ) -> Boundary {
    Boundary(
      "json",
      "JSON; what is read is compared with what Foundation and json-c read, and made a document.",
      on: "touchstone",
      rule:
        "What is read as JSON, Foundation and json-c read as the same value, and so they do when it is "
        + "printed. A document made of it shows it again.",
      byteLimit: 512,
      notation: .text(words: ["null", "true", "false", "\"a\"", "\"\\u00e9\"", "[]", "{}", "1e400"]
      ),
      seedSentence: "texts with each kind of value",
      seeds: {
        [
          ("scalars", "values of each kind", "[null,true,false,0,-1,1.5,1e10,\"x\"]"),
          ("object", "an object in an object", "{\"a\":{\"b\":[1,2,{}]},\"c\":\"d\"}"),
          ("escapes", "every escape", "{\"\\u00e9\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83d\\ude00\"}"),
          (
            "numbers", "numbers at their edges",
            "[9223372036854775807,-9223372036854775808,18446744073709551615,1e308,-0.0,5e-324]"
          ),
          ("spaces", "white space everywhere", " \t\r\n{ \"a\" : [ 1 , 2 ] }\n"),
          ("unicode", "letters of several bytes", "{\"é\":\"👩‍👩‍👧\u{2028}\u{301}\"}"),
        ].map { Seed($0.0, $0.1, Array($0.2.utf8)) }
      },
      judge: { bytes in
        let value: JSONValue
        do { value = try read(bytes) } catch let error {
          return error is JSONError
            ? refused(bytes, error) : .untyped(error, expected: "JSONError")
        }
        for text in [bytes, Array(value.text(.compact).utf8), Array(value.text(.indented).utf8)] {
          guard let difference = try compared(text, with: value, read) else { continue }
          return difference
        }
        return try documented(value)
      }
    )
  }

  // MARK: - Judging

  /// A refusal as malformed is wrong if no other reader refuses the same bytes.
  private static func refused(_ bytes: [UInt8], _ error: any Error) -> Difference? {
    guard let error = error as? JSONError, !bytes.contains(0), isStrict(error.reason),
      let theirs = try? foundation(bytes), let json = try? JSONOracle.read(bytes),
      agree(json, theirs)
    else { return nil }
    return Difference(
      kind: "refused",
      summary: "what Foundation and json-c read is refused",
      actual: "\(error)"
    )
  }

  /// Whether the reason is one that all strict readers have.
  private static func isStrict(_ reason: JSONError.Reason) -> Bool {
    switch reason {
    case .expected, .notUTF8, .malformedEscape: true
    default: false
    }
  }

  private static func compared(
    _ text: [UInt8],
    with value: JSONValue,
    _ read: ([UInt8]) throws -> JSONValue
  ) throws -> Difference? {
    func difference(_ kind: String, _ summary: String, _ actual: String) -> Difference {
      Difference(kind: kind, summary: summary, expected: value.text(.compact), actual: actual)
    }
    guard let ours = try? read(text), ours == value else {
      return difference("round-trip", "JSON is another when printed and read", "")
    }
    // `JSONSerialization` drops a U+FEFF that follows an escape; Foundation's `JSONDecoder` keeps it.
    let hasMark = hasText(value) { text, _ in text.unicodeScalars.contains("\u{feff}") }
    do {
      let theirs = try foundation(text)
      guard hasMark || agree(value, theirs) else {
        return difference("foundation", "Foundation reads another value", "\(theirs)")
      }
    } catch {
      return difference("foundation", "Foundation refuses what is read", "\(error)")
    }
    // json-c ends a key at a zero byte.
    let hasZeroKey = hasText(value) { text, isKey in isKey && text.utf8.contains(0) }
    guard JSONOracle.isPresent, !hasZeroKey else { return nil }
    do {
      let theirs = try JSONOracle.read(text)
      guard theirs.sorted == value.sorted else {
        return difference("json-c", "json-c reads another value", theirs.text(.compact))
      }
    } catch {
      return difference("json-c", "json-c refuses what is read", "\(error)")
    }
    return nil
  }

  private static func foundation(_ text: [UInt8]) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
  }

  /// Whether a string or a key within a value is one that is asked for.
  private static func hasText(
    _ value: JSONValue,
    _ isAskedFor: (_ text: String, _ isKey: Bool) -> Bool
  ) -> Bool {
    switch value {
    case .string(let text): isAskedFor(text, false)
    case .array(let elements): elements.contains { hasText($0, isAskedFor) }
    case .object(let members):
      members.contains { isAskedFor($0.key, true) || hasText($0.value, isAskedFor) }
    default: false
    }
  }

  /// Whether Foundation's value is the same; its dictionaries take two spellings of a key for one.
  private static func agree(_ value: JSONValue, _ theirs: Any) -> Bool {
    switch value {
    case .null: return theirs is NSNull
    case .boolean(let flag): return (theirs as? Bool) == flag
    case .int(let number): return (theirs as? NSNumber)?.int64Value == number
    case .uint(let number): return (theirs as? NSNumber)?.uint64Value == number
    case .double, .decimal:
      // Foundation keeps many digits as a decimal number, whose double is not always the nearest.
      guard let theirs = theirs as? NSNumber else { return false }
      return theirs.doubleValue == value.number || Double(theirs.stringValue) == value.number
    case .string(let text): return (theirs as? String)?.utf8.elementsEqual(text.utf8) == true
    case .array(let elements):
      guard let theirs = theirs as? [Any], theirs.count == elements.count else { return false }
      return zip(elements, theirs).allSatisfy { agree($0, $1) }
    case .object(let members):
      guard let theirs = theirs as? [String: Any] else { return false }
      guard Set(members.map(\.key)).count == members.count else { return true }
      return theirs.count == members.count
        && members.allSatisfy { member in
          theirs[member.key].map { agree(member.value, $0) } ?? false
        }
    }
  }

  private static func documented(_ value: JSONValue) throws -> Difference? {
    guard case .object = value else { return nil }
    let text = Array(value.text(.compact).utf8)
    for strings in [DocumentImport.Strings.scalars, .texts] {
      let document: MergeDocument
      do {
        document = try DocumentImport.document(
          parsing: text,
          strings: strings,
          actor: SampleDocument.actor(1)
        )
      } catch InspectionError.refused {
        // What a document does not hold: a key without letters, say.
        continue
      }
      let shown = try DocumentExport.winners(of: document)
      guard shown.sorted == value.sorted else {
        return Difference(
          kind: "document",
          summary: "a document made of JSON shows another value",
          expected: value.sorted.text(.compact),
          actual: shown.sorted.text(.compact)
        )
      }
    }
    return nil
  }
}
