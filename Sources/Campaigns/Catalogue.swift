import CodingLaws
import DocumentLaws
import Foundation
import Histories
package import PropertyEngine
package import Reporting
import Subjects

/// Laws of one kind of sample, and how a campaign comes to lanes that ask them.
///
/// This is the one place where a catalogue is registered: `check`, `list`, `replay` and reports know
/// laws from here alone.
package struct Catalogue: Sendable {
  package let topic: Report.Topic
  /// What one of its laws is called, and several: `law of coders`, `laws of coders`.
  let noun: String
  let pluralNoun: String
  /// In the order in which they are tried and listed.
  package let laws: [LawStatement]
  /// What its samples are called.
  let sampleNoun: String
  /// Reads the sample of a case that is one of the catalogue's; false for another kind of sample.
  package let reads: @Sendable (CaseFile) throws -> Bool
  /// Lanes of the laws with these names, for those of the subjects found that they speak of.
  let lanes: @Sendable (SubjectShelf.Found, _ laws: Set<String>, HistoryLimits) -> [Lane]

  /// Every catalogue, in the order of reports.
  package static let all: [Catalogue] = [documents, storedBytes, coders]

  package static let documents = Catalogue(
    topic: .documents,
    noun: "law",
    pluralNoun: "laws",
    laws: DocumentLaw.all.map(\.statement),
    sampleNoun: "history",
    reads: { try $0.isReadable(as: .history) },
    lanes: { found, names, limits in
      found.documentLanes(DocumentLaw.all.filter { names.contains($0.name) }, limits: limits)
    }
  )

  /// Laws of subjects whose documents are bytes: what is stored, damaged, forged, or claims much.
  package static let storedBytes = Catalogue(
    topic: .documents,
    noun: "law of stored bytes",
    pluralNoun: "laws of stored bytes",
    laws: storedGroups.flatMap(\.laws),
    sampleNoun: "sample of stored bytes",
    reads: { file in
      let fitting = storedGroups.filter { group in
        group.formName == file.sampleFormat
          && (file.law == FailureKey.answers || group.laws.contains { $0.name == file.law })
      }
      guard let group = fitting.first else { return false }
      _ = try group.judge(file.stored, JudgingRequest(drawsOnly: true))
      return true
    },
    lanes: { found, names, _ in
      found.subjects.compactMap { Lane(stored: $0, laws: names, vectors: goldenVectors) }
    }
  )

  /// The golden files, where the current folder has them.
  private static let goldenVectors =
    StoredFiles(fixtures: URL(fileURLWithPath: "fixtures")).vectors

  /// The laws of stored bytes on a subject that has all abilities.
  private static let storedGroups = engineSubject.storedLaws(goldenVectors).flatMap(\.self)

  package static let coders = Catalogue(
    topic: .coders,
    noun: "law of coders",
    pluralNoun: "laws of coders",
    laws: CodingLaw.all.map(\.statement),
    sampleNoun: "sample of a coder",
    reads: { try $0.isReadable(as: .coding) },
    lanes: { found, names, _ in
      let laws = CodingLaw.all.filter { names.contains($0.name) }
      return laws.isEmpty ? [] : found.coders.map { Lane($0, laws: laws) }
    }
  )

  /// The names of all laws.
  package static let lawNames = Set(all.flatMap(\.laws).map(\.name))

  /// What a law says, by its name; `nil` if no catalogue has it.
  package static func law(_ name: String) -> LawStatement? {
    all.lazy.flatMap(\.laws).first { $0.name == name }
  }

  /// The names of the laws that match any of the patterns; of all laws without a pattern.
  ///
  /// - Throws: ``UnknownLaw`` for a pattern that matches none.
  package static func lawNames(matching globs: [String]) throws(UnknownLaw) -> Set<String> {
    guard !globs.isEmpty else { return lawNames }
    var names: Set<String> = []
    for glob in globs {
      let matching = lawNames.filter { Glob(glob).matches($0) }
      guard !matching.isEmpty else { throw UnknownLaw(pattern: glob) }
      names.formUnion(matching)
    }
    return names
  }
}

extension Catalogue {
  /// What the sample of a case is called, whether it can be read or not.
  static func sampleNoun(of file: CaseFile) -> String {
    if CodingSample.isSample(of: file) { return coders.sampleNoun }
    return storedGroups.contains { $0.formName == file.sampleFormat }
      ? storedBytes.sampleNoun : documents.sampleNoun
  }

  /// Reads the sample that a case holds, and leaves it at that.
  ///
  /// - Throws: `UnreadableSample` for a form of no catalogue, or what reading the text throws.
  package static func readSample(of file: CaseFile) throws {
    for catalogue in all where try catalogue.reads(file) { return }
    throw UnreadableSample(
      form: file.sampleFormat,
      expected:
        "the forms \(SampleForm.history.name), \(SampleForm.coding.name) and those of stored"
        + " bytes"
    )
  }
}

extension CaseFile {
  /// Whether the sample is of a form; throws if it says so and is not.
  fileprivate func isReadable<Sample>(as form: SampleForm<Sample>) throws -> Bool {
    guard sampleFormat == form.name else { return false }
    _ = try form.parse(sample)
    return true
  }
}

/// No law matches a name or pattern.
package struct UnknownLaw: Error, Hashable, Sendable, CustomStringConvertible {
  package let pattern: String

  package var description: String {
    "No law matches '\(pattern)'. `touchstone list laws` names them all."
  }
}
