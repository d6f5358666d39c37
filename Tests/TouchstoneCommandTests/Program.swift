import Foundation
import TestSupport

/// The program `touchstone`, run on fixtures.
struct Program {
  /// What a run left behind.
  struct Run {
    let status: Int32
    let output: [UInt8]
    let error: String

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// A file of the repository, by its path there.
  static func root(_ path: String) -> URL {
    URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: path)
  }

  static let fixtures = root("fixtures").path

  /// The executable beside the tests' own.
  static func executable() throws -> URL {
    var folder = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
    for bundle in [folder] + Bundle.allBundles.map(\.bundleURL) {
      folder = bundle
      while folder.pathComponents.count > 1 {
        folder.deleteLastPathComponent()
        let candidate = folder.appending(path: "touchstone")
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder),
          !isFolder.boolValue
        {
          return candidate
        }
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  /// Runs `touchstone doc` with `arguments`.
  static func doc(_ arguments: String..., input: [UInt8] = []) throws -> Run {
    try doc(arguments, input: input)
  }

  static func doc(_ arguments: [String], input: [UInt8] = []) throws -> Run {
    try withFolder { folder in
      // Files, not pipes: nothing can fill up and wait.
      func file(_ name: String, _ bytes: [UInt8] = []) throws -> URL {
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        return file
      }
      let (output, error) = (try file("output"), try file("error"))
      let process = Process()
      process.executableURL = try executable()
      process.arguments = ["doc"] + arguments
      process.standardInput = try FileHandle(forReadingFrom: file("input", input))
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: error)
      try process.run()
      process.waitUntilExit()
      return Run(
        status: process.terminationStatus,
        output: [UInt8](try Data(contentsOf: output)),
        error: String(decoding: try Data(contentsOf: error), as: UTF8.self)
      )
    }
  }

  static func attack(_ name: String) -> String { "\(fixtures)/attacks/\(name)" }

  static func vector(_ name: String) -> String { "\(fixtures)/vectors/\(name).automerge" }
}
