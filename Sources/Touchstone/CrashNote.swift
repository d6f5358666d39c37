import Foundation
import FuzzSessions

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Prints and stores what was being judged when a model's own code traps, which no program survives.
///
/// Before a model's code runs, its thread leaves here a text for a person, the case as a file, and for
/// `touchstone fuzz` an answer. If a signal ends the process, a handler writes them, and then lets the process end
/// as it would have.
/// The handler calls only what is safe in a handler: `write`, `mkdir`, `open`, `close`, `sigaction`,
/// on memory that was allocated before.
///
/// There is one slot for each thread that judges at the same time. Slots are never freed, and each is
/// written by its own thread alone, which finds it by a thread-specific value.
/// Cost, on a machine with ten busy processes on two cores: a note with its case takes about 0.3 ms, and
/// 600 cases of the model `Everything` of the tests leave some 6,000. Stress: `TrapTests.stress()` judges 33
/// models at once; one of them traps, and the test finds its text and its case alone.
enum CrashNote {
  private static let slotCount = 64
  private static let byteLimit = 1 << 16
  private static let pathLimit = 4096
  private static let signals: [Int32] = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  @unsafe fileprivate struct Slot {
    var isTaken = false
    var folder: UnsafeMutablePointer<CChar>
    var path: UnsafeMutablePointer<CChar>
    var text: UnsafeMutablePointer<CChar>
    var file: UnsafeMutablePointer<CChar>
    /// A line for the file of answers.
    var answer: UnsafeMutablePointer<CChar>
    /// Whether the case stays as it is, whatever is left until it is released.
    var isPinned = false
  }

  @unsafe private struct Memory: @unchecked Sendable {
    let slots: UnsafeMutablePointer<Slot>
    let old: UnsafeMutablePointer<sigaction>
    /// The path of the file of answers; nil where no request wants answers.
    let answers: UnsafeMutablePointer<CChar>?
    /// Where each thread has its slot; nil if the system has no place left.
    let key: pthread_key_t?

    var slot: UnsafeMutablePointer<Slot>? {
      guard let key = unsafe key else { return nil }
      return unsafe pthread_getspecific(key)?.assumingMemoryBound(to: Slot.self)
    }
  }

  /// The request to judge one input, which wants to know at what the process ends; `nil` without one.
  private static let judged: FuzzRequest? = {
    guard case .success(let request?) = FuzzRequest.current, request.mode == .judge else {
      return nil
    }
    return request
  }()

  /// Guards which slots are taken.
  private static let lock = NSLock()

  private static let memory: Memory = {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount)
    for index in 0..<slotCount {
      let size = 2 * pathLimit + 3 * byteLimit
      let texts = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      unsafe texts.initialize(repeating: 0, count: size)
      unsafe (slots + index).initialize(
        to: Slot(
          folder: texts,
          path: texts + pathLimit,
          text: texts + 2 * pathLimit,
          file: texts + 2 * pathLimit + byteLimit,
          answer: texts + 2 * pathLimit + 2 * byteLimit
        )
      )
    }
    let old = UnsafeMutablePointer<sigaction>.allocate(capacity: signals.count)
    for (index, signal) in signals.enumerated() {
      unsafe (old + index).initialize(to: sigaction())
      var action = sigaction()
      #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = { CrashNote.handle($0) }
      #else
      unsafe action.__sigaction_handler.sa_handler = { CrashNote.handle($0) }
      #endif
      unsafe sigaction(signal, &action, old + index)
    }
    var key = pthread_key_t()
    let isKnown = unsafe pthread_key_create(&key, nil) == 0
    let path = unsafe judged.flatMap { unsafe strdup($0.answersPath) }
    return unsafe Memory(slots: slots, old: old, answers: path, key: isKnown ? key : nil)
  }()

  /// What one thread leaves behind; nothing if it has no slot.
  @safe struct Note {
    fileprivate let slot: UnsafeMutablePointer<Slot>?

    /// What a person reads.
    func set(text: String) {
      guard let slot = unsafe slot else { return }
      unsafe fill(slot.pointee.text, text, byteLimit)
    }

    /// What `touchstone fuzz` reads; nothing unless it asked.
    ///
    /// One that is too long is left out.
    func set(ending: @autoclosure () -> FuzzFailureText) {
      guard let slot = unsafe slot, CrashNote.judged != nil else { return }
      let line = (try? FuzzAnswer.ending(ending()).line) ?? ""
      unsafe fill(slot.pointee.answer, line.utf8.count < byteLimit ? line : "", byteLimit)
    }

    /// Where the case would be written; `nil` if there is none.
    var path: String? {
      guard let slot = unsafe slot, unsafe slot.pointee.file.pointee != 0 else { return nil }
      return unsafe String(cString: slot.pointee.path)
    }

    /// Leaves no case.
    func clearFile() {
      guard let slot = unsafe slot, unsafe !slot.pointee.isPinned else { return }
      unsafe slot.pointee.file.pointee = 0
    }

    /// The case, and where it is written.
    func set(file: String, at url: URL) {
      guard let slot = unsafe slot, unsafe !slot.pointee.isPinned else { return }
      unsafe fill(slot.pointee.file, file, byteLimit)
      unsafe fill(slot.pointee.path, url.path, pathLimit)
      unsafe fill(slot.pointee.folder, url.deletingLastPathComponent().path, pathLimit)
    }

    /// Runs `body` with a case that stays as it is, as a stored one does: it has its file already.
    func holding<Value>(file: String, at url: URL, _ body: () throws -> Value) rethrows -> Value {
      set(file: file, at: url)
      guard let slot = unsafe slot else { return try body() }
      unsafe slot.pointee.isPinned = true
      defer {
        unsafe slot.pointee.isPinned = false
        clearFile()
      }
      return try body()
    }
  }

  /// Runs `body`, which leaves a note before each piece of foreign code: see ``current``.
  static func during<Value>(_ body: () throws -> Value) rethrows -> Value {
    let memory = unsafe memory
    let index: Int? = lock.withLock {
      guard let free = (0..<slotCount).first(where: { unsafe !memory.slots[$0].isTaken })
      else { return nil }
      unsafe memory.slots[free].isTaken = true
      return free
    }
    // With all slots taken, a trap is as silent as it would be without this.
    guard let index, let key = unsafe memory.key else { return try body() }
    let outer = unsafe memory.slot
    let slot = unsafe memory.slots + index
    unsafe pthread_setspecific(key, slot)
    defer {
      unsafe pthread_setspecific(key, outer)
      lock.withLock { unsafe memory.slots[index].isTaken = false }
    }
    unsafe slot.pointee.text.pointee = 0
    unsafe slot.pointee.file.pointee = 0
    unsafe slot.pointee.answer.pointee = 0
    unsafe slot.pointee.isPinned = false
    return try body()
  }

  /// What this thread leaves behind; nothing outside of ``during(_:)``.
  static var current: Note { unsafe Note(slot: memory.slot) }

  /// Copies a text, cut to the limit, with a zero behind it.
  private static func fill(_ target: UnsafeMutablePointer<CChar>, _ text: String, _ limit: Int) {
    var text = text
    text.withUTF8 { bytes in
      let count = min(bytes.count, limit - 1)
      if let first = bytes.baseAddress { unsafe memcpy(target, first, count) }
      unsafe target[count] = 0
    }
  }

  private static func handle(_ signal: Int32) {
    let memory = unsafe memory
    if let slot = unsafe memory.slot {
      unsafe write(2, slot.pointee.text, strlen(slot.pointee.text))
      if unsafe slot.pointee.file.pointee != 0 {
        _ = unsafe mkdir(slot.pointee.folder, 0o755)
        let file = unsafe open(slot.pointee.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        if file >= 0 {
          unsafe write(file, slot.pointee.file, strlen(slot.pointee.file))
          close(file)
        }
      }
      if let answers = unsafe memory.answers, unsafe slot.pointee.answer.pointee != 0 {
        let file = unsafe open(answers, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        if file >= 0 {
          unsafe write(file, slot.pointee.answer, strlen(slot.pointee.answer))
          close(file)
        }
      }
    }
    // The handler of before is in force again when the instruction traps once more.
    for (index, known) in signals.enumerated() where known == signal {
      unsafe sigaction(signal, memory.old + index, nil)
    }
    if signal == SIGABRT { raise(signal) }
  }
}
