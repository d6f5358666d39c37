import DocumentLaws
import DocumentModel
import Foundation
import Histories
import PropertyEngine
import Subjects
import Testing

@testable import ForeignSubjects

/// The real Automerge, where `make` could set it up.
enum RealAutomerge {
  static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let folder = packageRoot.appendingPathComponent("Adapters/automerge")

  /// Whether the package's own Python is there, which has the module if it has anything.
  static let isInstalled = FileManager.default.isExecutableFile(
    atPath: packageRoot.appendingPathComponent(AdapterCommand.pythonPath).path
  )

  static func subject() throws -> ForeignSubject {
    try ForeignSubject(folder: folder)
  }
}

/// What is listed for an adapter can be judged without it.
@Suite("Descriptions of adapters")
struct AdapterDescriptionTests {
  static let folders = AdapterManifest.folders(
    in: RealAutomerge.packageRoot.appendingPathComponent("Adapters")
  )

  @Test("There is one for each adapter, under the id of its folder")
  func haveIDs() throws {
    let ids = try Self.folders.map { try AdapterManifest(folder: $0).id }
    #expect(ids == ["automerge", "loro", "template", "yrs"])
    #expect(ids == Self.folders.map(\.lastPathComponent))
    let onRequest = try Self.folders.filter { try AdapterManifest(folder: $0).isOnRequest }
    #expect(onRequest.map(\.lastPathComponent) == ["loro", "template", "yrs"])
  }

  @Test(
    "Every listed divergence has a known condition and a case in which it holds",
    arguments: folders
  )
  func listsUsableCases(_ folder: URL) throws {
    let listed = try AdapterManifest(folder: folder).knownDivergences
    #expect(listed.isEmpty == (folder.lastPathComponent == "template"))
    for divergence in listed {
      let condition = try divergence.predicate()
      let text = try String(contentsOf: divergence.caseFile, encoding: .utf8)
      let file = try CaseFile.parse(utf8: Array(text.utf8))
      #expect(file.render() == text)
      let history = try History(text: file.sample)
      let normalised = normalise(history)
      #expect(normalised.history == history, "\(divergence.caseFile.lastPathComponent)")
      #expect(condition.holds(for: normalised.history))
      #expect(!divergence.reason.isEmpty)
    }
  }

  @Test("Each case is of a divergence that is listed", arguments: folders)
  func listsEveryCase(_ folder: URL) throws {
    let listed = try AdapterManifest(folder: folder).knownDivergences
    let cases = folder.appendingPathComponent("cases")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: cases.path)) ?? []
    let files = Set(names.filter { $0.hasSuffix(".case") })
    #expect(files == Set(listed.map(\.caseFile.lastPathComponent)))
  }

  @Test("The adapter has at most 170 lines, none of more than 100 characters")
  func staysSmall() throws {
    let file = RealAutomerge.folder.appendingPathComponent("adapter.py")
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    #expect(lines.count <= 171)
    #expect(lines.allSatisfy { $0.count <= 100 })
  }
}

// All need the Python environment that `make` sets up; without it there is nothing to judge.
@Suite("The real Automerge", .enabled(if: RealAutomerge.isInstalled))
struct AutomergeAdapterTests {
  private let subject: ForeignSubject

  init() throws {
    subject = try RealAutomerge.subject()
  }

  /// The observations that a history in text form gives, of all replicas and before healing.
  private func observations(of text: String) throws -> [Observation] {
    let history = normalise(try History(text: text)).history
    var program = Program(history.opening)
    var lowering = Lowering(history: history)
    for step in history.steps { program.instructions += lowering.lower(step) }
    let count = history.finalReplicaCount
    program.instructions += (0..<count).map { .observe(document: $0) }
    let outcomes = try subject.session().run(program).outcomes
    return outcomes.suffix(count).compactMap { outcome in
      if case .observed(let observation) = outcome { observation } else { nil }
    }
  }

  private func id(_ counter: UInt32, _ replica: Int) -> OpID {
    OpID(counter: counter, actor: History.actor(replica))
  }

  private func winner(_ id: OpID?, _ content: ObservedValue.Content) -> ObservedRegister {
    ObservedRegister(values: [ObservedValue(id: id, content: content)], isComplete: false)
  }

  private func winner(_ id: OpID, _ scalar: Scalar) -> ObservedRegister {
    winner(id, .scalar(scalar))
  }

  @Test("It states what its binding can do, and no more")
  func statesCapabilities() {
    #expect(subject.id == "automerge")
    #expect(subject.version == "0.5.7")
    let able = subject.capabilities
    #expect(able.edits == Set(EditKind.allCases))
    #expect(able.scalars == Set(ScalarKind.allCases).subtracting([.counter, .unknown]))
    #expect(able.transports == [.merge, .document])
    #expect(
      able.features == [
        .heads, .operationIDs, .history, .save, .fork, .contiguousRuns, .automergeSemantics,
        .counterBase, .sync, .patches, .conflictPatches,
      ]
    )
  }

  @Test("A conflict on a key shows the winner with its operation")
  func showsWinner() throws {
    let states = try observations(
      of: """
        history 1
        base empty
        replicas 2
        healing merge
        r0 put root "k" int 1
        r0 put root "k" int 2
        r1 put root "k" string "x"
        r1 put root "e\\u{301}" null
        r0 -> r1 document
        r1 -> r0 merge
        """
    )
    let root = ObservedObject(
      id: .root,
      content: .map([
        ObservedObject.Entry(key: "e\u{301}", register: winner(id(2, 1), .null)),
        ObservedObject.Entry(key: "k", register: winner(id(2, 0), .int(2))),
      ])
    )
    #expect(states.map(\.root) == [root, root])
    #expect(states.map { $0.heads?.scheme } == ["automerge", "automerge"])
    #expect(states.map { $0.heads?.ids.count } == [2, 2])
    #expect(states[0].heads == states[1].heads)
  }

  @Test("Patches are read from what the binding prints, every value and name as it is")
  func readsPatches() throws {
    let (root, map) = (ObjectName.root, ObjectName(1))
    let key: ExactString = "\"\n\u{2028}e\u{301}\u{1f600}\u{0}'\\{, "
    let values: [Scalar] = [
      .string(key), .bytes([0, 255]), .float(-0.0), .float(1e300), .uint(.max), .timestamp(-1),
      .boolean(true), .null, .float(.nan),
    ]
    var instructions: [Instruction] = [
      .create(document: 0, id(1, 0).actor), .remember(document: 0, mark: 0),
      .edit(document: 0, .putObject(root, .key(key), .map), makes: map),
    ]
    for (number, value) in values.enumerated() {
      let edit = Edit.put(map, .key(ExactString("\(number)")), value)
      instructions.append(.edit(document: 0, edit, makes: nil))
    }
    instructions += [
      .edit(document: 0, .putObject(root, .key("t"), .text), makes: ObjectName(2)),
      .edit(
        document: 0,
        .spliceText(ObjectName(2), index: 0, deleting: 0, inserting: "h\u{1f600}"),
        makes: nil
      ),
      .edit(
        document: 0,
        .mark(ObjectName(2), Marking(1, to: 2, key, .int(5), expand: .none)),
        makes: nil
      ),
      .remember(document: 0, mark: 1), .call(document: 0, .difference(from: 0, to: 1)),
      .call(document: 0, .difference(from: 1, to: 0)),
    ]
    let outcomes = try subject.session().run(Program(instructions)).outcomes
    func put(_ number: Int, _ content: ObservedValue.Content) -> ObservedPatch {
      let slot = Slot.key(ExactString("\(number)"))
      let value = ObservedValue(id: id(UInt32(number + 2), 0), content: content)
      return ObservedPatch([.key(key)], .put(slot, value))
    }
    func object(_ counter: UInt32, _ kind: ObjectKind) -> ObservedValue {
      let empty = ObservedObject(empty: kind, id: .made(id(counter, 0)))
      return ObservedValue(id: id(counter, 0), content: .object(empty))
    }
    func letter(_ counter: UInt32, _ text: ExactString) -> ObservedValue {
      ObservedValue(id: id(counter, 0), content: .scalar(.string(text)))
    }
    let mark = ObservedMark(name: key, value: .int(5), range: 1..<2)
    let expected =
      [
        ObservedPatch([], .put(.key(key), object(1, .map))),
        ObservedPatch([], .put(.key("t"), object(11, .text))),
      ]
      + values.dropLast().enumerated().map { put($0, .scalar($1)) } + [
        put(8, .hidden(.float)),
        ObservedPatch([.key("t")], .insert(index: 0, [letter(12, "h")])),
        ObservedPatch([.key("t")], .insert(index: 1, [letter(13, "\u{1f600}")])),
        ObservedPatch([.key("t")], .marks([mark])),
      ]
    #expect(outcomes.suffix(2).first == .patches(expected))
    let gone = [ObservedPatch([], .deleteKey(key)), ObservedPatch([], .deleteKey("t"))]
    #expect(outcomes.last == .patches(gone))
  }

  @Test("Concurrent runs of text come in the order of the specification, element by element")
  func showsText() throws {
    let states = try observations(
      of: """
        history 1
        base empty
        replicas 2
        healing merge
        r0 put root "t" new text as text1
        r0 -> r1 merge
        r0 type text1 0 delete 0 insert "ab"
        r1 type text1 0 delete 0 insert "XY"
        r0 -> r1 merge
        r1 type text1 1 delete 2 insert "\\u{1f600}"
        """
    )
    let elements = [
      winner(id(2, 1), .string("X")), winner(id(6, 1), .string("\u{1f600}")),
      winner(id(3, 0), .string("b")),
    ]
    let text = ObservedObject(
      id: .made(id(1, 0)),
      content: .text("X\u{1f600}b", length: 3, elements: elements)
    )
    let entry = ObservedObject.Entry(key: "t", register: winner(id(1, 0), .object(text)))
    #expect(states.last?.root == ObservedObject(id: .root, content: .map([entry])))
  }

  @Test("Every scalar that it can write comes back as it was")
  func carriesScalars() throws {
    let scalars = Samples.scalars.filter { scalar in
      if case .timestamp(.max) = scalar { return false }
      return subject.capabilities.scalars.contains(scalar.kind)
    }
    let moments: [Int64] = [
      0, -1, 1, 999, 1_700_000_000_123, 253_402_300_799_999, -62_135_510_400_000,
    ]
    let values = scalars + moments.map { .timestamp($0) }
    var program = Program([.create(document: 0, ActorID(repeating: 1))])
    let list = ObjectName(1)
    program.instructions.append(
      .edit(document: 0, .putObject(.root, .key("l"), .list), makes: list)
    )
    for (index, value) in values.enumerated() {
      program.instructions.append(
        .edit(document: 0, .insert(list, index: index, value), makes: nil)
      )
    }
    program.instructions.append(.observe(document: 0))
    let outcomes = try subject.session().run(program).outcomes
    let registers = values.enumerated().map { winner(id(UInt32($0 + 2), 0), $1) }
    let expected = ObservedObject(id: .made(id(1, 0)), content: .list(registers))
    guard case .observed(let observation) = outcomes.last,
      case .map(let entries) = observation.root.content
    else {
      Issue.record("no observation: \(outcomes.suffix(1))")
      return
    }
    #expect(entries.map(\.register) == [winner(id(1, 0), .object(expected))])
  }

  @Test("A moment outside of the years that the binding has is an error, not another moment")
  func refusesMoments() throws {
    for moment in [Int64.max, .min, 253_402_300_800_000, -62_135_596_800_001] {
      let program = Program([
        .create(document: 0, ActorID(repeating: 1)),
        .edit(document: 0, .put(.root, .key("k"), .timestamp(moment)), makes: nil),
        .observe(document: 0),
      ])
      let outcomes = try subject.session().run(program).outcomes
      guard case .refused = outcomes[1], case .observed(let observation) = outcomes[2] else {
        Issue.record("\(outcomes)")
        continue
      }
      #expect(observation.root.content == .map([]))
    }
  }

  @Test("Counters of the saved base are incremented, and shown as hidden")
  func hidesCounters() throws {
    let states = try observations(
      of: """
        history 1
        base counters
        replicas 2
        healing merge
        r0 increment root "n" 5
        r1 put root "n2" int 1
        r1 -> r0 merge
        """
    )
    let entries = [
      ObservedObject.Entry(key: "n", register: winner(nil, .hidden(.counter))),
      ObservedObject.Entry(key: "n2", register: winner(id(3, 1), .int(1))),
    ]
    #expect(states.first?.root.content == .map(entries))
  }

  @Test("What is not there is refused to an edit, fails any other instruction, and ends no program")
  func goesOnAfterFailures() throws {
    let program = Program([
      .commit(document: 7), .create(document: 0, ActorID(repeating: 1)),
      .edit(document: 0, .delete(ObjectName(4), .key("k")), makes: nil),
      .recall(document: 0, mark: 3), .load(document: 1, slot: 1, ActorID(repeating: 2)),
      .edit(document: 0, .put(.root, .index(0), .null), makes: nil),
      .edit(document: 0, .put(.root, .key("k"), .counter(1)), makes: nil), .observe(document: 0),
    ])
    let outcomes = try subject.session().run(program).outcomes
    let names = outcomes.map { outcome in
      switch outcome {
      case .done: "done"
      case .failed: "failed"
      case .refused: "refused"
      case .observed: "observed"
      default: "other"
      }
    }
    #expect(
      names == ["done", "done", "refused", "failed", "failed", "refused", "refused", "observed"]
    )
  }

  @Test("Every listed divergence shows in its case, and the specification does otherwise")
  func showsListedDivergences() throws {
    let session = subject.session()
    for divergence in subject.knownDivergences {
      let file = try CaseFile.parse(utf8: Array(Data(contentsOf: divergence.caseFile)))
      let laws = DocumentLaw.all.filter { law in
        divergence.law.hasSuffix("*")
          ? law.name.hasPrefix(divergence.law.dropLast()) : law.name == divergence.law
      }
      let trial = Trial(
        normalise(try History(text: file.sample)),
        laws: laws,
        subject: subject.capabilities,
        oracle: naiveSubject.capabilities
      )
      let expected = try naiveSubject.session().run(trial.plan.program)
      func violatedLaws(_ transcript: Transcript) -> [String] {
        trial.verdicts(subject: transcript, oracle: expected).compactMap { law, verdict in
          if case .violated = verdict { law.name } else { nil }
        }
      }
      #expect(violatedLaws(try session.run(trial.plan.program)) != [], "\(divergence.law)")
      #expect(violatedLaws(expected) == [], "\(divergence.law)")
    }
  }

  @Test("Random histories agree with the specification wherever nothing is listed")
  func agreesWithSpecification() throws {
    let capabilities = subject.capabilities.intersection(naiveSubject.capabilities)
    let generator = Generator<History>.histories(HistoryLimits(capabilities: capabilities))
    let laws = DocumentLaw.all.filter {
      if case .any = $0.samples { !$0.isCrossing } else { false }
    }
    let listed = try subject.knownDivergences.map { try $0.predicate() }
    let session = subject.session()
    var judgedCount = 0
    for seed in 0..<150 {
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      let history = normalise(generator.draw(&choices))
      guard !listed.contains(where: { $0.holds(for: history.history) }) else { continue }
      judgedCount += 1
      let trial = Trial(
        history,
        laws: laws,
        subject: subject.capabilities,
        oracle: naiveSubject.capabilities
      )
      let verdicts = trial.verdicts(
        subject: try session.run(trial.plan.program),
        oracle: try naiveSubject.session().run(trial.plan.program)
      )
      for (law, verdict) in verdicts {
        #expect(verdict == .held, "seed \(seed), \(law.name)\n\(history.history.text)")
      }
    }
    #expect(judgedCount > 40)
  }
}
