import PastRuns
import Texts

extension Report {
  /// What a fuzzer did with one target.
  ///
  /// How far it comes depends on the machine.
  package struct FuzzedTarget: Codable, Hashable, Sendable {
    /// The target's name: `histories`.
    package var target: String
    /// Id of the subject that was judged.
    package var subject: String
    /// Inputs that were run.
    package var executions = 0
    /// Edges of the program that any input reached, where a run starts with those of the corpus.
    package var edges = 0
    /// Inputs that are kept since each reaches something that no other does.
    package var corpus = 0
    /// Inputs that were kept before the run.
    package var corpusBefore = 0
    /// Of 1,000 inputs, those that got past the entrance, or made a sample that a law says something of; `nil` if
    /// that was not counted.
    package var passedPerThousand: Int?
    /// Kinds of edits, faults, values, meetings of edits and the like that kept inputs hold, each with how
    /// often by steps of 1, 2, 3, 4, 8, 16, 32 and 128; `nil` for inputs that are bytes.
    package var situations: Int?
    /// Inputs that failed, those that fail alike counted each.
    package var failingInputs = 0
    /// Seconds on the clock that the target was given.
    package var seconds = 0.0

    package init(target: String, subject: String) {
      self.target = target
      self.subject = subject
    }

    /// Inputs a second; `nil` if no time passed.
    var perSecond: Double? { seconds > 0 ? Double(executions) / seconds : nil }
  }

  /// The columns of the table of what the fuzzer did; names come first.
  static let fuzzingColumns: [Column<FuzzedTarget>] = [
    .name("Target") { $0.target },
    .name("Subject", dropRank: 7) { $0.subject },
    .figure("Inputs") { grouped($0.executions) },
    .figure("a second", dropRank: 1) { $0.perSecond.map { decimal($0, digits: 0) } ?? "–" },
    .figure("Let in", dropRank: 4) { target in
      target.passedPerThousand.map { "\(decimal(Double($0) / 10, digits: 0)) %" } ?? "–"
    },
    .figure("Edges", dropRank: 5) { grouped($0.edges) },
    .figure("Situations", dropRank: 3) { $0.situations.map { grouped($0) } ?? "–" },
    .figure("Kept", dropRank: 6) { grouped($0.corpus) },
    .figure("New", dropRank: 2) { grouped(max(0, $0.corpus - $0.corpusBefore)) },
    .figure("Failed") { grouped($0.failingInputs) },
  ]

  /// What a run counts: a fuzzer runs inputs.
  var caseNoun: String { fuzzing == nil ? "case" : "input" }

  /// The headline of a fuzzer's run.
  var fuzzingHeadline: String? {
    guard run.command == .fuzz, let fuzzing, outcome.word != .failed else { return nil }
    let inputs = fuzzing.reduce(0) { $0.addingSaturated($1.executions) }
    let work = "\(counted(inputs, "input")) of \(counted(fuzzing.count, "fuzz target"))"
    return failures.isEmpty
      ? "Nothing was found with \(work)"
      : "\(counted(failures.count, "failure")) found with \(work)"
  }
}

extension HTMLReport {
  /// What a fuzzer did, target by target, and which code its inputs enter.
  func fuzzing(_ page: inout Markup) {
    guard let targets = report.fuzzing else { return }
    let note =
      "An input is kept if it reaches code, or holds a situation, that no other kept input does. An input that "
      + "is not let in shows only that the reader refuses it. Figures depend on the machine and on how long it ran."
    section("fuzzing", "Fuzzing", note: note, into: &page) { page in
      table(Report.fuzzingColumns, of: targets, label: "Fuzz targets", into: &page)
      remainder(targets.count - Report.rowLimit, "target", into: &page)
    }
  }

  /// Which code the inputs of a fuzzer enter, module by module.
  func coverage(_ page: inout Markup) {
    guard let modules = report.coverage else { return }
    section("coverage", "Code entered", note: Report.coverageNote, into: &page) { page in
      table(Report.coverageColumns, of: modules, label: "Modules", into: &page)
      remainder(modules.count - Report.rowLimit, "module", into: &page)
    }
  }

  private func table<Row>(
    _ columns: [Report.Column<Row>],
    of all: [Row],
    label: String,
    into page: inout Markup
  ) {
    table("fuzz-targets", label: label, into: &page) { page in
      rows(columns.map(\.head), of: all.prefix(Report.rowLimit), into: &page) { page, row in
        if let first = columns.first { head(first.cell(row), into: &page) }
        for column in columns.dropFirst() {
          let attributes = column.isFigure ? [Attribute("class", "figure")] : []
          page.element("td", attributes, column.cell(row).clipped(80))
        }
      }
    }
  }
}
