import Reporting

/// Reports as campaigns make them, for every rendering to be tried on.
enum SampleReports {
  /// Nothing was judged, for nothing was found to run.
  static var empty: Report {
    var report = Report(
      run: run(.check, cases: 0),
      outcome: Report.RunOutcome(
        word: .failed,
        reasons: [Report.Reason("no subject could be started")]
      ),
      clock: clock(seconds: 0.2)
    )
    report.run.lawGlobs = ["merge.*"]
    return report
  }

  /// Everything held or is known, one subject is missing.
  static var green: Report {
    var report = Report(
      run: run(.check, cases: 1200),
      outcome: Report.RunOutcome(word: .held),
      clock: clock(seconds: 61.4)
    )
    fill(&report, departing: [:])
    report.canary = canary
    report.counts = counts
    report.knownDivergences = [known(stillShows: true)]
    return report
  }

  /// Five failures on three subjects: three violated, one errored, one flaky.
  static var failing: Report {
    var report = Report(
      run: run(.check, cases: 1200),
      outcome: Report.RunOutcome(
        word: .violated,
        reasons: [
          "merge.commutes is violated by loro",
          "counter.increments-add is violated by loro",
          "agreement.states is violated by automerge, compared with naive",
          "save.goes-on: yrs ended unexpectedly",
          "waypoint network.cut-while-under-way is required, and no case reached it",
          "the divergence of automerge under reads.agree shows no longer",
        ].map { Report.Reason($0) }
      ),
      clock: clock(seconds: 73.9)
    )
    report.failures = SampleFailures.all
    fill(
      &report,
      departing: Dictionary(
        uniqueKeysWithValues: report.failures.map { ("\($0.law) \($0.subject)", $0) }
      )
    )
    report.canary = canary
    report.counts = counts
    report.knownDivergences = [known(stillShows: true), known(stillShows: false)]
    report.clock.remarks = [
      "shrinking of agreement.states on automerge was stopped after 20 s",
      "the budget of 60 s ended in case 1,200 of subject yrs",
    ]
    return report
  }

  /// Mutants: most killed, one alive, one false alarm.
  static var selfTest: Report {
    var report = Report(
      run: run(.selfTest, cases: 2000),
      outcome: Report.RunOutcome(
        word: .violated,
        reasons: [
          "mutant map.delete-loses-conflict lives", "text.runs-stay-whole gave a false alarm",
        ].map { Report.Reason($0) }
      ),
      clock: clock(seconds: 48.2)
    )
    let mutants: [(String, String, String?, Int, Int)] = [
      ("merge.left-biased", "A merge lets the receiver's value win.", "merge.commutes", 3, 3),
      (
        "counter.increment-overwrites", "An increment replaces the one it meets.",
        "counter.increments-add", 11, 4
      ),
      (
        "list.delete-shifts", "A delete is applied by index, not by element.", "network.converges",
        7, 4
      ),
      (
        "text.inserts-before", "An insert at the same place goes before, not after.",
        "agreement.states", 19, 3
      ),
      (
        "save.drops-tombstones", "A saved document leaves out deleted elements.",
        "save.goes-on", 42, 5
      ),
      (
        "delivery.no-waiting", "A change whose dependencies are missing is dropped.",
        "delivery.any-order", 5, 4
      ),
      (
        "map.delete-loses-conflict", "A delete takes values with it that it never saw.", nil, 2000,
        0
      ),
    ]
    report.selfTest = Report.SelfTest(
      mutants: mutants.map { id, sentence, law, cases, size in
        Report.Mutant(
          id: id,
          sentence: sentence,
          killedBy: law,
          cases: cases,
          size: law == nil ? nil : size,
          replicas: law == nil ? nil : 2,
          history: law == nil ? [] : Array(SampleFailures.counter.history.prefix(4 + size))
        )
      },
      laws: laws.enumerated().map { index, law in
        Report.LawProof(
          law: law.name,
          mutant: index == 3 ? nil : mutants[index % 6].0,
          cases: 3 + index * 7
        )
      },
      falseAlarms: ["text.runs-stay-whole"]
    )
    report.laws = laws
    report.subjects = [subjects[0]]
    for mutant in mutants.indices.dropLast() {
      report.clock.mutantSeconds[mutants[mutant].0] = 0.07 * Double(mutant * mutant + 1)
    }
    return report
  }

  /// A fuzzer's run that found something.
  static var fuzzing: Report {
    var report = Report(
      run: run(.fuzz, cases: 0),
      outcome: Report.RunOutcome(
        word: .violated,
        reasons: [Report.Reason("merge.commutes on engine: the replicas differ")]
      ),
      clock: clock(seconds: 300)
    )
    report.failures = [SampleFailures.counter]
    report.fuzzing = [("histories", 12_485, 14_552, 903), ("load", 43_932, 8_649, 0)].map {
      target,
      executions,
      edges,
      before in
      var figures = Report.FuzzedTarget(target: target, subject: "engine")
      (figures.executions, figures.edges) = (executions, edges)
      (figures.corpus, figures.corpusBefore) = (1_204, before)
      figures.passedPerThousand = before == 0 ? 874 : 1_000
      figures.situations = before == 0 ? nil : 1_377
      figures.failingInputs = before == 0 ? 3 : 0
      figures.seconds = 150
      return figures
    }
    report.coverage = [
      Report.CoveredModule(
        name: "MergeEngine",
        regions: 3_251,
        entered: 3_104,
        enteredBefore: 2_866
      ),
      Report.CoveredModule(name: "AutomergeBytes", regions: 40, entered: 40),
    ]
    return report
  }

  /// Each of the above, by name.
  static let all: [(name: String, report: Report)] = [
    ("empty", empty), ("green", green), ("failing", failing), ("selftest", selfTest),
    ("fuzzing", fuzzing),
  ]

  static func run(_ command: Report.Command, cases: Int) -> Report.Run {
    var run = Report.Run(
      command: command,
      seed: "0xbfffffffffffff01",
      cases: cases,
      lawGlobs: [],
      repeatCommand: "touchstone \(command.rawValue) --seed 0xbfffffffffffff01 --cases \(cases)"
    )
    run.program = "touchstone 0.1.0"
    return run
  }

  private static func clock(seconds: Double) -> Report.Clock {
    var clock = Report.Clock(
      startedAt: "2025-03-14T02:11:09Z",
      seconds: seconds,
      jobs: 2,
      machine: "Linux x86-64, 2 processors, 7.6 GiB",
      casesPerSecond: 81.25
    )
    clock.subjectSeconds = [
      "naive": 6.71, "engine": 2.04, "automerge": 21.4, "loro": 14.9, "yrs": 11.02,
    ]
    clock.lawSeconds = Dictionary(
      uniqueKeysWithValues: laws.enumerated().map { ($1.name, 9.5 / Double($0 + 1)) }
    )
    return clock
  }

  private static let canary = Report.Canary(
    mutant: "tie-break-reversed",
    caughtBy: "agreement.states",
    size: 3
  )

  private static func known(stillShows: Bool) -> Report.KnownDivergence {
    Report.KnownDivergence(
      subject: "automerge",
      law: stillShows ? "delivery.any-number" : "reads.agree",
      condition: "a step 'deliver part' follows a damaged message",
      reason: "Loading swallows damage that comes after a good chunk.",
      count: stillShows ? 38 : 0,
      stillShows: stillShows
    )
  }
}
