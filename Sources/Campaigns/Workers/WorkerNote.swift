import Foundation
import Synchronization

/// What a worker is at, in a file that is mapped into its memory: it costs three stores a case, and
/// outlives the worker, whose parent then knows which case it was.
@safe package final class WorkerNote: Sendable {
  /// Whose code is at work.
  package enum Phase: UInt64, Sendable {
    /// A law, or what a law calls itself: for a coder and for stored bytes that is the subject.
    case law
    case drawing
    case subject
    case oracle
  }

  /// Where a worker was.
  package struct Place: Hashable, Sendable {
    /// `nil` if it was at no case of a range.
    package let caseIndex: Int?
    package let phase: Phase
  }

  /// Name of the variable that holds the file's path.
  package static let variable = "TOUCHSTONE_WORKER_NOTE"

  // Not checked by the compiler: a worker has one thread that judges.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<UInt64>

  /// The note of this process; `nil` unless it is a worker.
  private static let current = Mutex<WorkerNote?>(nil)

  private static let wordCount = 2

  /// Maps a file, which is made long enough; `nil` if that cannot be.
  private init?(path: String) {
    // C calls lend a string, or the storage that the file becomes.
    let descriptor = unsafe open(path, O_RDWR)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let byteCount = Self.wordCount * MemoryLayout<UInt64>.stride
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else { return nil }
    // The mapping is never undone: it lives as long as the process.
    let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { return nil }
    unsafe words = address.bindMemory(to: UInt64.self, capacity: Self.wordCount)
  }

  /// Makes this process one that notes what it is at.
  ///
  /// The file loses its name: its parent has it open, and nothing is left behind whichever of the two
  /// ends first, and however.
  static func begin() {
    guard let path = ProcessInfo.processInfo.environment[variable] else { return }
    let note = WorkerNote(path: path)
    _ = unsafe unlink(path)
    current.withLock { $0 = note }
  }

  /// Notes whose code is at work from now on; nothing in a process that is no worker.
  static func enter(_ phase: Phase) {
    current.withLock { note in
      if let note { unsafe note.words[1] = phase.rawValue }
    }
  }

  /// Notes which case is at work from now on; `nil` for none of a range.
  static func enter(caseIndex: Int?) {
    current.withLock { note in
      guard let note else { return }
      unsafe note.words[0] = caseIndex.map { UInt64($0) + 1 } ?? 0
      unsafe note.words[1] = Phase.law.rawValue
    }
  }

  /// What the worker with this file is at, or was at last.
  static func place(notedIn file: FileHandle) -> Place {
    let bytes = [UInt8](
      (try? file.seek(toOffset: 0)).flatMap { try? file.readToEnd() } ?? Data()
    )
    func word(_ index: Int) -> UInt64 {
      guard bytes.count >= 8 * (index + 1) else { return 0 }
      let own = bytes[(8 * index)..<(8 * index + 8)]
      #if _endian(little)
      return own.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      #else
      return own.reduce(0) { $0 << 8 | UInt64($1) }
      #endif
    }
    let number = word(0)
    return Place(
      caseIndex: number == 0 ? nil : Int(exactly: number - 1),
      phase: Phase(rawValue: word(1)) ?? .law
    )
  }
}
