package import DocumentModel
package import Foundation
package import Histories

/// An implementation in another language, behind an adapter.
///
/// The adapter is an untrusted program. Whatever it does, a program that it is given ends with a
/// transcript or with a ``SubjectFailure`` whose kind is `start`, `protocol`, `crash`, `exit`,
/// `timeout`, `garbage`, `flood`, `memory` or `error`; after a failure the next program gets a fresh
/// process, and none is left behind.
package struct ForeignSubject: DocumentSubject {
  package let id: String
  package let version: String
  /// What the adapter states, less what its `adapter.json` takes away.
  package let capabilities: Capabilities
  package let knownDivergences: [AdapterDivergence]

  private let command: AdapterCommand
  private let introduction: LineProtocol.Introduction
  private let limits: AdapterLimits

  /// Reads the adapter's folder and starts it once, to ask what it is.
  ///
  /// A Python with the adapters' modules is looked for in the folder two above the adapter's own.
  ///
  /// `answerMilliseconds`: What one answer may take, in place of what the limits and the adapter's folder say.
  ///
  /// - Throws: ``AdapterManifestError``, or ``SubjectFailure`` if it does not start.
  package init(
    folder: URL,
    limits: AdapterLimits = AdapterLimits(),
    answerMilliseconds: Int? = nil
  ) throws {
    let manifest = try AdapterManifest(folder: folder)
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    var limits = limits.allowing(answerSeconds: manifest.answerSeconds)
    if let answerMilliseconds { limits.answerTimeoutMilliseconds = answerMilliseconds }
    do {
      command = try manifest.command(packageRoot: root, searchPath: searchPath)
      let dialogue = try Dialogue(command, adapter: manifest.id, limits: limits)
      introduction = dialogue.introduction
      dialogue.stop()
    } catch {
      throw error.subjectFailure
    }
    id = manifest.id
    version = introduction.version
    var capabilities = introduction.capabilities.subtracting(manifest.withheld)
    // What hostile peers forge is made in this process alone.
    capabilities.features.remove(.attacks)
    self.capabilities = capabilities
    knownDivergences = manifest.knownDivergences
    self.limits = limits
  }

  /// A process is started when the first program comes.
  package func session() -> any SubjectSession {
    Session(command, introduction, limits)
  }

  /// One process at a time, started when it is needed.
  private final class Session: SubjectSession {
    private let command: AdapterCommand
    private let introduction: LineProtocol.Introduction
    private let limits: AdapterLimits
    private var dialogue: Dialogue?

    init(
      _ command: AdapterCommand,
      _ introduction: LineProtocol.Introduction,
      _ limits: AdapterLimits
    ) {
      self.command = command
      self.introduction = introduction
      self.limits = limits
    }

    deinit {
      dialogue?.stop()
    }

    func run(_ program: Program) throws -> Transcript {
      do {
        return try transcript(of: program)
      } catch {
        // A process that complains in words is in order; any other is not to be trusted again.
        if case .complained = error.reason {} else { dialogue = nil }
        throw error.subjectFailure
      }
    }

    private func transcript(of program: Program) throws(AdapterFailure) -> Transcript {
      if let dialogue { return try dialogue.run(program) }
      let dialogue = try Dialogue(
        command,
        adapter: introduction.id,
        limits: limits,
        expecting: introduction
      )
      self.dialogue = dialogue
      return try dialogue.run(program)
    }
  }
}
