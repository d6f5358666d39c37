package import CaseFiles
package import FileSystems
package import Foundation
package import PastRuns
package import PropertyEngine
package import Reporting
import SystemCalls
import Texts

/// The folder that a run writes its report to.
///
/// Guarantees, whenever the process ends, and however:
/// - A failure that was found has a case file in `failures/`; it is written before it is shrunk, and
///   once more when it is small.
/// - Each file is whole. `report.json` is written last and removed first: where it stands, all the
///   others are of the same run.
/// - Nothing is replaced that no report has written: a folder with such files is a report's only if
///   it has the marker, or a `report.json` that reads: artifacts of CI often lose files with a dot.
/// - One run at a time writes to a folder.
package struct ReportFolder {
  package let url: URL
  package let failures: CaseFolder
  private let files: any FileSystem
  private let lock = FolderLock()

  /// The file that shows a folder to be a report's.
  static let marker = ".touchstone-report"

  /// The files of a report beside its failures, in the order in which they are removed.
  private static let names = [
    "report.json", "index.html", "summary.md", "junit.xml", "results.sarif", EarlierRuns.fileName,
  ]

  /// Sees that the folder can be written to, now rather than after a minute's work.
  ///
  /// `files`: What the report is written to.
  ///
  /// - Throws: ``FileFailure`` if it cannot be made or written.
  package init(_ url: URL, files: any FileSystem = SystemFiles()) throws {
    self.url = url
    self.files = files
    failures = CaseFolder(url.appendingPathComponent("failures"), files: files)
    try tryWriting(into: url, in: files)
  }

  /// The folder for a run that begins.
  ///
  /// Where it cannot be written to, as on a full disk, the report of an earlier run goes, if it can be taken away: who
  /// publishes the folder after each run would take it for this one's.
  ///
  /// - Throws: ``FileFailure`` if it cannot be made or written.
  package static func begin(_ url: URL, files: any FileSystem = SystemFiles()) throws -> Self {
    do {
      return try Self(url, files: files)
    } catch {
      let marker = url.appendingPathComponent(marker)
      let lock = FolderLock()
      // Another run's report is its own to take away.
      if FileManager.default.fileExists(atPath: marker.path), (try? lock.take(marker)) != nil {
        for name in names { try? removeFile(url.appendingPathComponent(name), in: files) }
      }
      throw error
    }
  }

  /// Takes away what an earlier run has left, since what follows is of another; from then on the
  /// folder is this run's alone.
  ///
  /// - Throws: ``FileFailure`` if an earlier report stays, if the folder holds files of another origin
  ///   where the report's would go, or another run is writing to it.
  package func clear() throws {
    let manager = FileManager.default
    let marker = url.appendingPathComponent(Self.marker)
    if !manager.fileExists(atPath: marker.path) {
      if let foreign = try foreignFile() {
        throw FileFailure(
          "\(url.relativePath) holds \(foreign), which no report has written: "
            + "name another folder, or move it away"
        )
      }
      let words = "A report of touchstone. The next run replaces what an earlier one has written.\n"
      try writeFile(Data(words.utf8), to: marker, in: files)
    }
    try lock.take(marker)
    for name in Self.names {
      let old = url.appendingPathComponent(name)
      guard manager.fileExists(atPath: old.path) else { continue }
      try removeFile(old, in: files)
    }
    for old in try failures.ownCaseURLs + reproducerURLs { try removeFile(old, in: files) }
    for old in partialURLs { try? removeFile(old, in: files) }
  }

  /// A file where one of a report would go, in a folder that is not a report's; `nil` if there is none.
  private func foreignFile() throws -> String? {
    if (try? Self.read(url)) != nil { return nil }
    let name = Self.names.first { name in
      FileManager.default.fileExists(atPath: url.appendingPathComponent(name).path)
    }
    return try name ?? (failures.caseURLs.isEmpty ? nil : "case files in failures/")
  }

  /// Swift files in `failures/` that a report has written.
  private var reproducerURLs: [URL] {
    found(in: failures.url).filter { url in
      guard url.pathExtension == "swift", let data = try? Data(contentsOf: url) else {
        return false
      }
      return data.starts(with: Reproducer.mark.utf8)
    }
  }

  /// Files that were being written when a run was killed.
  private var partialURLs: [URL] {
    (found(in: url) + found(in: failures.url)).filter {
      $0.lastPathComponent.hasSuffix(partialSuffix)
    }
  }

  private func found(in folder: URL) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appendingPathComponent($0) }
  }

  /// Writes every form of the report, and beside it what is known of earlier runs.
  ///
  /// - Throws: ``FileFailure``.
  package func write(_ report: Report, earlier: EarlierRuns? = nil) throws {
    let json = url.appendingPathComponent("report.json")
    // A report that is there vouches for files that are about to be replaced.
    try removeFile(json, in: files)
    try writeForms(of: report, earlier: earlier)
    try writeFile(Self.json(report), to: json, in: files)
  }

  /// Writes every form of the report and the cases of its failures, in their order; one that cannot be written keeps
  /// nothing else from being written.
  ///
  /// - Throws: ``FileFailure``, the first.
  package func write(_ report: Report, cases: [CaseFile]) throws {
    let results = zip(report.failures, cases).map { failure, file in
      Result { try failures.write(file, name: failure.id) }
    }
    try write(report)
    for result in results { try result.get() }
  }

  /// Whether a whole report stands in the folder.
  package var holdsReport: Bool {
    FileManager.default.fileExists(atPath: url.appendingPathComponent("report.json").path)
  }

  /// Writes all that is made out of a report; one that cannot be written keeps no smaller one from being written.
  ///
  /// - Throws: ``FileFailure``, the first.
  private func writeForms(of report: Report, earlier: EarlierRuns?) throws {
    var results: [Result<Void, any Error>] = []
    for failure in report.failures {
      guard let path = failure.reproducer, path == Report.Failure.reproducer(of: failure.id) else {
        continue
      }
      let text = Reproducer(failure, in: report).text
      let file = url.appendingPathComponent(path)
      results.append(Result { try writeFile(Data(text.utf8), to: file, in: files) })
    }
    if let earlier {
      let file = url.appendingPathComponent(EarlierRuns.fileName)
      results.append(Result { try writeFile(try Self.encoded(earlier), to: file, in: files) })
    }
    for (name, data) in try Self.forms(of: report, earlier: earlier) {
      let file = url.appendingPathComponent(name)
      results.append(Result { try writeFile(data, to: file, in: files) })
    }
    for result in results { try result.get() }
  }

  /// What is made out of a report as a whole, by the names of the files.
  package static func forms(
    of report: Report,
    earlier: EarlierRuns? = nil
  ) throws -> [(name: String, data: Data)] {
    [
      ("index.html", Data(HTMLReport(report, earlier: earlier).text.utf8)),
      ("summary.md", Data(MarkdownReport(report).text.utf8)),
      ("junit.xml", Data(JUnitReport(report).text.utf8)),
      ("results.sarif", try encoded(SARIFReport(report))),
    ]
  }

  /// The report as JSON: keys sorted, so that equal reports have equal bytes.
  package static func json(_ report: Report) throws -> Data {
    try encoded(report)
  }

  /// A value as JSON: keys sorted, so that equal values have equal bytes.
  package static func encoded(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data("\n".utf8)
  }
}

extension ReportFolder {
  /// A report of another shape than this program's.
  package struct UnknownVersion: Error, Hashable, CustomStringConvertible {
    package let path: String
    package let version: Int

    package var description: String {
      "\(path) is a report of version \(version); this program reads \(Report.currentVersion). "
        + "Read it with the version of touchstone that wrote it, or run again"
    }
  }

  /// The report in a folder.
  ///
  /// - Throws: ``FileFailure`` if there is none, or it cannot be read; ``UnknownVersion``.
  package static func read(_ folder: URL) throws -> Report {
    let url = folder.appendingPathComponent("report.json")
    let data: Data
    do {
      data = try readFile(url)
    } catch {
      let failures = CaseFolder(folder.appendingPathComponent("failures"))
      guard let count = try? failures.caseURLs.count, count > 0,
        !FileManager.default.fileExists(atPath: url.path)
      else { throw error }
      throw Unfinished(path: folder.relativePath, failureCount: count)
    }
    return try report(data, at: url.relativePath)
  }

  /// The report in bytes that were found at a path, which errors name.
  ///
  /// - Throws: ``FileFailure`` if the bytes are not a report; ``UnknownVersion``.
  package static func report(_ data: Data, at path: String) throws -> Report {
    struct Shape: Codable {
      let version: Int
    }
    let words = "\(path) is not a report"
    let version = try decoded(Shape.self, from: data, orElse: words).version
    guard version == Report.currentVersion else {
      throw UnknownVersion(path: path, version: version)
    }
    let report = try decoded(Report.self, from: data, orElse: words)
    do {
      try report.checkFileNames()
    } catch {
      throw FileFailure(words, error)
    }
    return report
  }

  /// A folder whose run was killed before it wrote its report.
  package struct Unfinished: Error, Hashable, CustomStringConvertible {
    package let path: String
    package let failureCount: Int

    package var description: String {
      "\(path) holds no report, only what a run had found when it was killed: "
        + "\(counted(failureCount, "case file")) for `touchstone replay \(shellWord("\(path)/failures"))`"
    }
  }

  /// Writes again every form of the report that stands in a folder.
  ///
  /// The page shows the earlier runs of `folders`; if there are none, those that it showed before.
  ///
  /// - Throws: ``FileFailure``, ``UnknownVersion``, ``Unfinished``; ``NotEarlier``.
  package static func render(_ url: URL, comparedWith folders: [URL] = []) throws {
    let report = try read(url)
    let chosen = try folders.map { folder in
      let earlier = try read(folder)
      guard earlier.clock.startedAt <= report.clock.startedAt, earlier != report else {
        throw NotEarlier(path: folder.relativePath, report: url.relativePath)
      }
      return PastRun(earlier, commit: nil)
    }
    let earlier = try EarlierRuns(chosen: chosen, before: report) ?? earlierRuns(url)
    try ReportFolder(url).writeForms(of: report, earlier: earlier)
  }

  /// What is known of the runs before the report in a folder; `nil` for nothing.
  private static func earlierRuns(_ folder: URL) throws -> EarlierRuns? {
    let url = folder.appendingPathComponent(EarlierRuns.fileName)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try decoded(
      EarlierRuns.self,
      from: readFile(url),
      orElse: "\(url.relativePath) holds no earlier runs"
    )
  }

  /// A run that began after the one that is to be compared with it, or is the same.
  package struct NotEarlier: Error, Hashable, CustomStringConvertible {
    package let path: String
    package let report: String

    package var description: String { "the run of \(path) is not earlier than that of \(report)" }
  }

  /// Makes one report of those in several folders, with the case files of its failures.
  ///
  /// - Throws: ``FileFailure``, ``UnknownVersion``, ``Unfinished``, ``ReportMergeError``.
  package static func merge(
    _ folders: [URL],
    into output: URL
  ) throws -> Report {
    let reports = try folders.map(read)
    let (merged, failures) = try Report.merged(reports)
    // Read before the output is cleared, which may be one of the folders.
    let cases = try failures.map { failure in
      let file = folders[failure.report].appendingPathComponent(failure.file)
      return (id: failure.id, case: try CaseFolder.read(file))
    }
    let folder = try ReportFolder(output)
    try folder.clear()
    for (id, file) in cases { try folder.failures.write(file, name: id) }
    try folder.write(merged)
    return merged
  }

  /// Copies the cases of a report's failures to a corpus, with the day of the run; one that is there stays.
  ///
  /// A failure that earlier runs had, and the latest that judged its law did not, gets a file beside the one that is
  /// there: that guards what was fixed.
  ///
  /// - Returns: The names of the cases in the corpus, by the ids of the failures.
  /// - Throws: ``FileFailure``.
  package static func addCases(
    of report: Report,
    in folder: URL,
    to corpus: CaseFolder,
    after past: RunHistory
  ) throws -> [String: String] {
    var names: [String: String] = [:]
    for failure in report.failures {
      let read = Result { try CaseFolder.read(folder.appendingPathComponent(failure.file)) }
      if case .failure = read, corpus.contains(failure.id) { continue }
      var file = try read.get()
      let name = name(of: failure, file, in: corpus, after: past)
      names[failure.id] = name
      guard !corpus.contains(name) else { continue }
      file.set(.firstSeen, to: String(report.clock.startedAt.prefix(10)))
      try corpus.write(file, name: name)
    }
    return names
  }

  /// The name of a failure's case in a corpus, where it may be already.
  private static func name(
    of failure: Report.Failure,
    _ file: CaseFile,
    in corpus: CaseFolder,
    after past: RunHistory
  ) -> String {
    let names = numberedNames(failure.id)
    func first(where isFitting: (CaseFile) -> Bool) -> String? {
      names.prefix { corpus.contains($0) }.first { name in
        (try? corpus.read(name)).map(isFitting) ?? false
      }
    }
    if let same = first(where: { $0.isSameCase(as: file) }) { return same }
    let life = past.life(
      law: failure.law,
      subject: failure.subject,
      differenceKind: failure.differenceKind
    )
    if let life, life.isFailing, corpus.contains(life.failure.id) { return life.failure.id }
    if life?.isFailing != false, let known = first(where: { $0.isSameFailure(as: file) }) {
      return known
    }
    return names.first { !corpus.contains($0) } ?? failure.id
  }
}

/// Keeps a folder for one run, until the process ends.
private final class FolderLock {
  private var handle: FileHandle?

  /// Takes the lock of a file, once.
  ///
  /// - Throws: ``FileFailure`` if another process has it.
  func take(_ file: URL) throws {
    guard handle == nil, let handle = try? FileHandle(forUpdating: file) else { return }
    // A program that this one starts would keep the lock for as long as it runs.
    Descriptor(handle).keepFromPrograms()
    guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      let folder = file.deletingLastPathComponent().relativePath
      throw FileFailure("another run is writing its report to \(folder)")
    }
    self.handle = handle
  }

  /// A program that is being started has a copy of the descriptor for a moment, and with it the lock.
  deinit { if let handle { flock(handle.fileDescriptor, LOCK_UN) } }
}
