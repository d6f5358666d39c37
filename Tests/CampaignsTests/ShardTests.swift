import Campaigns
import Testing

@Suite("Parts of a run")
struct ShardTests {
  @Test("The parts' cases are all cases, each once, in parts alike", arguments: [1, 2, 7, 8, 100])
  func divides(_ count: Int) throws {
    for total in [count, count + 1, 3 * count - 1, 1000] {
      let parts = try (1...count).map { try #require(Shard($0, of: count)).share(of: total) }
      #expect(parts.flatMap { Array($0) } == Array(0..<total))
      let sizes = parts.map(\.count)
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }
  }

  @Test("The largest number of cases is divided as well")
  func large() throws {
    let last = try #require(Shard(10_000, of: 10_000))
    #expect(last.share(of: .max).upperBound == .max)
  }

  @Test("A part is written as 2/8")
  func texts() {
    #expect(Shard("2/8") == Shard(2, of: 8))
    #expect(Shard("2/8")?.description == "2/8")
    #expect(Shard("1/1") == .whole)
    for text in ["", "2", "0/8", "9/8", "2/0", "-1/8", "2/8/1", "a/b", "2/", "1/10001"] {
      #expect(Shard(text) == nil, "\(text)")
    }
  }

  @Test(
    "A job scheduler's variables say which part this is",
    arguments: [
      (["TOUCHSTONE_SHARD": "3/4"], "3/4"),
      (["CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "4"], "3/4"),
      (["CIRCLE_NODE_INDEX": "2", "CIRCLE_NODE_TOTAL": "4"], "3/4"),
      (["BUILDKITE_PARALLEL_JOB": "2", "BUILDKITE_PARALLEL_JOB_COUNT": "4"], "3/4"),
      (
        [
          "SLURM_ARRAY_TASK_ID": "12", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_COUNT": "4",
        ], "3/4"
      ),
      (["JOB_COMPLETION_INDEX": "2", "TOUCHSTONE_SHARDS": "4"], "3/4"),
      (["TOUCHSTONE_SHARD": "1/2", "CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "4"], "1/2"),
    ] as [([String: String], String)]
  )
  func schedulers(_ environment: [String: String], _ part: String) throws {
    #expect("\(try Shard(environment: environment))" == part)
  }

  @Test("Variables that name no part are refused with what they say")
  func refused() {
    #expect(throws: ShardError.noVariables) { try Shard(environment: [:]) }
    #expect(throws: ShardError.notAPart("TOUCHSTONE_SHARD=5/4")) {
      try Shard(environment: ["TOUCHSTONE_SHARD": "5/4"])
    }
    #expect(throws: ShardError.notAPart("JOB_COMPLETION_INDEX=2, TOUCHSTONE_SHARDS=")) {
      try Shard(environment: ["JOB_COMPLETION_INDEX": "2"])
    }
    let least = "\(Int.min)"
    #expect(throws: ShardError.notAPart("CI_NODE_INDEX=\(least), CI_NODE_TOTAL=4")) {
      try Shard(environment: ["CI_NODE_INDEX": least, "CI_NODE_TOTAL": "4"])
    }
  }
}
