import Foundation
import Histories
import TestSupport
import Testing

@testable import ForeignSubjects

/// The template adapter with one thing made wrong, and the checks that must say so.
struct BadAdapter: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// What stands in the template, and what stands in this one instead.
  let right: String
  let wrong: String
  let failing: Set<String>

  init(_ name: String, _ right: String, _ wrong: String, fails failing: Set<String>) {
    testDescription = name
    self.right = right
    self.wrong = wrong
    self.failing = failing
  }

  static let all = [
    BadAdapter(
      "a banner on standard output",
      "import json\nimport sys\n",
      "import json\nimport sys\nprint('welcome', flush=True)\n",
      fails: ["handshake"]
    ),
    BadAdapter(
      "another version of the protocol",
      #""protocol": 1"#,
      #""protocol": 2"#,
      fails: ["handshake"]
    ),
    BadAdapter("another id", #""id": "template""#, #""id": "other""#, fails: ["handshake"]),
    BadAdapter(
      "another introduction each time",
      #""version": "1""#,
      #""version": str(__import__("time").time_ns())"#,
      fails: Set(AdapterProbe.all.map(\.name)).subtracting([
        "capabilities.usable", "divergences.listed",
      ])
    ),
    BadAdapter(
      "objects that it cannot make",
      #""objects": []"#,
      #""objects": ["map"]"#,
      fails: ["capabilities.usable"]
    ),
    BadAdapter(
      "an answer to a request that there is not",
      #"return {"error": "there is no such request"}"#,
      #"return {"pong": {}}"#,
      fails: ["request.unknown"]
    ),
    BadAdapter(
      "integers that pass through a float",
      "            document.write(slot, value)",
      """
                  if value[0] == "int":
                      value = ["int", str(int(float(value[1])))]
                  document.write(slot, value)
      """,
      fails: ["scalars"]
    ),
    BadAdapter(
      "silence on a line that is no request",
      "    request = json.loads(line)\n",
      "    try:\n        request = json.loads(line)\n    except Exception:\n        continue\n",
      fails: ["request.malformed"]
    ),
    BadAdapter(
      "an answer to a line that is no request",
      "    request = json.loads(line)\n",
      """
          try:
              request = json.loads(line)
          except Exception:
              request = {"n": 2, "ping": {}}

      """,
      fails: ["request.malformed"]
    ),
    BadAdapter(
      "an instruction that fails ends the program",
      #"return ["failed", f"{type(error).__name__}: {error}"]"#,
      "raise",
      fails: ["instruction.unknown", "run.fresh", "run.what-is-not-there"]
    ),
    BadAdapter(
      "an unknown edit that is carried out",
      #"raise Refusal(f"there is no edit {name}")"#,
      "pass",
      fails: ["instruction.unknown"]
    ),
    BadAdapter(
      "a delete that keeps the key",
      "document.write(slot, None)",
      "pass",
      fails: ["edits"]
    ),
    BadAdapter(
      "a time that comes back as a number",
      "[None, *shown[key]]",
      #"[None, *(["int", *shown[key][1:]] if shown[key][0] == "timestamp" else shown[key])]"#,
      fails: ["scalars"]
    ),
    BadAdapter(
      "keys that are normalised",
      "document.write(slot, value)",
      #"document.write(__import__("unicodedata").normalize("NFC", slot), value)"#,
      fails: ["strings"]
    ),
    BadAdapter(
      "documents that outlive their program",
      "self.documents = {}",
      "self.documents = DOCUMENTS",
      fails: ["run.fresh"]
    ),
    BadAdapter(
      "an edit of nothing that succeeds",
      "        document = self.documents[number]\n        try:\n            self",
      "        document = self.documents.get(number, Document('x'))\n        try:\n            self",
      fails: ["run.what-is-not-there"]
    ),
    BadAdapter(
      "a message that never arrives",
      "        self.documents[number].take(other.log)\n\n    def save",
      "        self.documents[number].take({})\n\n    def save",
      fails: ["instructions", "run.copies"]
    ),
    BadAdapter(
      "a message that is the living document",
      #"self.messages[message] = document.fork("courier")"#,
      "self.messages[message] = document",
      fails: ["run.copies"]
    ),
    BadAdapter(
      "a writer that counts from the start again after a load",
      "self.documents[number] = Document.load(self.slots[slot], actor)",
      """
      self.documents[number] = Document.load(self.slots[slot], actor)
              self.documents[number].clock = 0
      """,
      fails: ["run.second-life"]
    ),
    BadAdapter(
      "edits that take long",
      "            self.carry_out(document, *edit)",
      "            __import__('time').sleep(0.01)\n            self.carry_out(document, *edit)",
      fails: ["run.large"]
    ),
    BadAdapter(
      "a state that depends on the clock",
      #""root": {"map""#,
      #""heads": ["clock", str(__import__("time").time_ns())], "root": {"map""#,
      fails: ["instructions", "run.what-is-not-there", "run.repeats", "run.copies"]
    ),
    BadAdapter(
      "stop is not heard",
      #"if "stop" in request:"#,
      #"if "halt" in request:"#,
      fails: ["stop"]
    ),
    BadAdapter(
      "the end of input is not the end",
      "        break\n    print",
      "        sys.exit()\n    print",
      fails: ["end-of-input"]
    ),
  ]

  /// What is put around the template so that a wrong piece has what it names.
  private static let additions: [String: (start: String, end: String)] = [
    "documents that outlive their program": ("DOCUMENTS = {}\n", ""),
    "the end of input is not the end": ("", "\n__import__('time').sleep(600)\n"),
  ]

  /// A folder with the adapter; its maker removes it.
  func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: TemplateAdapter.folder, to: folder)
    let file = folder.appendingPathComponent("adapter.py")
    let text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: right)
    try #require(parts.count == 2, "the template has the text to replace once")
    let added = Self.additions[testDescription] ?? ("", "")
    let bad = added.start + parts.joined(separator: wrong) + added.end
    try Data(bad.utf8).write(to: file)
    return folder
  }
}

/// The template with another way to print its answers: the same JSON, written as other languages do.
enum AdapterPrinter: String, CaseIterable, Sendable {
  /// All but quotes, backslashes and controls as it is, U+FEFF at the start of a string among it: as
  /// `JSON.stringify` of JavaScript and `serde_json` of Rust.
  case raw
  /// What could end a script is escaped, everything else is as it is: as `encoding/json` of Go.
  case scripts
  /// Solidus escaped, digits in capitals, blanks wherever they may be.
  case capitals
  /// No character of a string stands for itself.
  case numbers

  /// The function of Python that prints a value.
  private var function: String {
    switch self {
    case .raw:
      """
      def printed(value):
          return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
      """
    case .scripts:
      #"""
      def printed(value):
          text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
          for sign in "<>&\u2028\u2029":
              text = text.replace(sign, f"\\u{ord(sign):04x}")
          return text
      """#
    case .capitals:
      #"""
      def printed(value):
          import re
          text = json.dumps(value, separators=(" ,\t", " : ")).replace("/", "\\/")
          return re.sub(r"(?<!\\)((?:\\\\)*\\u)(\w{4})", lambda m: m[1] + m[2].upper(), text)
      """#
    case .numbers:
      #"""
      def printed(value):
          if isinstance(value, str):
              data = value.encode("utf-16-be", "surrogatepass").hex()
              return '"' + "".join("\\u" + data[at:at + 4] for at in range(0, len(data), 4)) + '"'
          if isinstance(value, dict):
              return "{" + ",".join(printed(k) + ":" + printed(v) for k, v in value.items()) + "}"
          if isinstance(value, (list, tuple)):
              return "[" + ",".join(map(printed, value)) + "]"
          return json.dumps(value)
      """#
    }
  }

  /// A folder with the adapter; its maker removes it.
  func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: TemplateAdapter.folder, to: folder)
    let file = folder.appendingPathComponent("adapter.py")
    let template = try String(contentsOf: file, encoding: .utf8)
    let call = "print(json.dumps("
    try #require(template.components(separatedBy: call).count == 2)
    let imports = "import json\nimport sys\n"
    let start = "\(imports)\nsys.stdout.reconfigure(encoding=\"utf-8\")\n\n\(function)\n"
    let text = template.replacing(call, with: "print(printed(").replacing(imports, with: start)
    try #require(text.contains("def printed"))
    try Data(text.utf8).write(to: file)
    return folder
  }
}

/// The template, which needs no library but Python's own.
enum TemplateAdapter {
  static let folder = RealAutomerge.packageRoot.appendingPathComponent("Adapters/template")

  /// Whether there is any Python.
  static let hasPython = (try? AdapterCheckup(folder: folder, limits: .unhurried)) != nil
}

extension AdapterLimits {
  /// For checks that wait for an exit: a machine under load starts and ends processes slowly.
  fileprivate static var unhurried: AdapterLimits {
    var limits = AdapterLimits.patient
    limits.stopTimeoutMilliseconds = 15_000
    return limits
  }
}

// Parallel, though a deadline is part of what is tested: cases that follow one another would end alone,
// while a core is idle. Deadlines leave room for a machine that is busy.
@Suite("The line protocol's own checks", .enabled(if: TemplateAdapter.hasPython))
struct AdapterCheckupTests {
  private func failing(_ checks: [AdapterCheck]) -> [String] {
    checks.filter(\.hasFailed).map { "\($0.name): \($0.verdict)" }
  }

  @Test("The template passes all of them, as a folder and as a command")
  func templatePasses() throws {
    var told: [AdapterCheck] = []
    let checkup = try AdapterCheckup(folder: TemplateAdapter.folder, limits: .unhurried)
    let checks = try checkup.run { told.append($0) }
    #expect(failing(checks) == [])
    #expect(told == checks)
    #expect(checks.map(\.name) == ["handshake"] + AdapterProbe.all.map(\.name))
    #expect(checks.allSatisfy { $0.verdict == .passed })

    let words = ["python3", TemplateAdapter.folder.appendingPathComponent("adapter.py").path]
    let command = try AdapterCheckup(words: words, in: TemplateAdapter.folder, limits: .unhurried)
    let others = try command.run()
    #expect(failing(others) == [])
    #expect(others.first { $0.name == "divergences.listed" }?.verdict != .passed)
  }

  @Test(
    "An adapter may print strings in the form of any language",
    arguments: AdapterPrinter.allCases
  )
  func printers(_ printer: AdapterPrinter) throws {
    let folder = try printer.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let checks = try AdapterCheckup(folder: folder, limits: .unhurried).run()
    #expect(failing(checks) == [])
    #expect(checks.first { $0.name == "strings" }?.verdict == .passed)
  }

  @Test("The real Automerge passes all of them", .enabled(if: RealAutomerge.isInstalled))
  func automergePasses() throws {
    let checkup = try AdapterCheckup(folder: RealAutomerge.folder, limits: .unhurried)
    #expect(try failing(checkup.run()) == [])
  }

  @Test(
    "What is wrong with an adapter is said by its checks, and by no others",
    arguments: BadAdapter.all
  )
  func findsFlaws(_ bad: BadAdapter) throws {
    let folder = try bad.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    var limits = AdapterLimits.unhurried
    limits.answerTimeoutMilliseconds = 8_000
    let checks = try AdapterCheckup(
      folder: folder,
      packageRoot: RealAutomerge.packageRoot,
      limits: limits
    ).run()
    let failed = Set(checks.filter(\.hasFailed).map(\.name))
    #expect(failed == bad.failing, "\(failing(checks))")
    for case .failed(let found, let advice) in checks.map(\.verdict) {
      #expect(!found.isEmpty)
      #expect(!advice.isEmpty)
    }
    // A slow start looks the same.
    for check in checks where check.name == "end-of-input" {
      guard case .failed(_, let advice) = check.verdict else { continue }
      #expect(advice.contains("starts slowly") && advice.contains("--timeout"))
    }
  }

  @Test(
    "A mistake that spoils every check is told with its own cause",
    arguments: [
      ("fork", "print('forking', flush=True)", "Print one answer a line to standard output"),
      ("fork", "sys.exit(3)", "Find out why the program ends"),
    ]
  )
  func tellsCauses(_ method: String, _ statement: String, _ advice: String) throws {
    let bad = BadAdapter(
      statement,
      "def \(method)(self, number, origin, actor):",
      "def \(method)(self, number, origin, actor):\n        \(statement)",
      fails: []
    )
    let folder = try bad.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    var limits = AdapterLimits.unhurried
    limits.answerTimeoutMilliseconds = 8_000
    let checks = try AdapterCheckup(
      folder: folder,
      packageRoot: RealAutomerge.packageRoot,
      limits: limits
    ).run()
    let told = checks.compactMap { check -> String? in
      guard case .failed(_, let advice) = check.verdict else { return nil }
      return advice
    }
    #expect(!told.isEmpty)
    #expect(told.allSatisfy { $0.hasPrefix(advice) }, "\(failing(checks))")
  }

  @Test("Two thousand edits that fail, or print, are not told to be slow")
  func tellsLargePrograms() throws {
    let call = "            self.carry_out(document, *edit)"
    let counting = "            self.count = getattr(self, 'count', 0) + 1\n"
    for (statement, advice) in [
      ("None + 1", "Find out why the edit fails"),
      ("print('x', flush=True)", "Print one answer a line to standard output"),
    ] {
      let wrong = counting + "            if self.count > 900: \(statement)\n\(call)"
      let folder = try BadAdapter(statement, call, wrong, fails: []).makeFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let large = AdapterProbe.all.filter { $0.name == "run.large" }
      let checks = try AdapterCheckup(folder: folder, limits: .unhurried).run(large)
      guard case .failed(_, let told)? = checks.last?.verdict else {
        Issue.record("\(statement) passed")
        continue
      }
      #expect(told.hasPrefix(advice), "\(told)")
    }
  }

  @Test("A program that ends before it answers is told as that, with what it says")
  func tellsSyntaxErrors() throws {
    let bad = BadAdapter(
      "syntax",
      "import json\nimport sys\n",
      "import json\nimport sys\n)\n",
      fails: []
    )
    let folder = try bad.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let checks = try AdapterCheckup(folder: folder, limits: .unhurried).run([])
    guard case .failed(let found, let advice)? = checks.last?.verdict else {
      Issue.record("it passed")
      return
    }
    #expect(found.contains("SyntaxError"), "\(found)")
    #expect(advice.hasPrefix("The program ended before it answered"), "\(advice)")
    func failure(_ lines: [String]) -> AdapterFailure {
      AdapterFailure(
        reason: .exited(status: 1),
        adapter: "mine",
        request: AdapterFailure.start,
        errorLines: lines
      )
    }
    #expect(failure(["ModuleNotFoundError: No module named 'y'"]).advice.hasPrefix("Install what"))
    #expect(failure([]).advice.hasPrefix("Install what"))
    var ours = failure([])
    ours.origin = .manifest(
      installCommand: AdapterManifest.installCommand(for: RealAutomerge.folder)
    )
    #expect(ours.advice.contains("`make check SUBJECTS=automerge`"), "\(ours.advice)")
    #expect(AdapterManifest.installCommand(for: TemplateAdapter.folder) == nil)
    let crash = AdapterFailure(
      reason: .crashed(signal: 11),
      adapter: "mine",
      request: AdapterFailure.start
    )
    #expect(crash.advice.hasPrefix("The program ended before it answered"))
    // A sentence may go on behind it.
    #expect(!crash.description.hasSuffix("."))
  }

  @Test("Of an answer that does not come, the flush is the first thing to look at")
  func tellsFlush() {
    let failure = AdapterFailure(
      reason: .timedOut(milliseconds: 1),
      adapter: "mine",
      request: "when it was asked"
    )
    #expect(failure.cause?.hasPrefix("Flush standard output behind each answer") == true)
  }

  @Test("An answer with another number is told as one")
  func tellsNumbers() throws {
    let bad = BadAdapter(
      "numbers",
      #"{"n": request["n"], "#,
      #"{"n": request["n"] + ("run" in request), "#,
      fails: []
    )
    let folder = try bad.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let checks = try AdapterCheckup(
      folder: folder,
      packageRoot: RealAutomerge.packageRoot,
      limits: .unhurried
    ).run()
    let edits = try #require(checks.first { $0.name == "edits" })
    guard case .failed(let found, let advice) = edits.verdict else {
      Issue.record("it passed")
      return
    }
    #expect(found.contains("expected the answer to request 2, found one to request 3"))
    #expect(advice.hasPrefix("Answer requests one at a time"))
  }

  @Test("A listed divergence needs a condition that is known and a case file that is there")
  func looksAtDivergences() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: TemplateAdapter.folder, to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = #"{"edit":{"in":"text"}}"#
    let conditions = [
      (#""full-moon""#, #""a":\#(text)"#, "at knownDivergences.0.condition. Known: a"),
      (#"{"edit":{"in":"tree"}}"#, "", "Divergences.0.condition.edit.in. Known: map, list, text"),
      (#""a""#, #""a":{"edit":{"in":"tree"}}"#, "at conditions.a.edit.in. Known: map, list"),
      (#""a""#, #""a":{"not":\#(text)}"#, "the condition at conditions.a holds for a"),
      (#""a""#, #""a":"b","b":\#(text)"#, "names no others at conditions.a"),
      (#""a""#, #""a":\#(text),"b":\#(text)"#, "no known divergence uses conditions.b"),
      (#""a""#, #""a":\#(text)"#, "knownDivergences.0.case: there is no such case"),
      (text, "", "knownDivergences.0.case: there is no such case file"),
    ]
    let listed = AdapterProbe.all.filter { $0.name == "divergences.listed" }
    for (condition, named, words) in conditions {
      let manifest = """
        {"id":"template","command":["python","adapter.py"],"conditions":{\(named)},"knownDivergences":[
        {"law":"*","condition":\(condition),"case":"cases/none.case","reason":"none"}]}
        """
      let file = folder.appendingPathComponent(AdapterManifest.fileName)
      try Data(manifest.utf8).write(to: file)
      let checks = try AdapterCheckup(folder: folder, limits: .unhurried).run(listed)
      #expect(failing(checks).count == 1, "\(failing(checks))")
      #expect(failing(checks).first?.contains(words) == true, "\(failing(checks))")
      #expect(failing(checks).first?.contains("/adapter.json: ") == true)
      #expect(failing(checks).first?.hasPrefix("divergences.listed") == true)
    }
  }

  @Test("Without a program there is nothing to check")
  func needsProgram() {
    #expect(throws: SubjectFailure.self) {
      try AdapterCheckup(
        words: ["no-such-program"],
        in: TemplateAdapter.folder,
        limits: .unhurried
      )
    }
  }

  @Test("A program that the system does not start is told why, whatever it is asked for")
  func needsStart() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("program")
      for (text, words) in [
        ("hello\n", "has no #! line that names an interpreter"),
        ("#!/no/such/interpreter\n", "the interpreter that its #! line names is not there"),
      ] {
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        let checkup = try AdapterCheckup(words: ["./program"], in: folder, limits: .unhurried)
        let failure = #expect(throws: SubjectFailure.self) { try checkup.run() }
        #expect(failure?.kind == "start")
        #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
        #expect(throws: SubjectFailure.self) { try checkup.converse { _, _ in } }
      }
    }
  }
}
