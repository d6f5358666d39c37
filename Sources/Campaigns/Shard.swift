package import Reporting

/// The part of a run that one of several machines does.
///
/// Parts need to know nothing of one another: each has its share of the numbers of cases, mutants or fuzz
/// targets, and the parts' reports, in their order, add up to the whole one's.
package struct Shard: Hashable, Sendable, CustomStringConvertible {
  /// Which part it is, from 1.
  package let number: Int
  /// How many there are.
  package let count: Int

  /// The only part.
  package static let whole = Shard(checked: 1, of: 1)
  /// Parts that a run has at most.
  package static let countLimit = 10_000

  /// Cases between the first ones of two parts whose runs end by time.
  private static let distance = 1_000_000_000

  private init(checked number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// `nil` if there is no such part.
  package init?(_ number: Int, of count: Int) {
    guard (1...Self.countLimit).contains(count), (1...count).contains(number) else { return nil }
    self.init(checked: number, of: count)
  }

  /// Reads `2/8`; `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]) else {
      return nil
    }
    self.init(number, of: count)
  }

  package var description: String { "\(number)/\(count)" }
  package var isWhole: Bool { count == 1 }

  /// The part's numbers of `0..<total`: those of its cases, or places in a list.
  package func share(of total: Int) -> Range<Int> {
    func start(_ part: Int) -> Int {
      // Whole parts and a rest, as a product of both numbers might overflow.
      let (share, rest) = total.quotientAndRemainder(dividingBy: count)
      return share * part + min(rest, part)
    }
    return start(number - 1)..<start(number)
  }

  /// The number of the part's first case in a run that ends by time.
  package var firstCase: Int { (number - 1) * Self.distance }
}

extension Shard {
  /// The part that a job scheduler's variables say this process is.
  ///
  /// | scheduler | number | count |
  /// |---|---|---|
  /// | any, by hand | `TOUCHSTONE_SHARD`: `2/8` | |
  /// | GitLab | `CI_NODE_INDEX`, from 1 | `CI_NODE_TOTAL` |
  /// | CircleCI | `CIRCLE_NODE_INDEX`, from 0 | `CIRCLE_NODE_TOTAL` |
  /// | Buildkite | `BUILDKITE_PARALLEL_JOB`, from 0 | `BUILDKITE_PARALLEL_JOB_COUNT` |
  /// | Slurm, an array | `SLURM_ARRAY_TASK_ID`, from `SLURM_ARRAY_TASK_MIN` | `SLURM_ARRAY_TASK_COUNT` |
  /// | Kubernetes, an indexed job | `JOB_COMPLETION_INDEX`, from 0 | `TOUCHSTONE_SHARDS`, which the job must set |
  ///
  /// GitHub has no such variables: a matrix sets `TOUCHSTONE_SHARD`.
  ///
  /// - Throws: ``ShardError`` if there are none, or they name no part.
  package init(environment: [String: String]) throws(ShardError) {
    if let text = environment["TOUCHSTONE_SHARD"], !text.isEmpty {
      guard let shard = Shard(text) else { throw .notAPart("TOUCHSTONE_SHARD=\(text)") }
      self = shard
      return
    }
    for scheduler in Scheduler.all {
      guard let number = environment[scheduler.number] else { continue }
      let count = environment[scheduler.count] ?? ""
      let first = scheduler.first.map { environment[$0] ?? "0" } ?? "\(scheduler.start)"
      guard let number = Int(number), let count = Int(count), let first = Int(first),
        let shard = Shard(number.subtractingReportingOverflow(first).partialValue &+ 1, of: count)
      else { throw .notAPart("\(scheduler.number)=\(number), \(scheduler.count)=\(count)") }
      self = shard
      return
    }
    throw .noVariables
  }

  private struct Scheduler {
    let number: String
    let count: String
    /// The first part's number.
    var start = 0
    /// The variable that holds it.
    var first: String?

    static let all = [
      Scheduler(number: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", start: 1),
      Scheduler(number: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL"),
      Scheduler(number: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT"),
      Scheduler(
        number: "SLURM_ARRAY_TASK_ID",
        count: "SLURM_ARRAY_TASK_COUNT",
        first: "SLURM_ARRAY_TASK_MIN"
      ),
      Scheduler(number: "JOB_COMPLETION_INDEX", count: "TOUCHSTONE_SHARDS"),
    ]
  }
}

/// Why the environment names no part of a run.
package enum ShardError: Error, Hashable, Sendable, CustomStringConvertible {
  case noVariables
  case notAPart(String)

  package var description: String {
    switch self {
    case .noVariables:
      "no variable says which part this is: set TOUCHSTONE_SHARD to one such as 2/8, and in a job of "
        + "Kubernetes TOUCHSTONE_SHARDS to the number of its parts"
    case .notAPart(let text): "\(text) names no part of a run, such as 2 of 8"
    }
  }
}

extension Report.Run {
  /// Makes it the run of one part, unless that is the only one.
  package mutating func narrow(to shard: Shard) {
    if !shard.isWhole { narrow(toPart: shard.number, of: shard.count) }
  }
}
