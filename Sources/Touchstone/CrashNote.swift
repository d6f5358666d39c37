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
/// slots are never freed, and each is written by its own thread alone, which knows it by a value of
/// its own.
enum CrashNote {
  private static let slotCount = 64
  private static let byteLimit = 1 << 16
  private static let pathLimit = 4096
  private static let signals: [Int32] = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  @unsafe fileprivate struct Slot {
    var isTaken = false
    var folder: UnsafeMutablePointer<CChar>
    var path: UnsafeMutablePointer<CChar>
    var words: UnsafeMutablePointer<CChar>
    var file: UnsafeMutablePointer<CChar>
  }

  @unsafe private struct Memory: @unchecked Sendable {
    let slots: UnsafeMutablePointer<Slot>
    let old: UnsafeMutablePointer<sigaction>
    /// Where each thread has its slot; nil if the system has no place left.
    let key: pthread_key_t?

    var slot: UnsafeMutablePointer<Slot>? {
      guard let key = unsafe key else { return nil }
      return unsafe pthread_getspecific(key)?.assumingMemoryBound(to: Slot.self)
    }
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
    var key = pthread_key_t()
    let isKnown = unsafe pthread_key_create(&key, nil) == 0
    return unsafe Memory(slots: slots, old: old, key: isKnown ? key : nil)
  }()

  /// What one thread leaves behind.
  @safe struct Note {
    fileprivate let slot: UnsafeMutablePointer<Slot>?

    /// What a person reads.
    func set(words: String) {
      guard let slot = unsafe slot else { return }
      unsafe fill(slot.pointee.words, words, byteLimit)
    }

    /// Whether a case would be written.
    var hasFile: Bool {
      guard let slot = unsafe slot else { return false }
      return unsafe slot.pointee.file.pointee != 0
    }

    /// Leaves no case.
    func clearFile() {
      guard let slot = unsafe slot else { return }
      unsafe slot.pointee.file.pointee = 0
    }

    /// The case, and where it is written.
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
      return free
    }
    // With all slots taken, a trap is as silent as it would be without this.
    guard let index, let key = unsafe memory.key else { return try body(unsafe Note(slot: nil)) }
    let outer = unsafe memory.slot
    unsafe pthread_setspecific(key, memory.slots + index)
    defer {
      unsafe pthread_setspecific(key, outer)
      lock.withLock { unsafe memory.slots[index].isTaken = false }
    }
    let note = unsafe Note(slot: memory.slots + index)
    unsafe note.slot?.pointee.words.pointee = 0
    unsafe note.slot?.pointee.file.pointee = 0
    return try body(note)
  }

  /// What this thread leaves behind, if it judges.
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
      unsafe write(2, slot.pointee.words, strlen(slot.pointee.words))
      if unsafe slot.pointee.file.pointee != 0 {
        _ = unsafe mkdir(slot.pointee.folder, 0o755)
        let file = unsafe open(slot.pointee.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        if file >= 0 {
          unsafe write(file, slot.pointee.file, strlen(slot.pointee.file))
          close(file)
        }
      }
    }
    // What stood here before is in force again when the trap is met once more.
    for (index, known) in signals.enumerated() where known == signal {
      unsafe sigaction(signal, memory.old + index, nil)
    }
    if signal == SIGABRT { raise(signal) }
  }
}
