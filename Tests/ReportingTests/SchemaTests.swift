import Foundation
import PastRuns
import PropertyEngine
import Reporting
import TestSupport
import Testing
import Texts

@Suite("report.json and its schema")
struct SchemaTests {
  private static func schema() throws -> JSONSchema { JSONSchema(try file()) }

  private static func file() throws -> JSONValue {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("Documentation/schemas/report.schema.json")
    return try JSONValue(data: Data(contentsOf: file))
  }

  private static func value(_ report: Report) throws -> JSONValue {
    try JSONValue(data: JSONEncoder().encode(report))
  }

  /// A report of one run in which every member that may be left out is there.
  private static var full: Report {
    var report = SampleReports.failing
    report.laws[0].advice = "Look at the clock."
    report.laws[0].catches = ["A clock runs backward."]
    report.selfTest = SampleReports.selfTest.selfTest
    report.fuzzing = SampleReports.fuzzing.fuzzing
    report.coverage = SampleReports.fuzzing.coverage
    report.run.sizes = RunSizes(replicas: 3, edits: 200)
    var part = SampleReports.green
    part.run.narrow(toPart: 1, of: 2)
    part.run.addStored(1, ["--corpus stored"])
    part.counts.waypoints[0].count = 0
    part.counts.waypoints[0].isRequiredOfWhole = true
    report.run.parts = [Report.Part(part)]
    report.knownDivergences[1].unjudged = "does not write counters"
    report.clock.mutantSeconds = SampleReports.selfTest.clock.mutantSeconds
    report.clock.cellSeconds = ["engine": ["merge.commutes": 0.25]]
    return report
  }

  @Test("Every report fits, and reads back as itself", arguments: SampleReports.all.indices)
  func fits(_ index: Int) throws {
    let report = SampleReports.all[index].report
    #expect(try Self.schema().violations(in: Self.value(report)) == [])
    let data = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(Report.self, from: data) == report)
  }

  /// The same with what was counted and not shrunk.
  static var whole: Report {
    var report = full
    var sighting = Report.Sighting(
      id: "a-sighting",
      law: "merge.commutes",
      subject: "loro",
      differenceKind: "text",
      summary: "it differs",
      caseCount: 2
    )
    sighting.comparison = "Looked at: r0."
    sighting.kind = .errored
    report.counts.waypoints[0].isRequiredOfWhole = true
    report.sightings = [sighting]
    return report
  }

  @Test("A report with everything in it fits")
  func fullFits() throws {
    #expect(try Self.schema().violations(in: Self.value(Self.whole)) == [])
  }

  @Test("A member that is left out, renamed or of another kind is noticed, wherever it stands")
  func notices() throws {
    let schema = try Self.schema()
    var checked = 0
    for place in Self.members(of: try Self.value(Self.full), optional: Self.optional) {
      let (renamed, changed) = (place.edited { _ in nil }, place.edited { _ in .array([.null]) })
      if !place.isOptional {
        #expect(try !schema.violations(in: renamed).isEmpty, "\(place.name)")
        // A name of a count is made of its other members.
        let read = try? JSONDecoder().decode(Report.self, from: Data(renamed.text(.compact).utf8))
        #expect(read == nil || place.name == "name", "\(place.name)")
      }
      #expect(try !schema.violations(in: changed).isEmpty, "\(place.name)")
      #expect(try !schema.violations(in: place.withStranger).isEmpty, "\(place.name)")
      checked += 1
    }
    #expect(checked > 90)
  }

  @Test("Words of closed lists are held to them", arguments: ["word", "kind"])
  func closedLists(_ name: String) throws {
    let schema = try Self.schema()
    let value = try Self.value(Self.full)
    var checked = 0
    for place in Self.members(of: value, optional: []) where place.name == name {
      #expect(try !schema.violations(in: place.edited { _ in .string("other") }).isEmpty)
      checked += 1
    }
    #expect(checked > 0)
  }

  @Test("The kinds of reasons are what the schema lists")
  func reasonKinds() throws {
    let kinds = try Self.file()["$defs"]?["outcome"]?["properties"]?["reasonKinds"]
    #expect(
      kinds?["items"]?["enum"]?.array?.compactMap(\.string)
        == Report.Reason.Kind.allCases.map(\.rawValue)
    )
  }

  @Test("Kinds of another number than the reasons are refused")
  func unequalKinds() {
    let text = #"{"word": "failed", "reasons": ["a", "b"], "reasonKinds": ["other"]}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Report.RunOutcome.self, from: Data(text.utf8))
    }
  }

  @Test("The commands that make a report are what the schema lists")
  func commands() throws {
    let command = try Self.file()["$defs"]?["command"]
    #expect(
      command?["enum"]?.array?.compactMap(\.string) == Report.Command.allCases.map(\.rawValue)
    )
  }

  @Test("Those that show a side are what the schema lists")
  func parties() throws {
    let party = try Self.file()["$defs"]?["side"]?["properties"]?["party"]
    #expect(
      party?["enum"]?.array?.compactMap(\.string)
        == Difference.Side.Party.allCases.map(\.rawValue)
    )
  }

  @Test("What laws speak of is what the schema lists", arguments: ["law", "subject"])
  func topics(_ part: String) throws {
    let topic = try Self.file()["$defs"]?[part]?["properties"]?["topic"]
    #expect(topic?["enum"]?.array?.compactMap(\.string) == Report.Topic.allCases.map(\.rawValue))
  }

  /// Members that a report leaves out where there is nothing to say.
  private static let optional: Set = [
    "absence", "absenceCost", "actual", "actualSide", "advice", "canary", "catches", "caughtBy",
    "coverage", "edits", "enteredBefore", "errorReason", "expected",
    "expectedSide", "firstSeen", "fuzzing", "isOfPeers", "isRequiredOfWhole", "killedBy", "message",
    "mutant",
    "namesReplicas",
    "oracle", "oracleState", "parts", "passedPerThousand", "program", "replayArguments", "replicas",
    "reproducer", "selfTest", "situations", "share", "size", "sizes", "skipReason",
    "storedArguments", "storedCases", "unjudged", "unreached",
  ]

  /// One member of an object somewhere in a document.
  private struct Place {
    let name: String
    let isOptional: Bool
    /// The document with the member replaced, or without it.
    let edited: ((JSONValue) -> JSONValue?) -> JSONValue
    /// The document with one more member beside it.
    let withStranger: JSONValue
  }

  /// The members of every kind of object, each kind once: where it first stands whole.
  private static func members(of value: JSONValue, optional: Set<String>) -> [Place] {
    var seen: Set<[String]> = []
    var places: [Place] = []
    func visit(_ value: JSONValue, _ rebuild: @escaping (JSONValue) -> JSONValue) {
      switch value {
      case .array(let elements):
        for (index, element) in elements.enumerated() {
          visit(element) { edited in
            var copy = elements
            copy[index] = edited
            return rebuild(.array(copy))
          }
        }
      case .object(let members):
        let sorted = members.sorted { $0.key < $1.key }
        func replaced(_ name: String, by value: JSONValue?) -> JSONValue {
          .object(
            sorted.compactMap { member in
              member.key == name ? value.map { JSONValue.Member(name, $0) } : member
            }
          )
        }
        // The keys of these are names of laws, subjects and mutants.
        for member in sorted where !member.key.hasSuffix("Seconds") {
          visit(member.value) { rebuild(replaced(member.key, by: $0)) }
        }
        guard seen.insert(sorted.map(\.key)).inserted else { return }
        for member in sorted {
          places.append(
            Place(
              name: member.key,
              isOptional: optional.contains(member.key),
              edited: { rebuild(replaced(member.key, by: $0(member.value))) },
              withStranger: rebuild(.object(sorted + [JSONValue.Member("stranger", .null)]))
            )
          )
        }
      default: return
      }
    }
    visit(value) { $0 }
    return places
  }
}
