package import FileSystems
import Synchronization

/// One call that was made.
package struct CallRecord: Hashable, Sendable {
  /// From 0.
  package let number: Int
  package let call: FileError.Call
  /// Name of what it was about, as far as it is known.
  package let name: String
  /// Bytes that were asked to be written.
  package let byteCount: Int
  /// How deep a file was to be synchronised; `nil` of other calls.
  package let depth: SyncDepth?
}

/// Another file system with faults.
// A lock and no actor: the calls are synchronous. It guards the plan and the count of calls.
package final class FaultyFiles: FileSystem {
  private let base: any FileSystem
  private let onCall: @Sendable (CallRecord) -> Void

  private struct State {
    var plan: FaultPlan
    var count = 0
    /// Calls that were interrupted, and transfers that were cut short.
    var disturbed = 0
    /// Calls that were refused, carried out or not.
    var refused = 0
    /// Whether the last call was interrupted: the next is not.
    var wasInterrupted = false
    /// Calls of the plan's only kind since it was set, from the first that it refuses on.
    var onlyCount = 0
    var names: [Descriptor: String] = [:]

    /// The plan's refusal, if the call is one of those that it counts; notes that it was.
    mutating func refusal(of record: CallRecord) -> FaultPlan.Refusal? {
      guard let refusal = plan.refusal, record.number >= refusal.call else { return nil }
      guard let only = refusal.only else {
        return record.number - refusal.call < refusal.count ? refusal : nil
      }
      guard record.call == only else { return nil }
      onlyCount += 1
      return onlyCount <= refusal.count ? refusal : nil
    }
  }

  private let state: Mutex<State>

  /// `onCall`: Told of each call before it is carried out or refused.
  package init(
    _ base: any FileSystem,
    _ plan: FaultPlan = FaultPlan(),
    onCall: @escaping @Sendable (CallRecord) -> Void = { _ in }
  ) {
    self.base = base
    self.onCall = onCall
    state = Mutex(State(plan: plan))
  }

  /// The number of calls so far.
  package var callCount: Int { state.withLock { $0.count } }

  /// The number of calls that were interrupted, and of reads and writes that moved fewer bytes than asked.
  package var disturbedCount: Int { state.withLock { $0.disturbed } }

  /// The number of calls that were refused, those that were carried out all the same among them.
  package var refusedCount: Int { state.withLock { $0.refused } }

  /// Whether a call can be refused for a cause: only some calls can be interrupted.
  package static func canRefuse(_ call: FileError.Call, _ cause: FileError.Cause) -> Bool {
    cause != .interrupted || interruptible.contains(call)
  }

  /// Changes what goes wrong from here on; calls go on counting.
  ///
  /// If the plan refuses one kind of call, those calls have a count of their own, which restarts
  /// with the plan.
  package func setPlan(_ plan: FaultPlan) {
    state.withLock {
      $0.plan = plan
      $0.onlyCount = 0
    }
  }

  private static let interruptible: Set<FileError.Call> = [
    .open, .read, .write, .truncate, .synchronize, .synchronizeFolder, .lock,
  ]
  private static let writing: Set<FileError.Call> = [
    .open, .openFolder, .write, .truncate, .synchronize, .synchronizeFolder, .rename, .remove,
  ]

  /// Calls that a late refusal carries out.
  private static let lateCalls: Set<FileError.Call> = [
    .write, .truncate, .synchronize, .synchronizeFolder, .rename, .remove,
  ]

  /// A call that is carried out.
  private struct Turn {
    /// Bytes that may be moved.
    var limit: Int
    /// What it is refused with after that.
    var refusal: FileError?

    func end() throws(FileError) { if let refusal { throw refusal } }
  }

  /// Counts a call, and refuses it if the plan says so.
  private func begin(
    _ call: FileError.Call,
    _ name: String,
    bytes: Int = 0,
    depth: SyncDepth? = nil,
    isOfWrites: Bool? = nil
  ) throws(FileError) -> Turn {
    let (record, plan, refusal, isTurn) = state.withLock {
      state -> (CallRecord, FaultPlan, FaultPlan.Refusal?, Bool) in
      let record = CallRecord(
        number: state.count,
        call: call,
        name: name,
        byteCount: bytes,
        depth: depth
      )
      state.count += 1
      let period = state.plan.interruptionPeriod
      let isTurn =
        Self.interruptible.contains(call) && !state.wasInterrupted
        && period.map { record.number % max(1, $0) == 0 } == true
      state.wasInterrupted = isTurn
      if isTurn || state.plan.transferLimit.map({ max(1, $0) < bytes }) == true {
        state.disturbed += 1
      }
      return (record, state.plan, state.refusal(of: record), isTurn)
    }
    onCall(record)
    if let crash = plan.crashCall, record.number >= crash { throw FileError(call, name, .crashed) }
    var turn = Turn(limit: min(bytes, plan.transferLimit.map { max(1, $0) } ?? bytes))
    if let refusal, !refusal.isOfWrites || (isOfWrites ?? Self.writing.contains(call)),
      Self.canRefuse(call, refusal.cause)
    {
      state.withLock { $0.refused += 1 }
      let error = FileError(call, name, refusal.cause)
      // An interrupted call has done nothing.
      guard refusal.isLate, refusal.cause != .interrupted, Self.lateCalls.contains(call) else {
        throw error
      }
      turn.refusal = error
    }
    if isTurn { throw FileError(call, name, .interrupted) }
    return turn
  }

  private func name(of descriptor: Descriptor) -> String {
    state.withLock { $0.names[descriptor] ?? "" }
  }

  private func named(_ descriptor: Descriptor, _ name: String) -> Descriptor {
    state.withLock { $0.names[descriptor] = name }
    return descriptor
  }

  // MARK: - Calls

  package func openFolder(path: String, makingMode: UInt16?) throws(FileError) -> Descriptor {
    _ = try begin(.openFolder, path, isOfWrites: makingMode != nil)
    return named(try base.openFolder(path: path, makingMode: makingMode), path)
  }

  package func openFolder(
    _ name: String,
    in folder: Descriptor,
    makingMode: UInt16?
  ) throws(FileError) -> Descriptor {
    _ = try begin(.openFolder, name, isOfWrites: makingMode != nil)
    return named(try base.openFolder(name, in: folder, makingMode: makingMode), name)
  }

  package func open(
    _ name: String,
    in folder: Descriptor,
    _ access: FileAccess
  ) throws(FileError) -> Descriptor {
    _ = try begin(.open, name, isOfWrites: access != .read)
    return named(try base.open(name, in: folder, access), name)
  }

  package func close(_ descriptor: Descriptor) {
    state.withLock { $0.names[descriptor] = nil }
    base.close(descriptor)
  }

  package func read(
    _ file: Descriptor,
    at offset: Int,
    upTo count: Int
  ) throws(FileError) -> [UInt8] {
    let turn = try begin(.read, name(of: file), bytes: count)
    return try base.read(file, at: offset, upTo: turn.limit)
  }

  package func write(
    _ bytes: ArraySlice<UInt8>,
    to file: Descriptor,
    at offset: Int
  ) throws(FileError) -> Int {
    let turn = try begin(.write, name(of: file), bytes: bytes.count)
    let count = try base.write(bytes.prefix(turn.limit), to: file, at: offset)
    try turn.end()
    return count
  }

  package func truncate(_ file: Descriptor, to size: Int) throws(FileError) {
    let turn = try begin(.truncate, name(of: file))
    try base.truncate(file, to: size)
    try turn.end()
  }

  package func size(of file: Descriptor) throws(FileError) -> Int {
    _ = try begin(.size, name(of: file))
    return try base.size(of: file)
  }

  package func synchronize(_ file: Descriptor, _ depth: SyncDepth) throws(FileError) {
    let turn: Turn
    do {
      turn = try begin(.synchronize, name(of: file), depth: depth)
    } catch {
      // As Linux does: the bytes count as written, and are not.
      if error.cause != .interrupted { (base as? MemoryFiles)?.forgetUnsynchronised(file) }
      throw error
    }
    try base.synchronize(file, depth)
    try turn.end()
  }

  package func synchronizeFolder(_ folder: Descriptor) throws(FileError) {
    let turn = try begin(.synchronizeFolder, name(of: folder))
    try base.synchronizeFolder(folder)
    try turn.end()
  }

  package func names(in folder: Descriptor) throws(FileError) -> [String] {
    _ = try begin(.names, name(of: folder))
    let unlisted = state.withLock { $0.plan.unlisted }
    return try base.names(in: folder).filter { !unlisted.contains($0) }
  }

  package func status(
    of name: String,
    in folder: Descriptor
  ) throws(FileError) -> FileStatus? {
    _ = try begin(.status, name)
    return try base.status(of: name, in: folder)
  }

  package func rename(
    _ name: String,
    in folder: Descriptor,
    to newName: String,
    in newFolder: Descriptor
  ) throws(FileError) {
    let turn = try begin(.rename, name)
    try base.rename(name, in: folder, to: newName, in: newFolder)
    try turn.end()
  }

  package func remove(_ name: String, in folder: Descriptor) throws(FileError) {
    let turn = try begin(.remove, name)
    try base.remove(name, in: folder)
    try turn.end()
  }

  package func lock(_ file: Descriptor) throws(FileError) -> Bool {
    _ = try begin(.lock, name(of: file))
    return try base.lock(file)
  }
}
