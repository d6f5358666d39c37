import MergeEngine
package import Texts

/// Why a document could not be opened, made or shown.
package enum InspectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Bytes that do not begin as a document does: most likely a file of another kind.
  case foreign(file: String, reason: String)
  /// Bytes that are no document; where and why.
  case damaged(file: String, offset: Int, section: [String], reason: String)
  /// A text that is no JSON, or none that can be imported exactly.
  case json(JSONError)
  /// A document is a map, so the text must be an object.
  case rootIsNoObject
  /// Objects lie in one another deeper than is followed.
  case tooDeep(limit: Int)
  /// A file whose changes contradict those of the files before it.
  case contradicting(file: String, reason: String)
  /// Digits that begin the hash of no change, or of several.
  case noChange(named: String, candidates: Int)
  /// A place at which the document holds nothing.
  case nothing(at: String)
  /// A cursor whose element is in none of the texts and lists that are shown.
  case noElement(of: String)
  /// The engine refused what was to be written.
  case refused(String)

  init(_ error: ChunkError, file: String) {
    let reason = "\(error.reason)"
    self =
      error.reason == .invalidMagic && error.offset == 0
      ? .foreign(file: file, reason: reason)
      : .damaged(file: file, offset: error.offset, section: error.section, reason: reason)
  }

  package var description: String {
    switch self {
    case .foreign(let file, let reason):
      "\(file) is not an Automerge file (\(reason)); if it is a damaged one, `touchstone doc examine` "
        + "shows what can be read"
    case .damaged(let file, let offset, let section, let reason):
      "\(file) is no sound document: \(reason) at byte \(offset) in "
        + "\(section.joined(separator: "/")); `touchstone doc examine` shows what can be read"
    case .json(let error): "\(error); fix the text, then import it again"
    case .rootIsNoObject:
      "a document is a map: the text must be an object; wrap it, as in {\"value\": ...}"
    case .tooDeep(let limit): "the document is deeper than \(limit) objects, which are followed"
    case .contradicting(let file, let reason):
      "\(file) contradicts the files before it: \(reason); two copies wrote with one actor, "
        + "so merge only one of them"
    case .noChange(let name, let candidates):
      candidates > 1
        ? "the hashes of \(candidates) changes begin with '\(name)': give more digits"
        : "the hash of no change begins with '\(name)': `touchstone doc history` lists them"
    case .nothing(let path):
      "there is nothing at \(path): write it as `touchstone doc diff` does, list[0].title, "
        + "or keys and positions between slashes, list/0/title"
    case .noElement(let cursor):
      "no text or list that is shown has the element of the cursor \(cursor): it is of another "
        + "document, of changes that are not here, or of what was deleted as a whole"
    case .refused(let reason): "the engine refused it: \(reason)"
    }
  }
}
