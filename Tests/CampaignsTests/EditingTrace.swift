// Recorded editing sessions: checked (`EditingTrace.init`), then written as a history
// (`history(by:)`, by `TraceScript`). `TraceFile` reads them.

import DocumentModel
import Histories

/// A recorded session in which people typed one text, each in a replica of their own.
///
/// A transaction was typed into the text that its parents make together; a position counts Unicode
/// scalars of that text. Transactions of one agent come one after the other, so that each builds on
/// the one before. A sequential trace is one agent's.
///
/// Worked example, two agents who type at once into "ab":
///
///     0   agent 0   parents []    insert "ab" at 0
///     1   agent 0   parents [0]   insert "x" at 1       "axb"
///     2   agent 1   parents [0]   insert "y" at 2       "aby": it did not know of 1
///
/// Transaction 2 needs transaction 0, when agent 0 has typed on already: in the history a message
/// leaves after transaction 0, and is delivered just before 2 (`lateReaders`).
///
/// Source: the repository `josephg/editing-traces`, whose concurrent traces have this shape.
struct EditingTrace: Hashable, Sendable {
  /// Removes `deleting` scalars at `position`, then inserts the text there.
  struct Patch: Hashable, Sendable {
    let position: Int
    let deleting: Int
    let inserting: ExactString
  }

  /// What one agent typed in one go.
  struct Transaction: Hashable, Sendable {
    let agent: Int
    /// Earlier transactions, by index; none stand for the empty text.
    let parents: [Int]
    let patches: [Patch]
  }

  let agentCount: Int
  let transactions: [Transaction]
  /// For each transaction, how many of each agent's it builds on, itself included:
  /// `[count of agent 0, count of agent 1, ...]`.
  ///
  /// By them `news` finds which parents an agent has not heard of.
  private let clocks: [[Int]]

  /// Checks that the transactions are a session.
  ///
  /// Cost: transactions times agents.
  ///
  /// - Throws: ``EditingTraceError``: too many agents or none; an agent or parent that is not there;
  ///   a transaction that does not build on its agent's last; a negative number in a patch.
  init(agentCount: Int, transactions: [Transaction]) throws(EditingTraceError) {
    guard (1...History.replicaLimit).contains(agentCount) else {
      throw EditingTraceError(reason: .agentCount(agentCount), transaction: nil)
    }
    var clocks: [[Int]] = []
    var counts = Array(repeating: 0, count: agentCount)
    for (index, transaction) in transactions.enumerated() {
      func refusal(_ reason: EditingTraceError.Reason) -> EditingTraceError {
        EditingTraceError(reason: reason, transaction: index)
      }
      let agent = transaction.agent
      guard counts.indices.contains(agent) else { throw refusal(.agent(agent)) }
      var clock = Array(repeating: 0, count: agentCount)
      for parent in transaction.parents {
        guard clocks.indices.contains(parent) else { throw refusal(.parent(parent)) }
        clock = zip(clock, clocks[parent]).map { max($0, $1) }
      }
      guard clock[agent] == counts[agent] else { throw refusal(.forgetsOwn) }
      for patch in transaction.patches where patch.position < 0 || patch.deleting < 0 {
        throw refusal(.negativeNumber)
      }
      counts[agent] += 1
      clock[agent] = counts[agent]
      clocks.append(clock)
    }
    self.agentCount = agentCount
    self.transactions = transactions
    self.clocks = clocks
  }

  /// A sequential trace: each transaction builds on the one before.
  ///
  /// - Throws: ``EditingTraceError`` for a negative number in a patch.
  init(sequential patches: [[Patch]]) throws(EditingTraceError) {
    try self.init(
      agentCount: 1,
      transactions: patches.enumerated().map { index, patches in
        Transaction(agent: 0, parents: index == 0 ? [] : [index - 1], patches: patches)
      }
    )
  }
}

/// Why transactions are no editing trace.
///
/// The first transaction that does not fit is told.
struct EditingTraceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong.
  enum Reason: Hashable, Sendable {
    /// There are none, or more than a history has replicas.
    case agentCount(Int)
    /// No agent of this number.
    case agent(Int)
    /// No earlier transaction of this index.
    case parent(Int)
    /// The transaction does not build on all earlier ones of its agent.
    case forgetsOwn
    /// A position or a number of scalars to delete is negative.
    case negativeNumber
  }

  let reason: Reason
  /// Index of the transaction; nil for the trace as a whole.
  let transaction: Int?

  var description: String {
    let text =
      switch reason {
      case .agentCount(let count):
        "a trace has 1 to \(History.replicaLimit) agents, this one \(count)"
      case .agent(let agent): "there is no agent \(agent)"
      case .parent(let parent): "there is no earlier transaction \(parent)"
      case .forgetsOwn: "it does not build on its agent's last"
      case .negativeNumber: "a patch has a negative number"
      }
    return transaction.map { "transaction \($0): \(text)" } ?? text
  }
}

// MARK: - As a history

extension EditingTrace {
  /// The key of the root under which the history's text stands.
  static let key: ExactString = "text"

  /// The session as a history: one replica for each agent, one change for each transaction.
  ///
  /// Replica 0 makes the text, and all others hear of it before anyone types. Parents become
  /// exchanges just before the transaction that names them; where the parent's agent has typed on by
  /// then, a message that left in time brings the parent, so that every position means what it meant.
  func history(by transport: Transport = .merge) -> History {
    var script = TraceScript(self, transport)
    return History(
      base: .empty,
      replicaCount: agentCount,
      healing: [transport],
      steps: script.steps()
    )
  }

  /// The parents of a transaction that its agent had not heard of: the last of each other agent.
  fileprivate func news(for index: Int, known: [Int]) -> [Int] {
    let transaction = transactions[index]
    return Set(transaction.parents).sorted().filter { parent in
      let agent = transactions[parent].agent
      return agent != transaction.agent && clocks[parent][agent] > known[agent]
    }
  }

  /// What each agent's transaction knew before it began, its own parents aside.
  fileprivate func clock(of index: Int) -> [Int] { clocks[index] }
}

/// Writes the steps of a trace's history.
///
/// `init` finds who hears of what, and `steps` writes it: a parent that is still its agent's last
/// comes by an exchange, an older one by a message that left in time.
private struct TraceScript {
  private let trace: EditingTrace
  private let transport: Transport
  /// The agents that need a transaction which is no longer its agent's last by then: it is sent at
  /// once.
  private var lateReaders: [Int: [Int]] = [:]
  /// For each transaction the parents that it hears of just before it begins.
  private var news: [[Int]] = []

  init(_ trace: EditingTrace, _ transport: Transport) {
    self.trace = trace
    self.transport = transport
    var known = Array(
      repeating: Array(repeating: 0, count: trace.agentCount),
      count: trace.agentCount
    )
    var latest: [Int: Int] = [:]
    for (index, transaction) in trace.transactions.enumerated() {
      let agent = transaction.agent
      let parents = trace.news(for: index, known: known[agent])
      news.append(parents)
      for parent in parents where latest[trace.transactions[parent].agent] != parent {
        lateReaders[parent, default: []].append(index)
      }
      known[agent] = trace.clock(of: index)
      latest[agent] = index
    }
  }

  mutating func steps() -> [Step] {
    var steps: [Step] = [
      .edit(replica: 0, .putObject(.root, .key(EditingTrace.key), .text)),
      .commit(replica: 0),
    ]
    for agent in 1..<max(1, trace.agentCount) {
      steps.append(.exchange(from: 0, to: agent, transport))
    }
    // By the transaction that it brings and the one that waits for it.
    var messages: [[Int]: Int] = [:]
    for (index, transaction) in trace.transactions.enumerated() {
      let agent = transaction.agent
      for parent in news[index] {
        if let message = messages[[parent, index]] {
          steps.append(.deliver(message: message, part: nil))
        } else {
          steps.append(.exchange(from: trace.transactions[parent].agent, to: agent, transport))
        }
      }
      for patch in transaction.patches {
        let edit = Edit.spliceText(
          ObjectName(1),
          index: patch.position,
          deleting: patch.deleting,
          inserting: patch.inserting
        )
        steps.append(.edit(replica: agent, edit))
      }
      steps.append(.commit(replica: agent))
      for reader in lateReaders[index, default: []] {
        let message = messages.count + 1
        messages[[index, reader]] = message
        let to = trace.transactions[reader].agent
        steps.append(.send(message: message, from: agent, to: to, transport))
      }
    }
    return steps
  }
}
