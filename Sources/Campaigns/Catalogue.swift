import CodingLaws
import DocumentLaws
import Foundation
import Histories
package import Mutants
package import PropertyEngine
import RecordLaws
import RecordSubjects
package import Reporting
import StoreLaws
import StoreSubjects
import Subjects
import Texts

/// Laws of one kind of sample, and how a campaign comes to lanes that ask them.
///
/// This is the one place where a catalogue is registered: `check`, `list`, `replay`, `selftest` and
/// reports know laws, and all subjects but those of documents, from here alone.
package struct Catalogue: Sendable {
  package let topic: Report.Topic
  /// What one of its laws is called, and several: `law of coders`, `laws of coders`.
  let noun: String
  package let pluralNoun: String
  /// In the order in which they are tried and listed.
  package let laws: [LawStatement]
  /// What its samples are called.
  let sampleNoun: String
  /// The forms of its samples.
  let formNames: [FormName]
  /// Its laws ready to run, where they need no subject that is chosen; none elsewhere.
  var groups: [LawGroup] = []
  /// Reads the sample of a case that is one of the catalogue's; false for another kind of sample.
  package let reads: @Sendable (CaseFile) throws -> Bool
  /// Its subjects in this process, in the order of `list subjects`; ``SubjectRegistry`` has those of documents.
  var subjects: [ListedSubject] = []
  /// Its subjects that are wrong on purpose.
  package var mutants: [Mutant<ListedSubject>] = []
  /// What the self-test looks for false alarms on, and in how many cases; `nil` without mutants.
  package var correct: (subject: ListedSubject, cases: Int)?
  /// Lanes of the laws with these names, for those of the subjects found that they speak of.
  let lanes: @Sendable (SubjectRegistry.Found, _ laws: Set<String>, HistoryLimits) -> [Lane]

  /// Every catalogue, in the order of reports.
  package static let all: [Catalogue] = [
    documents, storedBytes, publicCalls, coders, records, stores,
  ]

  package static let documents = Catalogue(
    topic: .documents,
    noun: "law",
    pluralNoun: "laws",
    laws: DocumentLaw.all.map(\.statement),
    sampleNoun: "history",
    formNames: [SampleForm.history.name],
    reads: { try $0.isReadable(as: .history) },
    mutants: naiveMutants.map { mutant in
      mutant.listed { ListedSubject(SubjectRegistry.subject($0, id: mutant.id.subjectID), $1) }
    },
    correct: (ListedSubject(naiveSubject, "the specification"), cases: 2000),
    lanes: { found, names, limits in
      found.documentLanes(DocumentLaw.all.named(names), limits: limits)
    }
  )

  /// Laws of subjects whose documents are bytes: what is stored, damaged, forged, or claims much.
  package static let storedBytes = ofDocuments(
    "stored bytes",
    // Those of a subject that has all abilities.
    groups: engineSubject.storedLaws(goldenVectors).flatMap(\.self)
  ) { Lane(stored: $0, laws: $1, vectors: goldenVectors) }

  /// The golden files, where the current folder has them.
  private static let goldenFiles = GoldenFiles(fixtures: URL(fileURLWithPath: "fixtures"))

  private static let goldenVectors = goldenFiles.vectors

  /// Golden files that should be there and cannot be read, where one of these laws is of them.
  static func unreadGoldenFiles(ofLaws names: Set<String>) -> [String] {
    names.contains { $0.hasPrefix("golden.") } ? goldenFiles.unread : []
  }

  /// Laws of what calls of `Document` promise that no step of a history makes.
  package static let publicCalls = ofDocuments("public calls", groups: PublicCallLaw.groups) {
    Lane(publicCallsOf: $0, laws: $1)
  }

  package static let coders = ofOneForm(
    .coders,
    laws: CodingLaw.all.map(\.statement),
    sampleNoun: "sample of a coder",
    form: .coding,
    subjects: JudgedCoder.usual.map(\.listed) + [JudgedCoder.specification.listed.onRequest],
    mutants: coderMutants.map { $0.listed { ListedSubject($0, $1) } },
    alarmCases: 20
  )

  package static let records = ofOneForm(
    .records,
    laws: RecordLaw.all.map(\.statement),
    sampleNoun: "sample of records",
    form: .record,
    subjects: [
      ListedSubject(RecordSyncSubject(), "our coder of records with our record server")
    ],
    mutants: recordMutants.map { $0.listed { ListedSubject($0, $1) } },
    alarmCases: 60
  )

  package static let stores = ofOneForm(
    .stores,
    laws: StoreLaw.all.map(\.statement),
    sampleNoun: "sample of a store",
    form: .store,
    subjects: [
      ListedSubject(LocalStoreSubject(), "our store: a repository of items in files"),
      ListedSubject(
        NaiveStoreSubject(),
        "the executable specification of stores; asked for by name"
      ).onRequest,
    ],
    mutants: StoreDefect.allCases.map {
      Mutant(MutantID($0.rawValue), $0.sentence, caughtBy: [$0.law], subject: $0.subject)
        .listed { ListedSubject($0, $1) }
    },
    alarmCases: 20
  )

  /// A catalogue of laws that call subjects of documents themselves, by samples of several forms: `laws of stored bytes`.
  private static func ofDocuments(
    _ matter: String,
    groups: [LawGroup],
    lane: @escaping @Sendable (any DocumentSubject, _ laws: Set<String>) -> Lane?
  ) -> Catalogue {
    Catalogue(
      topic: .documents,
      noun: "law of \(matter)",
      pluralNoun: "laws of \(matter)",
      laws: groups.flatMap(\.laws),
      sampleNoun: "sample of \(matter)",
      formNames: Set(groups.map(\.formName)).sorted(),
      groups: groups,
      reads: { file in
        let fitting = groups.filter { group in
          group.formName == file.sampleFormat
            && (file.law == FailureKey.answers || group.laws.contains { $0.name == file.law })
        }
        guard let group = fitting.first else { return false }
        _ = try group.judge(file.stored, JudgingRequest(drawsOnly: true))
        return true
      },
      lanes: { found, names, _ in found.subjects.compactMap { lane($0, names) } }
    )
  }

  /// A catalogue whose samples have one form, named by its topic: `laws of coders`.
  ///
  /// The last of the subjects is its specification or, without one, ours: the self-test looks for false alarms
  /// on it, in `alarmCases` cases of each law.
  private static func ofOneForm<Sample>(
    _ topic: Report.Topic,
    laws: [LawStatement],
    sampleNoun: String,
    form: SampleForm<Sample>,
    subjects: [ListedSubject],
    mutants: [Mutant<ListedSubject>],
    alarmCases: Int
  ) -> Catalogue {
    Catalogue(
      topic: topic,
      noun: "law of \(topic.rawValue)",
      pluralNoun: "laws of \(topic.rawValue)",
      laws: laws,
      sampleNoun: sampleNoun,
      formNames: [form.name],
      reads: { try $0.isReadable(as: form) },
      subjects: subjects,
      mutants: mutants,
      correct: subjects.last.map { ($0, cases: alarmCases * laws.count) },
      lanes: { found, names, _ in
        guard laws.contains(where: { names.contains($0.name) }) else { return [] }
        return found.listed[topic, default: []].map { $0.lane(names) }
      }
    )
  }

  /// The names of all laws.
  package static let lawNames = Set(all.flatMap(\.laws).map(\.name))

  /// What is violated by a subject that gives no answer, whatever it was asked: part of every law, and in no
  /// catalogue.
  package static let answers = LawStatement(
    FailureKey.answers,
    "Subjects answer.",
    "A subject answers every program: it neither crashes, hangs nor floods.",
    source: .decision(36)
  )

  /// Laws of no catalogue, with the command that asks each.
  package static let others: [(law: LawStatement, command: String)] =
    [(answers, "touchstone check")]
    + SmallWorld.laws.map(\.statement).filter { !lawNames.contains($0.name) }
    .map { ($0, "touchstone worlds") }

  /// What a law says, by its name; `nil` if no catalogue has it.
  package static func law(_ name: String) -> LawStatement? {
    all.lazy.flatMap(\.laws).first { $0.name == name }
  }

  /// The names of the laws that are asked for.
  ///
  /// - Throws: ``UnknownLaw`` for a pattern that matches none.
  package static func lawNames(_ choice: LawChoice) throws(UnknownLaw) -> Set<String> {
    func matching(_ patterns: [String]) throws(UnknownLaw) -> Set<String> {
      var all: Set<String> = []
      for pattern in patterns {
        let names = lawNames.filter { Glob(pattern).matches($0) }
        guard !names.isEmpty else { throw UnknownLaw(pattern: pattern) }
        all.formUnion(names)
      }
      return all
    }
    let wanted = choice.wanted.isEmpty ? lawNames : try matching(choice.wanted)
    return wanted.subtracting(try matching(choice.excluded))
  }
}

extension Catalogue {
  /// The listed subject with an id, right or wrong, and what it is; `nil` for one of documents that is right.
  package static func subject(_ id: String) -> (topic: Report.Topic, subject: ListedSubject)? {
    for catalogue in all {
      let subject = (catalogue.subjects + catalogue.mutants.map(\.subject)).first { $0.id == id }
      if let subject { return (catalogue.topic, subject) }
    }
    return nil
  }

  /// The bugs put in on purpose that a law catches when no other is asked: those of subjects, then those of sources.
  package static func bugs(caughtBy law: String) -> [(id: String, sentence: String)] {
    let deadly = law == answers.name ? deadlyMutants.map { ($0.id.description, $0.sentence) } : []
    return all.flatMap(\.mutants).filter { $0.laws.contains(law) }
      .map { ($0.id.description, $0.sentence) } + deadly
      + sourcePatches.filter { $0.law == law }.map { ($0.id, $0.sentence) }
  }

  /// The catalogues whose samples are shown as the text that a case holds: all but histories and
  /// values of coders, which are shown in ways of their own.
  package static let shownAsText = [storedBytes, publicCalls, records, stores]

  /// What the sample of a case is called, whether it can be read or not.
  ///
  /// A form of another version is one of the same kind.
  static func sampleNoun(of file: CaseFile) -> String {
    let fitting = all.filter { catalogue in
      catalogue.formNames.contains { $0.kind == file.sampleFormat.kind }
    }
    let own = fitting.first { catalogue in catalogue.laws.contains { $0.name == file.law } }
    return (own ?? fitting.first ?? documents).sampleNoun
  }

  /// The form of the samples of a law; `nil` if no catalogue has the law.
  package static func formName(ofLaw name: String) -> FormName? {
    guard let catalogue = all.first(where: { $0.laws.contains { $0.name == name } }) else {
      return nil
    }
    let group = catalogue.groups.first { group in group.laws.contains { $0.name == name } }
    return group?.formName ?? catalogue.formNames.first
  }

  /// Reads the sample that a case holds, and leaves it at that.
  ///
  /// - Throws: `UnreadableSample` for a form of no catalogue, or what reading the text throws.
  package static func readSample(of file: CaseFile) throws {
    for catalogue in all where try catalogue.reads(file) { return }
    throw UnreadableSample(
      form: file.sampleFormat,
      expected: "the forms \(all.flatMap(\.formNames).map(\.description).joined(separator: ", "))"
    )
  }
}

extension CaseFile {
  /// Whether the sample is of a form; throws if it says so and is not.
  fileprivate func isReadable<Sample>(as form: SampleForm<Sample>) throws -> Bool {
    guard sampleFormat == form.name else { return false }
    _ = try form.sample(of: self)
    return true
  }
}

/// No law matches a name or pattern.
package struct UnknownLaw: Error, Hashable, Sendable, CustomStringConvertible {
  package let pattern: String

  package var description: String {
    let askers = TestLaws.askers(of: pattern)
    guard askers.isEmpty else {
      return "'\(pattern)' is of laws that are asked of your own types, in `swift test`, by "
        + "\(askers.joined(separator: ", ")): no subject can be judged by them here."
    }
    let names = Catalogue.lawNames.union(TestLaws.names)
    let families = names.map { "\($0.prefix { $0 != "." }).*" }
    let guess = suggestion(for: pattern, among: names.union(families))
    return "No law matches '\(pattern)'.\(guess) "
      + "`touchstone list laws` names all that are asked here."
  }
}
