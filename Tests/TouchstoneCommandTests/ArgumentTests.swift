import ArgumentParser
import Foundation
import PropertyEngine
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("Arguments")
struct ArgumentTests {
  @Test(
    "A length of time is a number and a unit",
    arguments: [
      ("20s", 20), ("5m", 300), ("2h", 7200), ("1.5m", 90), ("90", nil), ("0.25", nil), ("0", nil),
      ("-1s", nil), ("", nil), ("s", nil), ("5d", nil), ("5 s", nil), ("nan", nil), ("inf", nil),
      ("1e400s", nil), ("infh", nil), ("8760h", 31_536_000), ("8761h", nil), ("1e300s", nil),
    ] as [(String, Double?)]
  )
  func durations(text: String, seconds: Double?) {
    #expect((try? TimeSpan.withUnit(text))?.seconds == seconds)
  }

  @Test("A bare number is a length of time where the option's name says its unit")
  func bareSeconds() throws {
    #expect(try TimeSpan.inSeconds("90").seconds == 90)
    #expect(try TimeSpan.inSeconds("1.5m").seconds == 90)
    #expect(throws: (any Error).self) { try TimeSpan.inSeconds("0") }
  }

  @Test(
    "A length of time without a unit is refused with what to write",
    arguments: [
      ["check", "--budget", "5"], ["check", "--case-time", "5"], ["fuzz", "all", "--budget", "5"],
      ["adapter", "check", "--timeout", "5", "x"],
    ]
  )
  func missingUnits(words: [String]) throws {
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 64)
    #expect(
      outcome.complaints.contains("a unit is missing: write 5s, 5m or 5h"),
      "\(outcome.complaints)"
    )
  }

  @Test("A seed is a number, decimal or hexadecimal; without one the system gives it")
  func seeds() throws {
    #expect(try SeedOption.value(of: "42") == 42)
    #expect(try SeedOption.value(of: "0x2a") == 42)
    #expect(throws: (any Error).self) { try SeedOption.value(of: "x") }
    let drawn = try (0..<8).map { _ in try SeedOption.value(of: nil).value }
    #expect(drawn.allSatisfy { $0 <= UInt64(UInt32.max) })
    #expect(Set(drawn).count > 1)
  }

  @Test(
    "A command line that means nothing is usage, and exits with 64",
    arguments: [
      ["frobnicate"], ["check", "--cases", "0"], ["check", "--cases", "x"],
      ["check", "--open"], ["check", "--shard", "3/2"], ["check", "--shard", "x"],
      ["check", "--shard", "auto", "--seed", "1"],
      ["check", "--shard", "1/8", "--seed", "1", "--cases", "7"],
      ["check", "--shard", "1/2"],
      ["check", "--cases", "1", "--budget", "1s"], ["check", "--budget", "0s"],
      ["check", "--jobs", "0"], ["check", "--jobs", "257"], ["check", "--replicas", "9"],
      ["check", "--replicas", "1"], ["check", "--edits", "0"], ["check", "--edits", "-1"],
      ["check", "--require", "nothing"],
      ["check", "--law", "no.such.law"], ["check", "--seed", "x"], ["check", "--frob"],
      ["check", "--subject", "nobody"], ["check", "--subject", "mutant:nobody"],
      ["check", "--subject", ""], ["replay", "--subject", "nobody", "x"],
      ["worlds", "--subject", "nobody"], ["fuzz", "load", "--subject", "naive"],
      ["selftest", "--mutant", "nobody"], ["selftest", "--seed", "x"],
      ["selftest", "--report", ""], ["selftest", "--cases", "0"], ["selftest", "--jobs", "0"],
      ["shrink", "--steps", "0", "x"],
      ["selftest", "--generated", "0"], ["selftest", "--at-least", "95"],
      ["selftest", "--seconds", "1s"], ["selftest", "--generated", "1", "--mutant", "a"],
      ["selftest", "--generated", "1", "--shard", "1/2"], ["selftest", "--shard", "0/2"],
      ["selftest", "--mutant", "tie-break-reversed", "--shard", "1/2"],
      ["coverage", "--target", "tight"],
      ["fuzz", "load", "columns", "--shard", "1/3"], ["fuzz", "all", "--shard", "x"],
      ["fuzz", "--package", ".", "--shard", "1/2"],
      ["fuzz", "all", "--inputs", "5", "--shard", "1/2"],
      ["list"],
      ["list", "tables"], ["list", "laws", "--law", "merge.*"], ["show"],
      ["shrink"], ["shrink", "--steps", "x", "a"], ["replay"],
      ["worlds", "--replicas", "4"], ["worlds", "--edits", "5"],
      ["worlds", "mixed-lists"], ["report", "render"],
      ["report", "merge", "a"], ["report", "frob"], ["explain"], ["explain", "no.such.thing"],
      ["check", "--exclude-law", "no.such.law"], ["check", "--exclude-law", "*"], ["doctor", "x"],
      ["init", "a", "b"],
      ["fuzz"], ["fuzz", "none"], ["fuzz", "all", "--inputs", "0"], ["fuzz", "all", "--jobs", "0"],
      ["fuzz", "all", "--report", ""], ["fuzz", "load", "--inputs", "1", "--budget", "1s"],
      ["fuzz", "load", "--sanitizer", "memory"], ["shrink", "x", "--target", "load"],
      ["shrink", "x", "--subject", "naive"], ["fuzz", "--test", "x"],
      ["fuzz", "load", "--test", "x"], ["fuzz", "--package", ".", "--subject", "engine"],
    ]
  )
  func usage(words: [String]) throws {
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.complaints.hasPrefix("Error: "))
    // The usage of the subcommand, and not that of the program.
    let usage = outcome.complaintLines.first { $0.hasPrefix("Usage: ") } ?? ""
    let isProgram = ["frobnicate"].contains(words[0])
    #expect(usage.hasPrefix("Usage: touchstone \(isProgram ? "<" : words[0])"), "\(usage)")
    let help = outcome.complaintLines.last ?? ""
    #expect(help.hasPrefix("  See 'touchstone \(isProgram ? "-" : words[0])"), "\(help)")
  }

  @Test(
    "A number out of bounds, or a word that stands for others, is refused for what it is",
    arguments: [
      (["check", "--cases", "-1"], "'--cases <n>': write a whole number from 1 on"),
      (["check", "--edits", "-5"], "'--edits <n>': write a whole number from 1 to 2000"),
      (["check", "--edits", "2001"], "from 1 to 2000: the specification makes"),
      (["check", "--jobs", "-2"], "'--jobs <n>': write a whole number from 1 to 256"),
      (["check", "--replicas", "1"], "from 2 to 8: one replica has nothing to merge"),
      (["check", "--replicas", "99"], "'--replicas <n>': write a whole number from 2 to 8\n"),
      (["pace", "--count", "0"], "'--count <n>': write a whole number from 1 on"),
      (["damage", "--from", "-1"], "'--from <n>': write a whole number from 0 on"),
      (["check", "--budget", "-1s"], "'-1s' is invalid for '--budget <time>'"),
      (["check", "--seed", "-1"], "'-1' is no seed"),
      (["pace", "--seed", "18446744073709551616"], "is no seed: write a number below 2^64"),
      (["fuzz", "load", "all"], "'all' stands for every target: name it alone"),
      (["shrink", "--steps", "-1", "x"], "write a whole number from 1 on"),
      (["history", "--last", "-1", "x"], "write a whole number from 1 on"),
    ]
  )
  func negativeNumbers(words: [String], reason: String) throws {
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 64)
    #expect(outcome.complaints.contains(reason), "\(outcome.complaints)")
  }

  @Test(
    "A word where a whole number is due is refused with what to write",
    arguments: [
      (["check", "--cases", "ten"], "'--cases <n>': write a whole number from 1 on"),
      (["check", "--cases", "99999999999999999999"], "greatest number here is \(Int.max)"),
      (["check", "--replicas", "2.5"], "'--replicas <n>': write a whole number from 2 to 8"),
      (["check", "--edits", "x"], "'--edits <n>': write a whole number from 1 to 2000"),
      (["selftest", "--cases", "1k"], "'--cases <n>': write a whole number from 1 on"),
      (["shrink", "--steps", "x", "a"], "'--steps <n>': write a whole number from 1 on"),
      (["fuzz", "all", "--jobs", "all"], "'--jobs <n>': write a whole number from 1 to 256"),
    ]
  )
  func words(words: [String], reason: String) throws {
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 64)
    #expect(outcome.complaints.contains(reason), "\(outcome.complaints)")
  }

  @Test("The help still says what a number is where none is given")
  func defaultNumbers() throws {
    let help = try touchstone("shrink", "--help")
    #expect(help.output.contains("(default: 20000)"), "\(help.output)")
  }

  @Test(
    "The help of every subcommand names its options",
    arguments: [
      (
        "check",
        [
          "--subject", "--law", "--exclude-law", "--fail-fast", "--budget", "--cases", "--seed",
          "--jobs", "--case-time", "--case-memory", "--corpus", "--history",
          "--report", "--require", "--replicas", "--edits", "--adapters", "--json", "--open",
          "--shard",
        ]
      ),
      (
        "selftest",
        [
          "--mutant", "--target", "--package", "--cases", "--seed", "--jobs",
          "--report", "--json", "--generated", "--seconds", "--at-least", "--shard",
        ]
      ),
      ("damage", ["--seed", "--count", "--from", "--jobs"]),
      ("mutant", ["<target>", "--seed", "--cases", "--law", "--seconds", "--case-seconds"]),
      ("replay", ["--subject", "--target", "--adapters", "--json", "<path>"]),
      (
        "shrink",
        ["--steps", "--target", "--subject", "--output", "--adapters", "--json", "<path>"]
      ),
      (
        "fuzz",
        [
          "--budget", "--inputs", "--seed", "--subject", "--jobs", "--sanitizer", "--corpus",
          "--report", "--package", "--no-seeds", "--no-build", "--build-only", "--libfuzzer",
          "--test", "--type", "--build-argument", "--shard",
          "--json", "<target>", "--without-libfuzzer", "--coverage",
        ]
      ),
      ("history", ["--last", "--add", "--forget", "--forget-gone", "--json", "<dir>"]),
      ("show", ["--json", "<path>"]), ("list", ["--adapters", "--json", "<kind>"]),
      (
        "worlds",
        ["--subject", "--replicas", "--edits", "--cases", "--adapters", "--json", "<world>"]
      ),
      ("explain", ["--json", "<name>"]), ("doctor", ["--adapters", "--json"]),
      ("init", ["<dir>", "--for"]),
    ]
  )
  func help(command: String, options: [String]) throws {
    let outcome = try touchstone(command, "--help")
    #expect(outcome.status == 0)
    #expect(outcome.complaints.isEmpty)
    // The column of names: what stands first on an indented line that is not an example.
    let named = outcome.output.split(separator: "\n")
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("  touchstone ") }
      .compactMap { $0.split(separator: " ").first { $0.hasPrefix("--") || $0.hasPrefix("<") } }
    let common = ["--version", "--help"]
    for option in options { #expect(named.contains { $0 == option }, "\(option)") }
    #expect(Set(named.map(String.init)).subtracting(options + common) == [])
  }

  @Test("No line of a help text ends inside a sentence: the terminal's width decides")
  func wrapping() throws {
    struct Dump: Decodable {
      struct Command: Decodable {
        let commandName: String
        let discussion: String?
        let subcommands: [Command]?
        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
      }
      let command: Command
    }
    let outcome = try touchstone("--experimental-dump-help")
    let commands = try JSONDecoder().decode(Dump.self, from: Data(outcome.output.utf8)).command.all
    #expect(commands.count > 20)
    for command in commands {
      let lines = (command.discussion ?? "").components(separatedBy: "\n")
      for (line, next) in zip(lines, lines.dropFirst()) where next.first?.isLowercase == true {
        #expect(line.isEmpty || line.hasPrefix(" "), "\(command.commandName): \(line)")
      }
    }
  }

  @Test(
    "A misspelt subcommand is refused with the one that was likely meant",
    arguments: [
      (["chek"], "'check'"), (["doc", "hisotry", "x"], "'history'"),
      (["adapter", "chekc"], "'check'"),
      (["report", "marge", "a"], "'merge'"),
    ]
  )
  func subcommands(words: [String], meant: String) throws {
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 64)
    #expect(outcome.complaints.contains("Did you mean \(meant)?"), "\(outcome.complaints)")
  }

  @Test(
    "A misspelt word of a few is refused with the one that was likely meant, and with all",
    arguments: [
      (["list", "waypoint"], "'waypoints'"),
      (["adapter", "new", "--language", "pyton", "x"], "'python'"),
      (["init", "--for", "modle"], "'model'"), (["fuzz", "historys"], "'histories'"),
      (["replay", "--target", "historis", "x"], "'histories'"),
      (["selftest", "--target", "engin"], "'engine'"),
      (["fuzz", "load", "--sanitizer", "adress"], "'address'"),
      (["help", "chek"], "'check'"), (["help", "doc", "shwo"], "'show'"),
    ]
  )
  func enumerations(words: [String], meant: String) throws {
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.complaints.contains("Did you mean \(meant)?"), "\(outcome.complaints)")
    #expect(outcome.complaintLines.contains { $0.hasPrefix("Usage: touchstone ") })
  }

  @Test(
    "What the argument parser says of a word that it does not know gets a guess, else it stays",
    arguments: [
      (
        "Error: The value 'lows' is invalid for '<kind>'. "
          + "Please provide one of 'laws' and 'mutants'.\nUsage: x 'y'",
        "Error: The value 'lows' is invalid for '<kind>'. Did you mean 'laws'? "
          + "Please provide one of 'laws' and 'mutants'.\nUsage: x 'y'"
      ),
      (
        "Error: The value 'b1' is invalid for '--x <x>'. "
          + "Please provide one of the following:\n  - a\n  - b2\nHelp: y",
        "Error: The value 'b1' is invalid for '--x <x>'. Did you mean 'b2'? "
          + "Please provide one of the following:\n  - a\n  - b2\nHelp: y"
      ),
      (
        "Error: The value 'zzzzzz' is invalid for '<kind>'. "
          + "Please provide one of 'laws' and 'mutants'.\nUsage: zzzzzz",
        nil
      ),
      ("Error: The value 'x' is invalid for '--seconds <n>'\nUsage: y", nil),
      ("Error: Unknown option '--frob'", nil),
    ] as [(String, String?)]
  )
  func guesses(refusal: String, said: String?) {
    #expect(Touchstone.suggesting(refusal) == said)
  }

  @Test(
    "What was likely meant by a word in the wrong place is written out",
    arguments: [
      (["check", "engine"], "'engine'. Subjects are named by an option: --subject engine."),
      (
        ["check", "engine", "naive"],
        "'naive'. Subjects are named by an option: --subject engine --subject naive."
      ),
      (["check", "no-such-subject"], "Unexpected argument 'no-such-subject'\nUsage: "),
      (["--seed", "7"], "'--seed'. It belongs behind a subcommand: touchstone check --seed."),
      (["--frob"], "Unknown option '--frob'\nUsage: "),
      (
        ["selftest", "--mutant", "range-deletes-trap"],
        "`touchstone check --subject mutant:range-deletes-trap` judges it in workers."
      ),
      (
        ["worlds", "key", "--subject", "document-coder"],
        "'key' is no world of document-coder. Write mixed-lists, concurrent-drifts."
      ),
    ]
  )
  func advice(words: [String], said: String) throws {
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 64)
    #expect(outcome.complaints.contains(said), "\(outcome.complaints)")
  }

  @Test("Help for a subcommand that there is, is given")
  func helpCommand() throws {
    for words in [["help"], ["help", "check"], ["help", "doc", "show"]] {
      let outcome = try withFolder { try touchstone(words, in: $0) }
      #expect(outcome.status == 0)
      let path = (["touchstone"] + words.dropFirst()).joined(separator: " ")
      #expect(outcome.output.contains("USAGE: \(path) "), "\(outcome.output)")
    }
  }

  @Test("A seed of the environment, which tests alone read, is named where none is given")
  func environmentSeed() throws {
    #expect(SeedOption.warning([:]) == nil)
    #expect(SeedOption.warning(["TOUCHSTONE_SEED": ""]) == nil)
    let check =
      "TOUCHSTONE_SEED=abc touchstone check --subject naive --law merge.commutes --cases 2"
    try withFolder { folder in
      let outcome = try shell(check, in: folder)
      #expect(outcome.status == 0)
      let lines = outcome.complaintLines.filter { $0.contains("TOUCHSTONE_SEED") }
      #expect(
        lines == [
          "touchstone: TOUCHSTONE_SEED is not read here, tests alone read it; --seed gives a seed"
        ]
      )
      let short = "check --subject naive --law merge.commutes --budget 0.1s"
      let timed = try shell("TOUCHSTONE_CASES=9 touchstone \(short)", in: folder)
      #expect(timed.complaints.contains("TOUCHSTONE_CASES is not read here"), "\(timed.complaints)")
      #expect(!outcome.complaints.contains("TOUCHSTONE_CASES"))
      let others = try shell(
        "TOUCHSTONE_PROFILE=nightly TOUCHSTONE_HISTORY=x TOUCHSTONE_REPLAY=y touchstone \(short)",
        in: folder
      )
      let told = others.complaintLines.filter { $0.contains("is not read here") }
      // --budget says how long.
      #expect(told.count == 2, "\(others.complaints)")
      let seeded = try shell("\(check) --seed 1", in: folder)
      #expect(!seeded.complaints.contains("TOUCHSTONE_SEED"))
    }
  }

  @Test(
    "An empty argument is refused before it names the working folder",
    arguments: [
      ["show", ""], ["replay", ""], ["shrink", ""], ["explain", ""], ["init", ""],
      ["doc", "show", ""], ["report", "render", ""], ["report", "merge", "", "--output", "x"],
      ["history", ""],
    ]
  )
  func empty(words: [String]) throws {
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 64)
    #expect(outcome.complaints.contains("is empty: "), "\(outcome.complaints)")
  }

  @Test("A question for help is none for the program that an adapter's check starts")
  func adapterHelp() throws {
    let help = try touchstone("adapter", "check", "--help")
    #expect(help.status == 0)
    #expect(help.output.contains("USAGE: touchstone adapter check"))
  }

  @Test("No example in a command's help is wider than 80 columns, which would break its line")
  func helpWidths() {
    func all(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
      [command] + command.configuration.subcommands.flatMap(all)
    }
    let commands = all(Touchstone.self)
    #expect(commands.count > 20)
    for command in commands {
      for line in command.configuration.discussion.split(separator: "\n")
      where line.hasPrefix("  ") {
        #expect(line.count <= 80, "\(line)")
      }
    }
  }

  @Test("The help of the whole teaches where to start, and its version is one line")
  func overview() throws {
    let help = try touchstone("--help")
    #expect(help.status == 0)
    let commands = [
      "check", "selftest", "replay", "shrink", "show", "list", "worlds", "report", "doctor", "init",
    ]
    for command in commands { #expect(help.output.contains("  \(command) ")) }
    // No line of the overview is broken in the wrong place.
    let lines = help.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("  touchstone check --report DIR  ") })
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(help.output.contains("Exit status:"))
    let version = try touchstone("--version")
    #expect(version.status == 0)
    #expect(version.output.split(separator: "\n").count == 1)
  }
}
