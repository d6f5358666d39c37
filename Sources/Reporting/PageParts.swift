import PastRuns
import Texts

/// What every page is made of: sections, tables, commands, lines of text.
protocol PageParts {
  /// Whether the page stands alone, without other files: it has no links to them.
  var standsAlone: Bool { get }
}

extension PageParts {
  /// Writes `<section id>` with its heading.
  func section(
    _ id: String,
    _ title: String,
    note: String? = nil,
    into page: inout Markup,
    _ body: (inout Markup) -> Void
  ) {
    page.line()
    let attributes = [Attribute("id", id), Attribute("aria-labelledby", "\(id)-title")]
    page.element("section", attributes) { page in
      page.element("h2", [Attribute("id", "\(id)-title")], title)
      if let note { page.element("p", class: "note", note) }
      body(&page)
    }
  }

  /// Writes items until `bytes` are used up; returns the number of those left out.
  func fill<Items: Collection>(
    _ page: inout Markup,
    bytes: Int,
    with items: Items,
    _ write: (inout Markup, Items.Element) -> Void
  ) -> Int {
    let start = page.byteCount
    var count = 0
    for item in items {
      guard page.byteCount - start < bytes else { break }
      write(&page, item)
      count += 1
    }
    return items.count - count
  }

  /// A line that says how many things stand elsewhere.
  func remainder(
    _ count: Int,
    _ noun: String,
    _ plural: String? = nil,
    in file: String = "report.json",
    into page: inout Markup
  ) {
    guard count > 0 else { return }
    page.element("p", class: "more") { page in
      page.add("and \(grouped(count)) more \(count == 1 ? noun : plural ?? noun + "s")")
      guard !standsAlone else { return page.add(", left out here") }
      page.add(" in ")
      page.element("a", [.link("href", to: file)], file)
    }
  }

  /// A command, with a button that copies it where a script may run.
  func command(_ command: String, into page: inout Markup) {
    page.element("div", class: "command") { page in
      page.element("code") { page in
        // A browser breaks lines behind hyphens, and so between the two of an option: each word is one.
        let words = command.clipped(1000).split(separator: " ", omittingEmptySubsequences: false)
        for (number, word) in words.enumerated() {
          if number > 0 { page.add(" ") }
          if !word.isEmpty { page.element("span", String(word)) }
        }
      }
      copyButton(into: &page)
    }
  }

  /// A button that copies what stands before it; the page's script shows it.
  func copyButton(into page: inout Markup) {
    page.raw("<button type=\"button\" class=\"quiet copy\" hidden=\"hidden\">Copy</button>")
  }

  /// A table that scrolls by itself where the page is too narrow for it.
  func table(
    _ className: String,
    label: String,
    into page: inout Markup,
    _ body: (inout Markup) -> Void
  ) {
    let attributes = [
      Attribute("class", "scroll"), Attribute("role", "region"), Attribute("aria-label", label),
      Attribute("tabindex", "0"),
    ]
    page.element("div", attributes) { page in
      page.element("table", class: className, body)
    }
  }

  /// One row of column headings.
  func columns(_ titles: [String], into page: inout Markup) {
    page.element("thead") { page in
      page.element("tr") { page in
        for title in titles { page.element("th", [Attribute("scope", "col")], title) }
      }
    }
  }

  /// Column headings, and a row for each item until `bytes` are used up; returns the number of
  /// items left out.
  @discardableResult
  func rows<Items: Collection>(
    _ titles: [String],
    of items: Items,
    bytes: Int = .max,
    into page: inout Markup,
    _ write: (inout Markup, Items.Element) -> Void
  ) -> Int {
    columns(titles, into: &page)
    var left = 0
    page.element("tbody") { page in
      left = fill(&page, bytes: bytes, with: items) { page, item in
        page.element("tr") { write(&$0, item) }
      }
    }
    return left
  }

  /// The head of a row: the name of a law, or of what is named as laws are.
  func head(_ name: String, into page: inout Markup) {
    page.element("th", [Attribute("scope", "row")]) { $0.element("code", name.clipped(80)) }
  }

  /// Symbol and words of a standing.
  func badge(_ standing: Report.Standing, _ words: String, into page: inout Markup) {
    page.element("span", class: "standing \(standing)") { page in
      page.element("i", [Attribute("aria-hidden", "true")], standing.symbol)
      page.add(" \(words)")
    }
  }

  /// Lines of a program's text; only the first `limit`.
  func lines(_ lines: [String], limit: Int = 200, into page: inout Markup) {
    page.element("pre") { page in
      page.element("code") { page in
        for line in lines.prefix(limit) { page.add(line.clipped(240) + "\n") }
        if lines.count > limit {
          page.add("… (\(counted(lines.count - limit, "more line")))\n")
        }
      }
    }
  }
}
