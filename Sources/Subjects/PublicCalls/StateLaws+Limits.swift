import AutomergeDocument
import DocumentLaws
import Foundation
import MergeEngine
import PropertyEngine

extension StateLaws {
  /// Catches a limit that is not looked at, counts something else, or is off by one; and a count that is wrong once
  /// some of what waited has gone.
  static let waitingLimits = law(
    "api.any-waiting-limit",
    "What waits has its limits.",
    "A document takes in changes whose dependencies are missing up to its limits of waiting changes, of their bytes "
      + "and of those of one actor; the next one is refused with the name of the limit, and those that wait stay. Changes "
      + "that come in one call are refused together.",
    source: .specification(.semantics, "History and clocks")
  ) { document, sample in
    let changes = document.getHistory().compactMap { document.change(hash: $0) }
    // The last ones first: what they depend on is missing.
    let waiting = changes.reversed().filter { !$0.deps.isEmpty }.map { change in
      // As they are counted, without compression.
      let bytes = document.reading { $0.changeBytes(change.hash.engineHash) } ?? []
      return (hash: change.hash, actor: change.actorId, bytes: Data(bytes))
    }
    guard !waiting.isEmpty else { throw Skipped("no change depends on another") }
    let limit = sample.pick(2) % 4
    let receiver = Document.written(by: 0xfd)
    var limits = receiver.limits
    let name: String
    switch sample.pick(1) % 3 {
    case 0: (name, limits.waitingChangeLimit) = ("waitingChangeLimit", limit)
    case 1: (name, limits.waitingChangePerActorLimit) = ("waitingChangePerActorLimit", limit)
    default:
      let byteCount = waiting.prefix(limit).reduce(0) { $0 + $1.bytes.count }
      (name, limits.waitingByteLimit) = ("waitingByteLimit", byteCount)
    }
    receiver.limits = limits
    var kept: [(hash: AutomergeDocument.ChangeHash, actor: ActorId, bytes: Data)] = []
    for change in waiting {
      let used =
        switch name {
        case "waitingChangeLimit": kept.count + 1
        case "waitingChangePerActorLimit": kept.count { $0.actor == change.actor } + 1
        default: kept.reduce(change.bytes.count) { $0 + $1.bytes.count }
        }
      let admitted = name == "waitingByteLimit" ? limits.waitingByteLimit : limit
      let found = try receiver.refusedLimit {
        try receiver.applyEncodedChanges(encoded: change.bytes)
      }
      let due = used > admitted ? name : nil
      try expect(
        found == due,
        "\(name) \(admitted): a change with which \(used) wait is \(found.map { "refused by \($0)" } ?? "taken in")"
      )
      if due == nil { kept.append(change) }
      let now = Set(receiver.waitingChanges.map(\.hash))
      try expect(
        now == Set(kept.map(\.hash)),
        "\(name) \(admitted): other changes wait than were taken in"
      )
    }
    try checkAtOnce(waiting.map { ($0.actor, $0.bytes) }, name, limits)
  }

  /// Throws unless a call that brings all changes is refused just where they pass the limit together.
  private static func checkAtOnce(
    _ changes: [(actor: ActorId, bytes: Data)],
    _ name: String,
    _ limits: AutomergeDocument.DocumentLimits
  ) throws {
    let receiver = Document.written(by: 0xfc)
    receiver.limits = limits
    let isBeyond =
      switch name {
      case "waitingChangeLimit": changes.count > limits.waitingChangeLimit
      case "waitingChangePerActorLimit":
        changes.contains { change in
          changes.count { $0.actor == change.actor } > limits.waitingChangePerActorLimit
        }
      default: changes.reduce(0) { $0 + $1.bytes.count } > limits.waitingByteLimit
      }
    let found = try receiver.refusedLimit {
      try receiver.applyEncodedChanges(encoded: Data(changes.map(\.bytes).joined()))
    }
    try expect(
      found == (isBeyond ? name : nil),
      "\(name): \(changes.count) changes at once are \(found.map { "refused by \($0)" } ?? "taken in")"
    )
    let count = receiver.waitingChanges.count
    try expect(count == (isBeyond ? 0 : changes.count), "\(name): \(count) changes wait")
  }
}

extension Document {
  /// The limit by which a call is refused; `nil` if it is carried out.
  ///
  /// Throws what is refused for another reason.
  fileprivate func refusedLimit(_ call: () throws -> Void) throws -> String? {
    do {
      try call()
      return nil
    } catch let error as DocError {
      guard case .refusedChanges(let reason) = error.kind, let limit = reason.limit else {
        throw error
      }
      return limit
    }
  }
}
