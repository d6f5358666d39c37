import ModelLaws
import PropertyEngine

/// A law that a model, or a type that merges, does not keep.
public struct ModelFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The law's name, such as `model.lossless`.
  public let law: String
  /// The type that was judged.
  public let model: String
  /// What differs, in one line.
  public let summary: String
  /// All that a person needs: law, value, what differs, how to judge it again.
  public let description: String
  /// The case as a file that `TOUCHSTONE_REPLAY` takes.
  public let caseFile: String
  /// Where the case was stored; nil if it could not be.
  public let storedPath: String?

  /// The case file's name, without its extension.
  let caseName: String
  /// The failure as a page.
  let page: FailurePage
  /// The kind of difference: what makes two failures of a law the same.
  let kind: String
  /// The stored sample.
  let sample: String
  /// Bytes of the stored sample: of several failures the shortest says most.
  var size: Int { sample.utf8.count }
  /// Whether the law is one of models by themselves, without a coder.
  var isOfModel: Bool { ModelLaw.all.contains { $0.name == law } }

  /// A failure whose case is kept, or could not be; `name` is what its files are called, without extensions.
  init(_ text: FailureText, _ file: CaseFile, _ kept: FailureFolder.Kept?, name: String) {
    law = text.law.name
    model = text.model
    summary = text.difference.summary
    description = text.text(kept)
    caseFile = file.render()
    storedPath = kept?.path
    caseName = name
    page = FailurePage(text: text, kept: kept)
    kind = text.difference.kind
    sample = file.sample
  }
}

extension ModelFailure {
  /// What a failing test attaches: the case file, and beside it the failure as a page.
  ///
  /// - Parameter cause: Another law of the same test whose bug this one may be.
  /// - Returns: Names and texts. The names end in `.case` and `.html`, by which results choose what opens them.
  package func attachments(cause: String? = nil) -> [(name: String, text: String)] {
    [("\(caseName).case", caseFile), ("\(caseName).html", page.html(cause: cause))]
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
    guard law == MergeLaw.converges.name, MergeLaw.all.contains(where: { $0.name == other.law })
    else { return false }
    return Self.steps(sample) == Self.steps(other.sample)
  }

  /// Who edits and who hears of whom in a history, without what is written and in which order.
  private static func steps(_ history: String) -> [Substring] {
    history.split(separator: "\n").map { line in line.prefix { $0 != ":" } }.sorted()
  }
}

/// Laws that were broken, as an error.
public struct LawsBroken: Error, Sendable, CustomStringConvertible {
  public let failures: [ModelFailure]

  public var description: String {
    failures.map(\.description).joined(separator: "\n\n")
  }
}
