import Foundation
import SelfTests
import Testing

@Suite("Programs that are run")
struct SubprogramTests {
  private static func run(
    _ script: String,
    secondsLimit: Double,
    of clock: Subprogram.Clock,
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
}
