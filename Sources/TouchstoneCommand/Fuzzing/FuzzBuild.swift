import Foundation
import FuzzEntryPoints
import Programs

/// The program of all fuzz targets: built with libFuzzer and a sanitizer from a clone of Touchstone.
struct FuzzBuild {
  /// What finds memory errors beside the laws.
  enum Sanitizer: String, CaseIterable {
    case address, thread
    /// Three times as fast; errors of memory show as wrong answers, if at all.
    case none

    /// Parts of the names that instrumented code has; other names of `sancov` stand in the runtimes, too.
    var symbols: [String] {
      switch self {
      case .address: ["__sancov_cntrs", "__asan_"]
      case .thread: ["__sancov_cntrs", "__tsan_"]
      case .none: ["__sancov_cntrs"]
      }
    }
  }

  /// The clone.
  let package: URL
  let sanitizer: Sanitizer

  /// Where everything of fuzzing is kept from run to run.
  var folder: URL { package.appendingPathComponent("Fuzz/.build") }

  private var scratch: URL { folder.appendingPathComponent(sanitizer.rawValue) }
  private var product: URL { scratch.appendingPathComponent("release/TouchstoneFuzz") }
  private var log: URL { folder.appendingPathComponent("build-\(sanitizer.rawValue).log") }

  /// The program under the name that makes it run a target.
  func program(_ executable: String) -> URL {
    scratch.appendingPathComponent("programs/\(executable)")
  }

  /// The variable that makes the manifest add what a fuzzer counts to the modules that are judged.
  private static let variable = "TOUCHSTONE_FUZZER"

  /// Sees that there is something to build.
  ///
  /// - Throws: ``FuzzBuildError/noPackage(_:)``, ``FuzzBuildError/folderName``.
  func requireClone() throws {
    guard
      FileManager.default.fileExists(
        atPath: package.appendingPathComponent("Fuzz/Package.swift").path
      )
    else { throw FuzzBuildError.noPackage(package.path) }
    // SwiftPM tells packages apart by the names of their folders, whatever the case.
    guard package.standardizedFileURL.lastPathComponent.lowercased() != "fuzz" else {
      throw FuzzBuildError.folderName
    }
  }

  /// Builds the program, and sees that both libFuzzer's and the sanitizer's instrumentation are in.
  ///
  /// - Throws: ``FuzzBuildError`` with the end of what the compiler said, or that the user had enough;
  ///   ``FuzzerLibraryError``.
  func build(isInterrupted: () -> Bool) throws {
    try requireClone()
    let library = try FuzzerLibrary()
    // SwiftPM notices new files of the package in `Fuzz` alone: without its last plan it looks at all of them.
    try? FileManager.default.removeItem(at: scratch.appendingPathComponent("release.yaml"))
    let build = SwiftBuild(
      arguments: [
        "--package-path", package.appendingPathComponent("Fuzz").path,
        "-c", "release", "--scratch-path", scratch.path,
      ]
        // With json-c the target `json` has a third reader to compare.
        + (CHeader.path(of: "json-c/json.h") == nil ? [] : ["--traits", "JSONCOracle"])
        + (sanitizer == .none ? [] : ["--sanitize=\(sanitizer.rawValue)"])
        + library.arguments,
      environment: [Self.variable: sanitizer.rawValue],
      log: log
    )
    do {
      try build.run(isInterrupted: isInterrupted)
    } catch let failed as SwiftBuild.Failed {
      throw FuzzBuildError.buildFailed(failed.errors, log: log.path)
    } catch is Subprogram.Interrupted {
      throw FuzzBuildError.interrupted
    }
    try requireInstrumentation()
    try link()
  }

  /// Sees that a build is there.
  ///
  /// - Throws: ``FuzzBuildError/nothingBuilt(_:)``.
  func requireProgram() throws {
    guard FileManager.default.isExecutableFile(atPath: product.path) else {
      throw FuzzBuildError.nothingBuilt(product.path)
    }
    try link()
  }

  /// A program that lacks half of its instrumentation would run as well, and find nothing.
  private func requireInstrumentation() throws {
    let bytes = try Data(contentsOf: product, options: .mappedIfSafe)
    for symbol in sanitizer.symbols where bytes.range(of: Data(symbol.utf8)) == nil {
      throw FuzzBuildError.notInstrumented(symbol)
    }
  }

  /// Gives the program a name for each target.
  private func link() throws {
    for name in FuzzTarget.all.map(\.executable) + [FuzzDriver.idleProgram] {
      let link = program(name)
      try FileManager.default.createDirectory(
        at: link.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: product)
    }
  }
}

/// Why there is nothing to fuzz with.
enum FuzzBuildError: Error, Hashable, CustomStringConvertible {
  case noPackage(String)
  case folderName
  case buildFailed([String], log: String)
  case notInstrumented(String)
  case nothingBuilt(String)
  case interrupted

  var description: String {
    switch self {
    case .noPackage(let path):
      "\(path) has no Fuzz/Package.swift: fuzzing needs a clone of Touchstone (--package DIR)"
    case .interrupted: "interrupted before a fuzzer ran"
    case .folderName:
      "the clone's folder must not be called fuzz, as the package in it is: rename it"
    case .buildFailed(let errors, let log):
      "the fuzzer does not build; all of it is in \(log)\n" + errors.joined(separator: "\n")
    case .notInstrumented(let symbol):
      "the fuzzer was built without \(symbol): it would find nothing"
    case .nothingBuilt(let path):
      "there is no \(path): leave --no-build out"
    }
  }
}
