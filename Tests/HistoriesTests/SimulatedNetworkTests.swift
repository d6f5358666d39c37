import DocumentModel
import Testing

@testable import Histories

@Suite("The simulated network")
struct SimulatedNetworkTests {
  private func send(_ message: Int, _ from: Int, _ to: Int) -> Step {
    .send(message: message, from: from, to: to, .merge)
  }

  @Test("Messages arrive in the order that is wished for, each once, and again when repeated")
  func delivers() {
    var network = SimulatedNetwork(replicaCount: 3)
    #expect(network.deliver(wish: 0) == nil)
    #expect(network.delivered(wish: 0) == nil)
    #expect(network.send(from: 0, to: 1, .merge) == [send(1, 0, 1)])
    #expect(network.send(from: 2, to: 1, .merge) == [send(2, 2, 1)])
    #expect(network.send(from: 0, to: 2, .merge) == [send(3, 0, 2)])
    #expect(network.inFlight(wish: 1) == 2)
    #expect(network.deliver(wish: 1) == 2)
    #expect(network.deliver(wish: 5) == 3)
    #expect(network.deliver(wish: 7) == 1)
    #expect(network.deliver(wish: 0) == nil)
    #expect((0..<4).map { network.delivered(wish: $0) } == [1, 3, 2, 1])
  }

  @Test("A cut drops what is under way across it, and what is sent into it")
  func cuts() {
    var network = SimulatedNetwork(replicaCount: 3)
    _ = network.send(from: 0, to: 1, .merge)
    _ = network.send(from: 1, to: 2, .merge)
    _ = network.send(from: 2, to: 0, .merge)
    #expect(
      network.cut(side: [0], bothWays: true) == [
        .cut(side: [0], bothWays: true), .drop(message: 1, .cut), .drop(message: 3, .cut),
      ]
    )
    #expect(network.send(from: 1, to: 0, .merge) == [send(4, 1, 0), .drop(message: 4, .cut)])
    #expect(network.send(from: 2, to: 1, .merge) == [send(5, 2, 1)])
    #expect([network.deliver(wish: 0), network.deliver(wish: 0)] == [2, 5])
    #expect(network.deliver(wish: 0) == nil)
    #expect(network.mend() == [.mend])
    #expect(network.send(from: 1, to: 0, .merge) == [send(6, 1, 0)])
    #expect(network.deliver(wish: 0) == 6)
  }

  @Test("A one-way cut drops what leaves its side, and lets in what comes")
  func cutsOneWay() {
    var network = SimulatedNetwork(replicaCount: 3)
    _ = network.send(from: 0, to: 1, .merge)
    _ = network.send(from: 1, to: 0, .merge)
    #expect(
      network.cut(side: [0, 2], bothWays: false)
        == [.cut(side: [0, 2], bothWays: false), .drop(message: 1, .cut)]
    )
    #expect(!network.passes(from: 0, to: 1))
    #expect(network.passes(from: 1, to: 0))
    #expect(network.passes(from: 0, to: 2))
    #expect(network.deliver(wish: 0) == 2)
  }

  @Test("There is one cut at a time, with replicas on either side; without one nothing is mended")
  func refusesCuts() {
    var network = SimulatedNetwork(replicaCount: 2)
    #expect(network.mend() == [])
    #expect(network.cut(side: [], bothWays: true) == [])
    #expect(network.cut(side: [0, 1], bothWays: true) == [])
    #expect(network.cut(side: [0], bothWays: true).count == 1)
    #expect(network.cut(side: [1], bothWays: false) == [])
    #expect(network.mend() == [.mend])
    #expect(network.passes(from: 0, to: 1))
  }

  @Test("A clogged path holds its messages, in one direction, until it opens")
  func clogs() {
    var network = SimulatedNetwork(replicaCount: 2)
    _ = network.send(from: 0, to: 1, .merge)
    #expect(network.clog(from: 0, to: 1) == [.clog(from: 0, to: 1)])
    #expect(network.clog(from: 0, to: 1) == [])
    #expect(network.clog(from: 1, to: 1) == [])
    #expect(network.send(from: 0, to: 1, .merge) == [send(2, 0, 1)])
    #expect(network.deliver(wish: 0) == nil)
    #expect(network.inFlight(wish: 0) == nil)
    #expect(network.passes(from: 1, to: 0))
    #expect(network.unclog() == [.unclog(from: 0, to: 1)])
    #expect(network.unclog() == [])
    #expect([network.deliver(wish: 0), network.deliver(wish: 0)] == [1, 2])
  }

  @Test("What is lost never arrives; a clog does not save it")
  func loses() {
    var network = SimulatedNetwork(replicaCount: 2)
    #expect(network.lose(wish: 0) == nil)
    for _ in 0..<3 { _ = network.send(from: 0, to: 1, .merge) }
    _ = network.clog(from: 0, to: 1)
    #expect(network.lose(wish: 4) == 2)
    _ = network.unclog()
    #expect([network.deliver(wish: 0), network.deliver(wish: 0)] == [1, 3])
    #expect(network.lose(wish: 0) == nil)
  }

  @Test("A fork takes part at once")
  func forks() {
    var network = SimulatedNetwork(replicaCount: 1)
    #expect(network.cut(side: [0], bothWays: true) == [])
    network.addReplica()
    #expect(network.replicaCount == 2)
    #expect(network.cut(side: [0], bothWays: true).count == 1)
    #expect(!network.passes(from: 0, to: 1))
  }
}
