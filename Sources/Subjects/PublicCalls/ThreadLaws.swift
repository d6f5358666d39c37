import AutomergeDocument
import Dispatch
import DocumentLaws
import Foundation
import MergeEngine
import PropertyEngine
import Synchronization

extension PublicCallLaw {
  static let threadLaws = [waitingCalls]

  /// Only edits of the transaction's own thread are part of it.
  ///
  /// Which `did` comes first depends on the threads, so each call is judged by itself.
  ///
  ///     this thread     transaction:  will ........................ did
  ///     another one                          put:  will, waits ......... did
  private static let waitingCalls = PublicCallLaw(
    "api.waiting-calls",
    "A call that waits is told twice.",
    "A put that waits for another thread's transaction is told once before and once after, and so is the transaction.",
    source: .specification(.codable, "Notification"),
    count: 1,
    costs: 4
  ) { _ in
    let document = Document.written(by: 0xfd)
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
      // The transaction is to be open when the put begins. The same events are due if it ends before: the bound is
      // for a document that never tells.
      _ = isTold.wait(timeout: .now() + .milliseconds(250))
    }
    // A put takes microseconds: only one that never returns takes as long as this.
    try expect(
      isOver.wait(timeout: .now() + .seconds(OtherThread.returnSecondsLimit)) == .success,
      "a put that waited for a transaction has not returned \(OtherThread.returnSecondsLimit) s after its end"
    )
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
      try expect(told == due, "observers hear of \(name): \(told)")
    }
  }
}

extension PublicCallLaw {
  /// Catches documents that are locked in another order by each of two threads: both then wait for ever.
  ///
  /// This thread holds both documents until both threads wait, and gives the second one back a moment before the first:
  /// a thread that takes the second one first has it then, and waits for the first with the other thread.
  ///
  ///     this thread     first, second ........ gives back second .... first
  ///     one             first merges second:   waits
  ///     the other       second merges first:   waits
  ///
  /// Which of two waiting threads goes on is not certain, so there are some rounds.
  static let crosswiseMerges = PublicCallLaw(
    "api.crosswise-merges",
    "Two documents merge each other at once.",
    "Where two threads merge two documents into each other at once, both calls return, and both documents have the same "
      + "heads.",
    source: .specification(.codable, "Documents"),
    count: 8,
    costs: 8
  ) { story in
    // Made in the order in which this thread takes them.
    let (first, second) = (Document.written(by: 0xfd), Document.written(by: 0xfe))
    for round in 0..<4 {
      for document in [first, second] {
        try document.put(obj: .ROOT, key: "round", value: .Int(Int64(round)))
      }
      let one = OtherThread { try first.merge(other: second) }
      let other = OtherThread { try second.merge(other: first) }
      let threads = story.flag() ? [other, one] : [one, other]
      try first.transaction { _ in
        try second.transaction { _ in
          for thread in threads {
            thread.start()
            _ = thread.ends(withinMilliseconds: 1)
          }
        }
        _ = one.ends(withinMilliseconds: 1)
      }
      for thread in threads {
        try expect(
          thread.ends(withinMilliseconds: 1000 * OtherThread.returnSecondsLimit),
          "one of two crosswise merges has not returned after \(OtherThread.returnSecondsLimit) s"
        )
        if let error = thread.error { throw error }
      }
      try expect(
        first.heads() == second.heads(),
        "two documents that have merged each other have other heads"
      )
    }
  }
}

extension StateLaws {
  /// Catches a call that takes no lock, gives back one that it did not take, or lets go of one that another part of the
  /// thread still holds.
  ///
  /// The transaction puts 1, the other thread begins its call, the transaction puts 2 and ends.
  ///
  ///     this thread     transaction:  put 1 ......... put 2 ... end
  ///     another one                    call, waits ................ returns, and knows of 2
  static let waits = law(
    "api.any-wait",
    "Calls wait for another thread's transaction.",
    "While one thread is in a transaction of a document, a call of another thread does not return; then it acts on "
      + "all that the transaction did, and nothing that it writes is lost.",
    source: .specification(.codable, "Documents"),
    costs: 8
  ) { document, sample in
    let older = document.copy(by: 0xfe)
    let copy = document.copy(by: 0xfd)
    let newer = document.copy(by: 0xfc)
    for other in [older, newer] {
      try other.put(obj: .ROOT, key: OtherCall.otherKey, value: .Int(3))
    }
    let calls = OtherCall.all(older: older, newer: newer)
    let call = calls[sample.pick(1) % calls.count]
    let thread = OtherThread { try call.body(copy) }
    // Two wait, so that the first one must make way for the second.
    let second = OtherThread { _ = copy.heads() }
    try copy.transaction { _ in
      try copy.put(obj: .ROOT, key: OtherCall.key, value: .Int(1))
      thread.start()
      try expect(
        !thread.ends(withinMilliseconds: 1),
        "\(call.name) does not wait for a transaction"
      )
      second.start()
      // Takes the lock once more, and gives that back alone.
      try copy.put(obj: .ROOT, key: OtherCall.key, value: .Int(2))
      try expect(
        !thread.ends(withinMilliseconds: 1),
        "\(call.name) waits for the first call of a transaction alone"
      )
    }
    try expect(
      second.ends(withinMilliseconds: 1000 * OtherThread.returnSecondsLimit)
        && thread.ends(withinMilliseconds: 1000 * OtherThread.returnSecondsLimit),
      "\(call.name) or heads waits for a transaction that ended \(OtherThread.returnSecondsLimit) s ago"
    )
    if let error = thread.error { throw error }
    try expect(
      try copy.get(obj: .ROOT, key: OtherCall.key) == .Scalar(.Int(2)),
      "what a transaction put is lost by \(call.name)"
    )
    if call.writes {
      try expect(
        try copy.get(obj: .ROOT, key: OtherCall.otherKey) == .Scalar(.Int(3)),
        "what \(call.name) puts is lost"
      )
    }
    try expect(
      try DocumentReader(copy, at: nil).observed(.ROOT)
        == DocumentReader(Document(copy.save()), at: nil).observed(.ROOT),
      "the document reads otherwise when it is loaded after \(call.name)"
    )
  }
}

extension StateLaws {
  /// Catches a call that gives its lock back on one of its ways alone: the next thread would wait for ever.
  static let unlocks = law(
    "api.any-unlock",
    "Each call gives the document back.",
    "Behind each call, whether it is refused or not and whether there are observers or not, the document is held by no "
      + "thread, so that the calls of other threads return.",
    source: .specification(.codable, "Documents"),
    costs: 2
  ) { document, sample in
    let older = document.copy(by: 0xfe)
    let copy = document.copy(by: 0xfd)
    let newer = document.copy(by: 0xfc)
    let token = sample.pick(1) % 2 == 1 ? copy.observe { _ in } : nil
    defer { token?.cancel() }
    try copy.put(obj: .ROOT, key: OtherCall.key, value: .Int(2))
    for other in [older, newer] {
      try other.put(obj: .ROOT, key: OtherCall.otherKey, value: .Int(3))
    }
    for call in OtherCall.all(older: older, newer: newer) + OtherCall.refused {
      try call.body(copy)
      try expect(
        copy.isIdle && older.isIdle && newer.isIdle,
        "behind \(call.name) a document is still held"
      )
    }
  }
}

/// A thread that makes one call.
private final class OtherThread: Sendable {
  /// Seconds after which a call that waited is said never to return.
  ///
  /// On Linux a worker is ended before (`SleepWatch`): this is for tests and for other systems.
  static let returnSecondsLimit = 60

  private let body: @Sendable () throws -> Void
  private let (hasBegun, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let state = Mutex<(isOver: Bool, error: (any Error)?)>((false, nil))

  init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }

  /// What the call threw.
  var error: (any Error)? { state.withLock { $0.error } }

  /// Comes back when the thread is about to call.
  func start() {
    Thread.detachNewThread { [self] in
      hasBegun.signal()
      var failure: (any Error)?
      do { try body() } catch { failure = error }
      let found = failure
      state.withLock { $0 = (true, found) }
      hasEnded.signal()
    }
    hasBegun.wait()
  }

  /// Whether the call has returned, at the latest after this time.
  ///
  /// A call takes microseconds. A time that is too short on a busy machine overlooks a call that does not wait, and
  /// accuses none that does.
  func ends(withinMilliseconds limit: Int) -> Bool {
    if state.withLock({ $0.isOver }) { return true }
    return hasEnded.wait(timeout: .now() + .milliseconds(limit)) == .success
  }
}

/// A call that another thread makes of a document whose root has ``key``.
private struct OtherCall: Sendable {
  static let key = "waited for"
  static let otherKey = "other"

  let name: String
  /// Whether the document has 3 at ``otherKey`` behind it.
  var writes = false
  /// Throws a ``PublicCallFault`` if the call does not know of what the transaction did.
  let body: @Sendable (Document) throws -> Void

  /// `older` and `newer`: documents made before and after the one that is called, with 3 at ``otherKey``.
  static func all(older: Document, newer: Document) -> [OtherCall] {
    reads + writes
      + [("an older", older), ("a newer", newer)].flatMap { age, other in
        [
          OtherCall(name: "a merge of \(age) document", writes: true) {
            try $0.merge(other: other)
          },
          OtherCall(name: "a merge into \(age) document") { document in
            try other.merge(other: document)
            try knows(other)
          },
          OtherCall(name: "a sync from \(age) document", writes: true) { document in
            try document.synchronise(with: other)
            try knows(other)
          },
        ]
      }
  }

  private static let reads = [
    OtherCall(name: "get") { try knows($0) },
    OtherCall(name: "getAll") { document in
      let all = try document.getAll(obj: .ROOT, key: key)
      try expect(all == [.Scalar(.Int(2))], "getAll reads \(all) after a transaction")
    },
    OtherCall(name: "mapEntries") { document in
      let entry = try document.mapEntries(obj: .ROOT).first { $0.0 == key }
      try expect(
        entry?.1 == .Scalar(.Int(2)),
        "mapEntries reads \(String(describing: entry)) after a transaction"
      )
    },
    OtherCall(name: "save") { try knows(Document($0.save())) },
    OtherCall(name: "fork") { try knows($0.fork()) },
    OtherCall(name: "encodeNewChanges") { _ = $0.encodeNewChanges() },
    OtherCall(name: "heads") { try knows($0.forkAt(heads: $0.heads())) },
    OtherCall(name: "getHistory") { document in
      let hashes = document.getHistory()
      try expect(hashes.last.flatMap { document.change(hash: $0) } != nil, "no change is there")
    },
    OtherCall(name: "schema") { _ = try $0.schema() },
    OtherCall(name: "objectType") { _ = $0.objectType(obj: .ROOT) },
    OtherCall(name: "difference") { _ = $0.difference(since: []) },
    OtherCall(name: "actor") { _ = $0.actor },
    OtherCall(name: "limits") { _ = $0.limits },
    OtherCall(name: "waitingChanges") { _ = $0.waitingChanges },
    OtherCall(name: "droppedChanges") { _ = $0.droppedChanges },
    OtherCall(name: "droppedChangeCount") { _ = $0.droppedChangeCount },
  ]

  private static let writes = [
    OtherCall(name: "put", writes: true) {
      try $0.put(obj: .ROOT, key: otherKey, value: .Int(3))
    },
    OtherCall(name: "a put and a commit", writes: true) {
      try $0.put(obj: .ROOT, key: otherKey, value: .Int(3))
      $0.commitOnce()
    },
    OtherCall(name: "another actor and a put", writes: true) {
      $0.actor = ActorId(MergeEngine.ActorID([0xfb]))
      try $0.put(obj: .ROOT, key: otherKey, value: .Int(3))
    },
    OtherCall(name: "a transaction", writes: true) { document in
      try document.transaction { _ in
        try document.put(obj: .ROOT, key: otherKey, value: .Int(3))
        try knows(document)
      }
    },
    OtherCall(name: "new limits") { $0.limits = $0.limits },
    OtherCall(name: "a mark") { document in
      let text = try document.putObject(obj: .ROOT, key: "other text", ty: .Text)
      try document.spliceText(obj: text, start: 0, delete: 0, value: "ab")
      try document.mark(
        obj: text,
        start: 0,
        end: 1,
        expand: .none,
        name: "bold",
        value: .Boolean(true)
      )
    },
  ]

  /// Calls that are refused; each leaves the document as it is.
  static let refused = [
    refusal("an index of a map") { try $0.put(obj: .ROOT, index: 0, value: .Null) },
    refusal("an increment of no counter") { try $0.increment(obj: .ROOT, key: key, by: 1) },
    refusal("a path through a number") { _ = try $0.lookupPath(path: "[\"\(key)\"].deeper") },
    refusal("bytes instead of changes") {
      try $0.applyEncodedChanges(encoded: Data([0x85, 0x6f, 0x4a]))
    },
    refusal("a byte instead of a message") {
      try $0.receiveSyncMessage(state: SyncState(), message: Data([0x41]))
    },
    refusal("a fork at a change that is not there") { document in
      let unknown = Document.written(by: 0xfb)
      try unknown.put(obj: .ROOT, key: key, value: .Null)
      _ = try document.forkAt(heads: unknown.heads())
    },
    refusal("a transaction that throws") { document in
      try document.transaction { _ in
        try document.put(obj: .ROOT, key: key, value: .Null)
        throw Refused()
      }
    },
  ]

  private struct Refused: Error {}

  /// A call that must throw.
  private static func refusal(
    _ name: String,
    _ body: @escaping @Sendable (Document) throws -> Void
  ) -> OtherCall {
    OtherCall(name: name) { document in
      do { try body(document) } catch { return }
      throw PublicCallFault("\(name) is not refused")
    }
  }

  private static func knows(_ document: Document) throws {
    let value = try document.get(obj: .ROOT, key: key)
    try expect(
      value == .Scalar(.Int(2)),
      "a call reads \(String(describing: value)) after a transaction"
    )
  }
}
