import Campaigns
import Foundation
import Programs
import Reporting
import Synchronization
import SystemCalls
import Texts

/// What a person sees while a command works: a live view on a terminal, else a line now and then.
// A lock and no actor: it is called from worker threads that cannot wait, and guards what stands on
// the terminal.
final class Console: Sendable {
  private struct State {
    var lastSecond = -1.0
    /// Lines of the live view that stand on the terminal, the cursor below them.
    var liveLineCount = 0
    /// When the last step was told, in seconds since the system's start.
    var lastStepSecond: Double?
  }

  /// Between two lines of a log.
  private static let logInterval = 10.0

  private let isQuiet: Bool
  private let isTerminal: Bool
  private let state = Mutex(State())

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    // A terminal that cannot move its cursor is treated as a file.
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
    isTerminal = isatty(STDERR_FILENO) == 1 && kind != "dumb" && !kind.isEmpty
  }

  func line(_ words: String) {
    if !isQuiet { notice(words) }
  }

  /// A line that is shown even where the command is quiet.
  func notice(_ words: String) {
    state.withLock { state in
      let text = Self.erasing(state.liveLineCount) + Output.visible(words) + "\n"
      state.liveLineCount = 0
      // What is erased here is drawn again by the next progress.
      if isTerminal { state.lastSecond = -1 }
      Output.complain(text)
    }
  }

  /// How far a work came: each step on a terminal; in a log, where a line that is not the last says little, one every
  /// ten seconds.
  func step(_ words: String) {
    guard !isTerminal else { return line(words) }
    let now = ProcessInfo.processInfo.systemUptime
    let isDue = state.withLock { state in
      let last = state.lastStepSecond ?? now
      let isDue = now - last >= Self.logInterval
      state.lastStepSecond = isDue ? now : last
      return isDue
    }
    if isDue { line(words) }
  }

  func progress(_ progress: CampaignProgress) {
    guard !isQuiet else { return }
    // A terminal gets a line as often as there is news.
    let interval = isTerminal ? 0.1 : Self.logInterval
    state.withLock { state in
      guard progress.seconds - state.lastSecond >= interval else { return }
      let isFirst = state.lastSecond < 0
      state.lastSecond = progress.seconds
      guard isTerminal else {
        // Before there is something to tell, a log says nothing.
        if !isFirst || progress.seconds >= interval { complain(LiveView(progress).line) }
        return
      }
      let lines = LiveView(progress).lines(columns: Self.columns)
      let text = Self.erasing(state.liveLineCount) + lines.map { "\($0)\n" }.joined()
      state.liveLineCount = lines.count
      Output.complain(text)
    }
  }

  /// Takes the live view away, so that what follows starts on a line of its own.
  func endProgress() {
    state.withLock { state in
      guard state.liveLineCount > 0 else { return }
      Output.complain(Self.erasing(state.liveLineCount))
      state.liveLineCount = 0
    }
  }

  /// Moves the cursor up over `count` lines, and clears all from there.
  private static func erasing(_ count: Int) -> String {
    count > 0 ? "\u{1b}[\(count)A\r\u{1b}[J" : ""
  }

  /// The width of the terminal that standard error is.
  private static var columns: Int { Descriptor.standardError.terminalWidth ?? 80 }
}

/// Ctrl-C: the first asks the work to end with a complete report, the second ends the process.
///
/// The first is acknowledged by a line on standard error. What is at work has a second to come to its end; then
/// adapters, workers and other programs that are waited for are ended, and what they were asked is not judged.
///
/// What ends a job politely, as a build server does, counts as well. Workers are left alone: each leads a
/// process group of its own, which a terminal's Ctrl-C does not reach.
///
/// A reader of standard output that has ended, such as `head -1`, asks to end as well: SIGPIPE would say so at the
/// next write only, which may be an hour away.
///
/// What it earns: the report. Without it a signal ends the process at once, failures that are not shrunk yet stand as
/// they were found, and there is no `report.json`. What holds it: `ReportFolderTests`, "Ctrl-C at any moment
/// ends a run with a complete report" and "A second Ctrl-C ends the process at once"; `InterruptionTests`, "A run whose output has no
/// reader any more ends soon, and says on standard error how far it came" and "An adapter that never answers keeps no run from
/// ending".
enum Interruption {
  /// The signal that asked to end, or SIGPIPE for a reader that has ended; 0 if nothing did.
  private static let signalNumber = Atomic<Int32>(0)
  /// Whether standard output is watched: it leads to a reader, and signals are taken over.
  private static let watchesReader = Atomic<Bool>(false)
  /// Whether nothing is waited for any more.
  private static let hasAbandoned = Atomic<Bool>(false)
  /// The end of a pipe that the handler of a signal writes to; -1 as long as there is none.
  private static let bell = Atomic<CInt>(-1)

  /// What an interrupted command does, and what a second signal costs, in the words of the line that says so.
  struct Promise {
    /// What may go on for a moment: `the cases at work`.
    var work = "what is at work"
    /// What follows: `what was judged is reported`.
    var result = "what was judged is reported"
    /// What a second signal costs: `nothing is reported then`; `nil` if nothing.
    var loss: String? = "nothing is reported then"

    /// The line for a signal.
    func line(for signal: CInt) -> String {
      let again = signal == SIGINT ? "a second Ctrl-C" : "a second signal"
      return "touchstone: interrupted: \(work) may go on for a second, then \(result); "
        + "\(again) ends at once" + (loss.map { ": \($0)" } ?? "")
    }
  }

  /// Seconds that what is at work gets to come to its end.
  private static let graceSeconds = 1.0

  /// Whether the user, or the system, asked to end.
  ///
  /// May be asked in the middle of the work: it costs a call of the system at most.
  static var isRequested: Bool {
    if signalNumber.load(ordering: .relaxed) != 0 { return true }
    guard watchesReader.load(ordering: .relaxed), Descriptor.standardOutput.hasLostReader else {
      return false
    }
    // A signal that came meanwhile is the one that counts.
    _ = signalNumber.compareExchange(expected: 0, desired: SIGPIPE, ordering: .relaxed)
    return true
  }

  /// Whether what asked to end was a reader of standard output that has ended.
  static var isOfReader: Bool { signalNumber.load(ordering: .relaxed) == SIGPIPE }

  /// The status to exit with after an interruption: 130 for Ctrl-C, 143 for SIGTERM, and 2, as for all output
  /// that is lost, without a reader; `nil` without an interruption.
  static var exitStatus: Int32? {
    switch signalNumber.load(ordering: .relaxed) {
    case 0: nil
    case SIGPIPE: 2
    case let number: 128 + number
    }
  }

  /// How far the work came that was asked to end, such as `interrupted after 2 of 5 worlds`; `nil` without an
  /// interruption.
  static func ending(
    after done: Int,
    of total: Int,
    _ noun: String,
    _ plural: String? = nil
  ) -> String? {
    guard isRequested else { return nil }
    let words = "\(grouped(done)) of \(counted(total, noun, plural))"
    return Report.Reason.interruption(after: words).text
  }

  /// Prints the ending of ``ending(after:of:_:_:)``; on standard error where standard output has no reader, or holds
  /// JSON, which has no place for it.
  static func tell(_ ending: String, besideJSON isJSON: Bool = false) {
    if isJSON || isOfReader { complain("touchstone: \(ending)") } else { print(ending) }
  }

  /// Whether the moment is over that an interruption leaves to what is at work: nothing that is asked gets an
  /// answer any more.
  static var isAbandoned: Bool { hasAbandoned.load(ordering: .relaxed) }

  /// Takes over Ctrl-C and SIGTERM for the rest of the process, and watches whether standard output has a reader.
  ///
  /// - Parameters:
  ///   - promise: What the first of them is answered with; `nil` for a process whose parent does that, and ends it.
  ///   - console: Where it is; `nil` for standard error.
  static func install(_ promise: Promise? = Promise(), console: Console? = nil) {
    // The flags are touched first: a signal handler must not be the one to initialise them.
    _ = (isRequested, isAbandoned)
    watchesReader.store(Descriptor.standardOutput.isPipe, ordering: .relaxed)
    if let promise { startAnswering(promise, console) }
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        // The second request ends the process at once.
        let earlier = Interruption.signalNumber.exchange(number, ordering: .relaxed)
        if earlier != 0 { _exit(128 + number) }
        Descriptor(Interruption.bell.load(ordering: .relaxed)).ring()
      }
    }
    // A program that starts this from a thread that takes no signals hands that on to it.
    Signals.letThrough([SIGINT, SIGTERM])
  }

  /// Starts the thread that answers a request, which the handler of a signal cannot do itself.
  private static func startAnswering(_ promise: Promise, _ console: Console?) {
    let pipe = Pipe()
    let ends = [pipe.fileHandleForReading, pipe.fileHandleForWriting].map { Descriptor($0) }
    for end in ends { end.keepFromPrograms() }
    // A bell that is full must not hold up the thread that a signal has interrupted.
    ends[1].stopWaiting()
    bell.store(ends[1].number, ordering: .relaxed)
    Thread.detachNewThread {
      // The pipe is kept for as long as the thread lives, which is as long as the process.
      defer { withExtendedLifetime(pipe) {} }
      waitForRequest(ringing: ends[0])
      answer(promise, console)
    }
  }

  /// Waits until an end was asked for.
  private static func waitForRequest(ringing bell: Descriptor) {
    while signalNumber.load(ordering: .relaxed) == 0 {
      // Of a reader that has ended no signal tells. One that ends behind the last line may have had what it wants.
      if !Output.hasBegun, isRequested { return }
      let milliseconds = watchesReader.load(ordering: .relaxed) ? 200 : -1
      _ = Descriptor.wait(for: [(bell, .toRead)], milliseconds: milliseconds)
    }
  }

  /// Acknowledges the request, and ends what is still waited for a moment later.
  private static func answer(_ promise: Promise, _ console: Console?) {
    let number = signalNumber.load(ordering: .relaxed)
    // Without a reader, what was lost is said at the end.
    if number != SIGPIPE {
      let line = promise.line(for: number)
      if let console { console.notice(line) } else { complain(line) }
    }
    Thread.sleep(forTimeInterval: graceSeconds)
    hasAbandoned.store(true, ordering: .relaxed)
    // One that was just being started is ended by the next round.
    while true {
      LivingProcesses.endAll()
      Thread.sleep(forTimeInterval: 0.1)
    }
  }
}
