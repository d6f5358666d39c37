import FaultInjection
import FileSystems

// Runs with the disk before each call, and what a crash may take of them. A law picks an image,
// takes a loss from its disk, and opens what is left: a hundred crash points need one run.

/// Keeps the disk before each call of a run, with what had been promised by then.
///
/// `Promises` is what the law counts: positions of changes (``ChangeProgress``), ids, or a round for
/// each caller. Cost: one copy of the disk for each call, which shares what did not change.
final class DiskRecorder<Promises: Sendable>: Sendable {
  /// The disk at one moment, and what had been promised by then.
  struct Image: Sendable {
    let disk: MemoryDisk
    let promises: Promises
  }

  /// What is promised by now; the run changes it around its calls.
  let promises: Shared<Promises>
  private let recorded = Shared<[Image]>([])

  init(_ promises: Promises) { self.promises = Shared(promises) }

  /// The images in the order of the calls.
  var images: [Image] { recorded.value }

  /// Keeps the disk as it is now.
  func keep(_ memory: MemoryFiles) {
    let image = Image(disk: memory.disk, promises: promises.value)
    recorded.change { $0.append(image) }
  }

  /// The same files, of whose disk an image is kept before each call.
  ///
  /// `onCall`: Gets each call before the image is kept.
  func watched(
    _ memory: MemoryFiles,
    onCall: @escaping @Sendable (CallRecord) -> Void = { _ in }
  ) -> FaultyFiles {
    // Before the call is carried out: the image is what a crash at this call finds.
    FaultyFiles(memory) { [self] call in
      onCall(call)
      keep(memory)
    }
  }

  /// Forgets the images so far: no crash is to come before this moment.
  func restart() { recorded.value = [] }
}

/// What one caller had been promised at one moment, by positions in the states of its run.
///
///     call          open  write  sync | write  sync | write ...
///     begun         0     1      1      2      2      3
///     acknowledged  0     0      0      1      1      2
struct ChangeProgress: Sendable {
  /// The newest change that was begun; with one caller at most one more than `acknowledged`.
  var begun = 0
  /// The newest change that returned.
  var acknowledged = 0
  /// The newest change that was flushed.
  var flushed = 0
  /// The newest change before the store was last closed.
  ///
  /// Opening says `closed` of a state up to it at most.
  var closed = 0
}

/// A run of a sample's steps without a fault.
struct StoreRecording: Sendable {
  typealias Image = DiskRecorder<ChangeProgress>.Image

  /// Before each call, openings included, and one behind the last.
  let images: [Image]
  let model: StoreModel
  /// Whether the store was closed at the end.
  let isClosed: Bool

  /// The image behind the last call.
  var end: Image { images[images.count - 1] }
}

extension StoreTrial {
  /// Runs the steps without a fault and keeps the disk before each call, and after the last.
  ///
  /// - Parameter closing: Whether the store is closed after the last step.
  /// - Returns: The images in the order of the calls, with the model behind the last step.
  /// - Throws: What a call throws, which none should.
  func record(closing: Bool) async throws -> StoreRecording {
    let recorder = DiskRecorder(ChangeProgress())
    let progress = recorder.promises
    var memory = MemoryFiles(Self.emptyDisk)
    var model = StoreModel()
    var store = try open(on: recorder.watched(memory))
    for step in sample.steps {
      switch step {
      case .change:
        guard model.isChange(step) else { continue }
        // Before the call: its bytes may reach the disk at any of the calls within it.
        progress.change { $0.begun += 1 }
        try await Self.carryOut(step, on: store, &model).unlessRefused()
        progress.change { $0.acknowledged = $0.begun }
      case .flush, .compact:
        try await Self.carryOut(step, on: store, &model).unlessRefused()
        progress.change { $0.flushed = $0.acknowledged }
      case .reopen:
        // Before `close`, whose last call may have left the mark of a closed store when the crash
        // comes.
        progress.change { $0.closed = $0.acknowledged }
        try await store.close()
        progress.change { $0.flushed = $0.acknowledged }
        store = try open(on: recorder.watched(memory))
      case .restart:
        // What only memory had is gone with the process: such runs make it sure first.
        if sample.level == .memory {
          try await store.flush()
          progress.change { $0.flushed = $0.acknowledged }
        }
        // The same disk for another process: what is pending stays so.
        memory = MemoryFiles(memory.disk)
        store = try open(on: recorder.watched(memory))
      }
    }
    if closing { try await store.close() }
    recorder.keep(memory)
    return StoreRecording(images: recorder.images, model: model, isClosed: closing)
  }

  /// The image at which the sample's crash comes.
  func crashImage<Promises>(
    of images: [DiskRecorder<Promises>.Image]
  ) -> DiskRecorder<Promises>.Image {
    images[sample.crash % images.count]
  }

  /// The earliest change that must be there after a loss, by its position in the states of the run.
  ///
  /// Position 0 is the empty store.
  ///
  ///     level          the process ends     power is lost
  ///     memory         flushed              flushed
  ///     process        acknowledged         flushed
  ///     data, full     acknowledged         acknowledged
  func leastKept(_ image: StoreRecording.Image, _ loss: PowerLoss) -> Int {
    sample.level.covers(loss.model) ? image.promises.acknowledged : image.promises.flushed
  }
}

extension StoreLevel {
  /// Whether what returned at this level survives a crash without a flush.
  func covers(_ crash: CrashModel) -> Bool {
    switch self {
    case .memory: false
    case .process: crash == .process
    case .data, .full: true
    }
  }
}
