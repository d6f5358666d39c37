import ModelLaws
package import PropertyEngine
import Texts

/// A failure as a test tells it, whatever was judged: as an issue, or as a ``FailurePage``.
package struct FailureText: Hashable, Sendable {
  /// Something that was judged: a name, and lines of text.
  package struct JudgedText: Hashable, Sendable {
    let name: String
    let text: String
    /// The lines of an issue, where they are others than the text below its name.
    var lines: [String]?

    package init(_ name: String, _ text: String, lines: [String]? = nil) {
      self.name = name
      self.text = text
      self.lines = lines
    }
  }

  /// Names what breaks which law.
  let title: String
  /// The law; `nil` where none is broken.
  let law: LawStatement?
  /// `nil` where what was judged says what differs.
  let difference: Difference?
  /// Says in one sentence which states are compared; `nil` where no side has a name, or one shows
  /// steps, which are shown as what was judged.
  let comparedSides: String?
  let judgedTexts: [JudgedText]
  /// Whether what was judged comes before what differs, as a history does.
  private(set) var leadsWithJudgedTexts = false
  /// What a person can do.
  package var advice: String?
  /// How it was found, line by line.
  package var origin: [String] = []
  /// Where the case is stored.
  package var kept: FailureFolder.Kept?
  /// What judges the case again: the test's command first, then the program's.
  ///
  /// They are printed as they are, for a shell takes them as they stand.
  package var commands: [String] = []
  /// The law whose bug this one may be.
  var cause: String?
  /// Which replica edits and which hears of another, where replicas of a type merge.
  var mergeSteps: [MergeStep]?

  package init(
    title: String,
    law: LawStatement? = nil,
    difference: Difference? = nil,
    comparedSides: String? = nil,
    judgedTexts: [JudgedText]
  ) {
    self.title = title
    self.law = law
    self.difference = difference
    self.comparedSides = comparedSides
    self.judgedTexts = judgedTexts
  }

  /// A law that a type breaks, with the coder where it takes part.
  init(
    model: String,
    coder: String? = nil,
    law: LawStatement,
    difference: Difference,
    judgedTexts: [JudgedText],
    advice: String? = nil
  ) {
    let (expected, actual) = (difference.expectedSide, difference.actualSide)
    self.init(
      title: Self.title(model, breaking: law.name, with: coder),
      law: law,
      difference: difference,
      // A side that shows steps is shown as what was judged.
      comparedSides: actual?.state.isEmpty == true
        ? compared(expected?.name, with: actual?.name) : nil,
      judgedTexts: judgedTexts
    )
    self.advice = advice
  }

  /// A broken law of steps, which come before what differs.
  static func steps(
    _ lines: [String],
    called name: String = "steps",
    of model: String,
    law: LawStatement,
    difference: Difference
  ) -> FailureText {
    var text = FailureText(
      model: model,
      law: law,
      difference: difference,
      judgedTexts: [JudgedText(name, lines.joined(separator: "\n"))],
      advice: law.advice
    )
    text.leadsWithJudgedTexts = true
    return text
  }

  static func title(_ model: String, breaking law: String, with coder: String?) -> String {
    "\(model) breaks \(law)\(coder.map { " with \($0)" } ?? "")"
  }

  /// The words of an issue.
  package var text: String {
    let parts = leadsWithJudgedTexts ? [judged, differing] : [differing, judged]
    var lines = [title, law?.text].compactMap(\.self)
    lines += parts.filter { !$0.isEmpty }.flatMap { [""] + $0 }
    if let advice { lines += [""] + advice.split(separator: "\n").map(String.init) }
    if !origin.isEmpty || !commands.isEmpty { lines.append("") }
    let visible = VisibleText()
    lines = (lines + origin).map { visible($0) }
    if let kept { lines.append(kept.line) }
    lines += zip(["replay: ", "or:     "], commands).map { $0 + $1 }
    if let cause { lines += ["", "It may be the bug that breaks \(cause), above."] }
    return lines.joined(separator: "\n")
  }

  private var differing: [String] {
    guard let difference else { return [] }
    let shown = expectedAndFound(
      difference.expected,
      difference.actual,
      labels: difference.labels
    )
    return [difference.summary] + (shown + [comparedSides].compactMap(\.self)).map { "  \($0)" }
  }

  private var judged: [String] {
    judgedTexts.flatMap { judged in
      let text = judged.text
      if let lines = judged.lines { return lines }
      let isShort = text.utf8.count <= 88 && !text.contains("\n") && !leadsWithJudgedTexts
      return isShort ? ["\(judged.name): \(text)"] : ["\(judged.name):"] + Self.indented(text)
    }
  }

  private static func indented(_ text: String) -> [String] {
    // Lines without empty ones behind them: the texts of a case file end with a line feed.
    text.split(separator: "\n").map { "  \($0)" }
  }
}

/// The steps of a failure, as a person reads them.
func numberedSteps(_ lines: [String]) -> [String] {
  lines.enumerated().map { "\($0.offset + 1). \($0.element)" }
}
