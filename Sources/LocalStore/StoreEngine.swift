import FileSystems

/// The files of one open store and the state that they stand for: bytes by id, in order.
///
/// It is synchronous and of one caller at a time. What it promises: after every call, and after an
/// interruption at any call of the file system, opening the files again finds the state after some change
/// that was begun, never a mixture, and never an earlier one than the last that was acknowledged at a level
/// which covers the interruption. The state in memory is never ahead of what was appended.
///
///     ok         write refused, its end cut off again           ok: nothing has changed
///     ok         end not cut off, or not synchronised           failed: reads only
///     ok         compaction refused, no new snapshot is there   ok, in the old files
///     ok         compaction refused, one may be there           failed
///     failed     compaction comes about                         ok, in new files
///     readOnly   opened so, by the policy or the medium         stays
///     any        closed                                         closed: no descriptor is left
///
/// What holds between calls while it is `ok`: `generation <= attempted`; the journal's first
/// `journalSize` bytes are whole frames of this generation, and lead from its snapshot to `table`
/// together with `unwritten`, unless `isBehind`; what the file holds behind them is zeros.
package final class StoreEngine {
  let files: any FileSystem
  let place: StorePlace
  let options: StoreOptions

  /// The directory, the folder of the store, and its lock and journal.
  var directory: Descriptor?
  var folder: Descriptor?
  var lock: Descriptor?
  var journal: Descriptor?

  /// All items as bytes: the state after change `sequence`.
  package internal(set) var table = OrderedTable<StoredItem>()
  package internal(set) var report: OpenReport
  package internal(set) var health = StoreHealth.ok
  /// Why the last compaction did not come about; the store goes on without it.
  package internal(set) var compactionFailure: StoreError?

  /// The number in the names of the snapshot and journal in use; from 1, rising.
  var generation: UInt64 = 0
  /// The highest generation whose snapshot may have got its name.
  var attempted: UInt64 = 0
  /// The number of the newest change, from 1; 0 of a new store.
  package internal(set) var sequence: UInt64 = 0
  /// Highest sequence that survives the loss of power.
  var synced: UInt64 = 0
  /// Checksum of the last frame, written or in `unwritten`, which the next one names.
  var checksum: UInt32 = 0
  /// Bytes of the journal, behind which the next frame goes, and of its snapshot.
  var journalSize = 0
  /// Where the journal's file ends: from ``journalSize`` on it holds zeros, room for the next frames.
  var roomEnd = 0
  var snapshotSize = 0
  /// Size of the journal from which compaction is tried.
  var compactionSize = 0
  /// Frames of changes of the level `memory`, which the next append writes first.
  var unwritten: [UInt8] = []
  /// Whether the frames of changes of the level `memory` would take more than the whole state: they
  /// are given up, and the next writing writes the state.
  var isBehind = false
  /// Whether anything was appended since the last synchronisation.
  var isUnsynced = false
  /// Whether a call asked for ``StoreDurability/full`` in a store of another level.
  private var asksForDrive = false
  /// The seed's file that the store was made of, until it has left its place.
  var legacy: (count: UInt64, checksum: UInt32) = (0, 0)

  init(files: any FileSystem, place: StorePlace, options: StoreOptions) {
    self.files = files
    self.place = place
    self.options = options
    report = OpenReport(state: .missing)
  }

  deinit { closeDescriptors() }

  /// Gives the files up as the end of a process does: nothing more is written.
  package func drop() { closeDescriptors() }

  func closeDescriptors() {
    for descriptor in [journal, lock, folder, directory].compactMap(\.self) {
      files.close(descriptor)
    }
    (journal, lock, folder, directory) = (nil, nil, nil, nil)
  }

  /// How far every synchronisation goes from here on: as far as the store's level asks, or a call has asked.
  ///
  /// A call that asks for the drive's cache decides for those behind it as well: a compaction that goes less deep
  /// would take back what the call was promised.
  var depth: SyncDepth { options.durability == .full || asksForDrive ? .drive : .data }

  /// Has a level count that a call names.
  func note(_ durability: StoreDurability) {
    guard durability == .full, depth != .drive else { return }
    asksForDrive = true
    // What was synchronised before was not so deep.
    isUnsynced = true
  }

  /// Refuses a change if the store does not carry changes out.
  func requireWritable(_ phase: StoreError.Phase) throws(StoreError) {
    switch health {
    case .ok: return
    case .readOnly(let words): throw StoreError(.readOnly(explanation: words), phase)
    case .failed(let words): throw StoreError(.failed(explanation: words), phase)
    case .closed: throw StoreError(.closed, phase)
    }
  }
}
