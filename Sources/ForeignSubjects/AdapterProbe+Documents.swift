import DocumentModel
import Histories
import PropertyEngine

// Checks that run programs: what the adapter states must work, what does not fit must not harm.

extension AdapterProbe {
  static let documentChecks: [Check] = [
    Check(
      "instructions",
      "Carries out every instruction that its capabilities allow.",
      advice: "Implement the instruction, or leave what needs it out of \"capabilities\"."
    ) { try $0.checkInstructions() },
    Check(
      "edits",
      "Carries out every edit that it states, and shows what it did.",
      advice: "Compare the edit with its line in LineProtocol.md, or leave it out of \"edits\"."
    ) { try $0.checkEdits() },
    Check(
      "scalars",
      "Shows every kind of scalar that it states as it was written.",
      advice: "Show the kind and the text that were written, or leave the kind out of \"scalars\"."
    ) { try $0.checkScalars() },
    Check(
      "strings",
      "Keeps hostile and huge strings byte for byte, as keys, values and text.",
      advice: """
        Read and write UTF-8 without normalising; count Unicode scalars, not bytes or UTF-16 units; \
        compare keys by their bytes.
        """
    ) { try $0.checkStrings() },
    Check(
      "run.fresh",
      "Keeps nothing from one program to the next.",
      advice: "Make new tables of documents, objects, messages and slots for each program."
    ) { probe in
      let conversation = try probe.conversation()
      _ = try conversation.run([.create(document: 0, actor)])
      let outcomes = try conversation.run([.observe(document: 0)])
      guard case .failed = outcomes[0] else {
        throw AdapterFlaw("a document of an earlier program: \(outcomes[0].nameAndWords)")
      }
    },
    Check(
      "run.what-is-not-there",
      "Fails what names nothing that is there, leaves documents as they were, and goes on.",
      advice: "Let it be [\"failed\",\"why\"], or [\"refused\",\"why\"] for an edit."
    ) { try $0.checkMissing() },
    Check(
      "run.copies",
      "Sends and saves copies: what the document does later is not in them.",
      advice: """
        Keep what the document holds at the moment of send and save: its bytes, or a copy of it, and not the \
        document itself.
        """
    ) { try $0.checkCopies() },
    Check(
      "run.second-life",
      "Goes on as the same writer after a load: nothing that it wrote before is lost or comes back.",
      advice: """
        Take the writer's own clock or sequence number from what is loaded, as you do with those of others. Where \
        your library wants a new id for each session, count the sessions of a writer.
        """
    ) { try $0.checkSecondLife() },
    Check(
      "run.large",
      "Answers a program of 2000 edits in time and in measure.",
      advice: "Look for work that grows with the document at every edit; flush once an answer."
    ) { try $0.checkLarge() },
    Check(
      "run.repeats",
      "Answers the same program the same way: in one process, and in another.",
      advice: """
        Take clocks, random numbers, hash orders and ids of earlier programs out: name a writer after \
        the actor that the instruction gives.
        """
    ) { try $0.checkRepeats() },
  ]

  /// The simplest scalar that can be written.
  private var scalar: Scalar? {
    let simple: [Scalar] = [
      .int(5), .string("x"), .boolean(true), .null, .uint(5), .float(1.5), .bytes([0, 255]),
      .timestamp(1_700_000_000_123), .counter(5), .unknown(typeCode: 15, bytes: [1]),
    ]
    return simple.first { able.scalars.contains($0.kind) }
  }

  /// An edit of the root that fits, if there is one.
  private var someEdit: Instruction? { edit(ofKey: "k", makes: ObjectName(900)) }

  /// Another scalar that can be written; nothing where there is one alone.
  private var otherScalar: Scalar? {
    let others: [Scalar] = [
      .int(6), .string("y"), .boolean(false), .uint(6), .float(2.5), .bytes([1]), .timestamp(1),
      .counter(6), .unknown(typeCode: 15, bytes: [2]),
    ]
    return others.first { able.scalars.contains($0.kind) }
  }

  /// An edit of a key of the root that fits, if there is one.
  ///
  /// It writes `value` or the simplest scalar; `name` is that of an object that it makes.
  private func edit(
    ofKey key: ExactString,
    to value: Scalar? = nil,
    makes name: ObjectName
  ) -> Instruction? {
    if able.edits.contains(.put), let value = value ?? scalar {
      return .edit(document: 0, .put(.root, .key(key), value), makes: nil)
    }
    guard able.edits.contains(.putObject),
      let kind = ObjectKind.allCases.first(where: able.objects.contains)
    else { return nil }
    return .edit(document: 0, .putObject(.root, .key(key), kind), makes: name)
  }

  // MARK: - Instructions

  /// Instructions with the names of the outcomes that they must have.
  private var instructions: [(instruction: Instruction, outcome: String)] {
    var list: [(Instruction, String)] = [(.create(document: 0, Self.actor), "done")]
    let other = ActorID(repeating: 2)
    if let someEdit { list.append((someEdit, "edited")) }
    list += [(.commit(document: 0), "done"), (.commit(document: 0), "done")]
    list.append((.observe(document: 0), "observed"))
    if able.features.contains(.fork) {
      list += [(.fork(document: 1, from: 0, other), "done"), (.observe(document: 1), "observed")]
    }
    list.append((.create(document: 2, ActorID(repeating: 3)), "done"))
    if able.transports.contains(.merge) {
      list += [
        (.merge(document: 2, from: 0), "done"), (.merge(document: 2, from: 2), "done"),
        (.observe(document: 2), "observed"),
      ]
    }
    let transports = Transport.allCases.filter(able.transports.contains)
    for (index, transport) in transports.enumerated() {
      for (offset, scope) in [Instruction.Scope.unsent, .missing].enumerated() {
        let message = 2 * index + offset + 1
        let receiver = 10 + message
        list += [
          (.create(document: receiver, ActorID(repeating: 4)), "done"),
          (.send(message: message, from: 0, to: receiver, transport, scope), "sent"),
          (.deliver(message: message, document: receiver, part: nil), "done"),
          (.deliver(message: message, document: receiver, part: nil), "done"),
        ]
        if transport == .changes {
          list.append((.deliverReversed(message: message, document: receiver), "done"))
          if someEdit != nil {
            list.append((.deliver(message: message, document: receiver, part: 0), "done"))
          }
        }
        list.append((.observe(document: receiver), "observed"))
      }
    }
    if able.features.contains(.save) {
      list += [
        (.save(document: 0, slot: 5), "saved"), (.load(document: 3, slot: 5, other), "done"),
        (.observe(document: 3), "observed"), (.load(document: 0, slot: 5, Self.actor), "done"),
        (.observe(document: 0), "observed"),
      ]
    }
    if able.features.isSuperset(of: [.heads, .history]) {
      list += [
        (.remember(document: 0, mark: 1), "observed"), (.recall(document: 0, mark: 1), "observed"),
      ]
    }
    if able.features.contains(.sync) {
      list += [
        (.create(document: 4, ActorID(repeating: 7)), "done"),
        (.sync(document: 0, with: 4, [.deliver, .double, .lose, .late]), "synced"),
        (.observe(document: 4), "observed"),
      ]
    }
    // A document may be made again under a number that is in use.
    list += [(.create(document: 0, Self.actor), "done"), (.observe(document: 0), "observed")]
    for (index, base) in Base.available(to: able).enumerated() where base != .empty {
      list += [
        (.base(document: 50 + index, base), "done"),
        (.observe(document: 50 + index), "observed"),
      ]
    }
    return list
  }

  private func checkInstructions() throws {
    let list = instructions
    let outcomes = try run(list.map(\.instruction))
    var original: Observation?
    for ((instruction, due), outcome) in zip(list, outcomes) {
      guard outcome.name == due else {
        throw AdapterFlaw("\(instruction.name) gave \(outcome.nameAndWords) instead of \(due)")
      }
      if case .sent(let parts) = outcome, case .send(_, _, _, let transport, _) = instruction,
        transport != .changes, parts != 1
      {
        throw AdapterFlaw("a message by \(transport) has \(parts) parts instead of one")
      }
      guard case .observed(let state) = outcome else { continue }
      if able.features.contains(.heads), state.heads == nil, case .observe = instruction {
        throw AdapterFlaw("it states heads, and observe shows none")
      }
      switch instruction {
      case .observe(document: 0) where original == nil:
        original = state
      case .observe(let document) where (1...20).contains(document):
        // All of them have been given all that document 0 has.
        guard let original, let difference = state.difference(from: original),
          document != 2 || able.transports.contains(.merge)
        else { continue }
        throw AdapterFlaw(
          "document \(document), which was given all of document 0, shows another state: "
            + difference.summary
        )
      default: break
      }
    }
  }

  // MARK: - What is not there

  private func checkMissing() throws {
    var list: [Instruction] = [.create(document: 0, Self.actor)]
    if let someEdit { list.append(someEdit) }
    list += [.commit(document: 0), .observe(document: 0)]
    let start = list.count
    if able.edits.contains(.put), let scalar {
      list += [
        .edit(document: 0, .put(ObjectName(77), .key("k"), scalar), makes: nil),
        .edit(document: 42, .put(.root, .key("k"), scalar), makes: nil),
      ]
    }
    if able.edits.contains(.delete) {
      list.append(.edit(document: 0, .delete(.root, .index(3)), makes: nil))
    }
    if able.transports.contains(.merge) { list.append(.merge(document: 0, from: 42)) }
    if let transport = Transport.allCases.first(where: able.transports.contains) {
      list += [
        .send(message: 9, from: 42, to: 0, transport, .unsent),
        .deliver(message: 99, document: 0, part: nil),
      ]
    }
    if able.features.contains(.fork) { list.append(.fork(document: 1, from: 42, Self.actor)) }
    if able.features.contains(.save) {
      list += [.save(document: 42, slot: 1), .load(document: 1, slot: 99, Self.actor)]
    }
    if able.features.contains(.history) { list.append(.recall(document: 0, mark: 99)) }
    if able.features.contains(.sync) { list.append(.sync(document: 0, with: 42, [])) }
    list += [.observe(document: 42), .observe(document: 0)]
    let outcomes = try run(list)
    for (instruction, outcome) in zip(list, outcomes).dropFirst(start).dropLast() {
      switch outcome {
      case .failed, .refused: continue
      default:
        throw AdapterFlaw(
          "\(instruction.name) of what is not there gave \(outcome.name) instead of failed"
        )
      }
    }
    guard case .observed(let before) = outcomes[start - 1],
      case .observed(let after)? = outcomes.last
    else { throw AdapterFlaw("the document could not be observed") }
    if let difference = after.difference(from: before) {
      throw AdapterFlaw("the document is not as it was: \(difference.summary)")
    }
  }

  // MARK: - Copies

  /// Sends and saves a document, edits it, and looks at what arrives.
  private func checkCopies() throws {
    guard let someEdit, let laterEdit = edit(ofKey: "later", makes: ObjectName(901)) else {
      throw AdapterSkip(reason: "needs put or putObject")
    }
    var copies: [(way: String, take: [Instruction], read: [Instruction])] = []
    for (index, transport) in Transport.allCases.filter(able.transports.contains).enumerated() {
      let (message, receiver) = (index + 1, index + 10)
      copies.append(
        (
          "a message by \(transport)",
          [
            .create(document: receiver, ActorID(repeating: 4)),
            .send(message: message, from: 0, to: receiver, transport, .missing),
          ],
          [
            .deliver(message: message, document: receiver, part: nil),
            .observe(document: receiver),
          ]
        )
      )
    }
    if able.features.contains(.save) {
      copies.append(
        (
          "a saved document", [.save(document: 0, slot: 5)],
          [.load(document: 5, slot: 5, ActorID(repeating: 2)), .observe(document: 5)]
        )
      )
    }
    guard !copies.isEmpty else { throw AdapterSkip(reason: "needs a transport or save") }
    let start: [Instruction] = [
      .create(document: 0, Self.actor), someEdit, .commit(document: 0), .observe(document: 0),
    ]
    let later: [Instruction] = [laterEdit, .commit(document: 0)]
    let outcomes = try run(start + copies.flatMap(\.take) + later + copies.flatMap(\.read))
    guard case .observed(let sent) = outcomes[start.count - 1] else {
      throw AdapterFlaw("the document could not be observed")
    }
    var index = start.count + copies.flatMap(\.take).count + later.count - 1
    for (way, _, read) in copies {
      index += read.count
      guard case .observed(let state) = outcomes[index] else {
        throw AdapterFlaw("\(way) that arrives late gave \(outcomes[index].nameAndWords)")
      }
      guard let difference = state.difference(from: sent) else { continue }
      throw AdapterFlaw(
        "\(way) shows another state than the document had then: \(difference.summary)"
      )
    }
  }

  // MARK: - A second life

  /// Lets a writer go on after a load, and compares it with one that was never stored.
  ///
  /// A writer that forgets how far it had come names its next edits like earlier ones. These are then lost, or
  /// the new ones are: here, or where others have heard of the earlier ones.
  private func checkSecondLife() throws {
    guard able.features.contains(.save) else { throw AdapterSkip(reason: "needs save") }
    let keys: [(ExactString, Scalar?)] = [
      ("k", nil), ("kept", nil), ("k", otherScalar), ("new", nil),
    ]
    let edits = keys.enumerated().compactMap { index, written in
      edit(ofKey: written.0, to: written.1, makes: ObjectName(900 + index))
    }
    guard edits.count == keys.count else { throw AdapterSkip(reason: "needs put or putObject") }
    let transports = Transport.allCases.filter(able.transports.contains)
    func shares(_ round: Int) -> [Instruction] {
      transports.enumerated().flatMap { index, transport -> [Instruction] in
        let message = 10 * round + index
        return [
          .send(message: message, from: 0, to: 10 + index, transport, .missing),
          .deliver(message: message, document: 10 + index, part: nil),
        ]
      }
    }
    func life(_ between: [Instruction]) throws -> [Observation] {
      let others = transports.indices.map { 10 + $0 }
      let creations = ([0] + others).map {
        Instruction.create(document: $0, $0 == 0 ? Self.actor : ActorID(repeating: UInt8($0)))
      }
      let list =
        creations + edits[..<2] + [.commit(document: 0)] + shares(1) + between + edits[2...]
        + [.commit(document: 0)] + shares(2) + ([0] + others).map { .observe(document: $0) }
      return try run(list).compactMap { outcome in
        // Heads may name the session that wrote.
        if case .observed(let state) = outcome { Observation(root: state.root) } else { nil }
      }
    }
    let unbroken = try life([])
    let resumed = try life([
      .save(document: 0, slot: 5), .load(document: 0, slot: 5, Self.actor),
    ])
    let places = ["the document"] + transports.map { "one that hears of it by \($0)" }
    guard unbroken.count == places.count, resumed.count == places.count else {
      throw AdapterFlaw("a document could not be observed")
    }
    for (place, (state, due)) in zip(places, zip(resumed, unbroken)) {
      guard let difference = state.difference(from: due) else { continue }
      throw AdapterFlaw(
        "\(place) shows another state than where the writer was not loaded between: "
          + difference.summary
      )
    }
  }

  // MARK: - Size and repetition

  private func checkLarge() throws {
    guard let someEdit else { throw AdapterSkip(reason: "needs put or putObject") }
    var list: [Instruction] = [.create(document: 0, Self.actor)]
    if able.edits.isSuperset(of: [.putObject, .spliceText]), able.objects.contains(.text) {
      let text = ObjectName(1)
      list.append(.edit(document: 0, .putObject(.root, .key("t"), .text), makes: text))
      for index in 0..<2000 {
        let edit = Edit.spliceText(text, index: index, deleting: 0, inserting: "x")
        list.append(.edit(document: 0, edit, makes: nil))
      }
    } else {
      list += Array(repeating: someEdit, count: 2000)
    }
    list.append(.observe(document: 0))
    let outcomes: [Outcome]
    do {
      outcomes = try run(list)
    } catch let failure as AdapterFailure {
      guard case .timedOut = failure.reason else { throw failure }
      throw AdapterSlowness(failure: failure)
    }
    let due = ["done"] + Array(repeating: "edited", count: list.count - 2) + ["observed"]
    for (outcome, due) in zip(outcomes, due) where outcome.name != due {
      throw AdapterFlaw(
        "an edit of them gave \(outcome.nameAndWords) instead of \(due)",
        advice:
          "Find out why the edit fails, which fits: what stands behind its name are the adapter's own words."
      )
    }
  }

  private func checkRepeats() throws {
    let program = instructions.map(\.instruction)
    let conversation = try conversation()
    let first = try conversation.run(program)
    let second = try conversation.run(program)
    let elsewhere = try run(program)
    for (words, other) in [("in the same process", second), ("in another process", elsewhere)] {
      guard other != first else { continue }
      let index = zip(first, other).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
      throw AdapterFlaw("\(words), \(program[index].name) (outcome \(index)) had another outcome")
    }
  }
}
