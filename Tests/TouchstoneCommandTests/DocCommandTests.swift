import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("touchstone doc")
struct DocCommandTests {
  @Test("Every subcommand has help with an example")
  func help() {
    #expect(DocGroup.configuration.subcommands.count == 8)
    for command in DocGroup.configuration.subcommands {
      let name = command.configuration.commandName ?? ""
      let text = DocGroup.helpMessage(for: command, columns: 200)
      #expect(text.contains("touchstone doc \(name) "), "\(name)")
    }
  }

  @Test("export prints the winners; --full the rest")
  func export() throws {
    let run = try Program.doc("export", "--compact", Program.vector("conflict_three"))
    #expect(run.status == 0)
    #expect(run.text == "{\"k\":\"from c\"}\n")
    #expect(run.error.isEmpty)
    let full = try Program.doc("export", "--full", "--compact", Program.vector("conflict_three"))
    #expect(full.text.contains("\"value\":\"from a\""))
    let bytes = try Data(contentsOf: URL(filePath: Program.vector("one_key")))
    #expect(try Program.doc("export", "-", input: [UInt8](bytes)).text.contains("\"hello\""))
  }

  @Test("recover saves what is good, lists what was lost, and says so")
  func recover() throws {
    let good = [UInt8](try Data(contentsOf: URL(filePath: Program.vector("one_key"))))
    let whole = try Program.doc("recover", "-", input: good)
    #expect(whole.status == 0)
    #expect(whole.error.contains("nothing was lost"))
    let damaged = Array("not a chunk".utf8) + good + good.prefix(20)
    let run = try Program.doc("recover", "-", input: damaged)
    #expect(run.status == 1)
    #expect(run.output == whole.output)
    #expect(run.error.contains("lost: bytes 0..<11: a chunk begins with other bytes"))
    #expect(run.error.contains("lost: bytes \(11 + good.count)..<\(damaged.count)"))
    let export = try Program.doc("export", "--compact", "-", input: run.output)
    #expect(try export.text == Program.doc("export", "--compact", "-", input: good).text)
  }

  @Test("import makes a document that exports as it was, reproducibly")
  func importing() throws {
    let text = Array(#"{"a":[1,2.5],"b":"s"}"#.utf8)
    let arguments = ["import", "-", "--actor", "0a", "--time", "7", "--message", "m"]
    func made() throws -> Program.Run { try Program.doc(arguments, input: text) }
    let run = try made()
    #expect(run.status == 0, "\(run.error)")
    #expect(try made().output == run.output)
    let back = try Program.doc("export", "--compact", "-", input: run.output)
    #expect(back.text == "{\"a\":[1,2.5],\"b\":\"s\"}\n")
    let history = try Program.doc("history", "-", input: run.output)
    #expect(history.text.contains("  time 1970-01-01T00:00:07Z\n  message \"m\"\n"))
    #expect(try Program.doc("history", "--json", "-", input: run.output).text.hasPrefix("[\n"))
  }

  @Test("A number that is not kept digit for digit is named, and spelled otherwise it is kept")
  func inexactNumbers() throws {
    let text = #"{"a":3.14159265358979323846,"b":[1.50,2e2,0.1,-0.0,1E-7,5e-324],"c":1e-400}"#
    let run = try Program.doc(["import", "-"], input: Array(text.utf8))
    #expect(run.status == 0)
    #expect(
      run.error
        == "touchstone: 2 numbers have more digits than a double keeps: 3.14159265358979323846 "
        + "at byte 5 becomes 3.141592653589793\n"
    )
    let kept = try Program.doc(["import", "-"], input: Array(#"{"b":[1.50,2e2,0e99]}"#.utf8))
    #expect(kept.status == 0 && kept.error.isEmpty)
  }

  @Test("diff says what leads from one document to another, and nothing where they are one")
  func diff() throws {
    let (one, two) = (Program.vector("sync_one"), Program.vector("sync_two"))
    let run = try Program.doc("diff", one, two)
    #expect(run.status == 0 && run.error.isEmpty)
    #expect(run.text == "y: delete\nz: put int 2\n")
    #expect(try Program.doc("diff", two, one).text == "y: put int 1\nz: delete\n")
    #expect(try Program.doc("diff", one, one).output.isEmpty)
    #expect(try Program.doc("diff", one, Program.vector("bad_magic")).status == 2)
  }

  @Test("show tells one place or one moment, and history the last changes, as a graph as well")
  func moments() throws {
    try withFolder { folder in
      var paths: [String] = []
      for (actor, text) in [("0a", #"{"a":{"b":[1,{"c":2}]}}"#), ("0b", #"{"z":3}"#)] {
        paths.append(folder.appending(path: actor).path)
        let made = try Program.doc(
          ["import", "-", "--actor", actor, "--time", "1", "--output", paths[paths.count - 1]],
          input: Array(text.utf8)
        )
        #expect(made.status == 0)
      }
      let both = folder.appending(path: "both").path
      #expect(try Program.doc("merge", paths[0], paths[1], "--output", both).status == 0)
      let place = try Program.doc("show", "--path", "a/b/1", both)
      #expect(place.text == "[1]: map of 1\n  c: int 2\n")
      #expect(try Program.doc("show", "--path", "a/b/1/c", both).text == "c: int 2\n")
      #expect(try Program.doc("show", "--path", "a.b[1].c", both).text == "c: int 2\n")
      for path in ["a/x", "a/b/7", "a/b/x", "z/y", "a.x", "a.b[7]", "a.b.1"] {
        let run = try Program.doc("show", "--path", path, both)
        #expect(run.status == 2 && run.error.contains("there is nothing at \(path)"))
      }
      let graph = try Program.doc("history", "--graph", both).text.split(separator: "\n")
      #expect(graph.count == 2 && graph.allSatisfy { $0.hasPrefix("●  ") })
      let hash = try #require(graph.first { $0.contains("  0b  ") }?.split(separator: " ")[1])
      let earlier = try Program.doc("show", "--at", String(hash), both)
      #expect(earlier.text == "document: 1 change, 1 head\nz: int 3\n")
      #expect(try Program.doc("show", "--at", "ffff", both).error.contains("no change begins with"))
      #expect(try Program.doc("show", "--cursor", "1@77", both).error.contains("cursor 1@77"))
      #expect(
        try Program.doc("show", "--cursor", "here", both).error.contains("'here' is no cursor")
      )
      for heads in [",", "\(hash),", ",\(hash)", "\(hash),,\(hash)"] {
        let refused = try Program.doc("show", "--at", heads, both)
        #expect(refused.status == 64 && refused.output.isEmpty)
        #expect(refused.error.contains("'\(heads)' is no list of heads: write hashes"))
      }
      let winners = try Program.doc("export", "--cursor", "s", both)
      #expect(winners.error.contains("--cursor needs --full"))
      let last = try Program.doc("history", "--last", "1", both).text
      #expect(last.components(separatedBy: "change ").count == 2)
      #expect(try Program.doc("history", "--last", "0", both).status == 64)
    }
  }

  @Test("merge joins files into one that is written where asked")
  func merge() throws {
    let target = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: target) }
    let left = try Program.doc("import", "-", input: Array(#"{"l":1}"#.utf8))
    let source = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: source) }
    try Data(left.output).write(to: source)
    let right = try Program.doc("import", "-", input: Array(#"{"r":2}"#.utf8))
    let run = try Program.doc(
      "merge",
      source.path,
      "-",
      "--output",
      target.path,
      input: right.output
    )
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.isEmpty)
    #expect(try Program.doc("export", "--compact", target.path).text == "{\"l\":1,\"r\":2}\n")
    #expect(try Program.doc("merge", "-", "-").status == 64)
  }

  @Test("What is written to a pipe reaches its reader, and no file takes the pipe's place")
  func pipe() throws {
    try withFolder { folder in
      let source = Program.vector("one_key")
      let line = """
        mkfifo pipe
        cat pipe >copy &
        touchstone doc merge '\(source)' --output pipe || exit 3
        test -p pipe || { kill $!; exit 4; }
        wait
        """
      let outcome = try shell(line, in: folder)
      #expect(outcome.status == 0, "\(outcome.complaints)")
      let copy = try Data(contentsOf: folder.appendingPathComponent("copy"))
      #expect(try Array(copy) == Program.doc("merge", source).output)
    }
    #expect(try Program.doc("merge", Program.vector("one_key"), "--output", "").status == 64)
  }

  @Test(
    "A file that is replaced keeps who may read it, and stays whole where the disk takes no more"
  )
  func replaced() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("notes")
      try Data(contentsOf: URL(filePath: Program.vector("one_key"))).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      #expect(
        try touchstone(["doc", "merge", "notes", "--output", "notes"], in: folder).status == 0
      )
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o600)
      let before = try Data(contentsOf: file)
      let large = Program.root("fixtures/documents/clownschool.automerge").path
      let running = try Executable.start(
        ["doc", "merge", large, "--output", "notes"],
        in: folder,
        fileBlockLimit: 4
      )
      let full = try running.outcome()
      #expect(full.status == 2)
      #expect(full.complaints.contains("than this process may write"), "\(full.complaints)")
      #expect(try Data(contentsOf: file) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes"])
    }
  }

  @Test("An empty file is a document, and that it is empty is said")
  func empty() throws {
    let said = "touchstone: the standard input is empty: a document without changes\n"
    let show = try Program.doc("show", "-")
    #expect(show.status == 0 && show.text == "document: 0 changes, 0 heads\n" && show.error == said)
    for words in [
      ["export", "-"], ["merge", "-", Program.vector("one_key")], ["history", "-"],
      ["examine", "-"], ["recover", "-"], ["diff", "-", Program.vector("one_key")],
    ] {
      let run = try Program.doc(words)
      #expect(run.status == 0 && run.error.hasPrefix(said), "\(words): \(run.error)")
    }
  }

  @Test("A document is not written to a terminal, whose user is told what to do")
  func terminal() throws {
    try DocOutputOption.parse([]).requireNoTerminal(false)
    try DocOutputOption.parse(["--output", "x"]).requireNoTerminal(true)
    #expect(throws: DocFiles.Failure.self) { try DocOutputOption.parse([]).requireNoTerminal(true) }
    let file = Program.vector("one_key")
    // The end of a new terminal from which its text would be read is one itself, on Linux.
    let terminal = try #require(FileHandle(forUpdatingAtPath: "/dev/ptmx"))
    guard isatty(terminal.fileDescriptor) == 1 else { return }
    for arguments in [["import", "-"], ["merge", file], ["recover", file]] {
      let complaints = Pipe()
      let process = Process()
      process.executableURL = try Program.executable()
      process.arguments = ["doc"] + arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = terminal
      process.standardError = complaints
      try process.run()
      let said = String(
        decoding: complaints.fileHandleForReading.readDataToEndOfFile(),
        as: UTF8.self
      )
      process.waitUntilExit()
      #expect(process.terminationStatus == 2, "\(arguments)")
      #expect(
        said.contains("is not written to a terminal: name a file with --output FILE"),
        "\(said)"
      )
    }
  }

  @Test("show and examine tell what a file holds")
  func looking() throws {
    let show = try Program.doc("show", Program.vector("nested"))
    #expect(show.text.hasPrefix("document: 1 change, 1 head\nm: map of 1\n"))
    let sound = try Program.doc("examine", Program.vector("nested"))
    #expect(sound.status == 0)
    #expect(sound.text.hasSuffix("\nsound\n"))
    let damaged = try Program.doc("examine", Program.vector("bad_checksum"))
    #expect(damaged.status == 1)
    #expect(damaged.text.contains("damaged: the checksum is not that of the content at byte 4 in "))
    #expect(damaged.text.contains("\nchunk 1: change at byte 0"))
    // Of another kind of file, what stands where a chunk says what it is means nothing.
    let foreign = try Program.doc("examine", Program.root("README.md").path)
    #expect(foreign.status == 1)
    #expect(foreign.text.contains("\nchunk 1, if it is one: "), "\(foreign.text)")
  }

  @Test("examine --operations lists what each operation did, of long changes the first")
  func operations() throws {
    let file = Program.vector("delete_vs_put")
    let plain = try Program.doc("examine", file)
    #expect(!plain.text.contains("operations of change"))
    let run = try Program.doc("examine", "--operations", file)
    #expect(run.status == 0)
    #expect(run.text.hasPrefix(plain.text))
    #expect(run.text.contains("\noperations of change "))
    #expect(run.text.contains(": delete (over "))
    let long = try Program.doc("examine", "--operations", Program.attack("nulls-1k.chg"))
    #expect(long.text.hasSuffix("more operations: --whole lists all\n"))
    #expect(long.text.split(separator: "\n").count < 300)
    let all = ["examine", "--operations", "--whole", Program.attack("nulls-1k.chg")]
    let whole = try Program.doc(all)
    #expect(whole.text.split(separator: "\n").count > 1_000)
    #expect(try Program.doc("examine", "--whole", file).status == 64)
  }

  @Test("A document that nests deeply is looked at, or refused in a line")
  func nested() throws {
    for kind in ["lists", "maps"] {
      let (shallow, deep) = (
        Program.attack("nested-\(kind)-400.chg"), Program.attack("nested-\(kind)-10k.chg")
      )
      for words in [["show"], ["export"], ["examine", "--operations"], ["history"]] {
        #expect(try Program.doc(words + [shallow]).status == 0, "\(words)")
      }
      for words in [["show"], ["export"]] {
        let run = try Program.doc(words + [deep])
        #expect(run.status == 2, "\(words)")
        #expect(run.error.contains("deeper than 500 objects"), "\(run.error)")
      }
      for words in [["examine", "--operations"], ["history"]] {
        #expect(try Program.doc(words + [deep]).status == 0, "\(words)")
      }
    }
  }

  @Test("Changes that wait are counted, with what they wait for, wherever a document is looked at")
  func waiting() throws {
    let vector = Program.vector("orphan_after_document")
    let shown = try Program.doc("show", vector)
    #expect(shown.status == 0)
    let lines = shown.text.split(separator: "\n").map(String.init)
    #expect(lines[1] == "waiting: 1 change, until what it builds on is there:", "\(lines)")
    let missing = lines[2]
    #expect(missing.wholeMatch(of: /[ ]{2}[0-9a-f]{64}/) != nil)
    let words = "\(lines[1])\n\(missing)\n"
    let history = try Program.doc("history", vector)
    #expect(history.text.hasSuffix("\n\n\(words)"))
    #expect(try Program.doc("history", "--graph", vector).text.hasSuffix("\n\n\(words)"))
    #expect(try Program.doc("examine", vector).text.hasSuffix("\n\n\(words)sound\n"))
    // What programs read says nothing else than before.
    for arguments in [["history", "--json"], ["export"], ["merge"]] {
      let run = try Program.doc(arguments + [vector])
      #expect(run.status == 0)
      #expect(run.error == words, "\(arguments)")
    }
    #expect(try !Program.doc("show", Program.vector("one_key")).text.contains("waiting"))
  }

  @Test(
    "What goes wrong is one line that says what to do",
    arguments: [
      (["export", "/nowhere.automerge"], "", "give the path of a file"),
      (["show", "/"], "", "cannot read /: a folder is in the place of the file; give the path"),
      (["show", Program.vector("bad_checksum")], "", "touchstone doc examine"),
      (["show", Program.root("README.md").path], "", "README.md is not an Automerge file ("),
      (["import", "-"], "[1]", "wrap it"),
      (["import", "-"], "{", "fix the text"),
      (["import", "-", "--output", "/nowhere/x"], "{}", "x: there is no such folder; give a path"),
      (["import", "-", "--output", "/"], "{}", "a folder is in the place of the file"),
      (["import", "-", "--output", "/dev/null/x"], "{}", "a file is in the place of a folder"),
      (["show", "/dev/null/x"], "", "null/x: a file is in the place of a folder"),
    ]
  )
  func failures(_ arguments: [String], _ input: String, _ advice: String) throws {
    let run = try Program.doc(arguments, input: Array(input.utf8))
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.error.hasPrefix("touchstone: "))
    #expect(run.error.split(separator: "\n").count == 1, "\(run.error)")
    #expect(run.error.contains(advice), "\(run.error)")
  }
}
