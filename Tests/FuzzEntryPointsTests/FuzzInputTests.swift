import DocumentLaws
import Foundation
import Histories
import PropertyEngine
import Testing

@testable import FuzzEntryPoints

@Suite("Inputs of the target histories")
struct FuzzInputTests {
  private let subject: FuzzSubject

  init() throws {
    subject = try FuzzTarget.histories.subject()
  }

  private func input(_ bytes: [UInt8]) -> FuzzInput {
    FuzzInput(bytes: bytes, on: subject, JudgingRequest(drawsOnly: true))
  }

  private func input(seed: Seed, stream: Int) -> FuzzInput {
    let choices = Choices(seed: seed.stream(UInt64(stream)))
    return FuzzInput(drawing: choices, on: subject, JudgingRequest(drawsOnly: true))
  }

  private func laws(_ groups: some Sequence<LawGroup>) -> [String] {
    groups.flatMap(\.laws).map(\.name)
  }

  @Test("No bytes at all are the simplest history, held to all laws on any history")
  func empty() throws {
    let input = input([])
    let history = try #require(input.history).history
    #expect(input.group.isShared)
    #expect(history.steps == [])
    #expect(history.replicaCount == HistoryLimits().replicas.lowerBound)
    #expect(laws(subject.groups) == DocumentLaw.all.map(\.name))
  }

  // Stored inputs say with their first byte what they are held to: a new law goes to the end.
  @Test("The first byte's meaning never changes")
  func firstByte() {
    let names = ["text.runs-stay-whole", "list.runs-stay-whole", "counter.increments-add"]
    let scenarios = laws(subject.groups.dropFirst())
    #expect(Array(scenarios.prefix(names.count)) == names)
    for (index, name) in scenarios.enumerated() {
      let input = input([UInt8(index + 1)])
      #expect(laws([input.group]) == [name])
      #expect(!input.group.isShared)
    }
    for byte in (scenarios.count + 1)...255 {
      #expect(input([UInt8(byte)]).group.isShared, "\(byte)")
    }
  }

  @Test("The subject has no say in what bytes mean", arguments: 0..<40)
  func anySubject(stream: Int) throws {
    let seeded = input(seed: 9, stream: stream)
    let engine = try FuzzTarget.histories.subject("engine")
    let request = JudgingRequest(drawsOnly: true)
    let other = FuzzInput(bytes: seeded.bytes, on: engine, request)
    #expect(other.history?.history == seeded.history?.history)
    #expect(laws([other.group]) == laws([seeded.group]))
  }

  @Test("Any bytes are an input, and its own bytes make the same one", arguments: 0..<100)
  func anyBytes(stream: Int) throws {
    var random = Choices(seed: Seed(3).stream(UInt64(stream)))
    let bytes = (0..<(4 * stream)).map { _ in UInt8(random.number(in: 0...255)) }
    let input = input(bytes)
    let again = self.input(input.bytes)
    #expect(input.bytes.count <= bytes.count)
    #expect(try #require(again.history).history == input.history?.history)
    #expect(laws([again.group]) == laws([input.group]))
    #expect(again.choices.recorded == input.choices.recorded)
    #expect(again.bytes == input.bytes)
  }

  @Test("What a seed draws can be handed to the fuzzer as bytes", arguments: 0..<100)
  func seeded(stream: Int) throws {
    let seeded = input(seed: 5, stream: stream)
    let input = input(seeded.bytes)
    #expect(try #require(input.history).history == seeded.history?.history)
    #expect(laws([input.group]) == laws([seeded.group]))
  }

  @Test("A seed draws scenarios, too, one time in five")
  func scenarioShare() {
    let shared = (0..<500).count { input(seed: 1, stream: $0).group.isShared }
    #expect((360...440).contains(shared), "\(shared) of 500")
  }

  @Test("A folder that cannot be read is told in one line")
  func unreadable() {
    let error = #expect(throws: (any Error).self) {
      try FuzzInputs(of: nil).files(in: URL(fileURLWithPath: "nowhere"))
    }
    let words = error.map { "\($0)" } ?? ""
    #expect(words.hasPrefix("cannot read nowhere: "), "\(words)")
  }

  @Test("More inputs hold more situations; bytes from outside hold none that are told")
  func situations() throws {
    let seeds = try FuzzTarget.histories.inputs(
      at: URL(filePath: #filePath).appending(path: "../../../corpus/histories").standardized
    )
    func count(_ files: some Collection<URL>) throws -> Int {
      try #require(subject.situations(in: Array(files), isInterrupted: { false }))
    }
    let few = try count(seeds.prefix(2))
    #expect(few > 0)
    #expect(try count(seeds.prefix(20)) > few)
    #expect(subject.situations(in: seeds, isInterrupted: { true }) == nil)
    let load = try #require(FuzzTarget(id: "load")).subject()
    #expect(load.situations(in: seeds, isInterrupted: { false }) == nil)
  }

  @Test(
    "An input is past the entrance if its bytes are of the form, or laws say something of its sample"
  )
  func entrance() throws {
    #expect(FuzzInput(bytes: [], on: subject).isPastEntrance)
    let load = try #require(FuzzTarget(id: "load"))
    let judged = try load.subject()
    let seed = try #require(try load.boundary?.seeds().first)
    #expect(FuzzInput(bytes: seed.bytes, on: judged).isPastEntrance)
    #expect(!FuzzInput(bytes: [1, 2, 3], on: judged).isPastEntrance)
  }
}
