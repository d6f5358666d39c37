import Campaigns
import CodingLaws
import Foundation
import ModelGeneration
import ModelLaws
import PropertyEngine
import Reporting

/// One model before one coder: stored cases first, then the model by itself, then the coder's laws.
struct ModelExpectation<Value: Codable & SendableMetatype> {
  /// Failures that are told at most; the rest is counted.
  private static var toldLimit: Int { 5 }
  /// The form in which samples of laws of models are stored.
  static var sampleFormat: String { "model 1" }
  /// What a coder must do before any of its laws is worth asking.
  static var acceptance: String { "coder.accepts" }

  let source: ModelSource<Value>
  let coder: CodingSubject
  let tolerance: Tolerance
  let settings: ResolvedSettings
  let folder: FailureFolder
  let cancellation: Cancellation

  private var shouldStop: Bool { cancellation.isRequested || settings.isOver }

  /// What came of it, with notes on stored cases that say nothing any more.
  struct Outcome: Sendable {
    var failures: [ModelFailure] = []
    var notes: [String] = []
    /// Whether anything was judged at all.
    var isJudged = false
  }

  func run() throws -> Outcome {
    try CrashNote.during { note in
      var outcome = Outcome()
      let judge = Judge(self, note)
      if let path = settings.replayPath {
        try judge.replay(path, &outcome)
        return outcome
      }
      judge.stored(&outcome)
      let broken = Set(outcome.failures.map(\.law))
      // A model that breaks a law of its own breaks those of coders as well, and so does one that a
      // coder does not take.
      let first = ModelLaw.all.map(\.name) + [Self.acceptance]
      guard broken.isDisjoint(with: first) else { return outcome }
      guard try judge.model(&outcome) else { return outcome }
      try judge.coding(&outcome, without: broken)
      return outcome
    }
  }

  // MARK: - Judging

  /// The steps of an expectation, which share a way to say what is being run.
  private struct Judge {
    let expectation: ModelExpectation
    let note: CrashNote.Note
    let run: ModelRun<Value>

    init(_ expectation: ModelExpectation, _ note: CrashNote.Note) {
      self.expectation = expectation
      self.note = note
      let telling = Telling()
      var judge = ModelJudge<Value>(tolerance: expectation.tolerance)
      judge.willTry = { words in
        guard let law = telling.law else { return }
        note.set(words: expectation.lastWords(law, words))
      }
      var run = ModelRun(expectation.source, judge, seed: expectation.settings.seed)
      run.willJudge = { law, sample in
        telling.law = law
        note.set(
          file: expectation.lastCase(law, sample).render(),
          at: expectation.lastURL(law.name)
        )
      }
      run.willDraw = { origin in
        note.set(
          file: expectation.lastCase(origin).render(),
          at: expectation.derivationURL
        )
      }
      self.run = run
    }

    /// What is being judged.
    private final class Telling {
      var law: ModelLaw?
    }

    var model: String { expectation.source.name }

    // MARK: Stored cases

    func stored(_ outcome: inout Outcome) {
      let found = expectation.folder.cases(of: model, subject: expectation.coder.id)
      outcome.notes += found.unreadable
      for (url, file) in found.cases where !expectation.shouldStop {
        judge(file, FailureFolder.short(url.path), &outcome)
      }
    }

    /// Judges the case at a path, if it is one of this model's.
    func replay(_ path: String, _ outcome: inout Outcome) throws {
      let file = try FailureFolder.readCase(at: path)
      // Another expectation of the same test may be meant.
      outcome.isJudged = true
      guard file["model"] == model, file.subjects.first == expectation.coder.id else { return }
      judge(file, path, &outcome)
    }

    private func judge(_ file: CaseFile, _ path: String, _ outcome: inout Outcome) {
      do {
        let words: FailureWords?
        if let law = ModelLaw.all.first(where: { $0.name == file.law }) {
          words = try judge(law, file)
        } else if file.law == ModelExpectation.acceptance {
          let sample = try ModelSample<Value>(document: Tree(text: file.sample))
          words = try expectation.refusal(of: sample.value, origin: nil)
        } else {
          words = try judgeCoding(file)
        }
        outcome.isJudged = true
        guard let words else { return }
        outcome.failures.append(expectation.folder.failure(words, file, storedAt: path))
      } catch {
        outcome.notes.append(
          "\(path) says nothing of \(model) any more, and can be deleted: "
            + ModelJudge<Value>.words(error)
        )
      }
    }

    private func judge(_ law: ModelLaw, _ file: CaseFile) throws -> FailureWords? {
      if file.sampleFormat == LastWords.derivationFormat {
        note.set(file: file.render(), at: expectation.derivationURL)
        try expectation.derive(file)
        return nil
      }
      let document = try Tree(text: file.sample)
      note.set(words: expectation.lastWords(law, "decoding \(document)"))
      note.set(file: file.render(), at: expectation.lastURL(law.name))
      // The choices make the very value where the source is the same, of a generator above all.
      let values = file.choices.map(\.value)
      var choices = Choices(replaying: values)
      let drawn = values.isEmpty ? nil : try? expectation.source.draw(&choices)
      let sample =
        try drawn.flatMap { $0.document == document ? $0 : nil } ?? ModelSample(document: document)
      let verdict = run.judged(law, sample)
      guard verdict.isFailure else { return nil }
      return expectation.words(law, verdict, sample, origin: nil)
    }

    private func judgeCoding(_ file: CaseFile) throws -> FailureWords? {
      let sample = try CodingSample(text: file.sample)
      for tree in sample.values { _ = try TreeDecoder().decode(Value.self, from: tree) }
      let looked = try ModelTraits(expectation.source)
      let shelf = ModelShelf([Model(expectation.source, traits: looked.traits)])
      let verdict = try CodingRun(
        expectation.coder.subject,
        on: shelf,
        laws: CodingLaw.all.map { expectation.telling($0, looked) },
        seed: 0
      ).replay(file)
      guard verdict.isFailure else { return nil }
      let law = CodingLaw.all.first { $0.name == file.law }
      return expectation.words(file.law, law?.sentence ?? "", verdict, sample, origin: nil)
    }

    // MARK: New cases

    /// Holds the model to its own laws; false if it breaks one.
    func model(_ outcome: inout Outcome) throws -> Bool {
      let cases = max(1, expectation.settings.cases / 6)
      let found = try run.run(ModelLaw.all, cases: cases, shouldStop: { expectation.shouldStop })
      if found.heldCount > 0 || found.failure != nil { outcome.isJudged = true }
      guard let failure = found.failure else { return true }
      let origin =
        "found by case \(failure.caseIndex) of seed \(expectation.settings.seed); "
        + "\(counted(failure.foundWith, "choice", "choices")) shrunk to \(failure.shrunk.values.count)"
      var file = CaseFile(
        law: failure.law.name,
        subjects: [expectation.coder.id],
        kind: failure.verdict.kind,
        seed: expectation.settings.seed,
        choices: failure.shrunk.recorded,
        sampleFormat: ModelExpectation.sampleFormat,
        sample: failure.sample.document.text + "\n"
      )
      let words = expectation.words(failure.law, failure.verdict, failure.sample, origin: origin)
      file.set("model", to: model)
      file.set("case", to: "\(failure.caseIndex)")
      file.set("shows", to: words.summary)
      outcome.failures.append(expectation.failure(words, file))
      return false
    }

    /// Holds the coder to its laws on the model.
    func coding(_ outcome: inout Outcome, without broken: Set<String>) throws {
      let subject = expectation.coder.subject
      note.clearFile()
      note.set(
        words: expectation.lastWords(.oldData, "decoding documents in which one value is another")
      )
      let looked = try ModelTraits(expectation.source)
      var traits = looked.traits
      note.set(
        words: "\n\(model): the process ends while \(subject.id) encodes its simplest value\n\n"
      )
      if let refusal = try expectation.refusalOfSimplest() {
        outcome.isJudged = true
        outcome.failures.append(refusal)
        return
      }
      // What a coder takes anywhere counts as usual for it.
      if subject.features.contains(.anyRoot) { traits.insert(.keyedRoot) }
      if !subject.features.contains(.refusesIntegerKeys) { traits.remove(.integerKeys) }
      let model = Model(expectation.source, traits: traits)
      let laws = CodingLaw.all.filter { law in
        law.models(model) && law.reasonToSkip(subject) == nil && !broken.contains(law.name)
      }.map { expectation.telling($0, looked) }
      let run = CodingRun(
        subject,
        on: ModelShelf([model]),
        laws: laws,
        seed: expectation.settings.seed
      )
      note.set(words: "\nThe process ends while laws of coders are judged on \(model.name)\n")
      note.clearFile()
      let found = run.run(
        cases: expectation.settings.cases,
        shouldStop: { expectation.shouldStop }
      )
      if found.totals.values.contains(where: { $0.held + $0.violated + $0.errored > 0 }) {
        outcome.isJudged = true
      }
      for failure in found.failures.prefix(ModelExpectation.toldLimit) {
        let law = laws.first { $0.name == failure.law }
        var origin =
          "found by case \(failure.caseIndex) of seed \(failure.seed); "
          + "\(counted(failure.caseCount, "case shows", "cases show")) the same"
        let rest = found.failures.count - ModelExpectation.toldLimit
        if rest > 0 {
          origin += "; \(counted(rest, "other failure is", "other failures are")) not told"
        }
        let words = expectation.words(
          failure.law,
          law?.sentence ?? "",
          failure.verdict,
          failure.sample,
          origin: origin
        )
        var file = failure.caseFile
        file.set("model", to: model.name)
        outcome.failures.append(expectation.failure(words, file))
      }
    }
  }
}

extension Verdict {
  var isFailure: Bool {
    switch self {
    case .violated, .errored: true
    case .held, .known, .skipped: false
    }
  }

  /// The class of a failure.
  var kind: String {
    switch self {
    case .violated(let difference), .known(let difference, _): difference.kind
    case .errored, .held, .skipped: word
    }
  }
}
