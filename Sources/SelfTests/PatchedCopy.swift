import CaseFiles
package import Foundation
import Mutants
import Programs

/// A copy of the package with bugs in its sources, built beside the package's own build.
package struct PatchedCopy: Sendable {
  /// A change of one file's text.
  typealias Edit = @Sendable (String) throws -> String

  private let package: URL
  private let name: String
  /// By the file's path from the root of the package.
  private let edits: [String: Edit]

  /// A copy of the package in `folder` with all source patches.
  package init(of folder: URL) {
    self.init(
      of: folder,
      name: "mutants",
      edits: Dictionary(grouping: sourcePatches, by: \.file).mapValues { patches in
        { try SourcePatch.apply(patches, to: $0) }
      }
    )
  }

  /// A copy of the package in `folder`, below `.build/name`, with some files changed.
  init(of folder: URL, name: String, edits: [String: Edit]) {
    package = folder
    self.name = name
    self.edits = edits
  }

  /// Where everything of the copy is: kept from run to run, so that a build is as long as the change.
  package var folder: URL { package.appendingPathComponent(".build/\(name)") }

  private var copy: URL { folder.appendingPathComponent("package") }

  /// The patched program.
  package var program: URL {
    folder.appendingPathComponent("build/release/touchstone")
  }

  /// What of the package is copied: what the manifest asks for when the program, or a fuzzer, is built.
  package static let parts = [
    "Package.swift", "Package.resolved", "Sources", "Tests/CloudKitStandIn", "Tests/Support",
    // For `Fuzz/prove`, which fuzzes the copy.
    "Fuzz/Package.swift", "Fuzz/Sources",
  ]

  /// What a fuzzer leaves within the copy.
  private static let leftAlone = "Fuzz/.build"

  /// Brings the copy up to date; files that need no change keep their dates.
  ///
  /// - Throws: ``Mutants/PatchError`` if a patch no longer fits, ``PatchedCopyError`` if this is no
  ///   package of ours, and what the file system throws.
  package func write() throws {
    let manifest = package.appendingPathComponent("Package.swift")
    guard FileManager.default.fileExists(atPath: manifest.path) else {
      throw PatchedCopyError.noPackage(package.path)
    }
    let wanted = try contents()
    let present = Set(try files(below: copy)).filter { !$0.hasPrefix(Self.leftAlone) }
    for path in present.subtracting(wanted.keys).sorted() {
      try FileManager.default.removeItem(at: copy.appendingPathComponent(path))
    }
    for (path, data) in wanted.sorted(by: { $0.key < $1.key }) {
      let target = copy.appendingPathComponent(path)
      if present.contains(path), try Data(contentsOf: target) == data { continue }
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try data.write(to: target, options: .atomic)
    }
    try link()
  }

  /// Makes the links to folders, through which one module is made of another's sources.
  private func link() throws {
    let manager = FileManager.default
    for part in Self.parts {
      let folder = package.appendingPathComponent(part)
      for case let path as String in manager.enumerator(atPath: folder.path) ?? .init() {
        let source = folder.appendingPathComponent(path)
        guard let goal = try? manager.destinationOfSymbolicLink(atPath: source.path),
          source.isFolder == true
        else { continue }
        let target = copy.appendingPathComponent("\(part)/\(path)")
        guard (try? manager.destinationOfSymbolicLink(atPath: target.path)) != goal else {
          continue
        }
        try? manager.removeItem(at: target)
        try manager.createDirectory(
          at: target.deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        try manager.createSymbolicLink(atPath: target.path, withDestinationPath: goal)
      }
    }
  }

  /// All files of the copy, with the patches in.
  private func contents() throws -> [String: Data] {
    var result: [String: Data] = [:]
    for part in Self.parts {
      let url = package.appendingPathComponent(part)
      guard let isFolder = url.isFolder else { continue }
      let paths = isFolder ? try files(below: url).map { "\(part)/\($0)" } : [part]
      for path in paths {
        result[path] = try Data(contentsOf: package.appendingPathComponent(path))
      }
    }
    for (path, edit) in edits.sorted(by: { $0.key < $1.key }) {
      guard let data = result[path] else { throw PatchedCopyError.noFile(path) }
      result[path] = Data(try edit(String(decoding: data, as: UTF8.self)).utf8)
      let module = SourcePath(path).moduleFolder
      result["\(module)/MutantSwitch.swift"] = Data(SourcePatch.switchFile.utf8)
    }
    return result
  }

  /// Paths of all files below a folder, relative to it; none if it does not exist.
  private func files(below folder: URL) throws -> [String] {
    guard let names = FileManager.default.enumerator(atPath: folder.path) else { return [] }
    return names.compactMap { $0 as? String }.filter { path in
      folder.appendingPathComponent(path).isFolder == false
    }
  }

  /// Builds the copy, optimised.
  ///
  /// - Throws: ``PatchedCopyError`` with the errors that the compiler named, or ``Subprogram/Interrupted``.
  package func build(isInterrupted: () -> Bool) throws {
    let log = folder.appendingPathComponent("build.log")
    let status = try Subprogram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "swift", "build", "-c", "release", "--product", "touchstone",
        "--package-path", copy.path,
        "--scratch-path", folder.appendingPathComponent("build").path,
      ],
      environment: ["TOUCHSTONE_ONLY": "TouchstoneCommand"],
      output: log,
      secondsLimit: 3600,
      isInterrupted: isInterrupted
    )
    guard status == .exited(0) else {
      if isInterrupted() { throw Subprogram.Interrupted() }
      let errors = CompilerError.list(lenientText(of: log))
      throw PatchedCopyError.buildFailed(errors, log: log.path)
    }
  }
}

/// Why the patched copy cannot be made.
package enum PatchedCopyError: Error, Hashable, CustomStringConvertible {
  case noPackage(String)
  /// A folder without the package that writes mutants.
  case noWriter(String)
  case noFile(String)
  case buildFailed([CompilerError], log: String)
  /// The program that writes mutants could not be built, or failed.
  case noMutants(log: String)

  package var description: String {
    switch self {
    case .noPackage(let path):
      "\(path) has no Package.swift: source patches need Touchstone's own sources (--package DIR)"
    case .noWriter(let path):
      "\(path) is no clone of Touchstone: it has no Mutation/Package.swift, which writes the mutants (--package DIR)"
    case .noMutants(let log):
      "Mutation/ wrote no mutants; it needs swift-syntax, and what it said is in \(log)"
    case .noFile(let path): "a patch is for \(path), which is not in the package"
    case .buildFailed(let errors, let log):
      "the patched copy does not build; all of it is in \(log)\n"
        + errors.prefix(20).map(\.description).joined(separator: "\n")
    }
  }
}
