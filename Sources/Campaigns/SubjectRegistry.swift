import CaseFiles
import CoderSubjects
import CodingLaws
import DocumentLaws
import DocumentModel
package import ForeignSubjects
package import Foundation
package import Histories
package import Mutants
import PropertyEngine
import RecordSubjects
package import Reporting
import Subjects
package import Texts

/// The subjects that can be asked for by id: ours, wrong ones, and those behind adapters.
package struct SubjectRegistry: Sendable {
  /// The folder that holds one folder for each adapter.
  private let adapters: URL?
  /// Subjects in this process that the program brings, and no library.
  private let more: [any DocumentSubject]
  /// What one answer of an adapter may take; `nil` for what its folder says.
  package var answerMilliseconds: Int?

  /// A registry of what is part of the program and, if there is a folder of them, of adapters.
  package init(adapters: URL?, more: [any DocumentSubject] = []) {
    self.adapters = adapters
    self.more = more
  }

  /// One subject that has a name here, whether it can be used or not.
  package struct Entry: Sendable {
    package let id: String
    package let version: String
    package let isReady: Bool
    /// What it is, or why it cannot be used and how to change that.
    package let explanation: String

    /// A subject that is ready.
    fileprivate init(_ id: String, _ version: String, _ explanation: String) {
      self.id = id
      self.version = version
      isReady = true
      self.explanation = explanation
    }

    /// A subject that cannot be used.
    fileprivate init(absent id: String, _ explanation: String) {
      self.id = id
      version = ""
      isReady = false
      self.explanation = explanation
    }
  }

  /// What was found for some ids.
  package struct Found: Sendable {
    /// Subjects of documents.
    package var subjects: [any DocumentSubject] = []
    /// All others, by what they are.
    package var listed: [Report.Topic: [ListedSubject]] = [:]
    package var divergences: [String: [HistoryDivergence]] = [:]
    package var absent: [AbsentSubject] = []
    /// Peers of subjects that do not start though their folders are there, and are no subjects of the run.
    package var absentPeers: [AbsentSubject] = []

    /// The ids of all that can be used; documents first.
    package var ids: [String] {
      subjects.map(\.id) + Report.Topic.allCases.flatMap { listed[$0, default: []] }.map(\.id)
    }
  }

  /// All wrong specifications, in the order of their lists.
  package static var mutants: [Mutant<ListedSubject>] { Catalogue.all.flatMap(\.mutants) }

  /// The specification itself.
  package static var specification: any DocumentSubject { naiveSubject }

  /// A mutant of the specification of documents as a subject.
  package static func mutant(_ id: MutantID) -> (any DocumentSubject)? {
    (naiveMutants + deadlyMutants).first { $0.id == id }.map {
      subject($0.subject, id: id.subjectID)
    }
  }

  static func subject<R: Replica>(_ type: R.Type, id: String) -> any DocumentSubject {
    ReplicaSubject(type, id: id, capabilities: naiveSubject.capabilities)
  }

  /// All subjects that have a name; starts each adapter once, to see whether it is ready.
  ///
  /// `onStart` gets the id of each before: one that is built then takes its time.
  package func entries(onStart: (String) -> Void = { _ in }) -> [Entry] {
    var entries = [
      Entry(
        naiveSubject.id,
        naiveSubject.version,
        "the executable specification, the oracle of agreement"
      ),
      Entry(
        engineSubject.id,
        engineSubject.version,
        "the engine: Automerge's documents in pure Swift"
      ),
      Entry(
        documentSubject.id,
        documentSubject.version,
        "the engine behind its public face; every answer is compared with other answers"
      ),
    ]
    entries += more.map {
      Entry($0.id, $0.version, "the engine with nodes, tables and pages as small as can be")
    }
    let units = ["UTF-8 bytes", "UTF-16 code units", "grapheme clusters"]
    entries += zip(Self.unitSubjects, units).map { pair, unit in
      Entry(
        pair.subject.id,
        pair.subject.version,
        "the public face with texts that count \(unit); asked for by name"
      )
    }
    entries += Self.listed.map { Entry($0.id, $0.version, $0.explanation) }
    return entries
      + manifests.map { folder in
        onStart(folder.lastPathComponent)
        return adapterEntry(folder)
      }
  }

  /// What starting the adapter of a folder shows.
  private func adapterEntry(_ folder: URL) -> Entry {
    do {
      let subject = try foreign(folder)
      return Entry(
        subject.id,
        subject.version,
        "version \(subject.version), behind the adapter in \(folder.relativePath)"
      )
    } catch {
      return Entry(absent: folder.lastPathComponent, "not set up: \(error)")
    }
  }

  /// The adapter of a folder.
  ///
  /// - Throws: `AdapterManifestError` if the folder has another name than the adapter's id, or what starting it
  ///   throws.
  private func foreign(_ folder: URL) throws -> ForeignSubject {
    try AdapterManifest(folder: folder).requireItsFolder()
    return try ForeignSubject(folder: folder, answerMilliseconds: answerMilliseconds)
  }

  /// What a command needs to find the same adapters; nothing for the folder in which all commands look.
  package var arguments: [String] {
    guard let path = adapters?.relativePath, path != "Adapters" else { return [] }
    return ["--adapters \(shellWord(path))"]
  }

  /// What a command that runs in `folder` needs to find a subject or an oracle; nothing unless one of the ids is
  /// an adapter's.
  func arguments(toFind ids: [String], in folder: URL) -> [String] {
    let adapterIDs = manifests.map(\.lastPathComponent)
    guard let adapters, ids.contains(where: adapterIDs.contains) else { return [] }
    let isAbsolute = adapters.relativePath.hasPrefix("/")
    let path = isAbsolute ? adapters.path : relativePath(from: folder, to: adapters)
    return ["--adapters \(shellWord(path))"]
  }

  /// The folders of all adapters, in the order of their names.
  private var manifests: [URL] { adapters.map { AdapterManifest.folders(in: $0) } ?? [] }

  /// Ours, the specification first.
  private static let builtIn: [any DocumentSubject] = [
    naiveSubject, engineSubject, documentSubject,
  ]

  /// Ours with texts in other units, each with the specification for that unit.
  ///
  /// They are judged only if asked for, and by the laws of agreement alone: the others
  /// know the effects of edits from the specification that counts scalars.
  private static let unitSubjects = otherUnitSubjects

  /// Ours of all other catalogues.
  private static var listed: [ListedSubject] { Catalogue.all.flatMap(\.subjects) }

  /// The ids of the subjects that are part of the program.
  package static let builtInIDs: Set<String> = {
    var ids = Set(builtIn.map(\.id))
    ids.formUnion(unitSubjects.map(\.subject.id))
    ids.formUnion(listed.map(\.id))
    return ids
  }()

  /// The ids of all adapters but those that are judged only when they are named.
  ///
  /// A description that cannot be read counts, so that the user sees the error.
  private var usualAdapters: [String] {
    manifests.map(\.lastPathComponent).filter { !adaptersOnRequest.contains($0) }
  }

  /// The ids of the adapters that are judged only when they are named: users need not set them up.
  package var adaptersOnRequest: Set<String> {
    Set(
      manifests.filter { (try? AdapterManifest(folder: $0))?.isOnRequest == true }
        .map(\.lastPathComponent)
    )
  }

  /// The subjects of a topic that are usually judged.
  private func usualIDs(of topic: Report.Topic) -> [String] {
    guard topic != .documents else { return (Self.builtIn + more).map(\.id) + usualAdapters }
    let listed = Catalogue.all.filter { $0.topic == topic }.flatMap(\.subjects)
    return listed.filter(\.isUsual).map(\.id)
  }

  /// Subjects that an id implies: the coder of records is also judged with a server.
  private static let companions = [RecordCoderSubject().id: [RecordSyncSubject().id]]

  /// One right subject for each topic: that of the usual ones which comes first.
  package var firstIDs: [String] { Report.Topic.allCases.compactMap { usualIDs(of: $0).first } }

  /// In place of an id: all subjects of some topics that are usually judged.
  package static let usualID = "usual"

  /// The subjects with these ids; without any, those of some topics that are usually judged.
  ///
  /// Without `startsPeer` subjects get no peer, whether there is one or not.
  package func find(
    _ ids: [String],
    usual topics: Set<Report.Topic> = [.documents],
    startsPeer: Bool = true
  ) throws -> Found {
    var found = Found()
    let usual = Report.Topic.allCases.filter(topics.contains).flatMap(usualIDs)
    // A subject named twice is judged once.
    let wanted = (ids.isEmpty ? [Self.usualID] : ids)
      .flatMap { $0 == Self.usualID ? usual : [$0] + Self.companions[$0, default: []] }
      .uniqued()
    for id in wanted {
      switch try named(id) {
      case .document(let subject): found.subjects.append(subject)
      case .ourCoder:
        let ours = JudgedCoder.ours(peer: startsPeer ? startRealAutomerge(&found) : Self.noPeer)
        found.listed[.coders, default: []].append(ours.listed)
      case .listed(let topic, let subject): found.listed[topic, default: []].append(subject)
      case .adapter(let folder):
        do {
          let subject = try foreign(folder)
          found.subjects.append(subject)
          try AdapterManifest(folder: folder).checkConditions()
          found.divergences[subject.id] = try Self.divergences(subject.knownDivergences)
        } catch let error as SubjectFailure {
          found.absent.append(
            AbsentSubject(id: id, reason: "\(error)", isNamed: ids.contains(id))
          )
        }
      }
    }
    return found
  }

  /// Refuses an id that names no subject; starts none.
  package func requireNames(_ ids: [String]) throws(UnknownSubject) {
    for id in ids where id != Self.usualID { _ = try named(id) }
  }

  /// What an id names.
  private enum Named {
    case document(any DocumentSubject)
    /// Our coder, which has the real Automerge for a peer where that is set up.
    case ourCoder
    case listed(Report.Topic, ListedSubject)
    /// The folder of an adapter.
    case adapter(URL)
  }

  private func named(_ id: String) throws(UnknownSubject) -> Named {
    let documents = Self.builtIn + more + Self.unitSubjects.map(\.subject)
    if let subject = documents.first(where: { $0.id == id }) { return .document(subject) }
    if let mutant = MutantID(subjectID: id).flatMap(Self.mutant) { return .document(mutant) }
    if id == JudgedCoder.ours().subject.id { return .ourCoder }
    if let (topic, subject) = Catalogue.subject(id) { return .listed(topic, subject) }
    if let folder = manifests.first(where: { $0.lastPathComponent == id }) {
      return .adapter(folder)
    }
    throw UnknownSubject(
      id: id,
      known: documents.map(\.id) + Self.listed.map(\.id) + manifests.map(\.lastPathComponent)
        + Self.mutants.map(\.subject.id),
      adapters: adapters?.relativePath
    )
  }

  /// Starts the real Automerge, as the peer of our coder; notes why it does not start.
  private func startRealAutomerge(_ found: inout Found) -> PeerAvailability {
    let folder = manifests.first { $0.lastPathComponent == Self.realAutomergeID }
    guard let folder else { return Self.noPeer }
    do {
      return .available(SubjectPeer(try foreign(folder)))
    } catch {
      // Behind its first line stands what the adapter's author is told.
      let cause = "\(error)".prefix { $0 != "\n" }
      found.absentPeers.append(
        AbsentSubject(
          id: Self.realAutomergeID,
          reason: "the peer of \(JudgedCoder.ours().subject.id) does not start: \(cause)",
          isNamed: false
        )
      )
      return .absent("the real Automerge does not start here")
    }
  }

  private static let noPeer = PeerAvailability.absent("the real Automerge is not set up here")

  private static let realAutomergeID = "automerge"

  /// What is listed for an adapter.
  ///
  /// - Throws: `AdapterManifestError` for an entry that could never excuse anything: it has no such
  ///   law, or its condition cannot be read or does not hold for its case.
  package static func divergences(_ listed: [AdapterDivergence]) throws -> [HistoryDivergence] {
    try listed.map { listed in
      let laws = DocumentLaw.all.map(\.name)
      guard laws.contains(where: Glob(listed.law).matches) else {
        throw listed.error(
          in: "law",
          "no law is called '\(listed.law)'." + suggestion(for: listed.law, among: laws)
        )
      }
      let predicate = try listed.predicate()
      let example = try Replay.history(of: CaseFolder.read(listed.caseFile))
      guard predicate.holds(for: normalise(example).history) else {
        throw listed.error(
          in: "condition",
          "it does not hold for the history in \(listed.caseFile.lastPathComponent), and so would not"
            + " excuse it"
        )
      }
      return HistoryDivergence(
        law: listed.law,
        condition: listed.condition.string ?? listed.condition.text(.compact),
        predicate: predicate,
        reason: listed.reason,
        example: example
      )
    }
  }

  /// Lanes of laws for what was found; without names, of all laws.
  package func lanes(
    _ found: Found,
    laws: Set<String> = Catalogue.lawNames,
    limits: HistoryLimits = HistoryLimits()
  ) -> [Lane] {
    Catalogue.all.flatMap { $0.lanes(found, laws, limits) }
  }
}

extension SubjectRegistry.Found {
  /// A judge for each subject of documents: it compares the subject with its specification.
  package var judges: [DocumentJudge] {
    subjects.map { subject in
      let pair = otherUnitSubjects.first { $0.subject.id == subject.id }
      return DocumentJudge(
        subject,
        oracle: pair?.oracle ?? naiveSubject,
        divergences: divergences[subject.id] ?? []
      )
    }
  }

  /// Lanes for subjects of documents, compared with the specification where they follow its rules.
  ///
  /// Subjects that show hashes of changes are compared with each other, too.
  func documentLanes(_ laws: [DocumentLaw], limits: HistoryLimits) -> [Lane] {
    guard !laws.isEmpty else { return [] }
    let agreement = laws.filter(\.isAgreement)
    return subjects.flatMap { subject -> [Lane] in
      var limits = limits
      limits.largeWorlds = limits.largeWorlds && subject.readsStatesCheaply
      func lane(_ oracle: any DocumentSubject, _ laws: [DocumentLaw]) -> Lane {
        Lane(
          subject,
          oracle: oracle,
          laws: laws,
          divergences: divergences[subject.id] ?? [],
          limits: limits
        )
      }
      if let pair = otherUnitSubjects.first(where: { $0.subject.id == subject.id }) {
        return [lane(pair.oracle, agreement)]
      }
      let first = lane(naiveSubject, laws)
      guard first.oracle != nil, !agreement.isEmpty else { return [first] }
      return [first] + otherOracles(of: subject).map { lane($0, agreement) }
    }
  }

  /// What a subject is compared with beside the specification, which has no hashes: an
  /// implementation from elsewhere with the engine and with `Document`, and this with the engine.
  private func otherOracles(of subject: any DocumentSubject) -> [any DocumentSubject] {
    var oracles: [any DocumentSubject] = []
    if subject is ForeignSubject { oracles = [engineSubject, documentSubject] }
    if subject.id == documentSubject.id { oracles = [engineSubject] }
    let ids = subjects.map(\.id)
    return oracles.filter { ids.contains($0.id) }
  }
}

/// A subject that is known and cannot be set up here.
package struct AbsentSubject: Error, Hashable, CustomStringConvertible {
  package let id: String
  /// What is missing, and how to get it.
  package let reason: String
  /// Whether it was asked for by its id, so that a run without it is not what was wanted.
  package let isNamed: Bool

  package var description: String { "\(id) cannot be set up: \(reason)" }
}

/// A subject was asked for that does not exist.
package struct UnknownSubject: Error, CustomStringConvertible {
  package let id: String
  /// The ids of all that there is.
  package let known: [String]
  /// Where adapters were looked for.
  var adapters: String?

  package var description: String {
    "there is no subject '\(id)': `touchstone list subjects` names all, `list mutants` the wrong ones."
      + suggestion(for: id, among: known.filter { $0 != id })
      + (adapters.map { " Adapters are those in the folder \($0); --adapters names another." } ?? "")
  }
}
