import AutomergeDocument
import MergeEngine
import PropertyEngine
import Synchronization

extension PublicCallLaw {
  static let streamLaws = [eventStreams]

  /// Catches a stream that begins late, leaves out what was not taken yet, or waits for ever for a document that is gone.
  ///
  /// Each stream is read behind the last call, by when its document has been let go: what it gives was kept for it. An
  /// observer of the same objects has heard what is due.
  ///
  ///     streams    of all, of a map
  ///     calls      put into the map, put into the root, a merge
  ///     of all     will 1, did 1, will 2, did 2, will 3, did 3, end
  ///     of a map   will 1, did 1, and both of 3 if the merge reached it, end
  private static let eventStreams = PublicCallLaw(
    "api.event-streams",
    "A stream has each event, and ends.",
    "A stream of events, of all calls or of those that reach an object, has what an observer hears, in its order, however "
      + "late it is read, and ends when the document is let go.",
    source: .specification(.codable, "Notification")
  ) { story in
    for (stream, due) in try watched(&story) {
      let found = EventRecorder()
      let isOver = Atomic<Bool>(false)
      let jobs = JobsHere()
      jobs.run {
        for await event in stream { found.record(event) }
        isOver.store(true, ordering: .relaxed)
      }
      try expect(
        isOver.load(ordering: .relaxed),
        "a stream of \(due.count) events does not end with its document, after \(found.events)"
      )
      try expect(found.events == due, "a stream of events has \(found.events), due is \(due)")
    }
  }

  /// Streams of a document that is gone, and what each is due.
  private static func watched(
    _ story: inout CallStory
  ) throws -> [(stream: AsyncStream<DocumentEvent>, due: [RecordedEvent])] {
    let document = try story.document().copy(by: 0xfd)
    let map = try document.putObject(obj: .ROOT, key: "map", ty: .Map)
    let peer = document.copy(by: 0xfe)
    let interests = (0...(1 + story.index(below: 2))).map { _ in story.flag() ? map : nil }
    let names = interests.map { $0 == nil ? "all" : "a map" }
    story.note("streams of \(names.joined(separator: ", "))")
    let recorders = interests.map { _ in EventRecorder() }
    let tokens = zip(interests, recorders).map { interest, recorder in
      document.observe(interest) { recorder.record($0) }
    }
    let streams = interests.map { document.events(of: $0) }
    for step in 0...story.index(below: 5) {
      let place = story.flag() ? map : ObjId.ROOT
      let name = place == map ? "the map" : "the root"
      switch story.index(below: 4) {
      case 0:
        story.note("puts into \(name)")
        try document.put(obj: place, key: "own", value: .Int(Int64(step)))
      case 1:
        story.note("merges a put into \(name)")
        try peer.put(obj: place, key: "merged", value: .Int(Int64(step)))
        try document.merge(other: peer)
      case 2:
        story.note("increments what is not in \(name)")
        try? document.increment(obj: place, key: "never there", by: 1)
      default:
        story.note("commits")
        document.commitOnce()
      }
    }
    story.note("the document is let go")
    for token in tokens { token.cancel() }
    return zip(streams, recorders).map { ($0, $1.events) }
  }
}

/// Runs a task's jobs on the thread that asks, and no others: a task that waits for ever is left behind.
private final class JobsHere: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs `body` up to its end, or to where it waits for what does not come.
  func run(_ body: @escaping @Sendable () async -> Void) {
    Task(executorPreference: self) { await body() }
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
