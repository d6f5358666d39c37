package import Foundation
import FuzzEntryPoints

/// The fuzz targets whose inputs can be judged again.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// Bytes are the choices of a history.
  case histories
  /// Bytes are the choices of a document that is decoded into a model.
  case decode
  /// Bytes are the choices of a value, and of a document that it is encoded over.
  case encode
  /// Bytes are the choices of what another version did to a document.
  case drift
}

/// Which files are inputs of a fuzz target: files that a fuzzer wrote, or seeds that it starts from.
package struct FuzzInputs: Sendable {
  private let target: FuzzTarget?

  /// Takes files for inputs of `target`; if nil, for those of the target that a folder above them is
  /// named by, as in `corpus/histories`.
  package init(of target: FuzzTarget?) {
    self.target = target
  }

  /// The target that a file is an input of; nil if it is a case file, or no folder names a target.
  package func target(of file: URL) -> FuzzTarget? {
    guard file.pathExtension != "case" else { return nil }
    if let target { return target }
    let folders = file.standardizedFileURL.deletingLastPathComponent().pathComponents
    return folders.reversed().lazy.compactMap { FuzzTarget(rawValue: $0) }.first
  }

  /// All inputs below a folder, in the order of their paths.
  package func files(in folder: URL) throws -> [URL] {
    let below = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    let folders = below.map { folder.appendingPathComponent($0) }.filter { url in
      (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
    }
    return try ([folder] + folders).flatMap { try inputFiles(at: $0) }
      .filter { target(of: $0) != nil }
      .sorted { $0.path < $1.path }
  }

  package static func read(_ file: URL) throws -> [UInt8] {
    do {
      return Array(try Data(contentsOf: file))
    } catch {
      throw FileFailure("cannot read \(file.path)", error)
    }
  }
}
