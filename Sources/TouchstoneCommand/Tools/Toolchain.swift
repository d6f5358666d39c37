import Foundation
import Programs

/// The Swift toolchain that a compiler belongs to.
struct Toolchain {
  /// The folder `usr`.
  let root: URL
  /// The compiler's version, as it words it.
  let version: String?

  /// A toolchain in a folder.
  init(root: URL, version: String? = nil) {
    self.root = root
    self.version = version
  }

  /// Asks a compiler about itself; `nil` if it does not answer.
  init?(of compiler: URL) {
    struct Info: Decodable {
      struct Paths: Decodable { let runtimeResourcePath: String }
      let compilerVersion: String?
      let paths: Paths
    }
    guard
      let output = Subprogram.output(of: compiler, ["-print-target-info"], seconds: Self.seconds),
      let info = try? JSONDecoder().decode(Info.self, from: output)
    else { return nil }
    // The path is `usr/lib/swift`.
    self.init(
      root: URL(fileURLWithPath: info.paths.runtimeResourcePath)
        .deletingLastPathComponent().deletingLastPathComponent(),
      version: info.compilerVersion
    )
  }

  /// How long a compiler may take to answer; the first answer on a busy machine takes seconds.
  private static let seconds = 60.0

  /// The archive of libFuzzer for programs that have a `main` of their own, for this machine; `nil` if it is not
  /// part of the toolchain.
  var libFuzzer: URL? {
    let library = "fuzzer_no_main"
    #if arch(arm64)
    let architectures = ["aarch64", "arm64"]
    #else
    let architectures = ["x86_64"]
    #endif
    let names =
      architectures.map { "libclang_rt.\(library)-\($0).a" }
      + ["libclang_rt.\(library)_osx.a"]
    let manager = FileManager.default
    let clang = root.appendingPathComponent("lib/clang")
    // Versions of clang, each with `lib/linux`, or with a folder for each target.
    return (manager.subpaths(atPath: clang.resolvingSymlinksInPath().path) ?? []).sorted()
      .map { clang.appendingPathComponent($0) }
      .first { url in
        names.contains(url.lastPathComponent)
          || url.lastPathComponent == "libclang_rt.\(library).a"
            && architectures.contains { url.path.contains($0) }
      }
  }
}
