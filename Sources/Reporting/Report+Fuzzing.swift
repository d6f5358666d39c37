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

  /// One column of the table of what the fuzzer did.
  struct FuzzingColumn: Sendable {
    let head: String
    /// Whether it holds numbers, which stand at the right.
    let isFigure: Bool
    /// The place among the columns that go, from 1, where the table is too wide; `nil` for one that stays.
    ///
    /// Figures that others tell go first.
    let dropRank: Int?
    let cell: @Sendable (FuzzedTarget) -> String

    private static func name(
      _ head: String,
      dropRank: Int? = nil,
      _ cell: @escaping @Sendable (FuzzedTarget) -> String
    ) -> Self {
      Self(head: head, isFigure: false, dropRank: dropRank, cell: cell)
    }

    private static func figure(
      _ head: String,
      dropRank: Int? = nil,
      _ cell: @escaping @Sendable (FuzzedTarget) -> String
    ) -> Self {
      Self(head: head, isFigure: true, dropRank: dropRank, cell: cell)
    }

    /// All columns, in their order; names come first.
    static let all = [
      name("Target") { $0.target },
      name("Subject", dropRank: 7) { $0.subject },
      figure("Inputs") { grouped($0.executions) },
      figure("a second", dropRank: 1) { $0.perSecond.map { decimal($0, digits: 0) } ?? "–" },
      figure("Let in", dropRank: 4) { target in
        target.passedPerThousand.map { "\(decimal(Double($0) / 10, digits: 0)) %" } ?? "–"
      },
      figure("Edges", dropRank: 5) { grouped($0.edges) },
      figure("Situations", dropRank: 3) { $0.situations.map { grouped($0) } ?? "–" },
      figure("Kept", dropRank: 6) { grouped($0.corpus) },
      figure("New", dropRank: 2) { grouped(max(0, $0.corpus - $0.corpusBefore)) },
      figure("Failed") { grouped($0.failingInputs) },
    ]
  }

  /// Targets that have a row in a rendering.
  static let fuzzedTargetLimit = 40

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
  /// What a fuzzer did, target by target.
  func fuzzing(_ page: inout Markup) {
    guard let targets = report.fuzzing else { return }
    let columns = Report.FuzzingColumn.all
    let note =
      "An input is kept if it reaches code, or holds a situation, that no other kept input does. An input that "
      + "is not let in shows only that the reader refuses it. Figures depend on the machine and on how long it ran."
    section("fuzzing", "Fuzzing", note: note, into: &page) { page in
      table("fuzz-targets", label: "Fuzz targets", into: &page) { page in
        let shown = targets.prefix(Report.fuzzedTargetLimit)
        rows(columns.map(\.head), of: shown, into: &page) { page, target in
          head(target.target, into: &page)
          for column in columns.dropFirst() {
            let attributes = column.isFigure ? [Attribute("class", "figure")] : []
            page.element("td", attributes, column.cell(target).clipped(80))
          }
        }
      }
      remainder(targets.count - Report.fuzzedTargetLimit, "target", into: &page)
    }
  }
}
