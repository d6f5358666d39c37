import PropertyEngine
import Texts

/// What a worker is asked: one line of JSON.
struct WorkerRequest: Codable, Sendable {
  var lane: LaneAddress
  var seed: Seed
  var task: Task

  enum Task: Codable, Sendable {
    /// The cases from `lower` up to, and without, `upper`.
    ///
    /// After `seconds` no further case begins, and the parent asks for the rest: a worker that is killed, or
    /// dies, takes what it has not told with it. Without a number the answer is of all cases.
    case judge(lower: Int, upper: Int, seconds: Double?)
    /// One sample of a group, drawn from anywhere.
    case draw(group: Int, Choices.Origin, JudgingTerms)
    /// One sample of a group as it was stored, or as it is without one of its parts.
    case stored(group: Int, StoredSample, withoutPart: Int?, JudgingTerms)
    case illustrate(Failure)
    /// What the example of a listed divergence comes to.
    case divergence(index: Int)
  }

  /// What is asked of a group besides the sample.
  struct JudgingTerms: Codable, Sendable {
    var law: String?
    var drawsOnly: Bool
    /// Whether the sample's coverage is wanted.
    var counts = false

    init(_ request: JudgingRequest) {
      law = request.law
      drawsOnly = request.drawsOnly
    }

    static let sampleAlone = Self(JudgingRequest(drawsOnly: true))
  }
}

/// Names a lane to a worker, which builds the same lanes from the same arguments.
struct LaneAddress: Codable, Hashable, Sendable {
  /// Ids that the registry is asked for.
  var ids: [String]
  /// What tells the lane from others of these ids.
  var key: String
  /// Whether its subject has a peer, which the worker must start as well.
  var hasPeer: Bool
  /// A digest of the laws that the parent asks, group by group; `nil` for whatever the worker would ask.
  ///
  /// Which case is whose depends on them: a worker with others would judge other cases, and fewer laws.
  var laws: UInt64?
}

extension Lane {
  var address: LaneAddress {
    let builtIn = oracle.map { [$0] } ?? []
    return LaneAddress(
      ids: [subject.id]
        + builtIn.filter { $0 != subject.id && SubjectRegistry.builtInIDs.contains($0) },
      key: "\(subject.id) \(oracle ?? "-") \(groups.first?.formName.description ?? "-")",
      hasPeer: hasPeer,
      laws: stableHash(Array(asked.map { $0.joined(separator: " ") }.joined(separator: "\n").utf8))
    )
  }

  /// The laws that each group asks, by name.
  private var asked: [[String]] {
    let skipped = Set(entries.filter { $0.inapplicable != nil }.map(\.statement.name))
    return groups.map { $0.laws.map(\.name).filter { !skipped.contains($0) } }
  }
}

/// A worker's lane is not the one of its parent.
struct OtherLane: Error, CustomStringConvertible {
  let id: String

  var description: String { "it would not ask \(id) the same laws as the run" }
}

/// What a worker answers: one line of JSON.
enum WorkerAnswer: Codable, Sendable {
  /// What the cases of a range come to, those before `upTo`, and, before shrinking, failures with keys that this
  /// worker has not sent yet.
  case totals(RunTotals, new: [Failure], upTo: Int)
  case judged(SentCase)
  case illustration(Lane.Illustration)
  case divergence(Lane.DivergenceStanding)
  /// It cannot do what it is asked, and why.
  case refused(String)
}

/// A sample that was judged.
struct SentCase: Codable, Sendable {
  struct LawVerdict: Codable, Sendable {
    var law: String
    var judgement: Judgement
  }

  var verdicts: [LawVerdict]
  var findings: [Finding]
  var sample: StoredSample?
  var partCount: Int
  /// What was drawn; `nil` for a sample that was stored.
  var choices: Choices?
  var coverage: Coverage?

  init(_ judged: JudgedCase, _ choices: Choices?, counts: Bool) {
    verdicts = judged.verdicts.map { LawVerdict(law: $0.law, judgement: $0.judgement) }
    findings = judged.findings
    sample = judged.sample?.stored()
    partCount = judged.sample?.partCount ?? 0
    self.choices = choices
    if counts, let sample = judged.sample {
      var own = Coverage()
      sample.count(&own)
      coverage = own
    }
  }
}

/// An interruption ended a case, or kept it from being judged.
struct InterruptedCase: Error, CustomStringConvertible {
  let description = "the run was interrupted before its verdict"
}

/// Why a worker has no verdict of a stored sample.
struct RefusedSample: Error, CustomStringConvertible {
  let description: String
}
