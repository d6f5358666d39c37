import Foundation
import Programs

/// A program to start: its path and its arguments.
struct AdapterCommand: Hashable, Sendable {
  let program: URL
  let arguments: [String]
  /// The working folder: the adapter's own.
  let folder: URL
  /// Variables of its environment besides those of this process.
  var environment: [String: String] = [:]
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
    adapter: String
  ) throws(AdapterFailure) {
    let word = words.first ?? ""
    let found =
      if word.contains("/") {
        Subprogram.program(at: URL(fileURLWithPath: word, relativeTo: folder))
      } else if word == Self.pythonWord {
        Subprogram.program(at: packageRoot.appendingPathComponent(Self.pythonPath))
          ?? Subprogram.find("python3", along: searchPath)
      } else {
        Subprogram.find(word, along: searchPath)
      }
    guard let program = found else {
      throw AdapterFailure(
        reason: .notStarted("there is no program \(word)"),
        adapter: adapter,
        request: ""
      )
    }
    self.init(
      program: program.absoluteURL,
      arguments: Array(words.dropFirst()),
      folder: folder
    )
  }
}

extension AdapterManifest {
  /// The manifest's command with its program found.
  ///
  /// - Throws: ``AdapterFailure`` with reason `notStarted`.
  func command(packageRoot: URL, searchPath: String) throws(AdapterFailure) -> AdapterCommand {
    try AdapterCommand(
      words: commandWords,
      folder: folder,
      packageRoot: packageRoot,
      searchPath: searchPath,
      adapter: id
    )
  }
}
