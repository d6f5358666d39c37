package import PropertyEngine

/// A failure as a campaign tells of it: of a history or of a coder.
package protocol FoundFailure {
  /// The failure as a case that outlives the generators.
  var caseFile: CaseFile { get }
  /// Subject, law and kind in one word that fits a file name.
  var slug: String { get }
  /// The failure in one line.
  var headline: String { get }
  /// Whether this is all that was found of it so far.
  var isRaw: Bool { get }
  /// Whether the corpus holds it already.
  var isStored: Bool { get }
}

extension ShrunkFailure: FoundFailure {}

extension CoderFailure: FoundFailure {}

/// Words as one word that fits a file name.
func slug(_ words: String) -> String {
  String(
    words.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "-" }
  )
}

extension ShrinkResult.Ending {
  var words: String {
    switch self {
    case .finished: "nothing smaller fails"
    case .stepLimit: "the limit of attempts was reached"
    case .interrupted: "stopped early"
    }
  }
}
