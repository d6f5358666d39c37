import Foundation
import Reporting
import TestSupport
import Testing
import Texts

@Suite("Reports of earlier versions")
struct EarlierFormTests {
  /// A report as an earlier version wrote it: without the members that have come since.
  private static func read(_ report: Report, without names: Set<String>) throws -> Report {
    let value = try JSONValue(data: JSONEncoder().encode(report))
    return try JSONDecoder().decode(
      Report.self,
      from: Data(removing(names, from: value).text(.compact).utf8)
    )
  }

  private static func removing(_ names: Set<String>, from value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map { removing(names, from: $0) })
    case .object(let members):
      .object(
        members.filter { !names.contains($0.key) }
          .map { JSONValue.Member($0.key, removing(names, from: $0.value)) }
      )
    default: value
    }
  }

  @Test("The kinds of reasons are read out of their texts")
  func reasons() throws {
    var report = SampleReports.failing
    let failure = report.failures[0]
    let words = "\(failure.law) on \(failure.subject): \(failure.summary)"
    report.sightings = [
      Report.Sighting(
        id: "a-sighting",
        law: "merge.commutes",
        subject: "loro",
        differenceKind: "text",
        summary: "the text differs",
        caseCount: 3
      )
    ]
    report.outcome.reasons = [
      Report.Reason(words, kind: .failure),
      Report.Reason("did not repeat: \(words)", kind: .failure),
      Report.Reason("\(failure.subject) failed: \(failure.summary)", kind: .failure),
      Report.Reason("loro fails in 1 more way, counted and not shrunk: a", kind: .sightings),
      Report.Reason("loro fails in 2 more ways, counted and not shrunk: a, b"),
      .interruption(after: "1 of 2 cases"),
      Report.Reason("incomplete: 1 of 2 parts is missing", kind: .missingParts),
      Report.Reason("the canary was not caught"),
    ]
    #expect(try Self.read(report, without: ["reasonKinds"]) == report)
  }

  @Test("What judges a failure again is read out of its command")
  func replayer() throws {
    var report = SampleReports.failing
    report.failures[1].replayer = .tests
    report.failures[1].replayCommand = "TOUCHSTONE_REPLAY=x swift test"
    #expect(try Self.read(report, without: ["replayer"]) == report)
  }

  @Test("What the kind of a reason is, a report says itself")
  func ownKinds() throws {
    var report = SampleReports.green
    report.outcome.reasons = [Report.Reason("interrupted after 1 of 2 cases")]
    #expect(try Self.read(report, without: []) == report)
  }

  @Test("Subject and transport, and the bounds of a size, are read out of their names")
  func counts() throws {
    func read<Value: Decodable>(_ name: String) throws -> Value {
      let text = #"{"name": "\#(name)", "count": 3}"#
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
    #expect(
      try read("a b merge") == Report.TransportCount(subject: "a b", transport: "merge", count: 3)
    )
    #expect(try read("10-14") == Report.SizeCount(least: 10, most: 14, count: 3))
    #expect(throws: DecodingError.self) { try read("many") as Report.SizeCount }
  }

  @Test("A name is not read where the report has its parts")
  func parts() throws {
    let text = #"{"name": "x", "subject": "a", "transport": "b c", "count": 3}"#
    let count = try JSONDecoder().decode(Report.TransportCount.self, from: Data(text.utf8))
    #expect(count == Report.TransportCount(subject: "a", transport: "b c", count: 3))
  }

  @Test("A kind of reason that only a later version knows is read as one that has no other place")
  func laterKinds() throws {
    let text = """
      {"word": "failed", "reasons": ["a", "b"], "reasonKinds": ["of tomorrow", "interruption"]}
      """
    let outcome = try JSONDecoder().decode(Report.RunOutcome.self, from: Data(text.utf8))
    #expect(outcome.reasons == [Report.Reason("a"), Report.Reason("b", kind: .interruption)])
  }

  @Test("Kinds of another number than the reasons are refused")
  func unequal() {
    let text = #"{"word": "failed", "reasons": ["a", "b"], "reasonKinds": ["other"]}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Report.RunOutcome.self, from: Data(text.utf8))
    }
  }
}
