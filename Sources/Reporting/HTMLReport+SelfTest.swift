import PastRuns
import Texts

extension HTMLReport {
  /// What the harness found on implementations that are wrong on purpose.
  func selfTest(_ page: inout Markup) {
    guard let selfTest = report.selfTest else { return }
    let killed = selfTest.mutants.count - selfTest.living.count
    let median = decimal(Double(selfTest.medianSizeTenths) / 10)
    let note =
      "Each mutant is an implementation that is wrong in one way. "
      + "\(grouped(killed)) of \(grouped(selfTest.mutants.count)) were killed; the median of their "
      + "histories has \(median) edits and exchanges."
    section("selftest", "Self-test", note: note, into: &page) { page in
      falseAlarms(selfTest.falseAlarms, into: &page)
      let ordered = selfTest.living + selfTest.mutants.filter { $0.killedBy != nil }
      var left = 0
      table("mutants", label: "Mutants", into: &page) { page in
        columns(
          ["Mutant", "Killed by", "Cases", "Seconds", "Size", "Smallest history"],
          into: &page
        )
        page.element("tbody") { page in
          left = fill(&page, bytes: 180_000, with: ordered) { row($1, into: &$0) }
        }
      }
      remainder(left, "mutant", into: &page)
      proofs(selfTest.laws, into: &page)
    }
  }

  private func falseAlarms(_ laws: [String], into page: inout Markup) {
    guard !laws.isEmpty else { return }
    page.element("p", class: "alarm") { page in
      page.element("i", [Attribute("aria-hidden", "true")], Report.Standing.violated.symbol)
      page.add(" False alarms on the correct implementation: ")
      page.add(laws.prefix(40).map { $0.clipped(80) }.joined(separator: ", "))
    }
    remainder(laws.count - 40, "law", into: &page)
  }

  private func row(_ mutant: Report.Mutant, into page: inout Markup) {
    page.line()
    page.element("tr", class: mutant.killedBy == nil ? "lives" : "") { page in
      page.element("th", [Attribute("scope", "row")]) { page in
        page.element("code", mutant.id.clipped(80))
        page.element("span", class: "sentence", mutant.sentence.clippedBehindWord(240))
      }
      page.element("td") { page in
        let standing: Report.Standing = mutant.killedBy == nil ? .violated : .held
        page.element("span", class: "standing \(standing)") { page in
          page.element("i", [Attribute("aria-hidden", "true")], standing.symbol)
          page.add(" ")
          if let law = mutant.killedBy {
            page.element("code", law.clipped(80))
          } else {
            page.add("lives")
          }
        }
      }
      page.element("td", class: "figure", grouped(mutant.cases))
      let seconds = report.clock.mutantSeconds[mutant.id].map { decimal($0, digits: 2) }
      page.element("td", class: "figure", seconds ?? "–")
      page.element("td", class: "figure", mutant.size.map(grouped) ?? "–")
      page.element("td") { page in
        guard !mutant.history.isEmpty else { return }
        page.element("details") { page in
          let replicas = mutant.replicas.map { " on \(counted($0, "replica"))" } ?? ""
          page.element("summary", "\(counted(mutant.history.count, "line"))\(replicas)")
          lines(mutant.history, limit: 40, into: &page)
        }
      }
    }
  }

  private func proofs(_ proofs: [Report.LawProof], into page: inout Markup) {
    guard !proofs.isEmpty else { return }
    let idle = proofs.count { $0.mutant == nil }
    page.element("details", class: "proofs") { page in
      page.element(
        "summary",
        idle == 0
          ? "Every law catches a mutant by itself"
          : "\(counted(idle, "law catches", "laws catch")) no mutant when alone"
      )
      var left = 0
      table("proofs", label: "What each law catches alone", into: &page) { page in
        let titles = ["Law", "Catches", "Cases"]
        left = rows(titles, of: proofs, bytes: 50_000, into: &page) { page, proof in
          head(proof.law, into: &page)
          let standing: Report.Standing = proof.mutant == nil ? .violated : .held
          page.element("td") { badge(standing, (proof.mutant ?? "none").clipped(80), into: &$0) }
          page.element("td", class: "figure", grouped(proof.cases))
        }
      }
      remainder(left, "law", into: &page)
    }
  }
}
