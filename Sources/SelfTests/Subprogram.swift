package import Foundation

/// Runs a program with its output in a file, for at most some time.
///
/// A run that is interrupted asks the program to end, as Ctrl-C does, and ends it after five seconds.
package enum Subprogram {
  package enum End: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
  }

  package static func run(
    _ program: URL,
    _ arguments: [String],
    environment: [String: String],
    output: URL,
    folder: URL? = nil,
    secondsLimit: Double,
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
    try process.run()
    let group = process.processIdentifier
    // What the program started in its group goes with it; there may be no such group.
    defer { kill(-group, SIGKILL) }
    var deadline = ProcessInfo.processInfo.systemUptime + secondsLimit
    var wasAsked = false
    while process.isRunning {
      if !wasAsked, isInterrupted() {
        wasAsked = true
        process.interrupt()
        deadline = min(deadline, ProcessInfo.processInfo.systemUptime + 5)
      }
      if ProcessInfo.processInfo.systemUptime > deadline {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return .timedOut
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return process.terminationReason == .uncaughtSignal
      ? .signalled(process.terminationStatus) : .exited(process.terminationStatus)
  }
}
