import FaultInjection
import FileSystems
import PropertyEngine
import Schedules
import Synchronization

// One sample on one store: the settings it opens with, whole runs with the disk before each call
// (`record`), and which states may be shown after a crash (`leastKept`, `mismatch`). Every law of
// stores uses it.

/// One sample on one store.
///
/// Disks are values: a crash is a copy of one with parts of what was pending left out, so that a
/// hundred crash points of one run need no second run.
struct StoreTrial: Sendable {
  let subject: any StoreSubject
  let sample: StoreSample
  let schedule: Schedule

  init(_ subject: any StoreSubject, _ sample: StoreSample, _ schedule: Schedule) {
    self.subject = subject
    self.sample = sample
    self.schedule = schedule
  }

  /// A disk with the directory that stores lie in.
  static var emptyDisk: MemoryDisk {
    var disk = MemoryDisk()
    disk.makeFolders(["stores"])
    return disk
  }

  /// The defaults of laws, at the level of the sample.
  var settings: StoreSettings {
    var settings = StoreSettings()
    settings.level = sample.level
    return settings
  }

  /// Opens the store at its usual place, `/stores/items.json`.
  ///
  /// - Throws: ``StoreComplaint``.
  func open(
    on files: any FileSystem,
    _ change: (inout StoreSettings) -> Void = { _ in }
  ) throws -> any OpenedStore {
    var settings = settings
    change(&settings)
    return try subject.open(settings, on: files, schedule)
  }

  /// The rows that a step saves, and the ids that it deletes; `nil` for another kind of step.
  static func change(_ step: StoreStep) -> (saved: [StoreRow], deleted: [String])? {
    guard case .change(let saved, let deleted) = step else { return nil }
    return (saved.map(StoreSample.row), deleted.map(StoreSample.id))
  }

  /// What each step that is a change saves and deletes.
  var changes: [(saved: [StoreRow], deleted: [String])] { sample.steps.compactMap(Self.change) }

  // MARK: - Whole runs

  /// The disk before each call of a run, and what was promised by then.
  ///
  ///     call          open  write  sync | write  sync | write ...
  ///     begun         0     1      1      2      2      3           changes that had begun
  ///     acknowledged  0     0      0      1      1      2           changes that had returned
  struct Recording: Sendable {
    /// The disk at one moment, and what had been promised by then.
    struct Image: Sendable {
      var disk: MemoryDisk
      /// The newest change that returned, and the newest that was begun, by their positions in `states`.
      ///
      /// `acknowledged <= begun <= acknowledged + 1` here, as `record` makes one change at a time.
      var acknowledged: Int
      var begun: Int
      /// The newest change that was flushed.
      var flushed: Int
      /// The newest change before the store was last closed.
      ///
      /// Opening says `closed` of a state up to it at most.
      var closed: Int
      /// The call that comes next; `nil` behind the last one.
      var call: FileError.Call?
    }

    /// Before each call, openings included, and one behind the last.
    var images: [Image]
    var model: StoreModel
    /// Whether the store was closed at the end.
    var isClosed: Bool
  }

  private struct Progress: Sendable {
    var acknowledged = 0
    var begun = 0
    var flushed = 0
    var closed = 0
  }

  /// Runs the steps without a fault and keeps the disk before each call, and after the last.
  ///
  /// A crash at a call is then the disk of its image with what was pending lost, without a second
  /// run. Cost: one copy of the disk in memory for each call of the file system.
  ///
  /// - Parameter closing: Whether the store is closed after the last step.
  /// - Returns: The images in the order of the calls, with the model behind the last step.
  /// - Throws: What a call throws, which none should.
  func record(closing: Bool) async throws -> Recording {
    let images = Shared<[Recording.Image]>([])
    let progress = Shared(Progress())
    let memory = MemoryFiles(Self.emptyDisk)
    // Called before the call is carried out: the image is what a crash at this call finds.
    @Sendable func keep(_ call: FileError.Call?, _ files: MemoryFiles) {
      let now = progress.value
      let image = Recording.Image(
        disk: files.disk,
        acknowledged: now.acknowledged,
        begun: now.begun,
        flushed: now.flushed,
        closed: now.closed,
        call: call
      )
      images.change { $0.append(image) }
    }
    // Images come from the disk of the moment: after a restart that of the new process.
    func watched(_ files: MemoryFiles) -> FaultyFiles {
      FaultyFiles(files) { keep($0.call, files) }
    }
    var current = memory
    var model = StoreModel()
    var store = try open(on: watched(current))
    for step in sample.steps {
      switch step {
      case .change:
        guard let (saved, deleted) = Self.change(step) else { continue }
        guard model.isChange(saving: saved, deleting: deleted) else { continue }
        // Before the call: its bytes may reach the disk at any of the calls within it.
        progress.change { $0.begun += 1 }
        _ = try await store.apply(saving: saved, deleting: deleted)
        progress.change { $0.acknowledged = $0.begun }
        model.apply(saving: saved, deleting: deleted)
      case .flush:
        try await store.flush()
        progress.change { $0.flushed = $0.acknowledged }
      case .compact:
        try await store.compact()
        progress.change { $0.flushed = $0.acknowledged }
      case .reopen:
        // Before `close`, whose last call may have left the mark of a closed store when the crash
        // comes.
        progress.change { $0.closed = $0.acknowledged }
        try await store.close()
        progress.change { $0.flushed = $0.acknowledged }
        store = try open(on: watched(current))
      case .restart:
        // What only memory had is gone, as it may: such runs make it sure first.
        if sample.level == .memory {
          try await store.flush()
          progress.change { $0.flushed = $0.acknowledged }
        }
        // The same disk for another process: what is pending stays so.
        current = MemoryFiles(current.disk)
        store = try open(on: watched(current))
      }
    }
    if closing { try await store.close() }
    keep(nil, current)
    return Recording(images: images.value, model: model, isClosed: closing)
  }

  /// The earliest change that must be there after a loss.
  ///
  /// What `level` promises: of a process that ends, or of a machine that does.
  ///
  /// Positions count states of the model: 0 is the empty store. `memory` covers nothing, `process`
  /// the end of the process alone, `data` and `full` everything.
  ///
  ///     level          the process ends     power is lost
  ///     memory         flushed              flushed
  ///     process        acknowledged         flushed
  ///     data, full     acknowledged         acknowledged
  func leastKept(_ image: Recording.Image, _ loss: PowerLoss) -> Int {
    let isCovered =
      switch sample.level {
      case .memory: false
      case .process: loss.model == .process
      case .data, .full: true
      }
    return isCovered ? image.acknowledged : image.flushed
  }

  /// Where rows are not a state between two of the model's.
  ///
  /// Tells a state of another moment (a lost or an early change) from one that never was (two
  /// changes mixed, damage served): the causes differ.
  ///
  /// Kinds: `state.other` for a state of the run at a wrong moment, `state.none` for one that never
  /// was.
  func mismatch(
    _ rows: [StoreRow],
    _ model: StoreModel,
    _ range: ClosedRange<Int>
  ) -> Difference? {
    if range.contains(where: { model.states[$0] == rows }) { return nil }
    let older = model.states.indices.contains { model.states[$0] == rows }
    return Difference(
      kind: older ? "state.other" : "state.none",
      summary: older
        ? "the store shows a state that was not the one at this moment"
        : "the store shows a state that it never had",
      expected: range.map { rowsText(model.states[$0]) }.joined(separator: " or "),
      actual: rowsText(rows)
    )
  }
}

/// Rows in a few words.
///
/// Texts up to their padding, so that 1587 bytes of `x` are not printed.
func rowsText(_ rows: [StoreRow]) -> String {
  "[" + rows.map { "\($0.id)=\($0.text.prefix(while: { $0 != "x" }))" }.joined(separator: " ") + "]"
}

/// Rows with all of their texts, where those in a few words are alike: `c=994 x*300 y x*12`.
private func wholeRowsText(_ rows: [StoreRow]) -> String {
  let texts = rows.map { row in
    var pieces: [(letter: Character, count: Int)] = []
    for letter in row.text {
      if pieces.last?.letter == letter {
        pieces[pieces.count - 1].count += 1
      } else {
        pieces.append((letter, 1))
      }
    }
    let words = pieces.map {
      $0.count > 3 ? " \($0.letter)*\($0.count) " : String(repeating: $0.letter, count: $0.count)
    }
    return "\(row.id)=\(words.joined())"
  }
  return "[\(texts.joined(separator: " "))]"
}

extension Difference {
  /// Two lists of rows that are not one.
  static func rows(
    _ kind: String,
    _ summary: String,
    expected: [StoreRow],
    actual: [StoreRow]
  ) -> Difference {
    let isTold = rowsText(expected) != rowsText(actual)
    return Difference(
      kind: kind,
      summary: summary,
      expected: isTold ? rowsText(expected) : wholeRowsText(expected),
      actual: isTold ? rowsText(actual) : wholeRowsText(actual)
    )
  }
}

/// Where two lists of rows are not one.
func difference(
  _ actual: [StoreRow],
  from expected: [StoreRow],
  _ kind: String,
  _ summary: String
) -> Difference? {
  actual == expected ? nil : .rows(kind, summary, expected: expected, actual: actual)
}

/// A value that several jobs of a case change.
// A lock and no actor: it must not be another point at which a caller waits. It guards the value.
final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }
}
