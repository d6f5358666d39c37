// The form in which laws of histories are written. Read in this order:
//
// 1. `DocumentLaw`: what a law says, and about which subjects.
// 2. `Plan`: how a law asks. A law gets the plan of a history and adds instructions to it.
// 3. `Answers`: what a law judges. It is one subject's transcript, read by question.
//
// `Trial` joins them for one history; `Campaigns/DocumentJudge.swift` runs trials. Half of what
// `merge.commutes` asks, in a history of one edit (the other half merges the other way):
//
//     stage       instruction                          why it is there
//     history     create 0, create 1, edit 0           the history itself
//     divergent   create 1001, merge 1001 from 0       what r0 shows, on a scratch document
//                 create 1002, merge 1002 from 1       the same of r1
//                 merge 1001 from 1002, observe 1001   one side of the law
//     converged   merge 1 from 0, merge 0 from 1 ...   healing; the law asks nothing here

package import DocumentModel
package import Histories
package import PropertyEngine

/// A statement about what a subject shows for a history.
///
/// It is written in two halves that never meet the subject: the first adds questions to a plan, the
/// second judges the answers. Between them the program of *all* laws runs once, so that a hundred laws on one
/// history cost one run. Two rules keep laws from disturbing each other:
/// - a law changes only scratch documents, never a replica: what another law sees stays the history's;
/// - a law judges the answers to its own questions, unless it says that it watches all (`watchesAll`).
///   One that does is also shrunk and replayed among all others, or it would miss what it saw.
///
///     law A     asks 1, 2    --+                          +--> answers to 1, 2    judged by A
///     law B     asks 3       --+--> one program, one run --+--> answer to 3        judged by B
package struct DocumentLaw: StatedLaw {
  /// What it says, and where that comes from.
  package let statement: LawStatement
  package let needs: Needs
  package let samples: Samples
  /// Whether it judges the answers to other laws' questions as well as to its own.
  ///
  /// Costs its independence: such a law fails or holds with what other laws ask, so that a campaign
  /// shrinks its failures with all laws in the plan.
  package let watchesAll: Bool
  /// Whether it reads the states that the history passed through (``Plan/rememberedStates``,
  /// ``Plan/lastingStates``).
  ///
  /// They are remembered only for laws that say so, and for laws of agreement, which compare them all: a
  /// trial of one law is cheaper than one of all. A law that reads them and does not say so is stopped.
  package let readsStates: Bool
  /// Whether each step is followed by questions for the places of all cursors (``Plan/positions``).
  ///
  /// Said by the law that reads the places, which is stopped otherwise, and by laws of cursors that do not:
  /// a subject that keeps where a cursor was is then asked before the cursor moves.
  package let watchesCursors: Bool
  /// Whether calls of its histories are refused where a subject obeys it: elsewhere a law has not held on a
  /// history that was not carried out.
  package let expectsRefusals: Bool
  package let scope: Scope

  /// Which histories the law is held against.
  ///
  /// In a campaign one case in five is a history of some law's own, taken in turn; the others serve
  /// all laws of `any` at once.
  package enum Samples: Sendable {
    /// Any: one history serves all laws of this kind at once.
    case any
    /// The histories of a generator of its own, for subjects that the limits describe.
    case own(@Sendable (HistoryLimits) -> Generator<History>)
  }

  /// How many subjects the law compares, and how it asks and judges.
  ///
  /// The closures run once for each history: they put questions into the plan and return what
  /// judges the answers. They must not keep the plan: positions in the transcript are known only to
  /// ``Answers``.
  package enum Scope: Sendable {
    /// Asks one subject.
    case one(@Sendable (inout Plan) -> OneSubjectJudge)
    /// Asks a subject and an oracle the same questions.
    case agreement(@Sendable (inout Plan) -> TwoSubjectJudge)
    /// Has a subject and an oracle load what the other saved: ``CrossLoading``, in a second run.
    case crossing
  }

  /// What a subject must be able to do for the law to say anything of it.
  ///
  /// A law whose needs are not met is skipped, with the missing thing as reason, and never counts
  /// as held. For a law of agreement the oracle must meet them, too.
  package struct Needs: Hashable, Sendable {
    package var features: Set<Feature>
    package var edits: Set<EditKind>
    package var transports: Set<Transport>
    package var objects: Set<ObjectKind>
    package var scalars: Set<ScalarKind>

    package init(
      _ features: Set<Feature> = [],
      edits: Set<EditKind> = [],
      transports: Set<Transport> = [],
      objects: Set<ObjectKind> = [],
      scalars: Set<ScalarKind> = []
    ) {
      self.features = features
      self.edits = edits
      self.transports = transports
      self.objects = objects
      self.scalars = scalars
    }

    /// The first thing missing, in words that go on from the subject's name; `nil` if nothing is.
    package func missing(from capabilities: Capabilities) -> String? {
      // Asked for each law of each case, and nearly always nothing is missing.
      guard !isMet(by: capabilities) else { return nil }
      let missing =
        features.subtracting(capabilities.features).map(\.lack)
        + edits.subtracting(capabilities.edits).map(\.lack)
        + transports.subtracting(capabilities.transports).map(\.lack)
        + objects.subtracting(capabilities.objects).map(\.lack)
        + scalars.subtracting(capabilities.scalars).map(\.lack)
      return missing.min()
    }

    private func isMet(by capabilities: Capabilities) -> Bool {
      features.isSubset(of: capabilities.features)
        && edits.isSubset(of: capabilities.edits)
        && transports.isSubset(of: capabilities.transports)
        && objects.isSubset(of: capabilities.objects)
        && scalars.isSubset(of: capabilities.scalars)
    }
  }

  package init(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    needs: Needs = Needs(),
    samples: Samples = .any,
    watchesAll: Bool = false,
    readsStates: Bool = false,
    watchesCursors: Bool = false,
    expectsRefusals: Bool = false,
    judging scope: Scope
  ) {
    statement = LawStatement(name, title, sentence, source: source)
    self.needs = needs
    self.samples = samples
    self.watchesAll = watchesAll
    self.readsStates = readsStates
    self.watchesCursors = watchesCursors
    self.expectsRefusals = expectsRefusals
    self.scope = scope
  }

  package var name: String { statement.name }
  package var source: LawSource { statement.source }
  /// Whether a violation is why other laws find something wrong on the same history, and is to be told first.
  package var explainsOthers: Bool { name == Self.callsSucceed.name }
}

/// Finds where the answers break a law; `nil` if they do not.
///
/// Nearly all judges pass over a question that was not answered: a call that failed is a failure of
/// `calls.succeed`, and would else be one of every law that asked. Laws of sync and of hostile peers
/// say it themselves.
package typealias OneSubjectJudge = @Sendable (Answers) -> Difference?

/// Finds where a subject departs from an oracle; `nil` if it does not.
package typealias TwoSubjectJudge = @Sendable (_ subject: Answers, _ oracle: Answers) -> Difference?

/// One instruction of a plan; gives its outcome once the program has run.
package struct Question: Hashable, Sendable {
  let stage: Plan.Stage
  let index: Int
  /// What is asked, where that is a state: `r0 after merging r1`.
  var name = ""
}

/// The instructions of a history and, among them, the questions of laws.
///
/// A program has three stages: the history itself; then the *divergent* stage, in which replicas may
/// know different things; then healing and the *converged* stage. Laws work on scratch
/// documents of their own, so that none sees what another did.
///
///     stage         instructions                                     who knows what
///     history       the steps, and `remember` behind some            as the history says
///     divergent     questions of laws on scratch documents           the same, nothing is healed
///     converged     healing, then questions                          every replica all changes
package struct Plan: Sendable {
  package enum Stage: Int, Hashable, Sendable {
    case history
    case divergent
    case converged
  }

  package let history: NormalisedHistory
  /// Replicas of the history, forks among them: documents `0..<replicaCount`.
  package let replicaCount: Int

  /// Indexed by ``Stage/rawValue``, as is `isForOracle`, which has one flag for each instruction.
  private var stages: [[Instruction]] = [[], [], []]
  /// Whether an oracle carries out each instruction as well.
  private var isForOracle: [[Bool]] = [[], [], []]
  /// The law that asks; `nil` for the history's own instructions.
  private var asker: DocumentLaw?
  /// The program, unless something was asked since it was put together.
  private var sealed: Program?
  private var scratchCount = 0
  private var slotCount = 0
  private var messageCount = 0
  private var markCount = 0
  /// For each step its own instructions in stage 0, without the questions behind it.
  ///
  /// A step of the network alone (`cut`, `mend`, `drop`) has an empty range.
  private var stepRanges: [Range<Int>] = []
  /// For each state that was remembered its question, the step before it, and the document.
  private var marks: [(question: Question, step: Int, document: Int)] = []
  /// The states that the history's own steps look at while a change is open.
  ///
  /// These are answers of the history itself; `agreement.states` compares them.
  package private(set) var openReads: [Question] = []
  /// The calls of the history's own steps that are to be refused.
  ///
  /// `replica` is the number of the document that was asked.
  package private(set) var attempts: [(question: Question, replica: Int, edit: Edit<ObjectName>)] =
    []

  /// Where each cursor of the history is, asked at every document that a step may have changed.
  ///
  /// For each cursor the step that takes it, and then its place on each document after each step
  /// that may have changed that one: up to ``History/cursorLimit`` questions for each document and
  /// step.
  package var positions: [Question] {
    if let asker {
      precondition(
        asker.watchesCursors,
        "\(asker.name) reads where cursors were and does not say `watchesCursors`"
      )
    }
    return cursorQuestions
  }
  private var cursorQuestions: [Question] = []
  /// Cursors that the history takes.
  package private(set) var cursorCount = 0

  /// Plans a history.
  ///
  /// `remembersStates` keeps and shows the state after each step that adds a change; `watchesCursors` asks
  /// where cursors are after each step.
  package init(
    _ history: NormalisedHistory,
    remembersStates: Bool,
    watchesCursors: Bool = false
  ) {
    self.history = history
    replicaCount = history.history.finalReplicaCount
    stages[0] = history.history.opening
    var lowering = Lowering(history: history.history)
    for (index, step) in history.history.steps.enumerated() {
      let start = stages[0].count
      stages[0] += lowering.lower(step)
      stepRanges.append(start..<stages[0].count)
      let question = Question(stage: .history, index: start)
      switch step {
      case .call(_, .read): openReads.append(question)
      case .call(let replica, .attempt(let edit)): attempts.append((question, replica, edit))
      case .call(_, .cursor):
        cursorCount += 1
        cursorQuestions.append(question)
      default: break
      }
      if watchesCursors, cursorCount > 0 {
        for document in Self.changed(by: stages[0][start...]) where document < replicaCount {
          for cursor in 1...cursorCount {
            cursorQuestions.append(Question(stage: .history, index: stages[0].count))
            stages[0].append(.call(document: document, .position(cursor)))
          }
        }
      }
      // Outside of the step's range, as the positions above: what a step did is not mixed with how it
      // is seen.
      // Where nothing came, nothing changed: looking would close a change that a rollback is to undo.
      if remembersStates, !history.withoutNews.contains(index), let replica = step.replicaOfChange {
        remember(replica, step: index)
      }
    }
    stages[2] = history.history.healingPhase(after: &lowering)
    isForOracle = stages.map { [Bool](repeating: true, count: $0.count) }
  }

  /// The documents that instructions may have changed, each once.
  private static func changed(by instructions: ArraySlice<Instruction>) -> [Int] {
    var documents: [Int] = []
    for instruction in instructions {
      switch instruction {
      case .edit(let document, _, _), .merge(let document, _), .deliver(_, let document, _),
        .load(let document, _, _), .fork(let document, _, _), .forkAt(let document, _, _, _),
        .call(let document, .rollback), .call(let document, .hear), .call(let document, .cursor):
        if !documents.contains(document) { documents.append(document) }
      case .sync(let document, let other, _): documents += [document, other]
      default: break
      }
    }
    return documents
  }

  /// The mark's number is the name under which the subject keeps the heads.
  private mutating func remember(_ replica: Int, step: Int) {
    var question = Question(stage: .history, index: stages[0].count)
    question.name = "r\(replica) after step \(step + 1)"
    stages[0].append(.remember(document: replica, mark: marks.count))
    marks.append((question, step, replica))
  }

  /// The states that were remembered, with the number that their heads are kept under.
  ///
  /// None, if the subject has no heads or cannot read the past.
  package var rememberedStates: [(question: Question, mark: Int, document: Int)] {
    if let asker {
      precondition(
        asker.readsStates || asker.isAgreement,
        "\(asker.name) reads remembered states and does not say `readsStates`"
      )
    }
    return marks.enumerated().map { ($1.question, $0, $1.document) }
  }

  /// The same but for those of replicas that started again, which may have lost the changes of an earlier
  /// state.
  package var lastingStates: [(question: Question, mark: Int, document: Int)] {
    let restarted = Set(history.history.steps.compactMap(\.restartedReplica))
    return rememberedStates.filter { !restarted.contains($0.document) }
  }

  // MARK: - Asking

  /// Adds an instruction to a stage.
  ///
  /// The caller that keeps the question judges the answer. An instruction may be asked for its
  /// effect alone; its question is then dropped.
  @discardableResult
  package mutating func ask(_ instruction: Instruction, _ stage: Stage) -> Question {
    sealed = nil
    stages[stage.rawValue].append(instruction)
    isForOracle[stage.rawValue].append(asker?.isAgreement ?? false)
    return Question(stage: stage, index: stages[stage.rawValue].count - 1)
  }

  /// Has a law ask; an oracle is asked what a law of agreement asks.
  mutating func asking<Judge>(
    for law: DocumentLaw,
    _ body: (inout Plan) -> Judge
  ) -> Judge {
    asker = law
    defer { asker = nil }
    return body(&self)
  }

  /// A document number that no other question uses.
  package mutating func scratchDocument() -> Int {
    scratchCount += 1
    return Self.firstScratch + scratchCount
  }

  /// A slot number that no other question uses.
  ///
  /// Above all slots of a history; the interpreter keeps heads for those of a history alone, so
  /// that `forkAt` does not work on a slot of a law.
  package mutating func scratchSlot() -> Int {
    slotCount += 1
    return Lowering.firstFreeSlot + slotCount
  }

  /// A message number that no other question uses.
  package mutating func scratchMessage() -> Int {
    messageCount += 1
    return Lowering.firstFreeSlot + messageCount
  }

  /// A mark's number that no other question uses.
  package mutating func scratchMark() -> Int {
    markCount += 1
    return Lowering.firstFreeSlot + markCount
  }

  /// A copy of a document, to be changed at will.
  ///
  /// The copy has the changes that wait in the original as well, which ``shown(of:_:)`` leaves out.
  package mutating func copy(of document: Int, _ stage: Stage) -> Int {
    let scratch = scratchDocument()
    ask(.fork(document: scratch, from: document, Self.scratchActor), stage)
    return scratch
  }

  /// A document with all that a document shows, and none of the changes that wait in it.
  ///
  /// Waiting changes do not travel by merging: which of two replicas holds one decides what a merge
  /// shows, and laws of merging speak of what is known.
  ///
  /// Worked example: c2 follows c1; c2 waits in r0, and r1 has c1.
  ///
  ///     r0 merges r1      shows c1 and c2, for c1 releases what waited
  ///     r1 merges r0      shows c1, for c2 waits in r0 and does not travel
  ///
  /// Both are right, so that a law of merging on the replicas themselves would raise a false alarm.
  ///
  /// Source: Decisions/0004-merge-laws-on-shown-copies.md.
  package mutating func shown(of document: Int, _ stage: Stage) -> Int {
    let scratch = scratchDocument()
    ask(.create(document: scratch, Self.scratchActor), stage)
    ask(.merge(document: scratch, from: document), stage)
    return scratch
  }

  /// Asks for the state of a document.
  ///
  /// `name` says whose state it is, for a failure that compares it; a replica needs none.
  package mutating func observe(
    _ document: Int,
    _ stage: Stage,
    as name: @autoclosure () -> String = ""
  ) -> Question {
    var question = ask(.observe(document: document), stage)
    let given = name()
    question.name =
      given.isEmpty
      ? "\(self.name(of: document, before: program.instructions.count)) \(stage.time)" : given
    return question
  }

  /// Numbers of scratch documents are above this one, those of replicas below.
  ///
  /// A history has fewer than 25 replicas (``History/replicaLimit``), and two copies from 900 on
  /// for a sync in which a side starts again.
  static var firstScratch: Int { 1000 }

  /// The writer of scratch documents, which are never edited.
  package static var scratchActor: ActorID { ActorID(repeating: 0xdd) }

  // MARK: - The program

  /// All that was asked.
  ///
  /// Cost: all instructions are copied, unless the plan is sealed.
  package var program: Program {
    if let sealed { return sealed }
    var program = Program()
    program.instructions = stages.flatMap(\.self)
    return program
  }

  /// What an oracle is asked: the history, healing, and the questions of the laws that compare it.
  ///
  /// The other laws never see its answers, and change scratch documents of their own alone.
  ///
  /// An oracle that carried out all questions would take as long as the subject for answers that
  /// are never read.
  package var oracleProgram: Program {
    var program = Program()
    for (instructions, isWanted) in zip(stages, isForOracle) {
      for (instruction, isWanted) in zip(instructions, isWanted) where isWanted {
        program.instructions.append(instruction)
      }
    }
    return program
  }

  /// The answers to ``oracleProgram`` at the places of the whole program; what was not asked is `done`.
  package func spread(_ transcript: Transcript) -> Transcript {
    var answers = transcript.outcomes.makeIterator()
    // A judge of agreement asks both sides at one position, so that both transcripts need one
    // length.
    var spread: [Outcome] = []
    spread.reserveCapacity(isForOracle.reduce(0) { $0 + $1.count })
    for isWanted in isForOracle.joined() {
      spread.append(isWanted ? answers.next() ?? .done : .done)
    }
    return Transcript(outcomes: spread)
  }

  /// Puts the program together, once everything is asked.
  mutating func seal() {
    sealed = program
  }

  /// The position in the program's transcript.
  ///
  /// Stages are concatenated, so that a question knows its place only once all questions are asked;
  /// a stage and an index do not move.
  func position(of question: Question) -> Int {
    switch question.stage {
    case .history: question.index
    case .divergent: question.index + stages[0].count
    case .converged: question.index + stages[0].count + stages[1].count
    }
  }

  /// The stage of a position in the program's transcript.
  func stage(ofPosition position: Int) -> Stage {
    position < stages[0].count
      ? .history : position < stages[0].count + stages[1].count ? .divergent : .converged
  }

  /// The positions in the transcript of a step's instructions.
  func positions(ofStep index: Int) -> Range<Int> { stepRanges[index] }
}

extension Step {
  /// The replica whose history may have grown by this step.
  fileprivate var replicaOfChange: Int? {
    switch self {
    case .commit(let replica), .call(let replica, .commit): replica
    case .call(let replica, .burst(let burst)): burst.commits ? replica : nil
    case .call(let replica, .sync): replica
    case .exchange(_, let to, _): to
    default: nil
    }
  }
}

extension Step {
  fileprivate var restartedReplica: Int? {
    guard case .restart(let replica, _, _) = self else { return nil }
    return replica
  }
}
