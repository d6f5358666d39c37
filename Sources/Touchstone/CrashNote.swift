import Foundation
import FuzzSessions
import PropertyEngine
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Prints and stores what was being judged when a model's own code traps, which no program survives.
///
/// Before a model's code runs, its thread leaves here how the text for a person, the case as a file and, for
/// `touchstone fuzz`, an answer are made. They are made if a signal ends the process: its handler wakes the
/// thread that makes and writes them, waits for it, and lets the process end as it would have.
///
///     judging thread                        writing thread
///     leaves closures in its slot           waits for a byte
///     traps; the handler sends the number
///     of its slot, and waits                calls the closures, writes, and answers with a byte
///     ends the process
///
/// The handler calls only what is safe in a handler (`write`, `poll`, `read`, `sigaction`), on memory that was allocated
/// before. The closures allocate, and may run a model's `description`: if they need a lock that the judging
/// thread holds, or trap as well, the handler says so in a sentence, after ten seconds at most.
///
/// There is one slot for each thread that judges at the same time. Slots are never freed, and each is
/// written by its own thread alone, which finds it by a thread-specific value.
/// Cost: a twelfth of the time of the shrinking challenges, whose properties take microseconds. Texts that were
/// made for each case took six sevenths of it.
/// Stress: `TrapTests.stress()` judges 33 models at once; one of them traps, and the test finds its text and its
/// case alone.
enum CrashNote {
  private static let slotCount = 64
  private static let signals: [Int32] = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  /// How long the handler waits for the texts, in milliseconds.
  private static var patience: Int32 { 10_000 }
  private static var untold: StaticString {
    "\nThe process ends in code that a law was judging. What it was could not be said any more.\n\n"
  }
  /// The writing thread's answer if its closures trap: the number of no slot.
  private static var failed: UInt8 { .max }
  /// Of the writing thread, whose closures may be as deep as a judged value.
  private static let stackSize = 16 << 20

  /// What a person reads, and what `touchstone fuzz` does.
  struct Message {
    let text: String
    let ending: FuzzFailureText
  }

  fileprivate struct LeftCase {
    let url: URL
    let text: () -> String
  }

  fileprivate struct Slot {
    var isTaken = false
    var leftCase: LeftCase?
    /// Gets the path of the case.
    var message: ((String?) -> Message)?
    /// Whether the case stays as it is, whatever is left until it is released.
    var isPinned = false

    var isEmpty: Bool { leftCase == nil && message == nil }
  }

  @unsafe private struct Memory: @unchecked Sendable {
    /// One more than threads can take: the last one is the writing thread's, and stays empty.
    let slots: UnsafeMutablePointer<Slot>
    let old: UnsafeMutablePointer<sigaction>
    /// Where each thread has its slot; `nil` if the system has no place left.
    let key: pthread_key_t?
    /// Descriptors of two pipes: numbers of slots to the writing thread, and a byte back for each.
    let asking: (read: Int32, write: Int32)
    let answering: (read: Int32, write: Int32)

    var slot: UnsafeMutablePointer<Slot>? {
      guard let key = unsafe key else { return nil }
      return unsafe pthread_getspecific(key)?.assumingMemoryBound(to: Slot.self)
    }

    var writersSlot: UnsafeMutablePointer<Slot> { unsafe slots + slotCount }
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
  /// Whether a thread has begun to end the process.
  private static let isEnding = Atomic(false)

  private static let memory: Memory = {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount + 1)
    unsafe slots.initialize(repeating: Slot(), count: slotCount + 1)
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
    let memory = unsafe Memory(
      slots: slots,
      old: old,
      key: isKnown ? key : nil,
      asking: pipe(),
      answering: pipe()
    )
    let thread = Thread {
      if let key = unsafe memory.key { unsafe pthread_setspecific(key, memory.writersSlot) }
      unsafe write(memory)
    }
    thread.name = "touchstone.crash-notes"
    thread.stackSize = stackSize
    thread.start()
    return unsafe memory
  }()

  /// A pipe that processes which are started do not inherit; none if the system has no descriptor left.
  private static func pipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe Foundation.pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  // MARK: - Leaving

  /// What one thread leaves behind; nothing if it has no slot.
  @safe struct Note {
    fileprivate let slot: UnsafeMutablePointer<Slot>?

    /// What is said if the process ends, made of the path of the case.
    func set(message: @escaping (_ path: String?) -> Message) {
      guard let slot = unsafe slot else { return }
      unsafe slot.pointee.message = message
    }

    /// Leaves no case.
    func clearCase() {
      guard let slot = unsafe slot, unsafe !slot.pointee.isPinned else { return }
      unsafe slot.pointee.leftCase = nil
    }

    /// The text of the case, and where it is written.
    func set(caseAt url: URL, text: @escaping () -> String) {
      guard let slot = unsafe slot, unsafe !slot.pointee.isPinned else { return }
      unsafe slot.pointee.leftCase = LeftCase(url: url, text: text)
    }

    /// Runs `body` with a case that stays as it is, as a stored one does: it has its file already.
    func holding<Value>(
      _ file: CaseFile,
      at url: URL,
      _ body: () throws -> Value
    ) rethrows -> Value {
      set(caseAt: url) { file.render() }
      guard let slot = unsafe slot else { return try body() }
      unsafe slot.pointee.isPinned = true
      defer {
        unsafe slot.pointee.isPinned = false
        clearCase()
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
      unsafe slot.pointee.leftCase = nil
      unsafe slot.pointee.message = nil
      lock.withLock { unsafe slot.pointee.isTaken = false }
    }
    return try body()
  }

  /// What this thread leaves behind; nothing outside of ``during(_:)``.
  static var current: Note { unsafe Note(slot: memory.slot) }

  // MARK: - Ending

  /// Writes what is left in the slots that are asked for, for as long as the process lives.
  private static func write(_ memory: Memory) {
    var number: UInt8 = 0
    while true {
      let count = unsafe read(memory.asking.read, &number, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return }
      let slot = unsafe memory.slots[Int(number)]
      // First, since the text may run the model's own `description`.
      if let left = slot.leftCase {
        try? FileManager.default.createDirectory(
          at: left.url.deletingLastPathComponent(),
          withIntermediateDirectories: false
        )
        try? Data(left.text().utf8).write(to: left.url)
      }
      if let message = slot.message?(slot.leftCase?.url.path) {
        try? FileHandle.standardError.write(contentsOf: Data(message.text.utf8))
        try? judged?.answer(.ending(message.ending))
      }
      unsafe send(number, memory.answering.write)
    }
  }

  private static func send(_ byte: UInt8, _ descriptor: Int32) {
    var byte = byte
    _ = unsafe Foundation.write(descriptor, &byte, 1)
  }

  private static func handle(_ signal: Int32) {
    let memory = unsafe memory
    if let slot = unsafe memory.slot {
      if unsafe slot == memory.writersSlot {
        // What it was to write traps, too: the thread that asked ends the process.
        unsafe send(failed, memory.answering.write)
        while true { pause() }
      }
      if unsafe !slot.pointee.isEmpty {
        if isEnding.exchange(true, ordering: .relaxed) {
          // Another thread has trapped before, and mostly ends the process while this one waits.
          _ = poll(nil, 0, patience)
        }
        let number = unsafe UInt8(slot - memory.slots)
        unsafe send(number, memory.asking.write)
        if unsafe answer(memory.answering.read) != number {
          unsafe Foundation.write(2, untold.utf8Start, untold.utf8CodeUnitCount)
        }
      }
    }
    // The handler of before is in force again when the instruction traps once more.
    for (index, known) in signals.enumerated() where known == signal {
      unsafe sigaction(signal, memory.old + index, nil)
    }
    if signal == SIGABRT { raise(signal) }
  }

  /// The byte that comes within ``patience``.
  private static func answer(_ descriptor: Int32) -> UInt8? {
    var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var answer = failed
    while true {
      let count = unsafe poll(&asked, 1, patience)
      if count < 0, errno == EINTR { continue }
      return unsafe count == 1 && read(descriptor, &answer, 1) == 1 ? answer : nil
    }
  }
}
