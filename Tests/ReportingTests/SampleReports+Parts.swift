import PropertyEngine
import Reporting

extension SampleReports {
  static let subjects: [Report.Subject] = [
    Report.Subject(
      id: "naive",
      version: "specification",
      capabilities: [
        "conflicts", "counter", "fork", "heads", "history", "list", "map", "save", "text",
      ]
    ),
    Report.Subject(
      id: "engine",
      version: "0.1.0",
      capabilities: [
        "conflicts", "counter", "fork", "heads", "history", "list", "map", "save", "text",
      ]
    ),
    Report.Subject(
      id: "automerge",
      version: "1.0.0rc1 (core 0.5.7)",
      capabilities: [
        "conflicts", "counter", "fork", "heads", "history", "list", "map", "save", "text",
      ]
    ),
    Report.Subject(
      id: "loro",
      version: "1.5.0",
      capabilities: ["counter", "fork", "list", "map", "save", "text"]
    ),
    {
      var subject = Report.Subject(
        id: "yrs",
        version: "0.21",
        capabilities: ["list", "map", "save", "text"]
      )
      subject.absence = nil
      return subject
    }(),
    {
      var subject = Report.Subject(
        id: "diamond",
        version: "unknown",
        capabilities: [],
        absence: "its program could not be started: no such file"
      )
      subject.absenceCost = "text is compared with four implementations, not five"
      return subject
    }(),
  ]

  static let laws: [Report.Law] = [
    (
      "agreement.states",
      "A history shows the same states as on the oracle, before and after healing."
    ),
    ("agreement.past", "A state read at its heads shows what the oracle shows there."),
    ("calls.succeed", "Every call of a valid history that is not an edit is carried out."),
    (
      "counter.increments-add",
      "A counter shows its start value plus every increment exactly once, in any order of arrival."
    ),
    ("delivery.any-number", "Changes that arrive again change nothing."),
    (
      "delivery.any-order",
      "Changes that arrive in the reverse of their order give the state that they give in order."
    ),
    ("edits.accepted", "An edit that fits its object is carried out."),
    (
      "edits.nothing-lost",
      "A value that was written, and that no edit replaced, is visible after healing."
    ),
    ("edits.nothing-returns", "A value that an edit deleted or overwrote never comes back."),
    (
      "fork.independent",
      "A fork keeps its state while the original goes on, and starts with the original's."
    ),
    ("heads.determine-state", "Two documents with equal heads show one state."),
    (
      "history.past-stays",
      "A state reads at its heads as it did when it was the present, whatever came since."
    ),
    (
      "list.runs-stay-whole",
      "Values that one replica inserts one after the other stay together in the list."
    ),
    (
      "merge.associates",
      "Merging a with b and then c shows the same as merging a with the merge of b and c."
    ),
    (
      "merge.commutes", "Two replicas that merge each other show one state, whichever merged first."
    ),
    (
      "merge.idempotent",
      "Merging what is known already, a replica's own state included, changes nothing."
    ),
    (
      "network.converges",
      "After the network has healed, one round of exchanges brings all replicas to one state."
    ),
    ("network.quiet", "A replica without peers shows what it wrote."),
    (
      "reads.agree",
      "One state's reads agree: texts with their elements, winners with the order of operations."
    ),
    ("reads.repeat", "Reading twice shows the same."),
    ("save.goes-on", "A document that was saved and loaded merges as the one that was not."),
    ("save.round-trips", "A document that was saved and loaded shows what it showed before."),
    ("text.length", "A text is as long as its elements."),
    (
      "text.runs-stay-whole",
      "What one replica types in one go stays together, whatever others type at the same place."
    ),
    ("transport.agree", "A state that arrives whole, change by change or in memory is one state."),
  ]
  .map { Report.Law(name: $0, sentence: $1, source: "Specification/Semantics.md, \"Lists\"") }

  static var counts: Report.Counts {
    func counts(_ pairs: [(String, Int)]) -> [Report.Count] {
      pairs.map { Report.Count(name: $0, count: $1) }
    }
    var result = Report.Counts()
    result.edits = counts([
      ("put", 21_407), ("put object", 6120), ("insert", 9713), ("insert object", 2204),
      ("delete", 8127), ("increment", 3391), ("splice", 2880), ("type", 14_032),
    ])
    result.faults = counts([
      ("dropped", 1807), ("duplicated", 1122), ("reordered", 3411), ("cut", 977), ("clogged", 640),
      ("restarted", 512), ("torn", 0),
    ])
    result.transports = [
      ("naive", "merge", 5210), ("naive", "document", 1830), ("naive", "changes", 7002),
      ("automerge", "merge", 5210), ("automerge", "document", 1830), ("automerge", "changes", 7002),
      ("loro", "document", 1830), ("loro", "changes", 5133), ("yrs", "document", 1830),
      ("yrs", "changes", 4909),
    ].map { Report.TransportCount(subject: $0, transport: $1, count: $2) }
    result.sizes = [
      (0, 4, 188), (5, 9, 263), (10, 14, 241), (15, 19, 190), (20, 24, 141), (25, 29, 92),
      (30, 34, 55), (35, 40, 30),
    ].map { Report.SizeCount(least: $0, most: $1, count: $2) }
    var histories = DistinctCount()
    for number in 0..<1200 { histories.add("history \(number % 298)") }
    result.samples = [Report.SampleCount(name: "histories", histories)]
    result.values = [
      Report.ValueCount(
        samples: "histories",
        type: "int",
        uses: counts([("insert", 9713), ("put", 21_407)]),
        traits: counts([("zero", 612), ("of 1 byte", 30_508), ("least of 64 bits", 0)])
      )
    ]
    result.waypoints = [
      Report.WaypointCount(
        name: "list.concurrent-deletes",
        sentence: "Two replicas delete one element, and meet.",
        count: 312,
        isRequired: true
      ),
      Report.WaypointCount(
        name: "map.conflict-of-three",
        sentence: "Three values stand at one key.",
        count: 77,
        isRequired: true
      ),
      Report.WaypointCount(
        name: "network.cut-while-under-way",
        sentence: "A message is under way when its path is cut.",
        count: 0,
        isRequired: true
      ),
      Report.WaypointCount(
        name: "restart.from-stale",
        sentence: "A replica starts again from a state that it had already gone beyond.",
        count: 0,
        isRequired: false
      ),
    ]
    return result
  }

  /// Fills in subjects, laws and cells; all hold but those of `failures` and what subjects lack.
  static func fill(_ report: inout Report, departing failures: [String: Report.Failure]) {
    report.subjects = subjects
    report.laws = laws
    for (row, law) in laws.enumerated() {
      for subject in subjects where subject.absence == nil {
        var cell = Report.Cell(law: law.name, subject: subject.id)
        if law.name.hasPrefix("agreement.") { cell.oracle = "naive" }
        let lacks = ["heads", "history", "agreement"].contains { law.name.hasPrefix($0) }
        if lacks, ["loro", "yrs"].contains(subject.id) {
          cell.skipped = report.run.cases
          cell.skipReason = "lacks heads"
        } else if let failure = failures["\(law.name) \(subject.id)"] {
          if failure.kind == .errored {
            cell.errored = failure.caseCount
            cell.errorReason = failure.summary
          } else {
            cell.violated = failure.caseCount
          }
          cell.held = report.run.cases - failure.caseCount
        } else if law.name == "delivery.any-number", subject.id == "automerge" {
          cell.known = 38
          cell.held = report.run.cases - 38
        } else {
          cell.skipped = row % 4 == 0 ? 17 : 0
          cell.held = report.run.cases - cell.skipped
        }
        report.cells.append(cell)
      }
    }
  }
}
