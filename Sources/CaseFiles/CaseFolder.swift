package import FileSystems
package import Foundation
package import PropertyEngine

/// A folder of case files: the corpus, or the failures of a report.
package struct CaseFolder: Sendable {
  package let url: URL
  private let files: any FileSystem

  /// `files`: What cases are read from and written to.
  package init(_ url: URL, files: any FileSystem = SystemFiles()) {
    self.url = url
    self.files = files
  }

  /// All files below the folder that are named as cases, in the order of their paths; one that cannot be read, or
  /// is not a case file, says why.
  ///
  /// - Throws: ``FileFailure`` if the folder, or one in it, cannot be read.
  package var cases: [(url: URL, file: Result<CaseFile, any Error>)] {
    get throws { try caseURLs.map { url in (url, Result { try Self.read(url) }) } }
  }

  /// The paths of all files below the folder that are named as cases, in their order; relative ones if the
  /// folder's is, and none if it is not there.
  ///
  /// - Throws: ``FileFailure`` if the folder, or one in it, cannot be read.
  package var caseURLs: [URL] {
    get throws { try filesBelow(url, in: files).filter { $0.pathExtension == "case" } }
  }

  /// The files of ``caseURLs`` that no link in the folder leads to: they may be deleted.
  ///
  /// - Throws: ``FileFailure`` if the folder, or one in it, cannot be read.
  package var ownCaseURLs: [URL] {
    get throws { try filesBelow(url, own: true, in: files).filter { $0.pathExtension == "case" } }
  }

  /// Whether a case of that name is there, whatever its file holds.
  package func contains(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: url.appendingPathComponent("\(name).case").path)
  }

  /// The case of a name; `nil` if there is none.
  ///
  /// - Throws: ``FileFailure`` if its file cannot be read or is not a case file.
  package func read(_ name: String) throws -> CaseFile? {
    guard contains(name) else { return nil }
    return try Self.read(url.appendingPathComponent("\(name).case"))
  }

  /// The case in a file.
  ///
  /// - Throws: ``FileFailure`` if it cannot be read or is not a case file.
  package static func read(_ url: URL) throws -> CaseFile {
    let data = try readFile(url)
    do {
      var file = try CaseFile.parse(utf8: Array(data))
      file.fileName = url.deletingPathExtension().lastPathComponent
      return file
    } catch {
      throw FileFailure("\(url.relativePath) is not a case file", error)
    }
  }

  /// Writes a case under a name, whole or not at all.
  package func write(_ file: CaseFile, name: String) throws {
    try Self.write(file, to: url.appendingPathComponent("\(name).case"), in: files)
  }

  /// Removes the case of a name, if it is there.
  ///
  /// - Throws: ``FileFailure``.
  package func remove(_ name: String) throws {
    try removeFile(url.appendingPathComponent("\(name).case"), in: files)
  }

  /// Writes a case to a file, whole or not at all.
  package static func write(
    _ file: CaseFile,
    to url: URL,
    in files: any FileSystem = SystemFiles()
  ) throws {
    try writeFile(Data(file.render().utf8), to: url, in: files)
  }
}
