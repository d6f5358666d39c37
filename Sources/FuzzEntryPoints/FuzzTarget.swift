package import Campaigns
import CodingLaws
import DocumentLaws
import Histories
package import PropertyEngine
import Reporting
import Subjects
import Texts

/// What a fuzzer runs on: how the bytes of an input are read, and which laws judge it.
package struct FuzzTarget: Sendable {
  /// The name, which folders of inputs bear as well: `histories`.
  package let id: String
  /// What the bytes of an input are, and what is judged, in one sentence.
  package let sentence: String
  /// Id of the subject that is judged unless another is asked for.
  package let usualSubject: String
  /// Bytes of an input at most: what is longer costs time and reaches no more.
  package let byteLimit: Int
  let reading: Reading
  /// The inputs that the seed corpus consists of.
  let seeds: SeedCorpus

  /// Every target.
  package static let all = [histories, decode, encode, drift, record, calls, stories] + boundaries

  /// The target of a name; `nil` if there is none.
  package init?(id: String) {
    guard let target = Self.all.first(where: { $0.id == id }) else { return nil }
    self = target
  }

  /// What the bytes of an input are.
  enum Reading: Sendable {
    /// Choices. `pick` draws the first one, which says by which group of laws the input is judged; `judged`
    /// is the subject as the target judges it, `nil` if it is of another kind.
    case choices(
      pick: @Sendable (inout Choices, [LawGroup]) -> LawGroup,
      judged: @Sendable (SubjectRegistry.Found) -> (ids: [String], groups: [LawGroup])?
    )
    /// What comes in from outside.
    case boundary(Boundary)
  }

  private init(
    _ id: String,
    _ sentence: String,
    on usualSubject: String,
    byteLimit: Int = 512,
    pick: @escaping @Sendable (inout Choices, [LawGroup]) -> LawGroup = { $0.element(of: $1) },
    seeds: SeedCorpus,
    judged: @escaping @Sendable (SubjectRegistry.Found) -> (ids: [String], groups: [LawGroup])?
  ) {
    self.id = id
    self.sentence = sentence
    self.usualSubject = usualSubject
    self.byteLimit = byteLimit
    reading = .choices(pick: pick, judged: judged)
    self.seeds = seeds
  }

  /// Bytes are what comes in at a place where bytes come in from outside.
  package init(_ boundary: Boundary) {
    id = boundary.id
    sentence = boundary.sentence
    usualSubject = boundary.subject
    byteLimit = boundary.byteLimit
    reading = .boundary(boundary)
    seeds = SeedCorpus(sentence: boundary.seedSentence) { _, onSeed in
      for seed in try boundary.seeds() { try onSeed(seed) }
    }
  }

  /// The name of the executable: `FuzzHistories`.
  package var executable: String { "Fuzz\(id.prefix(1).uppercased())\(id.dropFirst())" }

  /// Whether the bytes of an input are choices, and not what comes in from outside.
  package var readsChoices: Bool { boundary == nil }

  /// The place at which the bytes come in; `nil` if they are choices.
  package var boundary: Boundary? {
    guard case .boundary(let boundary) = reading else { return nil }
    return boundary
  }

  /// The options of libFuzzer for this target, name by name.
  ///
  /// A history needs some twenty bytes before two replicas meet, so the length of choices is not
  /// raised step by step. Such inputs are not weighed by entropy: each has thousands of edges, and weighing
  /// them takes half of the time.
  package var libFuzzerOptions: [(name: String, value: Int)] {
    [("max_len", byteLimit)] + (readsChoices ? [("len_control", 0), ("entropic", 0)] : [])
  }

  /// The subject with an id, ready to be judged; the usual one if `nil`.
  ///
  /// - Throws: ``UnknownFuzzSubject`` if the target judges none of this id, ``Campaigns/AbsentSubject``
  ///   if it is not set up here.
  package func subject(
    _ id: String? = nil,
    from registry: SubjectRegistry = SubjectRegistry(adapters: nil)
  ) throws -> FuzzSubject {
    let id = id ?? usualSubject
    let judged: @Sendable (SubjectRegistry.Found) -> (ids: [String], groups: [LawGroup])?
    switch reading {
    case .choices(_, let own): judged = own
    case .boundary(let boundary):
      // What reads bytes from outside is part of the boundary, and on no registry.
      guard id == usualSubject else {
        throw UnknownFuzzSubject(id: id, target: self.id, only: usualSubject)
      }
      return FuzzSubject(
        target: self,
        ids: [id],
        groups: [.judging([], at: boundary)],
        seeds: try boundary.seeds()
      )
    }
    let found: SubjectRegistry.Found
    do {
      found = try registry.find([id])
    } catch let error as UnknownSubject {
      throw UnknownFuzzSubject(id: id, target: self.id, known: error.known)
    }
    if let absent = found.absent.first { throw absent }
    guard let judged = judged(found) else { throw UnknownFuzzSubject(id: id, target: self.id) }
    return FuzzSubject(target: self, ids: judged.ids, groups: judged.groups)
  }

  /// Judges an input on the subject with an id; on the usual one if `nil`.
  ///
  /// - Throws: ``UnknownFuzzSubject`` if the target judges none of this id, ``Campaigns/AbsentSubject``
  ///   if it is not set up here.
  package func judge(
    _ bytes: [UInt8],
    on subjectID: String? = nil,
    from registry: SubjectRegistry = SubjectRegistry(adapters: nil)
  ) throws -> FuzzInput {
    FuzzInput(bytes: bytes, on: try subject(subjectID, from: registry))
  }
}

/// A subject and the groups of laws by which a target judges it.
package struct FuzzSubject: Sendable {
  package let target: FuzzTarget
  /// Ids of the subject and, where there is one, of what it is compared with.
  package let ids: [String]
  /// In the order of the numbers that an input's first choice has for them.
  package let groups: [LawGroup]
  /// What inputs are derived from; none where they are drawn.
  var seeds: [Boundary.Seed] = []

  /// Id of the subject.
  package var id: String { ids.first ?? "" }

  /// Name of the environment variable that chooses the subject of a target.
  package static let variable = "TOUCHSTONE_FUZZ_SUBJECT"
}

/// A fuzz target was asked to judge a subject that it does not know, or that is of another kind.
package struct UnknownFuzzSubject: Error, Hashable, CustomStringConvertible {
  package let id: String
  /// The id of the target.
  package let target: String
  /// The one subject that it judges; `nil` if it judges several.
  var only: String?
  /// The ids of all subjects, of any kind, where none has this id.
  var known: [String] = []

  package var description: String {
    let names =
      only.map { "\($0) is all that it judges" }
      ?? "`touchstone list subjects` names all, `list mutants` the wrong ones"
    return "the target \(target) judges no subject '\(id)': \(names)."
      + suggestion(for: id, among: known)
  }
}

// MARK: - Histories

extension FuzzTarget {
  /// Bytes are the choices of a history, which the laws of documents judge.
  ///
  /// The first byte says which laws judge it, and so which histories are drawn:
  ///
  /// | byte | laws | histories |
  /// |---|---|---|
  /// | 1, 2, 3, ... | the scenario law with this number in the catalogue, from 1 | the law's own |
  /// | any other | all laws on any history | `Generator.histories` |
  ///
  /// The other bytes make the history, whatever the subject can do.
  package static let histories = FuzzTarget(
    "histories",
    "Choices of a history; all laws of documents are judged on it.",
    on: engineSubject.id,
    byteLimit: 256,
    pick: { choices, groups in
      // The seeded source's bias: scenarios share one input in five.
      let scenarioCount = groups.count - 1
      let weights = [4 * scenarioCount] + Array(repeating: 1, count: scenarioCount)
      let number = Int(choices.choice(upTo: 255, bias: .weights(weights)))
      return groups[groups.indices.contains(number) ? number : 0]
    },
    seeds: .histories,
    judged: { found in
      guard let judge = found.judges.first else { return nil }
      let oracle = judge.oracle.map { [$0.id] } ?? []
      let any = Generator.histories(smallWorlds)
      let shared = judge.group(sharedLaws, isShared: true) { normalise(any.draw(&$0)) }
      let others = scenarios.map { law, histories in
        judge.group([law]) { normalise(histories.draw(&$0)) }
      }
      return ([judge.subject.id] + oracle, [shared] + others)
    }
  )

  /// Bytes make no large histories, and what a seed draws must be what its bytes draw.
  private static let smallWorlds = HistoryLimits(largeWorlds: false)

  /// The laws on any history.
  private static let sharedLaws = DocumentLaw.all.filter {
    if case .any = $0.samples { true } else { false }
  }

  /// The laws with histories of their own, in the order of their numbers from 1.
  private static let scenarios: [(law: DocumentLaw, histories: Generator<History>)] =
    DocumentLaw.all.compactMap { law in
      guard case .own(let histories) = law.samples else { return nil }
      return (law, histories(smallWorlds))
    }

  /// The names of the laws with histories of their own.
  static var scenarioLaws: [String] { scenarios.map(\.law.name) }
}

// MARK: - Coders

extension FuzzTarget {
  /// Bytes are the choices of a document of any content, which is decoded into a model of the zoo.
  package static let decode = coders(
    "decode",
    "Choices of a document of any content, which a coder decodes into a model of the zoo.",
    [.arbitraryRead]
  )

  /// Bytes are the choices of a value, and of a document of any content that it is encoded over.
  package static let encode = coders(
    "encode",
    "Choices of a value, and of a document of any content that a coder encodes it over.",
    [.arbitraryWritten]
  )

  /// Bytes are the choices of what another version or a peer did to a document.
  package static let drift = coders(
    "drift",
    "Choices of what another version or a peer did to a document; the laws of drift are judged.",
    [
      .driftRead, .conflictRead, .overDrift, .preserves, .removesUnknown, .mixedLists, .readonly,
      .cautious, .basedOn, .converges,
    ]
  )

  /// A target of coders: the first byte chooses the law, the next ones the model, and the others the
  /// values, the document's content and what is asked of the coder.
  private static func coders(
    _ id: String,
    _ sentence: String,
    _ laws: [CodingLaw]
  ) -> FuzzTarget {
    FuzzTarget(
      id,
      sentence,
      on: JudgedCoder.ours().subject.id,
      seeds: .coders(laws.map(\.name)),
      judged: { found in
        guard let coder = found.ids.first.flatMap(JudgedCoder.named) else { return nil }
        let groups = laws.map { LawGroup($0.lowered(on: coder.subject, coder.pool)) }
        return ([coder.subject.id], groups)
      }
    )
  }
}

// MARK: - Records

extension FuzzTarget {
  /// Bytes are the choices of a record with any kinds under any keys, of bytes that are stored for one, or of
  /// a story of devices and a server.
  package static let record: FuzzTarget = {
    let names = [
      "record.hostile-typed", "record.numbers-exact", "record.damage-refused",
      "record.bytes-return",
      "record.returns", "record.keys-guarded", "devices.converges", "devices.nothing-lost",
      "devices.batch-whole", "devices.changes-complete", "devices.clears-arrive",
      "devices.edit-alone", "devices.expired-told", "devices.no-dangling-owner",
      "devices.old-tag-refused", "devices.other-fields-stay", "devices.retry-once",
      "devices.tags-move", "server.by-rules", "server.forced-save-merges",
      "server.invalid-refused", "server.keeps-apart", "server.kind-fixed",
      "record.by-rules", "record.base-refused", "record.children",
      "record.children-missing", "record.checks-as-asked", "record.dates-settle",
      "record.dry-run", "record.enum-kept", "record.identity-stays", "record.keys-escaped",
      "record.kind-by-type", "record.nil-clears", "record.one-form", "record.one-place",
      "record.options-hold", "record.rebases", "record.repeatable", "record.unchanged-unmarked",
      "record.unknown-cases", "record.unknown-stays",
    ]
    return FuzzTarget(
      "record",
      "Choices of a record of any kinds, of bytes stored for one, or of a story of devices.",
      on: "record-sync",
      seeds: .laws(names),
      judged: { found in
        guard let subject = found.listed[.records]?.first else { return nil }
        return ([subject.id], names.flatMap { subject.lane([$0]).groups })
      }
    )
  }()
}

// MARK: - Stores

extension FuzzTarget {
  /// Bytes are the choices of a story of a store: its changes, crashes of the machine, faults of the disk, and
  /// damage to its files.
  package static let stories: FuzzTarget = {
    let names = [
      "store.model", "store.reopens", "store.compaction-hidden", "store.bytes-repeat",
      "store.ids-exact", "store.unencodable-alone", "store.conditional", "store.says-what-it-did",
      "crash.one-state", "crash.acknowledged-stays", "crash.found-is-made-sure",
      "crash.recovery-repeats", "crash.dropped-stays-dropped", "crash.no-litter",
      "crash.after-refusal", "crash.refused-elsewhere", "fault.changes-nothing", "fault.explained",
      "fault.space-returns", "fault.short-transfers", "fault.sync-not-trusted",
      "fault.read-only-medium", "damage.noticed", "damage.missing-noticed", "damage.kept-aside",
      "damage.kept-when-refused", "damage.read-only", "damage.rest-served",
      "damage.undecodable-kept", "seed.taken-over", "seed.damaged-kept", "seed.duplicates-decided",
      "seed.foreign-left", "version.later-refused", "version.migrates-whole",
      "version.rises-once",
    ]
    return FuzzTarget(
      "stories",
      "Choices of a story of a store: its changes, crashes, faults of the disk, damaged files.",
      on: "local-store",
      seeds: .laws(names),
      judged: { found in
        guard let subject = found.listed[.stores]?.first else { return nil }
        return ([subject.id], names.flatMap { subject.lane([$0]).groups })
      }
    )
  }()
}

// MARK: - Public calls

extension FuzzTarget {
  /// Bytes are the choices of calls of `Document` that no step of a history makes.
  package static let calls = FuzzTarget(
    "calls",
    "Choices of calls of `Document`: observers, transactions, marks, times, ids, the last numbers.",
    on: documentSubject.id,
    seeds: .laws(Catalogue.publicCalls.laws.map(\.name)),
    judged: { found in
      let lanes = found.subjects.compactMap {
        Lane(publicCallsOf: $0, laws: Catalogue.lawNames)
      }
      return lanes.first.map { ([$0.subject.id], $0.groups) }
    }
  )
}

// MARK: - Boundaries

extension FuzzTarget {
  /// Bytes are a stored file, which is loaded as it is and with its checksum made right.
  package static let load = FuzzTarget(.load)

  private static let boundaries = Boundary.all.map { FuzzTarget($0) }
}
