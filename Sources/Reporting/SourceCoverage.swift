import PastRuns
import Texts

/// Which code of some modules a run entered.
///
/// A *region* is what the compiler counts: the body of a function or closure, a branch, what stands behind a
/// branch that may leave. A *gap* is a region that was never entered and lies within no other such region.
package struct SourceCoverage: Codable, Hashable, Sendable {
  /// By name.
  package var modules: [Report.CoveredModule]
  /// By file and line.
  package var gaps: [Gap]
  /// What ran, in words.
  package var origin: String

  package init(modules: [Report.CoveredModule], gaps: [Gap], origin: String) {
    (self.modules, self.gaps, self.origin) = (modules, gaps, origin)
  }

  /// A stretch of source that was never entered.
  package struct Gap: Codable, Hashable, Sendable {
    /// Path from the root of the package.
    package var file: String
    /// First and last line, from 1.
    package var lines: ClosedRange<Int>
    /// The lines of the source, the first ones of many.
    package var source: [String]
    /// Regions that it holds.
    package var regions: Int
    /// Why none is expected to enter it; `nil` if nothing is known.
    package var reason: String?

    package init(
      file: String,
      lines: ClosedRange<Int>,
      source: [String],
      regions: Int,
      reason: String?
    ) {
      (self.file, self.lines, self.source) = (file, lines, source)
      (self.regions, self.reason) = (regions, reason)
    }

    /// Where it is: `Sources/MergeEngine/OpID.swift:12`.
    package var place: String { "\(file):\(lines.lowerBound)" }
  }

  /// Gaps without a reason.
  package var unexplained: [Gap] { gaps.filter { $0.reason == nil } }

  /// One line for all: `97.1 % of 8,412 regions entered; 41 gaps have no reason`.
  package var headline: String {
    let all = modules.map(\.regions).saturatedSum
    let entered = modules.map(\.entered).saturatedSum
    let share = Report.CoveredModule.percent(entered, of: all)
    let gap = counted(unexplained.count, "gap")
    return "\(share) of \(counted(all, "region")) entered; \(gap) without a reason"
  }
}

extension Report {
  /// How much of a module's code a run entered, in regions as the compiler counts them.
  package struct CoveredModule: Codable, Hashable, Sendable {
    package var name: String
    package var regions: Int
    package var entered: Int
    /// Regions that the seeds of a fuzzer enter; `nil` where that was not asked.
    package var enteredBefore: Int?

    package init(name: String, regions: Int, entered: Int, enteredBefore: Int? = nil) {
      (self.name, self.regions, self.entered) = (name, regions, entered)
      self.enteredBefore = enteredBefore
    }

    /// `97.1 %`; rounded down, so that 100 % is all.
    static func percent(_ part: Int, of whole: Int) -> String {
      guard whole > 0 else { return "–" }
      return "\(decimal(Double(part * 1000 / whole) / 10)) %"
    }

    package var percent: String { Self.percent(entered, of: regions) }
  }
}

extension Report {
  /// The columns of the table of modules.
  static let coverageColumns: [Column<CoveredModule>] = [
    .name("Module") { $0.name },
    .figure("Regions", dropRank: 1) { grouped($0.regions) },
    .figure("Entered", dropRank: 2) { grouped($0.entered) },
    .figure("Share") { $0.percent },
    .figure("By seeds") { module in
      module.enteredBefore.map { CoveredModule.percent($0, of: module.regions) } ?? "–"
    },
  ]

  static let coverageNote =
    "A region is what the compiler counts: the body of a function or closure, a branch, what stands behind a branch "
    + "that may leave. Entered by the inputs that are kept, and by those that the run began with."
}
