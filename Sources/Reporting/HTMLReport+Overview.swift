import PastRuns
import Texts

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
      page.element("p", class: "facts", facts.joined(separator: " · "))
      tried(&page)
      change(&page)
      index(&page)
      let counts = report.sightingCounts
      // The index and the list of what was not shrunk lead to the others.
      let reasons = report.furtherReasons
      let unjudged = unjudgedLaws + report.unjudged(matrix).prefix(12)
      if !reasons.isEmpty || !counts.isEmpty || !unjudged.isEmpty {
        page.element("ul", class: "reasons") { page in
          for (subject, count) in counts.prefix(12) {
            page.element("li") { page in
              page.add("\(subject.clipped(80)) fails in ")
              let link = [Attribute("href", "#\(Self.sightingsID)")]
              page.element("a", link, counted(count, "more way"))
              page.add(", counted and not shrunk")
            }
          }
          for words in unjudged { page.element("li", words.clippedBehindWord(400)) }
          for reason in reasons.prefix(12) { page.element("li", reason.clippedBehindWord(400)) }
        }
        remainder(reasons.count - 12, "reason", into: &page)
      }
      page.element("p", class: "note again", "To repeat the run:")
      command(report.run.repeatCommand, into: &page)
    }
  }

  /// How many samples differ, in a line that leads to what the cases tried.
  private func tried(_ page: inout Markup) {
    guard let words = report.distinctSamples else { return }
    page.element("p", class: "facts") { page in
      page.element("a", [Attribute("href", "#counts")], "What the cases tried")
      page.add(": \(words)")
    }
  }

  /// How many laws were judged on no subject: a green run says nothing about them.
  private var unjudgedLaws: [String] {
    guard report.outcome.word == .held, !report.cells.isEmpty else { return [] }
    let standings = matrix.laws.map { matrix.standing(ofLaw: $0) }
    let skipped = standings.count { $0 == .skipped }
    let absent = standings.count { $0 == .absent }
    guard skipped + absent > 0 else { return [] }
    let parts = [(skipped, Report.Standing.skipped), (absent, .absent)].filter { $0.0 > 0 }
      .map { "\(grouped($0.0)) \($0.1.word)" }
    let laws = counted(skipped + absent, "law was", "laws were")
    return ["\(laws) judged on no subject: \(parts.joined(separator: ", "))"]
  }

  /// What has changed since the earlier run, in a line that leads to the section about it.
  private func change(_ page: inout Markup) {
    guard let comparison, let run = earlier?.compared else { return }
    page.element("p", class: "facts") { page in
      page.element("a", [Attribute("href", "#earlier")], "Since \(run.moment)")
      page.add(": \(comparison.counts)")
    }
  }

  /// What failed by subject and law, each law a link to its first failure; of what was counted and not
  /// shrunk, the laws that failed in no other way.
  private func index(_ page: inout Markup) {
    struct Entry {
      let law: String
      let kind: Report.Failure.Kind
      let link: String
      var count = 1
    }
    var subjects: [String] = []
    var entries: [String: [Entry]] = [:]
    for (offset, failure) in report.failures.enumerated() {
      if entries[failure.subject] == nil { subjects.append(failure.subject) }
      let link = "#\(anchor(ofFailure: offset + 1))"
      var own = entries[failure.subject] ?? []
      if let place = own.firstIndex(where: { $0.law == failure.law && $0.kind == failure.kind }) {
        own[place].count += 1
      } else {
        own.append(Entry(law: failure.law, kind: failure.kind, link: link))
      }
      entries[failure.subject] = own
    }
    for sighting in report.sightings ?? [] {
      let (law, subject) = (sighting.law, sighting.subject)
      // Reports of older versions do not say how each failed.
      let isViolated =
        sighting.kind.map { $0 == .violated } ?? (matrix.tally(law, subject).standing == .violated)
      let isTold = entries[subject, default: []].contains { entry in
        entry.law == law && (entry.kind != .errored || !isViolated)
      }
      guard !isTold, let link = cellLink(law, subject) else { continue }
      if entries[subject] == nil { subjects.append(subject) }
      let kind = isViolated ? Report.Failure.Kind.violated : .errored
      entries[subject, default: []].append(Entry(law: law, kind: kind, link: link))
    }
    guard !subjects.isEmpty else { return }
    page.element("dl", class: "index") { page in
      for subject in subjects.prefix(24) {
        page.element("dt", subject.clipped(80))
        page.element("dd") { page in
          let own = entries[subject] ?? []
          for entry in own.prefix(40) {
            let attributes = [
              Attribute("class", "chip \(entry.kind.rawValue)"),
              Attribute("href", entry.link),
            ]
            page.element("a", attributes) { page in
              page.element("i", [Attribute("aria-hidden", "true")], entry.kind.symbol)
              page.element("span", class: "unseen", "\(entry.kind.rawValue): ")
              page.add(" \(entry.law.clipped(80))")
              if entry.count > 1 {
                page.add(" ")
                page.element("span", class: "ways", "in \(entry.count) ways")
              }
            }
          }
          if own.count > 40 {
            page.element("span", class: "ways", "and \(counted(own.count - 40, "more law"))")
          }
        }
      }
    }
    remainder(subjects.count - 24, "subject", into: &page)
  }

  private var facts: [String] {
    let run = report.run
    var facts = [report.caseWords]
    if let parts = run.parts {
      facts.append("merged of \(counted(parts.count, "run"))")
    } else {
      facts.append("seed \(run.seed.clipped(60))")
    }
    if !run.lawGlobs.isEmpty {
      facts.append("laws \(run.lawGlobs.joined(separator: " ").clipped(120))")
    }
    if let program = run.program { facts.append(program.clipped(60)) }
    if let canary = report.canary { facts.append(canary.summary.clippedBehindWord(200)) }
    return facts
  }

  /// The subjects that were judged, and those that were not.
  func subjects(_ page: inout Markup) {
    guard !report.subjects.isEmpty else { return }
    let present = report.subjects.filter { $0.absence == nil }
    let absent = report.subjects.filter { $0.absence != nil }
    let note =
      absent.isEmpty
      ? nil : "\(counted(present.count, "subject")) ran, \(grouped(absent.count)) did not."
    let abilities = Self.union(of: present)
    section("subjects", "Subjects", note: note, into: &page) { page in
      table("subjects", label: "Subjects", into: &page) { page in
        columns(["Subject", "Version", "Verdicts", "Can do"], into: &page)
        page.element("tbody") { page in
          _ = fill(&page, bytes: 40_000, with: present) { page, subject in
            page.element("tr") { page in
              page.element("th", [Attribute("scope", "row")], subject.id.clipped(80))
              page.element("td", subject.version.clipped(80))
              page.element("td") { standing(matrix.total(ofSubject: subject.id), into: &$0) }
              let words = describe(subject, among: Self.union(of: present, like: subject))
              page.element("td", class: "words", words.clippedBehindWord(600))
            }
          }
          _ = fill(&page, bytes: 40_000, with: absent) { page, subject in
            page.element("tr", class: "absent") { page in
              page.element("th", [Attribute("scope", "row")], subject.id.clipped(80))
              page.element("td", subject.version.clipped(80))
              page.element("td") { page in
                page.element("span", class: "standing absent") { page in
                  page.raw("<i aria-hidden=\"true\">○</i> <span>absent</span>")
                }
              }
              page.element("td", class: "words") { page in
                page.add((subject.absence ?? "").clippedBehindWord(400))
                if let cost = subject.absenceCost {
                  page.empty("br")
                  page.element("em", "What it costs: \(cost.clippedBehindWord(400))")
                }
              }
            }
          }
        }
      }
      if !abilities.isEmpty {
        page.element("details") { page in
          page.element("summary", counted(abilities.count, "ability", "abilities"))
          let words = abilities.joined(separator: ", ").clippedBehindWord(4000)
          page.element("p", class: "note", words)
        }
      }
    }
  }

  /// Everything that any of the subjects can do, each once.
  private static func union(of subjects: [Report.Subject]) -> [String] {
    subjects.flatMap(\.capabilities).uniqued()
  }

  /// Everything that any subject of the same topic can do: an engine does not lack what coders do.
  private static func union(
    of subjects: [Report.Subject],
    like subject: Report.Subject
  ) -> [String] {
    union(of: subjects.filter { $0.topic == subject.topic })
  }

  /// What a subject can do, told by what it lacks where that is shorter.
  ///
  /// One that has all that others of this run have may lack more still: then laws are skipped on
  /// it, and the reasons are given.
  private func describe(_ subject: Report.Subject, among all: [String]) -> String {
    let own = Set(subject.capabilities)
    let missing = all.filter { !own.contains($0) }
    guard !all.isEmpty else { return "" }
    if missing.isEmpty {
      let count = counted(all.count, "ability", "abilities")
      let skips = matrix.skips(ofSubject: subject.id)
      guard skips.count > 0 else { return "all \(count)" }
      let reasons = skips.reasons.isEmpty ? "" : ": \(skips.reasons.joined(separator: "; "))"
      return "\(count); \(counted(skips.count, "law")) skipped\(reasons)"
    }
    return missing.count < own.count
      ? "all but \(missing.joined(separator: ", "))"
      : subject.capabilities.joined(separator: ", ")
  }

  /// Symbol and words of all counts.
  private func standing(_ tally: Report.Tally, into page: inout Markup) {
    page.element("span", class: "standing \(tally.standing)") { page in
      page.element("i", [Attribute("aria-hidden", "true")], tally.standing.symbol)
      page.add(" ")
      page.element("span", tally.gravestCount)
    }
    if let further = tally.furtherCounts {
      page.element("span", class: "rest", further)
    }
  }

  /// When, where and how long: all that another run of the same seed would not repeat.
  func clock(_ page: inout Markup) {
    let clock = report.clock
    let note = "Only this section, and the seconds of mutants, differ when the run is repeated."
    section("clock", "Clock", note: note, into: &page) { page in
      page.element("dl", class: "clock") { page in
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
      parts(report.run.parts ?? [], into: &page)
      if !clock.remarks.isEmpty {
        page.element("ul", class: "remarks") { page in
          for remark in clock.remarks.prefix(20) {
            page.element("li", remark.clippedBehindWord(400))
          }
        }
        remainder(clock.remarks.count - 20, "remark", into: &page)
      }
      page.element("div", class: "columns") { page in
        bars("Slowest laws", seconds: clock.lawSeconds, noun: "law", into: &page)
        bars("Seconds by subject", seconds: clock.subjectSeconds, noun: "subject", into: &page)
      }
    }
  }

  /// The runs of a merged report, one a row.
  private func parts(_ parts: [Report.Part], into page: inout Markup) {
    guard !parts.isEmpty else { return }
    page.element("h3", "Merged of \(counted(parts.count, "run"))")
    var left = 0
    table("parts", label: "Runs", into: &page) { page in
      let titles = ["Started", "Command", "Seed", "Cases", "Machine"]
      left = rows(titles, of: parts, bytes: 40_000, into: &page) { page, part in
        page.element("th", [Attribute("scope", "row")], part.startedAt.clipped(60))
        page.element("td", part.command.rawValue)
        page.element("td", part.seed.clipped(40))
        page.element("td", grouped(part.cases))
        page.element("td", class: "words", part.machine.clipped(200))
      }
    }
    remainder(left, "run", into: &page)
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
      page.element("table", class: "bars") { page in
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
