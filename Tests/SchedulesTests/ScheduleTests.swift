import Schedules
import Testing

@Suite("Schedules of asynchronous code")
struct ScheduleTests {
  private actor Ends {
    private(set) var order: [Int] = []

    func add(_ task: Int) { order.append(task) }
  }

  /// The order in which three tasks come to an end, each after two turns.
  private func order(_ numbers: [Int]) throws -> [Int] {
    let ends = Ends()
    return try Schedule(numbers).run {
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<3 {
          group.addTask {
            await Task.yield()
            await ends.add(task)
          }
        }
      }
      return await ends.order
    }
  }

  @Test("Equal numbers give one order, and other numbers another one")
  func orders() throws {
    #expect(try order([]) == [0, 1, 2])
    let drawn = try (0..<20).map { try order([$0, $0 / 3, 1]) }
    #expect(try drawn == (0..<20).map { try order([$0, $0 / 3, 1]) })
    #expect(Set(drawn).count > 2)
  }

  @Test("It gives the result, throws what is thrown, and says what waits for ever")
  func results() throws {
    struct Refused: Error {}
    #expect(try Schedule().run { 7 } == 7)
    #expect(throws: Refused.self) { try Schedule().run { throw Refused() } }
    #expect(throws: Stalled.self) {
      try Schedule().run {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        for await _ in stream { break }
        continuation.finish()
      }
    }
  }
}
