import ForeignSubjects
package import Foundation

/// Runs a program with its output in a file, for at most some time.
///
/// A run that is interrupted asks the program to end, as Ctrl-C does, and ends it after five seconds. The program does
/// not outlive this process, whichever way that ends.
package enum Subprogram {
  /// The run was interrupted, and a program that it needs did not come to its end.
  package struct Interrupted: Error, CustomStringConvertible {
    package let description = "interrupted"
  }

  package enum End: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut

    /// The end of a program; `nil` while it runs.
    fileprivate init?(of process: Process) {
      switch ProcessEnd(of: process) {
      case .exited(let status): self = .exited(status)
      case .signalled(let signal): self = .signalled(signal)
      case nil: return nil
      }
    }
  }

  /// What the time limit measures.
  package enum Clock: Sendable {
    /// The whole run.
    case run
    /// Since the program last printed something: on a busy machine one that goes on is no hanging one.
    case silence
  }

  /// Runs a program to its end, or until it has taken too long.
  ///
  /// Time in which this process itself stood still does not count.
  package static func run(
    _ program: URL,
    _ arguments: [String],
    environment: [String: String],
    output: URL,
    folder: URL? = nil,
    secondsLimit: Double,
    of clock: Clock = .run,
    isInterrupted: () -> Bool = { false }
  ) throws -> End {
    try FileManager.default.createDirectory(
      at: output.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data().write(to: output)
    let handle = try FileHandle(forWritingTo: output)
    defer { try? handle.close() }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { _, new in new }
    if let folder { process.currentDirectoryURL = folder }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    process.standardError = handle
    try LivingProcesses.start(process)
    let group = process.processIdentifier
    // What the program started in its group goes with it; there may be no such group.
    defer {
      kill(-group, SIGKILL)
      LivingProcesses.remove(group)
    }
    let printing = try FileHandle(forReadingFrom: output)
    defer { try? printing.close() }
    var secondsLeft = secondsLimit
    var lastLook = ProcessInfo.processInfo.systemUptime
    var printed: UInt64 = 0
    var wasAsked = false
    while true {
      if let end = End(of: process) { return end }
      let now = ProcessInfo.processInfo.systemUptime
      secondsLeft -= min(now - lastLook, 1)
      lastLook = now
      if clock == .silence, !wasAsked, let size = try? printing.seekToEnd(), size != printed {
        printed = size
        secondsLeft = secondsLimit
      }
      if !wasAsked, isInterrupted() {
        wasAsked = true
        send(SIGINT, to: process)
        secondsLeft = min(secondsLeft, 5)
      }
      if secondsLeft < 0 {
        send(SIGKILL, to: process)
        while End(of: process) == nil { Thread.sleep(forTimeInterval: 0.01) }
        return .timedOut
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// Sends a signal to a program and what it started, as a terminal does; to the program alone where it has no
  /// group of its own.
  private static func send(_ signal: Int32, to process: Process) {
    if kill(-process.processIdentifier, signal) != 0 { kill(process.processIdentifier, signal) }
  }
}
