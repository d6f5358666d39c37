import Campaigns
package import Foundation
package import Mutants
import Programs
package import PropertyEngine
package import Reporting
import Texts

/// The harness on the package itself with bugs that a program wrote, one at a time.
///
/// `Mutation/` writes all mutants of the sources; a sample of them goes into one copy of the package,
/// which is built once. First the copy runs without a bug: nothing may be found wrong, and it notes
/// the places that it comes to. A mutant whose place it does not come to cannot be noticed, and is
/// not run.
package struct GeneratedSelfTest: Sendable {
  package struct Configuration: Sendable {
    /// The package's own sources.
    package var folder: URL
    package var targets: [SourcePatch.Target]
    /// Mutants to draw.
    package var count: Int
    package var seed: Seed
    /// Processor time of each mutant.
    package var secondsLimit: Double
    package var jobs: Int
    /// The share of mutants that must be found wrong, in percent.
    package var percentWanted: Double

    package init(
      folder: URL,
      targets: [SourcePatch.Target],
      count: Int,
      seed: Seed,
      secondsLimit: Double,
      jobs: Int,
      percentWanted: Double
    ) {
      self.folder = folder
      self.targets = targets
      self.count = count
      self.seed = seed
      self.secondsLimit = secondsLimit
      self.jobs = jobs
      self.percentWanted = percentWanted
    }
  }

  private let configuration: Configuration
  private let isInterrupted: @Sendable () -> Bool

  package init(_ configuration: Configuration, isInterrupted: @escaping @Sendable () -> Bool) {
    self.configuration = configuration
    self.isInterrupted = isInterrupted
  }

  /// Processor time that one case may take, as in `touchstone check`.
  private static let caseSeconds = 10.0
  /// Builds after which what does not compile is given up.
  private static let buildLimit = 20

  private var root: URL { configuration.folder }
  /// The nested package that writes the mutants.
  private var writer: URL { root.appendingPathComponent("Mutation") }

  /// Draws, builds and runs the mutants.
  ///
  /// - Returns: The report, and the score that is in it.
  /// - Throws: ``PatchedCopyError``, ``MutantProcess/NotRun`` for the program without a bug,
  ///   `LabelledBlock.Incomplete`, and what the file system throws.
  package func run(
    onLine: @escaping @Sendable (String) -> Void
  ) throws -> (report: Report, score: MutationScore) {
    let start = ProcessInfo.processInfo.systemUptime
    guard FileManager.default.fileExists(atPath: writer.path + "/Package.swift") else {
      throw PatchedCopyError.noWriter(root.relativePath)
    }
    onLine("writing the mutants; the first time builds swift-syntax, which takes minutes")
    let all = try candidates()
    let list = try String(
      contentsOf: root.appendingPathComponent("Mutation/equivalent.txt"),
      encoding: .utf8
    )
    let equivalent = Set(try EquivalentMutant.list(list).map(\.key))
    let known = all.filter { !equivalent.contains($0.key) }
    let sample = mutantSample(of: known, count: configuration.count, seed: configuration.seed)
    onLine("building the package with \(grouped(sample.count)) of \(counted(all.count, "mutant"))")
    let (copy, numbers) = try build(sample, onLine)
    onLine(SelfTestLines.withoutBug)
    let (alarms, reached) = try runCorrect(copy, onLine)
    let mutants = numbers.map { (number: $0 + 1, mutant: sample[$0]) }
    let (rows, unrun) = run(mutants, copy, reached: reached, onLine: onLine)
    let score = MutationScore(
      seed: "\(configuration.seed)",
      secondsLimit: configuration.secondsLimit,
      candidates: Dictionary(grouping: known, by: \.module).mapValues(\.count),
      equivalents: all.count - known.count,
      uncompiled: sample.count - numbers.count,
      rows: rows
    )
    let report = report(
      score,
      alarms: alarms,
      unrun: unrun,
      mutantTotal: numbers.count,
      seconds: ProcessInfo.processInfo.systemUptime - start
    )
    return (report, score)
  }

  /// Runs each mutant in a process of its own.
  ///
  /// - Returns: What became of those that were judged, and why others were not.
  private func run(
    _ mutants: [(number: Int, mutant: SourceMutant)],
    _ copy: PatchedCopy,
    reached: [SourcePatch.Target: Data],
    onLine: @escaping @Sendable (String) -> Void
  ) -> (rows: [MutationScore.Row], unrun: [String]) {
    typealias Judged = Result<MutationScore.Row, MutantProcess.NotRun>
    let results = inParallel(mutants.count, jobs: configuration.jobs) { index -> Judged? in
      guard !isInterrupted() else { return nil }
      let (number, mutant) = mutants[index]
      let result = Judged { () throws(MutantProcess.NotRun) in
        try row(mutant, number: number, copy, reached)
      }
      guard !isInterrupted() else { return nil }
      if case .success(let row) = result, row.end != .unreached { onLine(Self.line(row)) }
      return result
    }
    .compactMap(\.self)
    var (rows, unrun): ([MutationScore.Row], [String]) = ([], [])
    for result in results {
      switch result {
      case .success(let row): rows.append(row)
      case .failure(let error): unrun.append("\(error)")
      }
    }
    return (rows, unrun)
  }

  // MARK: - Mutants

  /// All mutants of the targets' sources, as `Mutation/` writes them.
  private func candidates() throws -> [SourceMutant] {
    let folder = root.appendingPathComponent(".build/mutation")
    let file = folder.appendingPathComponent("mutants.json")
    let log = folder.appendingPathComponent("write.log")
    let status = try Subprogram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "swift", "run", "-c", "release", "--package-path", "Mutation", "--scratch-path",
        folder.path, "touchstone-mutants", root.path, file.path,
      ] + configuration.targets.flatMap(\.modules).map(SourcePath.folder(ofModule:)),
      environment: [:],
      output: log,
      folder: root,
      secondsLimit: 3600,
      isInterrupted: isInterrupted
    )
    if isInterrupted() { throw Subprogram.Interrupted() }
    guard status == .exited(0) else { throw PatchedCopyError.noMutants(log: log.path) }
    return try JSONDecoder().decode([SourceMutant].self, from: Data(contentsOf: file))
  }

  /// Builds a copy with the mutants of a sample that compile.
  ///
  /// - Returns: The copy, and the positions of those mutants in the sample. A mutant's number is its
  ///   position and 1.
  private func build(
    _ sample: [SourceMutant],
    _ onLine: (String) -> Void
  ) throws -> (copy: PatchedCopy, positions: [Int]) {
    var positions = Array(sample.indices)
    for _ in 0..<Self.buildLimit {
      let files = Dictionary(grouping: positions) { sample[$0].file }
      var texts: [String: ChoiceText] = [:]
      for (file, positions) in files {
        texts[file] = ChoiceText(
          try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8),
          positions.map { sample[$0].choice(number: UInt64($0 + 1)) }
        )
      }
      let edits = texts.mapValues { written -> PatchedCopy.Edit in { _ in written.text } }
      let copy = PatchedCopy(of: root, name: "generated", edits: edits)
      try copy.write()
      do {
        try copy.build(isInterrupted: isInterrupted)
        return (copy, positions)
      } catch PatchedCopyError.buildFailed(let errors, let log) {
        let refused = RefusedMutants(sample, texts).positions(of: errors, among: positions)
        guard !refused.isEmpty else { throw PatchedCopyError.buildFailed(errors, log: log) }
        positions.removeAll { refused.contains($0) }
        onLine("\(refused.count) do not compile; building again without them")
      }
    }
    throw PatchedCopyError.buildFailed([], log: copyLog)
  }

  private var copyLog: String { root.appendingPathComponent(".build/generated/build.log").path }

  // MARK: - Runs

  private func arguments() -> [String] {
    ["--seconds", "\(configuration.secondsLimit)", "--case-seconds", "\(Self.caseSeconds)"]
  }

  /// On the clock: a busy machine gives a process a small part of its time.
  private var clockLimit: Double { 60 + 20 * (configuration.secondsLimit + Self.caseSeconds) }

  /// Runs the copy without a bug.
  ///
  /// - Returns: What was found wrong all the same, and for each target a byte for each number, which
  ///   is not 0 if the run came to that choice.
  private func runCorrect(
    _ copy: PatchedCopy,
    _ onLine: @escaping @Sendable (String) -> Void
  ) throws -> (alarms: [String], reached: [SourcePatch.Target: Data]) {
    let targets = configuration.targets
    let runs = copy.folder.appendingPathComponent("runs")
    try FileManager.default.createDirectory(at: runs, withIntermediateDirectories: true)
    let files = targets.map { runs.appendingPathComponent("reached-\($0.rawValue)") }
    for file in files { try Data(count: SourcePatch.reachByteCount).write(to: file) }
    let results = inParallel(targets.count, jobs: configuration.jobs) { index in
      Result { () throws(MutantProcess.NotRun) -> String? in
        let result = try MutantProcess(copy: copy, seed: configuration.seed).run(
          targets[index],
          bug: 0,
          mutantID: nil,
          arguments(),
          logName: "none-\(targets[index].rawValue)",
          environment: [SourcePatch.reachVariable: files[index].path],
          secondsLimit: clockLimit,
          isInterrupted: isInterrupted
        )
        guard !isInterrupted() else { return nil }
        let name = targets[index].rawValue
        onLine("  \(name): \(counted(result.outcome.cases, "case"))")
        return result.outcome.finding.map { SelfTestLines.alarm($0, on: targets[index]) }
      }
    }
    let alarms = try results.compactMap { try $0.get() }
    onLine(SelfTestLines.result(alarms: alarms))
    let reached = try zip(targets, files).map { ($0, try Data(contentsOf: $1)) }
    return (alarms, Dictionary(uniqueKeysWithValues: reached))
  }

  private func row(
    _ mutant: SourceMutant,
    number: Int,
    _ copy: PatchedCopy,
    _ reached: [SourcePatch.Target: Data]
  ) throws(MutantProcess.NotRun) -> MutationScore.Row {
    var row = MutationScore.Row(
      id: mutant.id,
      module: mutant.module,
      operator: mutant.operator.rawValue,
      sourceLine: mutant.sourceLine,
      change: mutant.change,
      end: .unreached,
      cases: 0
    )
    guard let target = configuration.targets.first(where: { $0.modules.contains(mutant.module) }),
      let flags = reached[target], number < flags.count, flags[number] != 0
    else { return row }
    let result = try MutantProcess(copy: copy, seed: configuration.seed).run(
      target,
      bug: UInt64(number),
      mutantID: mutant.id,
      arguments(),
      logName: "\(number)",
      secondsLimit: clockLimit,
      isInterrupted: isInterrupted
    )
    row.cases = result.outcome.cases
    guard let finding = result.outcome.finding else {
      row.end = .unnoticed
      return row
    }
    row.law = finding.key.law
    row.summary = finding.difference.summary
    row.seconds = result.outcome.seconds ?? 0
    switch result.end {
    case .exited(0): row.end = .killed
    case .signalled(SIGPROF), .timedOut, .slept:
      row.end = .hung
      row.seconds = (row.seconds ?? 0) + Self.caseSeconds
    default: row.end = .trapped
    }
    return row
  }

  private static func line(_ row: MutationScore.Row) -> String {
    let place = "\(row.id): \(row.change.prefix(120))"
    guard row.end.isDead else { return "ALIVE \(place)" }
    let how = row.end == .killed ? row.law ?? "" : row.end.rawValue
    return "\(decimal(row.seconds ?? 0, digits: 2)) s \(how): \(place)"
  }

  // MARK: - Report

  private func report(
    _ score: MutationScore,
    alarms: [String],
    unrun: [String],
    mutantTotal: Int,
    seconds: Double
  ) -> Report {
    let wanted = configuration.percentWanted
    let isLow = score.percent < wanted
    let words = "\(decimal(score.percent)) % of \(counted(score.rows.count, "mutant"))"
    return SelfTestResult(
      seed: configuration.seed,
      jobs: configuration.jobs,
      arguments: ["--generated \(configuration.count)"]
        + configuration.targets.map { "--target \($0.rawValue)" }
        + ["--seconds \(configuration.secondsLimit)"],
      laws: [],
      mutants: score.rows.map { row in
        Report.Mutant(
          id: row.id,
          sentence: String(row.change.prefix(200)),
          killedBy: row.end.isDead ? row.law : nil,
          finding: row.summary,
          sample: nil,
          cases: row.cases,
          context: [row.sourceLine]
        )
      },
      mutantSeconds: Dictionary(score.rows.map { ($0.id, $0.seconds ?? 0) }) { first, _ in first },
      proofs: [],
      alarms: alarms,
      mayLive: true,
      otherReasons: isLow ? ["\(words) were found wrong, and \(decimal(wanted)) % are wanted"] : [],
      unrun: unrun,
      mutantTotal: mutantTotal,
      isInterrupted: isInterrupted(),
      seconds: seconds
    ).report
  }
}
