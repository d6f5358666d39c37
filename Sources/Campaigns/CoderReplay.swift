package import CodingLaws
import FuzzEntryPoints
package import PropertyEngine

/// Judges stored cases of coders: the sample in the case, not what today's generators would make of
/// its choices.
package struct CoderReplay {
  /// What came of judging a case again.
  package struct Outcome {
    package let law: String
    package let subject: String
    package let verdict: Verdict
    /// Nil where the choices draw none.
    package let sample: CodingSample?
  }

  private let lanes: [CoderLane]

  /// Lanes for the coders that cases may name.
  package init(lanes: [CoderLane]) {
    self.lanes = lanes
  }

  /// The verdict of the case's law on its subject.
  package func run(_ file: CaseFile) throws -> Outcome {
    let lane = try lane(for: file)
    let sample = try CodingSample(file)
    guard lane.laws.contains(where: { $0.name == file.law }) else {
      throw Replay.Failure(
        description: "there is no law \(file.law); `touchstone list laws` names them all"
      )
    }
    let reason = lane.inapplicable.first { $0.law == file.law }?.reason
    let verdict = try reason.map { .skipped($0) } ?? lane.run(seed: 0).replay(file)
    return Outcome(law: file.law, subject: lane.subject.id, verdict: verdict, sample: sample)
  }

  /// The verdict on an input of a fuzz target of coders; nil if the target is none of those.
  package static func run(
    _ bytes: [UInt8],
    of target: FuzzTarget,
    on id: String?
  ) throws -> Outcome? {
    guard let target = CoderFuzzTarget(rawValue: target.rawValue) else { return nil }
    let subject = try CoderFuzzSubject(id: id)
    let input = CodingInput(bytes: bytes, target, subject)
    return Outcome(
      law: input.law.name,
      subject: subject.id,
      verdict: input.verdict(on: subject),
      sample: input.sample
    )
  }

  /// Shrinks the case's sample further, by the choices that made it; nil if they make none that
  /// fails any more.
  package func shrink(
    _ file: CaseFile,
    stepLimit: Int,
    onSmaller: (Int) -> Void
  ) throws -> CoderFailure? {
    let lane = try lane(for: file)
    guard !file.choices.isEmpty else {
      throw Replay.Failure(description: "the case has no choices")
    }
    let run = lane.run(seed: file.seed ?? Seed(value: 0))
    let choices = Choices(replaying: file.choices.map(\.value))
    let index = file["case"].flatMap { Int($0) } ?? 0
    guard let found = run.judge(law: file.law, choices, index: index), let key = FailureKey(found),
      file.kind == nil || key.kind == file.kind
    else { return nil }
    return run.shrink(found, stepLimit: stepLimit, onSmaller: onSmaller)
      .map { CoderFailure($0, key) }
  }

  private func lane(for file: CaseFile) throws -> CoderLane {
    guard let id = file.subjects.first else {
      throw Replay.Failure(description: "the case names no subject")
    }
    guard let lane = lanes.first(where: { $0.subject.id == id }) else {
      throw Replay.Failure(
        description: "\(id) is no coder that is set up; `touchstone list subjects`"
      )
    }
    return lane
  }
}
