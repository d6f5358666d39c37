import DocumentModel
import Histories
import PropertyEngine
import Subjects
import TestSupport
import Testing

@Suite("The generator of histories")
struct HistoryGeneratorTests {
  @Test("A few hundred histories hold every edit, fault, transport, base and waypoint")
  func reaches() {
    var edits = Tally()
    var faults = Tally()
    var transports = Tally()
    var waypoints = Tally()
    var heads = Tally()
    for sample in normalisedHistories(900, seed: 42) {
      let facts = HistoryFacts(sample)
      edits.merge(facts.edits)
      faults.merge(facts.faults)
      transports.merge(facts.transports)
      waypoints.merge(facts.waypoints)
      heads.add("\(sample.history.base)")
      heads.add("\(sample.history.replicaCount) replicas")
      for transport in sample.history.healing { heads.add("healing by \(transport)") }
    }
    for kind in EditKind.allCases { #expect(edits[kind.rawValue] > 20, "\(kind)") }
    for fault in Fault.allCases { #expect(faults[fault.rawValue] > 0, "\(fault)") }
    for transport in Transport.allCases {
      #expect(transports[transport.rawValue] > 100, "\(transport)")
      #expect(heads["healing by \(transport)"] > 100, "\(transport)")
    }
    for base in Base.allCases { #expect(heads["\(base)"] > 20, "\(base)") }
    for count in 2...5 { #expect(heads["\(count) replicas"] > 20, "\(count)") }
    // The rarest are not due so early.
    let due = Waypoint.documents.filter { $0.requiredFrom < 2000 }
    #expect(due.count > 20)
    #expect(due.filter { waypoints[$0.name] == 0 } == [])
  }

  @Test("One seed gives one history, and neighbours give others")
  func deterministic() {
    let first = normalisedHistories(40, seed: 42).map(\.history)
    #expect(normalisedHistories(40, seed: 42).map(\.history) == first)
    #expect(Set(first).count > 35)
    #expect(Set(normalisedHistories(40, seed: 43).map(\.history)).intersection(first).count < 5)
  }

  @Test("The recorded choices give the history again, and no choices the simplest")
  func replays() {
    let generator = Generator.histories()
    for index in 0..<100 {
      var choices = Choices(seed: Seed(value: 44).stream(UInt64(index)))
      let history = generator.draw(&choices)
      var replayed = Choices(replaying: choices.recordedValues)
      #expect(generator.draw(&replayed) == history)
    }
    var none = Choices(replaying: [])
    #expect(
      generator.draw(&none)
        == History(base: .empty, replicaCount: 2, healing: [.merge], steps: [])
    )
  }

  @Test("Writers stay at one place: they type behind what they typed, and take it back")
  func typing() {
    let generator = Generator.histories()
    var (behind, back) = (0, 0)
    for index in 0..<200 {
      var choices = Choices(seed: Seed(value: 52).stream(UInt64(index)))
      let edits = generator.draw(&choices).steps.filter { $0.typed != nil }
      for (earlier, later) in zip(edits, edits.dropFirst()) {
        guard let first = earlier.typed, let next = later.typed, first.replica == next.replica,
          first.object == next.object
        else { continue }
        if next.index == first.end, next.end > next.index { behind += 1 }
        if next.index == first.end - 1, next.end == next.index { back += 1 }
      }
    }
    #expect(behind > 100)
    #expect(back > 50)
  }

  @Test("What one writer did at one place shrinks to the one edit that matters", arguments: 0..<6)
  func shrinksTyping(_ index: Int) throws {
    let generator = Generator.histories()
    let text = ObjectName(2)
    func takesFirstAway(_ step: Step) -> Bool {
      guard case .edit(_, let edit) = step else { return false }
      return edit == .spliceText(text, index: 0, deleting: 1, inserting: "")
    }
    func isTyping(_ history: History) -> Bool {
      // Elsewhere other steps would have to make the text.
      guard history.base == .objects else { return false }
      return zip(history.steps, history.steps.dropFirst()).contains { earlier, later in
        guard takesFirstAway(later), let typed = earlier.typed else { return false }
        return typed.replica == later.typed?.replica && typed.object == text
      }
    }
    var found: Choices?
    for number in 0..<2000 where found == nil {
      var choices = Choices(seed: Seed(value: 53 + UInt64(index)).stream(UInt64(number)))
      if isTyping(normalise(generator.draw(&choices)).history) { found = choices }
    }
    let first = try #require(found)
    let shrinker = Shrinker(failing: first.recorded, spans: first.spans, stepLimit: 4000)
    let result = shrinker.run { candidate in
      var choices = Choices(replaying: candidate)
      let history = normalise(generator.draw(&choices)).history
      return ShrinkAttempt(choices, fails: history.steps.contains(where: takesFirstAway))
    }
    var choices = Choices(replaying: result.values)
    let history = normalise(generator.draw(&choices)).history
    #expect(history.steps.count == 1, "\(history.text)")
  }

  @Test("Any bytes give a history that ends, and within its limits")
  func bytes() {
    var random = Choices(seed: 45)
    let limits = HistoryLimits()
    let generator = Generator.histories(limits)
    for _ in 0..<1000 {
      let length = random.index(below: 600, bias: .small)
      let filler = UInt8(random.index(below: 256))
      let isConstant = random.flag(percent: 20)
      let bytes = (0..<length).map { _ in
        isConstant ? filler : UInt8(random.index(below: 256))
      }
      var choices = Choices(bytes: bytes)
      let history = generator.draw(&choices)
      #expect(history.editCount <= limits.edits.upperBound)
      #expect(limits.replicas.contains(history.replicaCount))
      #expect(choices.recorded.count < 20_000)
    }
  }

  @Test("What bytes ask for can be carried out")
  func bytesAreValid() {
    var random = Choices(seed: 46)
    let generator = Generator.histories()
    for _ in 0..<100 {
      var choices = Choices(bytes: (0..<400).map { _ in UInt8(random.index(below: 256)) })
      let history = normalise(generator.draw(&choices)).history
      #expect(complaints(history).isEmpty, "\(history.text)")
    }
  }

  @Test("A history asks for nothing that a subject lacks", arguments: 0..<60)
  func respects(_ index: Int) {
    var choices = Choices(seed: Seed(value: 47).stream(UInt64(index)))
    let percent = choices.element(of: [20, 50, 85])
    var capabilities = Capabilities(
      edits: Set(choices.subset(of: EditKind.allCases, keepingPercent: percent)),
      objects: Set(choices.subset(of: ObjectKind.allCases, keepingPercent: percent)),
      scalars: Set(choices.subset(of: ScalarKind.allCases, keepingPercent: percent)),
      transports: Set(choices.subset(of: Transport.allCases, keepingPercent: percent)),
      features: Set(choices.subset(of: Feature.allCases, keepingPercent: percent))
    )
    // Without a transport there are no histories of several replicas.
    if capabilities.transports.isEmpty { capabilities.transports = [.document] }
    let limits = HistoryLimits(capabilities: capabilities)
    for sample in normalisedHistories(10, seed: Seed(value: UInt64(index)), limits: limits) {
      expect(sample.history, within: capabilities)
    }
  }

  @Test("Where no heads show, many writers go on after a restart, and overwrite what they wrote")
  func secondLives() {
    var limits = HistoryLimits()
    limits.capabilities = Capabilities(
      edits: [.put, .delete],
      objects: [],
      scalars: [.int],
      transports: [.merge, .document],
      features: [.save, .fork]
    )
    let histories = normalisedHistories(400, seed: 55, limits: limits).map(\.history)
    // A restart with a new writer comes before none of these: its number is that of no replica.
    let lives = histories.filter { history in
      history.steps.indices.contains { index in
        guard case .restart(let replica, _, let actor) = history.steps[index], actor == replica
        else { return false }
        return history.steps[index...].contains { step in
          if case .edit(let writer, .put) = step { writer == replica } else { false }
        }
      }
    }
    #expect(lives.count > 20, "\(lives.count) of 400")
  }

  @Test("A history has no fault that its limits exclude", arguments: Fault.allCases)
  func faults(_ excluded: Fault) {
    var limits = HistoryLimits()
    limits.faults = []
    for sample in normalisedHistories(30, seed: 48, limits: limits) {
      #expect(HistoryFacts(sample).faults.isEmpty, "\(sample.history.text)")
    }
    // Others come along: a part of a message of one part is the whole, which may then come twice.
    let alone: Set<Fault> = [.loss, .partition, .oneWayPartition, .clog]
    guard alone.contains(excluded) else { return }
    limits.faults = Set(Fault.allCases).subtracting([excluded])
    for sample in normalisedHistories(60, seed: 49, limits: limits) {
      #expect(HistoryFacts(sample).faults[excluded.rawValue] == 0, "\(sample.history.text)")
    }
  }

  @Test("Limits of replicas and edits are kept")
  func sizes() {
    let limits = HistoryLimits(replicas: 3...3, edits: 5...8, editMean: 6)
    var generator = Generator.histories(limits)
    for index in 0..<200 {
      var choices = Choices(seed: Seed(value: 50).stream(UInt64(index)))
      let history = generator.draw(&choices)
      #expect(history.replicaCount == 3)
      #expect((5...8).contains(history.editCount))
    }
    generator = Generator.histories(HistoryLimits(replicas: 1...1))
    for sample in normalisedHistories(50, seed: 51, limits: HistoryLimits(replicas: 1...1)) {
      #expect(sample.history.replicaCount == 1)
    }
  }

  private func expect(_ history: History, within capabilities: Capabilities) {
    let features = capabilities.features
    if history.base != .empty { #expect(features.contains(.fork)) }
    if history.base == .counters {
      #expect(features.contains(.counterBase) || capabilities.scalars.contains(.counter))
    }
    if history.base == .objects { #expect(capabilities.objects.count == 3) }
    #expect(capabilities.transports.isSuperset(of: history.healing))
    for step in history.steps {
      switch step {
      case .edit(_, let edit):
        #expect(capabilities.edits.contains(edit.kind), "\(edit)")
        #expect(capabilities.scalars.isSuperset(of: edit.scalars.map(\.kind)), "\(edit)")
        if let kind = edit.madeKind { #expect(capabilities.objects.contains(kind)) }
      case .exchange(_, _, let transport), .send(_, _, _, let transport):
        #expect(capabilities.transports.contains(transport))
      case .deliver(_, .some):
        #expect(capabilities.transports.contains(.changes))
      case .fork:
        #expect(features.contains(.fork))
      case .save, .restart:
        #expect(features.contains(.save))
      default: break
      }
    }
  }
}

extension Step {
  /// A text that the step edits: who, where, and the end of what is inserted there.
  fileprivate var typed: (replica: Int, object: ObjectName, index: Int, end: Int)? {
    guard case .edit(let replica, .spliceText(let object, let index, _, let text)) = self else {
      return nil
    }
    return (replica, object, index, index + text.string.unicodeScalars.count)
  }
}

extension Edit {
  fileprivate var scalars: [Scalar] {
    switch self {
    case .put(_, _, let value), .insert(_, _, let value): [value]
    case .splice(_, _, _, let values): values
    default: []
    }
  }
}
