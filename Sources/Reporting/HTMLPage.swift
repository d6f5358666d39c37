import Texts

/// What every page has around its sections: its head with what the page may do, a banner that leads to the
/// sections, and the one style sheet and script.
struct HTMLPage {
  /// A section of the page, as the banner names it.
  struct Section {
    let id: String
    let title: String

    init(_ id: String, _ title: String) {
      self.id = id
      self.title = title
    }
  }

  let title: String
  let sections: [Section]
  /// The file beside the page that holds all of it for programs; `nil` for a page that stands alone.
  let data: String?
  let rules: MarkupRules

  /// The page around what `sections` writes.
  func text(_ main: (inout Markup) -> Void) -> String {
    var page = Markup(rules, reserving: 1 << 18)
    page.raw("<!DOCTYPE html>\n")
    page.element("html", [Attribute("lang", "en")]) { page in
      page.line()
      head(&page)
      page.line()
      page.element("body") { body(&$0, main) }
      page.line()
    }
    page.line()
    return page.text
  }

  private func head(_ page: inout Markup) {
    page.element("head") { page in
      page.empty("meta", [Attribute("charset", "utf-8")])
      page.empty(
        "meta",
        [
          Attribute("http-equiv", "Content-Security-Policy"),
          Attribute("content", HTMLReport.policy),
        ]
      )
      page.empty(
        "meta",
        [
          Attribute("name", "viewport"),
          Attribute("content", "width=device-width, initial-scale=1"),
        ]
      )
      page.empty(
        "meta",
        [Attribute("name", "color-scheme"), Attribute("content", "light dark")]
      )
      page.empty(
        "meta",
        [Attribute("name", "referrer"), Attribute("content", "no-referrer")]
      )
      // Without one, a browser asks for a file that is not there.
      page.empty("link", [Attribute("rel", "icon"), Attribute("href", "data:,")])
      page.element("title", title)
      page.raw("<style>")
      page.raw(HTMLReport.style)
      page.raw("</style>")
    }
  }

  private func body(_ page: inout Markup, _ main: (inout Markup) -> Void) {
    page.line()
    page.element(
      "a",
      [Attribute("class", "skip"), Attribute("href", "#main")],
      "Skip to the report"
    )
    banner(&page)
    page.line()
    page.element("main", [Attribute("id", "main")]) { main(&$0) }
    page.line()
    if let data {
      page.element("footer") { page in
        page.element("p") { page in
          page.add("All of this stands in ")
          page.element("a", [.link("href", to: data)], data)
          page.add(", for programs.")
        }
      }
    }
    page.raw("<div id=\"tip\" role=\"tooltip\" hidden=\"hidden\"></div>")
    page.line()
    page.raw("<script>")
    page.raw(HTMLReport.script)
    page.raw("</script>")
  }

  private func banner(_ page: inout Markup) {
    page.element("header", class: "banner") { page in
      page.raw(
        """
        <a class="brand" href="#main"><svg width="22" height="22" viewBox="0 0 22 22" \
        aria-hidden="true"><rect class="slab" x="1" y="1" width="20" height="20" rx="5"/>\
        <path class="streak" d="M5 15.5L15 5.5"/><path class="streak thin" d="M9 17L17.5 8.5"/>\
        </svg><span>Touchstone</span></a>
        """
      )
      page.element("nav", [Attribute("aria-label", "Sections")]) { page in
        for section in sections {
          page.element("a", [Attribute("href", "#\(section.id)")], section.title)
        }
      }
      page.raw(
        """
        <button type="button" id="theme" class="quiet" hidden="hidden">\
        <span aria-hidden="true">◐</span> <span class="name">Auto</span></button>
        """
      )
    }
  }
}
