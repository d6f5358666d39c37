package import Foundation
package import Histories
import Texts

/// One statement that every adapter must keep, and what came of it.
package struct AdapterCheck: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case passed
    /// What was seen instead, and what the adapter's author can do.
    case failed(found: String, advice: String)
    /// Why it says nothing of this adapter.
    case skipped(String)
  }

  /// Stable and short: `handshake`.
  package let name: String
  /// The statement, which the adapter is the subject of: `introduces itself ...`.
  package let sentence: String
  package let verdict: Verdict

  package var hasFailed: Bool {
    if case .failed = verdict { true } else { false }
  }
}

/// Holds a program to the line protocol itself, before any law is tried on it.
///
/// Each check talks to a process of its own, so that what one of them breaks does not spoil the next.
/// The program is as untrusted as any adapter: every wait has an end, and nothing is left running.
package struct AdapterCheckup: Sendable {
  let command: AdapterCommand
  /// What it is called in messages: its id, or its command.
  let name: String
  /// `nil` where there is only a command.
  private let manifest: AdapterManifest?
  let limits: AdapterLimits
  /// Throws what is wrong with known divergences beyond their form: their laws are of modules above this one.
  package var checkDivergences: @Sendable ([AdapterDivergence]) throws -> Void = { _ in }

  /// An adapter as `adapter.json` in `folder` describes it; Python is looked for two folders above.
  ///
  /// - Throws: ``AdapterManifestError``, or ``SubjectFailure`` if there is no such program.
  package init(folder: URL, packageRoot: URL? = nil, limits: AdapterLimits) throws {
    // Its errors name the file as the folder was given.
    let manifest = try AdapterManifest(folder: folder)
    let folder = folder.standardizedFileURL
    let root = packageRoot ?? folder.deletingLastPathComponent().deletingLastPathComponent()
    try self.init(manifest.commandWords, folder: folder, root: root, manifest, limits)
  }

  /// A program with its arguments, run in `folder`, under which Python is looked for, too.
  ///
  /// - Throws: ``SubjectFailure`` if there is no such program.
  package init(words: [String], in folder: URL, limits: AdapterLimits) throws {
    try self.init(words, folder: folder, root: folder, nil, limits)
  }

  private init(
    _ words: [String],
    folder: URL,
    root: URL,
    _ manifest: AdapterManifest?,
    _ limits: AdapterLimits
  ) throws {
    // A script that is typed may have many lines.
    name =
      manifest?.id
      ?? VisibleText(scalarLimit: 60)(words.map(shellWord).joined(separator: " "))
    do {
      command = try AdapterCommand(
        words: words,
        folder: folder,
        packageRoot: root,
        searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        adapter: name,
        origin: manifest?.origin ?? .words
      )
    } catch {
      throw error.subjectFailure
    }
    self.manifest = manifest
    self.limits = limits
  }

  /// Makes all checks, one after the other; each is reported when it is done.
  ///
  /// Without an introduction nothing is known of what may be asked: then that check is the only one.
  ///
  /// - Throws: ``SubjectFailure`` if the program cannot be started at all.
  @discardableResult
  package func run(
    _ report: (AdapterCheck) -> Void = { _ in }
  ) throws(SubjectFailure) -> [AdapterCheck] {
    try run(AdapterProbe.all, report)
  }

  /// The same with some of the checks alone, behind the introduction.
  func run(
    _ checks: [AdapterProbe.Check],
    _ report: (AdapterCheck) -> Void = { _ in }
  ) throws(SubjectFailure) -> [AdapterCheck] {
    var done: [AdapterCheck] = []
    func note(_ check: AdapterProbe.Check, _ verdict: AdapterCheck.Verdict) {
      let result = AdapterCheck(name: check.name, sentence: check.sentence, verdict: verdict)
      done.append(result)
      report(result)
    }
    let handshake = AdapterProbe.handshake
    let introduction: LineProtocol.Introduction
    do {
      let conversation = try AdapterConversation(command, name: name, limits)
      introduction = try conversation.introduce()
      if let manifest, introduction.id != manifest.id {
        throw AdapterFlaw("it calls itself \(introduction.id), and its adapter.json \(manifest.id)")
      }
      note(handshake, .passed)
    } catch {
      let failure = error as? AdapterFailure
      if let failure, case .notStarted = failure.reason { throw failure.subjectFailure }
      let advice =
        switch failure?.reason {
        case .timedOut: AdapterProbe.adviceOnLateStarts + handshake.advice
        case .crashed, .exited: failure?.advice ?? handshake.advice
        default: handshake.advice
        }
      note(handshake, Self.verdict(error, advice))
      return done
    }
    let probe = AdapterProbe(
      command: command,
      name: name,
      limits: limits,
      introduction: introduction,
      manifest: manifest,
      checkDivergences: checkDivergences
    )
    for check in checks {
      do {
        try check.body(probe)
        note(check, .passed)
      } catch {
        let cause = (error as? AdapterFailure)?.cause ?? (error as? AdapterFlaw)?.advice
        note(check, Self.verdict(error, cause ?? check.advice))
      }
    }
    return done
  }

  private static func verdict(_ error: any Error, _ advice: String) -> AdapterCheck.Verdict {
    switch error {
    case let skip as AdapterSkip:
      return .skipped(skip.reason)
    case let failure as AdapterFailure:
      var found = "it \(failure.happening)"
      if !failure.errorLines.isEmpty {
        found += "; its standard error ends: " + failure.errorLines.joined(separator: " / ")
      }
      return .failed(found: found, advice: advice)
    case let slowness as AdapterSlowness:
      return verdict(slowness.failure, advice)
    case let flaw as AdapterFlaw:
      return .failed(found: flaw.found, advice: advice)
    default:
      return .failed(found: "\(error)", advice: advice)
    }
  }
}

/// What was seen where something else was due.
struct AdapterFlaw: Error, CustomStringConvertible {
  let found: String
  /// What its author can do, where it is not what the check says.
  let advice: String?

  var description: String { "the adapter: \(found)" }

  init(_ found: String, advice: String? = nil) {
    self.found = found
    self.advice = advice
  }
}

/// Work that an adapter did not do in time, and that has a reason of its own: what the check advises
/// is better than what is said of a silent program.
struct AdapterSlowness: Error {
  let failure: AdapterFailure
}

/// A check that says nothing of an adapter.
struct AdapterSkip: Error {
  let reason: String
}
