// Messages under way while `HistoryGenerator.swift` draws a history. Which paths are open says
// `Reachability.swift`.

import DocumentModel

/// The network between replicas while a history is drawn: which messages are under way, and what
/// keeps them.
///
/// It lives only while a history is drawn. What it decides is written down as steps (`send`,
/// `deliver`, `drop`), so that a history replays without it.
struct SimulatedNetwork {
  private struct Message {
    let number: Int
    let from: Int
    let to: Int
  }

  private(set) var replicaCount: Int
  private var messageCount = 0
  private var underWay: [Message] = []
  private var arrived: [Int] = []
  private var reachability = Reachability()

  init(replicaCount: Int) {
    self.replicaCount = replicaCount
  }

  mutating func addReplica() {
    replicaCount += 1
  }

  /// Whether a message sent now would arrive now.
  func passes(from: Int, to: Int) -> Bool {
    reachability.passes(from: from, to: to)
  }

  /// A message across a cut is sent and lost at once: the sender does not know.
  mutating func send(from: Int, to: Int, _ transport: Transport) -> [Step] {
    messageCount += 1
    let send = Step.send(message: messageCount, from: from, to: to, transport)
    guard !reachability.isCut(from: from, to: to) else {
      return [send, .drop(message: messageCount, .cut)]
    }
    underWay.append(Message(number: messageCount, from: from, to: to))
    return [send]
  }

  /// The messages that nothing keeps from arriving, in the order they were sent.
  ///
  /// What a clog holds back stays in its place, and may arrive after what was sent later.
  private var deliverable: [Message] {
    underWay.filter { passes(from: $0.from, to: $0.to) }
  }

  /// A message under way that stays under way, as when one of its parts arrives.
  ///
  /// Wish 0 is the one that was sent first.
  func inFlight(wish: Int) -> Int? {
    let messages = deliverable
    return messages.isEmpty ? nil : messages[wish % messages.count].number
  }

  mutating func deliver(wish: Int) -> Int? {
    guard let number = inFlight(wish: wish) else { return nil }
    underWay.removeAll { $0.number == number }
    arrived.append(number)
    return number
  }

  /// A message that arrived before and does so again.
  ///
  /// Wish 0 is the one that arrived last.
  func delivered(wish: Int) -> Int? {
    arrived.isEmpty ? nil : arrived[arrived.count - 1 - wish % arrived.count]
  }

  /// Also a message that a clog holds back.
  mutating func lose(wish: Int) -> Int? {
    guard !underWay.isEmpty else { return nil }
    return underWay.remove(at: wish % underWay.count).number
  }

  /// Separates `side` from the rest, and loses what is under way across.
  ///
  /// One loss for each message under way across the cut.
  mutating func cut(side: [Int], bothWays: Bool) -> [Step] {
    guard reachability.cut(side: side, bothWays: bothWays, of: replicaCount) else { return [] }
    var steps: [Step] = [.cut(side: side, bothWays: bothWays)]
    let lost = underWay.filter { reachability.isCut(from: $0.from, to: $0.to) }
    underWay = underWay.filter { !reachability.isCut(from: $0.from, to: $0.to) }
    steps += lost.map { .drop(message: $0.number, .cut) }
    return steps
  }

  mutating func mend() -> [Step] {
    reachability.mend() ? [.mend] : []
  }

  mutating func clog(from: Int, to: Int) -> [Step] {
    reachability.clog(from: from, to: to) ? [.clog(from: from, to: to)] : []
  }

  /// Opens the path that was clogged first.
  mutating func unclog() -> [Step] {
    guard let (from, to) = reachability.firstClog, reachability.unclog(from: from, to: to) else {
      return []
    }
    return [.unclog(from: from, to: to)]
  }
}
