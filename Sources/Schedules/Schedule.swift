import Synchronization

/// Runs all tasks of one case on the calling thread, one job after the other, in an order of its own.
///
/// Callers of a store and its writer, say, would run on threads, in an order that no sample can say. Here every job
/// waits in one list; numbers of the sample pick which is next, 0 the oldest. So a schedule is part of the
/// sample, shrinks with it, and replays. It also sees on which side a job runs.
// A lock and no actor: it is what actors run on. It guards the list of jobs.
///     jobs      [ tasks: caller 1 ] [ tasks: caller 2 ] [ files: write ]      picks 2, 0, 1, ...
///     next      the third, by the first pick; then what it made ready stands at the end
package final class Schedule: Sendable {
  /// Where a job belongs.
  package enum Side: Hashable, Sendable {
    /// The threads that all tasks of a program share.
    case tasks
    /// A thread that may block.
    case files
  }

  private let jobs: JobList
  private let tasks: TaskSide
  private let files: BlockingSide
  private let pool: BlockingSide

  /// - Parameter numbers: Picks, round and round; none means that the oldest job is next.
  package init(_ numbers: [Int] = []) {
    jobs = JobList(numbers)
    tasks = TaskSide(jobs)
    files = BlockingSide(.files, jobs)
    pool = BlockingSide(.tasks, jobs)
  }

  /// Where the job that runs belongs; `nil` while none does.
  package var running: Side? { jobs.running }

  /// What a store's writer runs on.
  package var fileExecutor: any SerialExecutor { files }

  /// What a store runs on that blocks the threads of all tasks.
  package var poolExecutor: any SerialExecutor { pool }

  /// Runs a task and all that it starts, until it is done.
  ///
  /// - Throws: What the task throws, or ``Stalled`` if it waits and nothing is left to run.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let box = ResultBox<Value>()
    Task(executorPreference: tasks) {
      do {
        box.set(.success(try await body()))
      } catch {
        box.set(.failure(error))
      }
    }
    // What the task has started may outlive it: it runs as well, so that nothing is left behind.
    while let run = jobs.take() { run() }
    guard let done = box.value else { throw Stalled() }
    return try done.get()
  }
}

extension Schedule {
  fileprivate final class TaskSide: TaskExecutor {
    private let jobs: JobList

    init(_ jobs: JobList) { self.jobs = jobs }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // Unowned: the list that it stands in is this object's own.
      jobs.add(.tasks) { [unowned self] in
        unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
      }
    }
  }

  fileprivate final class BlockingSide: SerialExecutor {
    private let side: Side
    private let jobs: JobList

    init(_ side: Side, _ jobs: JobList) { (self.side, self.jobs) = (side, jobs) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.add(side) { [unowned self] in
        unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
      }
    }
  }

  /// The jobs that wait.
  fileprivate final class JobList: Sendable {
    private struct State {
      var jobs: [(side: Side, run: @Sendable () -> Void)] = []
      var next = 0
      var running: Side?
    }

    private let state = Mutex(State())
    private let numbers: [Int]

    init(_ numbers: [Int]) { self.numbers = numbers }

    var running: Side? { state.withLock { $0.running } }

    func add(_ side: Side, _ run: @escaping @Sendable () -> Void) {
      state.withLock { $0.jobs.append((side, run)) }
    }

    /// Takes the job that is next; `nil` if there is none.
    ///
    /// A single job needs no pick, so that schedules are as short as there are choices.
    func take() -> (@Sendable () -> Void)? {
      state.withLock { state in
        guard !state.jobs.isEmpty else {
          state.running = nil
          return nil
        }
        var index = 0
        if !numbers.isEmpty, state.jobs.count > 1 {
          index = numbers[state.next % numbers.count] % state.jobs.count
          state.next += 1
        }
        let taken = state.jobs.remove(at: index)
        state.running = taken.side
        return taken.run
      }
    }
  }
}

/// The result of a task, once it has one.
private final class ResultBox<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }

  var value: Result<Value, any Error>? { result.withLock { $0 } }
}

/// A call waits for something that never comes.
package struct Stalled: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String { "a call waits, and nothing is left to run" }
}
