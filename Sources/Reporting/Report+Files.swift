import Texts

/// A report names files that are not its own.
package struct ReportNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name or path, as the report has it.
  package let name: String

  package var description: String {
    "it names a file as no report does: '\(VisibleText(scalarLimit: 100)(name))'"
  }
}

extension Report {
  /// Refuses names of files that lead out of the report's folder, or to another failure's files.
  ///
  /// For reports from anywhere, before anything of them is a path: the id of a failure is a plain file
  /// name, and its files are named by it.
  package func checkFileNames() throws(ReportNameError) {
    for failure in failures {
      guard isFileName(failure.id) else { throw ReportNameError(name: failure.id) }
      guard failure.file == Failure.file(of: failure.id) else {
        throw ReportNameError(name: failure.file)
      }
      let reproducer = failure.reproducer ?? Failure.reproducer(of: failure.id)
      guard reproducer == Failure.reproducer(of: failure.id) else {
        throw ReportNameError(name: reproducer)
      }
    }
  }
}

extension Report.Failure {
  /// The path of a failure's case file, below the report's folder.
  package static func file(of id: String) -> String { "failures/\(id).case" }

  /// The path of a failure's Swift file, below the report's folder.
  package static func reproducer(of id: String) -> String { "failures/\(id).swift" }
}

extension Report.Failure {
  private static let replayStart = "touchstone replay"

  /// The command that judges a failure's case again, from the report's folder.
  ///
  /// `arguments`: As ``replayArguments``.
  static func replayCommand(of id: String, _ arguments: [String]) -> String {
    ([replayStart] + arguments + [file(of: id)]).joined(separator: " ")
  }

  /// Makes ``replayCommand`` one of `touchstone` with these arguments, as ``replayArguments`` describes them.
  package mutating func setReplay(arguments: [String]) {
    replayer = .program
    replayArguments = arguments
    replayCommand = Self.replayCommand(of: id, arguments)
  }

  /// The arguments of ``replayCommand``, in reports of older versions those that stand in it.
  ///
  /// - Returns: `nil` if the program does not judge the case again, or such a report has another command than
  ///   the program's.
  var knownReplayArguments: [String]? {
    guard replayer == .program else { return nil }
    if let replayArguments { return replayArguments }
    // Older versions wrote one option at most, between the start and the file.
    let (start, end) = ("\(Self.replayStart) ", " \(file)")
    guard replayCommand.hasPrefix(start), replayCommand.hasSuffix(end) else { return nil }
    let option = replayCommand.dropFirst(start.count).dropLast(end.count)
    return option.isEmpty ? [] : [String(option)]
  }

  /// Whether ``replayCommand`` says where the adapters are.
  var namesAdapters: Bool { knownReplayArguments?.contains { $0.hasPrefix("--adapters ") } == true }
}
