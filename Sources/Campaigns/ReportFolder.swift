package import Foundation
package import Reporting

/// The folder that a run writes its report to.
///
/// Failures are written the moment they are found, so that none is lost if the run is killed; the
/// report's own files come last, each whole or not at all.
package struct ReportFolder {
  package let url: URL
  package let failures: CaseFolder

  /// Makes the folder ready; failures of an earlier run go away.
  ///
  /// - Throws: ``FileFailure`` if the folder cannot be made or written.
  package init(_ url: URL) throws {
    self.url = url
    failures = CaseFolder(url.appendingPathComponent("failures"))
    for old in failures.caseURLs { try? FileManager.default.removeItem(at: old) }
    // Better now than after a minute's work.
    let probe = url.appendingPathComponent(".probe")
    try writeFile(Data(), to: probe)
    try? FileManager.default.removeItem(at: probe)
  }

  /// Writes every form of the report.
  package func write(_ report: Report) throws {
    let texts = [
      ("index.html", HTMLReport(report).text),
      ("summary.md", MarkdownReport(report).text),
      ("junit.xml", JUnitReport(report).text),
    ]
    for (name, text) in texts {
      try writeFile(Data(text.utf8), to: url.appendingPathComponent(name))
    }
    let sarif = try Self.encoded(SARIFReport(report))
    try writeFile(sarif, to: url.appendingPathComponent("results.sarif"))
    // Last: where it stands, the others stand too.
    try writeFile(Self.json(report), to: url.appendingPathComponent("report.json"))
  }

  /// The report as JSON: keys sorted, so that equal reports have equal bytes.
  package static func json(_ report: Report) throws -> Data {
    try encoded(report)
  }

  private static func encoded(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data("\n".utf8)
  }
}
