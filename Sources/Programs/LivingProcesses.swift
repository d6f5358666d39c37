package import Foundation
import Synchronization
import SystemCalls

#if os(Linux) || os(macOS)
/// The process groups that this process has started and not yet seen the end of.
///
/// None outlives this process, whichever way it ends. When it exits, it kills them itself. When it is
/// killed, it can do nothing: then a *guard* does, a shell that reads which groups there are and
/// learns from the end of its input that no process is left to write it. The guard has a group of its own
/// and minds no signal of a terminal.
///
/// The process ignores SIGPIPE as soon as there is a guard: else an adapter that ends while a line is written to
/// it would end the run, and not only its session.
///
/// What holds both: `HostileAdapterTests`, "Each way to fail has its kind and words, leaves no process, and the
/// next program is answered", and four tests in which this process exits, is killed, interrupted or trapped.
///
/// A lock guards the state, and not an actor, because the exit handler cannot wait for one.
package enum LivingProcesses {
  fileprivate struct State {
    var groups: Set<pid_t> = []
    var startCount = 0
    /// The guard's input; kept open for as long as this process lives.
    var guardInput: FileHandle?
  }

  private static let state = Mutex(State())

  /// Evaluated once, as all static properties are.
  private static let killsAtExit: Void = {
    // A write to a process that is gone must be an error, not the end of ours.
    _ = signal(SIGPIPE, SIG_IGN)
    state.withLock { $0.guardInput = startGuard() }
    atexit { LivingProcesses.killAll() }
  }()

  /// Starts a program in a group of its own, which does not outlive this process; ``remove(_:)`` is to follow its
  /// end.
  ///
  /// A thread of a pool takes no signals, and what it starts inherits that: neither Ctrl-C nor SIGTERM nor the
  /// program's own alarm would reach it. So the thread takes them for the time of the start.
  package static func start(_ process: Process) throws {
    _ = killsAtExit
    try Signals.lettingAllThrough { try process.run() }
    add(process.processIdentifier)
  }

  /// To be called before an adapter is started; how its processes will be known.
  package static func prepare() -> MarkedProcesses {
    _ = killsAtExit
    let number = state.withLock { state in
      state.startCount += 1
      return state.startCount
    }
    return MarkedProcesses(number: number)
  }

  private static func add(_ group: pid_t) {
    state.withLock { state in
      state.groups.insert(group)
      state.tell("add \(group)")
    }
  }

  package static func remove(_ group: pid_t) {
    state.withLock { state in
      state.groups.remove(group)
      state.tell("remove \(group)")
    }
  }

  /// Kills all programs that run, for a run that was interrupted: each is waited for, and cleared away, by its
  /// caller, who finds it ended.
  package static func endAll() {
    for group in state.withLock({ $0.groups }) { kill(-group, SIGKILL) }
  }

  static func killAll() {
    let hadAny = state.withLock { state in
      for group in state.groups { kill(-group, SIGKILL) }
      defer { state.groups.removeAll() }
      return state.startCount > 0
    }
    if hadAny { MarkedProcesses.killAllMarked() }
  }

  /// Reads `add GROUP` and `remove GROUP` until its input ends, then kills the groups that are left,
  /// and what carries the mark.
  private static let guardScript = """
    trap '' HUP INT QUIT TERM PIPE
    groups=' '
    while read -r word group; do
      case $word in
        add) groups="$groups$group " ;;
        remove) groups="${groups%%" $group "*} ${groups#*" $group "}" ;;
      esac
    done
    for group in $groups; do kill -s KILL -- "-$group"; done
    for file in $(grep -ls -e "$1" /proc/[0-9]*/environ); do
      process=${file#/proc/}
      kill -s KILL "${process%/environ}"
    done
    """

  /// Starts the guard; `nil` where there is no shell.
  private static func startGuard() -> FileHandle? {
    let input = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let mark = "\(MarkedProcesses.variable)=\(MarkedProcesses.runMark)-"
    process.arguments = ["-c", guardScript, "touchstone-guard", mark]
    process.standardInput = input
    // The reader of our output must not wait for the guard's end.
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let handle = input.fileHandleForWriting
    Descriptor(handle).keepFromPrograms()
    guard (try? process.run()) != nil else { return nil }
    return handle
  }
}

extension LivingProcesses.State {
  fileprivate func tell(_ line: String) {
    // A guard that is gone guards nothing; the run goes on without it.
    try? guardInput?.write(contentsOf: Data("\(line)\n".utf8))
  }
}
#endif
