import Foundation
import Reporting
import TestSupport
import Testing

@Suite("junit.xml")
struct JUnitTests {
  /// The schema that Jenkins publishes and Surefire's agree on these: attributes that are there,
  /// their form, and what may stand where.
  private func violations(_ root: MarkupTree) -> [String] {
    var found: [String] = []
    let whole = /[0-9]+/
    let time = /[0-9]+(\.[0-9]{1,3})?/
    let moment = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}/
    let children: [String: Set<String>] = [
      "testsuites": ["testsuite"], "testsuite": ["testcase"],
      "testcase": ["failure", "error", "skipped", "system-out"],
    ]
    for element in root.all {
      for child in element.elements where children[element.name]?.contains(child.name) != true {
        found.append("\(child.name) in \(element.name)")
      }
      for (name, value) in element.attributes {
        let fits =
          switch name {
          case "tests", "failures", "errors", "skipped": value.wholeMatch(of: whole) != nil
          case "time": value.wholeMatch(of: time) != nil
          case "timestamp": value.wholeMatch(of: moment) != nil
          default: true
          }
        if !fits { found.append("\(name)=\(value)") }
      }
      guard element.name.hasPrefix("testsuite") else {
        if element.elements.count > 1 { found.append("two results of one case") }
        continue
      }
      for (name, parts) in [
        ("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"),
      ] where element.attributes[name] != "\(element.all(parts).count)" {
        found.append("\(element.name) counts \(name) wrongly")
      }
    }
    return found
  }

  @Test(
    "Every report is valid, and its counts are those of its elements",
    arguments: SampleReports.all.indices
  )
  func valid(_ index: Int) throws {
    let root = try MarkupTree.read(JUnitReport(SampleReports.all[index].report).text)
    #expect(root.name == "testsuites")
    #expect(violations(root) == [])
  }

  @Test("A subject is a suite, a law a case, and a failure tells how to see it again")
  func failing() throws {
    let root = try MarkupTree.read(JUnitReport(SampleReports.failing).text)
    let names = root.elements.compactMap { $0.attributes["name"] }
    #expect(names == SampleReports.subjects.map(\.id) + ["run"])
    let loro = root.elements[3]
    #expect(loro.elements.count == SampleReports.laws.count)
    let failed = loro.elements.filter { !$0.all("failure").isEmpty }
    #expect(
      failed.compactMap { $0.attributes["name"] } == ["counter.increments-add", "merge.commutes"]
    )
    let failure = try #require(failed.last?.all("failure").first)
    #expect(failure.attributes["type"] == "text")
    #expect(failure.text.contains("r1 -> r2 merge\n\nreplay: touchstone replay "))
    #expect(loro.all("skipped").first?.attributes["message"] == "lacks heads")
    #expect(root.elements[4].all("error").count == 1)
    #expect(
      root.elements[5].all("skipped").first?.attributes["message"]?.contains("no such file") == true
    )
  }

  @Test("No red run looks green", arguments: SampleReports.all.indices)
  func red(_ index: Int) throws {
    let report = SampleReports.all[index].report
    let root = try MarkupTree.read(JUnitReport(report).text)
    let isRed = !root.all("failure").isEmpty || !root.all("error").isEmpty
    #expect(isRed == (report.outcome.word != .held))
  }
}
