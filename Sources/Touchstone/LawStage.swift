import ModelLaws
import PropertyEngine
import Texts

/// Laws on samples of one kind: how many cases they run, and how a test reports one that is broken.
struct LawStage<Sample>: Sendable {
  /// In which order the laws take their cases.
  enum Order: Sendable {
    /// All cases of a law come before those of the next; a law ends at its first failure.
    case lawByLaw
    /// The same, and the first failure of a law ends the stage.
    case untilFailure
    /// Each case asks the next law, round and round; each kind of failure is reported once.
    case together
  }

  /// What came of the new cases.
  struct Outcome {
    var failures: [(Failure, FailureText)] = []
    /// Failures that are only counted.
    var untoldCount = 0
    /// Whether any law was judged on any sample.
    var isJudged: Bool { judgedCount > 0 }
    /// In how many cases each law was judged.
    var judged: [String: Int] = [:]
    /// Cases of laws that were judged, and cases that a law skipped.
    var judgedCount = 0
    var skippedCount = 0
    /// Why cases were skipped, in alphabetical order.
    var skipReasons: [String] = []
    var coverage = Coverage()
  }

  /// What a fuzzer calls it, beside others of the same subject.
  let name: String
  let laws: [Law<Sample>]
  let order: Order
  /// Cases of each law, or of all laws together; a law that `costs` more takes a part, and two at
  /// least.
  let cases: Int
  /// Whether the first case of all is the simplest sample.
  let startsSimple: Bool
  /// Candidates that shrinking one failure may try.
  let shrinkLimit: Int
  /// How a failure is worded, but for its origin.
  let text: @Sendable (LawStatement, Difference, Sample) -> FailureText
  /// How a failure was found.
  let origin: @Sendable (Failure) -> String

  /// Maximum number of reported failures.
  ///
  /// A law that runs alone has at most one; laws that run together may have many kinds.
  private var toldLimit: Int { order == .together ? 5 : .max }

  func has(_ law: String) -> Bool { laws.contains { $0.name == law } }

  /// Whether its samples are drawn: a stage of one fixed sample has nothing to choose.
  var isFuzzable: Bool { cases > 1 && !laws.isEmpty }

  // MARK: - Stored cases

  /// Judges the sample of a stored case.
  ///
  /// - Returns: What a test says of it; `nil` if its law holds, or is none of the stage's.
  /// - Throws: What reading the sample throws.
  func judge(_ file: CaseFile) throws -> FailureText? {
    guard let law = laws.first(where: { $0.name == file.law }) else { return nil }
    guard let sample = try sample(file, law) else { return nil }
    return Finding(law: law.name, law.verdict(of: sample)).map {
      text(law.statement, $0.difference, sample)
    }
  }

  /// Whether the choices of a case make the very sample that it was stored with.
  ///
  /// - Returns: Also true where there are no choices, or the law is none of the stage's.
  func repeats(_ file: CaseFile) -> Bool {
    guard !file.choices.isEmpty, let law = laws.first(where: { $0.name == file.law }) else {
      return true
    }
    return (try? drawn(file, law)) != nil
  }

  /// What the choices of a case make, if that has the case's text.
  ///
  /// - Throws: ``UnrepeatableEdit``, and ``UnrepeatableSample`` if the choices make something else each time.
  private func drawn(_ file: CaseFile, _ law: Law<Sample>) throws -> Sample? {
    func draw() throws -> Sample? {
      var choices = Choices(replaying: file.choices.map(\.value))
      do {
        return try law.draw(&choices)
      } catch let error as UnrepeatableEdit {
        throw error
      } catch {
        return nil
      }
    }
    guard let drawn = try draw() else { return nil }
    let text = law.form.render(drawn)
    if text == file.sample { return drawn }
    guard let again = try draw(), law.form.render(again) != text else { return nil }
    throw UnrepeatableSample()
  }

  /// The sample of a case: what its choices make, if that has the case's text, or what the text says.
  ///
  /// A text may hold less than the sample, as the document of a value that a generator made; the
  /// choices make the very sample, for as long as its source is the same.
  ///
  /// - Returns: `nil` for what was being drawn when the process ended, and is no sample by now.
  private func sample(_ file: CaseFile, _ law: Law<Sample>) throws -> Sample? {
    if file.sampleFormat == Derivation.form {
      guard var choices = try Derivation(file).repeatedChoices else { return nil }
      do {
        return try law.draw(&choices)
      } catch is Skipped {
        return nil
      }
    }
    if file.sampleFormat == law.form.name, !file.choices.isEmpty,
      let drawn = try drawn(file, law)
    {
      return drawn
    }
    return try law.form.sample(of: file)
  }

  // MARK: - New cases

  /// Runs new cases.
  ///
  /// - Throws: What drawing a sample throws, where one law alone runs: there is nothing to go on with.
  func run(on subject: String, seed: Seed, shouldStop: () -> Bool) throws -> Outcome {
    var outcome = Outcome()
    for laws in order == .together ? [laws] : laws.map({ [$0] }) {
      if order == .untilFailure, !outcome.failures.isEmpty { break }
      var run = LawRun(
        laws.map { LawGroup($0, costs: 1) },
        on: [subject],
        seed: seed,
        startsSimple: startsSimple
      )
      let costs = laws.map(\.costs).max() ?? 1
      run.run(
        cases: costs == 1 ? cases : max(2, cases / costs),
        shrinkLimit: shrinkLimit,
        failureLimit: order == .together ? .max : 1,
        shouldStop: shouldStop
      )
      if order != .together, let (_, error) = run.totals.drawError { throw error }
      for (law, totals) in run.totals.laws {
        let withVerdict = totals.held + totals.violated + totals.known
        if withVerdict > 0 { outcome.judged[law, default: 0] += withVerdict }
        outcome.judgedCount += withVerdict + totals.errored
        outcome.skippedCount += totals.skipped
        outcome.skipReasons = (outcome.skipReasons + totals.skipReasons).sorted()
      }
      outcome.coverage.merge(run.totals.coverage)
      outcome.failures += run.failures.values
        .sorted { ($0.caseIndex, $0.key) < ($1.caseIndex, $1.key) }
        .compactMap { failure in text(failure, laws).map { (failure, $0) } }
    }
    outcome.untoldCount = max(0, outcome.failures.count - toldLimit)
    outcome.failures = Array(outcome.failures.prefix(toldLimit))
    return outcome
  }

  /// What a test says of a failure; `nil` if the law is none of these.
  func text(_ failure: Failure, _ laws: [Law<Sample>]) -> FailureText? {
    guard let law = laws.first(where: { $0.name == failure.key.law }) else { return nil }
    let sample = (try? sample(failure.caseFile, law)) ?? nil
    // What does not repeat may leave no more than its text.
    var told =
      sample.map { text(law.statement, failure.difference, $0) }
      ?? FailureText(
        model: failure.subject,
        law: law.statement,
        difference: failure.difference,
        judgedTexts: [FailureText.JudgedText("sample", failure.sample.text)],
        advice: law.statement.advice
      )
    told.origin = [origin(failure) + (failure.otherwise == nil ? "" : "; it did not repeat")]
    return told
  }
}

/// A stored case whose choices make another sample each time that they are drawn.
struct UnrepeatableSample: Error, Hashable, CustomStringConvertible {
  var description: String {
    "its choices make another sample each time: what makes it uses random numbers, ids, times or orders of sets that "
      + "are not drawn from its source"
  }
}

extension Failure {
  /// Which case of a seed found it.
  func origin(_ seed: Seed) -> String { "found by case \(caseIndex) of seed \(seed)" }

  /// The same, with how long it took to make it small.
  func shrunkOrigin(_ seed: Seed) -> String {
    "\(origin(seed)), shrunk in \(counted(shrinkSteps, "attempt"))"
  }
}
