import Campaigns
import Foundation
import Synchronization

/// What a person sees while a command works: one live line on a terminal, else a line now and then.
// A lock and no actor: it is called from worker threads that cannot wait, and guards two flags.
final class Console: Sendable {
  private struct State {
    var lastSecond = -1.0
    var hasLiveLine = false
  }

  private let isQuiet: Bool
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let state = Mutex(State())

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
  }

  func line(_ words: String) {
    guard !isQuiet else { return }
    endProgress()
    complain(words)
  }

  func progress(_ progress: CampaignProgress) {
    guard !isQuiet else { return }
    // A terminal may be told four times a second, a log every ten seconds.
    let interval = isTerminal ? 0.25 : 10
    let words = Self.words(progress)
    state.withLock { state in
      guard progress.seconds - state.lastSecond >= interval else { return }
      state.lastSecond = progress.seconds
      if isTerminal {
        FileHandle.standardError.write(Data("\r\u{1b}[K\(words)".utf8))
        state.hasLiveLine = true
      } else {
        complain(words)
      }
    }
  }

  /// Leaves the live line, so that what follows starts on a line of its own.
  func endProgress() {
    state.withLock { state in
      guard state.hasLiveLine else { return }
      FileHandle.standardError.write(Data("\r\u{1b}[K".utf8))
      state.hasLiveLine = false
    }
  }

  private static func words(_ progress: CampaignProgress) -> String {
    let rate = progress.seconds > 0 ? Double(progress.cases) / progress.seconds : 0
    let left =
      progress.fraction > 0.01 ? progress.seconds / progress.fraction - progress.seconds : 0
    var words = "\(Int(progress.fraction * 100)) %  \(progress.cases) cases  \(Int(rate))/s"
    words += "  \(progress.subject)  \(progress.failures) failures"
    if let shrinking = progress.shrinking { words += "  shrinking \(shrinking)" }
    if left >= 1 { words += "  \(Int(left.rounded(.up))) s left" }
    return words
  }
}

/// Ctrl-C: the first asks the work to end with a complete report, the second ends the process.
enum Interruption {
  private static let requested = Atomic<Bool>(false)

  /// Whether somebody asked to end.
  static var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Takes over Ctrl-C for the rest of the process.
  static func install() {
    // The flag is touched first: a signal handler must not be the one to initialise it.
    _ = isRequested
    signal(SIGINT) { _ in
      if Interruption.requested.exchange(true, ordering: .relaxed) { _exit(130) }
    }
  }
}
