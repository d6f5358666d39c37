import PropertyEngine
import Texts

/// A failure as a page of HTML, which the results of Xcode and VS Code open.
///
/// The page is one file without scripts that fetches nothing. It says what the issue says. The page of a whole run is
/// `Reporting`'s, which the test of a model does not build.
struct FailurePage {
  let text: FailureText

  var html: String {
    var page = Markup(MarkupRules(), reserving: 1 << 13)
    page.raw("<!DOCTYPE html>\n")
    page.element("html", [Attribute("lang", "en")]) { page in
      page.line()
      head(&page)
      page.line()
      page.element("body") { page in
        page.element("main") { main(&$0) }
      }
      page.line()
    }
    page.line()
    return page.text
  }

  private func head(_ page: inout Markup) {
    page.element("head") { page in
      page.raw(
        """

        <meta charset="utf-8"/>
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>

        """
      )
      page.element("title", text.title)
      page.line()
      page.raw("<style>")
      page.raw(Self.style)
      page.raw("</style>")
      page.line()
    }
  }

  private func main(_ page: inout Markup) {
    page.line()
    page.element("h1", text.title)
    page.line()
    if let law = text.law {
      page.element("p", class: "law") { prose(law.text, into: &$0) }
      page.line()
    }
    if text.leadsWithJudgedTexts { judged(&page) }
    if let difference = text.difference { show(difference, on: &page) }
    if !text.leadsWithJudgedTexts { judged(&page) }
    if let advice = text.advice {
      page.element("h2", "What to do")
      page.element("p") { prose(advice, into: &$0) }
      page.line()
    }
    if !text.commands.isEmpty {
      page.element("h2", "How to replay")
      preformatted(text.commands.joined(separator: "\n"), into: &page)
      if let kept = text.kept {
        page.element("p", class: "soft", "The case is stored in \(kept.path) (\(kept.note)).")
      }
      page.line()
    }
    // Pages have no order, in which the cause would stand above.
    let hint = text.cause.map {
      "It may be the bug that breaks \($0), which has an issue of its own."
    }
    for note in text.origin + [hint].compactMap(\.self) {
      page.element("p", class: "soft") { prose(note, into: &$0) }
      page.line()
    }
  }

  private func judged(_ page: inout Markup) {
    for judged in text.judgedTexts {
      page.element("h2", judged.name)
      preformatted(judged.text, into: &page)
      page.line()
    }
  }

  private func show(_ difference: Difference, on page: inout Markup) {
    page.element("h2", "What differs")
    page.element("p") { prose(difference.summary, into: &$0) }
    page.line()
    guard difference.expected != nil || difference.actual != nil else {
      if let words = text.comparedSides { page.element("p", class: "soft", words) }
      return
    }
    page.element("div", class: "pair") { page in
      // Where only what was found has a side, the law itself says what is expected.
      let isDemanded = difference.expectedSide == nil && difference.actualSide != nil
      let demand = isDemanded ? "as the law demands" : nil
      let isOfPeers = difference.isOfPeers
      pane(
        isOfPeers ? nil : "Expected",
        by: difference.expectedSide?.name ?? demand,
        difference.expected,
        into: &page
      )
      pane(
        isOfPeers ? nil : "Found",
        by: difference.actualSide?.name,
        difference.actual,
        into: &page
      )
    }
    page.line()
  }

  /// What one side shows, and who that is; a peer has no title but its name.
  private func pane(
    _ title: String?,
    by party: String?,
    _ shown: String?,
    into page: inout Markup
  ) {
    guard let shown else { return }
    page.element("figure", class: title?.lowercased() ?? "peer") { page in
      page.element("figcaption", [title, party].compactMap(\.self).joined(separator: ", "))
      if shown.isEmpty {
        page.element("p", class: "soft", "an empty text")
      } else {
        preformatted(shown, into: &page)
      }
    }
  }

  /// Text in which what stands between two backticks is code; the text as it is where one of them has no other.
  private func prose(_ text: String, into page: inout Markup) {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    guard !parts.count.isMultiple(of: 2) else { return page.add(text) }
    for (index, part) in parts.enumerated() {
      if index.isMultiple(of: 2) {
        page.add(String(part))
      } else {
        page.element("code", String(part))
      }
    }
  }

  private func preformatted(_ text: String, into page: inout Markup) {
    // The texts of a case file end with a line feed.
    let end = text.lastIndex { $0 != "\n" }.map(text.index(after:)) ?? text.startIndex
    let lines = text[..<end].split(separator: "\n", omittingEmptySubsequences: false)
    page.element("pre") { page in
      for line in lines {
        // A reader of HTML takes the first line feed for one of the source.
        page.line()
        // Line by line, as each is cut off where it is too long, and so in the issue.
        page.add(String(line))
      }
    }
  }

  /// Holds no `<` and no `&`, so that it is a style sheet for readers of HTML and of XML.
  private static let style: StaticString = """

    :root { color-scheme: light dark; --page: #faf8f4; --card: #ffffff; --ink: #201d18;
      --soft: #696156; --line: #e3ddd2; --good: #23683f; --bad: #a8261c; }
    @media (prefers-color-scheme: dark) {
      :root { --page: #161412; --card: #1e1b18; --ink: #ece6dc; --soft: #a69c8d;
        --line: #38332d; --good: #7fcb98; --bad: #ff9186; }
    }
    body { margin: 0; padding: 1rem; background: var(--page); color: var(--ink);
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
    main { max-width: 56rem; margin: 0 auto; }
    h1, h2, p, pre, figcaption { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere;
      unicode-bidi: isolate; }
    h1 { font-size: 1.375rem; line-height: 1.25; }
    h2 { font-size: 1rem; margin: 1.5rem 0 .35rem; }
    h2::first-letter, .soft::first-letter { text-transform: uppercase; }
    pre, code { font: .875rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
    pre { padding: .6rem .8rem; background: var(--card); border: 1px solid var(--line);
      border-radius: 6px; }
    .law, .soft, figcaption { color: var(--soft); }
    .law { margin-top: .5rem; }
    .soft, figcaption { font-size: .875rem; margin-top: .5rem; }
    .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr));
      gap: .75rem; }
    figure { margin: 0; min-width: 0; }
    figcaption { margin-bottom: .25rem; }
    .expected pre { border-left: 4px solid var(--good); }
    .found pre { border-left: 4px solid var(--bad); }

    """
}
