import Foundation
import Programs
import SystemCalls

/// An adapter's process, in a process group of its own, and the pipes to it.
///
/// It is spoken to by one thread. Whatever it does, ``exchange(_:within:as:)`` returns or throws
/// before its deadline and a little, and after ``kill()`` nothing of its group runs, nor any child
/// that left the group and can be found (``MarkedProcesses``).
final class ChildProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private let adapter: String
  private let origin: AdapterOrigin
  private let limits: AdapterLimits
  private let processes: MarkedProcesses
  private let clock = SuspendingClock()

  private var isInputOpen = true
  private var isOutputOpen = true
  private var areErrorsOpen = true
  private var isOver = false
  private var errorTail: [UInt8] = []
  private var lastMemoryCheck: SuspendingClock.Instant
  private var scratch = [UInt8](repeating: 0, count: 1 << 16)

  /// Bytes of standard error that are kept, the last ones.
  private static let errorTailLimit = 1 << 14

  /// Between two looks at the memory, the process's state and the clock.
  private static let lookMilliseconds = 100

  /// Starts the program.
  ///
  /// - Throws: ``AdapterFailure`` with reason `notStarted`.
  init(
    _ command: AdapterCommand,
    adapter: String,
    limits: AdapterLimits
  ) throws(AdapterFailure) {
    processes = LivingProcesses.prepare()
    self.adapter = adapter
    origin = command.origin
    self.limits = limits
    lastMemoryCheck = clock.now
    process.executableURL = command.program
    process.arguments = command.arguments
    process.currentDirectoryURL = command.folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(command.environment) { $1 }
      .merging([MarkedProcesses.variable: processes.mark]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    do {
      try LivingProcesses.start(process)
    } catch {
      throw AdapterFailure(
        reason: .notStarted("\(command.program.path): \(Self.reason(of: error))"),
        adapter: adapter,
        request: "",
        origin: origin
      )
    }
    processes.group = process.processIdentifier
    for end in [inputEnd, outputEnd, errorsEnd] {
      end.stopWaiting()
      end.keepFromPrograms()
    }
  }

  deinit {
    kill()
  }

  /// Why a file that may be executed was not.
  private static func reason(of error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return switch CInt(truncatingIfNeeded: cause.code) {
    case ENOEXEC: "it is no program of this system, and has no #! line that names an interpreter"
    case ENOENT: "the interpreter that its #! line names is not there"
    default: cause.localizedFailureReason ?? error.localizedDescription
    }
  }

  // Our ends of the pipes.
  private var inputEnd: Descriptor { Descriptor(input.fileHandleForWriting) }
  private var outputEnd: Descriptor { Descriptor(output.fileHandleForReading) }
  private var errorsEnd: Descriptor { Descriptor(errors.fileHandleForReading) }

  // MARK: - Exchange

  /// Sends a line and waits for the line that answers it; the newline is not part of the result.
  ///
  /// Reads while it writes, so that neither side can block the other with full pipes.
  ///
  /// - Throws: ``AdapterFailure``; the process should then be killed.
  func exchange(
    _ line: [UInt8],
    within milliseconds: Int,
    as request: String
  ) throws(AdapterFailure) -> [UInt8] {
    var timeout = AnswerTimeout(
      milliseconds: milliseconds,
      lookMilliseconds: Self.lookMilliseconds,
      now: clock.now
    )
    var sentCount = 0
    var answer: [UInt8] = []
    var sleep = SleepWatch(process.processIdentifier)
    while true {
      guard !timeout.isOver else { throw failure(.timedOut(milliseconds: milliseconds), request) }
      let ready = wait(milliseconds: timeout.nextLook, wantsToWrite: sentCount < line.count)
      timeout.spend(until: clock.now)
      if ready.errors { readErrors() }
      if ready.input { send(line, from: &sentCount) }
      if ready.output {
        if let end = try read(into: &answer, request) {
          guard end == answer.count - 1 else {
            let first = String(decoding: answer[..<end].prefix(80), as: UTF8.self)
            throw failure(.chatter("more than one line, the first: \(first)"), request)
          }
          guard sentCount == line.count else {
            throw failure(.garbage("it came before the request had been read"), request)
          }
          answer.removeLast()
          try checkMemory(request)
          return answer
        }
      }
      // A child of it may keep the pipe open when the adapter itself has gone.
      let isGone = ready.isNothing && ProcessEnd(of: process) != nil && nothingIsLeft
      guard isOutputOpen, !isGone else { throw failure(endReason(), request) }
      if limits.endsSleepers, ready.isNothing, sleep.findsEndlessSleep() {
        throw failure(.slept(seconds: SleepWatch.seconds), request)
      }
      try checkMemory(request)
    }
  }

  private struct Ready {
    let output: Bool
    let errors: Bool
    let input: Bool

    var isNothing: Bool { !output && !errors && !input }
  }

  /// Waits until one of the pipes has something, or the time is over.
  private func wait(milliseconds: Int, wantsToWrite: Bool) -> Ready {
    let ready = Descriptor.wait(
      for: [
        isOutputOpen ? (outputEnd, .toRead) : nil,
        areErrorsOpen ? (errorsEnd, .toRead) : nil,
        isInputOpen && wantsToWrite ? (inputEnd, .toWrite) : nil,
      ],
      milliseconds: milliseconds
    )
    return Ready(output: ready[0], errors: ready[1], input: ready[2])
  }

  private var nothingIsLeft: Bool {
    wait(milliseconds: 0, wantsToWrite: false).isNothing
  }

  private func send(_ line: [UInt8], from sentCount: inout Int) {
    guard let count = inputEnd.write(line[sentCount...]) else {
      // It closed its input. What it answers, or how it ends, says more than this.
      closeInput()
      return
    }
    sentCount += count
  }

  /// Reads what is there; the position of the first newline, once it has come.
  private func read(
    into answer: inout [UInt8],
    _ request: String
  ) throws(AdapterFailure) -> Int? {
    guard let bytes = readSome(outputEnd, &isOutputOpen) else { return nil }
    let start = answer.count
    answer.append(contentsOf: bytes)
    guard answer.count <= limits.answerByteLimit else {
      throw failure(.flooded(byteLimit: limits.answerByteLimit), request)
    }
    return answer[start...].firstIndex(of: UInt8(ascii: "\n"))
  }

  private func readErrors() {
    guard let bytes = readSome(errorsEnd, &areErrorsOpen) else { return }
    errorTail.append(contentsOf: bytes)
    errorTail.removeFirst(max(0, errorTail.count - Self.errorTailLimit))
  }

  /// What is there at the moment, at least a byte; `nil` if nothing is, or nothing will be.
  private func readSome(_ end: Descriptor, _ isOpen: inout Bool) -> ArraySlice<UInt8>? {
    switch end.read(into: &scratch) {
    case .bytes(let count): return scratch[..<count]
    case .nothingYet: return nil
    case .end:
      isOpen = false
      return nil
    }
  }

  // MARK: - Failures

  private func checkMemory(_ request: String) throws(AdapterFailure) {
    let now = clock.now
    guard lastMemoryCheck.duration(to: now) >= .milliseconds(limits.memoryLookMilliseconds) else {
      return
    }
    lastMemoryCheck = now
    let bytes = processes.residentByteCount
    guard bytes > limits.memoryByteLimit else { return }
    throw failure(.outOfMemory(bytes: bytes, byteLimit: limits.memoryByteLimit), request)
  }

  /// How a process ended that no longer answers.
  private func endReason() -> AdapterFailure.Reason {
    switch waitForEnd(milliseconds: limits.stopTimeoutMilliseconds) {
    case .exited(let status): .exited(status: Int(status))
    case .signalled(let signal): .crashed(signal: Int(signal))
    case nil: .garbage("it closed its standard output")
    }
  }

  func failure(_ reason: AdapterFailure.Reason, _ request: String) -> AdapterFailure {
    // What it said last may still be on its way; a flood of it is cut off.
    for _ in 0..<16 where wait(milliseconds: 0, wantsToWrite: false).errors { readErrors() }
    let lines = String(decoding: errorTail, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: true)
    return AdapterFailure(
      reason: reason,
      adapter: adapter,
      request: request,
      errorLines: lines.suffix(limits.lastLineLimit).map { String($0.prefix(200)) },
      origin: origin
    )
  }

  // MARK: - End

  /// Sends a last line, and kills what has not exited soon after.
  func stop(_ line: [UInt8]) {
    var sentCount = 0
    if isInputOpen { send(line, from: &sentCount) }
    closeInput()
    _ = waitForEnd(milliseconds: limits.stopTimeoutMilliseconds)
    kill()
  }

  /// Sends bytes that need not be a line, ends its input, and waits for it to exit by itself.
  func exits(after last: [UInt8], within milliseconds: Int) -> Bool {
    var sentCount = 0
    if isInputOpen, !last.isEmpty { send(last, from: &sentCount) }
    closeInput()
    return waitForEnd(milliseconds: milliseconds) != nil
  }

  /// Waits for it to exit by itself, after a last line and with its input still open.
  func exits(asked line: [UInt8], within milliseconds: Int) -> Bool {
    var sentCount = 0
    if isInputOpen { send(line, from: &sentCount) }
    return waitForEnd(milliseconds: milliseconds) != nil
  }

  /// Kills the whole group at once.
  func kill() {
    let group = process.processIdentifier
    // Once only: when the group is gone, its number may come to name another.
    guard group > 0, !isOver else { return }
    isOver = true
    // Also when the adapter itself is gone: children of it may hold on.
    processes.kill()
    closeInput()
    _ = waitForEnd(milliseconds: Self.killLimitMilliseconds)
    waitForGroup(group)
    LivingProcesses.remove(group)
  }

  /// Time that the system may take to end what was killed.
  private static let killLimitMilliseconds = 2_000

  /// Waits for the end of the adapter's children, whose parent we are not.
  ///
  /// What has ended and is not yet cleared away still counts as of the group, but has no memory.
  private func waitForGroup(_ group: pid_t) {
    let deadline = clock.now.advanced(by: .milliseconds(Self.killLimitMilliseconds))
    while groupExists(group), clock.now < deadline {
      guard processes.residentByteCount > 0 else { return }
      usleep(1_000)
    }
  }

  private func groupExists(_ group: pid_t) -> Bool {
    #if canImport(Darwin)
    Darwin.kill(-group, 0) == 0
    #else
    Glibc.kill(-group, 0) == 0
    #endif
  }

  private func closeInput() {
    guard isInputOpen else { return }
    isInputOpen = false
    try? input.fileHandleForWriting.close()
  }

  /// How the process ended, children of it that still run set aside; `nil` if it did not within this time.
  private func waitForEnd(milliseconds: Int) -> ProcessEnd? {
    let deadline = clock.now.advanced(by: .milliseconds(milliseconds))
    while true {
      if let end = ProcessEnd(of: process) { return end }
      guard clock.now < deadline else { return nil }
      usleep(500)
    }
  }
}
