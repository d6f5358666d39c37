// What holds a `Document` to what it tells observers. `DocumentReplica` makes all its calls through
// a watch.

import AutomergeDocument
import MergeEngine
import Synchronization

/// Watches a document: each mutating call must be told once before and once after.
///
///     judge   a mutating call that may fail             throws at once
///     check   one that cannot                           keeps what is wrong for the next call that can throw
///     quiet   one that observers must not hear of       throws at once
///
/// The mutexes are there for `Sendable`: all calls come from one thread.
final class EventWatch: Sendable {
  private let document: Document
  private let events = Mutex<[DocumentEvent]>([])
  private let token = Mutex<ObservationToken?>(nil)
  /// What was found wrong in a call that cannot fail.
  private let fault = Mutex<PublicCallFault?>(nil)

  init(_ document: Document) {
    self.document = document
    let token = document.observe(nil) { [weak self] event in
      self?.events.withLock { $0.append(event) }
    }
    self.token.withLock { $0 = token }
  }

  private func take() -> [DocumentEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  /// Throws what was noted before.
  ///
  /// Called before each edit and each look at all that the document shows.
  func settle() throws {
    let noted = fault.withLock { fault in
      defer { fault = nil }
      return fault
    }
    if let noted { throw noted }
  }

  /// Keeps what `body` finds wrong.
  ///
  /// The first thing found is kept.
  func note(_ body: () throws -> Void) {
    do { try body() } catch let found as PublicCallFault {
      fault.withLock { $0 = $0 ?? found }
    } catch {
      fault.withLock { $0 = $0 ?? PublicCallFault("\(error)") }
    }
  }

  /// Runs a mutating call that cannot fail, and keeps what is wrong.
  func check(_ target: ObjId?, _ call: String, _ body: () -> Void) {
    note { try judge(target, call, changes: false, closing: false, body) }
  }

  /// Runs a mutating call and throws if it was not told once before and once after.
  ///
  /// `changes` says whether it makes operations; `nil`: as the document says. A call that can reach
  /// any object closes the open change first, which here is done before it: what was open is not
  /// news. Not so without `closing`.
  func judge(
    _ target: ObjId?,
    _ call: String,
    changes: Bool?,
    closing: Bool = true,
    _ body: () throws -> Void
  ) throws {
    _ = take()
    let before = document.reading { engine in
      if target == nil && closing { engine.close() }
      return engine.savepoint
    }
    try body()
    let events = take()
    try expect(events.map(\.phase) == [.will, .did], "\(call) was told as \(events.map(\.phase))")
    try expect(events.allSatisfy { $0.target == target }, "\(call) was told of another object")
    try expect(events[0].mutation == events[1].mutation, "\(call) was told as two calls")
    try expect(events[0].changed.isEmpty, "\(call) was told before it happened")
    let hasChanged = changes ?? document.reading { $0.hasChanged(since: before) }
    func told() -> [String] { events[1].changed.map(\.debugDescription).sorted() }
    try expect(
      events[1].changed.isEmpty != hasChanged,
      "\(call) was told with the objects \(told()), and it changed \(hasChanged ? "some" : "none")"
    )
    if let target, hasChanged {
      try expect(
        events[1].changed == [target],
        "\(call) was told with the objects \(told()), and it changed \(target.debugDescription)"
      )
    }
  }

  /// Runs a call that observers must not be told of.
  func quiet<Result>(_ call: String, _ body: () throws -> Result) throws -> Result {
    _ = take()
    let result = try body()
    try expect(take().isEmpty, "\(call) was told to observers")
    return result
  }
}
