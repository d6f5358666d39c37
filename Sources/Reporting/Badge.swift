import PastRuns
package import Texts

/// How the laws came out on one implementation, as a small picture for its README.
package struct Badge {
  /// Pixels.
  static let height = 20
  /// Of a letter on average, at the badge's size, in pixels; each text is fitted to its width.
  private static let letterWidth = 6
  private static let margin = 6

  private let implementation: Conformance.Implementation

  package init(_ implementation: Conformance.Implementation) {
    self.implementation = implementation
  }

  /// `automerge 0.5.7: 131 of 140 laws held`, and why that is not the whole answer, if so:
  /// `automerge 0.5.7: 11 of 62 laws held, interrupted; 51 laws were not asked`.
  package var title: String {
    let unasked = implementation.unasked
    let remark =
      unasked > 0 ? "; \(counted(unasked, "law")) \(unasked == 1 ? "was" : "were") not asked" : ""
    return "\(implementation.name.clipped(60)): \(result)\(remark)"
  }

  /// Of the laws that apply, how many held, and whether a run is not whole.
  private var result: String {
    let (held, all) = (implementation.held, implementation.applicable)
    let part = held == all ? grouped(held) : "\(grouped(held)) of \(grouped(all))"
    return "\(part) \(all == 1 ? "law" : "laws") held\(shortfall)"
  }

  private var shortfall: String {
    guard implementation.shortfalls != nil else { return "" }
    return implementation.isInterrupted ? ", interrupted" : ", incomplete"
  }

  /// Red if a law was violated, amber if another one did not hold or none was judged, green if all that apply
  /// held in whole runs; else grey: the runs do not tell.
  private var colour: String {
    if implementation.violated > 0 { return "#a8261c" }
    if implementation.held < implementation.judged { return "#7d5800" }
    if implementation.unasked > 0 || implementation.shortfalls != nil { return "#5f584e" }
    return implementation.judged > 0 ? "#23683f" : "#7d5800"
  }

  /// The badge as SVG.
  package func text(_ rules: MarkupRules = MarkupRules()) -> String {
    let left = "touchstone"
    let widths = [left, result].map { $0.count * Self.letterWidth + 2 * Self.margin }
    let width = widths[0] + widths[1]
    var svg = Markup(rules)
    svg.element(
      "svg",
      [
        Attribute("xmlns", "http://www.w3.org/2000/svg"), Attribute("width", width),
        Attribute("height", Self.height), Attribute("role", "img"),
        Attribute("aria-label", title),
      ]
    ) { svg in
      svg.element("title", title)
      for (x, width, colour) in [(0, widths[0], "#24211d"), (widths[0], widths[1], colour)] {
        svg.empty(
          "rect",
          [
            Attribute("x", x), Attribute("width", width), Attribute("height", Self.height),
            Attribute("fill", colour),
          ]
        )
      }
      for (x, width, text) in [(0, widths[0], left), (widths[0], widths[1], result)] {
        svg.element(
          "text",
          [
            Attribute("x", x + Self.margin), Attribute("y", 14),
            Attribute("textLength", width - 2 * Self.margin), Attribute("fill", "#ffffff"),
            Attribute("font-family", "Verdana,DejaVu Sans,sans-serif"), Attribute("font-size", 11),
          ],
          text
        )
      }
    }
    return svg.text
  }
}
