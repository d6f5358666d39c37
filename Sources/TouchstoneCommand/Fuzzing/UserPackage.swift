import Foundation
import Programs
import PropertyEngine
import Texts

/// The package of a user, whose tests are to be fuzzed.
struct UserPackage {
  /// What `swift package describe` says of it.
  private struct Description: Decodable {
    struct Target: Decodable {
      let c99name: String
      let path: String
      let sources: [String]
      let type: String
      let moduleType: String

      enum CodingKeys: String, CodingKey {
        case c99name, path, sources, type
        case moduleType = "module_type"
      }
    }

    let name: String
    let targets: [Target]
  }

  let folder: URL
  /// Its name in the manifest.
  let name: String
  /// Names of its Swift modules, tests among them: what they do guides the fuzzer.
  let modules: [String]
  /// The folder of each Swift module from the package's own, by the module's name; without the tests, unless the package
  /// has nothing else.
  let coveredModules: [String: String]
  /// Its Swift files, those of libraries first.
  let sources: [URL]
  /// The files of tests among them.
  private let testSources: [URL]

  /// Words, and numbers, that are taken from sources at most, and the bytes of a word.
  static let literalCountLimit = 256
  static let literalByteLimit = 64

  /// Sees that a folder is a package, and not Touchstone itself: before anything is written there.
  ///
  /// - Throws: ``PackageFuzzError``.
  static func check(_ folder: URL) throws(PackageFuzzError) {
    func isThere(_ path: String) -> Bool {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }
    guard isThere("Package.swift") else { throw .noPackage(folder.path) }
    guard !isThere("Fuzz/Package.swift") else { throw .clone }
  }

  /// Reads a package's manifest; ``check(_:)`` has looked for it.
  ///
  /// - Throws: ``PackageFuzzError`` if SwiftPM cannot read it.
  init(_ folder: URL, scratch: URL, isInterrupted: () -> Bool) throws {
    self.folder = folder
    let output = scratch.appendingPathComponent("describe.json")
    // SwiftPM reports what it fetches and compiles on standard error, which is not the answer.
    let end = try Subprogram.run(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c", "exec swift package --package-path \"$1\" describe --type json 2>\"$2\"", "sh",
        folder.path, scratch.appendingPathComponent("describe.log").path,
      ],
      environment: [:],
      output: output,
      secondsLimit: 1800,
      isInterrupted: isInterrupted
    )
    guard end == .exited(0),
      let description = try? JSONDecoder().decode(Description.self, from: Data(contentsOf: output))
    else {
      let log = scratch.appendingPathComponent("describe.log")
      throw PackageFuzzError.manifest(SwiftBuild.errors(in: log), log: log.path)
    }
    name = description.name
    let targets = description.targets.filter { $0.moduleType == "SwiftTarget" }
      .sorted { ($0.type == "test" ? 1 : 0, $0.c99name) < ($1.type == "test" ? 1 : 0, $1.c99name) }
    modules = targets.map(\.c99name)
    let libraries = targets.filter { $0.type != "test" }
    coveredModules = Dictionary(
      (libraries.isEmpty ? targets : libraries).map { ($0.c99name, $0.path) },
      uniquingKeysWith: { first, _ in first }
    )
    func files(of target: Description.Target) -> [URL] {
      target.sources.map { folder.appendingPathComponent(target.path).appendingPathComponent($0) }
    }
    sources = targets.flatMap(files)
    testSources = targets.filter { $0.type == "test" }.flatMap(files)
    if testSources.isEmpty { throw PackageFuzzError.noTests(folder.path) }
  }

  /// The program of its tests, among the products of a build.
  func testProgram(in products: URL) -> URL {
    let program = products.appendingPathComponent("\(name)PackageTests.xctest")
    #if os(macOS)
    return program.appendingPathComponent("Contents/MacOS/\(name)PackageTests")
    #else
    return program
    #endif
  }

  /// Refuses the name of a test that stands nowhere in the tests: building them takes minutes.
  ///
  /// - Throws: ``PackageFuzzError/unknownTest(_:known:)`` with the names of functions that are tests by their looks.
  func check(test name: String) throws {
    let path = name.split { $0 == "/" || $0 == "." }
    let last = String((path.last ?? Substring(name)).prefix { $0 != "(" })
    guard !modules.contains(last) else { return }
    let texts = testSources.map(lenientText(of:))
    guard !texts.contains(where: { $0.contains(last) }) else { return }
    let functions = texts.flatMap { text in
      text.matches(of: /@Test\b(?s:.*?)\bfunc\s+(`[^`]+`|\w+)|\bfunc\s+(test\w+)/).map { match in
        "\(match.output.1 ?? match.output.2 ?? "")".replacing("`", with: "")
      }
    }
    throw PackageFuzzError.unknownTest(name, known: Set(functions).sorted())
  }

  /// Literals of its sources: what its code compares values with, among others.
  ///
  /// A comparison of strings happens in Swift's library, where a fuzzer sees none of it; one of numbers it
  /// would meet step by step.
  var literals: Literals {
    var words: [String] = []
    var numbers: [Int64] = []
    var decimals: [Double] = []
    let decimal = /\b[0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+\-]?[0-9]+)?|[eE][+\-]?[0-9]+)\b/
    for source in sources {
      let text = lenientText(of: source)
      words += text.matches(of: /"((?:[^"\\\n]|\\.)*)"/).map { String($0.output.1) }
        .filter { !$0.isEmpty && !$0.contains("\\") && $0.utf8.count <= Self.literalByteLimit }
      decimals += text.matches(of: decimal)
        .compactMap { Double($0.output.replacing("_", with: "")) }.filter(\.isFinite)
      let rest = text.replacing(decimal, with: " ")
      numbers += rest.matches(of: /\b(?:0x([0-9a-fA-F_]+)|([0-9][0-9_]*))\b/).compactMap { match in
        let (hexadecimal, decimal) = (match.output.1, match.output.2)
        let digits = (hexadecimal ?? decimal ?? "").replacing("_", with: "")
        return Int64(digits, radix: hexadecimal == nil ? 10 : 16)
      }
    }
    return Literals(
      words: Self.firstOfEach(words),
      numbers: Self.firstOfEach(numbers.flatMap { [$0, -$0] }),
      decimals: Self.firstOfEach(decimals.flatMap { [$0, -$0] })
    )
  }

  private static func firstOfEach<Value: Hashable>(_ values: [Value]) -> [Value] {
    Array(values.uniqued().prefix(literalCountLimit))
  }
}

/// Why the tests of a package cannot be fuzzed.
enum PackageFuzzError: Error, Hashable, CustomStringConvertible {
  case noPackage(String)
  case clone
  case manifest([String], log: String)
  case buildFailed([String], log: String)
  case noTests(String)
  case unknownTest(String, known: [String])
  case unknownType(String, known: [String])
  case nothingAsked([String], log: String)
  case testsEnded(String, log: String)
  case interrupted

  var description: String {
    switch self {
    case .noPackage(let path):
      "\(path) has no Package.swift: --package names the folder of a Swift package"
    case .clone:
      "this is a clone of Touchstone, which has targets of its own: `touchstone fuzz all`, "
        + "or the names that `touchstone list targets` gives"
    case .manifest(let errors, let log):
      "SwiftPM cannot read the package; all of it is in \(log)\n" + errors.joined(separator: "\n")
    case .buildFailed(let errors, let log):
      "the package's tests do not build in release mode; all of it is in \(log)\n"
        + errors.joined(separator: "\n")
    case .noTests(let path): "the package at \(path) has no tests"
    case .unknownTest(let name, let known):
      "no test is called '\(name)'.\(suggestion(for: name, among: known))"
    case .unknownType(let name, let known):
      "no test judges a type '\(name)': they judge \(known.joined(separator: ", "))"
    case .nothingAsked(let tests, let log):
      "nothing to fuzz: \(tests.joined(separator: ", ")) \(tests.count == 1 ? "calls" : "call") none of "
        + "expectLaws, expectProperty, expectConverges, expectCommands, expectDrift, or did not get there; "
        + "what was printed is in \(log)"
    case .testsEnded(let words, let log):
      "the tests ended before a fuzzer ran, as `swift test` would: \(words); what they printed is in \(log)"
    case .interrupted: "interrupted before a fuzzer ran"
    }
  }
}
