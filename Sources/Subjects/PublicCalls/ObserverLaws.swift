// Checks of observers, run now and then by `DocumentReplica.heads()`: nested ones, one of all and one of an object,
// one that is ended, several of several objects, and one of calls of two threads. What an observer
// hears is kept as `RecordedEvent`.

import AutomergeDocument
import Dispatch
import Foundation
import MergeEngine
import Synchronization

/// What observers of a document are promised: checked on copies, now and then.
extension Document {
  /// Throws if observers that edit are not stopped at the depth that is promised, or not heard after it.
  ///
  /// The limit of 32 is `Document`'s promise. After the refusal the depth must count from nothing
  /// again, which the second round shows.
  func checkNestedObservers() throws {
    let copy = fork()
    copy.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let refusals = Mutex<[DocError.Kind]>([])
    let count = Mutex<Int>(0)
    let token = copy.observe { [weak copy] event in
      guard event.phase == .did else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
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
        refusals.withLock { $0 } == Array(repeating: .observersNested(32), count: round),
        "observers that edit are refused as \(refusals.withLock { $0 })"
      )
      try expect(count.withLock { $0 } == 32 * round, "\(count.withLock { $0 }) nested events")
    }
  }

  /// Throws if an observer hears of another call than those that reach what it observes, under another
  /// number, or after its end, or not of all of them until its own end.
  ///
  /// Six calls: on the object, on the root, a merge that reaches the object, a merge that reaches
  /// the root, one on the object after the observer of all has ended, and one after the first of
  /// two observers of the object has. Each is told twice, before (`will`, without changed objects)
  /// and after (`did`).
  func checkObservers() throws {
    let copy = fork()
    copy.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let object = try copy.putObject(obj: .ROOT, key: "observed object", ty: .Map)
    let all = Mutex<[DocumentEvent]>([])
    let own = Mutex<[DocumentEvent]>([])
    let ofAll = copy.observe { event in all.withLock { $0.append(event) } }
    let ofObject = copy.observe(object) { event in own.withLock { $0.append(event) } }
    let second = EventRecorder()
    let ofSameObject = copy.observe(object) { event in second.record(event) }
    defer { ofSameObject.cancel() }
    try copy.put(obj: object, key: "k", value: .Int(1))
    try copy.put(obj: .ROOT, key: "observed", value: .Int(2))
    let peer = copy.fork()
    peer.actor = ActorId(MergeEngine.ActorID([0xfe]))
    for place in [object, .ROOT] {
      try peer.put(obj: place, key: "merged", value: .Int(3))
      try copy.merge(other: peer)
    }
    for _ in 1...2 { ofAll.cancel() }
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

  /// Throws if an observer that another one ends during a call hears more of that call.
  func checkEndedObservers() throws {
    let copy = fork()
    copy.actor = ActorId(MergeEngine.ActorID([0xfd]))
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
}

extension Document {
  /// Throws if observers of several objects, in any order, hear of other calls than those that reach what
  /// they observe.
  ///
  /// `number` says who observes what, and what is called.
  ///
  /// Two to five observers of four objects, or of all: each must hear of exactly the calls whose
  /// target or changed objects it observes, with the numbers of the calls as they came.
  func checkAudiences(_ number: Int) throws {
    var random = PseudoRandom(seed: number)
    let copy = fork()
    copy.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let objects =
      try [ObjId.ROOT]
      + ["a", "b", "c"].map { try copy.putObject(obj: .ROOT, key: "audience \($0)", ty: .Map) }
    let peer = copy.fork()
    peer.actor = ActorId(MergeEngine.ActorID([0xfe]))
    // Nil for all objects.
    let interests = (0...(1 + random.index(below: 4))).map { _ in
      random.index(below: 5) == 0 ? nil : objects[random.index(below: objects.count)]
    }
    let recorders = interests.map { _ in EventRecorder() }
    let tokens = zip(interests, recorders).map { interest, recorder in
      copy.observe(interest) { event in recorder.record(event) }
    }
    defer { for token in tokens { token.cancel() } }
    var calls: [(target: ObjId?, changed: Set<ObjId>)] = []
    for step in 0...random.index(below: 4) {
      let reached = objects.filter { _ in random.index(below: 3) == 0 }
      if let object = reached.first, reached.count == 1 {
        // Calls that change nothing, or are refused, are told as any other.
        switch random.index(below: 4) {
        case 0:
          try copy.delete(obj: object, key: "never there")
          calls.append((object, []))
        case 1:
          try? copy.increment(obj: object, key: "never there", by: 1)
          calls.append((object, []))
        default:
          try copy.put(obj: object, key: "own", value: .Int(Int64(step)))
          calls.append((object, [object]))
        }
      } else {
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

extension Document {
  /// Throws if a put that waits for another thread's transaction is not told once before and once after.
  ///
  ///     this thread     transaction:  will ........................ did
  ///     another one                          put:  will, waits ......... did
  ///
  /// Only edits of the transaction's own thread are part of it. Which `did` comes first is for the threads to settle,
  /// so that each call is judged by itself.
  static func checkWaitingPut() throws {
    let document = Document()
    document.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let recorder = EventRecorder()
    let (isTold, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let token = document.observe { event in
      recorder.record(event)
      if event.target == ObjId.ROOT { isTold.signal() }
    }
    defer { token.cancel() }
    let refusal = Mutex<String?>(nil)
    let put: @Sendable () -> Void = {
      do { try document.put(obj: .ROOT, key: "waiting", value: .Int(1)) } catch {
        let reason = "\(error)"
        refusal.withLock { $0 = reason }
      }
      isOver.signal()
    }
    try document.transaction { _ in
      Thread.detachNewThread(put)
      // The transaction is to be open when the put begins. What is told is due all the same if it ends before: the
      // bound is for a document that never tells.
      _ = isTold.wait(timeout: .now() + .milliseconds(250))
    }
    isOver.wait()
    let reason = refusal.withLock { $0 }
    try expect(reason == nil, "a put that waits is refused: \(reason ?? "")")
    let calls: [(name: String, target: ObjId?, changed: Set<ObjId>)] = [
      ("a transaction", nil, []), ("a put that waits for it", .ROOT, [.ROOT]),
    ]
    for (name, target, changed) in calls {
      let told = recorder.events.filter { $0.target == target }
      let due = [false, true].map { isDone in
        RecordedEvent(
          isDone: isDone,
          number: told.first?.number ?? 0,
          target: target,
          changed: isDone ? changed : []
        )
      }
      try expect(told == due, "\(name) is told as \(told)")
    }
  }
}

/// What one of several observers has heard.
///
/// Observers are called within the call that they hear of; the lock is there for `Sendable`.
private final class EventRecorder: Sendable {
  private let log = Mutex<[RecordedEvent]>([])

  var events: [RecordedEvent] { log.withLock { $0 } }

  func record(_ event: DocumentEvent) { log.withLock { $0.append(RecordedEvent(event)) } }
}

/// What an event says.
private struct RecordedEvent: Hashable, Sendable {
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
