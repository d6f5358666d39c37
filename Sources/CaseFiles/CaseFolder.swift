package import FileSystems
package import Foundation
package import PropertyEngine

/// A folder of case files: the corpus, or the failures of a report.
package struct CaseFolder: Sendable {
  package let url: URL
  private let files: any FileSystem

  /// `files`: What cases are written to.
  package init(_ url: URL, files: any FileSystem = SystemFiles()) {
    self.url = url
    self.files = files
  }

  /// All files below the folder that are named as cases, in the order of their paths; one that cannot be read, or
  /// is not a case file, says why.
  package var cases: [(url: URL, file: Result<CaseFile, any Error>)] {
    caseURLs.map { url in (url, Result { try Self.read(url) }) }
  }

  /// The paths of all files below the folder that are named as cases, in their order; relative ones if the
  /// folder's is.
  package var caseURLs: [URL] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let paths = FileManager.default.enumerator(atPath: url.path)
    var urls: [URL] = []
    while let path = paths?.nextObject() as? String {
      let found = url.appending(path: path, directoryHint: .notDirectory)
      if found.pathExtension == "case" { urls.append(found) }
    }
    return urls.sorted { $0.path < $1.path }
  }

  /// The case in a file.
  ///
  /// - Throws: ``FileFailure`` if it cannot be read or is not a case file.
  package static func read(_ url: URL) throws -> CaseFile {
    let data = try readFile(url)
    do {
      return try CaseFile.parse(utf8: Array(data))
    } catch {
      throw FileFailure("\(url.relativePath) is not a case file", error)
    }
  }

  /// Writes a case under a name, whole or not at all.
  package func write(_ file: CaseFile, name: String) throws {
    let data = Data(file.render().utf8)
    try writeFile(data, to: url.appendingPathComponent("\(name).case"), in: files)
  }
}
