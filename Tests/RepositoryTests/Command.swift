import Foundation

/// What a program that ended has left behind.
struct CommandResult {
  /// 0 for success; for a signal, its number.
  let status: Int32
  /// Standard output and standard error, in the order written.
  let output: String
}

/// Runs a program found on the path, without input, until it ends.
///
/// - Throws: What `Process` throws when the program cannot be started.
func run(_ program: String, _ arguments: [String], in folder: URL) throws -> CommandResult {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.currentDirectoryURL = folder
  process.standardInput = FileHandle.nullDevice
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  // Read first: a full pipe would keep the program from ending.
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return CommandResult(
    status: process.terminationStatus,
    output: String(decoding: output, as: UTF8.self)
  )
}
