import Campaigns
import Foundation
import FuzzEntryPoints
import FuzzSessions
import Programs
import Reporting

/// Which code the inputs of fuzz targets enter: they are judged again by a counting program.
struct FuzzCoverage: Sendable {
  /// Ids of the targets, each the name of its folder of inputs.
  private let targets: [String]
  private let tools: CoverageTools
  private let jobs: Int
  private let isInterrupted: @Sendable () -> Bool
  /// Has the counting program judge all inputs of a folder.
  private let judge: @Sendable (Folder) throws -> Void

  /// A folder of one target's inputs.
  struct Folder {
    /// Number of the target.
    let target: Int
    let url: URL
    /// What the program's counts are called.
    let name: String
  }

  /// Seconds on the clock for one folder: a corpus of some thousand histories takes half a minute.
  private static let secondsLimit = 1800.0

  /// All modules that any input enters, by name.
  ///
  /// - Parameters:
  ///   - seeds: The inputs that a run began with, a folder for each target.
  ///   - corpus: The inputs that are kept, likewise.
  /// - Returns: The modules that any input enters.
  /// - Throws: ``CoverageError``, `Subprogram.Interrupted`; what the file system says.
  func modules(seeds: URL, corpus: URL) throws -> [Report.CoveredModule] {
    try tools.clear()
    let before = try counts(in: seeds, "seeds")
    guard let after = try counts(in: corpus, "kept") else { throw CoverageError.noInputs }
    let names = after.moduleNames
    let earlier = before.map { before in
      Dictionary(uniqueKeysWithValues: before.modules(names).map { ($0.name, $0.entered) })
    }
    return after.modules(names).filter { $0.entered > 0 }.map { module in
      var module = module
      module.enteredBefore = earlier?[module.name]
      return module
    }
  }

  /// What the inputs below one folder enter; `nil` if there are none.
  private func counts(in home: URL, _ kind: String) throws -> CoverageCounts? {
    let folders = targets.enumerated().map { index, id in
      Folder(target: index, url: home.appendingPathComponent(id), name: "\(kind)-\(id)")
    }
    let present = folders.filter { folder in
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      return names?.isEmpty == false
    }
    guard !present.isEmpty else { return nil }
    let results = inParallel(present.count, jobs: jobs) { index in
      Result {
        try judge(present[index])
        if isInterrupted() { throw Subprogram.Interrupted() }
      }
    }
    for result in results { try result.get() }
    return try tools.counts(of: present.map(\.name), isInterrupted: isInterrupted)
  }
}

extension FuzzCoverage {
  /// Builds the program of a clone with counters.
  ///
  /// `subject` is the id of what is judged; each target's usual one if it is `nil`.
  ///
  /// - Throws: ``CoverageError``; `Subprogram.Interrupted`.
  init(
    ofClone targets: [FuzzTarget],
    subject: String?,
    build: CoverageBuild,
    jobs: Int,
    isInterrupted: @escaping @Sendable () -> Bool
  ) throws {
    try build.build(isInterrupted: isInterrupted)
    let tools = build.tools
    self.init(
      targets: targets.map(\.id),
      tools: tools,
      jobs: jobs,
      isInterrupted: isInterrupted
    ) { folder in
      let log = build.folder.appendingPathComponent("runs/\(folder.name).log")
      let end = try Subprogram.run(
        build.program,
        ["replay", "--target", targets[folder.target].id]
          + (subject.map { ["--subject", $0] } ?? []) + [folder.url.path],
        environment: tools.environment(folder.name),
        output: log,
        secondsLimit: Self.secondsLimit,
        isInterrupted: isInterrupted
      )
      // What inputs show was told when they were found.
      guard case .exited = end else { throw CoverageError.noCounts(log: log.path) }
    }
  }

  /// Builds the tests of a package with counters.
  ///
  /// - Throws: ``CoverageError``; `Subprogram.Interrupted`.
  init(
    ofTests source: PackageFuzzSource,
    build: PackageCoverageBuild,
    jobs: Int,
    isInterrupted: @escaping @Sendable () -> Bool
  ) throws {
    try build.build(isInterrupted: isInterrupted)
    let tools = build.tools
    self.init(
      targets: source.targets.map(\.id),
      tools: tools,
      jobs: jobs,
      isInterrupted: isInterrupted
    ) { folder in
      try source.enter(
        folder.url,
        of: folder.target,
        by: build.program,
        tools.environment(folder.name),
        name: folder.name,
        secondsLimit: Self.secondsLimit
      )
    }
  }
}
