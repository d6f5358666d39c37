import PastRuns
package import Texts

/// The report for continuous integration: `junit.xml`, as Jenkins, GitLab and Surefire read it.
///
/// A subject is a test suite, a law one of its test cases; the mutants of a self-test are a suite of
/// their own, in which a mutant that lives is a failure. What is known counts as passed, and says so
/// in `system-out`. The time of a law is what judging took; running the histories, which all laws share,
/// is in the time of the suite alone.
package struct JUnitReport {
  private let report: Report
  private let matrix: Report.Matrix
  private let rules: MarkupRules

  /// Other rules than the default ones are for tests of the tests.
  package init(_ report: Report, rules: MarkupRules = MarkupRules()) {
    self.report = report
    self.rules = rules
    matrix = Report.Matrix(report)
  }

  package var text: String {
    let suites = subjectSuites + selfTestSuites + outcomeSuites
    var page = Markup(rules, reserving: 1 << 16)
    page.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    let attributes =
      [Attribute("name", "touchstone \(report.run.command.rawValue)")]
      // The published schema knows the number of skipped cases in suites alone.
      + totals(of: suites.flatMap(\.cases)).dropLast()
      + [Attribute("time", seconds(report.clock.seconds))]
    page.element("testsuites", attributes) { page in
      for suite in suites { write(suite, into: &page) }
      page.line()
    }
    page.line()
    return page.text
  }

  private struct Suite {
    var name: String
    var seconds: Double
    var cases: [Case]
  }

  private struct Case {
    enum Result {
      case passed(remark: String?)
      case failed(message: String, type: String, text: String)
      case errored(message: String, type: String, text: String)
      case skipped(String)
    }

    var name: String
    var seconds = 0.0
    var result: Result
  }

  private var subjectSuites: [Suite] {
    let places = report.failures.map { Report.Matrix.Place(law: $0.law, subject: $0.subject) }
    let failures = Dictionary(grouping: report.failures.indices) { places[$0] }
    let absences = Dictionary(
      report.subjects.map { ($0.id, $0.absence) },
      uniquingKeysWith: { first, _ in first }
    )
    return matrix.subjects.map { subject in
      let cases = matrix.laws.compactMap { law -> Case? in
        guard matrix.tally(law, subject).standing != .absent else { return nil }
        let place = Report.Matrix.Place(law: law, subject: subject)
        return Case(
          name: law,
          seconds: report.clock.cellSeconds[subject]?[law] ?? 0,
          result: result(place, (failures[place] ?? []).map { report.failures[$0] })
        )
      }
      let absence = (absences[subject] ?? nil).map { Case(name: "presence", result: .skipped($0)) }
      return Suite(
        name: subject,
        seconds: (report.clock.subjectSeconds[subject] ?? 0)
          + cases.reduce(0) { $0 + $1.seconds },
        cases: cases + [absence].compactMap(\.self)
      )
    }
  }

  private func result(_ place: Report.Matrix.Place, _ failures: [Report.Failure]) -> Case.Result {
    let tally = matrix.tally(place.law, place.subject)
    let sightings = (report.sightings ?? []).filter {
      $0.law == place.law && $0.subject == place.subject
    }
    let message = failures.first?.summary ?? sightings.first?.summary ?? tally.summary
    let type =
      failures.first?.differenceKind ?? sightings.first?.differenceKind ?? tally.standing.word
    let text =
      (failures.prefix(5).map(body) + sightings.prefix(5).map(body)).joined(separator: "\n\n")
    switch tally.standing {
    case .violated: return .failed(message: message, type: type, text: text)
    case .errored where failures.isEmpty && sightings.isEmpty:
      return unexplained(place, tally, type: type)
    case .errored: return .errored(message: message, type: type, text: text)
    case .known: return .passed(remark: "known divergence: \(tally.summary)")
    case .held, .absent: return .passed(remark: nil)
    case .skipped:
      let reasons = matrix.cells(place.law, place.subject).compactMap(\.skipReason)
      return .skipped(reasons.first ?? tally.summary)
    }
  }

  /// A law that has no failure of its own, since the subject itself failed: what that was, and where it is told.
  private func unexplained(
    _ place: Report.Matrix.Place,
    _ tally: Report.Tally,
    type: String
  ) -> Case.Result {
    let reason = matrix.cells(place.law, place.subject).compactMap(\.errorReason).min()
    let own = report.failures.filter { $0.subject == place.subject && $0.kind == .errored }
    let cause = own.first { $0.law == Report.answers } ?? own.first
    let words = cause.map { "Not judged, since the subject failed (\($0.law)):\n\(body(of: $0))" }
    return .errored(
      message: reason.map { "\(tally.summary): \(inOneLine($0))" } ?? tally.summary,
      type: type,
      text: words ?? reason ?? ""
    )
  }

  private var selfTestSuites: [Suite] {
    guard let selfTest = report.selfTest else { return [] }
    let mutants = selfTest.mutants.map { mutant in
      let seconds = report.clock.mutantSeconds[mutant.id] ?? 0
      let result: Case.Result =
        mutant.killedBy == nil
        ? .failed(
          message: "no law caught it in \(counted(mutant.cases, "case"))",
          type: "lives",
          text: mutant.sentence
        ) : .passed(remark: nil)
      return (seconds: seconds, test: Case(name: mutant.id, seconds: seconds, result: result))
    }
    let alarms = selfTest.falseAlarms.map { law in
      Case(
        name: law,
        result: .failed(
          message: "the correct implementation was found wrong",
          type: "false alarm",
          text: ""
        )
      )
    }
    return [
      Suite(
        name: "mutants",
        seconds: mutants.reduce(0) { $0 + $1.seconds },
        cases: mutants.map(\.test)
      )
    ] + (alarms.isEmpty ? [] : [Suite(name: "false alarms", seconds: 0, cases: alarms)])
  }

  /// What made the run fail beside single laws; without it a failed run could look green.
  private var outcomeSuites: [Suite] {
    let text = report.reasons(upTo: 100).joined(separator: "\n")
    let result: Case.Result =
      switch report.outcome.word {
      case .held: .passed(remark: nil)
      case .violated: .failed(message: report.headline(matrix), type: "violated", text: text)
      case .failed: .errored(message: report.headline(matrix), type: "failed", text: text)
      }
    return [Suite(name: "run", seconds: 0, cases: [Case(name: "outcome", result: result)])]
  }

  /// What was counted and not made small, as plain text.
  private func body(of sighting: Report.Sighting) -> String {
    let comparison = sighting.comparison.map { $0.clippedBehindWord(400) }
    return ["not shrunk: \(sighting.summary)", comparison, sighting.file ?? sighting.id]
      .compactMap(\.self).joined(separator: "\n")
  }

  /// A failure as plain text: who differs, and in what, the history, how to see it again.
  private func body(of failure: Report.Failure) -> String {
    var lines = ["\(matrix.parties(of: failure)): \(failure.summary)"]
    if let comparison = failure.comparison { lines.append(comparison.clippedBehindWord(400)) }
    lines += expectedAndFound(
      failure.expected?.clipped(2000),
      failure.actual?.clipped(2000),
      labels: failure.labels
    )
    lines += [""] + failure.history.prefix(160).map { $0.clipped(240) }
    if let calls = failure.calls {
      lines += ["", "\(callsHeading):"]
      lines += calls.prefix(80).map { $0.clipped(400) }
    }
    let place = failure.replayer == .program ? "replay, in the folder of the report" : "replay"
    lines += ["", "\(place): \(failure.replayCommand)", "case file: \(failure.file)"]
    return lines.joined(separator: "\n")
  }

  private func write(_ suite: Suite, into page: inout Markup) {
    page.raw("\n  ")
    let attributes =
      [Attribute("name", suite.name)] + totals(of: suite.cases)
      + [
        Attribute("time", seconds(suite.seconds)),
        Attribute("timestamp", timestamp(report.clock.startedAt)),
      ]
    page.element("testsuite", attributes) { page in
      for test in suite.cases {
        page.raw("\n    ")
        let attributes = [
          Attribute("name", test.name), Attribute("classname", suite.name),
          Attribute("time", seconds(test.seconds)),
        ]
        page.element("testcase", attributes) { write(test.result, into: &$0) }
      }
      page.raw("\n  ")
    }
  }

  private func write(_ result: Case.Result, into page: inout Markup) {
    switch result {
    case .passed(nil): break
    case .passed(let remark?): page.element("system-out", remark)
    case .failed(let message, let type, let text):
      let attributes = [Attribute("message", message), Attribute("type", type)]
      page.element("failure", attributes, text)
    case .errored(let message, let type, let text):
      page.element("error", [Attribute("message", message), Attribute("type", type)], text)
    case .skipped(let reason): page.empty("skipped", [Attribute("message", reason)])
    }
  }

  private func totals(of cases: [Case]) -> [Attribute] {
    var (failures, errors, skipped) = (0, 0, 0)
    for test in cases {
      switch test.result {
      case .passed: break
      case .failed: failures += 1
      case .errored: errors += 1
      case .skipped: skipped += 1
      }
    }
    return [
      Attribute("tests", cases.count), Attribute("failures", failures),
      Attribute("errors", errors), Attribute("skipped", skipped),
    ]
  }

  /// Seconds as the schemas want them: digits, at most three after the point.
  private func seconds(_ value: Double) -> String {
    let text = decimal(value.isFinite ? max(0, value) : 0, digits: 3)
    return String(text.filter { $0 != "," })
  }

  /// The schemas know local times only, without a zone.
  private func timestamp(_ text: String) -> String {
    text.hasSuffix("Z") ? String(text.dropLast()) : text
  }
}
