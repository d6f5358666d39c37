import Foundation
import TestSupport
import Testing

/// What a child process that ended has left behind.
struct Outcome {
  let status: Int32
  let output: String
  let complaints: String

  /// The complaints, a line each.
  var complaintLines: [Substring] { complaints.split(separator: "\n") }

  /// The output as JSON.
  var json: Any {
    get throws { try JSONSerialization.jsonObject(with: Data(output.utf8)) }
  }
}

/// The executable that was built together with these tests.
enum Executable {
  /// Where SwiftPM puts executables: beside the test bundle.
  static let url: URL? = {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    #else
    let bundle = Bundle.main.executableURL
    #endif
    let url = bundle?.deletingLastPathComponent().appendingPathComponent("touchstone")
    guard let url, FileManager.default.isExecutableFile(atPath: url.path) else { return nil }
    return url
  }()

  struct Missing: Error {}

  /// Runs `touchstone`, or another program, in a folder until it ends.
  static func run(
    _ arguments: [String],
    in folder: URL,
    environment: [String: String]? = nil,
    program: URL? = nil
  ) throws -> Outcome {
    try start(arguments, in: folder, environment: environment, program: program).outcome()
  }

  /// Starts `touchstone` in a folder.
  ///
  /// With `fileBlockLimit` it may write no file larger than that many blocks of `ulimit -f`.
  static func start(
    _ arguments: [String],
    in folder: URL,
    environment: [String: String]? = nil,
    fileBlockLimit: Int? = nil,
    program: URL? = nil
  ) throws -> Running {
    guard let url = program ?? url else { throw Missing() }
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    if let fileBlockLimit {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments =
        ["-c", "ulimit -f \(fileBlockLimit) && exec \"$0\" \"$@\"", url.path] + arguments
    }
    process.environment = environment
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: neither stream can fill up while the other is read.
    let (output, complaints) = (try Capture(), try Capture())
    process.standardOutput = output.handle
    process.standardError = complaints.handle
    try process.run()
    return Running(process: process, output: output, complaints: complaints)
  }

  /// A child process that has been started.
  struct Running {
    let process: Process
    fileprivate let output: Capture
    fileprivate let complaints: Capture

    /// Waits until it ends.
    func outcome() throws -> Outcome {
      process.waitUntilExit()
      return Outcome(
        status: process.terminationReason == .exit ? process.terminationStatus : -1,
        output: try output.text(),
        complaints: try complaints.text()
      )
    }

    /// Waits until it has complained of something that holds these words, or has ended.
    func waitForComplaint(_ words: String) throws {
      while process.isRunning {
        let text = String(decoding: try Data(contentsOf: complaints.url), as: UTF8.self)
        if text.contains(words) { return }
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
  }

  /// A file that a child writes to.
  fileprivate struct Capture {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-\(UUID().uuidString)")
    let handle: FileHandle

    init() throws {
      try Data().write(to: url)
      handle = try FileHandle(forWritingTo: url)
    }

    func text() throws -> String {
      try handle.close()
      defer { try? FileManager.default.removeItem(at: url) }
      return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }
  }
}

/// Runs `touchstone` with the words of a command line, in an empty folder.
func touchstone(_ words: String...) throws -> Outcome {
  try withFolder { try touchstone(words, in: $0) }
}

/// Runs `touchstone` in a folder.
func touchstone(_ words: [String], in folder: URL) throws -> Outcome {
  try Executable.run(words, in: folder)
}

/// Runs a line of a shell in which `touchstone` is the program.
func shell(_ line: String, in folder: URL) throws -> Outcome {
  let url = try #require(Executable.url)
  return try Executable.run(
    ["-c", "touchstone() { '\(url.path)' \"$@\"; }; \(line)"],
    in: folder,
    program: URL(fileURLWithPath: "/bin/bash")
  )
}
