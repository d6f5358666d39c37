import PropertyEngine
import Reporting

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

  /// The file's name.
  let caseName: String
}

/// Laws that were broken, as an error.
public struct LawsBroken: Error, Sendable, CustomStringConvertible {
  public let failures: [ModelFailure]

  public var description: String {
    failures.map(\.description).joined(separator: "\n\n")
  }
}

/// What goes into a failure, and how it is worded.
struct FailureWords {
  let model: String
  /// The coder, where it takes part and is not the usual one.
  var coder: String?
  let law: String
  let sentence: String
  let verdict: Verdict
  /// What was judged: a name, and lines of text.
  var exhibits: [(name: String, text: String)] = []
  /// Whether what was judged is told before what differs, as a history is.
  var leadsWithExhibits = false
  var advice: String?
  /// How it was found.
  var origin: String?

  var summary: String {
    switch verdict {
    case .violated(let difference), .known(let difference, _): difference.summary
    case .errored(let text): text
    case .held, .skipped: verdict.word
    }
  }

  func text(stored: String?, replay: String?) -> String {
    let head = ["\(model) breaks \(law)\(coder.map { " with \($0)" } ?? "")", sentence]
    let parts = leadsWithExhibits ? [shown, differing] : [differing, shown]
    var lines = head + parts.filter { !$0.isEmpty }.flatMap { [""] + $0 }
    if let advice { lines += ["", advice] }
    if origin != nil || stored != nil || replay != nil { lines.append("") }
    if let origin { lines.append(origin) }
    if let stored { lines.append("stored: \(stored)") }
    if let replay { lines.append("replay: \(replay)") }
    let visible = VisibleText()
    return lines.map { visible($0) }.joined(separator: "\n")
  }

  private var differing: [String] {
    var lines = [summary]
    if case .violated(let difference) = verdict {
      if let expected = difference.expected { lines.append("  expected: \(expected)") }
      if let actual = difference.actual { lines.append("  found:    \(actual)") }
    }
    return lines
  }

  private var shown: [String] {
    exhibits.flatMap { name, text in
      let isShort = text.utf8.count <= 88 && !text.contains("\n") && !leadsWithExhibits
      return isShort ? ["\(name): \(text)"] : ["\(name):"] + Self.indented(text)
    }
  }

  private static func indented(_ text: String) -> [String] {
    // Lines and no blanks behind them: a case file's texts end with a line feed.
    text.split(separator: "\n").map { "  \($0)" }
  }
}
