import ModelLaws
import PropertyEngine
import Texts

/// A broken law as a test prints it.
package struct FailureText: Hashable, Sendable {
  /// Something that was judged: a name, and lines of text.
  package struct JudgedText: Hashable, Sendable {
    let name: String
    let text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// The type that was judged.
  let model: String
  /// The coder, where it takes part.
  var coder: String?
  let law: LawStatement
  let difference: Difference
  var judgedTexts: [JudgedText] = []
  /// Whether what was judged comes before what differs, as a history does.
  var leadsWithJudgedTexts = false
  /// What a person can do.
  var advice: String?
  /// How it was found.
  var origin: String?
  /// Which replica edits and which hears of another, where replicas of a type merge.
  var mergeSteps: [MergeStep]?

  /// A broken law of steps, which come before what differs.
  static func steps(
    _ lines: [String],
    called name: String = "steps",
    of model: String,
    law: LawStatement,
    difference: Difference
  ) -> FailureText {
    FailureText(
      model: model,
      law: law,
      difference: difference,
      judgedTexts: [JudgedText(name, lines.joined(separator: "\n"))],
      leadsWithJudgedTexts: true,
      advice: law.advice
    )
  }

  /// Names what breaks which law.
  var title: String { Self.title(model, breaking: law.name, with: coder) }

  static func title(_ model: String, breaking law: String, with coder: String?) -> String {
    "\(model) breaks \(law)\(coder.map { " with \($0)" } ?? "")"
  }

  /// Says in one sentence which states are compared; `nil` where no side has a name, or one shows
  /// steps, which are shown as what was judged.
  var comparedSides: String? {
    let (expected, actual) = (difference.expectedSide, difference.actualSide)
    return actual?.state.isEmpty == true ? compared(expected?.name, with: actual?.name) : nil
  }

  /// The text, with where the case is stored and the command that judges it again.
  func text(_ kept: FailureFolder.Kept?) -> String {
    var layout = FailureLayout(
      title: title,
      law: law.text,
      difference: difference,
      sides: comparedSides
    )
    layout.judged = shown
    layout.leadsWithJudged = leadsWithJudgedTexts
    layout.advice = advice
    layout.origin = [origin].compactMap(\.self)
    layout.commands = kept?.lines ?? []
    return layout.text
  }

  private var shown: [String] {
    judgedTexts.flatMap { judged in
      let text = judged.text
      let isShort = text.utf8.count <= 88 && !text.contains("\n") && !leadsWithJudgedTexts
      return isShort ? ["\(judged.name): \(text)"] : ["\(judged.name):"] + Self.indented(text)
    }
  }

  private static func indented(_ text: String) -> [String] {
    // Lines without empty ones behind them: the texts of a case file end with a line feed.
    text.split(separator: "\n").map { "  \($0)" }
  }
}
