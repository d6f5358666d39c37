import DocumentModel
import Histories
import Subjects
import Testing

@Suite("Editing traces as histories")
struct EditingTraceTests {
  private typealias Transaction = EditingTrace.Transaction

  private func patch(_ position: Int, _ deleting: Int, _ text: ExactString) -> EditingTrace.Patch {
    EditingTrace.Patch(position: position, deleting: deleting, inserting: text)
  }

  @Test("A sequential trace is one replica that types")
  func sequential() throws {
    let trace = try EditingTrace(sequential: [
      [patch(0, 0, "hello")], [patch(0, 1, "H"), patch(5, 0, "!")],
    ])
    let history = trace.history()
    #expect(
      history.lines == [
        "history 1", "base empty", "replicas 1", "healing merge",
        "r0 put root \"text\" new text as text1", "r0 commit",
        "r0 type text1 0 delete 0 insert \"hello\"", "r0 commit",
        "r0 type text1 0 delete 1 insert \"H\"", "r0 type text1 5 delete 0 insert \"!\"",
        "r0 commit",
      ]
    )
    #expect(texts(history).after == ["Hello!"])
  }

  @Test("Parents are exchanged before they are needed")
  func concurrent() throws {
    let trace = try EditingTrace(
      agentCount: 2,
      transactions: [
        Transaction(agent: 0, parents: [], patches: [patch(0, 0, "ab")]),
        Transaction(agent: 1, parents: [0], patches: [patch(2, 0, "c")]),
        Transaction(agent: 0, parents: [0], patches: [patch(0, 0, "x")]),
        Transaction(agent: 1, parents: [1, 2], patches: [patch(4, 0, "!")]),
      ]
    )
    let history = trace.history(by: .document)
    #expect(
      history.stepLines == [
        "r0 put root \"text\" new text as text1", "r0 commit", "r0 -> r1 document",
        "r0 type text1 0 delete 0 insert \"ab\"", "r0 commit", "r0 -> r1 document",
        "r1 type text1 2 delete 0 insert \"c\"", "r1 commit",
        "r0 type text1 0 delete 0 insert \"x\"", "r0 commit", "r0 -> r1 document",
        "r1 type text1 4 delete 0 insert \"!\"", "r1 commit",
      ]
    )
    #expect(normalise(history).history == history)
    #expect(texts(history).after == ["xabc!", "xabc!"])
  }

  @Test(
    "A parent whose agent has typed on by then comes by a message",
    arguments: Transport.allCases
  )
  func late(_ transport: Transport) throws {
    let trace = try EditingTrace(
      agentCount: 3,
      transactions: [
        Transaction(agent: 0, parents: [], patches: [patch(0, 0, "ab")]),
        Transaction(agent: 0, parents: [0], patches: [patch(0, 2, "")]),
        Transaction(agent: 1, parents: [0], patches: [patch(2, 0, "c")]),
        Transaction(agent: 2, parents: [0], patches: [patch(1, 0, "-")]),
        Transaction(agent: 1, parents: [1, 2, 3], patches: [patch(2, 0, "!")]),
      ]
    )
    let history = trace.history(by: transport)
    #expect(
      Array(history.stepLines[4...11]) == [
        "r0 type text1 0 delete 0 insert \"ab\"", "r0 commit",
        "r0 -> r1 send m1 \(transport)", "r0 -> r2 send m2 \(transport)",
        "r0 type text1 0 delete 2 insert \"\"", "r0 commit", "m1 deliver",
        "r1 type text1 2 delete 0 insert \"c\"",
      ]
    )
    // No position had to be mapped: everyone saw the text that was typed into.
    #expect(normalise(history).history == history)
    #expect(texts(history).after == ["-c!", "-c!", "-c!"])
  }

  /// Transactions that are no session, and why.
  struct Refusal: CustomStringConvertible {
    let agents: Int
    let transactions: [EditingTrace.Transaction]
    let error: String

    init(_ error: String, agents: Int = 2, _ transactions: [(Int, [Int], Int)]) {
      self.agents = agents
      self.transactions = transactions.map { agent, parents, position in
        let patch = EditingTrace.Patch(position: position, deleting: 0, inserting: "x")
        return EditingTrace.Transaction(agent: agent, parents: parents, patches: [patch])
      }
      self.error = error
    }

    var description: String { error }
  }

  @Test(
    "What is no session is refused at its transaction",
    arguments: [
      Refusal("a trace has 1 to 24 agents, this one 0", agents: 0, []),
      Refusal("a trace has 1 to 24 agents, this one 25", agents: 25, []),
      Refusal("transaction 0: there is no agent 2", [(2, [], 0)]),
      Refusal("transaction 0: there is no agent -1", [(-1, [], 0)]),
      Refusal("transaction 0: there is no earlier transaction 0", [(0, [0], 0)]),
      Refusal("transaction 1: there is no earlier transaction -1", [(0, [], 0), (0, [-1], 0)]),
      Refusal("transaction 1: it does not build on its agent's last", [(0, [], 0), (0, [], 0)]),
      Refusal(
        "transaction 2: it does not build on its agent's last",
        [(0, [], 0), (1, [], 0), (0, [1], 0)]
      ),
      Refusal("transaction 1: a patch has a negative number", [(0, [], 0), (1, [], -1)]),
    ]
  )
  func refuses(_ refusal: Refusal) {
    let error = #expect(throws: EditingTraceError.self) {
      try EditingTrace(agentCount: refusal.agents, transactions: refusal.transactions)
    }
    #expect(error?.description == refusal.error)
  }
}
