import PastRuns
import Texts

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

  /// `automerge 0.5.7: 131 of 140 laws held`.
  package var title: String { "\(implementation.name.clipped(60)): \(result)" }

  private var result: String {
    let part =
      implementation.held == implementation.judged
      ? grouped(implementation.held)
      : "\(grouped(implementation.held)) of \(grouped(implementation.judged))"
    return "\(part) \(implementation.judged == 1 ? "law" : "laws") held"
  }

  /// Green if every law that was judged held, red if one was violated, else amber.
  private var colour: String {
    if implementation.violated > 0 { return "#a8261c" }
    return implementation.held == implementation.judged && implementation.judged > 0
      ? "#23683f" : "#7d5800"
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
