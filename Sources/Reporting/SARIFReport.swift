import PastRuns
import Texts

/// The report for code scanning: `results.sarif`, SARIF 2.1.0, as a value to be encoded as JSON.
///
/// Laws are rules and failures are results, each at its case file. A result's fingerprint is the
/// failure's id, so that the same failure in two runs is one alert.
///
/// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
package struct SARIFReport: Encodable, Sendable {
  /// Results that are written; GitHub refuses files with more than 25,000.
  package static let resultLimit = 5000

  package let schema = "https://json.schemastore.org/sarif-2.1.0.json"
  package let version = "2.1.0"
  package let runs: [Run]

  package enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version
    case runs
  }

  package struct Run: Encodable, Sendable {
    package let tool: Tool
    package let invocations: [Invocation]
    package let results: [Result]
    /// What offsets would count in, had results any.
    package let columnKind = "unicodeCodePoints"
  }

  package struct Tool: Encodable, Sendable {
    package let driver: Driver
  }

  package struct Driver: Encodable, Sendable {
    package let name = "Touchstone"
    package let fullName: String?
    package let rules: [Rule]
  }

  package struct Rule: Encodable, Sendable {
    package let id: String
    package let shortDescription: Message
    package let fullDescription: Message
    package let help: Message
  }

  package struct Invocation: Encodable, Sendable {
    package let commandLine: String
    package let executionSuccessful: Bool
    /// `nil` where a signal ended the run, which decides the status.
    package let exitCode: Int32?
    package let toolExecutionNotifications: [Notification]
  }

  package struct Notification: Encodable, Sendable {
    package let level: String
    package let message: Message
  }

  package struct Message: Encodable, Sendable {
    package let text: String

    /// Text that holds nothing SARIF would take for a link or a placeholder.
    init(_ message: String) {
      let limit = 4000
      var text = ""
      for scalar in VisibleText(keepsLines: true)(message.clipped(limit)).unicodeScalars {
        switch scalar {
        case "[", "]", "\\":
          text += "\\"
          text.unicodeScalars.append(scalar)
        case "{": text += "{{"
        case "}": text += "}}"
        default: text.unicodeScalars.append(scalar)
        }
      }
      self.text = text
    }
  }

  package struct Result: Encodable, Sendable {
    package let ruleId: String
    package let ruleIndex: Int?
    package let level: String
    package let kind = "fail"
    package let message: Message
    package let locations: [Location]
    package let partialFingerprints: [String: String]
    package let properties: Properties
  }

  package struct Location: Encodable, Sendable {
    package let physicalLocation: PhysicalLocation
    package let logicalLocations: [LogicalLocation]
  }

  package struct PhysicalLocation: Encodable, Sendable {
    package let artifactLocation: ArtifactLocation
    package let region = Region(startLine: 1)
  }

  package struct ArtifactLocation: Encodable, Sendable {
    package let uri: String
  }

  package struct Region: Encodable, Sendable {
    package let startLine: Int
  }

  package struct LogicalLocation: Encodable, Sendable {
    package let name: String
    package let kind = "module"
  }

  package struct Properties: Encodable, Sendable {
    package let subject: String
    package let oracle: String?
    package let differenceKind: String
    /// `nil` for what was not shrunk.
    package var size: Int?
    package var replicas: Int?
    package var replayCommand: String?
    package var history: [String]?
  }

  /// - Parameters:
  ///   - report: The report that is written.
  ///   - folder: The report's folder relative to the repository's root, before which the paths of
  ///     case files are written; code scanning shows files of the repository only.
  package init(_ report: Report, folder: String = "") {
    let failures = report.failures.prefix(Self.resultLimit)
    var rules = report.laws
    var numbers: [String: Int] = [:]
    for (index, law) in rules.enumerated() where numbers[law.name] == nil {
      numbers[law.name] = index
    }
    // A law counts as violated even where none of its failures was shrunk.
    var small = Set(report.failures.map { Report.Matrix.Place(law: $0.law, subject: $0.subject) })
    let sightings = (report.sightings ?? []).filter {
      small.insert(Report.Matrix.Place(law: $0.law, subject: $0.subject)).inserted
    }.prefix(Self.resultLimit - failures.count)
    for law in failures.map(\.law) + sightings.map(\.law) where numbers[law] == nil {
      numbers[law] = rules.count
      rules.append(Report.Law(name: law, sentence: law, source: ""))
    }
    var notifications = report.reasons(upTo: 100).map {
      Notification(level: report.outcome.word == .failed ? "error" : "note", message: Message($0))
    }
    let left = report.failures.count - failures.count
    if left > 0 {
      let text = "\(counted(left, "failure")) more in report.json"
      notifications.append(Notification(level: "warning", message: Message(text)))
    }
    let matrix = Report.Matrix(report)
    runs = [
      Run(
        tool: Tool(driver: Driver(fullName: report.run.program, rules: rules.map(Rule.init))),
        invocations: [
          Invocation(
            commandLine: report.run.repeatCommand,
            executionSuccessful: report.outcome.word != .failed,
            exitCode: report.outcome.isInterrupted ? nil : report.outcome.exitStatus,
            toolExecutionNotifications: notifications
          )
        ],
        results: failures.map {
          Result(
            $0,
            of: matrix.parties(of: $0),
            ruleIndex: numbers[$0.law],
            folder: folder
          )
        } + sightings.map { Result($0, ruleIndex: numbers[$0.law], folder: folder) }
      )
    ]
  }
}

extension SARIFReport.Rule {
  fileprivate init(_ law: Report.Law) {
    id = law.name
    shortDescription = SARIFReport.Message(law.heading)
    let source = law.source.isEmpty ? "" : " Source: \(law.source)."
    fullDescription = SARIFReport.Message(law.text + source)
    let usual =
      "`touchstone show` tells what happens in the case file, and `touchstone replay` judges it again."
    help = SARIFReport.Message([law.advice, usual].compactMap(\.self).joined(separator: " "))
  }
}

extension SARIFReport.Location {
  /// The first line of a case file.
  fileprivate init(_ file: String, below folder: String, of subject: String) {
    let path = folder.isEmpty ? file : "\(folder)/\(file)"
    physicalLocation = SARIFReport.PhysicalLocation(
      artifactLocation: SARIFReport.ArtifactLocation(uri: percentEncoded(path))
    )
    logicalLocations = [SARIFReport.LogicalLocation(name: subject)]
  }
}

extension SARIFReport.Result {
  fileprivate init(
    _ failure: Report.Failure,
    of parties: String,
    ruleIndex: Int?,
    folder: String
  ) {
    ruleId = failure.law
    self.ruleIndex = ruleIndex
    // One that held when it was tried again is no proof.
    level = failure.kind == .flaky ? "warning" : "error"
    var text = "\(parties): \(failure.summary)"
    if let comparison = failure.comparison { text += "\n\(comparison.clippedBehindWord(400))" }
    let labels = failure.labels
    if let expected = failure.expected {
      text += "\n\(labels.expected): \(expected.clipped(800))"
    }
    if let actual = failure.actual { text += "\n\(labels.found): \(actual.clipped(800))" }
    message = SARIFReport.Message(text)
    locations = [SARIFReport.Location(failure.file, below: folder, of: failure.subject)]
    partialFingerprints = ["touchstoneFailure/v1": failure.id]
    properties = SARIFReport.Properties(
      subject: failure.subject,
      oracle: failure.oracle,
      differenceKind: failure.differenceKind,
      size: failure.size,
      replicas: failure.replicas,
      replayCommand: failure.replayCommand,
      history: failure.history.prefix(160).map { $0.clipped(240) }
    )
  }

  /// A failure that was counted and not made small.
  fileprivate init(_ sighting: Report.Sighting, ruleIndex: Int?, folder: String) {
    ruleId = sighting.law
    self.ruleIndex = ruleIndex
    level = "error"
    var text = "\(sighting.subject): \(sighting.summary)\nIt was not shrunk."
    if let comparison = sighting.comparison { text += "\n\(comparison.clippedBehindWord(400))" }
    message = SARIFReport.Message(text)
    let file = sighting.file ?? "report.json"
    locations = [SARIFReport.Location(file, below: folder, of: sighting.subject)]
    partialFingerprints = ["touchstoneFailure/v1": sighting.id]
    properties = SARIFReport.Properties(
      subject: sighting.subject,
      oracle: nil,
      differenceKind: sighting.differenceKind
    )
  }
}
