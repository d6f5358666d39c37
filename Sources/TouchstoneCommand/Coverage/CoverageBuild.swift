import CaseFiles
import Foundation
import Programs

/// This program, built so that it counts how often each region of its code is entered.
struct CoverageBuild {
  /// The clone.
  let package: URL

  /// Where everything of it is kept from run to run.
  var folder: URL { package.appendingPathComponent(".build/coverage") }
  /// The counting program.
  var program: URL { folder.appendingPathComponent("build/release/touchstone") }

  /// What turns the program's counts into figures.
  var tools: CoverageTools {
    CoverageTools(
      program: program,
      package: package,
      folder: folder.appendingPathComponent("counts")
    )
  }

  /// Sees that there are sources to build.
  ///
  /// - Throws: ``CoverageError/noClone(_:)``.
  func requireClone() throws {
    let manifest = package.appendingPathComponent("Package.swift")
    let sources = package.appendingPathComponent("Sources/TouchstoneCommand")
    guard FileManager.default.fileExists(atPath: manifest.path), sources.isFolder == true else {
      throw CoverageError.noClone(package.relativePath)
    }
  }

  /// Builds the program.
  ///
  /// - Throws: ``CoverageError``; `Subprogram.Interrupted`.
  func build(isInterrupted: () -> Bool) throws {
    try requireClone()
    let log = folder.appendingPathComponent("build.log")
    do {
      try SwiftBuild(
        arguments: [
          "-c", "release", "--product", "touchstone", "--package-path", package.path,
          "--scratch-path", folder.appendingPathComponent("build").path,
          "-Xswiftc", "-profile-generate", "-Xswiftc", "-profile-coverage-mapping",
        ],
        environment: ["TOUCHSTONE_ONLY": "TouchstoneCommand"],
        log: log
      ).run(isInterrupted: isInterrupted)
    } catch let failed as SwiftBuild.Failed {
      throw CoverageError.buildFailed(failed.errors, log: log.path)
    }
  }
}

/// Why nothing can be said of what code was entered.
enum CoverageError: Error, Hashable, CustomStringConvertible {
  case noClone(String)
  case buildFailed([String], log: String)
  /// A tool of LLVM that comes with the toolchain.
  case noTool(String)
  case toolFailed(String, log: String)
  case noCounts(log: String)
  /// A law was violated, which ended the run of a part early.
  case violated(String, part: String)
  /// A page that no run has written.
  case foreignPage(String)
  case noInputs
  case unreadable(String)

  var description: String {
    switch self {
    case .noClone(let path):
      "\(path) is no clone of Touchstone, whose code this is about (--package DIR); of your own package "
        + "`swift test --enable-code-coverage` says as much"
    case .buildFailed(let errors, let log):
      "the counting program does not build; all of it is in \(log)\n"
        + errors.joined(separator: "\n")
    case .noTool(let name):
      "there is no \(name) beside `swiftc`: install a toolchain of swift.org, which has it"
    case .toolFailed(let name, let log): "\(name) failed; what it said is in \(log)"
    case .noCounts(let log): "the program left no counts; what it said is in \(log)"
    case .violated(let law, let part):
      "\(law) is violated on \(part), which ended its run: fix that first, `touchstone check` shows it"
    case .foreignPage(let path):
      "\(path) was not written by this command: name another folder by --report, or move it away"
    case .noInputs: "no inputs are kept: fuzz longer, or leave --coverage out"
    case .unreadable(let reason): "llvm-cov wrote what cannot be read: \(reason)"
    }
  }
}
