import CaseFiles
package import Foundation
import PropertyEngine
package import Reporting
import Texts

/// The folder of a site that shows the conformance of implementations, with the reports of the runs behind it.
///
/// `index.html` and `conformance.json`, a picture in `badges/` for each implementation, and in `runs/1`, `runs/2`
/// and so on the report of each run with its case files. All links are relative, so that the folder can be
/// published anywhere. `index.html` is written last and removed first: where it stands, all the others are of
/// the same site.
package struct SiteFolder {
  package let url: URL

  /// The file that shows a folder to be a site's.
  static let marker = ".touchstone-site"

  private static let names = ["index.html", "conformance.json", "badges", "runs"]

  package init(_ url: URL) {
    self.url = url
  }

  /// Writes the site of the reports in some folders; an earlier site in the folder is replaced.
  ///
  /// - Throws: ``FileFailure``, `ReportFolder`'s errors for what is not a report, `ConformanceError`.
  package func write(reportsIn folders: [URL]) throws -> Conformance {
    let reports = try folders.map(ReportFolder.read)
    // Read before the folder is cleared, which may hold one of the reports.
    let cases = try zip(folders, reports).map { folder, report in
      try report.failures.map { failure in
        (failure.id, try CaseFolder.read(folder.appendingPathComponent(failure.file)))
      } + Self.countedCases(report, in: folder)
    }
    let conformance = try Conformance(reports)
    try clear()
    for (index, (report, cases)) in zip(reports, cases).enumerated() {
      let folder = try ReportFolder(
        url.appendingPathComponent(Conformance.folder(ofRun: index))
      )
      try folder.clear()
      for (id, file) in cases { try folder.failures.write(file, name: id) }
      var report = report
      let kept = Set(cases.map(\.0))
      for index in (report.sightings ?? []).indices {
        // No link leads to a file that is gone.
        guard let id = report.sightings?[index].id, !kept.contains(id) else { continue }
        report.sightings?[index].file = nil
      }
      try folder.write(report)
    }
    for implementation in conformance.implementations {
      let badge = Data(Badge(implementation).text().utf8)
      try writeFile(badge, to: url.appendingPathComponent(implementation.badge))
    }
    try writeFile(
      ReportFolder.encoded(conformance),
      to: url.appendingPathComponent("conformance.json")
    )
    let page = Data(ConformancePage(conformance).text.utf8)
    try writeFile(page, to: url.appendingPathComponent("index.html"))
    return conformance
  }

  /// The case files of what a report counted and did not shrink, where they are still there.
  private static func countedCases(
    _ report: Report,
    in folder: URL
  ) -> [(id: String, file: CaseFile)] {
    (report.sightings ?? []).compactMap { sighting in
      guard let path = sighting.file, isFileName(sighting.id),
        path == Report.Failure.file(of: sighting.id),
        let file = try? CaseFolder.read(folder.appendingPathComponent(path))
      else { return nil }
      return (sighting.id, file)
    }
  }

  /// Takes away what an earlier site has left, and nothing that no site has written.
  private func clear() throws {
    try tryWriting(into: url)
    let manager = FileManager.default
    let marker = url.appendingPathComponent(Self.marker)
    let found = (try? manager.contentsOfDirectory(atPath: url.path)) ?? []
    if !found.contains(Self.marker) {
      if let foreign = Self.names.first(where: found.contains) {
        throw FileFailure(
          "\(url.relativePath) holds \(foreign), which no site of touchstone has written: "
            + "name another folder, or move it away"
        )
      }
      let words = "A site of touchstone. The next one replaces what an earlier one has written.\n"
      try writeFile(Data(words.utf8), to: marker)
    }
    for name in Self.names where found.contains(name) {
      let old = url.appendingPathComponent(name)
      do {
        try manager.removeItem(at: old)
      } catch {
        throw FileFailure("cannot remove \(old.relativePath)", error)
      }
    }
  }
}
