import Foundation
import Programs
import Texts

/// The tests of a package, built so that libFuzzer is part of their program.
///
/// The modules of the package alone are instrumented: what the coders and this library compare says nothing
/// about the package's code, and would fill the corpus. SwiftPM has no flags for single modules of a
/// package, so it gets a compiler that adds them.
struct PackageFuzzBuild {
  let package: UserPackage
  /// Where everything of fuzzing is kept from run to run.
  let folder: URL
  /// Further arguments of `swift build`.
  let buildArguments: [String]

  private var scratch: URL { folder.appendingPathComponent("build") }
  private var log: URL { folder.appendingPathComponent("build.log") }

  /// The instrumentation: edges, comparisons, and the table by which libFuzzer names places.
  private static let flags = "-Xfrontend -sanitize=fuzzer"
  /// The module of this library in which libFuzzer's functions are called.
  private static let bridge = "FuzzSessions"

  /// Builds the tests.
  ///
  /// - Returns: Their program.
  /// - Throws: ``PackageFuzzError``, ``FuzzerLibraryError``.
  func build(isInterrupted: () -> Bool) throws -> URL {
    let library = try FuzzerLibrary()
    let compiler = try wrapper(of: library.toolchain.root)
    let arguments =
      [
        "--package-path", package.folder.path, "--scratch-path", scratch.path,
        "-c", "release",
        "--build-tests", "-Xswiftc", "-enable-testing",
        // `assert` and `assertionFailure` are findings, too.
        "-Xswiftc", "-assert-config", "-Xswiftc", "Debug",
      ] + library.arguments + buildArguments
    let build = SwiftBuild(
      arguments: arguments,
      environment: ["SWIFT_EXEC": compiler.path],
      log: log
    )
    do {
      try build.run(isInterrupted: isInterrupted)
    } catch let failed as SwiftBuild.Failed {
      throw PackageFuzzError.buildFailed(failed.errors, log: log.path)
    } catch is Subprogram.Interrupted {
      throw PackageFuzzError.interrupted
    }
    let program = package.testProgram(in: scratch.appendingPathComponent("release"))
    guard FileManager.default.fileExists(atPath: program.path) else {
      throw PackageFuzzError.noTests(package.folder.path)
    }
    return program
  }

  // MARK: - The compiler

  /// A toolchain beside the real one, whose compiler instruments the modules of the package.
  ///
  /// SwiftPM looks for other tools and libraries beside the compiler: they are links.
  private func wrapper(of root: URL) throws -> URL {
    let manager = FileManager.default
    let copy = folder.appendingPathComponent("toolchain/usr")
    let tools = copy.appendingPathComponent("bin")
    try manager.createDirectory(at: tools, withIntermediateDirectories: true)
    for (original, links) in [(root, copy), (root.appendingPathComponent("bin"), tools)] {
      for name in try manager.contentsOfDirectory(atPath: original.path)
      where name != "bin" && name != "swiftc" {
        let link = links.appendingPathComponent(name)
        try? manager.removeItem(at: link)
        try manager.createSymbolicLink(
          at: link,
          withDestinationURL: original.appendingPathComponent(name)
        )
      }
    }
    let compiler = tools.appendingPathComponent("swiftc")
    let real = shellWord(root.appendingPathComponent("bin/swiftc").path)
    let script = """
      #!/bin/sh
      # The compiler, which instruments the modules of the package that is fuzzed, and no others.
      module= previous=
      for argument do
        if [ "$previous" = -module-name ]; then module=$argument; fi
        previous=$argument
      done
      case " \(package.modules.joined(separator: " ")) " in
      *" $module "*) exec \(real) "$@" \(Self.flags) ;;
      esac
      case $module in
      \(Self.bridge)) exec \(real) "$@" -DTOUCHSTONE_FUZZ ;;
      esac
      exec \(real) "$@"

      """
    // An unchanged compiler rebuilds nothing.
    if (try? String(contentsOf: compiler, encoding: .utf8)) != script {
      try Data(script.utf8).write(to: compiler, options: .atomic)
    }
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: compiler.path)
    return compiler
  }
}
