import PastRuns
import Texts

extension HTMLReport {
  /// How many samples differ, by kind of sample.
  func samples(_ samples: [Report.SampleCount], into page: inout Markup) {
    guard !samples.isEmpty else { return }
    page.element("h3", "Different samples")
    let note =
      "Subjects of one kind are judged on the same samples, so that results can be compared: a "
      + "sample that several subjects got counts once as different."
    page.element("p", class: "note", note)
    var left = 0
    table("samples", label: "Different samples", into: &page) { page in
      let titles = ["Samples", "Judged", "Different"]
      left = rows(titles, of: samples, bytes: 12_000, into: &page) { page, count in
        page.element("th", [Attribute("scope", "row")], count.name.clipped(60))
        page.element("td", class: "figure", grouped(count.judged))
        page.element("td", class: "figure", count.distinctWords)
      }
    }
    remainder(left, "kind of sample", "kinds of sample", into: &page)
  }

  /// Which values were drawn: kinds by use, and the traits of each kind, with those that no value had.
  func values(_ values: [Report.ValueCount], into page: inout Markup) {
    for samples in values.map(\.samples).uniqued().prefix(8) {
      let own = values.filter { $0.samples == samples }
      let traits = own.flatMap(\.traits)
      let met = traits.count { $0.count > 0 }
      let title = "Values in \(samples.clipped(60))"
      page.element("h3", title)
      let unmet = met < traits.count ? "; no value had those that say never" : ""
      page.element(
        "p",
        class: "note",
        "\(grouped(met)) of \(counted(traits.count, "trait")) were met\(unmet)."
      )
      var left = 0
      table("values", label: title, into: &page) { page in
        let titles = ["Kind", "Values", "Used by", "Traits"]
        left = rows(titles, of: own, bytes: 30_000, into: &page) { page, value in
          head(value.type, into: &page)
          page.element("td", class: value.count > 0 ? "figure" : "figure none") { page in
            page.add(grouped(value.count))
          }
          page.element("td") { self.pairs(value.uses, into: &$0) }
          page.element("td") { self.pairs(value.traits, into: &$0) }
        }
      }
      remainder(left, "kind of value", "kinds of value", into: &page)
    }
  }

  /// Names with their counts, one behind the other.
  private func pairs(_ counts: [Report.Count], into page: inout Markup) {
    for count in counts.prefix(40) {
      page.element("span", class: count.count > 0 ? "tried" : "tried never") { page in
        page.add("\(count.name.clipped(40)) ")
        page.element("b", count.count > 0 ? grouped(count.count) : "never")
      }
      page.add(" ")
    }
  }
}
