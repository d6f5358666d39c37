import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine
import Synchronization

extension PublicCallLaw {
  static let observerLaws = [nestedObservers, observers, endedObservers, audiences]
  static let innermostLaws = [innermostObservers]

  /// The limit of 32 is `Document`'s promise.
  ///
  /// After the refusal the depth must count from nothing again, which the second round shows.
  ///
  /// One that answers each `will` and each `did` is refused once more at each depth on the way back, until the outermost
  /// event is over. If it were not, it would be told 2^32 times.
  ///
  ///     answers each did             32 events     1 refusal
  ///     answers each will and did    the outermost will: 31 calls, told 62 times; 32 refusals, in the innermost will and
  ///                                  in each did; the same in the outermost did; 126 events in all
  private static let nestedObservers = PublicCallLaw(
    "api.nested-observers",
    "Observers that edit are stopped at depth 32.",
    "An observer that edits is heard up to a depth of 32 and then refused until the outermost event is over; "
      + "afterwards the depth counts from nothing again.",
    source: .specification(.codable, "Notification"),
    costs: 4
  ) { story in
    let copy = try story.document().copy(by: 0xfd)
    let answersBoth = story.flag()
    story.note("an observer that puts \(answersBoth ? "before and after" : "after") each put")
    let refusals = Mutex<[DocError.Kind]>([])
    let count = Mutex<Int>(0)
    let token = copy.observe { [weak copy] event in
      guard answersBoth || event.phase == .did else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number < 1000 else { return }
      do {
        try copy?.put(obj: .ROOT, key: "observed", value: .Int(Int64(number)))
      } catch let error as DocError {
        refusals.withLock { $0.append(error.kind) }
      } catch {}
    }
    defer { token.cancel() }
    for round in 1...2 {
      try copy.put(obj: .ROOT, key: "observed", value: .Int(0))
      try expect(
        refusals.withLock { $0 }
          == Array(repeating: .observersNested(32), count: round * (answersBoth ? 64 : 1)),
        "observers that edit are refused \(refusals.withLock { $0.count }) times, as \(refusals.withLock { Set($0) })"
      )
      try expect(
        count.withLock { $0 } == round * (answersBoth ? 126 : 32),
        "\(count.withLock { $0 }) nested events"
      )
    }
  }

  /// What an observer calls that is 32 deep.
  private enum InnermostCall: String, CaseIterable {
    case commit, put, transaction, merge
    case apply = "applyEncodedChanges"
    case receive = "receiveSyncMessage"

    func make(on document: Document, beside peer: Document, _ message: Data) throws {
      switch self {
      case .commit:
        document.commitWith(message: "innermost", timestamp: Date(timeIntervalSince1970: 0))
      case .put: try document.put(obj: .ROOT, key: "innermost", value: .Null)
      case .transaction: try document.transaction { _ in }
      case .merge: try document.merge(other: peer)
      case .apply: try document.applyEncodedChanges(encoded: peer.save())
      case .receive: try document.receiveSyncMessage(state: SyncState(), message: message)
      }
    }
  }

  /// Catches a commit that is refused without a word, since it cannot throw, and a call that is made at a depth where
  /// none is told.
  ///
  /// An observer answers each put with a put, and the 32nd with another call.
  ///
  ///     put 1       told at depth 1      the observer puts
  ///     put 32      told at depth 32     it commits: one change has all that was put
  private static let innermostObservers = PublicCallLaw(
    "api.innermost-observers",
    "The innermost observer may commit alone.",
    "An observer that is told 32 deep may commit, and no observer is told; whatever else it calls that is told is refused "
      + "with the depth, in words, and changes nothing.",
    source: .specification(.codable, "Notification"),
    costs: 2
  ) { story in
    let copy = try story.document().copy(by: 0xfd)
    let peer = copy.copy(by: 0xfe)
    try peer.put(obj: .ROOT, key: "of a peer", value: .Null)
    let message = peer.generateSyncMessage(state: SyncState()) ?? Data()
    let call = story.element(of: InnermostCall.allCases)
    story.note("an observer that puts when it hears of a put; 32 deep it calls \(call.rawValue)")
    let heard = Mutex<(count: Int, errors: [any Error])>((0, []))
    let token = copy.observe { [weak copy] event in
      guard let copy, event.phase == .did else { return }
      let count = heard.withLock { heard in
        heard.count += 1
        return heard.count
      }
      do {
        if count < 32 {
          try copy.put(obj: .ROOT, key: "observed", value: .Int(Int64(count)))
        } else {
          try call.make(on: copy, beside: peer, message)
        }
      } catch { heard.withLock { $0.errors.append(error) } }
    }
    let before = copy.getHistory().count
    try copy.put(obj: .ROOT, key: "observed", value: .Int(0))
    token.cancel()
    let (count, errors) = heard.withLock { ($0.count, $0.errors) }
    try expect(count == 32, "\(call.rawValue) of the innermost observer is told: \(count) events")
    if call == .commit {
      let made = copy.getHistory().dropFirst(before).compactMap { copy.change(hash: $0) }
      try expect(
        errors.isEmpty && made.map(\.message) == ["innermost"],
        "a commit of the innermost observer makes \(made.map { $0.message ?? "no message" })"
      )
    } else {
      let refusals = errors.compactMap { $0 as? DocError }
      try expect(
        refusals.map(\.kind) == [.observersNested(32)] && refusals.count == errors.count
          && refusals.allSatisfy { $0.description.contains("32") },
        "\(call.rawValue) of the innermost observer is refused as \(errors)"
      )
      try expect(
        try copy.get(obj: .ROOT, key: "of a peer") == nil
          && copy.get(obj: .ROOT, key: "innermost") == nil && copy.getHistory().count == before + 1,
        "\(call.rawValue) of the innermost observer is refused, and leaves something behind"
      )
    }
    try expect(
      try copy.get(obj: .ROOT, key: "observed") == .Scalar(.Int(31)),
      "what observers put is lost"
    )
  }

  /// Six calls: on the object, on the root, a merge that reaches the object, a merge that reaches the root, one on
  /// the object after the observer of all has ended, and one after the first of two observers of the object has.
  ///
  /// Observers hear of each twice, before (`will`, without changed objects) and after (`did`).
  private static let observers = PublicCallLaw(
    "api.observers",
    "Observers hear of calls until they end.",
    "An observer hears of each call that reaches what it observes, before and after it and under one number, until "
      + "its own end and not of others'.",
    source: .specification(.codable, "Notification")
  ) { story in
    let copy = try story.document().copy(by: 0xfd)
    let object = try copy.putObject(obj: .ROOT, key: "observed object", ty: .Map)
    story.note("an observer of all, and two of a map")
    story.note("puts into the map and the root, and merges of such puts")
    story.note("the observer of all ends, then the first one of the map, with puts into the map")
    let all = Mutex<[DocumentEvent]>([])
    let own = Mutex<[DocumentEvent]>([])
    let isLetGo = story.flag()
    if isLetGo { story.note("the first of them ends as its token is let go") }
    var ofAll: ObservationToken? = copy.observe { event in all.withLock { $0.append(event) } }
    let ofObject = copy.observe(object) { event in own.withLock { $0.append(event) } }
    let second = EventRecorder()
    let ofSameObject = copy.observe(object) { event in second.record(event) }
    defer { ofSameObject.cancel() }
    try copy.put(obj: object, key: "k", value: .Int(1))
    try copy.put(obj: .ROOT, key: "observed", value: .Int(2))
    let peer = copy.copy(by: 0xfe)
    for place in [object, .ROOT] {
      try peer.put(obj: place, key: "merged", value: .Int(3))
      try copy.merge(other: peer)
    }
    if isLetGo { ofAll = nil } else { for _ in 1...2 { ofAll?.cancel() } }
    try copy.put(obj: object, key: "k", value: .Int(4))
    ofObject.cancel()
    try copy.put(obj: object, key: "k", value: .Int(5))

    let calls: [(number: UInt64, target: ObjId?, changed: ObjId)] = [
      (1, object, object), (2, .ROOT, .ROOT), (3, nil, object), (4, nil, .ROOT),
      (5, object, object), (6, object, object),
    ]
    let expected = calls.map { call in
      [
        RecordedEvent(isDone: false, number: call.number, target: call.target, changed: []),
        RecordedEvent(
          isDone: true,
          number: call.number,
          target: call.target,
          changed: [call.changed]
        ),
      ]
    }
    let heard = all.withLock { $0.map { RecordedEvent($0) } }
    let reached = own.withLock { $0.map { RecordedEvent($0) } }
    try expect(heard == expected[..<4].flatMap(\.self), "an observer of all hears \(heard)")
    let reaching = zip(calls, expected).filter { $0.0.changed == object }.flatMap(\.1)
    try expect(reached == reaching.dropLast(2), "an observer of one object hears \(reached)")
    try expect(
      second.events == reaching,
      "an observer of an object that another observed hears \(second.events)"
    )
  }

  /// The observer that ends the other one is the second to hear of each call.
  private static let endedObservers = PublicCallLaw(
    "api.ended-observers",
    "An observer that is ended hears no more.",
    "An observer that another one ends during a call hears no more of that call.",
    source: .specification(.codable, "Notification")
  ) { story in
    let copy = try story.document().copy(by: 0xfd)
    story.note("an observer that another one ends in the second of three puts")
    let recorder = EventRecorder()
    let token = copy.observe { event in recorder.record(event) }
    let ender = copy.observe { event in
      if event.mutation == 2, event.phase == .will { token.cancel() }
    }
    defer { ender.cancel() }
    for number in 1...3 { try copy.put(obj: .ROOT, key: "observed", value: .Int(Int64(number))) }
    let expected = [(false, 1), (true, 1), (false, 2)].map { isDone, number in
      RecordedEvent(
        isDone: isDone,
        number: UInt64(number),
        target: .ROOT,
        changed: isDone ? [.ROOT] : []
      )
    }
    try expect(
      recorder.events == expected,
      "an observer that is ended in call 2 hears \(recorder.events)"
    )
  }

  /// Two to five observers of four objects, or of all.
  ///
  /// Observers also hear of calls that change nothing, or are refused.
  private static let audiences = PublicCallLaw(
    "api.audiences",
    "Each observer hears of its own objects.",
    "Observers of several objects, in any order, hear of the calls whose target or changed objects they observe, with "
      + "the numbers of the calls as they came.",
    source: .specification(.codable, "Notification"),
    count: 60
  ) { story in
    let copy = try story.document().copy(by: 0xfd)
    let objects =
      try [ObjId.ROOT]
      + ["a", "b", "c"].map { try copy.putObject(obj: .ROOT, key: "audience \($0)", ty: .Map) }
    let peer = copy.copy(by: 0xfe)
    let names = ["the root", "a", "b", "c"]
    // Nil for all objects.
    let interests = (0...(1 + story.index(below: 4))).map { _ -> ObjId? in
      let place = story.index(below: objects.count + 1)
      story.note("an observer of \(place == objects.count ? "all" : names[place])")
      return place == objects.count ? nil : objects[place]
    }
    let recorders = interests.map { _ in EventRecorder() }
    let tokens = zip(interests, recorders).map { interest, recorder in
      copy.observe(interest) { event in recorder.record(event) }
    }
    defer { for token in tokens { token.cancel() } }
    var calls: [(target: ObjId?, changed: Set<ObjId>)] = []
    for step in 0...story.index(below: 4) {
      let places = objects.indices.filter { _ in story.index(below: 3) == 1 }
      let (reached, named) = (places.map { objects[$0] }, places.map { names[$0] })
      if let object = reached.first, reached.count == 1 {
        // Observers also hear of calls that change nothing, or are refused.
        switch story.index(below: 4) {
        case 1:
          story.note("deletes what is not in \(named[0])")
          try copy.delete(obj: object, key: "never there")
          calls.append((object, []))
        case 2:
          story.note("increments what is not in \(named[0])")
          try? copy.increment(obj: object, key: "never there", by: 1)
          calls.append((object, []))
        default:
          story.note("puts into \(named[0])")
          try copy.put(obj: object, key: "own", value: .Int(Int64(step)))
          calls.append((object, [object]))
        }
      } else if story.flag() {
        story.note("puts into \(named.joined(separator: ", ")) in a transaction")
        try copy.transaction { _ in
          for object in reached { try copy.put(obj: object, key: "own", value: .Int(Int64(step))) }
        }
        calls.append((nil, Set(reached)))
      } else {
        story.note("merges a copy that put into \(named.joined(separator: ", "))")
        for object in reached { try peer.put(obj: object, key: "peer", value: .Int(Int64(step))) }
        try copy.merge(other: peer)
        calls.append((nil, Set(reached)))
      }
    }
    for (place, (interest, recorder)) in zip(interests, recorders).enumerated() {
      let expected = calls.enumerated().flatMap { number, call -> [RecordedEvent] in
        guard interest.map({ $0 == call.target || call.changed.contains($0) }) ?? true else {
          return []
        }
        return [false, true].map { isDone in
          RecordedEvent(
            isDone: isDone,
            number: UInt64(number + 1),
            target: call.target,
            changed: isDone ? call.changed : []
          )
        }
      }
      try expect(
        recorder.events == expected,
        "observer \(place) of \(recorders.count) hears \(recorder.events)"
      )
    }
  }
}

/// What one of several observers has heard.
///
/// Observers are called within the call that they hear of; the lock is there for `Sendable`.
final class EventRecorder: Sendable {
  private let log = Mutex<[RecordedEvent]>([])

  var events: [RecordedEvent] { log.withLock { $0 } }

  func record(_ event: DocumentEvent) { log.withLock { $0.append(RecordedEvent(event)) } }
}

/// What an event says.
struct RecordedEvent: Hashable, Sendable {
  var isDone: Bool
  var number: UInt64
  var target: ObjId?
  var changed: Set<ObjId>
}

extension RecordedEvent: CustomStringConvertible {
  var description: String {
    let place = target.map { " of \($0)" } ?? ""
    return
      "\(isDone ? "did" : "will") \(number)\(place), changed \(changed.map { "\($0)" }.sorted())"
  }

  init(_ event: DocumentEvent) {
    isDone = event.phase == .did
    number = event.mutation
    target = event.target
    changed = event.changed
  }
}
