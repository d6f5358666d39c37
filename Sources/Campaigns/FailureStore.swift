import CaseFiles
import Foundation
import PropertyEngine
import Synchronization
import Texts

/// Writes failures the moment they are found, so that none is lost however the run ends.
///
/// A failure is kept as it was found, and once more when it is small. The first thing that cannot be
/// written ends the keeping.
// A lock and no actor: workers that cannot wait call it. It guards the folders: one writes at a time.
final class FailureStore: Sendable {
  private let folder: CaseFolder?
  private let corpus: CaseFolder?
  private let day: String
  private let state = Mutex(State())

  private struct State {
    var failure: FileFailure?
    /// Cases that this run has put into the corpus before they were small.
    var raw: Set<String> = []
  }

  /// - Parameters:
  ///   - folder: Where the report's failures go.
  ///   - corpus: Where new failures are added.
  ///   - day: When this run began, ISO 8601.
  init(folder: CaseFolder?, corpus: CaseFolder?, day: String) {
    self.folder = folder
    self.corpus = corpus
    self.day = String(day.prefix(10))
  }

  /// Why nothing more is kept.
  var failure: FileFailure? { state.withLock { $0.failure } }

  func keep(_ found: Failure) {
    state.withLock { state in
      guard state.failure == nil else { return }
      do {
        if let folder { try folder.write(found.caseFile, name: found.slug) }
        if !found.isStored, let corpus { try add(found, to: corpus, &state) }
      } catch let failure as FileFailure {
        state.failure = failure
      } catch {
        state.failure = FileFailure("cannot write a failure", error)
      }
    }
  }

  /// Adds a failure with the day it was first seen; a case that was there before stays as it is.
  private func add(_ found: Failure, to corpus: CaseFolder, _ state: inout State) throws {
    let name = found.slug
    guard state.raw.contains(name) || !corpus.contains(name) else { return }
    if !found.isRaw, isKnown(found, in: corpus) {
      if state.raw.remove(name) != nil { try corpus.remove(name) }
      return
    }
    var file = found.caseFile
    file.set(.firstSeen, to: day)
    try corpus.write(file, name: name)
    if found.isRaw { state.raw.insert(name) }
  }

  /// Whether a failure with a number behind its name adds nothing to the cases of the names before.
  ///
  /// One of them is the same case, or is of the same failure and this one did not repeat: each run would add another.
  private func isKnown(_ found: Failure, in corpus: CaseFolder) -> Bool {
    guard found.slug != found.usualName else { return false }
    let new = found.caseFile
    return numberedNames(found.usualName).prefix { $0 != found.slug }.contains { name in
      guard let stored = try? corpus.read(name) else { return false }
      return found.otherwise == nil ? stored.isSameCase(as: new) : stored.isSameFailure(as: new)
    }
  }
}
