import Campaigns
import CaseFiles
package import Foundation

extension FuzzTarget {
  /// The extensions of files in a folder that are inputs; libFuzzer's own files have none.
  var extensions: [String] { ["", "bin"] + (readsChoices ? [] : ["automerge"]) }

  /// The inputs at a path: the file itself, or those in the folder, in the order of their names.
  ///
  /// - Throws: What the file system says, if the path is not there.
  package func inputs(at url: URL) throws -> [URL] {
    // Behind a link as well.
    let values = try url.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey])
    guard values.isDirectory == true else { return [url] }
    return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
      .map { url.appendingPathComponent($0) }
      .filter { isInput($0) && $0.isFolder == false }
  }

  /// Whether a file in a folder is an input, by its name.
  fileprivate func isInput(_ file: URL) -> Bool {
    extensions.contains(file.pathExtension) && !file.lastPathComponent.hasPrefix(".")
  }
}

/// Which files are inputs of a fuzz target: files that a fuzzer wrote, or seeds that it starts from.
package struct FuzzInputs: Sendable {
  private let target: FuzzTarget?

  /// Takes files for inputs of `target`; if `nil`, for those of the target that a folder above them is
  /// named by, as in `corpus/histories`.
  package init(of target: FuzzTarget?) {
    self.target = target
  }

  /// The target that a file is an input of; `nil` if it is a case file, or no folder names a target.
  package func target(of file: URL) -> FuzzTarget? {
    file.pathExtension == "case" ? nil : target(in: file.deletingLastPathComponent())
  }

  private func target(in folder: URL) -> FuzzTarget? {
    target
      ?? folder.standardizedFileURL.pathComponents.reversed().lazy
      .compactMap { FuzzTarget(id: $0) }.first
  }

  /// All inputs below a folder, in the order of their paths.
  ///
  /// - Throws: ``CaseFiles/FileFailure`` if the folder, or one in it, cannot be read.
  package func files(in folder: URL) throws -> [URL] {
    guard fileType(folder) != nil else {
      throw FileFailure("cannot read \(folder.relativePath)", reason: "it is not there")
    }
    return try filesBelow(folder).filter { file in
      target(in: file.deletingLastPathComponent())?.isInput(file) == true
    }
  }

  /// The bytes of a file.
  ///
  /// - Throws: ``CaseFiles/FileFailure`` if it cannot be read.
  package static func read(_ file: URL) throws -> [UInt8] {
    do {
      return Array(try Data(contentsOf: file))
    } catch {
      throw FileFailure("cannot read \(file.relativePath)", error)
    }
  }
}
