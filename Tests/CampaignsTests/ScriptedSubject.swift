import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine
import Reporting
import Subjects
import Testing
import Texts

@testable import Campaigns

/// A subject whose sessions answer as a script says, which gets the number of the run and its program.
struct ScriptedSubject: DocumentSubject {
  let id: String
  let version = "test"
  var capabilities = Capabilities.all
  let script: @Sendable (Int, Program) throws -> Transcript

  init(_ id: String, script: @escaping @Sendable (Int, Program) throws -> Transcript) {
    self.id = id
    self.script = script
  }

  func session() -> any SubjectSession { Session(script) }

  private final class Session: SubjectSession {
    private let script: @Sendable (Int, Program) throws -> Transcript
    private var runCount = 0

    init(_ script: @escaping @Sendable (Int, Program) throws -> Transcript) {
      self.script = script
    }

    func run(_ program: Program) throws -> Transcript {
      defer { runCount += 1 }
      return try script(runCount, program)
    }
  }

  /// What the specification answers.
  static func right(_ program: Program) -> Transcript {
    Interpreter<ReferenceModel>.run(program)
  }

  /// The specification's answers, but the last state has a key that no writer put there.
  static func wrong(_ program: Program) -> Transcript {
    var transcript = right(program)
    for index in transcript.outcomes.indices.reversed() {
      guard case .observed(var state) = transcript.outcomes[index],
        case .map(let entries) = state.root.content
      else { continue }
      let value = ObservedValue(id: nil, content: .scalar(.null))
      let register = ObservedRegister(values: [value], isComplete: true)
      let entry = ObservedObject.Entry(key: "\u{10ffff}", register: register)
      state.root = ObservedObject(id: state.root.id, content: .map(entries + [entry]))
      transcript.outcomes[index] = .observed(state)
      break
    }
    return transcript
  }

  /// Whether a program increments a counter.
  static func increments(_ program: Program) -> Bool {
    program.instructions.contains {
      if case .edit(_, .increment, _) = $0 { true } else { false }
    }
  }
}

/// A mutant of the specification as a subject.
func mutant(_ id: String) throws -> any DocumentSubject {
  try #require(SubjectRegistry.mutant(MutantID(id)), "there is no mutant \(id)")
}

/// The laws with these names.
func laws(_ names: String...) -> [DocumentLaw] {
  DocumentLaw.all.filter { names.contains($0.name) }
}

/// A lane compared with the specification.
///
/// Its histories are small and polite: what these tests count and shrink is then the same whatever
/// large histories are drawn elsewhere.
func lane(
  _ subject: any DocumentSubject,
  _ laws: [DocumentLaw],
  divergences: [HistoryDivergence] = []
) -> Lane {
  Lane(
    subject,
    oracle: naiveSubject,
    laws: laws,
    divergences: divergences,
    limits: HistoryLimits(largeWorlds: false, impoliteCalls: false)
  )
}

/// The known divergence of a subject that counts only the last increment.
func divergence(
  _ law: String = "agreement.*",
  condition: String = #"{"edit": {"kind": "increment"}}"#,
  base: String = "counters",
  first: String = #"increment root "n" 1"#
) throws -> HistoryDivergence {
  HistoryDivergence(
    law: law,
    condition: "increments",
    predicate: try HistoryPredicate(JSONValue(parsing: condition)),
    reason: "It counts only the last increment.",
    example: try History(
      text: """
        history 1
        base \(base)
        replicas 2
        healing merge
        r0 \(first)
        r0 increment root "n" 2
        """
    )
  )
}

/// A campaign of a number of cases, which no clock disturbs.
func configuration(
  _ lanes: [Lane],
  cases: Int,
  jobs: Int = 1,
  seed: Seed = 5
) -> CampaignConfiguration {
  CampaignConfiguration(
    lanes: lanes,
    seed: seed,
    budget: .cases(cases),
    jobs: jobs,
    shrinkStepLimit: 1500,
    clock: { 0 }
  )
}

/// Runs a campaign and builds its report.
func report(
  _ configuration: CampaignConfiguration,
  requiring waypoints: [Waypoint] = [],
  canary: Report.Canary? = nil,
  onFailure: @escaping (Failure) -> Void = { _ in }
) -> Report {
  var campaign = Campaign(configuration, onFailure: onFailure)
  let context = ReportBuilder.Context(
    lawGlobs: [],
    repeatCommand: "",
    shard: .whole,
    absent: [],
    requiredWaypoints: waypoints,
    startedAt: "",
    machine: ""
  )
  return ReportBuilder(campaign.run(), context, canary: canary).build()
}
