import Foundation
import Programs

/// The tools of LLVM that turn what a counting program leaves into counts.
struct CoverageTools {
  /// The counting program.
  let program: URL
  /// The package whose code counts.
  let package: URL
  /// Where programs leave what they counted.
  let folder: URL
  /// The folder of each module from the root of the package, by the module's name; `nil` where each folder of
  /// `Sources` is one.
  var modules: [String: String]?

  /// Takes away what earlier programs left.
  ///
  /// - Throws: What the file system says.
  func clear() throws {
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// What a counting program needs to leave its counts in one file for each name.
  func environment(_ name: String) -> [String: String] {
    ["LLVM_PROFILE_FILE": file(name).path]
  }

  private func file(_ name: String) -> URL { folder.appendingPathComponent("\(name).profraw") }

  /// What programs of some names counted together.
  ///
  /// - Throws: ``CoverageError``; `Subprogram.Interrupted`.
  func counts(of names: [String], isInterrupted: () -> Bool) throws -> CoverageCounts {
    let left = names.map(file).filter { FileManager.default.fileExists(atPath: $0.path) }
    let merged = folder.appendingPathComponent("merged.profdata")
    try run(
      "llvm-profdata",
      ["merge", "-sparse", "-o", merged.path] + left.map(\.path),
      output: folder.appendingPathComponent("merge.log"),
      isInterrupted
    )
    let export = folder.appendingPathComponent("export.json")
    try run(
      "llvm-cov",
      ["export", "-skip-expansions", "-instr-profile", merged.path, program.path],
      output: export,
      isInterrupted
    )
    // Warnings stand in front of it, a line each.
    let lines = try Data(contentsOf: export).split(separator: UInt8(ascii: "\n"))
    guard let json = lines.first(where: { $0.first == UInt8(ascii: "{") }) else {
      throw CoverageError.toolFailed("llvm-cov", log: export.path)
    }
    return try CoverageCounts(json, root: package, modules: modules)
  }

  /// A tool of the toolchain: that of another LLVM cannot read what this one's programs leave.
  private static func tool(_ name: String) -> URL? {
    let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""
    guard let compiler = Subprogram.find("swiftc", along: searchPath),
      let toolchain = Toolchain(of: compiler)
    else { return nil }
    return Subprogram.program(at: toolchain.root.appendingPathComponent("bin/\(name)"))
  }

  private func run(
    _ name: String,
    _ arguments: [String],
    output: URL,
    _ isInterrupted: () -> Bool
  ) throws {
    guard let tool = Self.tool(name) else { throw CoverageError.noTool(name) }
    let end = try Subprogram.run(
      tool,
      arguments,
      environment: [:],
      output: output,
      secondsLimit: 600,
      isInterrupted: isInterrupted
    )
    if isInterrupted() { throw Subprogram.Interrupted() }
    guard end == .exited(0) else { throw CoverageError.toolFailed(name, log: output.path) }
  }
}
