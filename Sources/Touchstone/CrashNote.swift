import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Says what was being judged when a model's own code traps, which no program survives.
///
/// Before a model's code is run, its thread leaves here the words for a person and the case as a
/// file. Should a signal end the process, a handler writes both, and then lets the process end as it
/// would have. Only what may be called within a handler is called there: `write`, `mkdir`, `open`,
/// `close`, `sigaction`, on memory that was made before.
///
/// Memory outlives the process: there is one slot for each thread that judges at the same time, the
/// slots are never freed, and each is written by its own thread alone.
enum CrashNote {
  private static let slotCount = 64
  private static let byteLimit = 1 << 16
  private static let pathLimit = 4096
  private static let signals: [Int32] = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  @unsafe fileprivate struct Slot {
    var isTaken = false
    var thread: pthread_t?
    var folder: UnsafeMutablePointer<CChar>
    var path: UnsafeMutablePointer<CChar>
    var words: UnsafeMutablePointer<CChar>
    var file: UnsafeMutablePointer<CChar>
  }

  @unsafe private struct Memory: @unchecked Sendable {
    let slots: UnsafeMutablePointer<Slot>
    let old: UnsafeMutablePointer<sigaction>
  }

  /// Guards which slots are taken.
  private static let lock = NSLock()

  private static let memory: Memory = {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount)
    for index in 0..<slotCount {
      let texts = UnsafeMutablePointer<CChar>.allocate(capacity: 2 * pathLimit + 2 * byteLimit)
      unsafe texts.initialize(repeating: 0, count: 2 * pathLimit + 2 * byteLimit)
      unsafe (slots + index).initialize(
        to: Slot(
          folder: texts,
          path: texts + pathLimit,
          words: texts + 2 * pathLimit,
          file: texts + 2 * pathLimit + byteLimit
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
    return unsafe Memory(slots: slots, old: old)
  }()

  /// What one thread leaves behind.
  @safe struct Note {
    fileprivate let slot: UnsafeMutablePointer<Slot>?

    /// What a person reads.
    func set(words: String) {
      guard let slot = unsafe slot else { return }
      unsafe fill(slot.pointee.words, words, byteLimit)
    }

    /// The case, and where it is written; nothing is written if there is none.
    func set(file: String, at url: URL) {
      guard let slot = unsafe slot else { return }
      unsafe fill(slot.pointee.file, file, byteLimit)
      unsafe fill(slot.pointee.path, url.path, pathLimit)
      unsafe fill(slot.pointee.folder, url.deletingLastPathComponent().path, pathLimit)
    }
  }

  /// Runs `body`, which says before each piece of foreign code what it is about to do.
  static func during<Value>(_ body: (Note) throws -> Value) rethrows -> Value {
    let memory = unsafe memory
    let index: Int? = lock.withLock {
      guard let free = (0..<slotCount).first(where: { unsafe !memory.slots[$0].isTaken })
      else { return nil }
      unsafe memory.slots[free].isTaken = true
      unsafe memory.slots[free].thread = pthread_self()
      return free
    }
    // With all slots taken, a trap is as silent as it would be without this.
    guard let index else { return try body(unsafe Note(slot: nil)) }
    defer {
      lock.withLock {
        unsafe memory.slots[index].thread = nil
        unsafe memory.slots[index].isTaken = false
      }
    }
    let note = unsafe Note(slot: memory.slots + index)
    unsafe note.slot?.pointee.words.pointee = 0
    unsafe note.slot?.pointee.file.pointee = 0
    return try body(note)
  }

  /// Sets the words of this thread's note, if it has one.
  static func tell(_ words: String) {
    let memory = unsafe memory
    for index in 0..<slotCount {
      guard let thread = unsafe memory.slots[index].thread,
        pthread_equal(thread, pthread_self()) != 0
      else { continue }
      unsafe fill(memory.slots[index].words, words, byteLimit)
    }
  }

  /// Copies a text, cut to the limit, with a zero behind it.
  private static func fill(_ target: UnsafeMutablePointer<CChar>, _ text: String, _ limit: Int) {
    var index = 0
    for byte in text.utf8 where index < limit - 1 {
      unsafe target[index] = CChar(bitPattern: byte)
      index += 1
    }
    unsafe target[index] = 0
  }

  private static func handle(_ signal: Int32) {
    let memory = unsafe memory
    for index in 0..<slotCount {
      guard let thread = unsafe memory.slots[index].thread,
        pthread_equal(thread, pthread_self()) != 0
      else { continue }
      let slot = unsafe memory.slots[index]
      unsafe write(2, slot.words, strlen(slot.words))
      guard unsafe slot.file.pointee != 0 else { continue }
      _ = unsafe mkdir(slot.folder, 0o755)
      let file = unsafe open(slot.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      if file >= 0 {
        unsafe write(file, slot.file, strlen(slot.file))
        close(file)
      }
    }
    // What stood here before is in force again when the trap is met once more.
    for (index, known) in signals.enumerated() where known == signal {
      unsafe sigaction(signal, memory.old + index, nil)
    }
    if signal == SIGABRT { raise(signal) }
  }
}
