import CaseFiles
import DocumentModel
import Foundation
import Histories
import Subjects
import TestSupport
import Testing

@testable import Campaigns

@Suite("Editing traces from files")
struct TraceFileTests {
  private func fixture(_ name: String) throws -> TraceFile {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../fixtures/traces")
    return try TraceFile(folder.appendingPathComponent("\(name).json"))
  }

  @Test("A sequential session ends with the text that splicing a plain string gives")
  func sequential() throws {
    let file = try fixture("automerge-paper-first-300")
    #expect(file.trace.transactions.count == 300)
    #expect(file.trace.agentCount == 1)
    var plain: [Unicode.Scalar] = []
    for patch in file.trace.transactions.flatMap(\.patches) {
      plain.replaceSubrange(
        patch.position..<(patch.position + patch.deleting),
        with: patch.inserting.string.unicodeScalars
      )
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: plain)
    let shown = texts(file.trace.history())
    #expect(shown.after == [ExactString(String(text))])
    #expect(ExactString(file.endContent) == ExactString(String(text)))
    #expect(!text.isEmpty)
  }

  @Test(
    "A concurrent session brings all replicas to the recorded text, by every transport",
    arguments: [Transport.merge, .changes]
  )
  func concurrent(_ transport: Transport) throws {
    let file = try fixture("friendsforever-first-300")
    #expect(file.trace.agentCount == 2)
    let history = file.trace.history(by: transport)
    let shown = texts(history)
    #expect(shown.after == Array(repeating: ExactString(file.endContent), count: 2))
    // They did type at once: before they heard of each other, they saw different texts.
    let messages = history.steps.count { if case .deliver = $0 { true } else { false } }
    let exchanges = history.steps.count { if case .exchange = $0 { true } else { false } }
    #expect(messages > 10)
    #expect(messages + exchanges > 20)
  }

  @Test("A session is a valid history: no position had to be mapped into range")
  func valid() throws {
    let file = try fixture("friendsforever-first-300")
    let transactions = Array(file.trace.transactions.prefix(120))
    let trace = try EditingTrace(agentCount: 2, transactions: transactions)
    let history = trace.history()
    #expect(normalise(history).history == history)
    #expect(try History(text: history.text) == history)
  }

  @Test("Both shapes are read, and what the text starts with is typed first")
  func shapes() throws {
    let sequential = try TraceFile(
      json: Data(
        #"{"kind":"sequential","startContent":"ab","endContent":"a!","txns":[[[1,1,"!"]],[]]}"#.utf8
      )
    )
    #expect(texts(sequential.trace.history()).after == ["a!"])
    let concurrent = try TraceFile(
      json: Data(
        """
        {"kind":"concurrent","numAgents":2,"endContent":"ab",
         "txns":[[0,[],[[0,0,"a"]]],[1,[0],[[1,0,"b"]]]]}
        """.utf8
      )
    )
    #expect(concurrent.endContent == "ab")
    #expect(texts(concurrent.trace.history()).after == ["ab", "ab"])
  }

  @Test(
    "What is no trace is refused",
    arguments: [
      "", "[]", "{}", #"{"kind":"other","endContent":"","txns":[]}"#,
      #"{"kind":"sequential","endContent":"","txns":[]}"#,
      #"{"kind":"sequential","startContent":"","endContent":"","txns":[[[0,0]]]}"#,
      #"{"kind":"sequential","startContent":"","endContent":"","txns":[[[0,0,"a",1]]]}"#,
      #"{"kind":"sequential","startContent":"","endContent":"","txns":[[[-1,0,"a"]]]}"#,
      #"{"kind":"sequential","startContent":"","endContent":"","txns":[[[0.5,0,"a"]]]}"#,
      #"{"kind":"sequential","startContent":"","endContent":"","txns":[[[1e99,0,"a"]]]}"#,
      #"{"kind":"concurrent","endContent":"","txns":[]}"#,
      #"{"kind":"concurrent","numAgents":0,"endContent":"","txns":[]}"#,
      #"{"kind":"concurrent","numAgents":1,"endContent":"","txns":[[0,[0],[]]]}"#,
      #"{"kind":"concurrent","numAgents":1,"endContent":"","txns":[[0,[],[],0]]}"#,
      #"{"kind":"concurrent","numAgents":1000000000,"endContent":"","txns":[]}"#,
    ]
  )
  func refuses(json: String) throws {
    #expect(throws: (any Error).self) { try TraceFile(json: Data(json.utf8)) }
    try withFolder { folder in
      let url = folder.appendingPathComponent("trace.json")
      try Data(json.utf8).write(to: url)
      let error = #expect(throws: FileFailure.self) { try TraceFile(url) }
      #expect(error?.description.hasPrefix("\(url.path) is not an editing trace: ") == true)
    }
  }

  @Test("A file that is not there is named")
  func missing() {
    let error = #expect(throws: FileFailure.self) {
      try TraceFile(URL(fileURLWithPath: "/nowhere/trace.json"))
    }
    #expect(error?.description == "cannot read /nowhere/trace.json: there is no such file")
  }
}

/// The text that each replica of the specification shows, first before and then after healing.
func texts(_ history: History) -> (before: [ExactString], after: [ExactString]) {
  var program = Program()
  let looks = (0..<history.finalReplicaCount).map { Instruction.observe(document: $0) }
  var lowering = Lowering(history: history)
  program.instructions = history.opening + history.steps.flatMap { lowering.lower($0) }
  program.instructions += looks + history.healingPhase + looks
  let outcomes = Interpreter<ReferenceModel>.run(program).outcomes
  let texts = outcomes.compactMap { outcome -> ExactString? in
    switch outcome {
    case .observed(let state): state.root.text
    case .failed(let words), .refused(let words): ExactString("\(words)")
    default: nil
    }
  }
  #expect(texts.count == 2 * looks.count, "an instruction was not carried out")
  return (Array(texts.prefix(looks.count)), Array(texts.suffix(looks.count)))
}

extension ObservedObject {
  /// The text under the key of traces.
  fileprivate var text: ExactString? {
    guard case .map(let entries) = content,
      let entry = entries.first(where: { $0.key == EditingTrace.key }),
      case .object(let object)? = entry.register.values.last?.content,
      case .text(let text, _, _) = object.content
    else { return nil }
    return text
  }
}
