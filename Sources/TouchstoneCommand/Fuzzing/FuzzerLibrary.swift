import Foundation
import Programs

/// libFuzzer as a part of a program that has a `main` of its own.
struct FuzzerLibrary {
  /// The toolchain that `swift build` takes.
  let toolchain: Toolchain
  private let archive: URL

  /// Looks for it in the toolchain of the compiler along the search path.
  ///
  /// - Throws: ``FuzzerLibraryError``.
  init() throws {
    let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""
    guard let swiftc = Subprogram.find("swiftc", along: searchPath),
      let toolchain = Toolchain(of: swiftc)
    else {
      throw FuzzerLibraryError.noCompiler
    }
    guard let archive = toolchain.libFuzzer else {
      throw FuzzerLibraryError.noLibrary(root: toolchain.root.path)
    }
    self.toolchain = toolchain
    self.archive = archive
  }

  /// Arguments of `swift build` that make it a part of the program.
  var arguments: [String] {
    #if os(Linux)
    let runtime = "-lstdc++"
    #else
    let runtime = "-lc++"
    #endif
    return ["-Xlinker", archive.path, "-Xlinker", runtime]
  }
}

/// Why no program can be built with libFuzzer.
enum FuzzerLibraryError: Error, Hashable, CustomStringConvertible {
  case noCompiler
  case noLibrary(root: String)

  var description: String {
    switch self {
    case .noCompiler: "no `swiftc` in the search path answers `-print-target-info`"
    case .noLibrary(let root):
      "the toolchain at \(root) has no libclang_rt.fuzzer_no_main: take one from swift.org (Xcode's has none)"
    }
  }
}
