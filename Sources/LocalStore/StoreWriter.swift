import Dispatch
package import FileSystems

/// Runs jobs one after the other on a thread that is not of the cooperative pool.
///
/// Calls of the file system block; there are only as many threads in the pool as processors. A
/// store that waits for a disk thus keeps no other task from running.
package final class FileExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "touchstone.local-store")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedSerialExecutor()
    // The job and the executor live until it ran: the queue keeps both.
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}

/// Owns the engine of one store, and carries calls out in their order, away from the cooperative pool.
///
/// Jobs run on `executor`, one by one, so that two calls never meet in the engine, which has no
/// lock of its own.
package actor StoreWriter {
  private let executor: any SerialExecutor
  private let engine: StoreEngine

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Opens a store on the calling thread.
  ///
  /// `deliver`: Gets what was found before other callers can change it.
  package init(
    _ place: StorePlace,
    _ options: StoreOptions,
    on files: any FileSystem,
    executor: any SerialExecutor = FileExecutor(),
    readLegacy: (([UInt8]) throws(StoreError) -> LegacyContents)? = nil,
    deliver: (StoreEngine) -> Void
  ) throws(StoreError) {
    self.executor = executor
    let engine = try StoreEngine.open(place, options, on: files, readLegacy: readLegacy)
    deliver(engine)
    self.engine = engine
  }

  /// Carries changes out as ``StoreEngine/commit(_:_:)`` does.
  ///
  /// Each answer holds the health: between two calls of the writer another caller's could change
  /// it.
  package func commit(
    _ changes: [[StoreOperation]],
    _ durability: StoreDurability
  ) -> (Result<UInt64, StoreError>, StoreHealth) {
    let result = Result { () throws(StoreError) in try engine.commit(changes, durability) }
    return (result, engine.health)
  }

  package func flush(_ durability: StoreDurability) -> (Result<Void, StoreError>, StoreHealth) {
    (Result { () throws(StoreError) in try engine.flush(durability) }, engine.health)
  }

  package func compact() -> (Result<Void, StoreError>, StoreHealth) {
    (Result { () throws(StoreError) in try engine.compact() }, engine.health)
  }

  package func close() -> Result<Void, StoreError> {
    Result { () throws(StoreError) in try engine.close() }
  }

  /// Why the last compaction did not come about; `nil` if it did.
  package var compactionFailure: StoreError? { engine.compactionFailure }

  /// The bytes of an item; `nil` if there is none.
  package func payload(of id: ItemID) -> [UInt8]? { engine.table[id]?.payload }
}
