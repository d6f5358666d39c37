import Dispatch
import Synchronization

/// Asynchronous code, called by a thread that waits for it, and run on that very thread.
///
/// The loop in which laws run is synchronous and has a thread of its own; a property is asynchronous, and
/// needs the current test's task, by which its expectations know the test. So that task serves the
/// thread: it takes one call after the other, with the thread as its executor. What a call starts on
/// other executors, such as the main actor, runs there, and the thread waits.
// Locks and no actor: they are what the task runs on. Each guards the state beside it.
final class AsyncCalls: Sendable {
  private typealias Work = @Sendable () async -> Void

  private enum State {
    case empty
    case waiting(CheckedContinuation<Work?, Never>)
    case full(Work)
    case closed
  }

  private let state = Mutex(State.empty)
  private let thread = WaitingThread()

  /// Takes calls until ``close()``, in the task that asks for it.
  func serve() async {
    await withTaskExecutorPreference(thread) {
      while let work = await next() { await work() }
    }
  }

  private func next() async -> Work? {
    await withCheckedContinuation { continuation in
      let ready: Work?? = state.withLock { state in
        switch state {
        case .full(let work):
          state = .empty
          return .some(work)
        case .closed: return .some(nil)
        case .empty, .waiting:
          state = .waiting(continuation)
          return nil
        }
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }

  /// Calls asynchronous code and waits for its result; for one thread alone.
  ///
  /// Where several jobs wait, `picks` says which is next, round and round; without picks it is the oldest.
  func wait<Value: Sendable>(
    picking picks: [Int] = [],
    for body: @escaping @Sendable () async -> Value
  ) -> Value {
    let result = Box<Value>()
    thread.pick(by: picks)
    put(.full { result.value.withLock { [value = await body()] in $0 = value } })
    while true {
      if let value = result.value.withLock({ $0 }) { return value }
      thread.runNext()
    }
  }

  /// Lets the task go.
  func close() {
    put(.closed)
    thread.close()
  }

  private func put(_ new: State) {
    let waiting: CheckedContinuation<Work?, Never>? = state.withLock { state in
      guard case .waiting(let continuation) = state else {
        state = new
        return nil
      }
      state = if case .closed = new { .closed } else { .empty }
      return continuation
    }
    if case .full(let work) = new {
      waiting?.resume(returning: work)
    } else {
      waiting?.resume(returning: nil)
    }
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}

/// A thread that runs jobs where it waits; once it is closed, they run on the system's threads.
private final class WaitingThread: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isClosed = false
    var picks: [Int] = []
    var pickCount = 0

    mutating func take() -> UnownedJob? {
      guard !jobs.isEmpty else { return nil }
      guard !picks.isEmpty, jobs.count > 1 else { return jobs.removeFirst() }
      pickCount += 1
      return jobs.remove(at: picks[(pickCount - 1) % picks.count] % jobs.count)
    }
  }

  private let state = Mutex(State())
  private let jobCount = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isClosed = state.withLock { state in
      if !state.isClosed { state.jobs.append(job) }
      return state.isClosed
    }
    if isClosed { runElsewhere(job) } else { jobCount.signal() }
  }

  /// Waits for a job, and runs it.
  func runNext() {
    jobCount.wait()
    let job = state.withLock { $0.take() }
    if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Says which job is next where several wait: numbers of at least 0.
  func pick(by picks: [Int]) {
    state.withLock { state in
      state.picks = picks
      state.pickCount = 0
    }
  }

  func close() {
    let jobs = state.withLock { state in
      defer { state.jobs = [] }
      state.isClosed = true
      return state.jobs
    }
    for job in jobs { runElsewhere(job) }
  }

  private func runElsewhere(_ job: UnownedJob) {
    DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
