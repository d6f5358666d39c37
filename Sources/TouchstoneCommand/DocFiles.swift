import ArgumentParser
import CaseFiles
import Foundation

/// Files as people name them on a command line: paths, and `-`.
enum DocFiles {
  /// A file that could not be read or written, and what to do.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What errors call a file.
  static func name(_ path: String) -> String { path == "-" ? "the standard input" : path }

  static func read(_ path: String) throws -> [UInt8] {
    do {
      let data =
        path == "-"
        ? try FileHandle.standardInput.readToEnd() ?? Data()
        : try readFile(URL(fileURLWithPath: path))
      return [UInt8](data)
    } catch {
      let reason = FileFailure.reason(of: error)
      throw Failure(
        description: "cannot read \(name(path)): \(reason); give the path of a file, or `-`"
      )
    }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      if path == "-" {
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
      } else {
        // A file that is there stays whole until the new one is.
        try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
      }
    } catch {
      let name = path == "-" ? "the standard output" : path
      throw Failure(
        description: "cannot write \(name): \(FileFailure.reason(of: error)); "
          + "give a path in a folder you may write to"
      )
    }
  }

  /// Writes lines, or an empty one if there are none, to the standard output.
  static func print(_ lines: [String]) throws {
    try write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "-")
  }
}
