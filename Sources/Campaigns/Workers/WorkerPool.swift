import CaseFiles
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
  private let memoryByteLimit: Int?
  /// Whether no answer is waited for any more: the run was interrupted, and workers are ended.
  let isAbandoned: @Sendable () -> Bool
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
  ///
  /// - Parameters:
  ///   - program: This very program.
  ///   - arguments: Its arguments as a worker.
  ///   - memoryByteLimit: What a worker may use; `nil` for the usual 2 GiB.
  ///   - isAbandoned: Whether what is asked needs no answer any more. It never becomes `false` again.
  /// - Throws: ``FileFailure`` where workers could not note their places.
  package init(
    program: URL,
    arguments: [String],
    memoryByteLimit: Int? = nil,
    isAbandoned: @escaping @Sendable () -> Bool = { false }
  ) throws {
    self.program = program
    self.arguments = arguments
    self.memoryByteLimit = memoryByteLimit
    self.isAbandoned = isAbandoned
    let (path, note) = try Self.makeNote()
    try? note.close()
    try? FileManager.default.removeItem(at: path)
  }

  /// Makes the file that a worker notes its place in.
  private static func makeNote() throws(FileFailure) -> (path: URL, handle: FileHandle) {
    let number = count.add(1, ordering: .relaxed).newValue
    let identifier = ProcessInfo.processInfo.processIdentifier
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appendingPathComponent("touchstone-worker-\(identifier)-\(number)")
    guard FileManager.default.createFile(atPath: path.path, contents: Data(count: 16)),
      let handle = try? FileHandle(forReadingFrom: path)
    else {
      throw FileFailure(
        "no file can be made in \(folder.path), the folder for temporary files: TMPDIR names another"
      )
    }
    return (path, handle)
  }

  /// Puts a request to a worker that no other thread uses; none is asked once the run is abandoned.
  func ask(_ request: WorkerRequest) -> Result<WorkerAnswer, WorkerDeath> {
    if isAbandoned() {
      return .failure(
        WorkerDeath(
          failure: .init(reason: .other("\(InterruptedCase())"), lastLines: []),
          place: .init(caseIndex: nil, phase: .waiting)
        )
      )
    }
    let worker: PooledWorker
    do throws(WorkerProcess.Failure) {
      if let waiting = idle.withLock({ $0.popLast() }) {
        worker = waiting
      } else {
        worker = try start()
      }
    } catch {
      return .failure(WorkerDeath(failure: error, place: .init(caseIndex: nil, phase: .waiting)))
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
        ?? WorkerProcess.Failure(
          reason: .other("its answer cannot be read: \(error)"),
          lastLines: []
        )
      return .failure(
        WorkerDeath(failure: failure, place: WorkerNote.place(notedIn: worker.note))
      )
    }
  }

  private static func encoded(_ request: WorkerRequest) throws -> Data {
    try JSONEncoder().encode(request)
  }

  private func start() throws(WorkerProcess.Failure) -> PooledWorker {
    let (note, handle): (URL, FileHandle)
    do {
      (note, handle) = try Self.makeNote()
    } catch {
      throw WorkerProcess.Failure(reason: .other("\(error)"), lastLines: [])
    }
    Descriptor(handle).keepFromPrograms()
    do {
      let process = try WorkerProcess(
        program,
        arguments: arguments,
        environment: [WorkerNote.variable: note.path, "SWIFT_BACKTRACE": "enable=no"],
        memoryByteLimit: memoryByteLimit
      )
      return PooledWorker(process, note: handle, path: note)
    } catch {
      try? FileManager.default.removeItem(at: note)
      throw error
    }
  }
}
