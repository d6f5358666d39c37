import PastRuns
import PropertyEngine
import Texts

extension HTMLReport {
  /// Bytes that whole articles may take; the failures after that have one row each.
  static let articleByteLimit = 700_000
  /// States of one failure's steps, beyond which they are left to the report's JSON form.
  static let stateByteLimit = 60_000
  static let stepLimit = 120

  /// Each failure as an article, those of one likely cause together; once these take too much room, one
  /// row each.
  func failures(_ page: inout Markup) {
    guard hasFailures else { return }
    let causes = report.causes
    let laws = Dictionary(report.laws.map { ($0.name, $0) }) { first, _ in first }
    let hasCommands = report.failures.contains { $0.replayer == .program }
    let note =
      "Each with the smallest history or model values that show it. Steps in full colour matter: "
      + "without one of them the law holds."
    section("failures", "Failures", note: report.failures.isEmpty ? nil : note, into: &page) {
      page in
      if hasCommands { commandNote(&page) }
      let start = page.byteCount
      var further: [Report.NumberedFailure] = []
      for cause in causes {
        if cause.count > 1, page.byteCount - start < Self.articleByteLimit {
          self.cause(cause, into: &page)
        }
        let room = Self.articleByteLimit - (page.byteCount - start)
        let left = fill(&page, bytes: room, with: cause) { page, item in
          page.line()
          article(item.element, item.offset + 1, law: laws[item.element.law], into: &page)
        }
        further += cause.suffix(left)
      }
      rows(further, into: &page)
      sightings(&page)
    }
  }

  /// Where commands that name a file beside the page run.
  private func commandNote(_ page: inout Markup) {
    page.element("p", class: "note") { page in
      page.add("Run the commands that replay a failure in the folder of this page.")
      guard report.failures.contains(where: \.namesAdapters) else { return }
      page.add(" What follows ")
      page.element("code", "--adapters")
      page.add(" is the folder of adapters as seen from where the run wrote it.")
    }
  }

  /// Whether anything failed, made small or counted alone.
  var hasFailures: Bool { !report.failures.isEmpty || report.sightings?.isEmpty == false }

  /// The kinds of failure that were counted and not made small, a row each.
  private func sightings(_ page: inout Markup) {
    let sightings = Array(zip(report.sightings ?? [], anchors.sightings))
    guard !sightings.isEmpty else { return }
    page.element("h3", [Attribute("id", Self.sightingsID)], "Counted and not shrunk")
    var left = 0
    table("further", label: "Counted and not shrunk", into: &page) { page in
      let titles = ["Law", "Subject", "What", "Cases", "Case file"]
      columns(titles, into: &page)
      page.element("tbody") { page in
        left = fill(&page, bytes: Self.sightingByteLimit, with: sightings) { page, item in
          Self.row(of: item.0, item.1, standsAlone: standsAlone, into: &page)
        }
      }
    }
    remainder(left, "kind of failure", "kinds of failure", into: &page)
  }

  private static func row(
    of sighting: Report.Sighting,
    _ anchor: String,
    standsAlone: Bool,
    into page: inout Markup
  ) {
    page.element("tr") { page in
      page.element("th", [Attribute("scope", "row")]) { page in
        page.element("code", [Attribute("id", anchor)], sighting.law.clipped(80))
      }
      page.element("td", sighting.subject.clipped(80))
      page.element("td", class: "words", sighting.summary.clippedBehindWord(160))
      page.element("td", grouped(sighting.caseCount))
      page.element("td") { page in
        guard let file = sighting.file, !standsAlone else { return }
        page.element("a", [.link("href", to: file.clipped(200))], "case")
      }
    }
  }

  /// Where the page lists what was counted and not shrunk.
  static let sightingsID = "not-shrunk"
  /// Bytes that the rows of what was counted may take.
  private static let sightingByteLimit = 60_000

  /// The ids of what was counted and not shrunk, in the order of the report: of the row of each or, where
  /// the list ends before it, of the list.
  static func sightingIDs(
    of report: Report,
    _ anchors: Anchors,
    standsAlone: Bool = false,
    rules: MarkupRules = MarkupRules()
  ) -> [String] {
    var rows = Markup(rules)
    return zip(report.sightings ?? [], anchors.sightings).map { sighting, anchor in
      guard rows.byteCount < sightingByteLimit else { return sightingsID }
      row(of: sighting, anchor, standsAlone: standsAlone, into: &rows)
      return anchor
    }
  }

  /// A line above failures that likely have one cause.
  private func cause(_ failures: [Report.NumberedFailure], into page: inout Markup) {
    guard let first = failures.first?.element else { return }
    let kinds = Set(failures.map(\.element.differenceKind))
    let reason =
      kinds.count == 1
      ? "the same kind of difference, \(first.differenceKind.clipped(80))"
      : "the same smallest history or kind of difference"
    page.line()
    page.element("p", class: "cause") { page in
      page.element("b", "\(counted(failures.count, "failure")) on \(first.subject.clipped(80))")
      page.add(" likely have one cause: they show \(reason). Begin with the first.")
    }
  }

  private func rows(
    _ failures: [Report.NumberedFailure],
    into page: inout Markup
  ) {
    guard !failures.isEmpty else { return }
    page.element("h3", "Further failures")
    var left = 0
    table("further", label: "Further failures", into: &page) { page in
      columns(["Law", "Subject", "What", "Case file"], into: &page)
      page.element("tbody") { page in
        left = fill(&page, bytes: 90_000, with: failures) { page, item in
          let failure = item.element
          page.element("tr", [Attribute("id", "f\(item.offset + 1)")]) { page in
            page.element("th", [Attribute("scope", "row")]) { page in
              let anchor = Attribute("id", anchor(ofFailure: item.offset + 1))
              page.element("code", [anchor], failure.law.clipped(80))
            }
            page.element("td", matrix.parties(of: failure).clipped(80))
            page.element("td", class: "words", failure.summary.clippedBehindWord(160))
            page.element("td") { page in
              guard !standsAlone else { return }
              page.element("a", [.link("href", to: failure.file.clipped(200))], "case")
            }
          }
        }
      }
    }
    remainder(left, "failure", into: &page)
  }

  private func article(
    _ failure: Report.Failure,
    _ number: Int,
    law: Report.Law?,
    into page: inout Markup
  ) {
    let id = "f\(number)"
    let original = failure
    let failure = failure.abbreviated
    let attributes = [
      Attribute("class", "failure \(failure.kind.rawValue)"), Attribute("id", id),
      Attribute("aria-labelledby", "\(id)-title"),
    ]
    page.element("article", attributes) { page in
      eyebrow(failure, number, into: &page)
      page.element(
        "h3",
        [Attribute("id", "\(id)-title")],
        (law?.heading ?? failure.law).clippedBehindWord(400)
      )
      if let law, law.title != nil {
        page.element("p", class: "demand", law.sentence.clippedBehindWord(400))
      }
      page.element("p", class: "summary") { page in
        page.add(failure.summary.clippedBehindWord(1000))
        page.add(" ")
        page.element("span", class: "class", failure.differenceKind.clipped(80))
      }
      difference(failure, into: &page)
      comparedStates(failure, into: &page)
      story(failure, id, into: &page)
      command(failure.replayCommand, into: &page)
      page.element("p", class: "facts") { page in
        let facts = failure.facts.map { $0.clippedBehindWord(300) }.joined(separator: " ")
        guard !standsAlone else { return page.add(facts) }
        page.element("a", [.link("href", to: failure.file.clipped(400))], "Case file")
        if let reproducer = failure.reproducer {
          page.add(" · ")
          page.element("a", [.link("href", to: reproducer.clipped(400))], "Swift file")
        }
        page.add(" · \(facts)")
      }
      // Nothing else shows what a coder failed on.
      let attributes =
        failure.model == nil ? [Attribute("class", "told")] : [Attribute("open", "open")]
      page.element("details", attributes) { page in
        page.element("summary", failure.isOfHistory ? "The history as text" : "The sample")
        lines(failure.history, limit: 160, into: &page)
      }
      if let calls = failure.calls {
        page.element("details", [Attribute("open", "open")]) { page in
          page.element("summary", callsHeading)
          lines(calls, limit: 80, into: &page)
        }
      }
      reproducer(original, into: &page)
    }
  }

  /// The line above a failure's title: its kind, law and parties, and the link to it.
  private func eyebrow(_ failure: Report.Failure, _ number: Int, into page: inout Markup) {
    page.element("p", class: "eyebrow") { page in
      page.element("span", class: "kind") { page in
        page.element("i", [Attribute("aria-hidden", "true")], failure.kind.symbol)
        page.add(" \(failure.kind.rawValue)")
      }
      page.element("code", failure.law.clipped(80))
      let parties = [
        Attribute("class", "parties"), Attribute("data-subject", failure.subject.clipped(40)),
      ]
      page.element("span", parties, matrix.parties(of: failure).clipped(120))
      if isNew(failure) { page.element("span", class: "class", "new") }
      let anchor = anchor(ofFailure: number)
      let link = [
        Attribute("class", "permalink"), Attribute("id", anchor), Attribute("href", "#\(anchor)"),
        Attribute("aria-label", "Link to this failure"),
      ]
      page.element("a", link, "#")
    }
  }

  /// The failure as a Swift test, folded, with a button that copies it where a script may run.
  private func reproducer(_ failure: Report.Failure, into page: inout Markup) {
    guard failure.reproducer != nil, failure.history.count <= 160 else { return }
    page.element("details", class: "reproducer") { page in
      page.element("summary", "A Swift test that fails the same way")
      page.element("div", class: "listing") { page in
        page.element("pre") { page in
          page.element("code", Reproducer(failure, in: report).text)
        }
        copyButton(into: &page)
      }
    }
  }

  /// What was expected beside what was found, what differs marked.
  private func difference(_ failure: Report.Failure, into page: inout Markup) {
    guard failure.expected != nil || failure.actual != nil else { return }
    let visible = rules.visible
    let expected = failure.expected.map { visible($0.clipped(2000)) }
    let actual = failure.actual.map { visible($0.clipped(2000)) }
    let comparison = TextComparison(expected: expected ?? "", actual: actual ?? "")
    let isOfPeers = failure.peers != nil
    page.element("div", class: "pair") { page in
      side(
        isOfPeers ? .peer : .expected,
        // Where only what was found has a side, the law itself says what is expected.
        failure.expectedSide?.name ?? (failure.actualSide == nil ? nil : "as the law demands"),
        expected == nil ? nil : comparison.expected,
        into: &page
      )
      side(
        isOfPeers ? .peer : .found,
        failure.actualSide?.name,
        actual == nil ? nil : comparison.actual,
        into: &page
      )
    }
  }

  /// All that the two compared states show, side by side, where both are known.
  private func comparedStates(_ failure: Report.Failure, into page: inout Markup) {
    guard let expected = failure.expectedSide, let actual = failure.actualSide,
      !expected.state.isEmpty, !actual.state.isEmpty
    else { return }
    // Beside the history stand subject and oracle: two states of one subject are shown nowhere else.
    let isOfOne = expected.party == .subject
    let attributes = [Attribute("class", "sides")] + (isOfOne ? [Attribute("open", "open")] : [])
    page.element("details", attributes) { page in
      page.element("summary", "All that either side shows")
      sides(expected, actual, into: &page)
    }
  }

  /// One of the two that stand beside each other, named as its class in the style sheet.
  private enum PairSide: String {
    case expected, found
    /// Neither of the two is known to be right.
    case peer

    /// What stands before the name; `nil` where the name says all.
    var title: String? {
      switch self {
      case .expected: "Expected"
      case .found: "Found"
      case .peer: nil
      }
    }
  }

  private func side(
    _ side: PairSide,
    _ party: String?,
    _ pieces: [TextComparison.Piece]?,
    into page: inout Markup
  ) {
    let words = [side.title, party?.clippedBehindWord(160)].compactMap(\.self)
      .joined(separator: ", ")
    page.element("figure", class: side.rawValue) { page in
      page.element("figcaption", words)
      page.element("pre") { page in
        guard let pieces, !pieces.isEmpty else {
          page.element("em", pieces == nil ? "nothing" : "an empty text")
          return
        }
        for piece in pieces {
          if piece.isCommon { page.add(piece.text) } else { page.element("mark", piece.text) }
        }
      }
    }
  }
}
