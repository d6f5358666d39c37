import Foundation
import FuzzSessions
import Programs
import Texts

/// The tests of a program: which there are, and how one is run.
struct PackageTests {
  enum Library: Hashable { case swiftTesting, xctest }

  struct Test: Hashable {
    /// `NoteTests.Suite/noteIsSafe()`, or `NoteTests.Case/testNote` of XCTest.
    let id: String
    let library: Library

    /// The function's name, without what it is in.
    var function: Substring {
      let name = id.split(separator: "/").last ?? Substring(id)
      let plain = id.contains("/") ? name : name.split(separator: ".").last ?? name
      return plain.prefix { $0 != "(" }
    }

    /// Whether a user means it by a name: its function, its suite, its module, or all of its id.
    func isMeant(by name: String) -> Bool {
      let plain = name.hasSuffix("()") ? String(name.dropLast(2)) : name
      let own = id.hasSuffix("()") ? String(id.dropLast(2)) : id
      return own == plain || String(function) == plain || own.hasSuffix("/\(plain)")
        || own.hasSuffix(".\(plain)") || own.hasPrefix("\(plain).") || own.hasPrefix("\(plain)/")
    }
  }

  let program: URL
  /// The folder in which tests run: the package's.
  let package: URL
  /// A folder for scratch files.
  let folder: URL
  let isInterrupted: @Sendable () -> Bool

  // MARK: - Which there are

  /// All tests of the program.
  func all() throws -> [Test] {
    let log = folder.appendingPathComponent("tests.txt")
    var tests: [Test] = []
    for (arguments, library) in [
      (["--testing-library", "swift-testing", "--list-tests"], Library.swiftTesting),
      (["--list-tests"], Library.xctest),
    ] {
      _ = try Subprogram.run(
        program,
        arguments,
        environment: variables,
        output: log,
        folder: package,
        secondsLimit: 120,
        isInterrupted: isInterrupted
      )
      tests += lenientText(of: log).split(separator: "\n").map { $0.drop { $0 == " " } }
        .filter { !$0.contains(" ") && $0.contains(".") && !$0.hasSuffix(":") }
        .filter { library == .swiftTesting || $0.contains("/") }
        .map { Test(id: String($0), library: library) }
    }
    return tests
  }

  /// The tests that a name means; all of them if it is `nil`.
  ///
  /// - Throws: ``PackageFuzzError/unknownTest(_:known:)``.
  static func chosen(_ name: String?, of tests: [Test]) throws -> [Test] {
    guard let name else { return tests }
    let meant = tests.filter { $0.isMeant(by: name) }
    guard meant.isEmpty else { return meant }
    let names = Set(tests.map { String($0.function) })
    throw PackageFuzzError.unknownTest(name, known: names.sorted())
  }

  // MARK: - Running

  /// We report a trap; the backtracer's handlers would keep libFuzzer from its own.
  private var variables: [String: String] { ["SWIFT_BACKTRACE": "enable=no"] }

  /// The arguments of the program that run some tests of one library.
  func arguments(_ tests: [Test]) -> [String] {
    guard tests.first?.library == .swiftTesting else {
      return [tests.map(\.id).joined(separator: ",")]
    }
    return ["--testing-library", "swift-testing"]
      + tests.flatMap { ["--filter", "^\(Self.escaped($0.id))(/|$)"] }
  }

  /// Runs tests that a request finds in their environment, beside other variables.
  func run(
    _ tests: [Test],
    _ request: FuzzRequest,
    environment: [String: String] = [:],
    name: String,
    secondsLimit: Double
  ) throws -> (end: Subprogram.End, answers: [FuzzAnswer], log: URL) {
    let file = folder.appendingPathComponent("\(name).json")
    let log = folder.appendingPathComponent("\(name).log")
    try? FileManager.default.removeItem(atPath: request.answersPath)
    try request.write(to: file)
    let end = try Subprogram.run(
      program,
      arguments(tests),
      environment: variables.merging(environment) { _, new in new }
        .merging([FuzzRequest.variable: file.path]) { _, new in new },
      output: log,
      folder: package,
      secondsLimit: secondsLimit,
      isInterrupted: isInterrupted
    )
    return (end, request.answers, log)
  }

  /// A program that is a fuzzer of one test: libFuzzer starts it again with other arguments.
  func fuzzer(_ test: Test, _ request: FuzzRequest, at url: URL) throws {
    let file = url.appendingPathExtension("json")
    try request.write(to: file)
    let words = ([program.path] + arguments([test])).map(shellWord)
    let script = """
      #!/bin/sh
      # libFuzzer on one test; its arguments go on by the environment, one a line.
      IFS='
      '
      \(FuzzRequest.argumentsVariable)="$0
      $*"
      export \(FuzzRequest.argumentsVariable)
      \(FuzzRequest.variable)=\(shellWord(file.path))
      export \(FuzzRequest.variable)
      SWIFT_BACKTRACE=enable=no
      export SWIFT_BACKTRACE
      cd \(shellWord(package.path)) || exit 2
      exec \(words.joined(separator: " "))

      """
    try Data(script.utf8).write(to: url, options: .atomic)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
  }

  /// A text that a regular expression matches as it is.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, letter in
      if !letter.isLetter, !letter.isNumber { result.append("\\") }
      result.append(letter)
    }
  }
}
