import Foundation
import Testing

/// Where a build of the whole package has left its modules: above the tests' own program.
private let modules: URL? = {
  var folder = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
  while folder.pathComponents.count > 1 {
    folder.deleteLastPathComponent()
    let module = folder.appendingPathComponent("Modules/TouchstoneEngines.swiftmodule")
    if FileManager.default.fileExists(atPath: module.path) { return folder }
  }
  return nil
}()

/// Documentation is made by docc, with every link in it.
///
/// How: `Scripts/check-articles.sh`, which passes where there is no docc.
@Suite(
  "Documentation by docc",
  .enabled(if: modules != nil, "a build of a part of the package lacks modules")
)
struct ArticlesTests {
  private static func check(_ modules: [String], in bin: URL) throws -> CommandResult {
    let root = try Repository.current().root
    return try run("Scripts/check-articles.sh", [".build/articles", bin.path] + modules, in: root)
  }

  @Test("Each link in the documentation of a library leads somewhere")
  func links() throws {
    let manifest = try Repository.current().text(at: "Package.swift")
    let libraries = manifest.matches(of: /\.library\(name: "([A-Za-z]+)"/).map { String($0.1) }
      .filter { $0 != "FuzzEntryPoints" }
    #expect(libraries.count > 9)
    // Most of what these libraries offer stands in modules that they hand on.
    let handedOn = ["AutomergeDocument", "CodingLaws", "DocumentCoding", "RecordModel"]
    let result = try Self.check(libraries + handedOn, in: #require(modules))
    #expect(result.status == 0, "\(result.output)")
  }
}
