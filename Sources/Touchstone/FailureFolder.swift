import CaseFiles
package import Foundation
package import PropertyEngine
import RunHistories
package import Testing
import Texts

/// Where the failures of a test file are kept: `__Touchstone__` beside it.
///
/// What stands there is tried first at the next run, and guards what was fixed from then on. The
/// files belong into the repository.
package struct FailureFolder: Sendable {
  static var name: String { HistoryStore.caseFolderOfTests }

  let url: URL
  /// The name that `swift test --filter` takes.
  let test: String

  /// The id of the running test, `NoteTests.noteIsSafe()`; its name where no test of Swift Testing runs.
  let testID: String

  init(besideFile path: String, test: String, id: Test.ID? = Test.current?.id) {
    url = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent(Self.name)
    // Names of functions are written with their parentheses.
    self.test = String(test.prefix { $0 != "(" })
    // An id ends with the place of the test in its file, which edits move.
    testID = id.map { "\($0)".replacing(/\/[^\/]*\.swift:\d+:\d+$/, with: "") } ?? self.test
  }

  /// The folder of the test that runs, beside the line that calls an expectation.
  package init(at sourceLocation: SourceLocation) {
    self.init(
      besideFile: sourceLocation.filePath,
      // A test of XCTest has no name here: its class is mostly called as its file is.
      test: Test.current?.name ?? String(sourceLocation.fileName.prefix { $0 != "." })
    )
  }

  // MARK: - Reading

  /// Cases of one model or subject, whatever they are called, in the order of their names.
  ///
  /// Files that cannot be read as a case are returned with the reason: nothing says whose they are. So is a folder
  /// that cannot be read, which has no cases then.
  package func cases(
    where isOwn: (CaseFile) -> Bool
  ) -> (cases: [(url: URL, file: CaseFile)], unreadable: [String]) {
    var cases: [(url: URL, file: CaseFile)] = []
    var unreadable: [String] = []
    do {
      for (url, stored) in try CaseFolder(url).cases {
        switch stored {
        case .success(let file): if isOwn(file) { cases.append((url, file)) }
        case .failure(let error): unreadable.append("\(error)")
        }
      }
    } catch {
      unreadable.append("\(error)")
    }
    return (cases, unreadable)
  }

  /// Why a model or subject is not judged where `TOUCHSTONE_REPLAY` names a case of another.
  package static func reasonNotToJudge(_ model: String, replaying file: CaseFile) -> String {
    let owner = (file[.model] ?? file.subjects.first).map { " of \($0)" } ?? ""
    return "\(model) is not judged here: TOUCHSTONE_REPLAY names a case\(owner) that breaks "
      + "\(file.law), and no other is judged"
  }

  /// The case that `TOUCHSTONE_REPLAY` names.
  package static func readCase(at path: String) throws(JudgementError) -> CaseFile {
    do {
      return try CaseFolder.read(URL(fileURLWithPath: path))
    } catch {
      // Its own words say once more that it cannot be read.
      throw .unreadable(reason: "\(path): \(FileFailure.reason(of: error))")
    }
  }

  // MARK: - Writing

  /// A case in a file, as a failure names it.
  package struct Kept: Hashable, Sendable {
    /// Where it is, as it is typed where the tests are run.
    package let path: String
    /// What that means, such as "tried first from now on".
    let note: String
    /// The command that judges it again, and nothing else.
    package let command: String

    /// Says where it is.
    var line: String { "stored: \(path) (\(note))" }
  }

  /// Stores a case under a name made of parts: beside the test, or else where temporary files are.
  ///
  /// - Returns: `nil` if neither can be.
  package func store(_ file: CaseFile, _ parts: [String]) -> Kept? {
    let file = named(file)
    if let url = Self.write(file, parts, in: url) {
      return kept(at: url.path, "tried first from now on")
    }
    return Self.write(file, parts, in: Self.temporary).map { url in
      kept(at: url.path, "nothing can be written beside the test")
    }
  }

  /// A case that an earlier run has stored.
  package func kept(at path: String) -> Kept { kept(at: path, "found by an earlier run") }

  /// A stored case, with what becomes of it in a few words.
  func kept(at path: String, _ note: String) -> Kept {
    let path = Self.short(path)
    return Kept(path: path, note: note, command: command(replaying: path))
  }

  /// A failure that was found just now, whose case is stored under a name made of parts.
  func failure(_ text: FailureText, _ file: CaseFile, storing parts: [String]) -> ModelFailure {
    let kept = store(file, parts)
    let url = kept.map { URL(fileURLWithPath: $0.path) } ?? unusedURL(parts)
    return ModelFailure(text, named(file), kept, name: Self.caseName(url))
  }

  /// A failure whose case an earlier run has stored.
  func failure(_ text: FailureText, _ file: CaseFile, storedAt path: String) -> ModelFailure {
    ModelFailure(text, file, kept(at: path), name: Self.caseName(URL(fileURLWithPath: path)))
  }

  /// A case with the test that found it, which alone knows the type.
  func named(_ file: CaseFile) -> CaseFile {
    var file = file
    file.set(.test, to: test)
    return file
  }

  private static func caseName(_ url: URL) -> String {
    url.deletingPathExtension().lastPathComponent
  }

  private static var temporary: URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("touchstone")
  }

  /// Writes a case where temporary files are, for a person who wants to look at it.
  ///
  /// - Returns: Its path; `nil` if it cannot be written.
  package static func putAside(_ file: CaseFile, _ parts: [String]) -> String? {
    write(file, parts, in: temporary)?.path
  }

  private static func write(_ file: CaseFile, _ parts: [String], in folder: URL) -> URL? {
    let url = unusedURL(parts, in: folder, for: file)
    guard (try? CaseFolder(folder).write(file, name: caseName(url))) != nil else { return nil }
    return url
  }

  /// Where a case can be stored under a name made of parts: `Note--model.lossless.case`, or `-2` and so
  /// on where a case stands that is another.
  ///
  /// A stored case guards what was fixed: another failure of the same type and law never takes its
  /// place.
  func unusedURL(_ parts: [String], for file: CaseFile? = nil) -> URL {
    Self.unusedURL(parts, in: url, for: file)
  }

  private static func unusedURL(_ parts: [String], in folder: URL, for file: CaseFile?) -> URL {
    let (cases, usual) = (CaseFolder(folder), fileName(parts))
    let name = numberedNames(usual).first { name in
      guard cases.contains(name) else { return true }
      guard let file, let stored = try? cases.read(name) else { return false }
      return stored.isSameCase(as: file)
    }
    return folder.appendingPathComponent("\(name ?? usual).case")
  }

  /// A path as it is typed where the tests are run.
  package static func short(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// The command that judges a stored case again, and nothing else.
  func command(replaying path: String) -> String { Texts.testCommand(test, replaying: path) }

  /// The command that runs the test.
  package var testCommand: String { Texts.testCommand(test) }
}
