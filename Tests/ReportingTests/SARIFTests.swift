import Foundation
import Reporting
import TestSupport
import Testing
import Texts

@Suite("results.sarif")
struct SARIFTests {
  /// What the published schema says of the members that we write, and of no others.
  private static let schema = #"""
    {
      "type": "object", "additionalProperties": false, "required": ["version", "runs"],
      "properties": {
        "$schema": {"type": "string", "pattern": "^https://"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": {"$ref": "#/$defs/run"}}
      },
      "$defs": {
        "run": {
          "type": "object", "additionalProperties": false, "required": ["tool"],
          "properties": {
            "tool": {
              "type": "object", "additionalProperties": false, "required": ["driver"],
              "properties": {"driver": {"$ref": "#/$defs/driver"}}
            },
            "invocations": {"type": "array", "items": {"$ref": "#/$defs/invocation"}},
            "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
            "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]}
          }
        },
        "driver": {
          "type": "object", "additionalProperties": false, "required": ["name"],
          "properties": {
            "name": {"type": "string"}, "fullName": {"type": "string"},
            "rules": {"type": "array", "items": {"$ref": "#/$defs/rule"}}
          }
        },
        "rule": {
          "type": "object", "additionalProperties": false, "required": ["id"],
          "properties": {
            "id": {"type": "string"}, "shortDescription": {"$ref": "#/$defs/message"},
            "fullDescription": {"$ref": "#/$defs/message"}, "help": {"$ref": "#/$defs/message"}
          }
        },
        "message": {
          "type": "object", "additionalProperties": false, "required": ["text"],
          "properties": {"text": {"type": "string"}}
        },
        "invocation": {
          "type": "object", "additionalProperties": false, "required": ["executionSuccessful"],
          "properties": {
            "commandLine": {"type": "string"}, "executionSuccessful": {"type": "boolean"},
            "exitCode": {"type": "integer"},
            "toolExecutionNotifications": {
              "type": "array",
              "items": {
                "type": "object", "additionalProperties": false, "required": ["message"],
                "properties": {
                  "level": {"enum": ["none", "note", "warning", "error"]},
                  "message": {"$ref": "#/$defs/message"}
                }
              }
            }
          }
        },
        "result": {
          "type": "object", "additionalProperties": false, "required": ["message"],
          "properties": {
            "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": -1},
            "level": {"enum": ["none", "note", "warning", "error"]},
            "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
            "message": {"$ref": "#/$defs/message"},
            "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
            "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
            "properties": {"type": "object"}
          }
        },
        "location": {
          "type": "object", "additionalProperties": false,
          "properties": {
            "physicalLocation": {
              "type": "object", "additionalProperties": false, "required": ["artifactLocation"],
              "properties": {
                "artifactLocation": {
                  "type": "object", "additionalProperties": false,
                  "properties": {"uri": {"type": "string", "pattern": "^[A-Za-z0-9._~/%-]*$"}}
                },
                "region": {
                  "type": "object", "additionalProperties": false,
                  "properties": {"startLine": {"type": "integer", "minimum": 1}}
                }
              }
            },
            "logicalLocations": {
              "type": "array",
              "items": {
                "type": "object", "additionalProperties": false,
                "properties": {"name": {"type": "string"}, "kind": {"type": "string"}}
              }
            }
          }
        }
      }
    }
    """#

  private func value(_ report: Report, folder: String = "") throws -> JSONValue {
    try JSONValue(data: JSONEncoder().encode(SARIFReport(report, folder: folder)))
  }

  @Test("Every report fits the schema", arguments: SampleReports.all.indices)
  func valid(_ index: Int) throws {
    let schema = JSONSchema(try JSONValue(data: Data(Self.schema.utf8)))
    let value = try value(SampleReports.all[index].report)
    #expect(try schema.violations(in: value) == [])
  }

  @Test("A failure is a result of its law, at its case file")
  func results() throws {
    let run = try #require(value(SampleReports.failing, folder: ".build/report")["runs"]?[0])
    let rules = try #require(run["tool"]?["driver"]?["rules"]?.array)
    #expect(rules.compactMap { $0["id"]?.string } == SampleReports.laws.map(\.name))
    let results = try #require(run["results"]?.array)
    for (result, failure) in zip(results, SampleFailures.all) {
      #expect(result["ruleId"]?.string == failure.law)
      guard let index = result["ruleIndex"]?.integer else {
        Issue.record("no rule index")
        continue
      }
      #expect(rules[index]["id"]?.string == failure.law)
      let place = result["locations"]?[0]?["physicalLocation"]?["artifactLocation"]?["uri"]?.string
      #expect(place == ".build/report/" + failure.file)
      #expect(result["partialFingerprints"]?["touchstoneFailure/v1"]?.string == failure.id)
    }
    #expect(results.count == SampleFailures.all.count)
    #expect(results.map { $0["level"]?.string } == ["error", "error", "error", "error", "warning"])
    #expect(run["invocations"]?[0]?["exitCode"] == .int(1))
    #expect(run["invocations"]?[0]?["executionSuccessful"] == .boolean(true))
  }

  @Test("A law that the report does not list gets a rule of its own")
  func unknownLaw() throws {
    var report = SampleReports.failing
    report.laws = []
    let run = try #require(value(report)["runs"]?[0])
    #expect(run["tool"]?["driver"]?["rules"]?.array?.count == 5)
    #expect(run["results"]?.array?.map { $0["ruleIndex"] } == (0..<5).map { .int($0) })
  }

  @Test("A law none of whose failures was made small is told as violated, too")
  func notShrunk() throws {
    var report = SampleReports.green
    let law = try #require(report.laws.first?.name)
    report.sightings = ["key", "value"].map { kind in
      Report.Sighting(
        id: "naive--\(law)--\(kind)",
        law: law,
        subject: "naive",
        differenceKind: kind,
        summary: "it differs",
        caseCount: 2
      )
    }
    let results = try #require(value(report)["runs"]?[0]?["results"]?.array)
    #expect(results.map { $0["ruleId"] } == [.string(law)])
    #expect(results[0]["message"]?["text"]?.string == "naive: it differs\nIt was not shrunk.")
  }

  @Test("A run that a signal ended has the status of the signal, which a report does not know")
  func interrupted() throws {
    var report = SampleReports.green
    report.outcome = Report.RunOutcome(
      word: .failed,
      reasons: [.interruption(after: "1 of 2 cases")]
    )
    let invocation = try #require(value(report)["runs"]?[0]?["invocations"]?[0])
    #expect(invocation["executionSuccessful"] == .boolean(false))
    #expect(invocation["exitCode"] == nil)
  }

  @Test("A run that failed was not successful")
  func failed() throws {
    let invocation = try #require(value(SampleReports.empty)["runs"]?[0]?["invocations"]?[0])
    #expect(invocation["executionSuccessful"] == .boolean(false))
    #expect(invocation["exitCode"] == .int(2))
    #expect(
      invocation["toolExecutionNotifications"]?[0]?["message"]?["text"]?.string
        == "no subject could be started"
    )
  }
}
