import Foundation
import Reporting
import TestSupport

/// The law of hostile texts, for each rendering: whatever stands in a report, the rendering's own
/// structure is all the structure there is.
enum Inertness {
  private static let elements: Set = [
    "a", "article", "b", "body", "br", "button", "circle", "code", "dd", "details", "div", "dl",
    "dt", "em", "figcaption", "figure", "footer", "g", "h1", "h2", "h3", "head", "header", "html",
    "i", "img", "input", "li", "link", "main", "mark", "meta", "nav", "ol", "option", "p", "path",
    "pre",
    "rect", "script", "section", "select", "span", "style", "summary", "svg", "table", "tbody",
    "td", "text", "th", "thead",
    "title", "tr", "ul",
  ]
  private static let attributes: Set = [
    "alt", "src",
    "aria-controls", "aria-expanded", "aria-hidden", "aria-label", "aria-labelledby", "aria-live",
    "aria-pressed",
    "charset", "class", "content", "cx", "cy", "d", "data-label", "data-lane", "data-subject",
    "data-tip",
    "height", "hidden",
    "href", "http-equiv", "id", "lang", "name", "open", "placeholder",
    "preserveAspectRatio", "r", "rel", "role", "rx", "scope", "tabindex", "type", "value",
    "viewBox",
    "width", "x", "y",
  ]

  /// Everything in which a page departs from the law.
  static func violations(inPage page: String) -> [String] {
    var found = strayScalars(in: page, allowing: ["\n", "\t"])
    let tree: MarkupTree
    do { tree = try MarkupTree.read(page) } catch { return found + ["malformed: \(error)"] }
    for element in tree.all {
      if !elements.contains(element.name) { found.append("an element \(element.name)") }
      for (name, value) in element.attributes.sorted(by: { $0.key < $1.key }) {
        if !attributes.contains(name) { found.append("an attribute \(name)") }
        if startsWithMark(value) { found.append("a loose mark in \(name)") }
        if name == "href", !isInner(value) { found.append("a link to \(value)") }
        if name == "src", !isPicture(value) { found.append("a picture of \(value)") }
      }
      for case .text(let text) in element.children where startsWithMark(text) {
        found.append("a loose mark in \(element.name)")
      }
    }
    if tree.all("script").map(\.text) != ["//" + trimmed(HTMLReport.script.description)] {
      found.append("a script that is not the page's")
    }
    if tree.all("style").count != 1 { found.append("another style sheet") }
    // One ends the style sheet and one the script.
    if page.components(separatedBy: "]]>").count != 3 { found.append("an end of character data") }
    return found
  }

  private static func trimmed(_ script: String) -> String {
    // The markers of character data are not part of what a parser shows.
    script.replacing("//<![CDATA[", with: "").replacing("]]>", with: "")
  }

  private static func isInner(_ link: String) -> Bool {
    if link == "data:," || link.hasPrefix("#") { return true }
    let parts = link.split(separator: "#", maxSplits: 1)
    guard let path = parts.first, parts.dropFirst().allSatisfy(isPlain) else { return false }
    let rest = path.dropFirst(2)
    return path.hasPrefix("./") && !rest.hasPrefix("/") && !rest.contains("..") && isPlain(rest)
  }

  /// Whether a source is a picture as data, with nothing that could end it early.
  private static func isPicture(_ source: String) -> Bool {
    let form = "data:image/svg+xml,"
    return source.hasPrefix(form) && isPlain(source.dropFirst(form.count))
  }

  private static func isPlain(_ text: Substring) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-._~/%".unicodeScalars.contains(scalar))
    }
  }

  private static func startsWithMark(_ text: String) -> Bool {
    switch text.unicodeScalars.first?.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// Scalars that are invisible, or that change how others look.
  static func strayScalars(
    in text: String,
    allowing allowed: Set<Unicode.Scalar> = ["\n"]
  ) -> [String] {
    var found: Set<UInt32> = []
    for scalar in text.unicodeScalars where !allowed.contains(scalar) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
        .surrogate:
        found.insert(scalar.value)
      default: continue
      }
    }
    return found.sorted().map { "the scalar U+\(String($0, radix: 16, uppercase: true))" }
  }

  /// As for pages, for `junit.xml`.
  static func violations(inJUnit document: String) -> [String] {
    let known: [String: Set<String>] = [
      "testsuites": ["name", "tests", "failures", "errors", "time"],
      "testsuite": ["name", "tests", "failures", "errors", "skipped", "time", "timestamp"],
      "testcase": ["name", "classname", "time"],
      "failure": ["message", "type"], "error": ["message", "type"], "skipped": ["message"],
      "system-out": [],
    ]
    var found = strayScalars(in: document, allowing: ["\n", "\t"])
    let tree: MarkupTree
    do { tree = try MarkupTree.read(document) } catch { return found + ["malformed: \(error)"] }
    for element in tree.all {
      guard let names = known[element.name] else {
        found.append("an element \(element.name)")
        continue
      }
      if Set(element.attributes.keys) != names {
        found.append("\(element.name) with \(element.attributes.keys.sorted())")
      }
    }
    if document.contains("]]>") { found.append("an end of character data") }
    return found
  }

  /// As for pages, for lines of a terminal.
  static func violations(inTerminal text: String, width: Int) -> [String] {
    var plain = text
    for code in ["31", "32", "33", "90", "1;31", "1;32", "1;33", "0"] {
      plain = plain.replacing("\u{1B}[\(code)m", with: "")
    }
    var found = strayScalars(in: plain)
    for line in plain.split(separator: "\n", omittingEmptySubsequences: false) {
      let isWhole = ["replay:", "repeat:", "report:", "shrink:"].contains {
        line.drop { $0 == " " }.hasPrefix($0)
      }
      // A single word stays whole as well, with the sign that begins its paragraph.
      let words = line.split(separator: " ").drop { $0.unicodeScalars.count == 1 }
      if !isWhole, words.count > 1, line.unicodeScalars.count > width {
        found.append("too wide: \(line)")
      }
      if startsWithMark(String(line.drop { $0 == " " })) { found.append("a loose mark") }
    }
    return found
  }
}
