import Foundation

/// Measures the local store, and crashes it in long runs.
///
/// `StoreBenchmark speed [N ...]`: saves and openings of stores of so many items, beside the whole-file
/// rewrite and SQLite. `StoreBenchmark points N SEED`: faults of each class at every place of short
/// runs, and crashes at N places of long ones.
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    switch arguments.first {
    case "speed":
      var runs = (numbers.isEmpty ? [10_000, 100_000] : numbers).map { Speed(count: $0) }
      for index in runs.indices { try await runs[index].run() }
      if let first = runs.first, let last = runs.last, runs.count > 1 {
        Speed.printExponents(from: first, to: last)
      }
    case "points" where numbers.count == 2:
      try Points.run(count: numbers[0], seed: UInt64(numbers[1]))
    default:
      print("usage: StoreBenchmark speed [N ...] | points N SEED")
      exit(64)
    }
  }
}
