import PropertyEngine

/// What a worker is asked: one line of JSON.
struct WorkerRequest: Codable, Sendable {
  var lane: LaneAddress
  var seed: Seed
  var task: Task

  enum Task: Codable, Sendable {
    /// The cases from `lower` up to, and without, `upper`.
    case judge(lower: Int, upper: Int)
    /// One sample of a group, drawn from anywhere.
    case draw(group: Int, Choices.Origin, JudgingTerms)
    /// One sample of a group as it was stored, or as it is without one of its parts.
    case stored(group: Int, StoredSample, withoutPart: Int?, JudgingTerms)
    case illustrate(SentFailure)
    /// Whether a listed divergence still shows.
    case shows(divergence: Int)
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
}

extension Lane {
  var address: LaneAddress {
    let builtIn = oracle.map { [$0] } ?? []
    return LaneAddress(
      ids: [subject.id]
        + builtIn.filter { $0 != subject.id && SubjectRegistry.builtInIDs.contains($0) },
      key: "\(subject.id) \(oracle ?? "-") \(groups.first?.formName.description ?? "-")"
    )
  }
}

/// What a worker answers: one line of JSON.
enum WorkerAnswer: Codable, Sendable {
  case totals(SentTotals)
  case judged(SentCase)
  case illustration(Lane.Illustration)
  case shows(Bool)
  /// It cannot do what it is asked, and why.
  case refused(String)
}

/// Choices with their spans, as few numbers as can be.
struct SentChoices: Codable, Sendable {
  /// Each value, and behind it its limit.
  private var numbers: [UInt32]
  private var labels: [String] = []
  /// Of each span: position of its label, start, end, depth.
  private var spans: [Int] = []

  init(_ choices: Choices) {
    numbers = choices.recorded.flatMap { [$0.value, $0.limit] }
    var positions: [String: Int] = [:]
    for span in choices.spans {
      let position = positions[span.label] ?? labels.count
      if position == labels.count {
        positions[span.label] = position
        labels.append(span.label)
      }
      spans += [position, span.start, span.end, span.depth]
    }
  }

  var choices: Choices {
    Choices(
      recorded: stride(from: 0, to: numbers.count - 1, by: 2).map {
        Choice(value: numbers[$0], limit: numbers[$0 + 1])
      },
      spans: stride(from: 0, to: spans.count - 3, by: 4).map {
        ChoiceSpan(
          label: labels.indices.contains(spans[$0]) ? labels[spans[$0]] : "",
          start: spans[$0 + 1],
          end: spans[$0 + 2],
          depth: spans[$0 + 3]
        )
      }
    )
  }
}

/// A sample that was judged.
struct SentCase: Codable, Sendable {
  struct LawVerdict: Codable, Sendable {
    var law: String
    var verdict: Verdict
    var divergence: Int?
    var seconds: Double
  }

  var verdicts: [LawVerdict]
  var findings: [Finding]
  var sample: StoredSample?
  var partCount: Int
  /// What was drawn; `nil` for a sample that was stored.
  var choices: SentChoices?
  var coverage: Coverage?
  var drawError: String?

  init(_ judged: JudgedCase, _ choices: Choices?, counts: Bool) {
    verdicts = judged.verdicts.map {
      LawVerdict(
        law: $0.law,
        verdict: $0.judgement.verdict,
        divergence: $0.judgement.divergence,
        seconds: $0.judgement.seconds
      )
    }
    findings = judged.findings
    sample = judged.sample?.stored()
    partCount = judged.sample?.partCount ?? 0
    self.choices = choices.map { SentChoices($0) }
    if counts, let sample = judged.sample {
      var own = Coverage()
      sample.count(&own)
      coverage = own
    }
    drawError = judged.drawError.map { "\($0)" }
  }
}

/// A failure that a worker found, or that it illustrates.
struct SentFailure: Codable, Sendable {
  var finding: Finding
  var sample: StoredSample
  var essentialParts: [Bool]

  init(_ failure: Failure) {
    finding = Finding(key: failure.key, difference: failure.difference)
    sample = failure.sample
    essentialParts = failure.essentialParts
  }

  func failure(
    of subjects: [String],
    choices: [Choice] = [],
    seed: Seed,
    caseIndex: Int = 0
  ) -> Failure {
    Failure(
      subjects: subjects,
      finding,
      sample,
      choices: choices,
      seed: seed,
      caseIndex: caseIndex,
      stage: .raw,
      essentialParts: essentialParts
    )
  }
}

/// What some cases came to.
struct SentTotals: Codable, Sendable {
  struct Sighting: Codable, Sendable {
    var finding: Finding
    var caseIndex: Int
    var rank: Int
    var caseCount: Int
    var choices: SentChoices
    /// The failure before shrinking; `nil` if this worker has sent one with the same key.
    var raw: SentFailure?
  }

  var caseCount: Int
  var laws: [String: LawTotals]
  var sightings: [Sighting]
  var coverage: Coverage
  var known: [Int: Int]
  var subjectSeconds: Double
  var oracleSeconds: Double
  /// Number of the case, and what drawing its sample threw.
  var drawError: (caseIndex: Int, words: String)? {
    drawErrorCase.flatMap { index in drawErrorWords.map { (index, $0) } }
  }
  private var drawErrorCase: Int?
  private var drawErrorWords: String?

  init(_ totals: RunTotals, raw: [FailureKey: Failure]) {
    caseCount = totals.caseCount
    laws = totals.laws
    sightings = totals.sightings.values.map {
      Sighting(
        finding: $0.finding,
        caseIndex: $0.caseIndex,
        rank: $0.rank,
        caseCount: $0.caseCount,
        choices: SentChoices($0.choices),
        raw: raw[$0.finding.key].map { SentFailure($0) }
      )
    }
    coverage = totals.coverage
    known = totals.known
    subjectSeconds = totals.subjectSeconds
    oracleSeconds = totals.oracleSeconds
    drawErrorCase = totals.drawError?.caseIndex
    drawErrorWords = totals.drawError.map { "\($0.error)" }
  }
}

/// What drawing a sample threw in another process.
struct DrawFailure: Error, CustomStringConvertible {
  let description: String
}
