import Foundation
import FuzzSessions
import ModelLaws
import PastRuns
import PropertyEngine
import Texts

/// One type before its laws in a test: the cases that earlier runs stored first, then new ones.
struct Expectation {
  /// What came of it.
  struct Outcome: Sendable {
    var failures: [ModelFailure] = []
    /// What is worth knowing and no failure, such as a stored case that fits no more.
    var notes: [String] = []
    /// What a passing test leaves out, which is printed and no issue of the test.
    var remarks: [String] = []
    /// Whether anything was judged at all.
    var isJudged = false
    /// In how many cases each law was judged.
    var judged: [String: Int] = [:]

    /// The failures, once `onNote` has the notes.
    func failures(_ onNote: (String) -> Void) -> [ModelFailure] {
      for note in notes { onNote(note) }
      return failures
    }
  }

  /// The type, as messages and case files name it.
  let model: String
  /// What stands in case files in the place of a subject: a coder's id, `merge`, `drift` or `property`.
  let subject: String
  /// The version of the model that wrote the documents, where it is another.
  let writer: String?
  let settings: ResolvedSettings
  let folder: FailureFolder
  /// The runs before this one, where they are kept.
  private let earlier: RunHistory?
  private let cancellation: Cancellation

  private(set) var outcome = Outcome()

  private var shouldStop: Bool { cancellation.isRequested || settings.isOver }

  /// Runs an expectation on a thread of its own, which leaves crash notes.
  ///
  /// - Throws: ``JudgementError`` if nothing could be judged, and what `body` throws.
  static func outcome(
    of model: String,
    subject: String,
    writer: String? = nil,
    _ settings: ResolvedSettings,
    in folder: FailureFolder,
    _ body: @escaping @Sendable (inout Expectation) throws -> Void
  ) async throws -> Outcome {
    let history = TestHistory.current
    let earlier = await history?.runsBefore()
    var outcome = try await offThread { cancellation in
      try CrashNote.during {
        var expectation = Expectation(
          model: model,
          subject: subject,
          writer: writer,
          settings: settings,
          folder: folder,
          earlier: earlier,
          cancellation: cancellation
        )
        try body(&expectation)
        return expectation.outcome
      }
    }
    guard outcome.isJudged else { throw JudgementError.nothingJudged(type: model) }
    outcome.notes += KnownVariables.untoldWarnings()
    if let history {
      let part = TestHistory.Part(
        subject: historySubject(model, subject),
        seed: "\(settings.seed)",
        outcome,
        in: folder
      )
      if let reason = await history.add(part) {
        outcome.notes.append("the run of \(model) is not in the history: \(reason)")
      }
    }
    return outcome
  }

  /// What a history calls a type before its laws: `Note (automerge)`.
  private static func historySubject(_ model: String, _ subject: String) -> String {
    "\(model) (\(subject))"
  }

  var failures: [ModelFailure] { outcome.failures }

  mutating func remark(_ text: String) { outcome.remarks.append(text) }

  /// What is printed and stored if the code of the type ends the process.
  var crashReport: CrashReport {
    let request = try? FuzzRequest.current.get()
    return CrashReport(
      model: model,
      subject: subject,
      writer: writer,
      seed: settings.seed,
      folder: request?.storesCases == false ? nil : folder
    )
  }

  /// Tells what is worth knowing and no failure.
  mutating func note(_ text: String) { outcome.notes.append(text) }

  // MARK: - Stored cases

  /// Judges the cases that earlier runs stored, or the one that the environment names.
  ///
  /// `judge` says what a test prints of a case; `nil` if its law holds. It throws ``RefusedValue`` where the law holds
  /// as the value is no longer one of the model's. `repeats` says whether the sample that is judged is the one that
  /// failed: a sample of the caller's may have a random id, or the present time.
  ///
  /// - Returns: Whether new cases are wanted, too.
  /// - Throws: ``JudgementError`` if the case that the environment names cannot be read or judged;
  ///   ``UnrepeatableEdit``.
  mutating func tryStored(
    repeats: (CaseFile) -> Bool = { _ in true },
    _ judge: (CaseFile) throws -> FailureText?
  ) throws -> Bool {
    // A fuzzer asks for stages, which stored cases would end before they begin.
    if try FuzzRequest.current.get() != nil { return true }
    if let path = settings.replayPath {
      let file = try FailureFolder.readCase(at: path)
      // It may be meant for another expectation of the same test.
      outcome.isJudged = true
      if isOwn(file) {
        if let refused = try tryStored(file, path, isAlone: true, judge) {
          outcome.notes.append(
            "\(FailureFolder.short(path)) holds now: the model refuses the value (\(refused.reason))"
          )
        }
        if outcome.failures.isEmpty, outcome.notes.isEmpty, !repeats(file) {
          outcome.notes.append(
            "\(FailureFolder.short(path)) holds, but not for the sample that failed: `samples:` makes another "
              + "one now. Give it fixed ids and times."
          )
        }
      } else {
        outcome.notes.append(FailureFolder.reasonNotToJudge(model, replaying: file))
      }
      return false
    }
    let found = folder.cases { isOwn($0) }
    outcome.notes += found.unreadable
    for (url, file) in found.cases where !cancellation.isRequested {
      try tryStored(file, url.path, isAlone: false, judge)
    }
    return true
  }

  private func isOwn(_ file: CaseFile) -> Bool {
    file[.model] == model && file.subjects.first == subject && file[.writtenBy] == writer
  }

  /// `isAlone`: Whether the environment asks for this case, so that nothing else would say what it did not do.
  ///
  /// - Returns: Why the law holds, where that goes without judging the value.
  /// - Throws: ``UnrepeatableEdit``; ``JudgementError`` if the one case that is wanted cannot be judged.
  @discardableResult
  private mutating func tryStored(
    _ file: CaseFile,
    _ path: String,
    isAlone: Bool,
    _ judge: (CaseFile) throws -> FailureText?
  ) throws -> RefusedValue? {
    let short = FailureFolder.short(path)
    do {
      var refused: RefusedValue?
      let text = try CrashNote.current.holding(
        file,
        at: URL(fileURLWithPath: path)
      ) {
        crashReport.leave(stored: file, at: short)
        do {
          return try judge(file)
        } catch let error as RefusedValue {
          refused = error
          return nil
        }
      }
      outcome.isJudged = true
      outcome.judged[file.law, default: 0] += 1
      guard var text else { return refused }
      let life = earlier?.life(
        law: text.law?.name ?? file.law,
        subject: Self.historySubject(model, subject),
        differenceKind: text.difference?.kind ?? ""
      )
      if let life, text.origin.isEmpty {
        text.origin = ["it fails \(life.summary(counting: "earlier run"))"]
      }
      outcome.failures.append(folder.failure(text, file, storedAt: short))
    } catch let error as UnrepeatableEdit {
      throw error
    } catch {
      let reason =
        error is UnrepeatableSample
        ? "\(error)."
        : "\(explanation(ofCodingError: error)). It is of another test with that name, which then needs "
          + "a name of its own, or of an earlier form of the type, and can then be deleted."
      guard !isAlone else {
        throw error as? JudgementError
          ?? .notJudged(law: file.law, subject: model, reason: "\(short): \(reason)")
      }
      outcome.notes.append(
        "\(short) cannot be judged here as \(model), and is left as it is: \(reason)"
      )
    }
    return nil
  }

  // MARK: - New cases

  /// Runs the new cases of a stage, and stores what fails under a name made of parts.
  ///
  /// - Returns: What came of the new cases.
  /// - Throws: What drawing a sample throws.
  @discardableResult
  mutating func run<Sample>(
    _ stage: LawStage<Sample>,
    name: (Failure) -> [String]
  ) throws -> LawStage<Sample>.Outcome {
    if stage.isFuzzable, let request = try FuzzRequest.current.get() {
      outcome.isJudged = true
      try fuzz(stage, for: request, name: name)
      return LawStage<Sample>.Outcome()
    }
    let shouldStop = { [self] in self.shouldStop }
    let found = try stage.run(on: subject, seed: settings.seed, shouldStop: shouldStop)
    outcome.isJudged = outcome.isJudged || found.isJudged
    outcome.judged.merge(found.judged) { $0 + $1 }
    for (failure, text) in found.failures {
      var text = text
      if found.untoldCount > 0 {
        let rest = counted(found.untoldCount, "other failure is", "other failures are")
        text.origin = [(text.origin + ["\(rest) not told"]).joined(separator: "; ")]
      }
      store(failure, text, name(failure))
    }
    return found
  }

  /// Stores a failure that was found just now, under a name made of parts.
  mutating func store(_ failure: Failure, _ text: FailureText, _ parts: [String]) {
    var file = failure.caseFile
    file.set(.model, to: model)
    if let writer { file.set(.writtenBy, to: writer) }
    outcome.failures.append(folder.failure(text, file, storing: parts))
  }
}
