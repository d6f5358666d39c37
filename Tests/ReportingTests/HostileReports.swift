import Foundation
import Reporting
import TestSupport
import Texts

/// Reports whose every text tries to be something else.
enum HostileReports {
  /// What stands around each text of a report; the text itself stays, so that names still agree.
  struct Payload: Sendable {
    let name: String
    let before: String
    let after: String

    static let all = [
      Payload(name: "script", before: "", after: "<script>alert(1)</script><img src=x onerror=y>"),
      Payload(name: "quotes", before: "", after: "\" onmouseover=\"alert(1)\" x='y"),
      Payload(name: "entities", before: "", after: "&lt;b>&#60;&amp;& ]]> --> <!-- ]]>"),
      Payload(name: "separators", before: "", after: "\u{2028}\u{2029}\u{85}\n\r\n\t<p>"),
      Payload(name: "directions", before: "\u{202E}", after: "\u{2066}abc\u{202D}\u{200F}"),
      Payload(name: "controls", before: "", after: "\u{0}\u{7}\u{1B}[31m\u{1B}]0;t\u{7}\u{9B}2J"),
      Payload(name: "marks", before: "\u{301}\u{20DD}", after: "\u{301}\u{200B}\u{FEFF}"),
      Payload(name: "unassigned", before: "\u{FFFF}", after: "\u{FFFE}\u{E000}\u{10FFFF}\u{378}"),
      Payload(name: "links", before: "javascript:", after: "//evil.example/../../x?y#z"),
      Payload(
        name: "Markdown",
        before: "",
        after: "` ``` | **b** [a](http://b) ![i](j) <b> @team #12"
      ),
      Payload(name: "fences", before: "", after: "\n```\n# big @team\n~~~\n</details>\n"),
    ]
  }

  /// A report for each payload, in their order.
  static let all = Result { try Payload.all.map(report) }

  /// The failing report and the self-test in one, with the payload around every text.
  static func report(_ payload: Payload) throws -> Report {
    var report = SampleReports.failing
    report.selfTest = SampleReports.selfTest.selfTest
    report.clock.mutantSeconds = SampleReports.selfTest.clock.mutantSeconds
    report.run.lawGlobs = ["merge.*"]
    let value = try JSONValue(data: JSONEncoder().encode(report))
    let hostile = poisoned(value, by: payload, key: "").text(.compact)
    return try JSONDecoder().decode(Report.self, from: Data(hostile.utf8))
  }

  /// Members whose texts are words of a closed list.
  private static let closed: Set = [
    "kind", "word", "command", "reasonKinds", "party", "replayer",
  ]

  private static func poisoned(_ value: JSONValue, by payload: Payload, key: String) -> JSONValue {
    switch value {
    case .string(let text) where !closed.contains(key):
      return .string(payload.before + text + payload.after)
    case .array(let elements): return .array(elements.map { poisoned($0, by: payload, key: key) })
    case .object(let members):
      let isDictionary = key.hasSuffix("Seconds")
      return .object(
        members.map { member in
          JSONValue.Member(
            isDictionary ? payload.before + member.key + payload.after : member.key,
            poisoned(member.value, by: payload, key: member.key)
          )
        }
      )
    default: return value
    }
  }
}
