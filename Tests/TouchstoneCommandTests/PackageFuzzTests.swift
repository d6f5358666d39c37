import Foundation
import PropertyEngine
import Reporting
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("Tests of a package as fuzz targets")
struct PackageFuzzTests {
  private let tests = [
    PackageTests.Test(id: "NoteTests.noteIsSafe()", library: .swiftTesting),
    PackageTests.Test(id: "NoteTests.Suite/taskIsSafe()", library: .swiftTesting),
    PackageTests.Test(id: "NoteTests.Suite/counted(_:)", library: .swiftTesting),
    PackageTests.Test(id: "OldTests.NoteCase/testNote", library: .xctest),
  ]

  @Test(
    "A test is meant by its function, its suite, its module or its id",
    arguments: [
      ("noteIsSafe", ["noteIsSafe"]), ("noteIsSafe()", ["noteIsSafe"]),
      ("NoteTests.noteIsSafe()", ["noteIsSafe"]), ("Suite/taskIsSafe", ["taskIsSafe"]),
      ("NoteTests", ["noteIsSafe", "taskIsSafe", "counted"]),
      ("NoteTests.Suite", ["taskIsSafe", "counted"]), ("counted", ["counted"]),
      ("testNote", ["testNote"]), ("NoteCase/testNote", ["testNote"]),
    ] as [(String, [String])]
  )
  func names(_ name: String, _ functions: [String]) throws {
    let chosen = try PackageTests.chosen(name, of: tests)
    #expect(chosen.map { "\($0.function)" } == functions)
  }

  @Test("A name that no test has is refused with the names that are near")
  func typo() {
    let error = #expect(throws: PackageFuzzError.self) {
      try PackageTests.chosen("notIsSafe", of: tests)
    }
    let words = error.map { "\($0)" }
    #expect(words == "no test is called 'notIsSafe'. Did you mean 'noteIsSafe'?")
  }

  @Test("No name means all tests")
  func all() throws {
    #expect(try PackageTests.chosen(nil, of: tests) == tests)
  }

  @Test("Nothing is written into a folder that is no package")
  func writesNothing() throws {
    try withFolder { folder in
      let outcome = try touchstone(["fuzz", "--package", "typo"], in: folder)
      #expect(outcome.status == 2)
      #expect(outcome.complaints.contains("has no Package.swift"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test("A folder without a manifest is no package, and a clone of this one has targets of its own")
  func packages() throws {
    try withFolder { folder in
      #expect(throws: PackageFuzzError.noPackage(folder.path)) {
        try UserPackage.check(folder)
      }
      let nested = folder.appendingPathComponent("Fuzz")
      try FileManager.default.createDirectory(at: nested, withIntermediateDirectories: true)
      for place in [folder, nested] {
        try Data().write(to: place.appendingPathComponent("Package.swift"))
      }
      #expect(throws: PackageFuzzError.clone) {
        try UserPackage.check(folder)
      }
    }
  }

  /// A package of a library and, perhaps, its tests.
  private func package(
    in folder: URL,
    _ library: String,
    tests: String?
  ) throws -> UserPackage {
    for (file, text) in [("Sources/Own/A.swift", library), ("Tests/OwnTests/B.swift", tests)] {
      guard let text else { continue }
      let url = folder.appendingPathComponent(file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: url)
    }
    let targets =
      [#".target(name: "Own")"#]
      + (tests == nil ? [] : [#".testTarget(name: "OwnTests", dependencies: ["Own"])"#])
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(name: "Own", targets: [\(targets.joined(separator: ", "))])
      """
    try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
    return try UserPackage(folder, scratch: folder, isInterrupted: { false })
  }

  @Test("Words and numbers of sources are literals, each once")
  func literals() throws {
    try withFolder { folder in
      let package = try package(
        in: folder,
        #"let a = x == "JPY" || y == 1_299 ? "a\(b)" : "JPY"; let c = 0x1F, e = 1_9.99 + 2.5e3, f = t.0"#,
        tests: #"let d = "two words""#
      )
      #expect(package.modules == ["Own", "OwnTests"])
      #expect(package.literals.words == ["JPY", "two words"])
      #expect(package.literals.numbers == [1299, -1299, 31, -31, 0])
      #expect(package.literals.decimals == [19.99, -19.99, 2500, -2500])
    }
  }

  @Test("A name that stands nowhere in the tests is refused before anything is built")
  func early() throws {
    try withFolder { folder in
      let tests = """
        @Test("A note { is } safe", .tags(.note))
        func noteIsSafe() {}
        @Test func `raw name`() {}
        final class OldCase: XCTestCase { func testOld() {} }
        func helper() {}
        """
      let package = try package(in: folder, "", tests: tests)
      let right = [
        "noteIsSafe", "noteIsSafe()", "OwnTests", "OwnTests.OldCase/testOld", "raw name",
      ]
      for name in right { try package.check(test: name) }
      let known = ["noteIsSafe", "raw name", "testOld"]
      #expect(throws: PackageFuzzError.unknownTest("testOlds", known: known)) {
        try package.check(test: "testOlds")
      }
    }
  }

  @Test("A package without tests is refused before anything is built")
  func untested() throws {
    try withFolder { folder in
      let refusal = PackageFuzzError.noTests(folder.path)
      #expect(throws: refusal) { try package(in: folder, "let a = 1", tests: nil) }
    }
  }

  @Test("libFuzzer is found in a toolchain by this machine's architecture")
  func archives() throws {
    try withFolder { root in
      #expect(Toolchain(root: root).libFuzzer == nil)
      #if arch(arm64)
      let (own, other) = ("aarch64", "x86_64")
      #else
      let (own, other) = ("x86_64", "aarch64")
      #endif
      let folder = root.appendingPathComponent("lib/clang/21/lib/linux")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in ["fuzzer_no_main-\(other)", "fuzzer-\(own)"] {
        try Data().write(to: folder.appendingPathComponent("libclang_rt.\(name).a"))
      }
      #expect(Toolchain(root: root).libFuzzer == nil)
      let archive = folder.appendingPathComponent("libclang_rt.fuzzer_no_main-\(own).a")
      try Data().write(to: archive)
      #expect(Toolchain(root: root).libFuzzer?.path == archive.path)
    }
  }

  @Test("A log's errors are told once each")
  func errors() throws {
    try withFolder { folder in
      let log = folder.appendingPathComponent("log")
      let text = "a.swift:1:2: error: no x\nnote: y\na.swift:1:2: error: no x\nerror: z\n"
      // A quoted source line may hold any byte.
      try Data(Array(text.utf8) + [0xFF] + Array(text.utf8)).write(to: log)
      let errors = ["a.swift:1:2: error: no x", "error: z", "\u{FFFD}a.swift:1:2: error: no x"]
      #expect(SwiftBuild.errors(in: log) == errors)
    }
  }

  @Test("A report has the command of the tests, which alone judge the case again")
  func reports() {
    let key = FailureKey(law: "model.lossless", isError: false, kind: "model")
    var file = CaseFile(
      law: key.law,
      subjects: ["document-coder"],
      kind: key.kind,
      seed: nil,
      choices: [],
      sampleFormat: FormName("model", version: 1),
      sample: "{}\n"
    )
    file.set(Difference(kind: key.kind, summary: "`seat` is lost"))
    let command = "TOUCHSTONE_REPLAY=Tests/a.case swift test --filter noteIsSafe"
    let finding = FuzzFinding(
      target: "noteIsSafe",
      subject: "Note",
      key: key,
      summary: "`seat` is lost",
      input: URL(fileURLWithPath: "/none"),
      count: 2,
      file: file,
      replayCommand: command
    )
    var row = FuzzRow(target: "noteIsSafe, Note, 5 laws", subject: "Note")
    row.figures.executions = 10
    let report = FuzzReport(
      rows: [row],
      findings: [finding],
      registry: nil,
      command: "touchstone fuzz --package .",
      seed: "1",
      isInterrupted: false,
      startedAt: "2026-11-23T00:00:00Z",
      seconds: 1,
      jobs: 1
    ).build()
    #expect(report.outcome.word == .violated)
    #expect(report.failures.map(\.replayCommand) == [command])
    #expect(report.failures.map(\.replayer) == [.tests])
    let text = TerminalReport(report, hasColour: false, columns: 80, folder: "out", arguments: [])
      .text
    #expect(text.contains("replay: \(command)\n"))
    #expect(!text.contains("touchstone replay"))
  }
}
