package import Foundation

/// Runs a program with its output in a file, for at most some time.
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
    secondsLimit: Double
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
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    let deadline = ProcessInfo.processInfo.systemUptime + secondsLimit
    while process.isRunning {
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
