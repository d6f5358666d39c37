import Campaigns
import Foundation
import FuzzEntryPoints
import Programs
import Reporting

/// Which code the inputs of fuzz targets enter: they are judged again by the counting program.
struct FuzzCoverage: Sendable {
  let build: CoverageBuild
  /// Id of what is judged; each target's usual subject if `nil`.
  let subject: String?
  let jobs: Int
  let isInterrupted: @Sendable () -> Bool

  /// Seconds on the clock for one folder: a corpus of some thousand histories takes half a minute.
  private static let secondsLimit = 1800.0

  /// All modules that any input enters, by name.
  ///
  /// - Parameters:
  ///   - targets: The targets.
  ///   - seeds: The inputs that a run began with, a folder for each target.
  ///   - corpus: The inputs that are kept, likewise.
  /// - Returns: The modules that any input enters.
  /// - Throws: ``CoverageError``, `Subprogram.Interrupted`; what the file system says.
  func modules(
    of targets: [FuzzTarget],
    seeds: URL,
    corpus: URL
  ) throws -> [Report.CoveredModule] {
    try build.build(isInterrupted: isInterrupted)
    let tools = CoverageTools(build: build)
    try tools.clear()
    let before = try counts(targets, in: seeds, "seeds", tools)
    let after = try counts(targets, in: corpus, "kept", tools)
    guard let after else { throw CoverageError.noInputs }
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

  /// What the inputs of one folder enter; `nil` if it has none.
  private func counts(
    _ targets: [FuzzTarget],
    in home: URL,
    _ kind: String,
    _ tools: CoverageTools
  ) throws -> CoverageCounts? {
    let present = targets.filter { target in
      let folder = home.appendingPathComponent(target.id)
      return (try? target.inputs(at: folder))?.isEmpty == false
    }
    guard !present.isEmpty else { return nil }
    let results = inParallel(present.count, jobs: jobs) { index in
      Result { try judge(present[index], in: home, kind, tools) }
    }
    for result in results { try result.get() }
    return try tools.counts(
      of: present.map { "\(kind)-\($0.id)" },
      isInterrupted: isInterrupted
    )
  }

  private func judge(
    _ target: FuzzTarget,
    in home: URL,
    _ kind: String,
    _ tools: CoverageTools
  ) throws {
    let name = "\(kind)-\(target.id)"
    let log = build.folder.appendingPathComponent("runs/\(name).log")
    let folder = home.appendingPathComponent(target.id).path
    let end = try Subprogram.run(
      build.program,
      ["replay", "--target", target.id] + (subject.map { ["--subject", $0] } ?? []) + [folder],
      environment: tools.environment(name),
      output: log,
      secondsLimit: Self.secondsLimit,
      isInterrupted: isInterrupted
    )
    if isInterrupted() { throw Subprogram.Interrupted() }
    // What inputs show was told when they were found.
    guard case .exited = end else { throw CoverageError.noCounts(log: log.path) }
  }
}
