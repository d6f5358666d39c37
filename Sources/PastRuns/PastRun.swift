import Texts

/// One run as a history keeps it: what it came to, what failed, and what was judged.
package struct PastRun: Codable, Hashable, Identifiable, Sendable {
  /// What a run came to, as its report says it.
  package enum Word: String, Codable, Hashable, Sendable, CaseIterable {
    case held, violated, failed
  }

  /// The same for a report that is added twice, and for all parts of a run of tests.
  package let id: String
  /// ISO 8601, UTC.
  package let startedAt: String
  package let machine: String
  package let program: String?
  /// What was checked out where the run was started; `nil` outside of a repository.
  package let commit: String?
  package let seed: String
  /// The command that repeats it.
  package let repeatCommand: String
  /// What its histories were made of; `nil` where that was as usual.
  package let sizes: RunSizes?
  package private(set) var cases: Int
  package private(set) var seconds: Double
  package private(set) var word: Word
  package private(set) var headline: String
  package var failures: [PastFailure]
  /// In how many cases each law was judged, by subject and law.
  package var judged: [String: [String: Int]]
  /// In how many cases each law came to no verdict, by subject and law; `nil` if it always did.
  package let errored: [String: [String: Int]]?

  /// A run of a report; see `PastRun(_:commit:)` of `Reporting`.
  package init(
    id: String,
    startedAt: String,
    machine: String,
    program: String?,
    commit: String?,
    seed: String,
    repeatCommand: String,
    sizes: RunSizes?,
    cases: Int,
    seconds: Double,
    word: Word,
    headline: String,
    failures: [PastFailure],
    judged: [String: [String: Int]],
    errored: [String: [String: Int]]?
  ) {
    self.id = id
    self.startedAt = startedAt
    self.machine = machine
    self.program = program
    self.commit = commit
    self.seed = seed
    self.repeatCommand = repeatCommand
    self.sizes = sizes
    self.cases = cases
    self.seconds = seconds
    self.word = word
    self.headline = headline
    self.failures = failures
    self.judged = judged
    self.errored = errored
  }

  /// The run as a history has it until it ends, and for good if it is killed.
  package var unended: PastRun {
    var run = self
    run.word = .failed
    run.headline = "It has begun, and not ended"
    return run
  }

  /// What some expectations of a run of tests came to; `id` is the same for all of the run.
  ///
  /// `judged`: In how many cases each law was judged, by subject and law.
  package init(
    tests id: String,
    startedAt: String,
    seconds: Double,
    machine: String,
    commit: String?,
    seed: String,
    repeatCommand: String,
    failures: [PastFailure],
    judged: [String: [String: Int]]
  ) {
    self.init(
      id: id,
      startedAt: startedAt,
      machine: machine,
      program: nil,
      commit: commit,
      seed: seed,
      repeatCommand: repeatCommand,
      sizes: nil,
      cases: judged.values.flatMap(\.values).saturatedSum,
      seconds: seconds,
      word: failures.isEmpty ? .held : .violated,
      headline: Self.headline(failures, judged),
      failures: failures,
      judged: judged,
      errored: nil
    )
  }

  /// The run with other names of its failures, by those that they have.
  package func naming(failures names: [String: String]) -> PastRun {
    var run = self
    run.failures = failures.map { failure in
      PastFailure(
        id: names[failure.id] ?? failure.id,
        law: failure.law,
        subject: failure.subject,
        differenceKind: failure.differenceKind,
        summary: failure.summary,
        path: failure.path,
        replay: failure.replay
      )
    }
    return run
  }

  /// A run of tests together with another part of it: counts add up, and what failed in both counts once.
  package func adding(_ part: PastRun) -> PastRun {
    var sum = self
    sum.cases = cases.addingSaturated(part.cases)
    sum.seconds = max(seconds, part.seconds)
    if part.word != .held { sum.word = part.word }
    for (subject, laws) in part.judged {
      sum.judged[subject, default: [:]].merge(laws) { $0.addingSaturated($1) }
    }
    let known = Set(failures.map(\.key))
    sum.failures += part.failures.filter { !known.contains($0.key) }
    sum.headline = Self.headline(sum.failures, sum.judged)
    return sum
  }

  private static func headline(
    _ failures: [PastFailure],
    _ judged: [String: [String: Int]]
  ) -> String {
    func subjects(_ names: some Collection<String>) -> String {
      counted(Set(names).count, "tested subject")
    }
    guard failures.isEmpty else {
      let laws = counted(Set(failures.map(\.law)).count, "law")
      return "\(laws) violated on \(subjects(failures.map(\.subject)))"
    }
    return "All laws held on \(subjects(judged.keys))"
  }
}

/// A failure of a past run.
package struct PastFailure: Codable, Hashable, Sendable {
  /// What makes two failures of two runs the same.
  package struct Key: Hashable, Sendable {
    package let law: String
    package let subject: String
    package let differenceKind: String

    package init(law: String, subject: String, differenceKind: String) {
      self.law = law
      self.subject = subject
      self.differenceKind = differenceKind
    }
  }

  /// Of its case file in a corpus.
  package let id: String
  package let law: String
  package let subject: String
  package let differenceKind: String
  package let summary: String
  /// Where a test has stored its case, from where the tests were run; `nil` for those of `touchstone check`.
  package let path: String?
  /// The command by which a test judges it again.
  package let replay: String?

  package init(
    id: String,
    law: String,
    subject: String,
    differenceKind: String,
    summary: String,
    path: String? = nil,
    replay: String? = nil
  ) {
    self.id = id
    self.law = law
    self.subject = subject
    self.differenceKind = differenceKind
    self.summary = summary
    self.path = path
    self.replay = replay
  }

  package var key: Key { Key(law: law, subject: subject, differenceKind: differenceKind) }
}
