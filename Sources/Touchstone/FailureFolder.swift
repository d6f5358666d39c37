import Campaigns
import Foundation
import PropertyEngine

/// Where the failures of a test file are kept: `__Touchstone__` beside it.
///
/// What stands there is tried first at the next run, and guards what was mended from then on. The
/// files belong into the repository.
struct FailureFolder: Sendable {
  static let name = "__Touchstone__"

  let url: URL
  /// The name that `swift test --filter` takes.
  let test: String

  init(besideFile path: String, test: String) {
    url = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent(Self.name)
    // Names of functions are written with their parentheses.
    self.test = String(test.prefix { $0 != "(" })
  }

  /// Cases of one model with one coder, in the order of their names; files that are none are
  /// returned with the reason.
  func cases(
    of model: String,
    subject: String
  ) -> (cases: [(url: URL, file: CaseFile)], unreadable: [String]) {
    var cases: [(url: URL, file: CaseFile)] = []
    var unreadable: [String] = []
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    for name in names.sorted()
    where name.hasPrefix("\(Self.plain(model))--") && name.hasSuffix(".case") {
      let url = url.appendingPathComponent(name)
      do {
        let file = try CaseFolder.read(url)
        if file["model"] == model, file.subjects.first == subject { cases.append((url, file)) }
      } catch {
        unreadable.append("\(error)")
      }
    }
    return (cases, unreadable)
  }

  func url(_ name: String) -> URL { url.appendingPathComponent("\(name).case") }

  /// Writes a case beside the test, or else where temporary files are; nil if neither can be.
  func write(_ file: CaseFile, name: String) -> String? {
    let temporary = FileManager.default.temporaryDirectory.appendingPathComponent("touchstone")
    for folder in [url, temporary]
    where (try? CaseFolder(folder).write(file, name: name)) != nil {
      return Self.short(folder.appendingPathComponent("\(name).case").path)
    }
    return nil
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

  /// A name that every file system takes.
  static func plain(_ name: String) -> String {
    String(
      name.map { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) ? $0 : "-" }
    )
  }
}
