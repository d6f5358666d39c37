import PastRuns
import Texts

extension HTMLReport {
  /// Bytes that the texts of the laws may take.
  static let demandByteLimit = 350_000

  /// Each law as a fold: what it demands, where that stands, what to do about a violation, and a bug that
  /// it catches.
  func demands(_ page: inout Markup) {
    let laws = report.laws.filter { anchors.laws[$0.name] != nil }
    // Without a matrix nothing leads to them.
    guard !laws.isEmpty, !report.cells.isEmpty else { return }
    section(
      "demands",
      "What the laws demand",
      note: "Each with its source, and bugs that it is known to catch when no other law is asked. "
        + "The command touchstone explain LAW says more.",
      into: &page
    ) { page in
      var left = 0
      page.element("div", class: "demands") { page in
        left = fill(&page, bytes: Self.demandByteLimit, with: laws) { page, law in
          page.line()
          demand(law, into: &page)
        }
      }
      remainder(left, "law", into: &page)
    }
  }

  private func demand(_ law: Report.Law, into page: inout Markup) {
    let attributes = [
      Attribute("class", "law"), Attribute("id", anchors.laws[law.name] ?? law.name),
    ]
    page.element("details", attributes) { page in
      page.element("summary") { page in
        page.element("code", law.name.clipped(80))
        page.add(" \(law.heading.clippedBehindWord(200))")
      }
      if law.title != nil { page.element("p", law.sentence.clippedBehindWord(600)) }
      page.element("dl") { page in
        fact("Source", law.source, into: &page)
        if let advice = law.advice { fact("If it is violated", advice, into: &page) }
        for (index, bug) in (law.catches ?? []).prefix(3).enumerated() {
          fact(index == 0 ? "Catches alone" : nil, bug, into: &page)
        }
        page.element("dt", class: "again", "To see more")
        page.element("dd", class: "again") { page in
          page.element("code", "touchstone explain \(law.name)".clipped(200))
        }
      }
    }
  }

  private func fact(_ term: String?, _ words: String, into page: inout Markup) {
    guard !words.isEmpty else { return }
    if let term { page.element("dt", term) }
    page.element("dd", words.clippedBehindWord(400))
  }
}

/// The ids by which links lead to laws and failures: the same in every report that has them.
///
/// A failure's is `law/subject/kind of difference`, a law's `law/NAME`. Two that are spelled alike are
/// told apart by a number: `merge.commutes/engine/state~2`.
struct Anchors {
  private(set) var laws: [String: String] = [:]
  /// In the order of the report.
  private(set) var failures: [String] = []
  /// Of what was counted and not shrunk, in the order of the report.
  private(set) var sightings: [String] = []

  /// Laws beyond these have no fold, and no link leads to them.
  private static let lawLimit = 2000

  init(_ report: Report) {
    var taken = UniqueNames()
    func claim(_ parts: [String]) -> String {
      taken.claim(parts.map(Self.plain).joined(separator: "/"))
    }
    for law in report.laws.prefix(Self.lawLimit) where laws[law.name] == nil {
      laws[law.name] = claim(["law", law.name])
    }
    for failure in report.failures {
      failures.append(claim([failure.law, failure.subject, failure.differenceKind]))
    }
    for sighting in report.sightings ?? [] {
      sightings.append(claim([sighting.law, sighting.subject, sighting.differenceKind]))
    }
  }

  /// The text in letters, digits, `.`, `_` and `-` alone, which need no escape in a link.
  private static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.clipped(80).unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": plain.unicodeScalars.append(scalar)
      default: plain += "-"
      }
    }
    return plain.isEmpty ? "-" : plain
  }
}
