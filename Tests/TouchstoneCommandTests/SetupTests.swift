import Foundation
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("Before the first run", .serialized)
struct SetupTests {
  @Test("The doctor names what is missing, what it costs and how to get it, and exits with 1")
  func missing() throws {
    try withFolder { folder in
      let environment = ["PATH": folder.path, "HOME": folder.path]
      let words = try Executable.run(["doctor"], in: folder, environment: environment)
      #expect(words.status == 1)
      #expect(words.output.contains("✓ harness"))
      for name in ["swift", "python3", "adapters"] {
        let line = words.output.split(separator: "\n").first { $0.hasPrefix("○ \(name) ") }
        #expect(line != nil, "\(name)")
      }
      // A browser is for the tests of this repository alone.
      #expect(words.output.contains("\n· chromium "))
      let json = try Executable.run(["doctor", "--json"], in: folder, environment: environment)
      #expect(json.status == 1)
      let rows = try #require(try json.json as? [[String: Any]])
      #expect(rows.count >= 10)
      for row in rows {
        let isMissing = row["state"] as? String != "ready"
        #expect((row["cost"] != nil) == isMissing, "\(row)")
        #expect((row["cure"] != nil) == isMissing, "\(row)")
        #expect((row["words"] as? String)?.isEmpty == false)
      }
    }
  }

  @Test("A subject that is judged only where it is named is not missing")
  func onRequest() throws {
    try withFolder { folder in
      for (id, isOnRequest) in [("always", "no"), ("asked", "yes")] {
        let adapter = folder.appendingPathComponent("adapters/\(id)")
        try FileManager.default.createDirectory(at: adapter, withIntermediateDirectories: true)
        let manifest =
          #"{"id":"\#(id)","command":["no-such-program"],"onRequest":"\#(isOnRequest)"}"#
        try Data(manifest.utf8).write(to: adapter.appendingPathComponent("adapter.json"))
      }
      let outcome = try touchstone(["doctor", "--adapters", "adapters"], in: folder)
      #expect(outcome.output.contains("○ always "), "\(outcome.output)")
      #expect(outcome.output.contains("· asked "), "\(outcome.output)")
      // What `make` of a clone installs is another adapter's.
      #expect(outcome.output.contains(": touchstone adapter check adapters/always says more\n"))
      #expect(!outcome.output.contains("make check"))
    }
  }

  @Test("That only the tests of Touchstone lack something fails nothing")
  func unneeded() {
    typealias State = Doctor.Check.State
    #expect(DoctorCommand.exitStatus([State.ready, .unneeded]) == 0)
    #expect(DoctorCommand.exitStatus([State.ready, .unneeded, .missing]) == 1)
    #expect(DoctorCommand.exitStatus([State.missing, .broken]) == 2)
  }

  @Test("What is there is said to be there")
  func present() throws {
    try withFolder { folder in
      let program = folder.appendingPathComponent("xmllint")
      try Data("#!/bin/sh\n".utf8).write(to: program)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: program.path
      )
      let outcome = try Executable.run(
        ["doctor", "--json"],
        in: folder,
        environment: ["PATH": folder.path]
      )
      let rows = try #require(try outcome.json as? [[String: Any]])
      let row = try #require(rows.first { $0["name"] as? String == "xmllint" })
      #expect(row["state"] as? String == "ready")
      #expect(row["words"] as? String == program.path)
    }
  }

  @Test(
    "A starter is written into a package once, and never over anything",
    arguments: [
      (
        ["init", "mine"], "ModelLaws.swift", "\"Touchstone\"",
        "try await expectLaws(of: Note.self)"
      ),
      (
        ["init", "--for", "merge", "mine"], "MergeLaws.swift", "\"Touchstone\"",
        "try await expectConverges(Votes.self)"
      ),
      (
        ["init", "--for", "engine", "mine"], "ReplicaLaws.swift", "\"TouchstoneEngines\"",
        "try await expectLaws(of: \"engine\""
      ),
    ]
  )
  func starter(arguments: [String], file: String, product: String, call: String) throws {
    try withFolder { folder in
      let none = try touchstone(["init"], in: folder)
      #expect(none.status == 2)
      #expect(none.complaintLines.count == 1)
      #expect(none.complaints.contains("there is no Package.swift in "))

      let package = folder.appendingPathComponent("mine")
      let workflow = package.appendingPathComponent(".github/workflows/laws.yml")
      try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
      try Data().write(to: package.appendingPathComponent("Package.swift"))
      let first = try touchstone(arguments, in: folder)
      #expect(first.status == 0)
      #expect(first.output.contains("wrote Tests/LawTests/\(file)\n"))
      #expect(first.output.contains(".product(name: \(product), package: \"touchstone\")"))
      let test = package.appendingPathComponent("Tests/LawTests/\(file)")
      let text = String(decoding: try Data(contentsOf: test), as: UTF8.self)
      #expect(text.contains(call))
      // Values that are derived are not all that an app makes.
      let hasSamples = text.contains("// try await expectLaws(of: Note.self, samples: [Note(")
      #expect(hasSamples == (file == "ModelLaws.swift"))
      // SwiftPM warns of stored failures that no target excludes, and of an excluded folder that is not
      // there.
      #expect(first.output.contains("\n      exclude: [\"__Touchstone__\"]\n"), "\(first.output)")
      #expect(first.output.contains("wrote Tests/LawTests/__Touchstone__/README.md\n"))
      let failures = package.appendingPathComponent("Tests/LawTests/__Touchstone__/README.md")
      #expect(try Data(contentsOf: failures).starts(with: Data("# Stored failures\n".utf8)))

      // The other kinds of test go beside it, and the workflow runs all.
      let others = folder.appendingPathComponent("other")
      try FileManager.default.copyItem(at: package, to: others)
      var last = ""
      for (kind, path) in [
        ("model", "ModelLaws"), ("merge", "MergeLaws"), ("engine", "ReplicaLaws"),
      ] {
        let all = try touchstone(["init", "--for", kind, "other"], in: folder)
        guard "\(path).swift" != file else {
          #expect(all.status == 2)
          continue
        }
        #expect(all.status == 0, "\(all.complaints)")
        #expect(all.output.contains("wrote Tests/LawTests/\(path).swift\nkept .github/"))
        #expect(
          all.output.contains("\nkept Tests/LawTests/__Touchstone__/README.md, which was there\n")
        )
        last = all.output
      }
      let products = ["Touchstone", "TouchstoneEngines"]
        .map { ".product(name: \"\($0)\", package: \"touchstone\")" }
      #expect(last.contains("dependencies: [\(products.joined(separator: ", "))]"))

      try Data("mine".utf8).write(to: test)
      try FileManager.default.removeItem(at: workflow)
      let second = try touchstone(arguments, in: folder)
      #expect(second.status == 2)
      #expect(second.complaints.contains("there is already Tests/LawTests/\(file)"))
      #expect(try Data(contentsOf: test) == Data("mine".utf8))
      #expect(!FileManager.default.fileExists(atPath: workflow.path))
    }
  }

  /// The steps of a workflow that run commands, and the variables that stand under `env`.
  private func steps(of workflow: String) -> (commands: [String], variables: [(String, String)]) {
    let lines = workflow.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let commands = lines.compactMap { $0.wholeMatch(of: /run: (.+)/).map { String($0.output.1) } }
    let variables = lines.compactMap { line in
      line.wholeMatch(of: /([A-Z_]+): (.+)/).map { (String($0.output.1), String($0.output.2)) }
    }
    return (commands, variables)
  }

  /// What GitHub makes of `${{ github.event_name == 'schedule' && X || '' }}` for an event.
  private func value(_ expression: String, on event: String) throws -> String {
    let form = /\$\{\{ github\.event_name == 'schedule' && (.+) \|\| '' \}\}/
    let match = try #require(expression.wholeMatch(of: form), "\(expression)")
    guard event == "schedule" else { return "" }
    if match.output.1 == "github.run_number" { return "42" }
    return try String(#require(match.output.1.wholeMatch(of: /'([^']*)'/)).output.1)
  }

  /// `Scripts/test-packages.sh` runs the same command with the real SwiftPM.
  @Test("The workflow of a starter runs in a fresh clone", arguments: ["push", "schedule"])
  func workflow(event: String) throws {
    try withFolder { folder in
      try Data().write(to: folder.appendingPathComponent("Package.swift"))
      #expect(try touchstone(["init", "--for", "model"], in: folder).status == 0)
      let (commands, variables) = steps(
        of: try String(
          contentsOf: folder.appendingPathComponent(".github/workflows/laws.yml"),
          encoding: .utf8
        )
      )
      #expect(commands.count == 2 && variables.count == 2)
      // SwiftPM refuses a folder of attachments that is not there.
      let programs = [
        "apt-get": "exit 0",
        "swift": """
        [ "$1" = test ] || exit 64
        while [ $# -gt 0 ]; do
          case $1 in
            --attachments-path) [ -d "$2" ] || { echo "no $2" >&2; exit 1; } ;;
            --filter) [ -d "Tests/$2" ] || { echo "no target $2" >&2; exit 1; } ;;
          esac
          shift
        done
        echo "cases=$TOUCHSTONE_CASES seed=$TOUCHSTONE_SEED"
        """,
      ]
      let bin = folder.appendingPathComponent("bin")
      try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
      for (name, text) in programs {
        let program = bin.appendingPathComponent(name)
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: program)
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o755],
          ofItemAtPath: program.path
        )
      }
      var environment = ["PATH": "\(bin.path):/usr/bin:/bin"]
      for (name, expression) in variables {
        environment[name] = try value(expression, on: event)
      }
      for command in commands {
        // As GitHub starts a step.
        let outcome = try Executable.run(
          ["-e", "-c", command],
          in: folder,
          environment: environment,
          program: URL(fileURLWithPath: "/bin/bash")
        )
        #expect(outcome.status == 0, "\(command): \(outcome.complaints)")
        guard command.contains("swift test") else { continue }
        let shown = event == "push" ? "cases= seed=" : "cases=20000 seed=42"
        #expect(outcome.output == "\(shown)\n")
      }
    }
  }

  /// Folders that a workflow checks out, each with the repository where it is another one.
  private func checkouts(of workflow: String) -> [(repository: String?, path: String)] {
    let steps = workflow.split(separator: "      - ").filter {
      $0.hasPrefix("uses: actions/checkout@")
    }
    return steps.map { step in
      func option(_ name: String) -> String? {
        step.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
          .first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
      }
      return (option("repository"), option("path") ?? ".")
    }
  }

  /// A clone and a package, and the program that was built in the clone.
  private func neighbours(in folder: URL, remote: String?) throws -> (package: URL, program: URL) {
    let clone = folder.appendingPathComponent("tools/touchstone")
    let package = folder.appendingPathComponent("apps/my app")
    let program = clone.appendingPathComponent(".build/release/touchstone")
    for url in [program.deletingLastPathComponent(), package] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    try Data("package".utf8).write(to: package.appendingPathComponent("Package.swift"))
    try Data("  name: \"touchstone\",".utf8).write(
      to: clone.appendingPathComponent("Package.swift")
    )
    if let remote {
      let git = try shell("git init -q && git remote add origin '\(remote)'", in: clone)
      #expect(git.status == 0, "\(git.complaints)")
    }
    return (package, program)
  }

  @Test(
    "Where the manifest names a path, the workflow checks out both repositories as that path says"
  )
  func besides() throws {
    try withFolder { folder in
      let remote = "https://github.com/example/touchstone.git"
      let (package, program) = try neighbours(in: folder, remote: remote)
      let starter = Starter(.merge, in: package)
      let written = try starter.write(program)
      #expect(written.contains { $0.path == StarterWorkflow.path })
      let workflow = try String(
        contentsOf: package.appendingPathComponent(StarterWorkflow.path),
        encoding: .utf8
      )
      let places = checkouts(of: workflow)
      #expect(places.map(\.repository) == [nil, "example/touchstone"])
      // What stands at the manifest's path, from where the package is checked out.
      let own = try #require(places.first?.path)
      #expect(workflow.contains("        working-directory: \(own)\n"))
      let lines = starter.manifestLines(program)
      let way = try #require(lines.firstMatch(of: /path: "([^"]+)"/)).output.1
      let workspace = folder.appendingPathComponent("workspace")
      let found = workspace.appendingPathComponent("\(own)/\(way)").standardizedFileURL
      #expect(found.path == workspace.appendingPathComponent(places[1].path).path)
      // Nothing above the workspace can be checked out.
      #expect(places.allSatisfy { !$0.path.contains("..") && !$0.path.hasPrefix("/") })
      #expect(starter.workflow(program).note?.contains("example/touchstone") == true)
    }
  }

  @Test(
    "Where Touchstone's repository is not known, the step is a comment, and init says what to do",
    arguments: [nil, "https://example.org/example/touchstone.git"]
  )
  func unknownNeighbour(remote: String?) throws {
    try withFolder { folder in
      let (package, program) = try neighbours(in: folder, remote: remote)
      let workflow = Starter(.model, in: package).workflow(program)
      #expect(checkouts(of: workflow.text).map(\.path) == ["work/my-app"])
      #expect(workflow.text.contains("      #     repository: <owner>/<name>\n"))
      #expect(workflow.text.contains("      #     path: tools/touchstone\n"))
      #expect(workflow.note?.hasPrefix("To be done before the first push: ") == true)
    }
  }

  @Test("Where the manifest names a URL, the workflow checks out the package alone")
  func alone() throws {
    try withFolder { folder in
      try Data().write(to: folder.appendingPathComponent("Package.swift"))
      let workflow = Starter(.model, in: folder).workflow(nil)
      #expect(checkouts(of: workflow.text).map(\.path) == ["."])
      #expect(!workflow.text.contains("working-directory"))
      #expect(workflow.text.contains("          path: .build\n"))
      #expect(workflow.note == nil)
    }
  }

  @Test("Touchstone in a folder of the package is checked out with it")
  func within() throws {
    try withFolder { folder in
      let clone = folder.appendingPathComponent("Vendor/touchstone")
      let program = clone.appendingPathComponent(".build/release/touchstone")
      try FileManager.default.createDirectory(
        at: program.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("  name: \"touchstone\",".utf8)
        .write(to: clone.appendingPathComponent("Package.swift"))
      let workflow = Starter(.model, in: folder).workflow(program)
      #expect(checkouts(of: workflow.text).map(\.path) == ["."])
      #expect(workflow.text.contains("          submodules: true\n"))
      #expect(workflow.note?.contains("Vendor/touchstone has to be in it") == true)
    }
  }

  @Test(
    "A remote on GitHub names its repository",
    arguments: [
      ("https://github.com/a/touchstone.git", "a/touchstone"),
      ("git@github.com:a/b.c.git", "a/b.c"),
      ("ssh://git@github.com/a/b", "a/b"), ("https://user:token@github.com/a/b/", "a/b"),
      ("https://gitlab.com/a/b", nil), ("https://github.com/a", nil), ("../touchstone", nil),
    ] as [(String, String?)]
  )
  func remotes(remote: String, repository: String?) {
    #expect(StarterWorkflow.gitHubRepository(remote) == repository)
  }

  @Test("A starter names the clone that the program was built in, by a way that leads there")
  func clone() throws {
    try withFolder { folder in
      let clone = folder.appendingPathComponent("tools/touchstone")
      let package = folder.appendingPathComponent("apps/mine")
      let program = clone.appendingPathComponent(".build/release/touchstone")
      for url in [program.deletingLastPathComponent(), package] {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      }
      try Data("package".utf8).write(to: package.appendingPathComponent("Package.swift"))
      let starter = Starter(.merge, in: package)
      let unfilled = starter.manifestLines(nil)
      #expect(
        unfilled.contains(
          """

          In Package.swift, beside the other dependencies:

              .package(url: "<where Touchstone is>", branch: "main"),

          Put the address of Touchstone's repository in the place of <where Touchstone is>, such as
          https://example.com/you/touchstone.git, or name a clone by its path, such as one beside this package:

              .package(name: "touchstone", path: "../touchstone"),

          and among the targets:

              .testTarget(

          """.dropFirst()
        )
      )
      #expect(starter.manifestLines(program).contains("branch: \"main\""))
      try Data("  name: \"touchstone\",".utf8)
        .write(to: clone.appendingPathComponent("Package.swift"))
      #expect(
        starter.manifestLines(program).contains(
          ".package(name: \"touchstone\", path: \"../../tools/touchstone\"),"
        )
      )
      #expect(
        !starter.manifestLines(program).contains("from:"),
        "there is no release that a version could name"
      )
    }
  }

  @Test("What the manifest says already is not to be added again")
  func manifestThatIsComplete() throws {
    try withFolder { folder in
      let manifest = folder.appendingPathComponent("Package.swift")
      func lines(_ kind: Starter.Kind, _ parts: String...) throws -> String {
        try Data(parts.joined(separator: "\n").utf8).write(to: manifest)
        return Starter(kind, in: folder).manifestLines(nil)
      }
      let dependency = ".package(name: \"touchstone\", path: \"../touchstone\"),"
      let target = """
        .testTarget(
          name: "LawTests",
          dependencies: [.product(name: "Touchstone", package: "touchstone")],
          exclude: ["__Touchstone__"]
        ),
        .testTarget(name: "OtherTests"),
        """
      #expect(
        try lines(.model, dependency, target)
          == "Package.swift has what it needs already. Then:\n\n    swift test --filter LawTests"
      )
      #expect(
        try lines(.model, dependency).hasPrefix(
          "In Package.swift, among the targets:\n\n    .testTarget("
        )
      )
      // The target is there, and lacks the product of another kind of test.
      let other = try lines(.engine, dependency, target)
      #expect(
        other.hasPrefix("In Package.swift, in the place of the target LawTests that is there:\n")
      )
      #expect(other.contains(".product(name: \"TouchstoneEngines\", package: \"touchstone\")]"))
      let added = try lines(.model, target)
      #expect(added.contains("beside the other dependencies"))
      #expect(!added.contains(".testTarget("))
    }
  }

  @Test("The package's own target is among the dependencies, and named in the test")
  func ownTarget() throws {
    try withFolder { folder in
      let manifest = """
        let package = Package(
          targets: [
            .testTarget(name: "TripTests"), .target(
              name: "TripKit"), .executableTarget(name: "trip"),
          ]
        )
        """
      try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
      let starter = Starter(.model, in: folder)
      #expect(
        starter.manifestLines(nil).contains(
          #"dependencies: ["TripKit", .product(name: "Touchstone", package: "touchstone")]"#
        )
      )
      let test = try #require(try starter.write(nil).first)
      let url = folder.appendingPathComponent(test.path)
      #expect(try String(contentsOf: url, encoding: .utf8).contains("@testable import TripKit\n"))
    }
  }

  @Test("An answer names a kind by its number or name, and nothing else does")
  func answers() {
    #expect(Starter.Kind(answer: "") == .model)
    #expect(Starter.Kind(answer: " 2 ") == .merge)
    #expect(Starter.Kind(answer: "engine") == .engine)
    for answer in ["0", "4", "-1", "crdt", "99999999999999999999"] {
      #expect(Starter.Kind(answer: answer) == nil)
    }
    for number in 1...Starter.Kind.allCases.count {
      #expect(Starter.Kind.questions.contains("\n  \(number)  "))
    }
  }
}
