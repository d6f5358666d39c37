import Foundation
import FuzzSessions
import ModelGeneration
import ModelLaws
import PropertyEngine
import Texts

/// What is printed and stored if the code of a model, or of a coder, ends the process.
struct CrashReport: Sendable {
  let model: String
  /// What stands in case files in the place of a subject: a coder's id, or `drift`.
  let subject: String
  /// The version of the model that wrote the documents, where it is another.
  var writer: String?
  /// The coder, where it takes part in what is judged.
  var coder: String?
  var seed: Seed?
  /// Where cases are stored; `nil` if none is.
  let folder: FailureFolder?

  // MARK: - Files

  /// A case at which the process may end.
  func file(_ law: LawStatement, form: FormName, sample: String, choices: [Choice] = []) -> CaseFile
  {
    var file = CaseFile(
      law: law.name,
      subjects: [subject],
      kind: "trap",
      seed: seed,
      choices: choices,
      sampleFormat: form,
      sample: sample
    )
    file.set(.model, to: model)
    if let writer { file.set(.writtenBy, to: writer) }
    file.set(.shows, to: "the process ended")
    return folder?.named(file) ?? file
  }

  /// Where cases of a law are stored: where no earlier one stands.
  func url(_ law: LawStatement) -> URL? {
    folder?.unusedURL([model, law.name] + (writer.map { [$0] } ?? []) + ["trap"])
  }

  /// Where derivations are stored: where no other one stands.
  func derivationURL(
    _ law: LawStatement = ModelLaw.oldData,
    storing file: CaseFile? = nil
  ) -> URL? {
    folder?.unusedURL([model, law.name, "trap-deriving"], for: file)
  }

  /// Says before a piece of a model's code runs what it is, and leaves the case at which it may trap.
  var willTry: @Sendable (ModelAttempt) -> Void {
    guard !FuzzRequest.isFuzzing else { return { _ in } }
    let urls = Dictionary(uniqueKeysWithValues: ModelLaw.all.map { ($0.name, url($0)) })
    let form = SampleForm<Tree>.document
    return { attempt in
      if let url = urls[attempt.law.name] ?? nil {
        CrashNote.current.set(caseAt: url) {
          file(attempt.law, form: form.name, sample: form.render(attempt.document)).render()
        }
      }
      leave(
        attempt.law,
        "The process ends in the model's own code, while \(attempt.description)"
      )
    }
  }

  // MARK: - Texts

  /// Leaves a text about a law, with where the case is stored and how it is judged again.
  ///
  /// `event` is made if the process ends.
  func leave(
    _ law: LawStatement,
    _ event: @autoclosure @escaping () -> String,
    advice: String? = nil
  ) {
    leave(law.name) { [law.text, "", event(), "", advice ?? law.advice ?? ""] }
  }

  private func leave(_ law: String, _ facts: @escaping () -> [String]) {
    CrashNote.current.set { path in
      let summary = FailureText.title(model, breaking: law, with: coder)
      var lines = [summary] + facts()
      let kept = path.flatMap { folder?.kept(at: $0, "tried first from now on") }
      if let kept { lines += ["", kept.line, "replay: \(kept.command)"] }
      let text = lines.joined(separator: "\n")
      return CrashNote.Message(
        text: "\n\(text)\n\n\n",
        ending: FuzzFailureText(
          name: FailureKey(law: law, isError: true, kind: "trap"),
          summary: summary,
          text: text,
          storedPath: kept?.path,
          replay: kept?.command
        )
      )
    }
  }

  /// Leaves a text about a case of an earlier run.
  func leave(stored file: CaseFile, at path: String) {
    leave(file.law) {
      let law = (ModelLaw.all + MergeLaw.all).first { $0.name == file.law }
      let event = "The process ends while a stored case is judged: \(path)"
      return [law?.text, "", event, "", law?.advice].compactMap(\.self)
    }
  }

  /// Leaves a text about a value in the making, with the last answers that its type got.
  func leave(_ answers: DerivationAnswers) {
    leave(ModelLaw.oldData, Self.event(model, answers))
  }

  private static func event(_ model: String, _ answers: DerivationAnswers) -> String {
    let event =
      "The process ends in the code of `\(model)`, or of a type within it, while it decodes a document"
    guard answers.count > 0 else { return event + ", and it was told nothing yet" }
    var lines = answers.latest.map { "  \($0)" }
    let rest = answers.count - lines.count
    if rest > 0 { lines.insert("  (and \(counted(rest, "answer", "answers")) before)", at: 0) }
    return event + " in which\n" + lines.joined(separator: "\n")
  }
}

extension Law {
  /// The law, which leaves a case and a text before it judges.
  ///
  /// - Parameters:
  ///   - report: What leaves them.
  ///   - drawing: The law that a trap in drawing breaks: it leaves a case, too, a derivation, which is drawn again.
  ///   - choices: The choices of a sample, where no text says all of it.
  ///   - advice: What a person can do about a trap, where it is not the law's advice.
  ///   - event: What the process ends with, in a sentence; made only then.
  /// - Returns: The law with the same samples and the same verdicts.
  func reporting(
    _ report: CrashReport,
    drawing: LawStatement? = nil,
    choices: @escaping @Sendable (Sample) -> [Choice] = { _ in [] },
    advice: String? = nil,
    event: @escaping @Sendable (Sample) -> String
  ) -> Law {
    guard !FuzzRequest.isFuzzing else { return self }
    let url = report.url(statement)
    let derivationURL = drawing.flatMap { report.derivationURL($0) }
    return Law(
      statement,
      form: form,
      costs: costs,
      draw: { choices in
        let note = CrashNote.current
        note.clearCase()
        if let drawing {
          let origin = choices.origin
          if let derivationURL {
            note.set(caseAt: derivationURL) { Derivation(origin).file(report, drawing).render() }
          }
          report.leave(drawing, "The process ends while a value of `\(report.model)` is made")
        }
        return try draw(&choices)
      },
      judge: { sample in
        let choices = choices(sample)
        // Drawn again, since the code that ends the process may have changed the objects that it is made of.
        let again = {
          guard (1..<Choices.recordedLimit).contains(choices.count) else { return sample }
          var choices = Choices(replaying: choices.map(\.value))
          return (try? draw(&choices)) ?? sample
        }
        if let url {
          CrashNote.current.set(caseAt: url) {
            report.file(
              statement,
              form: form.name,
              sample: form.render(again()),
              choices: choices
            ).render()
          }
        }
        report.leave(statement, event(again()), advice: advice)
        return judge(sample)
      }
    )
  }
}

/// What a value was being derived from when the process ended: a case without a document, as there was
/// none yet.
///
/// Text forms: `plan` (the type was asked what it reads), `seed 0x2a`, `choices` (those of the case
/// file), `bytes 0a0b` (of a fuzzer, with the literals that fields could be in a line of JSON below), and of
/// earlier versions `stream 7` (of the case file's seed).
enum Derivation: Hashable {
  static let form = FormName("derivation", version: 1)

  case plan
  case seed(Seed)
  case choices([UInt32])
  case bytes([UInt8], literals: Literals)

  init(_ origin: Choices.Origin) {
    switch origin {
    case .seed(let seed): self = .seed(seed)
    case .values(let values): self = .choices(values)
    case .bytes(let bytes):
      let request = try? FuzzRequest.current.get()
      self = .bytes(bytes, literals: request?.literals ?? Literals())
    }
  }

  /// - Throws: ``JudgementError`` if the case holds no derivation.
  init(_ file: CaseFile) throws(JudgementError) {
    let words =
      file.sample.split(separator: "\n").first?.split(separator: " ").map(String.init) ?? []
    let argument = words.dropFirst().first ?? ""
    if words == ["plan"] {
      self = .plan
    } else if words.first == "bytes", let bytes = hexBytes(argument) {
      let literals = file.sample.split(separator: "\n").dropFirst().first.flatMap {
        try? JSONDecoder().decode(Literals.self, from: Data($0.utf8))
      }
      self = .bytes(bytes, literals: literals ?? Literals())
    } else if words == ["choices"] {
      self = .choices(file.choices.map(\.value))
    } else if words.first == "seed", let seed = Seed(argument) {
      self = .seed(seed)
    } else if words.first == "stream", let index = UInt64(argument), let seed = file.seed {
      self = .seed(seed.stream(index))
    } else {
      throw .unreadable(reason: "no derivation: \(file.sample)")
    }
  }

  /// The derivation as a case.
  func file(_ report: CrashReport, _ law: LawStatement = ModelLaw.oldData) -> CaseFile {
    var choices: [Choice] = []
    let text: String
    switch self {
    case .plan: text = "plan"
    case .seed(let seed): text = "seed \(seed)"
    case .bytes(let bytes, let literals):
      let list = (try? JSONEncoder().encode(literals)) ?? Data()
      text = "bytes \(hexString(bytes))\n" + String(decoding: list, as: UTF8.self)
    case .choices(let values):
      text = "choices"
      choices = values.prefix(Choices.recordedLimit).map { Choice(value: $0, limit: .max) }
    }
    return report.file(
      law,
      form: Self.form,
      sample: text + "\n",
      choices: choices
    )
  }

  /// What fields could be, besides what the type's generator makes.
  var literals: Literals {
    if case .bytes(_, let literals) = self { literals } else { Literals() }
  }

  /// What draws the value again, from a source with the same literals; `nil` of a plan, which was made again already.
  var repeatedChoices: Choices? {
    switch self {
    case .plan: nil
    case .seed(let seed): Choices(seed: seed)
    case .choices(let values): Choices(replaying: values)
    case .bytes(let bytes, _): Choices(bytes: bytes)
    }
  }
}
