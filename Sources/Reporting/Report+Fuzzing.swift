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

  /// A table of what the fuzzer did: the heads, then a row for each target.
  var fuzzingTable: (heads: [String], rows: [[String]])? {
    guard let fuzzing else { return nil }
    let heads = ["Target", "Subject", "Inputs", "a second", "Edges", "Kept", "New", "Failed"]
    let rows = fuzzing.map { row in
      [
        row.target, row.subject, grouped(row.executions),
        row.perSecond.map { decimal($0, digits: 0) } ?? "–", grouped(row.edges),
        grouped(row.corpus), grouped(max(0, row.corpus - row.corpusBefore)),
        grouped(row.failingInputs),
      ]
    }
    return (heads, rows)
  }

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
    guard let fuzzing = report.fuzzingTable else { return }
    let note =
      "An input is kept if it reaches code that no other kept input reaches. Figures depend on the "
      + "machine and on how long it ran."
    section("fuzzing", "Fuzzing", note: note, into: &page) { page in
      table("fuzz-targets", label: "Fuzz targets", into: &page) { page in
        rows(fuzzing.heads, of: fuzzing.rows.prefix(40), into: &page) { page, row in
          head(row.first ?? "", into: &page)
          for (index, cell) in row.enumerated().dropFirst() {
            let attributes = index > 1 ? [Attribute("class", "figure")] : []
            page.element("td", attributes, cell.clipped(80))
          }
        }
      }
      remainder(fuzzing.rows.count - 40, "target", into: &page)
    }
  }
}
