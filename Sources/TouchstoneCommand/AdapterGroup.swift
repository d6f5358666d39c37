import ArgumentParser
import Campaigns
import CaseFiles
import ForeignSubjects
import Foundation
import Texts

/// `touchstone adapter`: for authors of adapters.
struct AdapterGroup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adapter",
    abstract: "Helps to write adapters: programs that make an implementation a subject.",
    subcommands: [AdapterNewCommand.self, AdapterRunCommand.self, AdapterCheckCommand.self]
  )
}

/// `touchstone adapter check`: the line protocol's own checks.
struct AdapterCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Holds a program to the line protocol, before any law is tried on it.",
    discussion: """
      Give an adapter's folder, with its adapter.json, or a command as you would type it:
        touchstone adapter check Adapters/template
        touchstone adapter check python3 adapter.py
      Options stand before it: what follows the first word belongs to the program. \
      Documentation/WritingAnAdapter.md leads from a template to the first campaign.
      Exit status: 0 all checks passed, 1 one failed, 2 there is no such program, or it cannot be started.
      """
  )

  @Option(
    help: .value(
      "time",
      "How long the start, an answer or an exit may take; unless set 20s, 10s and 10s."
    ),
    transform: TimeSpan.withUnit
  )
  var timeout: TimeSpan?

  @Flag(help: "Print an array of JSON objects instead of words.")
  var json = false

  @Argument(
    parsing: .captureForPassthrough,
    help: .value("command", "An adapter's folder, or a command.")
  )
  var command: [String]

  private struct Row: Encodable {
    let name: String
    let sentence: String
    let verdict: String
    var found: String?
    var advice: String?
  }

  mutating func validate() throws { command = try adapterWords(command) }

  var limits: AdapterLimits {
    var limits = AdapterLimits()
    if let timeout {
      limits.answerTimeoutMilliseconds = Int(min(timeout.seconds, 86_400) * 1000)
      limits.startTimeoutMilliseconds = limits.answerTimeoutMilliseconds
    }
    // More than a campaign gives, in which one that is slow to exit is killed and no harm done: where the input
    // ends at once, the program has yet to start.
    limits.stopTimeoutMilliseconds = limits.answerTimeoutMilliseconds
    return limits
  }

  func run() throws {
    // What is wrong with a description that cannot be read is one of the checks.
    if let folder = AdapterCheckup.folder(named: command) {
      try (try? AdapterManifest(folder: folder))?.requireItsFolder()
    }
    var checkup = try AdapterCheckup(named: command, limits)
    checkup.checkDivergences = { _ = try SubjectRegistry.divergences($0) }
    var told: [String: String] = [:]
    let checks = try checkup.run { if !json { show($0, &told) } }
    if json {
      try printJSON(checks.map(row))
    } else {
      let failed = checks.count(where: \.hasFailed)
      let skipped = checks.count { if case .skipped = $0.verdict { true } else { false } }
      var words = "\(checks.count - failed - skipped) passed, \(failed) failed, \(skipped) skipped"
      if failed == 0 { words += ": the laws may be tried\n\n\(nextCommand)" }
      print(words)
    }
    throw ExitCode(checks.contains(where: \.hasFailed) ? 1 : 0)
  }

  /// The command that tries the laws; a program that is no adapter's folder becomes one first.
  private var nextCommand: String {
    guard let folder = AdapterCheckup.folder(named: command)?.standardizedFileURL else {
      return "touchstone adapter new Adapters/mine    # and its command in adapter.json"
    }
    let shelf = folder.deletingLastPathComponent()
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let isUsual = shelf.path == here.appendingPathComponent("Adapters").standardizedFileURL.path
    let isAbsolute = command[0].hasPrefix("/")
    let path = isAbsolute ? shelf.path : relativePath(from: here, to: shelf)
    let option = " --adapters \(shellWord(path))"
    return "touchstone check\(isUsual ? "" : option) --subject \(folder.lastPathComponent)"
  }

  /// Prints a check; `told` are the advices given so far, with the checks that gave them.
  private func show(_ check: AdapterCheck, _ told: inout [String: String]) {
    let name = check.name.padding(toLength: 22, withPad: " ", startingAt: 0)
    switch check.verdict {
    case .passed:
      print("✓ \(name) \(check.sentence)")
    case .skipped(let reason):
      print("– \(name) skipped: \(oneLine(reason))")
    case .failed(let found, let advice):
      print("✕ \(name) \(check.sentence)")
      print("    found: \(oneLine(found))")
      print("    to do: \(told[advice].map { "as for \($0)" } ?? advice)")
      if told[advice] == nil { told[advice] = check.name }
    }
  }

  /// The program's own words, in one line of bounded length.
  private func oneLine(_ words: String) -> String { VisibleText(scalarLimit: 1_000)(words) }

  private func row(_ check: AdapterCheck) -> Row {
    let (name, sentence) = (check.name, check.sentence)
    return switch check.verdict {
    case .passed:
      Row(name: name, sentence: sentence, verdict: "passed")
    case .skipped(let reason):
      Row(name: name, sentence: sentence, verdict: "skipped", found: reason)
    case .failed(let found, let advice):
      Row(name: name, sentence: sentence, verdict: "failed", found: found, advice: advice)
    }
  }
}

extension ParsableCommand {
  /// The words that name an adapter, of those that a command passes through.
  func adapterWords(_ words: [String]) throws -> [String] {
    // Everything is passed through, a question for help included.
    if let first = words.first, ["--help", "-h", "-help"].contains(first) {
      throw CleanExit.helpRequest(self)
    }
    // What is passed through keeps the mark that ends the options.
    let words = Array(words.first == "--" ? words.dropFirst() : words[...])
    guard let first = words.first, !first.isEmpty else {
      throw ValidationError("Name an adapter's folder, or a command.")
    }
    // A folder takes no arguments, so that words behind it are refused.
    guard words.count == 1 || AdapterCheckup.folder(named: [first]) == nil else {
      throw ValidationError(
        "\(first) is a folder: options stand before it, and nothing stands behind it."
      )
    }
    return words
  }
}

extension AdapterCheckup {
  /// The adapter that words of a command line name: a folder with its `adapter.json`, or a command.
  init(named words: [String], _ limits: AdapterLimits) throws {
    if let folder = Self.folder(named: words) {
      try self.init(folder: folder, limits: limits)
    } else {
      let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      do {
        try self.init(words: words, in: here, limits: limits)
      } catch {
        // A word that names neither may have been meant as either; of a file the error says more.
        guard words.count == 1, !FileManager.default.fileExists(atPath: words[0]) else {
          throw error
        }
        throw FileFailure(
          "there is no adapter \(words[0])",
          reason: "no such folder, and no such program"
        )
      }
    }
  }

  /// The folder that words of a command line name, if they do.
  static func folder(named words: [String]) -> URL? {
    // A folder's path with a slash behind it names something; a file's does not.
    guard let path = words.first, words.count == 1,
      FileManager.default.fileExists(atPath: path + "/.")
    else { return nil }
    // As it was given: messages name it so, on every machine.
    return URL(fileURLWithPath: path)
  }
}
