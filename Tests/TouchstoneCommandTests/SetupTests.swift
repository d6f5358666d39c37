import Foundation
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

  @Test("That only the tests of Touchstone lack something fails nothing")
  func unneeded() {
    typealias State = Doctor.Finding.State
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

      // The other kind of test goes beside it, and the workflow runs both.
      let others = folder.appendingPathComponent("other")
      try FileManager.default.copyItem(at: package, to: others)
      for kind in ["model", "engine"] {
        let path = kind == "model" ? "ModelLaws" : "ReplicaLaws"
        let both = try touchstone(["init", "--for", kind, "other"], in: folder)
        guard "\(path).swift" != file else {
          #expect(both.status == 2)
          continue
        }
        #expect(both.status == 0, "\(both.complaints)")
        #expect(both.output.contains("wrote Tests/LawTests/\(path).swift\nkept .github/"))
        let products = ["Touchstone", "TouchstoneEngines"]
          .map { ".product(name: \"\($0)\", package: \"touchstone\")" }
        #expect(both.output.contains("dependencies: [\(products.joined(separator: ", "))]"))
      }

      try Data("mine".utf8).write(to: test)
      try FileManager.default.removeItem(at: workflow)
      let second = try touchstone(arguments, in: folder)
      #expect(second.status == 2)
      #expect(second.complaints.contains("there is already Tests/LawTests/\(file)"))
      #expect(try Data(contentsOf: test) == Data("mine".utf8))
      #expect(!FileManager.default.fileExists(atPath: workflow.path))
    }
  }
}
