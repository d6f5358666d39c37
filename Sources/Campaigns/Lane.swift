package import CodingLaws
package import DocumentLaws
import DocumentModel
import FoundationCoders
package import Histories
package import PropertyEngine
import RecordLaws
package import Reporting
import StoreLaws
import Subjects

/// One subject, the laws it is held to, and what it is compared with.
///
/// A campaign knows nothing but lanes: what a subject is, and how its laws are judged, is the lane's
/// own affair. A new catalogue makes lanes here, and is listed in ``Catalogue/all``.
package struct Lane: Sendable {
  /// The judged subject, as reports describe it.
  package struct Subject: Sendable {
    package let id: String
    package let version: String
    package let topic: Report.Topic
    /// What it can do, in words.
    package let abilities: [String]
    /// Whether it can do everything that laws may need.
    package let isComplete: Bool
  }

  /// A law in a lane.
  struct Entry: Sendable {
    let statement: LawStatement
    /// Whether it compares the subject with the oracle.
    var isAgreement = false
    /// Why the law says nothing of the subject; `nil` if it does, or if only a case can tell.
    var inapplicable: String?
  }

  /// A divergence that is listed for the subject.
  struct ListedDivergence: Sendable {
    let known: any KnownDivergence
    /// Position by which judgements name it.
    let index: Int
    /// What its example comes to, which runs the subject.
    let standing: @Sendable () -> DivergenceStanding
  }

  /// What the example of a listed divergence comes to.
  enum DivergenceStanding: Codable, Hashable, Sendable {
    /// It still shows the divergence, or this lane cannot say that it does not.
    case shows
    /// It does not show it any more.
    case gone
    /// None of its laws can be judged on the subject, whatever that is compared with; why.
    case unjudged(String)
  }

  /// What a report adds to a failure of this lane.
  package struct Illustration: Codable, Sendable {
    var replicas = 0
    var start: [String] = []
    var timeline: [Report.TimelineStep] = []
    var model: String?
    /// What a law called and what came back, where the sample does not say it.
    var calls: [String] = []

    /// Adds nothing.
    package init() {}
  }

  package let subject: Subject
  /// Id of what the subject is compared with.
  package var oracle: String?
  /// All laws that were asked for, those included that say nothing of the subject.
  let entries: [Entry]
  /// The laws that are asked.
  package let groups: [LawGroup]
  var divergences: [ListedDivergence] = []
  /// Without `runsSubject` it says what it can without running subject and oracle.
  var illustrate: @Sendable (Failure, _ runsSubject: Bool) -> Illustration = { _, _ in
    Illustration()
  }
  /// Whether laws compare the subject with a peer that was started for it.
  var hasPeer = false
  /// The workers that judge its cases; `nil` for threads of this process.
  var workers: CaseWorkers?

  package var laws: [LawStatement] { entries.map(\.statement) }

  /// Ids of the subject and, where there is one, of the oracle.
  var subjects: [String] { [subject.id] + (oracle.map { [$0] } ?? []) }

  /// Subjects that others are compared with: the specification, and Foundation's coders.
  private static let yardsticks: Set = [
    naiveSubject.id, FoundationCoder.json.id, FoundationCoder.propertyList.id,
  ]

  /// The part of a budget of seconds that it gets, beside those of other lanes.
  ///
  /// A history is judged by all laws at once, a value by one law: of equal times a law of coders would get two samples
  /// where each law of histories gets a hundred. Forty laws more are one part more.
  ///
  ///     1 group of laws                1
  ///     81 groups                      3
  ///     41 groups of a yardstick       0.5
  var timeShare: Double {
    let lawShare = 1 + Double(max(0, groups.count - 1)) / 40
    return Self.yardsticks.contains(subject.id) ? lawShare / 4 : lawShare
  }

  /// Number of laws that say anything of the subject.
  var askedLawCount: Int { entries.count { $0.inapplicable == nil } }

  /// Why none of the laws says anything of the subject; `nil` if one does.
  package var reasonToSkip: String? {
    askedLawCount == 0 ? entries.lazy.compactMap(\.inapplicable).first : nil
  }

  /// Cases of the lane's laws.
  package func run(
    seed: Seed,
    clock: @escaping @Sendable () -> Double = { 0 }
  ) -> LawRun {
    LawRun(groups, on: subjects, seed: seed, clock: clock)
  }

  /// Whether the lane holds the case's subject against the case's oracle, by the case's law.
  package func isMeant(by file: CaseFile) -> Bool {
    let ids = file.subjects
    return ids.first == subject.id && (ids.count < 2 || ids[1] == oracle) && asks(file)
  }

  /// Whether the case's law is one of the lane; any law shows whether a subject answers at all.
  func asks(_ file: CaseFile) -> Bool {
    file.law == FailureKey.answers
      ? groups.contains { $0.formName == file.sampleFormat }
      : entries.contains { $0.statement.name == file.law }
  }

  /// Why a case that the lane is meant by cannot be tried in it; `nil` if it can.
  func reasonNotToTry(_ file: CaseFile) -> String? {
    entries.first { $0.statement.name == file.law }?.inapplicable
  }

  /// Whether a stored case is tried in the lane.
  func tries(_ file: CaseFile) -> Bool { isMeant(by: file) && reasonNotToTry(file) == nil }

  /// The forms of its samples.
  package var formNames: [FormName] { groups.map(\.formName) }

  /// Whether it judges histories, and not stored bytes or what coders code.
  var judgesHistories: Bool {
    groups.contains { $0.formName == SampleForm<NormalisedHistory>.history.name }
  }
}

// MARK: - Documents

extension Lane {
  /// A lane of a subject of documents.
  package init(
    _ subject: any DocumentSubject,
    oracle: (any DocumentSubject)?,
    laws: [DocumentLaw],
    divergences: [HistoryDivergence] = [],
    limits: HistoryLimits = HistoryLimits()
  ) {
    let judge = DocumentJudge(subject, oracle: oracle, divergences: divergences)
    let all = judge.groups(laws, limits: limits)
    let order = all.flatMap(\.laws).map(\.name)
    var obstacles: [String: String] = [:]
    for law in laws { obstacles[law.name] = judge.reasonToSkip(law) }
    self.init(
      subject: Subject(
        id: subject.id,
        version: subject.version,
        topic: .documents,
        abilities: subject.abilities,
        isComplete: subject.capabilities == .all
      ),
      oracle: judge.oracle?.id,
      entries: order.compactMap { name in
        laws.first { $0.name == name }.map {
          Entry(
            statement: $0.statement,
            isAgreement: $0.isAgreement,
            inapplicable: obstacles[name]
          )
        }
      },
      // A case shows nothing if each of its laws is skipped.
      groups: all.filter { group in group.laws.contains { obstacles[$0.name] == nil } },
      divergences: divergences.enumerated().map { index, listed in
        ListedDivergence(known: listed, index: index, standing: { judge.standing(of: listed) })
      },
      illustrate: { judge.illustration(of: $0, runsSubject: $1) }
    )
  }
}

extension ListedSubject {
  /// A subject of documents, compared with the specification.
  init(_ subject: any DocumentSubject, _ explanation: String) {
    self.init(id: subject.id, version: subject.version, explanation: explanation) { names in
      Lane(subject, oracle: naiveSubject, laws: DocumentLaw.all.named(names))
    }
  }
}

extension DocumentJudge {
  /// What the example of a listed divergence comes to.
  ///
  /// A lane whose oracle lacks what the law needs, or whose subject fails, cannot say that it is gone.
  fileprivate func standing(of divergence: HistoryDivergence) -> Lane.DivergenceStanding {
    let glob = Glob(divergence.law)
    let laws = DocumentLaw.all.filter { glob.matches($0.name) }
    let history = normalise(divergence.example)
    let verdicts = judge(history, laws).verdicts.map(\.judgement.verdict)
    let words = Set(verdicts.map(\.word))
    if words.contains(.known) { return .shows }
    guard words.isDisjoint(with: [.held, .violated]) else { return .gone }
    // An oracle of the same abilities lacks nothing that the subject has: what is skipped then is skipped for its sake.
    let able = subject.capabilities
    let follows = able.features.contains(.automergeSemantics)
    let best = Trial(history, laws: laws, subject: able, oracle: follows ? able : nil)
    guard best.laws.isEmpty, let lack = best.skipped.first else { return .shows }
    return .unjudged(lack.reason)
  }
}

// MARK: - Stored bytes, public calls

extension Lane {
  /// A lane of the laws of stored bytes with these names; `nil` for a subject without stored bytes, and
  /// if no law has such a name.
  package init?(
    stored subject: any DocumentSubject,
    laws names: Set<String>,
    vectors: [GoldenVector]
  ) {
    guard let stored = subject as? any StoredBytesSubject else { return nil }
    self.init(subject, of: stored.storedLaws(vectors).flatMap(\.self), laws: names)
  }

  /// A lane of the laws of public calls with these names; `nil` for a subject that is not `Document`, and if no law
  /// has such a name.
  package init?(publicCallsOf subject: any DocumentSubject, laws names: Set<String>) {
    guard subject.id == documentSubject.id else { return nil }
    self.init(
      subject,
      of: PublicCallLaw.groups,
      laws: names,
      illustrate: Self.showing { failure in
        guard let law = PublicCallLaw.all.named([failure.key.law]).first,
          let numbers = try? SampleForm.publicCalls.parse(failure.sample.text)
        else { return [] }
        return law.calls(of: numbers)
      }
    )
  }

  /// A lane of those groups in which a law has one of these names.
  private init?(
    _ subject: any DocumentSubject,
    of groups: [LawGroup],
    laws names: Set<String>,
    illustrate: @escaping @Sendable (Failure, Bool) -> Illustration = { _, _ in Illustration() }
  ) {
    let groups = groups.filter { $0.laws.contains { names.contains($0.name) } }
    guard !groups.isEmpty else { return nil }
    self.init(
      subject: Subject(
        id: subject.id,
        version: subject.version,
        topic: .documents,
        abilities: subject.abilities,
        isComplete: false
      ),
      entries: groups.flatMap(\.laws).map { Entry(statement: $0) },
      groups: groups,
      illustrate: illustrate
    )
  }

  /// Adds to a failure what its law called, for which the subject runs.
  fileprivate static func showing(
    calls: @escaping @Sendable (Failure) -> [String]
  ) -> @Sendable (Failure, Bool) -> Illustration {
    { failure, runsSubject in
      var illustration = Illustration()
      if runsSubject { illustration.calls = calls(failure) }
      return illustration
    }
  }
}

extension DocumentSubject {
  /// What the subject can do, in words.
  fileprivate var abilities: [String] {
    capabilities.abilities + (self is any StoredBytesSubject ? ["stored bytes"] : [])
  }
}

// MARK: - Coders, records, stores

extension Lane {
  /// A lane of laws that call the subject themselves.
  ///
  /// A law that has a reason to say nothing of the subject is listed with it, and not asked. `calls` says what a law
  /// called that failed; it runs the subject.
  fileprivate init<Judging: StatedLaw>(
    _ subject: Subject,
    laws: [Judging],
    reasonToSkip: (Judging) -> String? = { _ in nil },
    calls: @escaping @Sendable (Failure) -> [String] = { _ in [] },
    group: (Judging) -> LawGroup
  ) {
    let judged = laws.map { (law: $0, reason: reasonToSkip($0)) }
    self.init(
      subject: subject,
      entries: judged.map { Entry(statement: $0.law.statement, inapplicable: $0.reason) },
      groups: judged.filter { $0.reason == nil }.map { group($0.law) },
      illustrate: Self.showing(calls: calls)
    )
  }

  /// A lane of a coder.
  package init(_ coder: JudgedCoder, laws: [CodingLaw]) {
    let (subject, pool) = (coder.subject, coder.pool)
    self.init(
      Subject(
        id: subject.id,
        version: subject.version,
        topic: .coders,
        abilities: subject.features.map(\.rawValue).sorted(),
        isComplete: false
      ),
      laws: laws,
      reasonToSkip: { $0.reasonToSkip(subject) },
      group: { LawGroup($0.lowered(on: subject, pool)) }
    )
    if case .available? = (subject as? any PeeredCoder)?.peer { hasPeer = true }
    divergences = subject.divergences.enumerated()
      .filter { _, listed in laws.contains { $0.name == listed.law } }
      .map { index, listed in
        ListedDivergence(
          known: listed,
          index: index,
          standing: { coder.shows(listed) ? .shows : .gone }
        )
      }
    illustrate = { failure, _ in
      var illustration = Illustration()
      illustration.model = (try? CodingSample(text: failure.sample.text))?.model
      return illustration
    }
  }
}

extension ListedSubject {
  /// A subject of laws that call it themselves.
  private init<Judging: StatedLaw>(
    _ subject: Lane.Subject,
    _ explanation: String,
    laws: [Judging],
    reasonToSkip: @escaping @Sendable (Judging) -> String? = { _ in nil },
    calls: @escaping @Sendable (Failure) -> [String] = { _ in [] },
    group: @escaping @Sendable (Judging) -> LawGroup
  ) {
    self.init(id: subject.id, version: subject.version, explanation: explanation) { names in
      Lane(
        subject,
        laws: laws.named(names),
        reasonToSkip: reasonToSkip,
        calls: calls,
        group: group
      )
    }
  }

  /// A coder with the models of the zoo.
  init(_ coder: any CoderSubject, _ explanation: String) {
    self.init(id: coder.id, version: coder.version, explanation: explanation) { names in
      Lane(JudgedCoder(coder, explanation), laws: CodingLaw.all.named(names))
    }
  }

  /// A coder of records with its server.
  init(_ records: any RecordSubject, _ explanation: String) {
    self.init(
      Lane.Subject(
        id: records.id,
        version: records.version,
        topic: .records,
        abilities: [],
        isComplete: true
      ),
      explanation,
      laws: RecordLaw.all,
      calls: { failure in
        guard let law = RecordLaw.all.named([failure.key.law]).first,
          let sample = try? RecordSample(text: failure.sample.text)
        else { return [] }
        return law.calls(on: records, of: sample)
      },
      group: { LawGroup($0.lowered(on: records)) }
    )
  }

  /// A store.
  init(_ store: any StoreSubject, _ explanation: String) {
    self.init(
      Lane.Subject(
        id: store.id,
        version: store.version,
        topic: .stores,
        abilities: store.features.map(\.rawValue).sorted(),
        isComplete: false
      ),
      explanation,
      laws: StoreLaw.all,
      reasonToSkip: { $0.reasonToSkip(store) },
      group: { LawGroup($0.lowered(on: store), attemptLimit: 2000) }
    )
  }
}

extension Capabilities {
  /// All abilities as text, sorted within their kinds.
  package var abilities: [String] {
    edits.map { "edit \($0)" }.sorted() + objects.map { "object \($0)" }.sorted()
      + scalars.map { "scalar \($0)" }.sorted() + transports.map { "transport \($0)" }.sorted()
      + features.map(\.description).sorted()
  }
}
