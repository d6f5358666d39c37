package import Foundation
import Programs
import Texts

/// A program to start: its path and its arguments.
struct AdapterCommand: Hashable, Sendable {
  let program: URL
  let arguments: [String]
  /// The working folder: the adapter's own.
  let folder: URL
  /// Variables of its environment besides those of this process.
  var environment: [String: String] = [:]
  /// Where its words stand.
  var origin = AdapterOrigin.words
}

/// Where the command of an adapter stands, and so what its author can do if it does not start.
enum AdapterOrigin: Hashable, Sendable {
  /// It was typed.
  case words
  /// In the `adapter.json` of a folder; `installCommand` is ``AdapterManifest/installCommand(for:)``.
  case manifest(installCommand: String?)
}

extension AdapterCommand {
  /// The first word that stands for a Python which has the adapters' modules.
  static let pythonWord = "python"

  /// Where `make` sets up such a Python, seen from the root of the package.
  static let pythonPath = ".build/python/bin/python"

  /// The command of these words, with its program found.
  ///
  /// A first word with a slash is a path from `folder`. `python` is the Python under `packageRoot`'s
  /// build folder if there is one, else `python3`. Any other is looked for along `searchPath`,
  /// folders with colons between them.
  ///
  /// - Throws: ``AdapterFailure`` with reason `notStarted`.
  init(
    words: [String],
    folder: URL,
    packageRoot: URL,
    searchPath: String,
    adapter: String,
    origin: AdapterOrigin = .words
  ) throws(AdapterFailure) {
    let word = words.first ?? ""
    let found =
      if word.contains("/") {
        Subprogram.program(at: Self.place(of: word, in: folder))
      } else if word == Self.pythonWord {
        Subprogram.program(at: packageRoot.appendingPathComponent(Self.pythonPath))
          ?? Subprogram.find("python3", along: searchPath)
      } else {
        Subprogram.find(word, along: searchPath)
      }
    guard let program = found else {
      throw AdapterFailure(
        reason: .notStarted(Self.absence(of: word, in: folder)),
        adapter: adapter,
        request: "",
        origin: origin
      )
    }
    self.init(
      program: program.absoluteURL,
      arguments: Array(words.dropFirst()),
      folder: folder,
      origin: origin
    )
  }

  /// The file that a word names, as seen from a folder.
  private static func place(of word: String, in folder: URL) -> URL {
    word.hasPrefix("/") ? URL(fileURLWithPath: word) : folder.appendingPathComponent(word)
  }

  /// Why a word names no program.
  private static func absence(of word: String, in folder: URL) -> String {
    let words = "there is no program \(word)"
    // A folder's path with a slash behind it names something; a file's does not.
    let path = place(of: word, in: folder).path
    guard FileManager.default.fileExists(atPath: path) else { return words }
    let isFolder = FileManager.default.fileExists(atPath: path + "/.")
    guard word.contains("/") else {
      return isFolder
        ? words : "\(words) in the search path; the file in the working folder is ./\(word)"
    }
    return isFolder
      ? "\(words): it is a folder" : "\(word) is not executable: chmod +x \(shellWord(word))"
  }
}

extension AdapterManifest {
  /// The command that installs the library of the adapter in a folder; `nil` for one that needs none, or that does
  /// not stand in a clone of Touchstone.
  package static func installCommand(for folder: URL) -> String? {
    let folder = folder.standardizedFileURL
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    let files = [
      folder.appendingPathComponent("requirements.txt"),
      root.appendingPathComponent("Scripts/setup.sh"),
    ]
    guard files.allSatisfy({ FileManager.default.fileExists(atPath: $0.path) }) else { return nil }
    return "make check SUBJECTS=\(folder.lastPathComponent)"
  }

  var origin: AdapterOrigin { .manifest(installCommand: Self.installCommand(for: folder)) }

  /// The manifest's command with its program found.
  ///
  /// - Throws: ``AdapterFailure`` with reason `notStarted`.
  func command(packageRoot: URL, searchPath: String) throws(AdapterFailure) -> AdapterCommand {
    try AdapterCommand(
      words: commandWords,
      folder: folder,
      packageRoot: packageRoot,
      searchPath: searchPath,
      adapter: id,
      origin: origin
    )
  }
}
