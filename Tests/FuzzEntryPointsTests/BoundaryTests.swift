import Foundation
import FuzzEntryPoints
import PropertyEngine
import Testing

@Suite("Boundaries on inputs made of their seeds")
struct BoundaryTests {
  /// Inputs for each boundary; more in a longer run, by the environment.
  private static let count =
    ProcessInfo.processInfo.environment["TOUCHSTONE_BOUNDARY_INPUTS"].flatMap { Int($0) } ?? 100

  @Test(
    "No input breaks a law, and most get past the entrance",
    arguments: Boundary.all.map(\.id)
  )
  func holds(id: String) throws {
    let target = try #require(FuzzTarget(id: id))
    let run = DerivedRun(try target.subject(), seed: Seed(value: 1))
    let result = try run.run(0..<Self.count)
    for failure in result.failures {
      Issue.record("\(failure.input.explanation(of: failure.finding, file: nil))")
    }
    #expect(result.count == Self.count)
    if let passed = result.passedCount {
      #expect(passed * 100 >= result.count * 75, "\(passed) of \(result.count)")
    }
  }

  @Test("An input is a function of seed and number", arguments: Boundary.all.map(\.id))
  func repeats(id: String) throws {
    let subject = try #require(FuzzTarget(id: id)).subject()
    let inputs = (0..<40).map { DerivedRun(subject, seed: Seed(value: 5)).bytes($0) }
    #expect(inputs == (0..<40).map { DerivedRun(subject, seed: Seed(value: 5)).bytes($0) })
    #expect(Set(inputs).count > 20)
    let limit = subject.target.byteLimit
    #expect(inputs.allSatisfy { $0.count <= limit })
  }

  @Test("A boundary has seeds of different names, which its law holds for and its limit allows")
  func seeds() throws {
    for boundary in Boundary.all {
      let seeds = try boundary.seeds()
      #expect(seeds.count >= 2, "\(boundary.id)")
      #expect(Set(seeds.map(\.name)).count == seeds.count, "\(boundary.id)")
      for seed in seeds {
        #expect(seed.bytes.count <= boundary.byteLimit, "\(boundary.id) \(seed.name)")
        let input = FuzzInput(bytes: seed.bytes, on: try FuzzTarget(boundary).subject())
        #expect(input.finding == nil, "\(boundary.id) \(seed.name): \(input.judged.outcome)")
      }
    }
  }

  @Test("A fixer's work passes the entrance that it is for", arguments: Boundary.all.map(\.id))
  func repairs(id: String) throws {
    let boundary = try #require(FuzzTarget(id: id)?.boundary)
    guard let entrance = boundary.entrance else { return }
    for seed in try boundary.seeds() {
      var bytes = seed.bytes
      if bytes.count > 20 { bytes[bytes.count / 2] ^= 1 }
      let repaired = entrance.repaired(bytes)
      #expect(entrance.repaired(repaired) == repaired, "\(id) \(seed.name)")
    }
  }
}
