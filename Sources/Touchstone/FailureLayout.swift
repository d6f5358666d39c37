package import PropertyEngine
import Texts

/// A failure as a test prints it, whatever was judged.
package struct FailureLayout {
  /// Names what breaks which law.
  private let title: String
  /// What the law promises.
  private let law: String?
  private let difference: Difference
  /// Says in one sentence which states are compared.
  private let sides: String?
  /// What was judged, line by line.
  package var judged: [String] = []
  /// Whether what was judged comes before what differs, as steps do.
  package var leadsWithJudged = false
  /// What a person can do.
  package var advice: String?
  /// How it was found, line by line.
  package var origin: [String] = []
  /// Where its case is, and what judges it again.
  ///
  /// They are printed as they are, for a shell takes them as they stand.
  package var commands: [String] = []

  package init(title: String, law: String?, difference: Difference, sides: String?) {
    self.title = title
    self.law = law
    self.difference = difference
    self.sides = sides
  }

  package var text: String {
    let parts = leadsWithJudged ? [judged, differing] : [differing, judged]
    var lines = [title, law].compactMap(\.self)
    lines += parts.filter { !$0.isEmpty }.flatMap { [""] + $0 }
    if let advice { lines += ["", advice] }
    if !origin.isEmpty || !commands.isEmpty { lines.append("") }
    let visible = VisibleText()
    return ((lines + origin).map { visible($0) } + commands).joined(separator: "\n")
  }

  private var differing: [String] {
    let shown = expectedAndFound(difference.expected, difference.actual)
    return [difference.summary] + (shown + [sides].compactMap(\.self)).map { "  \($0)" }
  }
}
