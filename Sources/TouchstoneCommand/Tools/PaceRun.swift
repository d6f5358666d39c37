import Campaigns
import DocumentModel
import Histories
import PropertyEngine
import Subjects

/// How many histories a second the harness gets through with the engine, on one core.
///
/// A history has 5 replicas and 40 edits, a commit for every 5 of them, and exchanges between. The
/// specification makes it valid, and the engine runs it; then all replicas meet until they know
/// everything, must have the same heads, and each is saved, loaded, and must have them again.
struct PaceRun: Sendable {
  /// What came of some histories.
  struct Result: Sendable {
    var histories = 0
    var edits = 0
    /// What did not converge, in words: none.
    var failures: [String] = []
    /// Seconds of drawing and making valid, of running, of meeting, of saving and loading, of the
    /// specification's run and comparison.
    var seconds = [Double](repeating: 0, count: 5)

    init() {}
  }

  private let seed: Seed
  private let clock: @Sendable () -> Double

  init(seed: UInt64, clock: @escaping @Sendable () -> Double) {
    self.seed = Seed(value: seed)
    self.clock = clock
  }

  private static let histories = Generator<History>.histories(
    HistoryLimits(replicas: 5...5, edits: 40...40, editMean: 40, faults: [])
  )

  /// Runs histories; with `agrees`, each on the specification as well.
  ///
  /// `isInterrupted` is asked before each; once it says so, the others are left.
  func run(count: Int, agrees: Bool, isInterrupted: () -> Bool = { false }) -> Result {
    var result = Result()
    for index in 0..<count {
      if isInterrupted() { break }
      do {
        try run(index, agrees: agrees, &result)
      } catch {
        result.failures.append("history \(index): \(error)")
      }
    }
    return result
  }

  private func run(_ index: Int, agrees: Bool, _ result: inout Result) throws {
    var times = [clock()]
    var choices = Choices(seed: seed.stream(UInt64(index)))
    let drawn = committed(Self.histories.draw(&choices))
    let history = Normaliser<ReferenceModel>.normalise(drawn).history
    times.append(clock())
    var replicas = Interpreter<EngineReplica>.replicas(after: history)
    times.append(clock())
    let heads = try meet(&replicas)
    for place in replicas.indices where replicas[place].heads() != heads {
      result.failures.append("history \(index): replica \(place) has other heads")
    }
    times.append(clock())
    for place in replicas.indices {
      var loaded = try EngineReplica.load(replicas[place].save(), actor: History.actor(place))
      if loaded.heads() != heads {
        result.failures.append("history \(index): replica \(place) loads otherwise")
      }
    }
    times.append(clock())
    if agrees {
      try compare(
        ReferenceModel.self,
        on: history,
        with: replicas[0],
        at: index,
        into: &result
      )
    }
    times.append(clock())
    result.histories += 1
    result.edits += history.steps.count { if case .edit = $0 { true } else { false } }
    for part in 0..<5 { result.seconds[part] += times[part + 1] - times[part] }
  }

  /// Commits what is open, has the first replica take what the others know, and give them the whole,
  /// until all know the same.
  ///
  /// Whether a merge passes on edits that no commit has closed is up to the implementation.
  ///
  /// A change that waits in a replica is not passed on, and may find what it waits for only in the
  /// whole; then another round passes it on. A replica's changes wait for those of others alone, so
  /// that as many rounds as there are replicas are enough.
  @discardableResult
  private func meet<Tested: Replica>(_ replicas: inout [Tested]) throws -> ObservedHeads {
    for place in replicas.indices { replicas[place].commit() }
    var whole = replicas.removeFirst()
    var heads = whole.heads()
    for _ in 0...replicas.count {
      for place in replicas.indices { try whole.merge(&replicas[place]) }
      for place in replicas.indices { try replicas[place].merge(&whole) }
      heads = whole.heads()
      if replicas.indices.allSatisfy({ replicas[$0].heads() == heads }) { break }
    }
    replicas.insert(whole, at: 0)
    return heads
  }

  /// The history with a commit behind every fifth edit of a replica, and none elsewhere.
  private func committed(_ history: History) -> History {
    var history = history
    var edits: [Int: Int] = [:]
    var steps: [Step] = []
    for step in history.steps {
      switch step {
      case .commit: continue
      case .edit(let replica, _):
        steps.append(step)
        edits[replica, default: 0] += 1
        if edits[replica, default: 0] % 5 == 0 { steps.append(.commit(replica: replica)) }
      default: steps.append(step)
      }
    }
    history.steps = steps
    return history
  }

  /// Holds a replica that knows everything against those of a history's run by another type.
  private func compare<Reference: Replica>(
    _ type: Reference.Type,
    on history: History,
    with replica: EngineReplica,
    at index: Int,
    into result: inout Result
  ) throws {
    var specification = Interpreter<Reference>.replicas(after: history)
    try meet(&specification)
    let expected = try specification[0].observe(at: nil)
    if let difference = try replica.observe(at: nil).difference(from: expected) {
      result.failures.append("history \(index): \(difference.summary)")
    }
  }
}
