import Foundation
import TestSupport
import Testing

@Suite("Shrinking challenges")
struct ShrinkingChallengeTests {
  private static let seeds: [UInt64] = Array(1...5)

  @Test("Each challenge ends where the table of Benchmarks/Shrinking says")
  func table() async throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    var rows: [[String]] = []
    for challenge in ShrinkingChallenge.all {
      var counts: [String: Int] = [:]
      var attempts: [Int] = []
      for seed in Self.seeds {
        guard let result = try await challenge.run(seed) else {
          counts["nothing found", default: 0] += 1
          continue
        }
        counts[result.value, default: 0] += 1
        attempts.append(result.attempts)
      }
      let idealCount = challenge.ideals.map { counts[$0] ?? 0 }.reduce(0, +)
      let results = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { $0.value == Self.seeds.count ? "`\($0.key)`" : "\($0.value): `\($0.key)`" }
      let median = attempts.isEmpty ? "" : "\(attempts.sorted()[attempts.count / 2])"
      rows.append([
        challenge.name, "\(idealCount) of \(Self.seeds.count)", median,
        results.joined(separator: "; "),
      ])
    }
    try expectGenerated(
      "challenges",
      in: "Benchmarks/Shrinking/README.md",
      below: root,
      markdownTable(["challenge", "smallest", "attempts", "results"], rows)
    )
  }
}
