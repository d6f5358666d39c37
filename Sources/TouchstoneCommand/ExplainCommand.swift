import ArgumentParser
import Campaigns
import Foundation
import Histories
import Mutants
import PropertyEngine
import Texts

/// `touchstone explain`: all that is known here of one law, mutant or waypoint.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Says what a law demands, what a mutant does wrong, or what a waypoint is.",
    discussion: "`touchstone list laws`, `list mutants` and `list waypoints` name them."
  )

  @Argument(help: "The name of a law, the id of a mutant, or the name of a waypoint.")
  var name: String

  @Flag(help: "Print a JSON object instead of words.")
  var json = false

  func run() throws {
    let id = MutantID(subjectID: name)?.description ?? name
    guard let explanation = Explanation(of: id) else {
      let guess = suggestion(for: id, among: Explanation.names)
      let lists =
        " `touchstone list laws`, `list mutants` and `list waypoints` name them; Documentation/Laws.md "
        + "has the laws of models and merge types, too."
      throw ValidationError(
        "There is no law, mutant or waypoint '\(name)'." + (guess.isEmpty ? lists : guess)
      )
    }
    if json { try printJSON(explanation) } else { Output.write(explanation.text) }
  }
}

/// What is known of a law, mutant or waypoint, or of a word that runs print.
struct Explanation: Encodable, Equatable {
  enum Kind: String, Encodable {
    case law, mutant, waypoint, term
  }

  let kind: Kind
  let name: String
  /// What a law promises, in a few words.
  var title: String?
  let sentence: String
  /// Where a law's sentence comes from.
  var source: String?
  /// What a person can do about a violation.
  var advice: String?
  /// The function that asks it in a test, for a law that `check` does not ask.
  var askedBy: String?
  /// Bugs that a law catches when no other is asked; laws that a mutant is there for, none if any law may catch it.
  var related: [String] = []
  /// A command that shows it at work.
  let command: String

  /// Everything that can be explained.
  static var names: [String] {
    Array(Catalogue.lawNames) + Catalogue.others.map(\.law.name) + TestLaws.names
      + SubjectRegistry.mutants.map(\.id.description) + deadlyMutants.map(\.id.description)
      + sourcePatches.map(\.id) + Waypoint.documentNames + [canary]
  }

  /// The word for the mutant of each run.
  private static let canary = "canary"

  /// What to do about a violated law of subjects, where the law knows nothing better.
  private static func usualAdvice(on law: String) -> String {
    Catalogue.documents.laws.contains { $0.name == law }
      ? "`touchstone show FILE` draws the history of the failure's case file, and `touchstone replay FILE` judges it "
        + "again: begin at the first state that differs."
      : "`touchstone show FILE` prints the sample of the failure's case file, and `touchstone replay FILE` judges it "
        + "again."
  }

  /// `nil` if nothing has this name.
  init?(of name: String) {
    self.name = name
    let other = Catalogue.others.first { $0.law.name == name }
    if let law = other?.law ?? Catalogue.law(name) {
      kind = .law
      title = law.title
      sentence = law.sentence
      source = law.source.description
      advice = law.advice ?? Self.usualAdvice(on: name)
      related = Catalogue.bugs(caughtBy: name).map(\.id)
      command = other?.command ?? "touchstone check --law \(name)"
    } else if let (law, asking) = TestLaws.law(name) {
      kind = .law
      title = law.title
      sentence = law.sentence
      source = law.source.description
      advice = law.advice
      askedBy = asking
      command = "swift test"
    } else if let mutant = SubjectRegistry.mutants.first(where: { $0.id == MutantID(name) }) {
      kind = .mutant
      sentence = mutant.subject.explanation
      related = mutant.laws
      command =
        mutant.laws.isEmpty
        ? "touchstone selftest --mutant \(name)"
        : "touchstone check --subject \(mutant.id.subjectID)"
    } else if let mutant = deadlyMutants.first(where: { $0.id == MutantID(name) }) {
      kind = .mutant
      sentence = mutant.sentence
      related = [Catalogue.answers.name]
      command = "touchstone check --subject \(mutant.id.subjectID)"
    } else if let patch = sourcePatches.first(where: { $0.id == name }) {
      kind = .mutant
      sentence = patch.sentence
      source = patch.file
      related = [patch.law]
      command = "touchstone selftest --target \(patch.target.rawValue) --mutant \(name)"
    } else if let waypoint = Waypoint.documents.first(where: { $0.name == name }) {
      kind = .waypoint
      sentence = waypoint.sentence
      command = "touchstone check --require \(name)"
    } else if name == Self.canary {
      kind = .term
      sentence =
        "A wrong specification that each run of `check` has to catch, shrink and replay beside what it judges: a run in "
        + "which it escapes fails, since one that finds nothing would prove nothing. All laws of documents judge it, "
        + "those too that were skipped or not asked in the run."
      related = ["\(Canary.mutant)"]
      command = "touchstone explain \(Canary.mutant)"
    } else {
      return nil
    }
  }

  /// In words, one fact a paragraph.
  var text: String {
    var lines = ["\(kind.rawValue) \(name)"]
    if let title, title != sentence { lines.append(title) }
    lines.append(sentence)
    if let source { lines.append("\(kind == .law ? "Source" : "In"): \(source)") }
    if let advice { lines.append("If it is violated: \(advice)") }
    if !related.isEmpty {
      let label =
        switch kind {
        case .law: "Catches alone"
        case .term: "It is the mutant"
        case .mutant, .waypoint: "Caught by"
        }
      lines.append("\(label): \(Set(related).sorted().joined(separator: ", "))")
    } else if kind == .mutant {
      lines.append(
        "Caught by: any law may catch it. The command below says which one does, and in how many cases."
      )
    }
    if let askedBy {
      lines.append(
        "Asked of your own types, in `swift test`, by `\(askedBy)`; not by `touchstone check`."
      )
    }
    if name.hasPrefix("golden.") {
      lines.append(
        "It judges the golden files of a clone of Touchstone, where the command has to run."
      )
    }
    lines.append("Try: \(command)")
    return lines.joined(separator: "\n\n") + "\n"
  }
}
