package import CodingLaws
package import PropertyEngine

/// What a target of coders makes of its input: a law, and a sample of it.
///
/// The bytes are choices, as ``PropertyEngine/Choices/init(bytes:)`` reads them; every input is a
/// valid one, but for what a law says nothing of. The first chooses the law of the target, the next
/// ones the model, and the others the values, the document's content and what is asked of the coder.
package struct CodingInput: Sendable {
  package let choices: Choices
  package let law: CodingLaw
  /// Nil where nothing can be drawn.
  package let sample: CodingSample?
  private let target: CoderFuzzTarget

  /// Reads a fuzzer's bytes.
  package init(bytes: [UInt8], _ target: CoderFuzzTarget, _ subject: CoderFuzzSubject) {
    self.init(drawing: Choices(bytes: bytes), target, subject)
  }

  /// Draws the law and its sample from any source.
  package init(
    drawing choices: Choices,
    _ target: CoderFuzzTarget,
    _ subject: CoderFuzzSubject
  ) {
    var choices = choices
    law = choices.element(of: target.laws)
    sample = try? law.sample(on: subject.shelf, &choices)
    self.choices = choices
    self.target = target
  }

  /// The bytes that make this input: none are fewer.
  package var bytes: [UInt8] { choices.spelledBytes }

  /// The verdict of the input's law.
  package func verdict(on subject: CoderFuzzSubject) -> Verdict {
    guard let sample else { return .skipped("no sample was drawn") }
    return law.verdict(on: sample, subject: subject.subject, shelf: subject.shelf)
  }

  /// Where the subject breaks the law; nil if it does not.
  package func finding(on subject: CoderFuzzSubject) -> FuzzFinding? {
    switch verdict(on: subject) {
    case .violated(let difference): FuzzFinding(law: law.name, difference: difference)
    case .errored(let words):
      FuzzFinding(
        law: FuzzFinding.answers,
        difference: Difference(kind: "failure", summary: words)
      )
    case .held, .known, .skipped: nil
    }
  }

  /// What a person needs to know of a finding: law, difference, sample, how to replay.
  package func words(
    for finding: FuzzFinding,
    on subject: CoderFuzzSubject,
    file: String?
  ) -> String {
    let path = file ?? "FILE"
    var lines = ["violated: \(finding.law) on \(subject.id)"]
    lines += "\(finding.difference)".split(separator: "\n").map { "  \($0)" }
    lines += (sample?.text ?? "").split(separator: "\n").map { "  | \($0)" }
    let ours = CoderFuzzSubject.ours.id
    let choice = subject.id == ours ? "" : " --subject \(subject.id)"
    lines.append("replay: touchstone replay --target \(target.rawValue)\(choice) \(path)")
    if file == nil { lines.append("FILE is what the fuzzer says it writes, below.") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The smallest input that keeps a property of this one, by the choices behind it.
  package func shrunk(
    on subject: CoderFuzzSubject,
    stepLimit: Int,
    keeping holds: (CodingInput) -> Bool
  ) -> CodingInput {
    var shrinker = Shrinker(
      failing: choices.recorded,
      spans: choices.spans,
      stepLimit: stepLimit
    )
    let result = shrinker.run { candidate in
      let input = CodingInput(drawing: Choices(replaying: candidate), target, subject)
      return ShrinkAttempt(input.choices, fails: holds(input))
    }
    return CodingInput(drawing: Choices(replaying: result.values), target, subject)
  }

  /// The input as a case file, which outlives the generators.
  package func caseFile(_ finding: FuzzFinding, on subject: CoderFuzzSubject) -> CaseFile {
    var file = CaseFile(
      law: law.name,
      subjects: [subject.id],
      kind: finding.difference.kind,
      seed: nil,
      // The first chose the law, which the case names.
      choices: Array(choices.recorded.dropFirst()),
      sampleFormat: CodingSample.formName,
      sample: sample?.text ?? ""
    )
    file.set("shows", to: finding.difference.summary)
    if let expected = finding.difference.expected { file.set("expected", to: expected) }
    if let actual = finding.difference.actual { file.set("actual", to: actual) }
    return file
  }
}
