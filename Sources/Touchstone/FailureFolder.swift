import CaseFiles
import Foundation
package import PropertyEngine
import RunHistories
import Testing
import Texts

/// Where the failures of a test file are kept: `__Touchstone__` beside it.
///
/// What stands there is tried first at the next run, and guards what was mended from then on. The
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

  // MARK: - Reading

  /// Cases of one model, in the order of their names; files that cannot be read as one are returned with
  /// the reason.
  func cases(of model: String) -> (cases: [(url: URL, file: CaseFile)], unreadable: [String]) {
    var cases: [(url: URL, file: CaseFile)] = []
    var unreadable: [String] = []
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    for name in names.sorted()
    where name.hasPrefix("\(Self.plain(model))--") && name.hasSuffix(".case") {
      let url = url.appendingPathComponent(name)
      do {
        cases.append((url, try CaseFolder.read(url)))
      } catch {
        unreadable.append("\(error)")
      }
    }
    return (cases, unreadable)
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

  /// A failure that was found just now, whose case is stored under a name made of parts.
  func failure(_ text: FailureText, _ file: CaseFile, storing parts: [String]) -> ModelFailure {
    let url = write(file, parts)
    let path = url.map { Self.short($0.path) }
    return ModelFailure(
      text,
      file,
      name: Self.caseName(url ?? unusedURL(parts)),
      path: path,
      text.text(
        stored: path.map { "\($0) (tried first from now on)" },
        replay: path.map(command(replaying:))
      )
    )
  }

  /// A failure whose case an earlier run has stored.
  func failure(_ text: FailureText, _ file: CaseFile, storedAt path: String) -> ModelFailure {
    ModelFailure(
      text,
      file,
      name: Self.caseName(URL(fileURLWithPath: path)),
      path: path,
      text.text(
        stored: "\(path) (found by an earlier run)",
        replay: command(replaying: path)
      )
    )
  }

  private static func caseName(_ url: URL) -> String {
    url.deletingPathExtension().lastPathComponent
  }

  /// Writes a case beside the test, or else where temporary files are; `nil` if neither can be.
  private func write(_ file: CaseFile, _ parts: [String]) -> URL? {
    let temporary = FileManager.default.temporaryDirectory.appendingPathComponent("touchstone")
    for folder in [url, temporary] {
      let url = Self.unusedURL(parts, in: folder, for: file)
      if (try? CaseFolder(folder).write(file, name: Self.caseName(url))) != nil { return url }
    }
    return nil
  }

  /// Where a case can be stored under a name made of parts: `Note--model.lossless.case`, or `-2` and so
  /// on where a case stands that is another.
  ///
  /// A stored case guards what was mended: another failure of the same type and law never takes its
  /// place.
  func unusedURL(_ parts: [String], for file: CaseFile? = nil) -> URL {
    Self.unusedURL(parts, in: url, for: file)
  }

  private static func unusedURL(_ parts: [String], in folder: URL, for file: CaseFile?) -> URL {
    let name = parts.map(plain).joined(separator: "--")
    var number = 1
    while true {
      let url = folder.appendingPathComponent(
        number == 1 ? "\(name).case" : "\(name)-\(number).case"
      )
      guard FileManager.default.fileExists(atPath: url.path) else { return url }
      if let file, let stored = try? CaseFolder.read(url), stored.isSameCase(as: file) {
        return url
      }
      number += 1
    }
  }

  /// A path as it is typed where the tests are run.
  static func short(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// The command that judges a stored case again, and nothing else.
  func command(replaying path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
        || "/._-".utf8.contains(byte)
    }
    let quoted = isPlain ? path : "'\(path.replacing("'", with: "'\\''"))'"
    return "TOUCHSTONE_REPLAY=\(quoted) swift test --filter \(test)"
  }

  /// A part of a file's name that every file system takes.
  private static func plain(_ part: String) -> String { slug(part, keeping: "_") }
}

extension CaseFile {
  /// Whether both hold one sample of one law, which fails in one way.
  fileprivate func isSameCase(as other: CaseFile) -> Bool {
    law == other.law && sampleFormat == other.sampleFormat && sample == other.sample
      && self[.kind] == other[.kind]
  }
}
