package import PastRuns
package import PropertyEngine

/// What one run found: the single value that every rendering reads.
///
/// All but ``clock`` is a function of the run's seed, its number of cases, its laws and subjects: the
/// same for every number of workers. The JSON form of this value is `report.json`; its schema stands
/// in `Documentation/schemas/report.schema.json`.
package struct Report: Codable, Hashable, Sendable {
  /// The version of this shape.
  package static let currentVersion = 1

  package var version = Report.currentVersion
  package var run: Run
  package var outcome: RunOutcome
  package var subjects: [Subject] = []
  package var laws: [Law] = []
  package var cells: [Cell] = []
  package var counts = Counts()
  package var failures: [Failure] = []
  /// What was counted beyond those; `nil` if nothing was.
  package var sightings: [Sighting]?
  package var knownDivergences: [KnownDivergence] = []
  package var selfTest: SelfTest?
  /// What a fuzzer did; `nil` for a run without one.
  package var fuzzing: [FuzzedTarget]?
  /// Which code a fuzzer's inputs enter, by module; `nil` if that was not asked.
  package var coverage: [CoveredModule]?
  package var canary: Canary?
  package var clock: Clock

  package init(run: Run, outcome: RunOutcome, clock: Clock) {
    self.run = run
    self.outcome = outcome
    self.clock = clock
  }
}

extension Report {
  /// The subcommand of `touchstone` that a run is of.
  package enum Command: String, Codable, Hashable, Sendable, CaseIterable {
    case check
    case selfTest = "selftest"
    case fuzz
  }

  /// What was asked for.
  package struct Run: Codable, Hashable, Sendable {
    package var command: Command
    /// As text, `0x2a`: JSON numbers lose the upper half.
    package var seed: String
    /// Cases of all subjects together, stored ones left out.
    package var cases: Int
    /// Stored cases that were tried before those; `nil` if there were none, and in reports of older versions.
    package var storedCases: Int?
    /// Globs of the laws asked for; empty means all.
    package var lawGlobs: [String]
    /// The command that repeats this run.
    package var repeatCommand: String
    /// Which part of a run it was that machines share; `nil` for a whole run.
    package var share: Share?
    /// What histories were made of; `nil` where that was as usual, and in reports merged of runs that
    /// differ.
    package var sizes: RunSizes?
    /// The program that ran, with its version: `touchstone 0.1.0`.
    package var program: String?
    /// The runs that a merged report is of; `nil` for a report of one run.
    package var parts: [Part]?

    package init(
      command: Command,
      seed: String,
      cases: Int,
      lawGlobs: [String],
      repeatCommand: String
    ) {
      self.command = command
      self.seed = seed
      self.cases = cases
      self.lawGlobs = lawGlobs
      self.repeatCommand = repeatCommand
    }

    /// Makes it the run of one part; ``repeatCommand`` was that of the whole run.
    package mutating func narrow(toPart number: Int, of count: Int) {
      share = Share(command: repeatCommand, number: number, count: count)
      repeatCommand = share?.repeatCommand ?? repeatCommand
    }

    /// Says that stored cases were tried, with the arguments that try them again.
    ///
    /// Comes after ``narrow(toPart:of:)``: one part tries them for all, and the command of the whole run is the same in
    /// all parts.
    package mutating func addStored(_ count: Int, _ arguments: [String]) {
      guard count > 0 else { return }
      storedCases = count
      share?.storedArguments = arguments
      repeatCommand = ([repeatCommand] + arguments).joined(separator: " ")
    }
  }

  /// One of the runs that a merged report is of.
  package struct Part: Codable, Hashable, Sendable {
    package var command: Command
    package var seed: String
    package var cases: Int
    /// ISO 8601, UTC.
    package var startedAt: String
    package var machine: String
    /// How long it took.
    package var seconds: Double
    /// The command that repeats it.
    package var repeatCommand: String
    /// Which part of a shared run it was; `nil` as that of ``Run``.
    package var share: Share?
    /// The waypoints that a part of a shared run did not reach; `nil` for whole runs, and if there is none.
    ///
    /// What the whole run requires of them is missing if all of its parts have it here.
    package var unreached: [WaypointCount]?
    /// What it came to.
    package var word: RunOutcome.Word

    /// The run of a report that was not merged.
    package init(_ report: Report) {
      command = report.run.command
      seed = report.run.seed
      cases = report.run.cases
      startedAt = report.clock.startedAt
      machine = report.clock.machine
      seconds = report.clock.seconds
      repeatCommand = report.run.repeatCommand
      share = report.run.share
      if share != nil {
        let missed = report.counts.waypoints.filter { $0.count <= 0 }
        unreached = missed.isEmpty ? nil : missed
      }
      word = report.outcome.word
    }
  }

  /// What laws speak of, and what subjects are.
  package enum Topic: String, Codable, Hashable, Sendable, CaseIterable {
    case documents
    case coders
    case records
    case stores
  }

  package struct Subject: Codable, Hashable, Sendable {
    package var id: String
    package var version: String
    /// What it is; `nil` for an engine of documents.
    package var topic: Topic?
    /// Words of what it can do, sorted.
    package var capabilities: [String]
    /// Why it was left out, if it was.
    package var absence: String?
    /// What the run could not find out without it.
    package var absenceCost: String?

    package init(id: String, version: String, capabilities: [String], absence: String? = nil) {
      self.id = id
      self.version = version
      self.capabilities = capabilities
      self.absence = absence
    }
  }

  package struct Law: Codable, Hashable, Sendable {
    package var name: String
    /// What it promises, in a few words; `nil` if the sentence is as short.
    package var title: String?
    /// Exactly what it demands.
    package var sentence: String
    package var source: String
    /// What it speaks of; `nil` for documents.
    package var topic: Topic?
    /// What a person can do about a violation.
    package var advice: String?
    /// Bugs that it is known to catch when no other law is asked, one sentence each.
    package var catches: [String]?

    /// The title, or the sentence where that is as short.
    var heading: String { title ?? sentence }

    /// Title and sentence in one line.
    var text: String { title.map { "\($0) \(sentence)" } ?? sentence }

    package init(name: String, sentence: String, source: String) {
      self.name = name
      self.sentence = sentence
      self.source = source
    }
  }

  /// The verdicts of one law on one subject, on cases of the seed and on stored ones.
  package struct Cell: VerdictCounts, Codable, Hashable, Sendable {
    package var law: String
    package var subject: String
    /// The subject it was compared with, for laws of agreement.
    package var oracle: String?
    package var held = 0
    package var violated = 0
    package var known = 0
    package var errored = 0
    package var skipped = 0
    /// Why cases were skipped, if all for one reason.
    package var skipReason: String?
    /// What one of the cases that the subject failed reported.
    package var errorReason: String?

    package init(law: String, subject: String, oracle: String? = nil) {
      self.law = law
      self.subject = subject
      self.oracle = oracle
    }
  }

  /// How often something happened, over all cases.
  package struct Count: Codable, Hashable, Sendable {
    package var name: String
    package var count: Int

    package init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  package struct Counts: Codable, Hashable, Sendable {
    package var edits: [Count] = []
    package var faults: [Count] = []
    package var transports: [TransportCount] = []
    /// Histories by number of edits, in groups of five.
    package var sizes: [SizeCount] = []
    package var waypoints: [WaypointCount] = []
    /// Faults again, by subject and transport; those of a machine concern no transport.
    package var faultsOfSubjects: [FaultCount] = []
    /// How many samples differ, by kind of sample.
    package var samples: [SampleCount] = []
    /// Which values were drawn.
    package var values: [ValueCount] = []

    package init() {}
  }

  /// How often a fault befell one transport of one subject.
  package struct FaultCount: Codable, Hashable, Sendable {
    package var subject: String
    /// Nil for a fault of machines or of links, whatever they carry.
    package var transport: String?
    package var fault: String
    package var count: Int

    package init(subject: String, transport: String?, fault: String, count: Int) {
      self.subject = subject
      self.transport = transport
      self.fault = fault
      self.count = count
    }
  }

  package struct WaypointCount: Codable, Hashable, Sendable {
    package var name: String
    package var sentence: String
    package var count: Int
    /// Whether a run that never reaches it fails.
    package var isRequired: Bool
    /// Whether the run that this one is a part of fails where no part reaches it; else `nil`, as in whole runs, and in
    /// merged reports, where ``Part/unreached`` says it of each part.
    package var isRequiredOfWhole: Bool?

    /// That it was never reached, in a sentence.
    package var absence: String { absence(in: nil) }

    /// That a run never reached it, in a sentence; `run` names it where there are others.
    func absence(in run: String?) -> String {
      "the waypoint \(name) was never reached\(run.map { " in \($0)" } ?? ""): \(sentence)"
    }

    package init(name: String, sentence: String, count: Int, isRequired: Bool) {
      self.name = name
      self.sentence = sentence
      self.count = count
      self.isRequired = isRequired
    }
  }

  /// One failure: a law, a subject and the smallest history or sample found for them.
  package struct Failure: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
      case violated
      case errored
      /// It did not repeat: the report has both outcomes.
      case flaky
    }

    /// What judges a case again.
    package enum Replayer: String, Codable, Hashable, Sendable, CaseIterable {
      /// The program `touchstone`.
      case program
      /// The tests of a package, and nothing else.
      case tests
    }

    /// One of the two that are compared.
    package struct Side: Codable, Hashable, Sendable {
      /// Whose state it is: `naive, r0 after healing`.
      package var name: String
      /// Which implementation shows it.
      package var party: Difference.Side.Party
      /// All that it shows, line by line; empty if the difference shows all there is.
      package var state: [String]

      package init(name: String, party: Difference.Side.Party, state: [String]) {
        self.name = name
        self.party = party
        self.state = state
      }
    }

    /// Stable within the corpus: law, subject and kind of difference.
    package var id: String
    package var law: String
    package var subject: String
    package var oracle: String?
    package var kind: Kind
    /// The stable class of the difference.
    package var differenceKind: String
    package var summary: String
    package var expected: String?
    package var actual: String?
    /// The side that shows `expected`; `nil` if the law itself demands it.
    package var expectedSide: Side?
    /// The side that shows `actual`; `nil` if there is only one that could.
    package var actualSide: Side?
    /// Whether neither side is known to be right, so that both stand under their names; else `nil`, as in reports of
    /// older versions.
    package var isOfPeers: Bool?
    /// The case that first showed it.
    package var caseIndex = 0
    /// Cases of this run that showed the same, stored ones included.
    package var caseCount = 1
    /// The path of the case file, below the report's folder.
    package var file: String
    /// The path of a Swift file that fails the same way, below the report's folder.
    package var reproducer: String?
    /// Judges the case again, in the report's folder.
    package var replayCommand: String
    /// What `touchstone replay` needs to find the subjects, each an option with its value as a shell reads
    /// it: `["--adapters ../shelf"]`.
    ///
    /// Empty where the tests of a package judge the case; `nil` in reports of older versions.
    package var replayArguments: [String]?
    /// What judges the case again.
    package var replayer = Replayer.program
    /// The model whose values a coder failed on; `nil` for a failing history.
    package var model: String?
    /// Edits and exchanges; of a sample of a coder, values.
    package var size = 0
    /// The same in words of the sample's kind: `40 numbers`.
    package var measure = ""
    /// 0 for what is no history.
    package var replicas = 0
    /// Attempts that shrinking took.
    package var shrinkSteps = 0
    /// Whether shrinking came to its end; if not, why.
    package var shrinkEnding = ""
    /// The text form of the history, or of the sample of a coder.
    package var history: [String] = []
    /// What the law called and what came back, line by line; `nil` where the sample says it.
    package var calls: [String]?
    package var timeline: [TimelineStep] = []
    /// What every replica shows before the first step, line by line.
    package var start: [String] = []
    /// The day the corpus first had it, if it did.
    package var firstSeen: String?

    /// A failure whose case file is named by its id.
    package init(
      id: String,
      law: String,
      subject: String,
      kind: Kind,
      differenceKind: String,
      summary: String
    ) {
      self.id = id
      self.law = law
      self.subject = subject
      self.kind = kind
      self.differenceKind = differenceKind
      self.summary = summary
      file = Self.file(of: id)
      replayCommand = Self.replayCommand(of: id, [])
      replayArguments = []
    }
  }

  /// One step of a failing history, as a space-time diagram draws it.
  package struct TimelineStep: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
      case edit, commit, fork, exchange, send, deliver, drop, cut, mend, clog, unclog, save, restart
      /// The exchanges of healing, which no step names.
      case heal
    }

    package var kind: Kind
    /// The step in the history's words.
    package var text: String
    /// The replicas that take part, the one that changes last: `[from, to]` for messages.
    package var replicas: [Int]
    /// The message's number, for those that have one.
    package var message: Int?
    /// What the subject shows at the replica that changes, after the step, line by line.
    ///
    /// After healing one state stands for all replicas, or each below the names of those that show it,
    /// `r0, r2:`, on the oracle's side as well.
    package var state: [String]
    /// What the oracle shows there, where there is one and it differs.
    package var oracleState: [String]?
    /// Whether the law holds once this step is left out.
    package var isEssential = true

    /// After healing, whether the replicas differ, so that the lines of a state name those that show it.
    ///
    /// Nil for other steps.
    package var namesReplicas: Bool?

    package init(
      kind: Kind,
      text: String,
      replicas: [Int],
      state: [String],
      oracleState: [String]?
    ) {
      self.kind = kind
      self.text = text
      self.replicas = replicas
      self.state = state
      self.oracleState = oracleState
    }
  }

  /// A departure that a subject's description lists, and what this run saw of it.
  package struct KnownDivergence: Codable, Hashable, Sendable {
    package var subject: String
    package var law: String
    package var condition: String
    package var reason: String
    /// Cases of this run that it explains.
    package var count: Int
    /// Whether its own case still shows it: one that does not makes the run fail.
    package var stillShows: Bool
    /// Why its own case cannot be judged on the subject, which makes the run fail as well; `nil` if it can.
    package var unjudged: String?

    package init(
      subject: String,
      law: String,
      condition: String,
      reason: String,
      count: Int,
      stillShows: Bool
    ) {
      self.subject = subject
      self.law = law
      self.condition = condition
      self.reason = reason
      self.count = count
      self.stillShows = stillShows
    }
  }

  /// Members of a report, and of the runs beside it, whose values are times or rates, or hold nothing else.
  ///
  /// Such a number may be any; every other number is a count.
  package static let timeMembers: Set = [
    "seconds", "casesPerSecond", "subjectSeconds", "lawSeconds", "mutantSeconds", "cellSeconds",
  ]

  /// Everything that depends on when and where the run took place.
  ///
  /// A number that is no count stands in ``timeMembers``.
  package struct Clock: Codable, Hashable, Sendable {
    /// ISO 8601, UTC.
    package var startedAt: String
    package var seconds: Double
    package var jobs: Int
    package var machine: String
    package var casesPerSecond: Double
    /// Seconds spent by subject, in running programs.
    package var subjectSeconds: [String: Double] = [:]
    /// Seconds spent by law, in judging.
    package var lawSeconds: [String: Double] = [:]
    /// Seconds until each mutant was killed.
    package var mutantSeconds: [String: Double] = [:]
    /// Seconds spent in judging by subject, then by law.
    package var cellSeconds: [String: [String: Double]] = [:]
    /// What time cut short: a budget that ended, a shrink that was stopped.
    package var remarks: [String] = []

    package init(
      startedAt: String,
      seconds: Double,
      jobs: Int,
      machine: String,
      casesPerSecond: Double
    ) {
      self.startedAt = startedAt
      self.seconds = seconds
      self.jobs = jobs
      self.machine = machine
      self.casesPerSecond = casesPerSecond
    }
  }
}
