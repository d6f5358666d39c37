extension HTMLReport {
  /// The run in one line, and how to repeat it.
  func verdict(_ page: inout Markup) {
    let word = report.outcome.word
    page.line()
    let attributes = [
      Attribute("class", "verdict \(word.rawValue)"), Attribute("aria-labelledby", "verdict-title"),
    ]
    page.element("section", attributes) { page in
      page.element("h1", [Attribute("id", "verdict-title")]) { page in
        page.element(
          "span",
          [
            Attribute("class", "seal"), Attribute("role", "img"),
            Attribute("aria-label", word.rawValue),
          ],
          word.symbol
        )
        page.add(report.headline(matrix))
      }
      page.element("p", [Attribute("class", "facts")], facts.joined(separator: " · "))
      if !report.outcome.reasons.isEmpty {
        page.element("ul", [Attribute("class", "reasons")]) { page in
          for reason in report.outcome.reasons.prefix(12) {
            page.element("li", reason.clipped(400))
          }
        }
        remainder(report.outcome.reasons.count - 12, "reason", into: &page)
      }
      command(report.run.repeatCommand, into: &page)
    }
  }

  private var facts: [String] {
    let run = report.run
    var facts = [counted(run.cases, "case"), "seed \(run.seed.clipped(60))"]
    if !run.lawGlobs.isEmpty {
      facts.append("laws \(run.lawGlobs.joined(separator: " ").clipped(120))")
    }
    if let program = run.program { facts.append(program.clipped(60)) }
    if let canary = report.canary { facts.append(canary.words.clipped(200)) }
    return facts
  }

  /// Who was judged, and who was not.
  func subjects(_ page: inout Markup) {
    guard !report.subjects.isEmpty else { return }
    let present = report.subjects.filter { $0.absence == nil }
    let absent = report.subjects.filter { $0.absence != nil }
    let note =
      absent.isEmpty
      ? nil : "\(counted(present.count, "subject")) ran, \(grouped(absent.count)) did not."
    section("subjects", "Subjects", note, into: &page) { page in
      table("subjects", label: "Subjects", into: &page) { page in
        columns(["Subject", "Version", "Verdicts", "Can do"], into: &page)
        page.element("tbody") { page in
          _ = fill(&page, bytes: 40_000, with: present) { page, subject in
            page.element("tr") { page in
              page.element("th", [Attribute("scope", "row")], subject.id.clipped(80))
              page.element("td", subject.version.clipped(80))
              page.element("td") { standing(matrix.total(ofSubject: subject.id), into: &$0) }
              page.element(
                "td",
                [Attribute("class", "words")],
                subject.capabilities.joined(separator: ", ").clipped(600)
              )
            }
          }
          _ = fill(&page, bytes: 40_000, with: absent) { page, subject in
            page.element("tr", [Attribute("class", "absent")]) { page in
              page.element("th", [Attribute("scope", "row")], subject.id.clipped(80))
              page.element("td", subject.version.clipped(80))
              page.element("td") { page in
                page.element("span", [Attribute("class", "standing absent")]) { page in
                  page.raw("<i aria-hidden=\"true\">○</i> <span>absent</span>")
                }
              }
              page.element("td", [Attribute("class", "words")]) { page in
                page.add((subject.absence ?? "").clipped(400))
                if let cost = subject.absenceCost {
                  page.empty("br")
                  page.element("em", "What it costs: \(cost.clipped(400))")
                }
              }
            }
          }
        }
      }
    }
  }

  /// Symbol and words of all counts.
  private func standing(_ tally: Report.Tally, into page: inout Markup) {
    page.element("span", [Attribute("class", "standing \(tally.standing)")]) { page in
      page.element("i", [Attribute("aria-hidden", "true")], tally.standing.symbol)
      page.add(" ")
      page.element("span", tally.leadingWords)
    }
    if let words = tally.furtherWords {
      page.element("span", [Attribute("class", "rest")], words)
    }
  }

  /// When, where and how long: all that another run of the same seed would not repeat.
  func clock(_ page: inout Markup) {
    let clock = report.clock
    let note = "Only this section, and the seconds of mutants, differ when the run is repeated."
    section("clock", "Clock", note, into: &page) { page in
      page.element("dl", [Attribute("class", "clock")]) { page in
        for (term, words) in [
          ("Started", clock.startedAt.clipped(60)),
          ("Took", "\(decimal(clock.seconds)) s"),
          ("Cases per second", decimal(clock.casesPerSecond)),
          ("Workers", grouped(clock.jobs)),
          ("Machine", clock.machine.clipped(200)),
        ] {
          page.element("div") { page in
            page.element("dt", term)
            page.element("dd", words)
          }
        }
      }
      if !clock.remarks.isEmpty {
        page.element("ul", [Attribute("class", "remarks")]) { page in
          for remark in clock.remarks.prefix(20) { page.element("li", remark.clipped(400)) }
        }
        remainder(clock.remarks.count - 20, "remark", into: &page)
      }
      page.element("div", [Attribute("class", "columns")]) { page in
        bars("Slowest laws", seconds: clock.lawSeconds, noun: "law", into: &page)
        bars("Seconds by subject", seconds: clock.subjectSeconds, noun: "subject", into: &page)
      }
    }
  }

  private func bars(
    _ title: String,
    seconds: [String: Double],
    noun: String,
    into page: inout Markup
  ) {
    let rows = slowest(seconds)
    guard let most = rows.first?.seconds else { return }
    page.element("div") { page in
      page.element("h3", title)
      page.element("table", [Attribute("class", "bars")]) { page in
        page.element("tbody") { page in
          for row in rows.prefix(12) {
            bar(row.name, "\(decimal(row.seconds, digits: 2)) s", row.seconds / most, into: &page)
          }
        }
      }
      remainder(rows.count - 12, noun, into: &page)
    }
  }
}

/// The most seconds first, equal ones by name.
func slowest(_ seconds: [String: Double]) -> [(name: String, seconds: Double)] {
  seconds.filter { $0.value.isFinite }.map { (name: $0.key, seconds: $0.value) }
    .sorted { ($1.seconds, $0.name) < ($0.seconds, $1.name) }
}
