import Synchronization
import Testing

@testable import TouchstoneCommand

/// A clock that goes on by one whenever it is read.
private final class Ticks: Sendable {
  private let count = Atomic(0)

  func next() -> Double { Double(count.add(1, ordering: .relaxed).newValue) }
}

@Suite("The harness's pace")
struct PaceTests {
  @Test("Histories converge, survive saving, and are what the specification says")
  func agrees() {
    let result = PaceRun(seed: 1, clock: { 0 }).run(count: 40, agrees: true)
    #expect(result.failures == [])
    #expect(result.histories == 40)
    // The generator asks for 40 edits each; the normaliser leaves out what cannot be.
    #expect((400...1600).contains(result.edits))
  }

  @Test("Each part of the work is timed by the clock that is handed over")
  func timed() {
    let ticks = Ticks()
    let run = PaceRun(seed: 2) { ticks.next() }
    #expect(run.run(count: 3, agrees: false).seconds == [3, 3, 3, 3, 3])
  }
}
