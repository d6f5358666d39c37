package import Histories
package import PropertyEngine
import Texts

/// An input of a fuzz target, read and judged.
///
/// Where the bytes are choices, as ``PropertyEngine/Choices/init(bytes:)`` reads them, every input is
/// a valid one: the first choice says by which group of laws it is judged, the others make the
/// group's sample, and zeros at the end say nothing.
package struct FuzzInput {
  package let subject: FuzzSubject
  /// The laws by which the input is judged.
  package let group: LawGroup
  /// All that was drawn, the first choice among them; nothing if the input is a file.
  package let choices: Choices
  /// What came of it.
  package let judged: JudgedCase
  private let file: [UInt8]?
  let request: JudgingRequest

  /// Reads a fuzzer's bytes.
  package init(
    bytes: [UInt8],
    on subject: FuzzSubject,
    _ request: JudgingRequest = JudgingRequest()
  ) {
    switch subject.target.reading {
    case .choices: self.init(drawing: Choices(bytes: bytes), on: subject, request)
    case .boundary(let boundary):
      let group = LawGroup.judging(bytes, at: boundary)
      self.init(Choices(replaying: []), group, on: subject, file: bytes, request)
    }
  }

  /// Draws the first choice and a sample from any source; at a boundary, bytes made of its seeds.
  package init(
    drawing choices: Choices,
    on subject: FuzzSubject,
    _ request: JudgingRequest = JudgingRequest()
  ) {
    var choices = choices
    switch subject.target.reading {
    case .choices(let pick, _):
      let group = pick(&choices, subject.groups)
      self.init(choices, group, on: subject, request)
    case .boundary(let boundary):
      let bytes = boundary.derived(from: subject.seeds, &choices)
      let group = LawGroup.judging(bytes, at: boundary)
      self.init(choices, group, on: subject, file: bytes, request)
    }
  }

  private init(
    _ choices: Choices,
    _ group: LawGroup,
    on subject: FuzzSubject,
    file: [UInt8]? = nil,
    _ request: JudgingRequest
  ) {
    var choices = choices
    judged = group.judge(&choices, request)
    self.choices = choices
    self.group = group
    self.subject = subject
    self.file = file
    self.request = request
  }

  /// Id of the subject that was judged.
  package var subjectID: String { subject.id }

  /// The bytes that make this input: none are fewer.
  package var bytes: [UInt8] { file ?? choices.spelledBytes }

  /// The first law that the subject breaks, or its own failure; `nil` if all laws hold.
  package var finding: Finding? { judged.findings.first }

  /// Whether the input got past the entrance of its boundary; one of choices does if a law says something of
  /// its sample.
  var isPastEntrance: Bool {
    if let entrance = subject.target.boundary?.entrance { return entrance.isPassed(file ?? []) }
    return judged.sample != nil && judged.isJudged
  }

  /// The history that was judged; `nil` if the sample is of another kind.
  package var history: NormalisedHistory? { judged.sample?.value as? NormalisedHistory }

  /// The same input, judged if it was only drawn.
  func judgedAgain() -> FuzzInput {
    FuzzInput(drawing: Choices(replaying: choices.recordedValues), on: subject)
  }

  /// The smallest input found that shows a finding of this one, and the finding there.
  ///
  /// Cost: at most `stepLimit` inputs are judged.
  package func smallest(
    showing finding: Finding,
    stepLimit: Int = 4_000
  ) -> (input: FuzzInput, finding: Finding) {
    let small = shrunk(stepLimit: stepLimit) { $0.judged.finding(like: finding) != nil }
    return (small, small.judged.finding(like: finding) ?? finding)
  }

  /// A finding as a case file, which outlives the generators; `nil` if there is no sample, or if it is bytes,
  /// which stand for themselves.
  package func caseFile(_ finding: Finding) -> CaseFile? {
    guard subject.target.readsChoices else { return nil }
    return judged.sample.map { sample in
      Failure(
        subjects: subject.ids,
        finding,
        sample.stored(),
        // The first chose the laws, which the case names.
        choices: Array(choices.recorded.dropFirst()),
        seed: nil,
        caseIndex: 0,
        stage: .stored(isRaw: false)
      ).caseFile
    }
  }

  /// What a person needs to know of a finding: law, difference, sample, how to go on.
  ///
  /// The file is where the input is stored; `nil` if the fuzzer is about to write it.
  package func explanation(of finding: Finding, file: String?) -> String {
    let words = "--target \(subject.target.id) --subject \(subjectID) \(shellWord(file ?? "FILE"))"
    let law = group.laws.first { $0.name == finding.key.law }
    var lines = [
      "violated: \(finding.key.law) on \(subjectID)",
      "  \(law?.text ?? "The subject answers.")",
    ]
    lines += "\(finding.difference)".split(separator: "\n").map { "  \($0)" }
    lines += (judged.sample?.stored().lines ?? []).map { "  | \($0)" }
    lines.append("replay: touchstone replay \(words)")
    let smaller = subject.target.readsChoices ? "smaller.case" : "smaller.bin"
    lines.append("shrink: touchstone shrink \(words) --output \(smaller)")
    if file == nil { lines.append("FILE is what the fuzzer says it writes, below.") }
    return lines.joined(separator: "\n") + "\n"
  }
}
