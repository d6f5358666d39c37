import Foundation
import SelfTests
import Testing

@Suite("Programs that are run")
struct SubprogramTests {
  private static func run(
    _ script: String,
    secondsLimit: Double,
    of clock: Subprogram.Clock
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
      of: clock
    )
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
