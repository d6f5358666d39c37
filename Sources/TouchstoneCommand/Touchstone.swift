import ArgumentParser
import Campaigns
import CaseFiles
import Foundation
import Subjects
import SystemCalls
import Texts

/// The command `touchstone`.
@main
struct Touchstone: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchstone",
    abstract: "Judges CRDT engines, coders, records and stores by laws on random samples.",
    discussion: """
      Start here:
        touchstone check                        all that is set up, a minute in all
        touchstone check --cases 1000 --seed 7  the same cases every time
        touchstone list laws                    what is demanded
        touchstone explain merge.commutes       a law, mutant or waypoint in full
        touchstone fuzz all --budget 5m         guided by coverage (on Linux)
        touchstone selftest                     does it find bugs put in on purpose?
        touchstone doctor                       what is installed, what is missing
        touchstone init                         a first test in your own package

      A violated law leaves a case file, with the smallest history that was found:
        touchstone show FILE                    look at it
        touchstone replay FILE                  judge it again

      Automerge files, as a tree, as JSON, merged, compared or recovered:
        touchstone doc --help

      A subject in another language:
        touchstone adapter new --language rust Adapters/mine

      A report is a folder, with a page to read and files for other tools:
        touchstone check --report DIR           writes one: open DIR/index.html
        touchstone report merge A B --output C  one report of several runs
        touchstone report compare A B           what fails since A, what no longer
        touchstone check --history DIR          keeps runs
        touchstone history DIR                  lists them

      Exit status:
        0    all laws held, or a departure is known and listed
        1    a law was violated
        2    a subject or the harness failed, nothing ran, a file was not read,
             or output was lost, as its reader ended (`| head -1`)
        64   the command was not understood, or names what is not there
        130  Ctrl-C ended the run
        143  SIGTERM ended the run
      """,
    version: TouchstoneProgram.version,
    subcommands: [
      CheckCommand.self, FuzzCommand.self, SelfTestCommand.self, ReplayCommand.self,
      ShrinkCommand.self, ShowCommand.self, ListCommand.self, ExplainCommand.self,
      WorldsCommand.self,
      ReportCommand.self, HistoryCommand.self,
      DoctorCommand.self, InitCommand.self, AdapterGroup.self, DocGroup.self, MutantCommand.self,
      StoreCommand.self,
    ],
    groupedSubcommands: [
      CommandGroup(
        name: "Maintainer",
        subcommands: [CoverageCommand.self, DamageCommand.self, PaceCommand.self]
      )
    ]
  )

  /// A subcommand as it is called: its words, and what they name.
  private struct Invocation {
    var path = ["touchstone"]
    var command: any ParsableCommand.Type = Touchstone.self

    /// A refusal of it, in the words of the argument parser, with its own usage.
    func refusal(_ error: ValidationError) -> String {
      let usage =
        command == Touchstone.self
        ? Touchstone.usageString() : Touchstone.usageString(for: command)
      return "Error: \(error.message)\nUsage: \(usage)\n"
        + "  See '\(path.joined(separator: " ")) --help' for more information."
    }
  }

  /// The subcommand that the first words name.
  ///
  /// - Returns: It, and why the next word names none of its subcommands, with the one that was likely meant.
  private static func invocation(_ words: [String]) -> (Invocation, ValidationError?) {
    var invocation = Invocation()
    // `help check` names a subcommand as `check --help` does.
    for word in words.first == "help" ? words.dropFirst() : words[...] {
      let subcommands = subcommands(of: invocation.command)
      if subcommands.isEmpty || word.hasPrefix("-") || word == "help" { break }
      guard let next = subcommands[word] else {
        let guess = suggestion(for: word, among: subcommands.keys)
        let path = invocation.path.joined(separator: " ")
        return (
          invocation, ValidationError("There is no subcommand '\(word)' of \(path).\(guess)")
        )
      }
      invocation.command = next
      invocation.path.append(word)
    }
    return (invocation, nil)
  }

  /// The words with each negative number joined to the option before it: alone it would be taken for an option.
  static func joiningNegativeNumbers(_ words: [String]) -> [String] {
    var joined: [String] = []
    for word in words {
      if word.wholeMatch(of: /-[0-9].*/) != nil, let option = joined.last,
        option.wholeMatch(of: /--[a-z][a-z-]*/) != nil
      {
        joined[joined.count - 1] = "\(option)=\(word)"
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  /// Why a word that names a file, a folder or anything else may not be empty: a shell's variable that is unset
  /// would name the working folder.
  ///
  /// What follows an option may be, as far as that option knows.
  private static func emptyArgument(_ words: [String], of path: [String]) -> ValidationError? {
    let isOfAdapter = path.dropFirst().first == AdapterGroup.configuration.commandName
    if isOfAdapter, path.last != AdapterNewCommand.configuration.commandName { return nil }
    let place = words.indices.first { index in
      words[index].isEmpty && (index == 0 || !words[index - 1].hasPrefix("-"))
    }
    return place.map { _ in
      ValidationError("An argument is empty: give a name or a path, or leave it out.")
    }
  }

  /// Why a word that is no text may not be: repaired to one, it would name another file than was meant.
  private static var foreignArgument: ValidationError? {
    ProcessStart.argumentsAreText
      ? nil : ValidationError("An argument is not UTF-8: files and folders are named by text here.")
  }

  /// Why nothing can be done in a folder that was removed: relative paths lead nowhere, and no process starts.
  private static var lostFolder: String? {
    FileManager.default.currentDirectoryPath.isEmpty
      ? "the working folder is gone: go to one that is there" : nil
  }

  private static func subcommands(
    of command: any ParsableCommand.Type
  ) -> [String: any ParsableCommand.Type] {
    var subcommands: [String: any ParsableCommand.Type] = [:]
    for subcommand in command.configuration.subcommands {
      if let name = subcommand.configuration.commandName { subcommands[name] = subcommand }
    }
    return subcommands
  }

  /// Whether nothing but text is asked for, which takes no files.
  private static func asksForHelp(_ words: [String]) -> Bool {
    words.isEmpty || words.first == "help"
      || !Set(words).isDisjoint(with: ["-h", "--help", "--help-hidden", "--version"])
  }

  /// What ends the program after a command threw an error: the error itself if it names an exit status, refuses the
  /// command line or asks for help, and otherwise the status for a failed harness.
  private static func outcome(of error: any Error) -> any Error {
    if error is ExitCode || error is ValidationError || exitCode(for: error).isSuccess {
      return error
    }
    return failure(error)
  }

  /// The refusal of a value that is one of a few words, with the words that were likely meant; `nil` for all else.
  ///
  /// The argument parser, which knows what an option may be, names all that it may be and suggests none.
  static func suggesting(_ refusal: String) -> String? {
    guard
      let match = refusal.firstMatch(
        of: /The value '(.*)' is invalid for '.*'\.( Please provide one of )/
      )
    else { return nil }
    // Either `'a', 'b' or 'c'.`, or a line for each behind a hyphen.
    let rest = refusal[match.range.upperBound...]
    let list = rest.firstMatch(of: /\n(Help|Usage):/).map { rest[..<$0.range.lowerBound] } ?? rest
    let quoted = list.matches(of: /'([^']+)'/).map { String($0.1) }
    let listed = list.matches(of: /\n  - ([^\n]+)/).map { String($0.1) }
    let guess = suggestion(for: String(match.1), among: listed.isEmpty ? quoted : listed)
    guard !guess.isEmpty else { return nil }
    return refusal[..<match.2.startIndex] + guess + refusal[match.2.startIndex...]
  }

  /// The refusal of subjects that were named without their option, or of an option in front of its subcommand, with
  /// how to write it; `nil` for all else.
  static func advising(_ refusal: String, of command: any ParsableCommand.Type) -> String? {
    let line = refusal.prefix { !$0.isNewline }
    let words = line.matches(of: /'([^']+)'/).map { String($0.1) }
    var advice: String?
    if line.contains("nexpected argument"), takes("--subject", command),
      !words.isEmpty, words.allSatisfy(isSubject)
    {
      advice =
        "Subjects are named by an option: "
        + words.map { "--subject \($0)" }.joined(separator: " ") + "."
    } else if command == Touchstone.self, let option = words.first, line.contains("Unknown option"),
      let owner = configuration.subcommands.first(where: { takes(option, $0) }),
      let name = owner.configuration.commandName
    {
      advice = "It belongs behind a subcommand: touchstone \(name) \(option)."
    }
    guard let advice else { return nil }
    return line + (line.hasSuffix(".") ? " " : ". ") + advice + refusal.dropFirst(line.count)
  }

  /// Whether a subcommand's help has an option.
  private static func takes(_ option: String, _ command: any ParsableCommand.Type) -> Bool {
    guard command != Touchstone.self else { return false }
    return helpMessage(for: command).split { !($0.isLetter || $0.isNumber || $0 == "-") }
      .contains { $0 == option }
  }

  /// Whether a word is the id of a subject that all commands find.
  private static func isSubject(_ word: String) -> Bool {
    let adapters = URL(fileURLWithPath: "Adapters")
    return (try? SubjectRegistry(adapters: adapters).requireNames([word])) != nil
  }

  /// The command that the words name.
  ///
  /// - Throws: What the argument parser does; the status for a failed harness where what an option names could not
  ///   be read, which is neither a mistake in the words nor a question for help.
  private static func parsed(_ words: [String]) throws -> any ParsableCommand {
    do {
      return try parseAsRoot(words)
    } catch {
      guard exitCode(for: error) == .failure else { throw error }
      complain("touchstone: \(message(for: error))")
      throw ExitCode(2)
    }
  }

  static func main() {
    Output.prepare()
    silenceDocumentLog()
    let shortage = Descriptors.prepare() ?? lostFolder
    var words = Array(CommandLine.arguments.dropFirst())
    let (invocation, refusal) = invocation(words)
    // What follows there belongs to the adapter's program.
    if invocation.path.dropFirst().first != AdapterGroup.configuration.commandName {
      words = joiningNegativeNumbers(words)
    }
    var ending: (any Error)?
    do {
      if let refusal = refusal ?? foreignArgument { throw refusal }
      if let refusal = emptyArgument(words, of: invocation.path) { throw refusal }
      var command = try parsed(words)
      if let shortage, !asksForHelp(words) {
        complain("touchstone: \(shortage)")
        throw ExitCode(2)
      }
      do { try command.run() } catch { throw outcome(of: error) }
    } catch let error as ValidationError {
      // An error that is thrown while a command runs does not say which command that was.
      complain(invocation.refusal(error))
      ending = ExitCode.validationFailure
    } catch {
      ending = error
      if exitCode(for: error) == .validationFailure,
        let refusal = suggesting(fullMessage(for: error))
          ?? advising(fullMessage(for: error), of: invocation.command)
      {
        complain(refusal)
        ending = ExitCode.validationFailure
      }
    }
    // Help and the version: the argument parser would print them, and not notice that they are lost.
    if let asked = ending, exitCode(for: asked).isSuccess {
      let text = fullMessage(for: asked)
      if !text.isEmpty {
        Output.write(text + "\n")
        ending = nil
      }
    }
    // A run that its reader ended may have had nothing to write.
    if let loss = Output.loss ?? (Interruption.isOfReader ? FileFailure.readerEnded : nil) {
      complain("touchstone: cannot write to the standard output: \(loss)")
      if ending.map({ exitCode(for: $0).isSuccess }) ?? true { ending = ExitCode(2) }
    }
    exit(withError: ending)
  }
}
