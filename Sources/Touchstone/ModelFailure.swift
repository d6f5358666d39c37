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

  /// The file's name, without its extension.
  let caseName: String
  /// The kind of difference: what makes two failures of a law the same.
  let kind: String
  /// Bytes of the stored sample: of several failures the shortest says most.
  let size: Int
  /// Whether the law is one of models by themselves, without a coder.
  var isOfModel: Bool { ModelLaw.all.contains { $0.name == law } }

  init(_ text: FailureText, _ file: CaseFile, name: String, path: String?, _ description: String) {
    law = text.law.name
    model = text.model
    summary = text.difference.summary
    self.description = description
    caseFile = file.render()
    storedPath = path
    caseName = name
    kind = text.difference.kind
    size = file.sample.utf8.count
  }
}

/// Laws that were broken, as an error.
public struct LawsBroken: Error, Sendable, CustomStringConvertible {
  public let failures: [ModelFailure]

  public var description: String {
    failures.map(\.description).joined(separator: "\n\n")
  }
}
