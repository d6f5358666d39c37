import DocumentModel
import Foundation
import Histories
import TestSupport
import Testing
import Texts

@testable import ForeignSubjects

@Suite("Schema of the line protocol")
struct SchemaTests {
  private static let file = RealAutomerge.packageRoot
    .appendingPathComponent("Documentation/schemas/line-protocol.schema.json")

  private let schema: JSONSchema

  init() throws {
    schema = JSONSchema(try JSONValue(data: Data(contentsOf: Self.file)))
  }

  /// What of a line does not fit a definition of the schema, or the schema as a whole.
  private func problems(
    _ line: some Sequence<UInt8>,
    _ definition: String? = nil
  ) throws -> [String] {
    let value = try JSONValue(parsing: Array(line))
    return try schema.violations(in: value, definition: definition).map(\.description)
  }

  @Test("Every request that the harness can write fits")
  func requestsFit() throws {
    let all = Program(Samples.instructions)
    let requests: [LineProtocol.Request] = [.start, .ping, .stop, .run(Program()), .run(all)]
    for request in requests {
      let line = LineProtocol.line(request, number: 1)
      #expect(try problems(line, "request") == [])
      #expect(try problems(line) == [])
    }
    for instruction in Samples.instructions {
      let line = LineProtocol.line(.run(Program([instruction])), number: 2)
      #expect(try problems(line, "request") == [], "\(instruction.name)")
    }
  }

  @Test("Every answer that an adapter can give fits")
  func answersFit() throws {
    for outcome in Samples.outcomes {
      let line = TranscriptWriter.line(Transcript(outcomes: [outcome]), number: 2)
      #expect(try problems(line, "answer") == [])
    }
  }

  @Test(
    "What the harness refuses does not fit either",
    arguments: [
      #"{"n":0,"ping":{}}"#, #"{"n":1,"start":{"protocol":2}}"#, #"{"n":1,"fly":{}}"#,
      #"{"n":1,"run":[["edit",0,["put",0,"k",["int",5]]]]}"#,
      #"{"n":1,"run":[["edit",0,["put",0,"k",["int","05"]]]]}"#,
      #"{"n":1,"run":[["edit",0,["put",0,-1,["null"]]]]}"#, #"{"n":1,"run":[["commit",0,0]]}"#,
      #"{"n":1,"run":[["create",0,"0"]]}"#, #"{"n":1,"ran":[["well"]]}"#,
      #"{"n":1,"ran":[["sent",1.5]]}"#, #"{"n":1,"ran":[["done",1]]}"#,
      #"{"n":1,"ran":[["observed",{"root":{"map":[["k",[]]]}}]]}"#,
      #"{"n":1,"ran":[["observed",{"root":{"text":"a"}}]]}"#,
      #"{"n":1,"ran":[["observed",{"root":{"list":[["x","null"]]}}]]}"#,
      #"{"n":1,"ran":[["observed",{"root":{"list":[[null,"float","00"]]}}]]}"#,
      #"{"n":1,"ran":[["observed",{"root":{"list":[[null,"hidden","money"]]}}]]}"#,
      #"{"n":1,"started":{"protocol":1,"id":"A B","version":"","capabilities":{}}}"#,
      #"{"n":1,"started":{"protocol":1,"id":"a","version":"","capabilities":{"edits":["fly"]}}}"#,
    ]
  )
  func othersDoNotFit(_ line: String) throws {
    #expect(try problems(line.utf8) != [])
  }

  @Test("The traffic with an adapter fits, line by line")
  func trafficFits() throws {
    let folder = try AdapterFolder(
      """
      start; echo "$request" >> heard
      while turn; do
        echo "$request" >> heard
        case "$request" in
          *'"run"'*) answer '"ran":[["done"],["edited"],["observed",{"root":{"map":[]}}]]';;
          *'"ping"'*) answer '"pong":{}';;
          *'"stop"'*) exit 0;;
        esac
      done
      """
    )
    let command = try AdapterManifest(folder: folder.url)
      .command(packageRoot: folder.url, searchPath: "")
    let dialogue = try Dialogue(command, adapter: "fake", limits: .patient)
    let program = Program([
      .create(document: 0, ActorID(repeating: 1)),
      .edit(document: 0, .put(.root, .key("k"), .int(5)), makes: nil), .observe(document: 0),
    ])
    _ = try dialogue.run(program)
    try dialogue.ping()
    dialogue.stop()
    let heard = try String(contentsOf: folder.url.appendingPathComponent("heard"), encoding: .utf8)
    let lines = heard.split(separator: "\n")
    #expect(lines.count == 4)
    for line in lines { #expect(try problems(line.utf8, "request") == []) }
  }

  @Test(
    "The traffic with the real Automerge fits, line by line",
    // Needs the Python environment that `make` sets up; without it there is no such traffic.
    .enabled(if: RealAutomerge.isInstalled)
  )
  func realTrafficFits() throws {
    let command = try AdapterManifest(folder: RealAutomerge.folder)
      .command(packageRoot: RealAutomerge.packageRoot, searchPath: "")
    let child = try ChildProcess(command, adapter: "automerge", limits: AdapterLimits())
    let program = Program(Samples.instructions.sorted { $0.rank < $1.rank })
    let requests: [LineProtocol.Request] = [.start, .run(program), .ping]
    for (index, request) in requests.enumerated() {
      let line = LineProtocol.line(request, number: index + 1)
      let answer = try child.exchange(line, within: 20_000, as: "")
      #expect(try problems(answer, "answer") == [])
    }
    child.stop(LineProtocol.line(.stop, number: 9))
  }

  @Test("The lines that the description shows fit, and are what they are said to be")
  func describedLinesFit() throws {
    let file = RealAutomerge.packageRoot.appendingPathComponent("Documentation/LineProtocol.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    var counts = ["harness": 0, "adapter": 0]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard words.count == 2, let sender = words.first.map(String.init), counts[sender] != nil,
        words[1].drop(while: { $0 == " " }).hasPrefix("{")
      else { continue }
      counts[sender, default: 0] += 1
      let definition = sender == "harness" ? "request" : "answer"
      #expect(try problems(words[1].utf8, definition) == [], "\(line)")
    }
    #expect(counts["harness", default: 0] >= 4)
    #expect(counts["adapter", default: 0] >= 3)
  }
}

extension Instruction {
  /// Documents before what happens to them, so that a program of all samples is carried out.
  fileprivate var rank: Int {
    switch self {
    case .create: 0
    case .base: 1
    case .fork: 2
    case .edit: 3
    case .send, .save, .remember: 4
    default: 5
    }
  }
}
