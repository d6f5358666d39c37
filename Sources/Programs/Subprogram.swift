package import Foundation

#if os(Linux) || os(macOS)
/// Finds programs, and runs them for at most some time.
///
/// A run that is interrupted asks the program to end, as Ctrl-C does, and ends it after a second. The program does
/// not outlive this process, whichever way that ends.
package enum Subprogram {
  /// The run was interrupted, and a program that it needs did not come to its end.
  package struct Interrupted: Error, CustomStringConvertible {
    package let description = "interrupted"

    package init() {}
  }

  package enum End: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
    /// All its threads waited until what they wait for counts as never coming (``SleepWatch``).
    case slept

    /// The kind of failure that it is: `exit`, `trap` or `hang`.
    package var kind: String {
      switch self {
      case .exited: "exit"
      case .signalled: "trap"
      case .timedOut, .slept: "hang"
      }
    }

    /// What happened, as a sentence without its full stop; `secondsLimit` is the time that was given.
    package func explanation(secondsLimit: Double) -> String {
      switch self {
      case .exited(let status): "the process ended with status \(status)"
      case .signalled(let signal): "signal \(signal) ended the process"
      case .timedOut: "no answer within \(Int(secondsLimit)) s"
      case .slept: "all its threads waited for at least \(SleepWatch.seconds) s"
      }
    }

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

  /// What a program gets to end by itself once it was asked to.
  private static let interruptedSecondsLimit = 1.0

  /// Runs a program with its output in a file to its end, or until it has taken too long.
  ///
  /// Time in which this process itself stood still does not count.
  ///
  /// With `endsSleepers` it is ended as soon as it waits for something that never comes (``SleepWatch``).
  package static func run(
    _ program: URL,
    _ arguments: [String],
    environment: [String: String],
    output: URL,
    folder: URL? = nil,
    secondsLimit: Double,
    of clock: Clock = .run,
    endsSleepers: Bool = false,
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
    var sleep = SleepWatch(group)
    var lastSleepLook = lastLook
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
        send(SIGINT, to: group)
        secondsLeft = min(secondsLeft, interruptedSecondsLimit)
      }
      var sleeps = false
      if endsSleepers, now - lastSleepLook >= Double(SleepWatch.lookMilliseconds) / 1000 {
        lastSleepLook = now
        sleeps = sleep.findsEndlessSleep()
      }
      if secondsLeft < 0 || sleeps {
        send(SIGKILL, to: group)
        while End(of: process) == nil { Thread.sleep(forTimeInterval: 0.01) }
        return sleeps ? .slept : .timedOut
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// What a program prints, if it ends well and in time; with the time it is ended, and all that it started.
  ///
  /// For programs that answer at once. Unlike one that is run, it may outlive this process by that time.
  package static func output(
    of program: URL,
    _ arguments: [String],
    seconds: Double
  ) -> Data? {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let number = process.processIdentifier
    let limit = DispatchWorkItem { send(SIGKILL, to: number) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: limit)
    defer { limit.cancel() }
    let data = try? pipe.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else { return nil }
    return data ?? Data()
  }

  /// The program of a name along a search path, folders with colons between them; a name with a slash is a path.
  package static func find(_ name: String, along searchPath: String) -> URL? {
    if name.contains("/") { return program(at: URL(fileURLWithPath: name)) }
    return searchPath.split(separator: ":").lazy
      .compactMap { program(at: URL(fileURLWithPath: String($0)).appendingPathComponent(name)) }
      .first
  }

  /// The place itself, if a program is there.
  package static func program(at url: URL) -> URL? {
    // A folder's path with a slash behind it names something; a file's does not.
    let manager = FileManager.default
    let isProgram =
      manager.isExecutableFile(atPath: url.path) && !manager.fileExists(atPath: url.path + "/.")
    return isProgram ? url : nil
  }

  /// Sends a signal to a program and what it started, as a terminal does; to the program alone where it has no
  /// group of its own.
  private static func send(_ signal: Int32, to program: pid_t) {
    if kill(-program, signal) != 0 { kill(program, signal) }
  }
}
#endif
