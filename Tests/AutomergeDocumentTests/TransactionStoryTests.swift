import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine
import Testing

/// One public call: which, and what it is about.
private struct Call: CustomStringConvertible {
  var kind: Int
  var key: Int
  var index: Int
  var number: Int

  static let kindCount = 26

  init(_ choices: inout Choices) {
    kind = choices.index(below: Self.kindCount)
    key = choices.index(below: 3)
    index = choices.index(below: 4)
    number = choices.index(below: 6)
  }

  var description: String { "\(kind):\(key),\(index),\(number)" }
}

/// Calls, some of them in transactions, some of these taken back.
private indirect enum Step: CustomStringConvertible {
  case call(Call)
  case transaction([Step], isTakenBack: Bool)

  static func steps(_ choices: inout Choices, depth: Int) -> [Step] {
    (0...choices.index(below: depth == 0 ? 12 : 5)).map { _ in
      guard depth < 3, choices.flag(percent: 30) else { return .call(Call(&choices)) }
      return .transaction(
        steps(&choices, depth: depth + 1),
        isTakenBack: choices.flag(percent: 60)
      )
    }
  }

  /// The calls that count.
  var calls: [Call] {
    switch self {
    case .call(let call): [call]
    case .transaction(let steps, let isTakenBack): isTakenBack ? [] : steps.flatMap(\.calls)
    }
  }

  var description: String {
    switch self {
    case .call(let call): "\(call)"
    case .transaction(let steps, let isTakenBack): "\(isTakenBack ? "undo" : "keep")\(steps)"
    }
  }
}

/// A document and what its calls have answered.
private final class Actor {
  private struct Stop: Error {}

  let document: Document
  private let others: [Document]
  private let chunks: [Data]
  private(set) var answers: [String] = []
  private let events = EventList()
  private let token: ObservationToken?

  init(_ start: Document, _ others: [Document], isObserved: Bool) throws {
    document = start.fork()
    document.actor = try #require(ActorId(data: Data([7, 7])))
    self.others = others
    chunks = others[2].getHistory().compactMap { others[2].change(hash: $0)?.bytes }
    let events = events
    token = isObserved ? document.observe(nil) { events.note($0) } : nil
  }

  deinit { token?.cancel() }

  func run(_ step: Step) throws {
    switch step {
    case .call(let call): answers.append(answer(to: call))
    case .transaction(let steps, let isTakenBack):
      let count = answers.count
      do {
        try document.transaction { _ in
          for step in steps { try run(step) }
          if isTakenBack { throw Stop() }
        }
      } catch is Stop {
        answers.removeSubrange(count...)
        #expect(events.last?.changed.isEmpty ?? true)
      }
    }
  }

  func run(_ call: Call) { answers.append(answer(to: call)) }

  private func answer(to call: Call) -> String {
    do { return try carryOut(call) } catch { return "\(error)" }
  }

  private func object(_ call: Call) throws -> ObjId {
    guard case .Object(let id, _)? = try document.get(obj: .ROOT, key: "k\(call.key)") else {
      return .ROOT
    }
    return id
  }

  private func someHeads(_ call: Call) -> Set<AutomergeDocument.ChangeHash> {
    let history = document.getHistory()
    return history.isEmpty ? [] : [history[(call.index + call.number) % history.count]]
  }

  private func carryOut(_ call: Call) throws -> String {
    let key = "k\(call.key)"
    let index = UInt64(call.index)
    let value = ScalarValue.Int(Int64(call.number))
    switch call.kind {
    case 0: try document.put(obj: .ROOT, key: key, value: value)
    case 1: try document.put(obj: .ROOT, key: key, value: .Counter(Int64(call.number)))
    case 2, 3, 4:
      let type: ObjType = [.Map, .List, .Text][call.kind - 2]
      return "\(try document.putObject(obj: .ROOT, key: key, ty: type))"
    case 5: try document.insert(obj: object(call), index: index, value: value)
    case 6: _ = try document.insertObject(obj: object(call), index: index, ty: .Text)
    case 7: try document.delete(obj: .ROOT, key: key)
    case 8: try document.delete(obj: object(call), index: index)
    case 9: try document.increment(obj: .ROOT, key: key, by: Int64(call.number))
    case 10:
      try document.splice(
        obj: object(call),
        start: index,
        delete: Int64(call.number) - 2,
        values: [value, .Counter(1), .String("x")]
      )
    case 11, 12:
      try document.spliceText(
        obj: object(call),
        start: index,
        delete: Int64(call.number) - 3,
        value: "typed \(call.number)"
      )
    case 13:
      try document.updateText(obj: object(call), value: String("whole text".dropFirst(call.number)))
    case 14:
      try document.mark(
        obj: object(call),
        start: index,
        end: index + UInt64(call.number),
        expand: [.before, .after, .both, .none][call.index],
        name: key,
        value: value
      )
    case 15:
      document.commitWith(
        message: key,
        timestamp: Date(timeIntervalSince1970: TimeInterval(call.number))
      )
    case 16: return "\(document.heads().map { $0.debugDescription }.sorted())"
    case 17: return "\(document.save().count)"
    case 18: return "\(document.encodeNewChanges())"
    case 19: try document.merge(other: others[call.number % 2])
    case 20, 21: try document.applyEncodedChanges(encoded: chunks[call.number % chunks.count])
    case 22: document.actor = try #require(ActorId(data: Data([7, UInt8(call.number)])))
    case 23:
      let copy = try document.forkAt(heads: someHeads(call))
      return "\(try copy.schema())"
    case 24: return "\(document.difference(since: someHeads(call)).count)"
    default:
      let heads = someHeads(call)
      return "\(document.keysAt(obj: .ROOT, heads: heads)) "
        + "\(try document.valuesAt(obj: .ROOT, heads: heads).count)"
    }
    return "done"
  }

  /// Everything that can be seen without a commit.
  var state: [String] {
    get throws {
      [
        "\(try document.schema())",
        document.reading { engine in
          "\(engine.pendingOpCount) \(engine.waitingCount) \(engine.changeHashesWithoutCommit) \(engine.actor)"
        },
        "\(document.droppedChangeCount)",
      ]
    }
  }
}

/// The events of one document, in their order.
private final class EventList: @unchecked Sendable {
  private(set) var last: DocumentEvent?

  func note(_ event: DocumentEvent) { last = event }
}

@Suite("Transactions as lists of calls")
struct TransactionStoryTests {
  private func others() throws -> [Document] {
    try (0..<3).map { number in
      let other = Document()
      other.actor = try #require(ActorId(data: Data([9, UInt8(number)])))
      for round in 0..<4 {
        try other.put(obj: .ROOT, key: "k\(round % 3)", value: .Int(Int64(10 * number + round)))
        if round == 2 {
          let text = try other.putObject(obj: .ROOT, key: "k\(number)", ty: .Text)
          try other.spliceText(obj: text, start: 0, delete: 0, value: "other \(number)")
        }
        other.commitWith(timestamp: Date(timeIntervalSince1970: 1))
      }
      return other
    }
  }

  @Test("A document with transactions is one on which only the calls that count were made")
  func stories() throws {
    let others = try others()
    let start = Document()
    start.actor = try #require(ActorId(data: Data([8])))
    let list = try start.putObject(obj: .ROOT, key: "k0", ty: .List)
    try start.splice(obj: list, start: 0, delete: 0, values: [.Int(1), .Counter(2)])
    let text = try start.putObject(obj: .ROOT, key: "k1", ty: .Text)
    try start.spliceText(obj: text, start: 0, delete: 0, value: "hello")
    start.commitWith(timestamp: Date(timeIntervalSince1970: 1))
    for seed in 0..<150 {
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      let steps = Step.steps(&choices, depth: 0)
      let subject = try Actor(start, others, isObserved: seed.isMultiple(of: 2))
      let twin = try Actor(start, others, isObserved: false)
      for (number, step) in steps.enumerated() {
        try subject.run(step)
        for call in step.calls { twin.run(call) }
        try #require(subject.answers == twin.answers, "seed \(seed), step \(number) of \(steps)")
        try #require(try subject.state == twin.state, "seed \(seed), step \(number) of \(steps)")
      }
      #expect(subject.document.save() == twin.document.save(), "seed \(seed): \(steps)")
      #expect(subject.document.encodeNewChanges() == twin.document.encodeNewChanges())
    }
  }
}
