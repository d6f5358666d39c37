import ArgumentParser
import ForeignSubjects
import Foundation
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("Adapters to start from", .serialized)
struct AdapterCommandTests {
  /// Whether a program that an adapter's command begins with is installed.
  private static func isInstalled(_ template: AdapterTemplate) -> Bool {
    let program = template.command[0] == "python" ? "python3" : template.command[0]
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  @Test(
    "What is written passes every check and keeps the laws",
    arguments: AdapterTemplate.allCases.filter(isInstalled)
  )
  func works(_ template: AdapterTemplate) throws {
    try withFolder { folder in
      let made = try touchstone(
        ["adapter", "new", "--language", template.rawValue, "adapters/mine"],
        in: folder
      )
      #expect(made.status == 0, "\(made.complaints)")
      // Rust is built before the clock of the first answer runs.
      let check = try touchstone(
        ["adapter", "check", "--timeout", "60s", "adapters/mine"],
        in: folder
      )
      #expect(check.status == 0, "\(check.output)\(check.complaints)")
      #expect(check.output.contains("21 passed, 0 failed, 0 skipped: the laws may be tried\n"))
      // The last line is what comes next, as it is typed.
      let next = try #require(check.output.split(separator: "\n").last)
      #expect(next == "touchstone check --adapters adapters --subject mine")
      let tried = try shell("\(next) --cases 10 --seed 1", in: folder)
      #expect(tried.status == 0, "\(tried.output)\(tried.complaints)")
      let laws = try touchstone(
        ["check", "--adapters", "adapters", "--subject", "mine", "--cases", "40", "--seed", "1"],
        in: folder
      )
      #expect(laws.status == 0, "\(laws.output)")
      let talk = try touchstone(["adapter", "run", "adapters/mine"], in: folder)
      #expect(talk.status == 0, "\(talk.complaints)")
      let lines = talk.output.split(separator: "\n")
      #expect(lines.count == 7)
      #expect(lines[0] == #"harness  {"n":1,"start":{"protocol":1}}"#)
      #expect(lines[3].hasPrefix("adapter  ") && lines[3].contains("Bread"), "\(lines[3])")
      let again = try touchstone(["adapter", "new", "adapters/mine"], in: folder)
      #expect(again.status == 2 && again.complaints.contains("exists already"))
    }
  }

  @Test(
    "The command that replays an adapter's failure runs as it stands in the report's folder",
    .enabled(if: isInstalled(.python))
  )
  func replays() throws {
    try withFolder { folder in
      let shelf = folder.appendingPathComponent("my shelf")
      let made = try touchstone(["adapter", "new", "my shelf/mine"], in: folder)
      #expect(made.status == 0, "\(made.complaints)")
      let toy = shelf.appendingPathComponent("mine/toy.py")
      let text = try String(contentsOf: toy, encoding: .utf8)
      // Nothing of others ever arrives.
      let deaf = text.replacing("self.log.update(log)", with: "pass")
      #expect(deaf != text)
      try Data(deaf.utf8).write(to: toy)
      let checked = try touchstone(
        ["check", "--adapters", "my shelf", "--subject", "mine", "--cases", "20", "--seed", "1"]
          + ["--report", "out/report"],
        in: folder
      )
      #expect(checked.status == 1, "\(checked.output)\(checked.complaints)")
      let report = folder.appendingPathComponent("out/report")
      let json = try JSONSerialization.jsonObject(
        with: Data(contentsOf: report.appendingPathComponent("report.json"))
      )
      let failures = try #require((json as? [String: Any])?["failures"] as? [[String: Any]])
      let commands = failures.compactMap { $0["replayCommand"] as? String }
      let command = try #require(commands.first)
      #expect(command.hasPrefix("touchstone replay --adapters '../../my shelf' failures/mine--"))
      let replayed = try shell(command, in: report)
      #expect(replayed.status == 1, "\(replayed.output)\(replayed.complaints)")
      // All forms of the report have the same command.
      for name in ["summary.md", "junit.xml", "results.sarif"] {
        let form = try String(contentsOf: report.appendingPathComponent(name), encoding: .utf8)
        #expect(form.contains("../../my shelf"), "\(name)")
      }
    }
  }

  @Test("An adapter whose folder has another name than its id is refused wherever it is named")
  func misnamed() throws {
    try withFolder { folder in
      let adapter = folder.appendingPathComponent("Adapters/mine")
      try FileManager.default.createDirectory(at: adapter, withIntermediateDirectories: true)
      try Data(#"{"id": "other", "command": ["/bin/cat"]}"#.utf8)
        .write(to: adapter.appendingPathComponent("adapter.json"))
      let words = "its id is 'other', and its folder is called 'mine': give both one name"
      for arguments in [["adapter", "check", "Adapters/mine"], ["check", "--subject", "mine"]] {
        let refused = try touchstone(arguments, in: folder)
        #expect(refused.status == 2)
        // By the path that was given, not by one of the machine.
        #expect(refused.complaints == "touchstone: Adapters/mine/adapter.json: \(words)\n")
      }
      try Data("[]".utf8).write(to: adapter.appendingPathComponent("adapter.json"))
      for (path, place) in [
        (".", folder.appendingPathComponent("Adapters/mine")), ("Adapters/mine/", folder),
      ] {
        for command in ["check", "run"] {
          let refused = try touchstone(["adapter", command, path], in: place)
          let file = path == "." ? "./adapter.json" : "Adapters/mine/adapter.json"
          #expect(refused.complaints.hasPrefix("touchstone: \(file): "), "\(refused.complaints)")
        }
      }
      try Data(#"{"id": "other", "command": ["/bin/cat"]}"#.utf8)
        .write(to: adapter.appendingPathComponent("adapter.json"))
      #expect(try touchstone(["list", "subjects"], in: folder).output.contains(words))
      let unknown = try touchstone(["check", "--subject", "other"], in: folder)
      #expect(!unknown.complaints.contains("Did you mean 'other'?"))
    }
  }

  @Test("A subject that does not start is one line of the list, without its traceback")
  func broken() throws {
    try withFolder { folder in
      let adapter = folder.appendingPathComponent("Adapters/broken")
      try FileManager.default.createDirectory(at: adapter, withIntermediateDirectories: true)
      let program =
        #"printf 'Traceback (most recent call last):\n  File \"a.py\"\nKeyError: 7\n' >&2; exit 1"#
      let manifest: [String: Any] = ["id": "broken", "command": ["/bin/sh", "-c", program]]
      try JSONSerialization.data(withJSONObject: manifest)
        .write(to: adapter.appendingPathComponent("adapter.json"))
      let list = try touchstone(["list", "subjects"], in: folder)
      #expect(list.status == 0, "\(list.complaints)")
      #expect(!(list.output + list.complaints).contains("Traceback"))
      let lines = list.output.split(separator: "\n").filter { $0.contains("KeyError: 7") }
      #expect(lines.count == 1 && lines[0].hasPrefix("broken  "), "\(list.output)")
      // Each line names a subject.
      let rows = try touchstone(["list", "subjects", "--json"], in: folder)
      let ids = (try rows.json as? [[String: Any]])?.compactMap { $0["id"] as? String }
      #expect(
        list.output.split(separator: "\n").map { $0.prefix { $0 != " " } } == ids?.map { $0[...] }
      )
    }
  }

  @Test("An adapter that is not written whole leaves nothing in the way of the next try")
  func halfWritten() throws {
    try withFolder { folder in
      let words = ["adapter", "new", "--language", "rust", "mine"]
      let full = try Executable.start(words, in: folder, fileBlockLimit: 4).outcome()
      #expect(full.status == 2)
      #expect(full.complaints.contains("mine/"), "\(full.complaints)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test("Templates of languages that are not here are written with their id in place")
  func ids() {
    for template in AdapterTemplate.allCases {
      let texts = template.files(id: "mine").map(\.text).joined()
      #expect(texts.contains("\"mine\"") || texts.contains("'mine'"), "\(template)")
      #expect(!texts.contains("\"template\"") && !texts.contains("'template'"), "\(template)")
      #expect(texts.contains("YOURS"))
    }
  }

  @Test("The template in Python is the adapter in Adapters/template")
  func python() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    for (path, text) in AdapterTemplate.python.files(id: "template") {
      let file = root.appendingPathComponent("Adapters/template/\(path)")
      #expect(try text == String(contentsOf: file, encoding: .utf8), "\(path)")
    }
  }

  @Test("How long an exit may take follows the option, and is as long as an answer without it")
  func timeouts() throws {
    let command = try AdapterCheckCommand.parse(["--timeout", "3s", "x"])
    #expect(command.limits.stopTimeoutMilliseconds == 3_000)
    let usual = try AdapterCheckCommand.parse(["x"])
    #expect(usual.limits.stopTimeoutMilliseconds == 10_000)
  }

  @Test("A word that stands for several subjects is no adapter's id")
  func reserved() throws {
    try withFolder { folder in
      for id in ["all", "mutant", "usual"] {
        let made = try touchstone(["adapter", "new", "Adapters/\(id)"], in: folder)
        #expect(made.status == 2)
        #expect(made.complaints.contains("take another id"), "\(made.complaints)")
        let adapter = folder.appendingPathComponent("Adapters/\(id)")
        try FileManager.default.createDirectory(at: adapter, withIntermediateDirectories: true)
        try Data(#"{"id": "\#(id)", "command": ["/bin/cat"]}"#.utf8)
          .write(to: adapter.appendingPathComponent("adapter.json"))
        let checked = try touchstone(["adapter", "check", "Adapters/\(id)"], in: folder)
        #expect(checked.status == 2)
        #expect(checked.complaints.contains("is a word of --subject"), "\(checked.complaints)")
      }
    }
  }

  @Test("An advice that several checks give is printed once")
  func advisesOnce() throws {
    try withFolder { folder in
      let made = try touchstone(["adapter", "new", "Adapters/mine"], in: folder)
      #expect(made.status == 0, "\(made.complaints)")
      let file = folder.appendingPathComponent("Adapters/mine/adapter.py")
      let text = try String(contentsOf: file, encoding: .utf8)
      let right = "[None, *shown[key]]"
      try #require(text.contains(right))
      let wrong = "[None, shown[key][0].replace('int', 'integer'), *shown[key][1:]]"
      try Data(text.replacing(right, with: wrong).utf8).write(to: file)
      let checked = try touchstone(["adapter", "check", "Adapters/mine"], in: folder)
      #expect(checked.status == 1)
      let found = #"expected a kind of scalar, found "integer". Did you mean 'int'?"#
      #expect(checked.output.contains(found), "\(checked.output)")
      let advices = checked.output.matches(of: /to do: Show each value as/)
      #expect(advices.count == 1, "\(checked.output)")
      #expect(checked.output.contains("to do: as for "), "\(checked.output)")
    }
  }

  @Test(
    "What is wrong with a known divergence is said by adapter check and by check",
    arguments: [
      (
        #""law": "merge.comutes", "condition": "puts""#, "puts",
        "knownDivergences.0.law: no law is called 'merge.comutes'. Did you mean 'merge.commutes'?"
      ),
      (
        #""law": "*", "condition": {"edit": {"kind": "delete"}}"#, nil,
        "knownDivergences.0.condition: it does not hold for the history in a.case"
      ),
      (
        #""law": "*", "condition": {"edit": {"kind": "put"}}"#, "puts",
        "no known divergence uses conditions.puts: take it out"
      ),
    ] as [(String, String?, String)]
  )
  func divergences(_ entry: String, _ named: String?, _ words: String) throws {
    try withFolder { folder in
      let made = try touchstone(["adapter", "new", "Adapters/mine"], in: folder)
      #expect(made.status == 0, "\(made.complaints)")
      let adapter = folder.appendingPathComponent("Adapters/mine")
      let example = """
        touchstone case 1
        law: merge.commutes
        subjects: mine
        choices:
        sample: history 1
          history 1
          base empty
          replicas 2
          healing merge
          r0 put root "k" int 1
        end

        """
      try Data(example.utf8).write(to: adapter.appendingPathComponent("a.case"))
      let file = adapter.appendingPathComponent("adapter.json")
      let text = try String(contentsOf: file, encoding: .utf8)
      let empty = "\"knownDivergences\": []"
      try #require(text.contains(empty))
      let conditions = named.map { "\"\($0)\": {\"edit\": {\"kind\": \"put\"}}" } ?? ""
      let listed = """
        "conditions": {\(conditions)},
        "knownDivergences": [{\(entry), "case": "a.case", "reason": "none"}]
        """
      try Data(text.replacing(empty, with: listed).utf8).write(to: file)
      let checked = try touchstone(["adapter", "check", "Adapters/mine"], in: folder)
      #expect(checked.status == 1)
      #expect(checked.output.contains(words), "\(checked.output)")
      let refused = try touchstone(["check", "--subject", "mine", "--cases", "1"], in: folder)
      #expect(refused.status == 2)
      #expect(refused.complaints.contains(words), "\(refused.complaints)")
    }
  }

  @Test("A name that is no id is refused, and so is a program that does not answer")
  func refusals() throws {
    try withFolder { folder in
      for name in ["Mine", "a_b", "-x"] {
        let outcome = try touchstone(["adapter", "new", "--", "x/\(name)"], in: folder)
        #expect(outcome.status == 2 && outcome.complaints.contains("is no id"), "\(name)")
      }
      let silent = try touchstone(["adapter", "run", "true"], in: folder)
      #expect(silent.status == 1)
      #expect(
        silent.complaints.hasPrefix("touchstone: The adapter true exited with status 0"),
        "\(silent.complaints)"
      )
      // A program that answers lines that are no answers is shown whole.
      let echo = try touchstone(["adapter", "run", "/bin/cat"], in: folder)
      #expect(echo.status == 1)
      #expect(echo.output.split(separator: "\n").count == 7)
      #expect(echo.complaints.contains("expected a member \"started\""), "\(echo.complaints)")
      let made = try touchstone(["adapter", "new", "adapters/mine"], in: folder)
      #expect(made.status == 0, "\(made.complaints)")
      let late = try touchstone(["adapter", "check", "adapters/mine", "--json"], in: folder)
      #expect(late.status == 64)
      #expect(late.complaints.contains("options stand before it"), "\(late.complaints)")
      let many = try touchstone(["adapter", "check", "adapters"], in: folder)
      #expect(many.status == 2)
      #expect(many.complaintLines.count == 1)
      let words =
        "adapter.json: there is no such file; name one of the adapters in the folder: mine"
      #expect(many.complaints.contains(words), "\(many.complaints)")
      for name in ["./nowhere", "adapters/none", "no-such-program"] {
        for command in ["run", "check"] {
          let outcome = try touchstone(["adapter", command, name], in: folder)
          #expect(outcome.status == 2)
          #expect(
            outcome.complaintLines == [
              "touchstone: there is no adapter \(name): no such folder, and no such program"
            ]
          )
        }
      }
      try Data("<html>".utf8).write(to: folder.appendingPathComponent("page.html"))
      for command in ["run", "check"] {
        for (path, words) in [
          ("page.html", "in the search path; the file in the working folder is ./page.html."),
          ("./page.html", "./page.html is not executable: chmod +x ./page.html."),
        ] {
          let file = try touchstone(["adapter", command, path], in: folder)
          #expect(file.status == 2)
          #expect(file.complaints.contains(words), "\(file.complaints)")
        }
      }
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: folder.appendingPathComponent("page.html").path
      )
      for command in ["run", "check"] {
        let file = try touchstone(["adapter", command, "./page.html"], in: folder)
        #expect(file.status == 2)
        #expect(file.output.isEmpty)
        #expect(file.complaints.contains("has no #! line"), "\(file.complaints)")
      }
      for words in [["new", ""], ["check", ""], ["run", ""]] {
        #expect(try touchstone(["adapter"] + words, in: folder).status == 64, "\(words)")
      }
      let help = try touchstone(["adapter", "run", "--help"], in: folder)
      #expect(help.status == 0 && help.output.contains("USAGE: touchstone adapter run"))
    }
  }
}
