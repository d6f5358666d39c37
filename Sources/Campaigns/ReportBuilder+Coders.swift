import CodingLaws
import Reporting

// What a report says of coders.
extension ReportBuilder {
  var coders: [Report.Subject] {
    result.coders.map { coder in
      var subject = Report.Subject(
        id: coder.lane.subject.id,
        version: coder.lane.subject.version,
        capabilities: coder.lane.subject.features.map(\.rawValue).sorted()
      )
      subject.topic = .coders
      return subject
    }
  }

  var codingLaws: [Report.Law] {
    let used = Set(result.coders.flatMap { $0.lane.laws.map(\.name) })
    return CodingLaw.all.filter { used.contains($0.name) }.map(Report.Law.init)
  }

  func coderCells(_ coder: CoderCourse.Result) -> [Report.Cell] {
    let reasons = Dictionary(coder.lane.inapplicable.map { ($0.law, $0.reason) }) { $1 }
    return coder.lane.laws.map { law in
      var cell = Report.Cell(law: law.name, subject: coder.lane.subject.id)
      if let reason = reasons[law.name] {
        // Asked once, so to speak: every case would be skipped for this reason.
        cell.skipped = 1
        cell.skipReason = reason
      }
      guard let totals = coder.totals.laws[law.name] else { return cell }
      cell.held = totals.held
      cell.violated = totals.violated
      cell.known = totals.known
      cell.errored = totals.errored
      cell.skipped = totals.skipped
      cell.skipReason = totals.skipReasons.count == 1 ? totals.skipReasons.first : nil
      return cell
    }
  }

  func coderDivergences(_ coder: CoderCourse.Result) -> [Report.KnownDivergence] {
    zip(coder.lane.subject.divergences, coder.divergencesShown)
      .filter { listed, _ in coder.lane.laws.contains { $0.name == listed.law } }
      .map { divergence, shows in
        Report.KnownDivergence(
          subject: coder.lane.subject.id,
          law: divergence.law,
          condition: [divergence.kind, divergence.model.map { "model \($0)" }]
            .compactMap(\.self).joined(separator: ", "),
          reason: divergence.reason,
          count: coder.totals.known[divergence] ?? 0,
          stillShows: shows
        )
      }
  }
}

extension Report.Law {
  /// A law of coders.
  init(_ law: CodingLaw) {
    self.init(name: law.name, sentence: law.sentence, source: law.source)
    topic = .coders
  }
}
