import FileSystems
import Foundation
import Schedules
import StoreLaws
import Synchronization

/// The executable specification of stores: one file, rewritten with each change.
///
/// `<name>.store/data` holds a checksum and JSON. A change writes `data.tmp`, synchronises it, renames it and
/// synchronises the folder; it is in memory only after that. With a defect it is wrong in one way.
///
/// The sequence grows by one with each change that does something; an item's version is the
/// sequence of its latest change. No method suspends between reading and writing `document`, but
/// for defects, so that calls are carried out one after the other as they come.
///
/// Cost: each change encodes and writes all items.
actor NaiveStore: OpenedStore {
  struct Item: Codable, Sendable {
    var id: String
    var version: UInt64
    var payload: Data
  }

  struct Document: Codable, Sendable {
    var schema: UInt32
    var sequence: UInt64 = 0
    var isClosed = false
    /// Checksum of the seed's file that it was made of.
    var seed: String?
    var seedSize: Int?
    var moment: Int?
    var items: [Item] = []
    /// Of a wrong store: items as they were before each change.
    var replaced: [Item]?
  }

  /// `failed`: whether the rename took place is not known; ``compact()`` rewrites the file and ends this
  /// state.
  enum Health { case ok, readOnly, failed, closed }

  nonisolated let opening: StoreOpening
  let defect: StoreDefect?
  let settings: StoreSettings
  let place: NaivePlace
  private let executor: any SerialExecutor
  var document: Document
  var health: Health
  /// Whether memory is ahead of the file, at the level `memory`.
  private var isUnwritten = false
  private var observers: [NaiveObserver] = []
  private var poison: StoreRow?
  /// Of a wrong store: whether the next change is refused for the last one's sake.
  private var isSpoilt = false
  /// Of a wrong store: changes without effect that are under way.
  private var idleCount: UInt64 = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule,
    defect: StoreDefect?
  ) throws {
    self.settings = settings
    self.defect = defect
    executor = defect == .blocksPool ? schedule.poolExecutor : schedule.fileExecutor
    place = NaivePlace(files, settings, defect)
    let opened = try place.open()
    document = opened.document
    health = opened.isReadOnly ? .readOnly : .ok
    opening = opened.opening
  }

  // MARK: - Reading

  private func row(_ item: Item) -> StoreRow? {
    StoreCoderOfLaws.row(of: item, settings.undecodablePrefix)
  }

  private func isSame(_ left: String, _ right: String) -> Bool {
    defect == .equatesSpellings ? left == right : left.utf8.elementsEqual(right.utf8)
  }

  func find(_ id: String) -> StoreRow? {
    document.items.first { isSame($0.id, id) }.flatMap { row($0) }
  }

  func count() -> Int { document.items.count }

  func version(of id: String) -> UInt64? { document.items.first { isSame($0.id, id) }?.version }

  func snapshot() -> (sequence: UInt64, rows: [StoreRow]) {
    var rows = document.items.compactMap { row($0) }
    if defect == .noOrder { rows.sort { $0.id > $1.id } }
    return (document.sequence, rows)
  }

  func isWritable() -> Bool { health == .ok }

  func observe(limit: Int) -> any StoreObserver {
    let shown = snapshot()
    let observer = NaiveObserver(limit, .snapshot(shown.sequence, shown.rows), defect)
    if health == .closed { observer.finish() }
    if defect == .forgetsOldObservers { observers = [] }
    observers.append(observer)
    return observer
  }

  // MARK: - Changing

  private func complaint(
    _ kind: StoreComplaint.Kind,
    _ phase: String,
    isUnknown: Bool = false,
    _ words: String
  ) -> StoreComplaint {
    let isSilent = defect == .errorsWithoutPhase
    return StoreComplaint(kind, phase: isSilent ? nil : phase, isUnknown: isUnknown, words)
  }

  private func requireWritable() throws {
    switch health {
    case .ok: return
    case .readOnly: throw complaint(.readOnly, "append", "the medium cannot be written")
    case .failed: throw complaint(.failed, "append", "what is on the disk is not known")
    case .closed: throw complaint(.closed, "append", "closed")
    }
  }

  /// Refuses a call of a task that was cancelled, before anything is done.
  private func requireCaller() throws {
    if Task.isCancelled { throw complaint(.cancelled, "evaluate", "cancelled") }
  }

  func save(_ row: StoreRow, ifVersion version: UInt64) async throws -> UInt64 {
    try requireCaller()
    let found = (self.version(of: row.id)).map { $0 + idleCount } ?? 0
    if defect == .checksEarly { await Task.yield() }
    guard found == version else { throw complaint(.conflict, "evaluate", "version \(found)") }
    // Not by `apply`, which others could enter first.
    try requireWritable()
    try change([row], [])
    return document.sequence
  }

  func delete(_ id: String, ifVersion version: UInt64) async throws -> UInt64 {
    try requireCaller()
    let found = self.version(of: id) ?? 0
    guard found == version || defect == .ignoresVersions else {
      throw complaint(.conflict, "evaluate", "version \(found)")
    }
    try requireWritable()
    try change([], [id])
    return document.sequence
  }

  func update(
    _ id: String,
    _ body: @escaping @Sendable (StoreRow?) throws -> StoreRow?
  ) async throws -> UInt64 {
    try requireCaller()
    let old = find(id)
    if old == nil, version(of: id) != nil {
      throw complaint(.conflict, "evaluate", "it does not decode")
    }
    if defect == .updatesLate { await Task.yield() }
    try requireWritable()
    let new: StoreRow?
    do {
      new = try body(old)
    } catch {
      throw complaint(.conflict, "evaluate", "\(error)")
    }
    if let row = new {
      guard row.id.utf8.elementsEqual(id.utf8) else {
        throw complaint(.conflict, "evaluate", "its id became '\(row.id)'")
      }
      try change([row], [])
    } else {
      try change([], [id])
    }
    return document.sequence
  }

  nonisolated func byteCount(of row: StoreRow) throws -> Int {
    try StoreCoderOfLaws.encode(LawItem(row)).count
  }

  func change(saving rows: [StoreRow], deleting ids: [String]) async throws -> StoreReceipt {
    try requireCaller()
    let old = document.sequence
    let number = try await number(saving: rows, deleting: ids)
    let isChange = number > old || defect == .saysChanged
    return StoreReceipt(number, isChange: isChange, settings.level)
  }

  private func number(saving rows: [StoreRow], deleting ids: [String]) async throws -> UInt64 {
    try requireWritable()
    if defect == .tearsBatches, rows.count + ids.count > 1 {
      for row in rows { try change([row], []) }
      for id in ids { try change([], [id]) }
      return document.sequence
    }
    if defect == .suspendsBetween {
      let before = document
      await Task.yield()
      document = before
    }
    let before = document.sequence
    try change(rows, ids)
    let number = document.sequence
    if defect == .countsIdleCalls, number == before {
      idleCount += 1
      await Task.yield()
      idleCount -= 1
    }
    return number
  }

  private func change(_ rows: [StoreRow], _ ids: [String]) throws {
    if isSpoilt {
      isSpoilt = false
      throw complaint(.tooLarge, "evaluate", "another item was too large")
    }
    if defect == .tiresOfChanges, document.sequence == 64 {
      throw complaint(.failed, "evaluate", "64 changes are enough")
    }
    var next = document
    next.sequence += 1
    if defect == .keepsReplaced { next.replaced = (next.replaced ?? []) + next.items }
    var byteCount = 0
    var replacing: [UInt64?] = []
    for row in rows {
      if row.isUnencodable, defect == .poisoned { poison = row }
      let payload = try encoded(poison ?? row)
      guard payload.count < settings.itemLimit + (defect == .limitIsOff ? 0 : 1) else {
        isSpoilt = defect == .spoilsNext
        throw complaint(.tooLarge, "evaluate", "\(payload.count) bytes")
      }
      byteCount += payload.count
      guard byteCount <= settings.batchLimit else {
        throw complaint(.tooLarge, "evaluate", "\(byteCount) bytes")
      }
      if let index = next.items.firstIndex(where: { isSame($0.id, row.id) }) {
        replacing.append(next.items[index].version)
        next.items[index] = Item(id: row.id, version: next.sequence, payload: payload)
      } else {
        replacing.append(nil)
        next.items.append(Item(id: row.id, version: next.sequence, payload: payload))
      }
    }
    let deleted = ids.filter { id in next.items.contains { isSame($0.id, id) } }
    if rows.isEmpty, deleted.isEmpty { return }
    next.items.removeAll { item in deleted.contains { isSame($0, item.id) } }
    if defect == .forgetsMany, next.items.count > 24 { next.items.removeFirst() }
    if defect == .memoryFirst { document = next }
    let waits = defect == .writesEverySecond && next.sequence.isMultiple(of: 2)
    if settings.level == .memory || waits {
      isUnwritten = true
    } else {
      try write(next)
    }
    document = next
    let told = defect == .losesNews ? [] : deleted
    for observer in observers {
      observer.tell(
        next.sequence,
        .change(next.sequence, saved: rows, replacing: replacing, deleted: told)
      )
    }
  }

  private func encoded(_ row: StoreRow) throws -> Data {
    do {
      return try StoreCoderOfLaws.encode(LawItem(row))
    } catch {
      throw complaint(.unencodable, "encode", "\(error)")
    }
  }

  private func write(_ next: Document) throws {
    var next = next
    next.isClosed = false
    do {
      try place.write(next)
    } catch let error as NaivePlace.UnconfirmedRename {
      if defect == .sureOfNames { throw complaint(.fileSystem, "rename", "\(error.error)") }
      health = .failed
      throw complaint(.fileSystem, "rename", isUnknown: true, "\(error.error)")
    } catch let error as FileError {
      if defect == .fullDiskIsFinal, error.cause.isLackOfSpace { health = .failed }
      throw complaint(place.kind(error), "write", "\(error)")
    }
    isUnwritten = false
  }

  func flush() throws {
    try requireWritable()
    if isUnwritten { try write(document) }
    try place.makeSure()
  }

  func compact() throws {
    if health == .failed, defect == .doubtsNoLonger { health = .ok }
    if health != .failed { try requireWritable() }
    var next = document
    if defect == .compactionReorders { next.items.sort { $0.id < $1.id } }
    // What is not known is known again once all of it was written, and not before.
    try write(next)
    health = .ok
    document = next
  }

  func close() throws {
    guard health != .closed else { return }
    defer {
      health = .closed
      for observer in observers { observer.finish() }
      place.close(keepsLock: defect == .closesHalf)
    }
    guard health == .ok else { return }
    var last = document
    last.isClosed = true
    do {
      try place.write(last)
    } catch let error as NaivePlace.UnconfirmedRename {
      throw complaint(.fileSystem, "close", "\(error.error)")
    } catch let error as FileError {
      throw complaint(place.kind(error), "close", "\(error)")
    }
  }
}

/// JSON of laws' items.
enum StoreCoderOfLaws {
  static func encode(_ item: LawItem) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(item)
  }

  static func decode(_ data: Data, _ undecodablePrefix: String) throws -> LawItem {
    let item = try JSONDecoder().decode(LawItem.self, from: data)
    if !undecodablePrefix.isEmpty, item.text.hasPrefix(undecodablePrefix) { throw UnknownForm() }
    return item
  }

  /// The row of an item; `nil` if it does not decode, or says another id than that under which it is stored.
  static func row(of item: NaiveStore.Item, _ undecodablePrefix: String) -> StoreRow? {
    let row = try? decode(item.payload, undecodablePrefix).row
    return row?.id.utf8.elementsEqual(item.id.utf8) == true ? row : nil
  }
}

/// What an observer of the naive store is told.
// A lock and no actor: the store tells it without waiting. It guards the queue and who waits.
final class NaiveObserver: StoreObserver {
  private struct State {
    var queue: [StoreNews]
    var dropped: (sequence: UInt64, count: Int)?
    var isFinished = false
    /// Callers that wait, in the order in which they came.
    var waiting: [(turn: Int, continuation: CheckedContinuation<StoreNews?, Never>)] = []
    var turn = 0
  }

  private let state: Mutex<State>
  private let limit: Int
  private let defect: StoreDefect?

  init(_ limit: Int, _ first: StoreNews, _ defect: StoreDefect?) {
    self.limit = limit
    self.defect = defect
    state = Mutex(State(queue: [first]))
  }

  func tell(_ sequence: UInt64, _ piece: StoreNews) {
    let receiver = state.withLock { state -> CheckedContinuation<StoreNews?, Never>? in
      if !state.waiting.isEmpty {
        if defect == .tellsTwice { state.queue.append(piece) }
        return state.waiting.removeFirst().continuation
      }
      if let dropped = state.dropped {
        state.dropped = (sequence, dropped.count + 1)
      } else if state.queue.count >= limit {
        if defect != .dropsSilently { state.dropped = (sequence, 1) }
      } else {
        state.queue.append(piece)
      }
      return nil
    }
    receiver?.resume(returning: piece)
  }

  func finish() {
    let receivers = state.withLock { state in
      state.isFinished = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for receiver in receivers { receiver.continuation.resume(returning: nil) }
  }

  func next() async -> StoreNews? {
    let turn = state.withLock { state in
      state.turn += 1
      return state.turn
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now = state.withLock { state -> StoreNews?? in
          if !state.queue.isEmpty { return .some(state.queue.removeFirst()) }
          if let dropped = state.dropped {
            state.dropped = nil
            return .some(.dropped(upTo: dropped.sequence, dropped.count))
          }
          if state.isFinished || Task.isCancelled { return .some(nil) }
          state.waiting.append((turn, continuation))
          return nil
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      let receiver = state.withLock { state -> CheckedContinuation<StoreNews?, Never>? in
        let place = state.waiting.firstIndex { defect == .endsAnother || $0.turn == turn }
        return place.map { state.waiting.remove(at: $0).continuation }
      }
      receiver?.resume(returning: nil)
    }
  }
}
