import Campaigns
import CaseFiles
import Foundation
import PropertyEngine
import RunHistories
import Texts

/// A case that a test of a user's package stored: its type, property or engine is code of that package, so
/// that the program can show the case, and not judge it.
struct CaseOfTest: Error, Hashable, CustomStringConvertible {
  private let path: String
  /// What was judged: a type, a property or a system of commands, or an engine.
  private let judged: String
  /// What judges it again.
  private let command: String

  /// - Returns: `nil` for a case that the program can judge.
  init?(_ file: CaseFile, at url: URL) {
    guard let model = file[.model] else { return nil }
    self.init(file, of: model, at: url)
  }

  /// The case of a subject that this program does not know.
  ///
  /// - Returns: `nil` unless a test stored it.
  init?(_ file: CaseFile, ofUnknown error: UnknownSubject, at url: URL) {
    let folder = url.deletingLastPathComponent().lastPathComponent
    guard file[.test] != nil || folder == HistoryStore.caseFolderOfTests else { return nil }
    self.init(file, of: error.id, at: url)
  }

  private init(_ file: CaseFile, of judged: String, at url: URL) {
    path = url.relativePath
    self.judged = judged
    command = Self.command(file[.test], replaying: url)
  }

  /// The command, for the folder that this runs in: `swift test` is called in the folder of a package.
  private static func command(_ test: String?, replaying url: URL) -> String {
    let file = url.absoluteURL.standardizedFileURL
    var package = file.deletingLastPathComponent()
    while package.pathComponents.count > 1,
      !FileManager.default.fileExists(atPath: package.appendingPathComponent("Package.swift").path)
    {
      package.deleteLastPathComponent()
    }
    let here = URL(fileURLWithPath: ".").standardizedFileURL.path
    guard package.pathComponents.count > 1, package.path != here else {
      return testCommand(test, replaying: url.relativePath)
    }
    let path = file.pathComponents.dropFirst(package.pathComponents.count).joined(separator: "/")
    return "cd \(shellWord(package.path)) && \(testCommand(test, replaying: path))"
  }

  var description: String {
    "\(path) is a case of \(judged), whose code is in the tests of a package and not in this program; "
      + "the test judges it again: \(command)"
  }
}

extension CaseFile {
  /// Refuses a sample that cannot be read, with the line of the file: a worker that refuses it knows that of the
  /// sample alone.
  ///
  /// A form that is not read here is left to what judges the case.
  func requireReadableSample() throws {
    do { try Catalogue.readSample(of: self) } catch is UnreadableSample {}
  }
}

extension SubjectRegistry {
  /// The subjects with these ids, to judge a case that stands somewhere.
  ///
  /// - Throws: ``CaseOfTest`` for a subject that only the test knows which stored the case, `FileFailure` without any
  ///   id, and else what finding subjects throws.
  func find(_ ids: [String], judging file: CaseFile, at url: URL) throws -> Found {
    // All usual subjects would be found.
    guard !ids.isEmpty else { throw FileFailure("the case names no subject") }
    do {
      return try find(ids)
    } catch let error as UnknownSubject {
      throw CaseOfTest(file, ofUnknown: error, at: url) ?? error as any Error
    }
  }
}
