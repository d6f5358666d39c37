import Foundation
import Reporting
import TestSupport
import Testing
import Texts

/// The page in a real browser; serialized, as each test starts one.
@Suite(
  "The page in Chromium",
  .serialized,
  .enabled(if: Browser.program != nil, "Chromium is not installed")
)
struct BrowserTests {
  /// Opens the report's page and hands over the browser.
  private func withPage<Result>(
    _ report: Report,
    fragment: String = "",
    width: Int = 1200,
    isDark: Bool = false,
    _ body: (Browser) throws -> Result
  ) throws -> Result {
    try withFolder { folder in
      let file = folder.appendingPathComponent("index.html")
      try HTMLReport(report).text.write(to: file, atomically: true, encoding: .utf8)
      let browser = try Browser()
      let address = try #require(URL(string: file.absoluteString + fragment))
      try browser.open(address, width: width, isDark: isDark)
      return try body(browser)
    }
  }

  private func shown(_ browser: Browser) throws -> String? {
    let script = """
      getComputedStyle(document.querySelector('#f1 .state.shown')).visibility + ' ' +
      document.querySelector('#f1 .state.shown').id
      """
    return try browser.value(of: script).string
  }

  @Test("Every page loads without a complaint, and its script runs")
  func loads() throws {
    let reports = SampleReports.all.map(\.report) + [try HostileReports.all.get()[0]]
    for report in reports {
      let complaints = try withPage(report) { browser in
        let isScripted = "document.documentElement.classList.contains('js')"
        let isScriptedValue = try browser.value(of: isScripted)
        #expect(isScriptedValue == .boolean(true))
        return browser.complaints
      }
      #expect(complaints == [])
    }
  }

  @Test("A script from elsewhere does not run, and the browser says so")
  func policy() throws {
    try withPage(SampleReports.green) { browser in
      let inject = """
        (function () {
          var script = document.createElement('script');
          script.textContent = 'window.hasRun = true';
          document.body.append(script);
          return window.hasRun === undefined;
        }())
        """
      let injectValue = try browser.value(of: inject)
      #expect(injectValue == .boolean(true))
      #expect(browser.complaints.contains { $0.contains("Content Security Policy") })
    }
  }

  @Test("Keys go through the steps, and each shows its state")
  func keys() throws {
    try withPage(SampleReports.failing, fragment: "#f1s2") { browser in
      #expect(try browser.value(of: "document.activeElement.id").string == "f1s2")
      #expect(try shown(browser) == "visible f1s2-state")
      try browser.press("ArrowDown", code: 40)
      #expect(try browser.value(of: "document.activeElement.id").string == "f1s3")
      #expect(try shown(browser) == "visible f1s3-state")
      try browser.press("Home", code: 36)
      #expect(try shown(browser) == "visible f1s1-state")
      try browser.press("End", code: 35)
      let last = SampleFailures.agreement.timeline.count
      #expect(try shown(browser) == "visible f1s\(last)-state")
      let count = "document.querySelectorAll('#f1 .state.shown').length"
      let countValue = try browser.value(of: count)
      #expect(countValue == .int(1))
      #expect(browser.complaints == [])
    }
  }

  @Test("Pointing at a replica's line shows its last state there")
  func points() throws {
    try withPage(SampleReports.failing) { browser in
      func point(row: Int, lane: Int) throws {
        let script = """
          (function () {
            var space = document.querySelector('#f1 .space');
            space.scrollIntoView({ block: 'center' });
            var frame = space.getBoundingClientRect(), width = Number(space.dataset.lane);
            return [frame.left + (\(lane) + .5) * width, frame.top + 30 + (\(row) + .5) * 34];
          }())
          """
        let place = try browser.value(of: script)
        try browser.point(x: place[0]?.number ?? 0, y: place[1]?.number ?? 0)
      }
      // Whatever came since, r0 shows what its own edit left there.
      try point(row: 7, lane: 0)
      #expect(try shown(browser) == "visible f1s1-state")
      try point(row: 3, lane: 1)
      #expect(try shown(browser) == "visible f1s4-state")
      // Before r1 does anything, there is the start.
      try point(row: 0, lane: 1)
      #expect(try shown(browser) == "visible f1s0-state")
    }
  }

  @Test("A cell tells its counts and its law when it has the focus; arrows go on")
  func tips() throws {
    try withPage(SampleReports.failing) { browser in
      let focus = "document.querySelector('.matrix [data-tip]').focus()"
      _ = try browser.value(of: focus)
      let tip = try browser.value(of: "document.getElementById('tip').innerText").string
      #expect(tip?.contains("agreement.states on naive") == true, "\(tip ?? "")")
      #expect(tip?.contains(SampleReports.laws[0].sentence) == true)
      #expect(tip?.contains("1,183 held, 17 skipped") == true)
      try browser.press("ArrowRight", code: 39)
      try browser.press("ArrowRight", code: 39)
      let link = try browser.value(of: "document.activeElement.getAttribute('href')").string
      let failure = SampleFailures.all[0]
      #expect(link == "#\(failure.law)/\(failure.subject)/\(failure.differenceKind)")
    }
  }

  /// Rows of laws that can be seen.
  private let seenLaws = """
    Array.from(document.querySelectorAll('.matrix tr.law')).filter((row) => row.offsetParent)
      .map((row) => row.querySelector('code').textContent).join(' ')
    """

  @Test("Filters leave the laws that have a word, a subject and a result, and the failures as well")
  func filters() throws {
    try withPage(SampleReports.failing) { browser in
      func choose(_ selector: String, _ value: String) throws {
        _ = try browser.value(
          of: """
            (function () {
              var control = document.querySelector('#find \(selector)');
              control.value = '\(value)';
              control.dispatchEvent(new Event('input'));
            }())
            """
        )
      }
      try choose("input", "MERGE.")
      let merging = try #require(browser.value(of: seenLaws).string).split(separator: " ")
      #expect(merging.count > 1 && merging.allSatisfy { $0.hasPrefix("merge.") })
      try choose("input", "")
      try choose(".who", "loro")
      try choose(".how", "violated")
      let violated = Set(
        SampleFailures.all.filter { $0.subject == "loro" && $0.kind == .violated }.map(\.law)
      )
      let seen = try #require(browser.value(of: seenLaws).string).split(separator: " ").map(
        String.init
      )
      #expect(violated.isSubset(of: seen))
      let parties = """
        Array.from(document.querySelectorAll('.failure')).filter((one) => one.offsetParent)
          .map((one) => one.querySelector('.parties').dataset.subject).join(' ')
        """
      let shown = try browser.value(of: parties).string?.split(separator: " ") ?? []
      #expect(Set(shown) == ["loro"])
      #expect(browser.complaints == [])
    }
  }

  /// A report in which a family of many laws holds.
  private let longReport: Report = {
    var report = SampleReports.failing
    for number in 0..<45 {
      let law = Report.Law(name: "more.law\(number)", sentence: "It holds.", source: "none")
      report.laws.append(law)
      var cell = Report.Cell(law: law.name, subject: "naive")
      cell.held = 7
      report.cells.append(cell)
    }
    return report
  }()

  @Test("A long report folds the families that hold, and a button unfolds them")
  func folds() throws {
    try withPage(longReport) { browser in
      func isSeen(_ law: String) throws -> Bool {
        try browser.value(of: seenLaws).string?.split(separator: " ").contains { $0 == law } == true
      }
      let isFolded = try !isSeen("more.law1")
      #expect(isFolded)
      // Where something failed, nothing is folded.
      let isOpen = try isSeen(SampleFailures.all[0].law)
      #expect(isOpen)
      _ = try browser.value(
        of: """
          Array.from(document.querySelectorAll('.fold'))
            .find((button) => button.textContent.startsWith('more')).click()
          """
      )
      let isUnfolded = try isSeen("more.law1")
      #expect(isUnfolded)
    }
  }

  @Test("Paper shows what is folded, in the light colours whatever the screen has")
  func paper() throws {
    try withPage(longReport, isDark: true) { browser in
      _ = try browser.value(of: "document.documentElement.dataset.theme = 'dark'")
      let ink = "getComputedStyle(document.body).color"
      #expect(try browser.value(of: ink).string == "rgb(236, 230, 220)")
      try browser.showAsPaper()
      #expect(try browser.value(of: ink).string == "rgb(32, 29, 24)")
      // A law has a row, or stands among the names in the row of its family.
      let told = """
        Array.from(document.querySelectorAll('.matrix tr.law')).filter(function (row) {
          if (row.offsetParent) return true;
          var names = row.closest('tbody').querySelector('.members');
          var name = row.querySelector('code').textContent.split('.').slice(1).join('.');
          return names && names.offsetParent && names.textContent.split(', ').includes(name);
        }).length
        """
      let toldValue = try browser.value(of: told)
      #expect(toldValue == .int(Int64(longReport.laws.count)))
      let folded = """
        Array.from(document.querySelectorAll('details.law'))
          .filter((one) => one.querySelector('dl').getBoundingClientRect().height < 9).length
        """
      let foldedValue = try browser.value(of: folded)
      #expect(foldedValue == .int(0))
    }
  }

  @Test("A run of seventy laws that held takes few sheets")
  func sheets() throws {
    var report = longReport
    report.subjects = report.subjects.filter { $0.id == "naive" }
    report.cells = report.cells.filter { $0.subject == "naive" }
    report.failures = []
    report.outcome = SampleReports.green.outcome
    let count = try withPage(report) { try $0.sheetCount() }
    #expect((1...7).contains(count), "\(count)")
  }

  @Test("The menu is never cut off", arguments: [320, 400, 640, 1200])
  func menu(_ width: Int) throws {
    try withPage(SampleReports.failing, width: width) { browser in
      let cut = """
        Array.from(document.querySelectorAll('.banner nav a'))
          .filter((one) => one.getBoundingClientRect().right > innerWidth)
          .map((one) => one.textContent).join(' ')
        """
      let cutLinks = try browser.value(of: cut).string
      #expect(cutLinks == "")
    }
  }

  @Test("A link to a law opens its fold")
  func lawLinks() throws {
    let law = SampleReports.laws[2].name
    try withPage(SampleReports.green, fragment: "#law/\(law)") { browser in
      let isOpen = "document.getElementById('law/\(law)').open"
      let value = try browser.value(of: isOpen)
      #expect(value == .boolean(true))
    }
  }

  @Test("The switch changes the colours, which otherwise are the system's")
  func themes() throws {
    let background = "getComputedStyle(document.body).backgroundColor"
    for isDark in [false, true] {
      try withPage(SampleReports.green, isDark: isDark) { browser in
        let colours = try (0..<4).map { _ in
          defer { _ = try? browser.value(of: "document.getElementById('theme').click()") }
          return try browser.value(of: background).string ?? ""
        }
        let (light, dark) = ("rgb(250, 248, 244)", "rgb(22, 20, 18)")
        #expect(colours == [isDark ? dark : light, light, dark, isDark ? dark : light])
      }
    }
  }

  /// A report whose matrix scrolls, with cells that say what is not to be seen.
  private var wideReport: Report {
    var report = SampleReports.failing
    for number in 0..<12 {
      let id = "subject-\(number)"
      report.subjects.append(Report.Subject(id: id, version: "1", capabilities: []))
      report.cells.append(Report.Cell(law: report.laws[0].name, subject: id))
    }
    return report
  }

  @Test("No page is wider than its window", arguments: [320, 400, 768, 1200, 1280, 1920])
  func fits(_ width: Int) throws {
    try withPage(wideReport, width: width) { browser in
      let overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
      let overflowValue = try browser.value(of: overflow)
      #expect(overflowValue == .int(0))
      // On a wide screen a matrix takes the room beside the column before it scrolls.
      let matrix = "document.querySelector('.part > .scroll').clientWidth"
      let isWider = try browser.value(of: "\(matrix) > document.querySelector('main').clientWidth")
      #expect(isWider == .boolean(width == 1920))
    }
  }
}
