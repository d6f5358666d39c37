import Foundation
import Programs

/// The tests of a package, built so that they count how often each region of their code is entered.
struct PackageCoverageBuild {
  let package: UserPackage
  /// Where everything of fuzzing is kept from run to run.
  let home: URL
  /// Further arguments of `swift build`.
  let buildArguments: [String]

  private var folder: URL { home.appendingPathComponent("coverage") }

  /// The program of the tests.
  var program: URL {
    package.testProgram(in: folder.appendingPathComponent("build/release"))
  }

  /// What turns the program's counts into figures.
  var tools: CoverageTools {
    CoverageTools(
      program: program,
      package: package.folder,
      folder: folder.appendingPathComponent("counts"),
      modules: package.coveredModules
    )
  }

  /// Builds the tests.
  ///
  /// - Throws: ``CoverageError``; `Subprogram.Interrupted`.
  func build(isInterrupted: () -> Bool) throws {
    let log = folder.appendingPathComponent("build.log")
    do {
      try SwiftBuild(
        arguments: [
          "--package-path", package.folder.path,
          "--scratch-path", folder.appendingPathComponent("build").path,
          "-c", "release", "--build-tests", "--enable-code-coverage",
          "-Xswiftc", "-enable-testing",
        ] + buildArguments,
        log: log
      ).run(isInterrupted: isInterrupted)
    } catch let failed as SwiftBuild.Failed {
      throw CoverageError.buildFailed(failed.errors, log: log.path)
    }
  }
}
