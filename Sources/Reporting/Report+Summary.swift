import PastRuns
import Texts

extension Report {
  /// How a law came out on a subject, the gravest first.
  enum Standing: Int, Comparable {
    case violated
    case errored
    /// Violated, and listed as known.
    case known
    case held
    case skipped
    /// Not judged at all.
    case absent

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Whether the law held in each case that it was judged in, but for what is listed.
    var isHeld: Bool { self == .held || self == .known }

    /// The word of the report, which stands beside every symbol.
    var word: String { self == .absent ? "not asked" : "\(self)" }

    /// One sign of one column, present in every common font.
    var symbol: String {
      switch self {
      case .violated: "✕"
      case .errored: "!"
      case .known: "≈"
      case .held: "✓"
      case .skipped: "–"
      case .absent: "·"
      }
    }
  }

  /// The verdicts of one law on one subject, against whatever oracle.
  struct Tally: VerdictCounts {
    var held = 0
    var violated = 0
    var known = 0
    var errored = 0
    var skipped = 0
  }

  /// Laws by subjects, ready to be drawn.
  struct Matrix {
    struct Place: Hashable {
      let law: String
      let subject: String
    }

    /// Names in the order of the report; those that only cells name come last.
    let laws: [String]
    let subjects: [String]
    /// What the laws speak of, by their names.
    let lawTopics: [String: Topic]
    let subjectTopics: [String: Topic]
    /// The subjects that laws of a topic were asked of.
    private let topicSubjects: [Topic: Set<String>]
    private let cells: [Place: [Cell]]
    private let tallies: [Place: Tally]
    private let lawStandings: [String: Standing]
    private let subjectStandings: [String: Standing]

    init(_ report: Report) {
      var cells: [Place: [Cell]] = [:]
      var tallies: [Place: Tally] = [:]
      for cell in report.cells {
        let place = Place(law: cell.law, subject: cell.subject)
        cells[place, default: []].append(cell)
        tallies[place, default: Tally()].add(cell)
      }
      let lawTopics = Dictionary(report.laws.map { ($0.name, $0.topic ?? .documents) }) {
        first,
        _ in first
      }
      self.lawTopics = lawTopics
      topicSubjects = report.cells.reduce(into: [:]) { topics, cell in
        topics[lawTopics[cell.law] ?? .documents, default: []].insert(cell.subject)
      }
      subjectTopics = Dictionary(report.subjects.map { ($0.id, $0.topic ?? .documents) }) {
        first,
        _ in first
      }
      laws = (report.laws.map(\.name) + report.cells.map(\.law)).uniqued()
      subjects = (report.subjects.map(\.id) + report.cells.map(\.subject)).uniqued()
      self.cells = cells
      self.tallies = tallies
      // The least of each, whatever order they come in.
      var lawStandings: [String: Standing] = [:]
      var subjectStandings: [String: Standing] = [:]
      for (place, tally) in tallies {
        let standing = tally.standing
        lawStandings[place.law] = min(lawStandings[place.law] ?? .absent, standing)
        subjectStandings[place.subject] = min(subjectStandings[place.subject] ?? .absent, standing)
      }
      self.lawStandings = lawStandings
      self.subjectStandings = subjectStandings
    }

    func cells(_ law: String, _ subject: String) -> [Cell] {
      cells[Place(law: law, subject: subject)] ?? []
    }

    /// The laws of one topic and the subjects that any of them was asked of, in the order of the report.
    struct Part {
      let topic: Topic
      let laws: [String]
      let subjects: [String]
    }

    /// One part for each topic that the run asked laws of.
    var parts: [Part] {
      Topic.allCases.compactMap { topic in
        let asked = topicSubjects[topic] ?? []
        guard !asked.isEmpty else { return nil }
        return Part(
          topic: topic,
          laws: laws.filter { lawTopics[$0, default: .documents] == topic },
          subjects: subjects.filter(asked.contains)
        )
      }
    }

    func tally(_ law: String, _ subject: String) -> Tally {
      tallies[Place(law: law, subject: subject)] ?? Tally()
    }

    /// The gravest standing of a law on any subject.
    func standing(ofLaw law: String) -> Standing {
      lawStandings[law] ?? .absent
    }

    /// The gravest standing of a subject under any law.
    func standing(ofSubject subject: String) -> Standing {
      subjectStandings[subject] ?? .absent
    }

    /// All laws on one subject.
    func total(ofSubject subject: String) -> Tally {
      laws.reduce(into: Tally()) { total, law in
        for cell in cells(law, subject) { total.add(cell) }
      }
    }

    /// How many laws were skipped in every case on one subject, and why, each reason once.
    func skips(ofSubject subject: String) -> (count: Int, reasons: [String]) {
      let skipped = laws.filter { tally($0, subject).standing == .skipped }
      let reasons = skipped.flatMap { cells($0, subject) }.compactMap(\.skipReason)
      return (skipped.count, reasons.uniqued())
    }

    /// The gravest standing of some laws on one subject, and how many of them have it.
    func gravest(of laws: [String], on subject: String) -> (standing: Standing, count: Int) {
      let standings = laws.map { tally($0, subject).standing }
      let gravest = standings.min() ?? .absent
      return (gravest, standings.count { $0 == gravest })
    }

    /// The laws whose names begin with the same word, in the order of the first of each.
    static func families(of laws: [String]) -> [[String]] {
      var families: [[String]] = []
      let name = { (family: [String]) in family[0].prefix { $0 != "." } }
      families.merge(laws.map { [$0] }, by: name) { $0 += $1 }
      return families
    }

    /// Whom a failure speaks of: `automerge`, or `automerge against naive`.
    ///
    /// A failure has the oracle that its lane ran beside; only where the law's own cell has it, too, was
    /// anything compared with it.
    func parties(of failure: Failure) -> String {
      let own = cells(failure.law, failure.subject)
      let isAlone = !own.isEmpty && !own.contains { $0.oracle == failure.oracle }
      return isAlone ? failure.subject : failure.parties
    }

    /// The first `count` of `names`, in their order, those of grave standing before the others.
    static func gravest(
      _ names: [String],
      _ count: Int,
      standing: (String) -> Standing
    ) -> [String] {
      guard names.count > count else { return names }
      let ranked = names.enumerated().map { (standing($1), $0) }.sorted { $0 < $1 }
      return ranked.prefix(count).map(\.1).sorted().map { names[$0] }
    }
  }

  /// How many cases were tried: `3 cases`, or `3 cases and 4 stored ones`.
  var caseWords: String {
    let stored = (run.storedCases ?? 0) == 1 ? "one" : "ones"
    return counted(run.cases, caseNoun)
      + (run.storedCases.map { " and \(grouped($0)) stored \(stored)" } ?? "")
  }

  /// The run in one line, from the report and its own matrix.
  func headline(_ matrix: Matrix) -> String {
    if run.command == .selfTest, let selfTest {
      let words = selfTest.headline(outcome.word)
      return outcome.isInterrupted ? "The run was interrupted: \(words)" : words
    }
    if let fuzzingHeadline { return fuzzingHeadline }
    switch outcome.word {
    case .held:
      let subjects = matrix.subjects.count { matrix.standing(ofSubject: $0).isHeld }
      let laws = matrix.laws.count { matrix.standing(ofLaw: $0).isHeld }
      guard laws > 0 else { return "Nothing was violated" }
      let known = knownDivergences.count { $0.count > 0 }
      // What was not judged on any subject did not hold.
      let isPart = laws < matrix.laws.count
      let what =
        isPart
        ? "\(grouped(laws)) of \(counted(matrix.laws.count, "law")) \(laws == 1 ? "was" : "were") asked and"
        : laws == 1 ? "The law" : "All \(grouped(laws)) laws"
      return "\(what) held "
        + "on \(counted(subjects, "subject"))"
        + (known > 0 ? ", but for \(counted(known, "known divergence"))" : "")
    case .violated:
      return violations(matrix) ?? goneDivergences ?? "A law was violated"
    case .failed:
      let failure =
        outcome.isInterrupted
        ? "The run was interrupted"
        : outcome.isIncomplete ? "The run is incomplete" : "The run failed"
      // What was found until then was found all the same.
      return violations(matrix).map { "\(failure), \($0)" } ?? failure
    }
  }

  /// How many known divergences no longer show, whatever they are seen against; `nil` if all do.
  private var goneDivergences: String? {
    let gone = knownDivergences.filter { !$0.stillShows }.uniqued {
      [$0.subject, $0.law, $0.condition, $0.reason]
    }
    switch gone.count {
    case 0: return nil
    case 1: return "A known divergence no longer shows"
    default: return "\(grouped(gone.count)) known divergences no longer show"
    }
  }

  /// How many laws were violated on how many subjects; `nil` if none was.
  private func violations(_ matrix: Matrix) -> String? {
    let laws = matrix.laws.count { matrix.standing(ofLaw: $0) == .violated }
    let subjects = matrix.subjects.count { matrix.standing(ofSubject: $0) == .violated }
    guard laws > 0 else { return nil }
    let words = "\(counted(laws, "law")) violated on \(counted(subjects, "subject"))"
    // A failure that was only counted was not judged again.
    let isFlaky =
      failures.allSatisfy { $0.kind == .flaky } && Set(failures.map(\.law)).count == laws
    return isFlaky ? words + ", and not when the case was judged again" : words
  }
}

extension Report.SelfTest {
  var living: [Report.Mutant] { mutants.filter { $0.killedBy == nil } }

  fileprivate func headline(_ word: Report.RunOutcome.Word) -> String {
    let dead = mutants.count - living.count
    if mutants.isEmpty { return "No mutant ran" }
    if !falseAlarms.isEmpty {
      return "\(counted(falseAlarms.count, "false alarm")) on the correct implementation"
    }
    if dead == 1, mutants.count == 1, word == .held { return "The mutant was killed" }
    return living.isEmpty && word == .held
      ? "All \(grouped(dead)) mutants killed"
      : "\(grouped(dead)) of \(counted(mutants.count, "mutant")) killed"
  }
}

extension Report.Canary {
  /// Whether the way from a failure to the report is open, in a few words.
  var summary: String {
    caughtBy.map { "canary \(mutant) caught by \($0), in a run of its own" }
      ?? "canary \(mutant) not caught"
  }
}

extension Report.RunOutcome.Word {
  var symbol: String {
    switch self {
    case .held: "✓"
    case .violated: "✕"
    case .failed: "!"
    }
  }
}

extension Report.Failure.Kind {
  var symbol: String {
    switch self {
    case .violated: "✕"
    case .errored: "!"
    case .flaky: "?"
    }
  }
}

extension Report.Failure {
  /// `automerge`, or `automerge against naive`.
  var parties: String { oracle.map { "\(subject) against \($0)" } ?? subject }

  /// Says in one sentence which states are compared; `nil` for a demand that no state shows.
  ///
  /// `expected` is what the first shows, `actual` what the second shows.
  package var comparison: String? {
    compared(expectedSide?.name, with: actualSide?.name)
  }

  /// The names of the two sides, where neither is known to be right.
  var peers: (expected: String, found: String)? {
    guard isOfPeers == true, let expectedSide, let actualSide else { return nil }
    return (expectedSide.name.clippedBehindWord(160), actualSide.name.clippedBehindWord(160))
  }

  /// What stands before what was expected and what was found: for peers their names.
  var labels: (expected: String, found: String) { peers ?? ("expected", "found") }

  /// Whether its sample is a history of replicas.
  var isOfHistory: Bool { model == nil && replicas > 0 }

  /// Where it came from and how small it got, in one sentence each.
  var facts: [String] {
    let sample =
      if let model {
        "\(counted(size, "value")) of the model \(model)"
      } else if isOfHistory {
        "\(counted(size, "edit or exchange", "edits and exchanges")) on "
          + counted(replicas, "replica")
      } else {
        measure
      }
    // The number is one of the run that stored it.
    let origin = shrinkEnding.hasPrefix("stored") && firstSeen != nil ? " of an earlier run" : ""
    var facts = [
      "First shown by case \(grouped(caseIndex))\(origin); \(counted(caseCount, "case shows", "cases show")) it.",
      "Shrunk to \(sample) in \(counted(shrinkSteps, "attempt")): \(shrinkEnding).",
    ]
    if let firstSeen { facts.append("In the corpus since \(firstSeen).") }
    return facts
  }
}
