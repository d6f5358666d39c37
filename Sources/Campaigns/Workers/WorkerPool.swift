import ForeignSubjects
package import Foundation
import Synchronization
import SystemCalls

/// Workers: processes of this program that judge for it, so that nothing that a subject does ends a
/// run.
///
/// A worker lives for many cases of any lane, and is replaced after it died. The lock guards the list
/// of idle ones; it is no actor because threads cannot wait.
package final class WorkerPool: Sendable {
  private let program: URL
  private let arguments: [String]
  private let idle = Mutex<[PooledWorker]>([])

  /// The file that a worker notes its place in is made again for each of them.
  private static let count = Atomic<Int>(0)

  // Not checked by the compiler: a worker is used by one thread at a time, since the list gives each to
  // one, which gives it back when it is done.
  private final class PooledWorker: @unchecked Sendable {
    let process: WorkerProcess
    let note: FileHandle
    private let path: URL

    init(_ process: WorkerProcess, note: FileHandle, path: URL) {
      self.process = process
      self.note = note
      self.path = path
    }

    deinit {
      process.stop()
      try? note.close()
      // There still if the worker ended before it began.
      try? FileManager.default.removeItem(at: path)
    }
  }

  /// A pool of processes that this command line starts; each is to run a ``Worker``.
  package init(program: URL, arguments: [String]) {
    self.program = program
    self.arguments = arguments
  }

  /// Puts a request to a worker that no other thread uses.
  func ask(_ request: WorkerRequest) -> Result<WorkerAnswer, WorkerDeath> {
    let worker: PooledWorker
    do throws(WorkerProcess.Failure) {
      if let waiting = idle.withLock({ $0.popLast() }) {
        worker = waiting
      } else {
        worker = try start()
      }
    } catch {
      return .failure(WorkerDeath(failure: error, place: .init(caseIndex: nil, phase: .drawing)))
    }
    do {
      let line = [UInt8](try Self.encoded(request))
      let answer = try worker.process.exchange(line)
      let decoded = try JSONDecoder().decode(WorkerAnswer.self, from: Data(answer))
      idle.withLock { $0.append(worker) }
      return .success(decoded)
    } catch {
      let failure =
        error as? WorkerProcess.Failure
        ?? WorkerProcess.Failure(reason: .other("its answer is none: \(error)"), lastLines: [])
      return .failure(
        WorkerDeath(failure: failure, place: WorkerNote.place(notedIn: worker.note))
      )
    }
  }

  private static func encoded(_ request: WorkerRequest) throws -> Data {
    try JSONEncoder().encode(request)
  }

  private func start() throws(WorkerProcess.Failure) -> PooledWorker {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let identifier = ProcessInfo.processInfo.processIdentifier
    let note = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-worker-\(identifier)-\(number)")
    guard FileManager.default.createFile(atPath: note.path, contents: Data(count: 16)),
      let handle = try? FileHandle(forReadingFrom: note)
    else {
      throw WorkerProcess.Failure(reason: .other("\(note.path) cannot be made"), lastLines: [])
    }
    Descriptor(handle).keepFromPrograms()
    do {
      let process = try WorkerProcess(
        program,
        arguments: arguments,
        environment: [WorkerNote.variable: note.path, "SWIFT_BACKTRACE": "enable=no"]
      )
      return PooledWorker(process, note: handle, path: note)
    } catch {
      try? FileManager.default.removeItem(at: note)
      throw error
    }
  }
}
