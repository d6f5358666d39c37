import Texts

/// Runs over time, and how long each failure has lived.
package struct RunHistory: Codable, Hashable, Sendable {
  /// Oldest first.
  package let runs: [PastRun]
  /// Failures of the latest run with their law come first, then by the run that had them first.
  package let lives: [FailureLife]

  /// The life of a failure that a test may have had before.
  package func life(law: String, subject: String, differenceKind: String) -> FailureLife? {
    let key = PastFailure.Key(law: law, subject: subject, differenceKind: differenceKind)
    return lives.first { $0.failure.key == key }
  }

  package init(_ runs: [PastRun]) {
    self.runs = runs.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
    var order: [PastFailure.Key] = []
    var lives: [PastFailure.Key: FailureLife] = [:]
    for (index, run) in self.runs.enumerated() {
      for key in order { lives[key]?.pass(run) }
      for failure in run.failures {
        if lives[failure.key] == nil {
          order.append(failure.key)
          lives[failure.key] = FailureLife(failure, in: run, before: self.runs[..<index])
        }
        lives[failure.key]?.meet(failure, in: run)
      }
    }
    let all = order.compactMap { lives[$0] }
    self.lives = all.filter(\.isFailing) + all.filter { !$0.isFailing }
  }

  /// Whether the latest run came to a result: one that was interrupted, or that proves too little, says nothing of
  /// what holds today.
  private var isCurrent: Bool { runs.last.map { $0.word != .failed } ?? false }

  /// 0 if nothing fails, 1 if something does, 2 without any run, or if the latest came to no result.
  package var exitStatus: Int32 {
    if lives.contains(where: \.isFailing) { return 1 }
    return isCurrent ? 0 : 2
  }
}

/// A failure over the runs that had it.
package struct FailureLife: Codable, Hashable, Sendable {
  package private(set) var failure: PastFailure
  /// The first run that had it.
  package let firstSeen: Moment
  /// The last run before that one which judged its law on its subject, and did not have it; `nil` if none did.
  package let lastWithout: Moment?
  /// The last run that had it.
  package private(set) var lastSeen: Moment
  /// Runs that had it.
  package private(set) var runCount = 0
  /// Runs since the first that judged its law on its subject, that one included.
  package private(set) var judgedRunCount = 0
  /// Cases in which its law was judged on its subject since it was last seen.
  package private(set) var casesSince = 0

  /// A run, as a life names it.
  package struct Moment: Codable, Hashable, Sendable {
    package let startedAt: String
    package let commit: String?

    init(_ run: PastRun) {
      startedAt = run.startedAt
      commit = run.commit
    }
  }

  /// Whether no later run has judged its law on its subject without it.
  package var isFailing: Bool { casesSince == 0 }

  fileprivate init(_ failure: PastFailure, in run: PastRun, before earlier: ArraySlice<PastRun>) {
    self.failure = failure
    firstSeen = Moment(run)
    lastSeen = Moment(run)
    lastWithout = earlier.last { $0.judged[failure.subject]?[failure.law] != nil }
      .map(Moment.init)
    judgedRunCount = 1
  }

  /// Goes past a run that may have it or not.
  fileprivate mutating func pass(_ run: PastRun) {
    guard let cases = run.judged[failure.subject]?[failure.law] else { return }
    judgedRunCount += 1
    casesSince = casesSince.addingSaturated(cases)
  }

  fileprivate mutating func meet(_ failure: PastFailure, in run: PastRun) {
    self.failure = failure
    lastSeen = Moment(run)
    runCount += 1
    casesSince = 0
  }
}

extension RunHistory {
  /// The history in lines for a person.
  ///
  /// - Parameters:
  ///   - last: Runs that are listed at most.
  ///   - caseFile: The path of a failure's case file, if it is there.
  /// - Returns: Runs, what fails, what was not seen again, and a last line that sums up.
  package func lines(last: Int, caseFile: (PastFailure) -> String?) -> [String] {
    guard !runs.isEmpty else { return ["no run yet"] }
    let failing = lives.filter(\.isFailing)
    let gone = lives.filter { !$0.isFailing }
    return table(last: last)
      + part("failing", failing) {
        $0.summary(counting: "run")
      } caseFile: {
        caseFile($0)
      }
      + part("not seen again", gone) { life in
        "last seen \(life.lastSeen.text); its law was judged in \(counted(life.casesSince, "case")) since"
      } caseFile: {
        caseFile($0)
      }
      + [
        "",
        "\(exitStatus == 0 ? "✓" : "✕") \(counted(failing.count, "failure")) in \(counted(runs.count, "run"))"
          + (gone.isEmpty ? "" : ", \(grouped(gone.count)) not seen again")
          + (isCurrent ? "" : "; the latest run came to no result"),
      ]
  }

  private func table(last: Int) -> [String] {
    let shown = runs.suffix(max(last, 1))
    let rest =
      runs.count > shown.count ? ["  and \(counted(runs.count - shown.count, "earlier run"))"] : []
    return ["runs:"] + rest
      + shown.map { run in
        let commit = run.commit.map { " \($0.prefix(10))" } ?? ""
        let words =
          [run.headline, counted(run.cases, "case")] + run.subjects + (run.sizes?.arguments ?? [])
        return "  \(run.word.mark) \(run.startedAt.prefix(19))\(commit): "
          + words.joined(separator: ", ")
      }
  }

  private func part(
    _ title: String,
    _ lives: [FailureLife],
    _ summary: (FailureLife) -> String,
    caseFile: (PastFailure) -> String?
  ) -> [String] {
    guard !lives.isEmpty else { return [] }
    return ["", "\(title):"]
      + lives.flatMap { life in
        let failure = life.failure
        let replay =
          failure.replay ?? caseFile(failure).map { "touchstone replay \(shellWord($0))" }
        return [
          "  \(failure.law) on \(failure.subject), \(failure.differenceKind)",
          "    \(summary(life))",
          "    \(failure.summary)",
        ] + (replay.map { ["    \($0)"] } ?? [])
      }
  }
}

extension PastRun.Word {
  /// As headlines of reports have it.
  fileprivate var mark: String {
    switch self {
    case .held: "✓"
    case .violated: "✕"
    case .failed: "!"
    }
  }
}

extension PastRun {
  /// Subjects that a line names.
  private static let namedLimit = 3

  /// What was judged, `of engine and naive`, in at most one element; none if nothing was.
  fileprivate var subjects: [String] {
    let ids = judged.keys.sorted()
    guard !ids.isEmpty else { return [] }
    let others = ids.count - Self.namedLimit
    let named = ids.prefix(Self.namedLimit).joined(separator: ", ")
    return ["of \(named)" + (others > 0 ? " and \(grouped(others)) more" : "")]
  }

  /// `2026-11-23T02:11 (commit 1f2e3d4c5b)`.
  package var moment: String {
    String(startedAt.prefix(16)).clipped(40)
      + (commit.map { " (commit \(String($0.prefix(10)).clipped(20)))" } ?? "")
  }
}

extension FailureLife {
  /// In how many of the runs that judged its law it was seen, and since when; `noun` is what a run is called.
  ///
  /// `in 2 of 2 runs: first 2026-11-23T02:11:40 (commit 1f2e3d4c5b), not yet 2026-11-22T02:11:38`
  package func summary(counting noun: String) -> String {
    let before = lastWithout.map { ", not yet \($0.text)" } ?? ""
    let of = max(judgedRunCount, runCount)
    return "in \(grouped(runCount)) of \(counted(of, noun)): first \(firstSeen.text)\(before)"
  }
}

extension FailureLife.Moment {
  /// `2026-11-23T02:11:40 (commit 1f2e3d4c5b)`.
  fileprivate var text: String {
    "\(startedAt.prefix(19))" + (commit.map { " (commit \($0.prefix(10)))" } ?? "")
  }
}

extension RunHistory {
  /// Failures that are to be taken out of runs.
  package struct Forgotten: Sendable {
    private let keys: Set<PastFailure.Key>

    package init(_ failures: [PastFailure]) {
      keys = Set(failures.map(\.key))
    }

    /// The run without them; `nil` if it has none of them.
    package func removed(from run: PastRun) -> PastRun? {
      var rest = run
      rest.failures.removeAll { keys.contains($0.key) }
      return rest.failures.count == run.failures.count ? nil : rest
    }
  }
}
