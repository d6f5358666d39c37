/// Runs laws over the cases of a seed, notes what fails, and makes it small.
///
/// This is the one loop in which laws run: in a campaign, in a test, in a self-test. Case `i` draws
/// from stream `i` of the seed, so that a case depends neither on those before it nor on the number of
/// workers, and totals add up in any order.
package struct LawRun: Sendable {
  /// Ids of the subject and, where there is one, of what it is compared with.
  package let subjects: [String]
  package let groups: [LawGroup]
  package let seed: Seed
  /// Whether case 0 is the simplest sample of all: what that shows needs no shrinking.
  package let startsSimple: Bool
  /// Seconds since some moment; the cases' times are measured with it.
  private let clock: @Sendable () -> Double

  /// Number of the next case.
  package private(set) var nextCase = 0
  package private(set) var totals = RunTotals()
  /// What stored cases came to, each by its own law; they count as no cases of the seed.
  package private(set) var storedTotals = RunTotals()
  /// Stored cases that show each failure.
  private var storedCounts: [FailureKey: Int] = [:]
  /// What failed, after shrinking; and stored cases that fail again, which need none.
  package private(set) var failures: [FailureKey: Failure] = [:]

  package init(
    _ groups: [LawGroup],
    on subjects: [String],
    seed: Seed,
    startsSimple: Bool = false,
    clock: @escaping @Sendable () -> Double = { 0 }
  ) {
    self.groups = groups
    self.subjects = subjects
    self.seed = seed
    self.startsSimple = startsSimple
    self.clock = clock
  }

  /// Leaves out the cases before a number, which another run has.
  package mutating func skip(to index: Int) { nextCase = max(nextCase, index) }

  /// The group that a case belongs to; `nil` if there is none.
  ///
  /// Groups take turns; one that costs much leaves most of its turns to those that do not. A shared
  /// group, which comes first, takes four cases in five.
  ///
  ///     case                       0 1 2   3 4 5   6 7 8   9 10 11
  ///     A, B that costs 3, C       A B C   A A C   A C C   A B  C       B is due in every third round
  ///     S that is shared, X, Y     S S S   S X S   S S S   Y S  S
  package func group(ofCase index: Int) -> LawGroup? {
    guard let first = groups.first else { return nil }
    guard first.isShared else {
      let (round, place) = index.quotientAndRemainder(dividingBy: groups.count)
      let group = groups[place]
      guard group.costs > 1 else { return group }
      let cheap = groups.filter { $0.costs == 1 }
      guard !cheap.isEmpty else { return group }
      // Each has its first turn in a round of its own, as early as can be: a short run asks them all.
      let rank = groups[..<place].count { $0.costs > 1 }
      let isDue = round >= rank && (round - rank).isMultiple(of: group.costs)
      return isDue ? group : cheap[index % cheap.count]
    }
    let others = groups.dropFirst()
    guard !others.isEmpty, index % 5 == 4 else { return first }
    return others[others.startIndex + index / 5 % others.count]
  }

  /// Of the first cases those that a shared group has; none without one.
  package static func sharedCount(ofFirst count: Int, _ groups: [LawGroup]) -> Int {
    guard let first = groups.first, first.isShared else { return 0 }
    return groups.count == 1 ? count : count - count / 5
  }

  /// The choices that a case draws from.
  package func choices(ofCase index: Int) -> Choices {
    startsSimple && index == 0
      ? Choices(replaying: []) : Choices(seed: seed.stream(UInt64(index)))
  }

  /// Draws a case and judges it; `nil` if there is no law.
  ///
  /// `choices` then holds what was drawn.
  package func judge(case index: Int, _ choices: inout Choices) -> JudgedCase? {
    guard let group = group(ofCase: index) else { return nil }
    choices = self.choices(ofCase: index)
    return group.judge(&choices, JudgingRequest(clock: clock))
  }

  // MARK: - Batches

  /// Runs `size` more cases.
  package mutating func runBatch(
    of size: Int,
    on workers: CaseWorkers = .one,
    observer: RunObserver = RunObserver()
  ) {
    let range = nextCase..<(nextCase + size)
    let sum = workers.run(self, range, observer)
    nextCase = range.upperBound
    totals.merge(sum)
    recountFailures()
  }

  private mutating func recountFailures() {
    for key in failures.keys {
      let count = caseCount(of: key)
      failures[key]?.caseCount = count
    }
  }

  /// Cases that showed a failure, drawn and stored ones.
  private func caseCount(of key: FailureKey) -> Int {
    max(1, (totals.sightings[key]?.caseCount ?? 0) + (storedCounts[key] ?? 0))
  }

  /// What the cases come to that `next` hands out.
  package func totals(
    of next: () -> Int?,
    observer: RunObserver = RunObserver()
  ) -> RunTotals {
    var totals = RunTotals()
    while let index = next(), group(ofCase: index) != nil {
      var choices = Choices(replaying: [])
      guard let judged = judge(case: index, &choices) else { break }
      add(judged, choices, caseIndex: index, to: &totals, observer: observer)
    }
    return totals
  }

  /// Adds a case that was judged to totals, and tells the observer of it.
  package func add(
    _ judged: JudgedCase,
    _ choices: Choices,
    caseIndex: Int,
    to totals: inout RunTotals,
    observer: RunObserver
  ) {
    for finding in judged.findings where observer.isNew(finding.key) {
      if let raw = raw(finding, judged, choices, caseIndex: caseIndex) { observer.onSighting(raw) }
    }
    totals.add(judged, index: caseIndex, choices: choices)
    observer.onCase()
  }

  /// Runs `size` more cases one after the other, and shrinks each new failure as it shows.
  ///
  /// With `failureLimit` failures it ends. Of several failures of one case the first is its first
  /// finding.
  package mutating func run(
    cases: Int,
    shrinkLimit: Int,
    failureLimit: Int = .max,
    shouldStop: () -> Bool = { false }
  ) {
    for _ in 0..<max(0, cases) where !shouldStop() && failures.count < failureLimit {
      let index = nextCase
      var choices = Choices(replaying: [])
      // As a batch of one, whose totals would be made and merged for each case.
      guard let judged = judge(case: index, &choices) else { break }
      nextCase += 1
      totals.add(judged, index: index, choices: choices)
      recountFailures()
      // What could not be made small before, such as a draw that throws, is not tried again.
      let new = totals.sightings.values.filter { $0.caseIndex == index }
        .sorted { $0.rank < $1.rank }
      shrink(new, failureLimit: failureLimit, stepLimit: shrinkLimit, shouldStop: shouldStop)
    }
  }

  /// Runs cases one after the other until one fails, and leaves it as it was found.
  ///
  /// - Parameters:
  ///   - isWanted: Which failures end it; any, if it is left out.
  ///   - caseLimit: The number of cases after which it ends.
  ///   - shouldStop: Asked before each case.
  /// - Returns: Whether one failed.
  @discardableResult
  package mutating func runUntilSighting(
    of isWanted: (FailureKey) -> Bool = { _ in true },
    caseLimit: Int,
    shouldStop: () -> Bool = { false }
  ) -> Bool {
    while nextCase < caseLimit, !shouldStop() {
      if totals.sightings.keys.contains(where: isWanted) { return true }
      runBatch(of: 1)
    }
    return totals.sightings.keys.contains(where: isWanted)
  }

  /// The same run with one of its laws alone; without any if it does not have it.
  package func narrowed(to law: String) -> LawRun {
    LawRun(
      groups.compactMap { $0.narrowed(to: law) },
      on: subjects,
      seed: seed,
      startsSimple: startsSimple,
      clock: clock
    )
  }

  // MARK: - Stored cases

  /// The groups that may judge a stored case: those with its form and its law.
  private func groups(judging file: CaseFile) -> [LawGroup] {
    let fitting = groups.filter { $0.formName == file.sampleFormat }
    // Whether a subject answers at all may show on any law.
    if file.law == FailureKey.answers { return fitting }
    return fitting.filter { group in group.laws.contains { $0.name == file.law } }
  }

  /// Judges a stored case: the sample in it, not what today's generator makes of its choices.
  ///
  /// - Returns: What the case came to; `nil` if the run does not have its law.
  /// - Throws: What reading the sample throws.
  package func judge(_ file: CaseFile) throws -> JudgedCase? {
    var last: JudgedCase?
    var refusal: (any Error)?
    for group in groups(judging: file) {
      let judged: JudgedCase
      do {
        judged = try group.judge(file.stored, JudgingRequest(law: file.lawToAsk))
      } catch {
        // The sample may be one of another law's: groups of one form have shapes of their own.
        guard file.law == FailureKey.answers else { throw error }
        refusal = refusal ?? error
        continue
      }
      if judged.findings.contains(where: { $0.key.law == file.law }) { return judged }
      last = last ?? judged
    }
    if last == nil, let refusal { throw refusal }
    return last
  }

  /// Judges a stored case and counts its verdict; one that still fails is a failure as it stands, already
  /// small.
  ///
  /// Of several that fail alike ``failures`` keeps the first.
  ///
  /// - Throws: What reading the sample throws; ``UnjudgedCase`` if no group of the run has the case's law and form.
  package mutating func tryStored(_ file: CaseFile) throws -> Failure? {
    guard let judged = try judge(file) else { throw UnjudgedCase(file) }
    storedTotals.addStored(judged, law: file.law)
    // A subject that no longer answers breaks more than the case's law.
    let finding =
      judged.findings.first { $0.key.law == file.law }
      ?? judged.findings.first { $0.key.law == FailureKey.answers }
    guard let finding else { return nil }
    // A subject that ends its worker even before it is asked leaves the sample as it is in the file.
    var stored = Failure(file, finding, judged.sample?.stored() ?? file.stored)
    stored = stored.with(subjects: subjects, parts: judged.sample?.partCount ?? 0)
    storedCounts[stored.key, default: 0] += 1
    stored.caseCount = caseCount(of: stored.key)
    failures[stored.key, default: stored].caseCount = stored.caseCount
    return stored
  }

  /// A failure as it was found; `nil` if no sample was drawn.
  func raw(
    _ finding: Finding,
    _ judged: JudgedCase,
    _ choices: Choices,
    caseIndex: Int
  ) -> Failure? {
    failure(
      finding,
      judged,
      caseIndex: caseIndex,
      choices: choices.recorded,
      stage: .raw,
      essentialParts: Array(repeating: true, count: judged.sample?.partCount ?? 0)
    )
  }
}

extension LawRun {
  /// Failures that were seen and not shrunk, the earliest first; those of one case in the order of its findings.
  private var unshrunk: [RunTotals.Sighting] {
    totals.sightings.values.filter { failures[$0.finding.key] == nil }
      .sorted {
        ($0.caseIndex, $0.rank, $0.finding.key) < ($1.caseIndex, $1.rank, $1.finding.key)
      }
  }

  /// Judges the failures that were only counted: each as the first case showed it, whichever worker
  /// ran that.
  package func unshrunkFailures() -> [Failure] {
    unshrunk.compactMap { sighting in
      var choices = Choices(replaying: sighting.choices.recordedValues)
      guard let judged = group(ofCase: sighting.caseIndex)?.judge(&choices) else { return nil }
      return raw(sighting.finding, judged, sighting.choices, caseIndex: sighting.caseIndex)
    }
  }

  /// Repeats each new failure and makes it small, up to a number of failures.
  ///
  /// - Parameters:
  ///   - failureLimit: Failures of the run after which no further one is made small.
  ///   - stepLimit: Candidates that shrinking one failure may try.
  ///   - shouldStop: Asked before each candidate.
  ///   - onSmaller: Gets the smallest number of choices that still fails, and the first one.
  ///   - onFailure: Gets each failure once it is small.
  package mutating func shrinkNewFailures(
    failureLimit: Int,
    stepLimit: Int,
    shouldStop: () -> Bool = { false },
    onSmaller: (_ key: FailureKey, _ count: Int, _ originalCount: Int) -> Void = { _, _, _ in },
    onFailure: (Failure) -> Void = { _ in }
  ) {
    shrink(
      unshrunk,
      failureLimit: failureLimit,
      stepLimit: stepLimit,
      shouldStop: shouldStop,
      onSmaller: onSmaller,
      onFailure: onFailure
    )
  }

  private mutating func shrink(
    _ sightings: [RunTotals.Sighting],
    failureLimit: Int,
    stepLimit: Int,
    shouldStop: () -> Bool,
    onSmaller: (_ key: FailureKey, _ count: Int, _ originalCount: Int) -> Void = { _, _, _ in },
    onFailure: (Failure) -> Void = { _ in }
  ) {
    for sighting in sightings where failures.count < failureLimit {
      let key = sighting.finding.key
      let original = sighting.choices.recorded.count
      guard let group = group(ofCase: sighting.caseIndex) else { continue }
      onSmaller(key, original, original)
      let small = shrink(
        sighting,
        of: group,
        stepLimit: stepLimit,
        shouldStop: shouldStop,
        onSmaller: { onSmaller(key, $0, original) }
      )
      guard var small else { continue }
      small.caseCount = sighting.caseCount
      failures[key] = small
      onFailure(small)
    }
  }

  /// Makes the failure of a stored case smaller, by the choices that made it.
  ///
  /// - Returns: `nil` if its choices make no sample that fails so any more.
  package func shrink(
    _ file: CaseFile,
    stepLimit: Int,
    onSmaller: (Int) -> Void
  ) -> Failure? {
    for group in groups(judging: file) {
      var choices = Choices(replaying: file.choices.map(\.value))
      let judged = group.judge(&choices, JudgingRequest(law: file.lawToAsk))
      let finding = judged.findings.first { finding in
        finding.key.law == file.law && (file.kind == nil || finding.key.kind == file.kind)
      }
      guard let finding else { continue }
      let sighting = RunTotals.Sighting(finding, caseIndex: file.caseIndex, choices: choices)
      return shrink(
        sighting,
        of: group,
        stepLimit: stepLimit,
        shouldStop: { false },
        onSmaller: onSmaller
      )
    }
    return nil
  }

  /// Makes small what a sample shows that was drawn elsewhere, by a fuzzer perhaps.
  ///
  /// - Returns: `nil` if the choices make no sample any more.
  package func shrunk(
    _ finding: Finding,
    of group: LawGroup,
    _ choices: Choices,
    stepLimit: Int,
    shouldStop: () -> Bool = { false }
  ) -> Failure? {
    let sighting = RunTotals.Sighting(finding, caseIndex: 0, choices: choices)
    return shrink(
      sighting,
      of: group,
      stepLimit: stepLimit,
      shouldStop: shouldStop,
      onSmaller: { _ in }
    )
  }

  /// Repeats a failure, and makes it small by its choices and then by its parts; `nil` if no sample is
  /// drawn any more.
  ///
  ///     1. the choices as they were found     fails otherwise or not at all: flaky, 0 steps
  ///     2. the shrinker's candidates          each judged by the wanted law alone
  ///     3. the smallest once more             fails otherwise or not at all: flaky, with its steps
  ///     4. the sample without each part       what choices cannot leave out
  ///     5. the rest without each part         which parts are essential, for the reader
  ///
  /// Only the first three draw. From the fourth on the sample may be less than what the choices make: a case
  /// file keeps both, and judges the sample.
  private func shrink(
    _ sighting: RunTotals.Sighting,
    of group: LawGroup,
    stepLimit: Int,
    shouldStop: () -> Bool,
    onSmaller: (Int) -> Void
  ) -> Failure? {
    let wanted = sighting.finding
    func attempt(_ values: [UInt32]) -> (choices: Choices, judged: JudgedCase) {
      var choices = Choices(replaying: values)
      let judged = group.judge(&choices, JudgingRequest(law: wanted.lawToAsk))
      return (choices, judged)
    }
    func flaky(_ attempt: (choices: Choices, judged: JudgedCase), steps: Int) -> Failure? {
      failure(
        wanted,
        attempt.judged,
        caseIndex: sighting.caseIndex,
        choices: attempt.choices.recorded,
        stage: .flaky(steps: steps, otherwise: attempt.judged.outcome),
        essentialParts: Array(repeating: true, count: attempt.judged.sample?.partCount ?? 0)
      )
    }

    let first = attempt(sighting.choices.recordedValues)
    guard first.judged.finding(like: wanted) != nil else { return flaky(first, steps: 0) }
    var smallest = first.choices.recorded.count
    let shrinker = Shrinker(
      failing: first.choices.recorded,
      spans: first.choices.spans,
      stepLimit: min(stepLimit, wanted.attemptLimit ?? .max)
    )
    let result = shrinker.run(
      { candidate in
        let tried = attempt(candidate)
        let fails = tried.judged.finding(like: wanted) != nil
        if fails, tried.choices.recorded.count < smallest {
          smallest = tried.choices.recorded.count
          onSmaller(smallest)
        }
        return ShrinkAttempt(tried.choices, fails: fails)
      },
      shouldStop: shouldStop
    )
    let last = attempt(result.values)
    guard last.judged.finding(like: wanted) != nil else { return flaky(last, steps: result.steps) }
    let small = withoutNeedlessParts(last.judged, wanted)
    return failure(
      small.finding(like: wanted) ?? wanted,
      small,
      caseIndex: sighting.caseIndex,
      choices: result.recorded,
      stage: .shrunk(
        steps: result.steps,
        result.ending,
        originalCount: sighting.choices.recorded.count
      ),
      essentialParts: essentialParts(small, wanted)
    )
  }

  private func failure(
    _ finding: Finding,
    _ judged: JudgedCase,
    caseIndex: Int,
    choices: [Choice],
    stage: Failure.Stage,
    essentialParts: [Bool]
  ) -> Failure? {
    judged.sample.map { sample in
      Failure(
        subjects: subjects,
        finding,
        sample.stored(),
        choices: choices,
        seed: seed,
        caseIndex: caseIndex,
        stage: stage,
        essentialParts: essentialParts
      )
    }
  }

  /// The case less every part that the failure does not need, the last parts first.
  ///
  /// A few attempts, one for each part; none where each is expensive.
  private func withoutNeedlessParts(_ judged: JudgedCase, _ wanted: Finding) -> JudgedCase {
    var best = judged
    guard !wanted.isDear, let sample = judged.sample else { return best }
    for part in (0..<sample.partCount).reversed() {
      guard let current = best.sample, part < current.partCount else { continue }
      let smaller = current.without(part, JudgingRequest(law: wanted.lawToAsk))
      guard let count = smaller.sample?.partCount, count < current.partCount,
        smaller.finding(like: wanted) != nil
      else { continue }
      best = smaller
    }
    return best
  }

  private func essentialParts(_ judged: JudgedCase, _ wanted: Finding) -> [Bool] {
    guard let sample = judged.sample else { return [] }
    let request = JudgingRequest(law: wanted.lawToAsk)
    return (0..<sample.partCount).map { part in
      wanted.isDear || sample.without(part, request).finding(like: wanted) == nil
    }
  }
}

/// No law that a run asks judges a stored case.
package struct UnjudgedCase: Error, Hashable, CustomStringConvertible {
  package let law: String
  /// The form of its sample.
  package let form: FormName

  fileprivate init(_ file: CaseFile) { (law, form) = (file.law, file.sampleFormat) }

  package var description: String { "\(law) is not asked of samples of the form \(form) here" }
}

extension Finding {
  /// Whether each attempt may take seconds: an error, or a subject that hangs.
  fileprivate var isDear: Bool { key.isError || (attemptLimit ?? .max) <= Self.dearAttemptLimit }

  private static let dearAttemptLimit = 10

  /// The law that alone matters; `nil` for a subject's own failure, which may show on any.
  fileprivate var lawToAsk: String? { key.law == FailureKey.answers ? nil : key.law }
}

extension CaseFile {
  /// The law that alone matters; `nil` for a subject's own failure.
  fileprivate var lawToAsk: String? { law == FailureKey.answers ? nil : law }
}

extension Failure {
  /// A stored failure, filed under the subjects of the run that it shows in again.
  fileprivate func with(subjects: [String], parts: Int) -> Failure {
    var failure = Failure(
      subjects: subjects,
      Finding(key: key, difference: difference),
      sample,
      choices: choices,
      seed: seed,
      caseIndex: caseIndex,
      stage: stage,
      essentialParts: Array(repeating: true, count: parts)
    )
    failure.firstSeen = firstSeen
    return failure
  }
}

/// An observer of a run's cases, which workers call from any thread.
package struct RunObserver: Sendable {
  /// Called after each case.
  package var onCase: @Sendable () -> Void
  /// Asked whether a failure is worth telling: each is found many times.
  package var isNew: @Sendable (FailureKey) -> Bool
  /// Told of a new failure the moment it is found, not shrunk.
  package var onSighting: @Sendable (Failure) -> Void

  package init(
    onCase: @escaping @Sendable () -> Void = {},
    isNew: @escaping @Sendable (FailureKey) -> Bool = { _ in false },
    onSighting: @escaping @Sendable (Failure) -> Void = { _ in }
  ) {
    self.onCase = onCase
    self.isNew = isNew
    self.onSighting = onSighting
  }
}

/// How the cases of a batch are divided among workers.
package struct CaseWorkers: Sendable {
  /// Judges the cases of a range, and adds up what they come to.
  package let run: @Sendable (LawRun, Range<Int>, RunObserver) -> RunTotals

  package init(_ run: @escaping @Sendable (LawRun, Range<Int>, RunObserver) -> RunTotals) {
    self.run = run
  }

  /// One after the other.
  package static let one = CaseWorkers { run, range, observer in
    var remaining = range
    return run.totals(of: { remaining.popFirst() }, observer: observer)
  }
}
