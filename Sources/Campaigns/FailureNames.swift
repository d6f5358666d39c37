import CaseFiles
import PropertyEngine
import Synchronization
import Texts

/// The names of a run's failures, which their case files have in its report and its corpus.
///
/// Guarantees, for one run:
/// - A kind of failure of a lane keeps its name, and no two have the same.
/// - No name is that of a case of the corpus which is another failure, or which did not show this one when it was
///   tried: such a case guards what was fixed, and what is found now is stored beside it.
///
/// ```text
/// engine--agreement.states--marks       the usual name, also of a case of the corpus that fails or was not tried
/// engine--agreement.states--marks-2     where that case held, or another lane has the usual name
/// ```
// A lock and no actor: workers that cannot wait call it. It guards the names that were given.
final class FailureNames: Sendable {
  private let corpus: CaseFolder?
  private let state = Mutex(State())

  private struct Owner: Hashable {
    let lane: Int
    let key: FailureKey
  }

  private struct State {
    var names: [Owner: String] = [:]
    /// Names that are not given any more.
    var taken: Set<String> = []

    mutating func give(_ name: String, to owner: Owner) -> String {
      names[owner] = name
      taken.insert(name)
      return name
    }
  }

  /// `corpus`: Where new failures are added.
  init(corpus: CaseFolder?) {
    self.corpus = corpus
  }

  /// Notes that a stored case was tried and did not show its failure.
  func noteHeld(_ file: CaseFile) {
    guard let name = file.fileName else { return }
    state.withLock { _ = $0.taken.insert(name) }
  }

  /// The failure of a lane with its name; `file` is the stored case that it is.
  func named(_ failure: Failure, inLane lane: Int, storedIn file: CaseFile? = nil) -> Failure {
    var named = failure
    named.name = state.withLock { state in
      let owner = Owner(lane: lane, key: failure.key)
      if let known = state.names[owner] { return known }
      let base = failure.usualName
      if let own = file?.fileName, Self.number(of: own, from: base) != nil,
        !state.taken.contains(own)
      {
        return state.give(own, to: owner)
      }
      let new = failure.caseFile
      let free = numberedNames(base).first { name in
        !state.taken.contains(name) && isFree(name, for: new)
      }
      return state.give(free ?? base, to: owner)
    }
    return named
  }

  /// The name of a failure without a sample, and so without a file.
  ///
  /// `subjects`: Ids of the subject and, where there is one, of the oracle.
  func name(of key: FailureKey, on subjects: [String], inLane lane: Int) -> String {
    state.withLock { state in
      let owner = Owner(lane: lane, key: key)
      if let known = state.names[owner] { return known }
      let base = Failure.slug(key, subjects.first ?? "", subjects.dropFirst().first)
      let free = numberedNames(base).first { !state.taken.contains($0) }
      return state.give(free ?? base, to: owner)
    }
  }

  /// Whether the corpus has no case of the name, or one that is the same failure as far as is known.
  private func isFree(_ name: String, for file: CaseFile) -> Bool {
    guard let corpus else { return true }
    // One that cannot be read is left as it is.
    guard let stored = try? corpus.read(name) else { return !corpus.contains(name) }
    return stored.isSameFailure(as: file)
  }

  /// The number in the name of a stored case, 1 if that is the usual one; `nil` if a person has named its file.
  static func number(of file: CaseFile) -> Int? {
    guard let name = file.fileName else { return nil }
    let key = FailureKey(law: file.law, isError: false, kind: file.kind ?? "")
    let ids = file.subjects
    return number(of: name, from: Failure.slug(key, ids.first ?? "", ids.dropFirst().first))
  }

  /// The number of a name: 1 for `base`, 2 for `base-2` and so on; `nil` for any other.
  private static func number(of name: String, from base: String) -> Int? {
    guard name.hasPrefix(base) else { return nil }
    let end = name.dropFirst(base.count)
    if end.isEmpty { return 1 }
    return end.wholeMatch(of: /-([2-9]|[1-9][0-9]{1,5})/).flatMap { Int($0.output.1) }
  }
}
