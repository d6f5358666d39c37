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

  /// Reads a document's file; of an empty one it says so.
  ///
  /// No chunks are a sound document, and what a program that failed has most likely left.
  static func readDocument(_ path: String) throws -> [UInt8] {
    let bytes = try read(path)
    if bytes.isEmpty { complain("touchstone: \(name(path)) is empty: a document without changes") }
    return bytes
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      if path == "-" {
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
      } else {
        try write(Data(bytes), to: URL(fileURLWithPath: path).resolvingSymlinksInPath())
      }
    } catch {
      let reason = FileFailure.reason(of: error)
      throw Failure(
        description: path == "-"
          ? "cannot write to the standard output: \(reason)"
          : "cannot write \(path): \(reason); give a path in a folder you may write to"
      )
    }
  }

  private static func write(_ data: Data, to url: URL) throws {
    func refusal(_ reason: String) -> FileFailure {
      FileFailure("cannot write \(url.path)", reason: reason)
    }
    switch (fileType(url), fileType(url.deletingLastPathComponent())) {
    case (.typeDirectory?, _): throw refusal("a folder is in the place of the file")
    case (nil, nil): throw refusal("there is no such folder")
    // A file that is there stays whole until the new one is.
    case (.typeRegular?, _), (nil, .typeDirectory?): try writeFile(data, to: url)
    case (nil, _): throw refusal("a file is in the place of a folder")
    // A file would take the place of a device or a pipe: of /dev/null, for all programs.
    default: try FileHandle(forWritingTo: url).write(contentsOf: data)
    }
  }

  /// Writes lines, or an empty one if there are none, to the standard output.
  static func print(_ lines: [String]) throws {
    try write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "-")
  }
}
