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
  /// - Throws: ``PackageFuzzError``.
  func build(isInterrupted: () -> Bool) throws -> URL {
    let root = try toolchain(isInterrupted: isInterrupted)
    guard let archive = Self.libFuzzer(in: root) else {
      throw PackageFuzzError.noLibFuzzer(root: root.path)
    }
    let compiler = try wrapper(of: root)
    #if os(Linux)
    let library = "-lstdc++"
    #else
    let library = "-lc++"
    #endif
    let arguments =
      [
        "swift", "build", "--package-path", package.folder.path, "--scratch-path", scratch.path,
        "-c", "release",
        "--build-tests", "-Xswiftc", "-enable-testing",
        // `assert` and `assertionFailure` are findings, too.
        "-Xswiftc", "-assert-config", "-Xswiftc", "Debug",
        "-Xlinker", archive.path, "-Xlinker", library,
      ] + buildArguments
    let environment = ["SWIFT_EXEC": compiler.path]
    let end = try Subprogram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      arguments,
      environment: environment,
      output: log,
      secondsLimit: 7200,
      isInterrupted: isInterrupted
    )
    if isInterrupted() { throw PackageFuzzError.interrupted }
    guard end == .exited(0) else {
      throw PackageFuzzError.buildFailed(BuildLog(log).errors, log: log.path)
    }
    let products = scratch.appendingPathComponent("release")
    let program = products.appendingPathComponent("\(package.name)PackageTests.xctest")
    guard FileManager.default.fileExists(atPath: program.path) else {
      throw PackageFuzzError.noTests(package.folder.path)
    }
    #if os(macOS)
    return program.appendingPathComponent(
      "Contents/MacOS/\(program.deletingPathExtension().lastPathComponent)"
    )
    #else
    return program
    #endif
  }

  // MARK: - The compiler

  /// The folder `usr` of the toolchain in use.
  private func toolchain(isInterrupted: () -> Bool) throws -> URL {
    struct Info: Decodable {
      struct Paths: Decodable { let runtimeResourcePath: String }
      let paths: Paths
    }
    let output = folder.appendingPathComponent("toolchain.json")
    let end = try Subprogram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["swiftc", "-print-target-info"],
      environment: [:],
      output: output,
      secondsLimit: 120,
      isInterrupted: isInterrupted
    )
    guard end == .exited(0),
      let info = try? JSONDecoder().decode(Info.self, from: Data(contentsOf: output))
    else { throw PackageFuzzError.noCompiler(output.path) }
    // The path is `usr/lib/swift`.
    return URL(fileURLWithPath: info.paths.runtimeResourcePath)
      .deletingLastPathComponent().deletingLastPathComponent()
  }

  /// libFuzzer without its `main`, for this machine.
  static func libFuzzer(in root: URL) -> URL? {
    #if arch(arm64)
    let architectures = ["aarch64", "arm64"]
    #else
    let architectures = ["x86_64"]
    #endif
    let manager = FileManager.default
    let clang = root.appendingPathComponent("lib/clang")
    let versions = (try? manager.contentsOfDirectory(atPath: clang.path)) ?? []
    for version in versions.sorted() {
      let libraries = clang.appendingPathComponent("\(version)/lib")
      for path in (manager.subpaths(atPath: libraries.path) ?? []).sorted() {
        let isIt = path.contains("libclang_rt.fuzzer_no_main") && path.hasSuffix(".a")
        let fits =
          path.contains("fuzzer_no_main_osx") || architectures.contains { path.contains($0) }
        if isIt, fits { return libraries.appendingPathComponent(path) }
      }
    }
    return nil
  }

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
