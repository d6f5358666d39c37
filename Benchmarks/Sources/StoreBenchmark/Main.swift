import Foundation

/// Measures the local store, and crashes it in long runs.
///
/// `StoreBenchmark speed [N ...]`: saves and openings of stores of N items, beside the whole-file
/// rewrite and SQLite, medians in microseconds as a line of JSON for each N.
/// `StoreBenchmark points N SEED`: faults of each class at every place of short runs, and at N
/// places of long ones. `StoreBenchmark loop LEVEL N`: N saves alone, for a profiler;
/// `loop open N`: N openings.
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    switch arguments.first {
    case "speed":
      for count in numbers.isEmpty ? [10_000, 100_000] : numbers {
        var speed = Speed(count: count)
        try await speed.run()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(speed.medians), as: UTF8.self))
        fflush(nil)
      }
    case "loop" where arguments.count == 3 && numbers.count == 1:
      try await Speed(count: 10_000).loop(arguments.dropFirst().first ?? "", numbers[0])
    case "points" where numbers.count == 2:
      try Points.run(count: numbers[0], seed: UInt64(numbers[1]))
    default:
      print("usage: StoreBenchmark speed [N ...] | points N SEED | loop LEVEL N | loop open N")
      exit(64)
    }
  }
}
