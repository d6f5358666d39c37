import Foundation
import Testing

@testable import Programs

@Suite("Programs that are run")
struct SubprogramTests {
  private static func run(
    _ script: String,
    secondsLimit: Double,
    of clock: Subprogram.Clock,
    endsSleepers: Bool = false,
    isInterrupted: () -> Bool = { false }
  ) throws -> Subprogram.End {
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("subprogram-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    return try Subprogram.run(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", script],
      environment: [:],
      output: output,
      secondsLimit: secondsLimit,
      of: clock,
      endsSleepers: endsSleepers,
      isInterrupted: isInterrupted
    )
  }

  @Test("An interruption reaches one that a thread without signals started")
  func interrupted() async throws {
    // A shell's background job ignores Ctrl-C, and hands that on as well.
    let before = signal(SIGINT, SIG_DFL)
    defer { _ = signal(SIGINT, before) }
    let end = await withCheckedContinuation { continuation in
      let thread = Thread {
        var all = sigset_t()
        // C calls that fill in, and read, a value that lives here.
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
        let end = Result {
          // Nothing is started: a shell forgets a signal that comes between its fork and the program's start.
          try Self.run(
            "while :; do :; done",
            secondsLimit: 50,
            of: .run,
            isInterrupted: { true }
          )
        }
        continuation.resume(returning: end)
      }
      thread.start()
    }
    // One that takes no signals is killed after a while, which counts as too long.
    let found = try end.get()
    #expect(found == .signalled(SIGINT))
  }

  @Test("One that goes on printing does not hang, however long it takes")
  func slow() throws {
    let slow = "for i in 1 2 3 4 5 6; do echo $i; sleep 1; done; exit 3"
    #expect(try Self.run(slow, secondsLimit: 4, of: .silence) == .exited(3))
    #expect(try Self.run(slow, secondsLimit: 1, of: .run) == .timedOut)
  }

  @Test("One that falls silent hangs")
  func silent() throws {
    #expect(try Self.run("echo 1; exec sleep 60", secondsLimit: 1, of: .silence) == .timedOut)
  }

  #if os(Linux)
  @Test("One that waits for something that never comes is ended, and one that works is not")
  func sleeps() throws {
    let end = try Self.run("exec sleep 600", secondsLimit: 500, of: .run, endsSleepers: true)
    #expect(end == .slept && end.kind == "hang")
    #expect(end.explanation(secondsLimit: 500) == "all its threads waited for at least 5 s")
    let work = "while :; do :; done"
    #expect(try Self.run(work, secondsLimit: 12, of: .run, endsSleepers: true) == .timedOut)
  }

  @Test("A process is asleep when all its threads wait; one that is not there is not")
  func asleep() throws {
    let own = ProcessInfo.processInfo.processIdentifier
    #expect(!SleepWatch.isAsleep(own))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sleep")
    process.arguments = ["600"]
    try process.run()
    defer { kill(process.processIdentifier, SIGKILL) }
    while !SleepWatch.isAsleep(process.processIdentifier) { Thread.sleep(forTimeInterval: 0.01) }
    // Stopped, as by Ctrl-Z, it waits for nothing of its own.
    kill(process.processIdentifier, SIGSTOP)
    while SleepWatch.isAsleep(process.processIdentifier) { Thread.sleep(forTimeInterval: 0.01) }
    kill(process.processIdentifier, SIGCONT)
    #expect(!SleepWatch.isAsleep(-1))
  }

  @Test("A process that waits for its child is not accused, and is once the child has gone")
  func waitsForAnother() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // In a session of its own, as an adapter is in a group of its own.
    process.arguments = ["-c", "setsid sleep 600 & wait; exec sleep 600"]
    try process.run()
    let number = process.processIdentifier
    func children() -> [Int] {
      ProcessStatus.all().filter { $0.parent == Int(number) }.map(\.identity.number)
    }
    defer {
      for child in children() { kill(pid_t(child), SIGKILL) }
      kill(number, SIGKILL)
    }
    func isWaiting(withChild hasChild: Bool) -> Bool {
      children().isEmpty != hasChild && SleepWatch.isAsleep(number)
    }
    while !isWaiting(withChild: true) { Thread.sleep(forTimeInterval: 0.01) }
    var watch = SleepWatch(number)
    #expect((0..<150).allSatisfy { _ in !watch.findsEndlessSleep() })
    for child in children() { kill(pid_t(child), SIGKILL) }
    while !isWaiting(withChild: false) { Thread.sleep(forTimeInterval: 0.01) }
    #expect((0..<60).contains { _ in watch.findsEndlessSleep() })
  }
  #endif

  @Test("What a program prints is read, if it ends well and in time")
  func output() {
    let shell = URL(fileURLWithPath: "/bin/sh")
    func output(_ script: String, seconds: Double = 30) -> Data? {
      Subprogram.output(of: shell, ["-c", script], seconds: seconds)
    }
    #expect(output("echo a; echo b >&2") == Data("a\n".utf8))
    #expect(output(":") == Data())
    #expect(output("echo a; exit 1") == nil)
    #expect(output("echo a; kill -9 $$") == nil)
    let start = ContinuousClock.now
    // What it started holds the pipe as well.
    #expect(output("sleep 60 & echo a; sleep 60", seconds: 1) == nil)
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(Subprogram.output(of: URL(fileURLWithPath: "/no/program"), [], seconds: 1) == nil)
  }

  @Test("A program is found along folders, or at its path; a folder is none")
  func find() {
    #expect(Subprogram.find("sh", along: "/no/folder:/bin:/usr/bin")?.path == "/bin/sh")
    #expect(Subprogram.find("/bin/sh", along: "")?.path == "/bin/sh")
    #expect(Subprogram.find("sh", along: "") == nil)
    #expect(Subprogram.find("bin", along: "/usr") == nil)
    #expect(Subprogram.find("/usr/bin", along: "") == nil)
  }

  @Test(
    "A byte that is no text hides nothing else of a log",
    arguments: [
      ([], ""), (Array("a\né\n".utf8), "a\né\n"), ([0x61, 0xFF, 0x62], "a\u{FFFD}b"),
      ([0x61, 0xC3], "a\u{FFFD}"),
    ] as [([UInt8], String)]
  )
  func lenient(_ bytes: [UInt8], _ text: String) throws {
    let log = FileManager.default.temporaryDirectory
      .appendingPathComponent("log-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    #expect(lenientText(of: log).isEmpty)
    try Data(bytes).write(to: log)
    #expect(lenientText(of: log) == text)
  }

  @Test("A process is read from a line whose name holds spaces and parentheses")
  func readsProcess() throws {
    let stat = Data(
      "7 (a) b (c) S 1 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 100 1000000 321 9 1\n".utf8
    )
    let status = try #require(ProcessStatus(stat: stat))
    #expect(status.identity == ProcessStatus.Identity(number: 7, startTicks: 100))
    #expect(status.group == 42)
    #expect(status.residentPageCount == 321)
    for line in ["7 (a", "7 (a) S 1 42", "", "x (a) S 1 42 42 0 -1 4194560 1 2"] {
      #expect(ProcessStatus(stat: Data(line.utf8)) == nil)
    }
  }
}
