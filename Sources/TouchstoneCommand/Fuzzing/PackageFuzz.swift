import Foundation
import FuzzSessions
import Programs
import PropertyEngine
import Texts

/// `touchstone fuzz --package`: the tests of a package are fuzz targets without a line more.
struct PackageFuzz {
  let package: URL
  /// The test, or suite, that is meant; `nil` for all.
  let test: String?
  /// The type whose laws are meant; `nil` for all.
  let type: String?
  let buildArguments: [String]
  let usesSeeds: Bool
  let isInterrupted: @Sendable () -> Bool
  let say: @Sendable (String) -> Void

  /// Where everything is kept from run to run: within the package's build folder, which no one commits.
  var home: URL { package.appendingPathComponent(".build/touchstone-fuzz") }

  /// Builds the tests, asks them what they judge, and hands that out to be fuzzed.
  ///
  /// - Throws: ``PackageFuzzError``, what the file system says, and what `body` throws.
  func withSource<Result>(
    _ body: (PackageFuzzSource, UserPackage) throws -> Result
  ) throws -> Result {
    try UserPackage.check(package)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let home = try Self.plainPath(of: home)
    let user = try UserPackage(package, scratch: home, isInterrupted: isInterrupted)
    if let test { try user.check(test: test) }
    say("building the tests of \(package.lastPathComponent) with libFuzzer; minutes, at first")
    let build = PackageFuzzBuild(package: user, folder: home, buildArguments: buildArguments)
    let program = try build.build(isInterrupted: isInterrupted)
    return try FuzzRun.withFolder(below: home) { folder in
      let tests = PackageTests(
        program: program,
        package: package,
        folder: folder,
        isInterrupted: isInterrupted
      )
      let literals = user.literals
      let log = home.appendingPathComponent("list.log")
      let stages = try stages(of: tests, literals: literals, log: log)
      for stage in stages { say("  \(stage.title)") }
      let source = PackageFuzzSource(stages, of: tests, literals: literals, home: home, say: say)
      return try body(source, user)
    }
  }

  /// What the tests judge, as they say themselves.
  private func stages(
    of tests: PackageTests,
    literals: Literals,
    log kept: URL
  ) throws -> [PackageFuzzSource.Stage] {
    let all = try tests.all()
    if tests.isInterrupted() { throw PackageFuzzError.interrupted }
    guard !all.isEmpty else { throw PackageFuzzError.noTests(package.path) }
    let chosen = try PackageTests.chosen(test, of: all)
    var request = FuzzRequest(
      mode: .list,
      answersPath: tests.folder.appendingPathComponent("stages").path
    )
    request.literals = literals
    request.seedsPath = usesSeeds ? tests.folder.appendingPathComponent("seeds").path : nil
    var found: [PackageFuzzSource.Stage] = []
    for library in [PackageTests.Library.swiftTesting, .xctest] {
      let some = chosen.filter { $0.library == library }
      guard !some.isEmpty else { continue }
      let (end, answers, log) = try tests.run(some, request, name: "list", secondsLimit: 1800)
      if tests.isInterrupted() { throw PackageFuzzError.interrupted }
      try? FileManager.default.removeItem(at: kept)
      try? FileManager.default.moveItem(at: log, to: kept)
      if case .exited = end {
      } else {
        let last = lenientText(of: kept).split(separator: "\n").suffix(12)
          .joined(separator: "\n")
        throw PackageFuzzError.testsEnded(last, log: kept.path)
      }
      for case .stage(let stage) in answers where !found.contains(where: { $0.stage == stage }) {
        let test = some.first { $0.id == stage.test || $0.function == stage.test }
        if let test { found.append(PackageFuzzSource.Stage(stage: stage, test: test)) }
      }
    }
    guard !found.isEmpty else {
      throw PackageFuzzError.nothingAsked(chosen.prefix(5).map { "\($0.function)" }, log: kept.path)
    }
    guard let type else { return found }
    let meant = found.filter { $0.stage.model == type || $0.stage.model.hasSuffix(".\(type)") }
    guard !meant.isEmpty else {
      let known = Set(found.map(\.stage.model)).sorted()
      throw PackageFuzzError.unknownType(type, known: known)
    }
    return meant
  }

  /// A path of a folder that libFuzzer can pass on to itself: it writes commands without quotes.
  private static func plainPath(of folder: URL) throws -> URL {
    let isPlain = folder.path.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-+".utf8.contains(byte)
    }
    guard !isPlain else { return folder }
    let link = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-fuzz-\(hexString(stableHash(folder.path.utf8)))")
    try? FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
    return link
  }
}
