import ModelLaws
import PropertyEngine

/// A law that a model, or a type that merges, does not keep.
public struct ModelFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The law's name, such as `model.lossless`.
  public let law: String
  /// The type that was judged.
  public let model: String
  /// What differs, in one line.
  public var summary: String { text.difference?.summary ?? "" }
  /// All that a person needs: law, value, what differs, how to judge it again.
  public let description: String
  /// The case as a file that `TOUCHSTONE_REPLAY` takes.
  public let caseFile: String
  /// Where the case was stored; `nil` if it could not be.
  public var storedPath: String? { text.kept?.path }

  /// The case file's name, without its extension.
  let caseName: String
  /// The text of the failure.
  private let text: FailureText
  /// The kind of difference: what makes two failures of a law the same.
  var kind: String { text.difference?.kind ?? "" }
  /// The stored sample.
  let sample: String
  /// Bytes of the stored sample: of several failures the shortest says most.
  var size: Int { sample.utf8.count }
  /// Whether the law is one of models by themselves, without a coder.
  var isOfModel: Bool { ModelLaw.all.contains { $0.name == law } }
  /// Whether the law speaks of what the type is for, where others speak of how it works.
  var saysMost: Bool {
    isOfModel || [MergeLaw.invariant, MergeLaw.keeps].contains { $0.name == law }
  }

  /// A failure whose case is kept, or could not be; `name` is what its files are called, without extensions.
  init(_ text: FailureText, _ file: CaseFile, _ kept: FailureFolder.Kept?, name: String) {
    var text = text
    text.kept = kept
    text.commands = kept.map { [$0.command] } ?? []
    self.text = text
    law = text.law?.name ?? file.law
    model = file[.model] ?? ""
    description = text.text
    caseFile = file.render()
    caseName = name
    sample = file.sample
  }
}

extension ModelFailure {
  /// The failure as a test tells it; `cause` is another law of the same test whose bug this one may be.
  package func told(cause: String? = nil) -> TestFailure {
    var text = text
    text.cause = cause
    return TestFailure(text, name: caseName, caseFile: caseFile)
  }

  /// Whether one bug may be behind this failure and another of the same type.
  ///
  /// It may if the model breaks the other law without the coder; if the sample is the same; or if
  /// replicas do not converge, which follows from the other laws of merging, in the same steps. Two
  /// laws of merging that are broken in different steps are mostly two bugs: a tie between two replicas, and an
  /// old state that sets back one.
  func mayFollow(from other: ModelFailure) -> Bool {
    guard law != other.law else { return false }
    if other.isOfModel || sample == other.sample { return true }
    guard law == MergeLaw.converges.name, let steps = mergeStepCounts else { return false }
    return steps == other.mergeStepCounts
  }

  /// How often each replica edits and hears of each, in whatever order; `nil` for a failure without replicas.
  private var mergeStepCounts: [MergeStep: Int]? {
    text.mergeSteps.map { steps in Dictionary(steps.map { ($0, 1) }, uniquingKeysWith: +) }
  }
}

/// Laws that were broken, as an error.
public struct LawsBroken: Error, Sendable, CustomStringConvertible {
  public let failures: [ModelFailure]

  public var description: String {
    failures.map(\.description).joined(separator: "\n\n")
  }
}
