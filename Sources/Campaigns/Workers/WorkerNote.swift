import Foundation
import Synchronization
import SystemCalls

/// What a worker is at, in a file that is mapped into its memory: it costs three stores a case, and
/// outlives the worker, whose parent then knows which case it was.
package final class WorkerNote: Sendable {
  /// Whose code is at work.
  package enum Phase: UInt64, Sendable {
    /// That of the worker itself: it starts, makes its lanes, or waits for a request. What a file of zeros says.
    case waiting
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

  /// The number of the case, from 1, with 0 for none; then the phase.
  private let words: MappedWords

  /// The note of this process; `nil` unless it is a worker.
  private static let current = Mutex<WorkerNote?>(nil)

  /// Maps a file, which becomes as long as a note; `nil` if that cannot be.
  private init?(path: String) {
    guard let words = MappedWords(path: path, count: 2) else { return nil }
    self.words = words
  }

  /// Makes this process one that notes what it is at.
  ///
  /// The file loses its name: its parent has it open, and nothing is left behind whichever of the two
  /// ends first, and however.
  static func begin() {
    guard let path = ProcessInfo.processInfo.environment[variable] else { return }
    guard let note = WorkerNote(path: path) else { return }
    try? FileManager.default.removeItem(atPath: path)
    current.withLock { $0 = note }
  }

  /// Notes whose code is at work from now on; nothing in a process that is no worker.
  static func enter(_ phase: Phase) {
    current.withLock { note in
      if let note { note.words[1] = phase.rawValue }
    }
  }

  /// Notes which case is at work from now on; `nil` for none of a range.
  static func enter(caseIndex: Int?, _ phase: Phase = .law) {
    current.withLock { note in
      guard let note else { return }
      note.words[0] = caseIndex.map { UInt64($0) + 1 } ?? 0
      note.words[1] = phase.rawValue
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
      phase: Phase(rawValue: word(1)) ?? .waiting
    )
  }
}
