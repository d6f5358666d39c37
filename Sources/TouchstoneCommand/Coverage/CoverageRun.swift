import Campaigns
import Foundation
import Mutants
import PastRuns
import Programs
import PropertyEngine
import Reporting
import SelfTests
import Texts

/// Holds parts of this program to all laws that `check` asks, and says what of their code was never entered.
struct CoverageRun: Sendable {
  let build: CoverageBuild
  let targets: [SourcePatch.Target]
  let seed: Seed
  /// Processor time for each part.
  let seconds: Double
  let jobs: Int
  let isInterrupted: @Sendable () -> Bool

  /// Lines of a gap that are shown.
  private static let lineLimit = 12

  /// On the clock, since a busy machine gives a process a small part of its time.
  private var clockLimit: Double { 120 + 20 * seconds }

  /// Runs each part in a process of its own.
  ///
  /// - Throws: ``CoverageError``, `LabelledBlock.Incomplete`, `Subprogram.Interrupted`; what the file system says.
  func run(onLine: @escaping @Sendable (String) -> Void) throws -> SourceCoverage {
    try build.requireClone()
    onLine("building the program with counters; the first time takes minutes")
    try build.build(isInterrupted: isInterrupted)
    let tools = build.tools
    try tools.clear()
    let results = inParallel(targets.count, jobs: jobs) { index in
      Result { try judge(targets[index], tools, onLine) }
    }
    let cases = try results.map { try $0.get() }.saturatedSum
    let counts = try tools.counts(of: targets.map(\.rawValue), isInterrupted: isInterrupted)
    let names = targets.flatMap(\.modules).uniqued()
    return SourceCoverage(
      modules: counts.modules(names),
      gaps: try gaps(counts.gaps(names)),
      origin:
        "\(counted(cases, "case")), \(decimal(seconds, digits: 0)) s of processor time for each of "
        + "\(targets.map(\.rawValue).joined(separator: ", ")), seed \(seed)"
    )
  }

  /// Asks of one part what `check` asks.
  ///
  /// - Returns: The number of cases.
  private func judge(
    _ target: SourcePatch.Target,
    _ tools: CoverageTools,
    _ onLine: @Sendable (String) -> Void
  ) throws -> Int {
    let log = build.folder.appendingPathComponent("runs/\(target.rawValue).log")
    let ended = try CaseProcess(
      build.program,
      ["mutant", target.rawValue, "--seed", "\(seed)", "--seconds", "\(seconds)"],
      environment: tools.environment(target.rawValue),
      log: log,
      silenceLimit: clockLimit
    ).run(for: PatchOutcome.self, isInterrupted: isInterrupted)
    if isInterrupted() { throw Subprogram.Interrupted() }
    guard let outcome = ended.answer else { throw CoverageError.noCounts(log: log.path) }
    // What was entered until then would look like what a whole run enters.
    if let finding = outcome.finding {
      throw CoverageError.violated(finding.key.law, part: target.rawValue)
    }
    onLine("  \(target.rawValue): \(counted(outcome.cases, "case"))")
    return outcome.cases
  }

  /// Gaps with their source, and with the reason that the list has.
  private func gaps(
    _ found: [(region: CoverageCounts.Region, count: Int)]
  ) throws -> [SourceCoverage.Gap] {
    let list = try String(
      contentsOf: build.package.appendingPathComponent(NeverEntered.path),
      encoding: .utf8
    )
    let reasons = try NeverEntered.list(list)
    var texts: [String: [String]] = [:]
    return try found.compactMap { region, count in
      let lines: [String]
      if let known = texts[region.file] {
        lines = known
      } else {
        let url = build.package.appendingPathComponent(region.file)
        lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
        texts[region.file] = lines
      }
      let first = min(region.start.line, lines.count)
      let last = max(first, min(region.end.line, lines.count))
      let held = Array(lines[(first - 1)..<last])
      // Behind a loop or a switch that is never left, the compiler marks the end of a function.
      guard !held.allSatisfy({ $0.allSatisfy { " })".contains($0) } }) else { return nil }
      return SourceCoverage.Gap(
        file: region.file,
        lines: first...last,
        source: Array(held.prefix(Self.lineLimit)),
        regions: count,
        reason: reasons.first { $0.names(held, in: region.file) }?.reason
      )
    }
  }
}
