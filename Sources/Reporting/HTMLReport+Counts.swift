import PastRuns
import Texts

extension HTMLReport {
  var hasCounts: Bool {
    let counts = report.counts
    return
      !(counts.edits.isEmpty && counts.faults.isEmpty && counts.transports.isEmpty
      && counts.sizes.isEmpty && counts.waypoints.isEmpty && verdicts.isEmpty
      && counts.samples.isEmpty && counts.values.isEmpty)
  }

  /// Verdicts by kind of law; skipped laws are not counted.
  private var verdicts: [Report.Count] {
    matrix.parts.compactMap { part in
      var total = Report.Tally()
      for law in part.laws {
        for cell in part.subjects.flatMap({ matrix.cells(law, $0) }) { total.add(cell) }
      }
      guard total.judged > 0 else { return nil }
      let name = "\(part.topic.rawValue), \(counted(part.laws.count, "law"))"
      return Report.Count(name: name, count: total.judged)
    }
  }

  /// What the cases were made of, and which situations they reached.
  func counts(_ page: inout Markup) {
    guard hasCounts else { return }
    let counts = report.counts
    let note =
      "What the cases were made of, and which situations and values they met. A green cell says nothing "
      + "about what never came up."
    section("counts", "What the cases tried", note: note, into: &page) { page in
      samples(counts.samples, into: &page)
      page.element("div", class: "columns") { page in
        group("Verdicts", verdicts, into: &page)
        group("Edits", counts.edits, into: &page)
        group("Faults", counts.faults, into: &page)
        group("Exchanges by transport", exchanges, into: &page)
        histogram(counts.sizes, into: &page)
      }
      faults(exchangesOfSubjects + counts.faultsOfSubjects, into: &page)
      waypoints(counts.waypoints, into: &page)
      values(counts.values, into: &page)
    }
  }

  /// Exchanges by subject and transport, in the form of faults.
  private var exchangesOfSubjects: [Report.FaultCount] {
    report.counts.transports.map { count in
      Report.FaultCount(
        subject: count.subject,
        transport: count.transport,
        fault: "exchange",
        count: count.count
      )
    }
  }

  /// Exchanges of all subjects together, by transport.
  private var exchanges: [Report.Count] {
    var counts: [Report.Count] = []
    counts.add(
      report.counts.transports.map { Report.Count(name: $0.transport, count: $0.count) }
    )
    return counts
  }

  /// Exchanges, and faults and the transports that they befell, by subject.
  private func faults(_ counts: [Report.FaultCount], into page: inout Markup) {
    guard !counts.isEmpty else { return }
    struct Row: Hashable {
      let fault: String
      let transport: String?
    }
    var rows: [Row] = []
    var subjects: [String] = []
    var figures: [Row: [String: Int]] = [:]
    for count in counts {
      let row = Row(fault: count.fault, transport: count.transport)
      if figures[row] == nil { rows.append(row) }
      if !subjects.contains(count.subject) { subjects.append(count.subject) }
      figures[row, default: [:]][count.subject, default: 0] =
        (figures[row]?[count.subject] ?? 0).addingSaturated(count.count)
    }
    // In the order in which they are listed above.
    let order = Dictionary(
      report.subjects.enumerated().map { ($0.element.id, $0.offset) }
    ) { first, _ in first }
    subjects.sort { (order[$0] ?? .max, $0) < (order[$1] ?? .max, $1) }
    let shown = subjects.prefix(24)
    let title = "Exchanges and faults by transport and subject"
    page.element("h3", title)
    var left = 0
    table("faults", label: title, into: &page) { page in
      page.element("thead") { page in
        page.element("tr") { page in
          for title in ["What", "Transport"] {
            page.element("th", [Attribute("scope", "col")], title)
          }
          for subject in shown {
            let attributes = [Attribute("scope", "col"), Attribute("class", "figure")]
            page.element("th", attributes, subject.clipped(40))
          }
        }
      }
      page.element("tbody") { page in
        left = fill(&page, bytes: 60_000, with: rows) { page, row in
          page.element("tr") { page in
            page.element("th", [Attribute("scope", "row")], row.fault.clipped(60))
            page.element("td", (row.transport ?? "any").clipped(40))
            for subject in shown {
              let count = figures[row]?[subject] ?? 0
              let className = count > 0 ? "figure" : "figure none"
              page.element("td", class: className, grouped(count))
            }
          }
        }
      }
    }
    remainder(left, "fault", into: &page)
    remainder(subjects.count - shown.count, "subject", into: &page)
  }

  private func group(_ title: String, _ counts: [Report.Count], into page: inout Markup) {
    guard !counts.isEmpty else { return }
    let most = counts.map(\.count).max() ?? 0
    page.element("div") { page in
      page.element("h3", title)
      var left = 0
      page.element("table", class: "bars") { page in
        page.element("tbody") { page in
          left = fill(&page, bytes: 12_000, with: counts) { page, count in
            let share = most > 0 ? Double(count.count) / Double(most) : 0
            bar(count.name, grouped(count.count), share, into: &page)
          }
        }
      }
      remainder(left, "kind", into: &page)
    }
  }

  /// A row of name, bar and figure.
  func bar(_ name: String, _ figure: String, _ share: Double, into page: inout Markup) {
    let permille = share.isFinite ? Int((min(max(share, 0), 1) * 1000).rounded()) : 0
    page.element("tr", class: permille == 0 ? "zero" : "") { page in
      page.element("th", [Attribute("scope", "row")], name.clipped(60))
      page.element("td", class: "bar") { page in
        page.raw("<svg aria-hidden=\"true\" viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\">")
        page.raw("<rect class=\"track\" width=\"1000\" height=\"8\"/>")
        page.empty("rect", [Attribute("width", permille), Attribute("height", 8)])
        page.raw("</svg>")
      }
      page.element("td", class: "figure", figure)
    }
  }

  /// Columns that stand beside each other, since sizes have an order.
  private func histogram(_ counts: [Report.SizeCount], into page: inout Markup) {
    guard !counts.isEmpty else { return }
    let shown = Array(counts.prefix(40))
    let most = max(shown.map(\.count).max() ?? 0, 1)
    page.element("div") { page in
      page.element("h3", "Histories by number of edits")
      page.element("div", class: "histogram") { page in
        for count in shown {
          let share = max(0, Double(count.count) / Double(most))
          let height = Int((share * 88).rounded())
          page.element("div") { page in
            page.element("span", class: "figure", grouped(count.count))
            page.raw(
              "<svg aria-hidden=\"true\" viewBox=\"0 0 10 88\" preserveAspectRatio=\"none\">"
            )
            page.empty(
              "rect",
              [
                Attribute("width", 10), Attribute("height", height), Attribute("y", 88 - height),
              ]
            )
            page.raw("</svg>")
            page.element("span", class: "size", count.name.clipped(20))
          }
        }
      }
      remainder(counts.count - shown.count, "size", into: &page)
    }
  }

  private func waypoints(_ waypoints: [Report.WaypointCount], into page: inout Markup) {
    guard !waypoints.isEmpty else { return }
    let missed = waypoints.count { $0.isRequired && $0.count <= 0 }
    let unmet = "\(counted(missed, "required one was", "required ones were")) not."
    let ending = missed == 0 ? "Every required one was." : unmet
    page.element("h3", "Waypoints")
    page.element("p", class: "note", "Situations that the cases should meet. \(ending)")
    var left = 0
    table("waypoints", label: "Waypoints", into: &page) { page in
      let titles = ["Reached", "Waypoint", "Situation"]
      left = rows(titles, of: waypoints, bytes: 40_000, into: &page) { page, waypoint in
        let (standing, words) = reached(waypoint)
        page.element("td") { badge(standing, words, into: &$0) }
        head(waypoint.name, into: &page)
        page.element("td", class: "words", waypoint.sentence.clippedBehindWord(240))
      }
    }
    remainder(left, "waypoint", into: &page)
  }

  private func reached(_ waypoint: Report.WaypointCount) -> (Report.Standing, words: String) {
    if waypoint.count > 0 { return (.held, counted(waypoint.count, "time")) }
    return waypoint.isRequired ? (.violated, "never, but required") : (.skipped, "never")
  }

  /// A departure with all laws that it explains: a subject lists it for each, and a run counts it for
  /// each subject that it compares with.
  private struct Departure {
    let subject: String
    let condition: String
    let reason: String
    var laws: [Report.Count] = []
    /// Laws by which its own case no longer shows it.
    var gone: Set<String> = []
    /// Laws that cannot be judged on its own case.
    var unjudged: Set<String> = []
  }

  private var departures: [Departure] {
    var departures: [Departure] = []
    var places: [[String]: Int] = [:]
    for known in report.knownDivergences {
      let key = [known.subject, known.condition, known.reason]
      let place = places[key] ?? departures.count
      if place == departures.count {
        places[key] = place
        departures.append(
          Departure(subject: known.subject, condition: known.condition, reason: known.reason)
        )
      }
      departures[place].laws.add([Report.Count(name: known.law, count: known.count)])
      if !known.stillShows { departures[place].gone.insert(known.law) }
      if known.unjudged != nil { departures[place].unjudged.insert(known.law) }
    }
    return departures
  }

  /// Departures that are expected.
  func knownDivergences(_ page: inout Markup) {
    let known = departures
    guard !known.isEmpty else { return }
    let note =
      "Departures that the subjects' descriptions list, with the cases of each law that they explain. "
      + "One that no longer shows is red, as is one whose own case cannot be judged any more."
    section("known", "Known divergences", note: note, into: &page) { page in
      var left = 0
      table("known", label: "Known divergences", into: &page) { page in
        let titles = ["Subject", "Laws and cases", "When, and why"]
        left = rows(titles, of: known, bytes: 60_000, into: &page) { page, departure in
          page.element("td", departure.subject.clipped(80))
          page.element("th", [Attribute("scope", "row")]) { page in
            for law in departure.laws.prefix(40) {
              page.element("span", class: "explained") { page in
                page.element("code", law.name.clipped(80))
                page.add(" ")
                if departure.gone.contains(law.name) {
                  badge(.violated, "shows no longer", into: &page)
                } else if departure.unjudged.contains(law.name) {
                  badge(.errored, "cannot be judged", into: &page)
                } else {
                  let standing = law.count > 0 ? Report.Standing.known : .skipped
                  badge(standing, counted(law.count, "case"), into: &page)
                }
              }
            }
          }
          page.element("td", class: "words") { page in
            page.element("code", departure.condition.clipped(240))
            page.empty("br")
            page.add(departure.reason.clippedBehindWord(400))
          }
        }
      }
      remainder(left, "divergence", into: &page)
    }
  }
}
