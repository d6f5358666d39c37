import DocumentLaws
import Foundation
import FuzzEntryPoints
import Histories
import PropertyEngine
import Testing

/// The first input of seed 1 on which a law is violated.
func firstFailing(_ subject: FuzzSubject) throws -> (HistoryInput, FuzzFinding) {
  for index in 0..<2000 {
    let input = HistoryInput(drawing: Choices(seed: Seed(1).stream(UInt64(index))))
    if let finding = input.finding(on: subject) { return (input, finding) }
  }
  throw NothingFound(subject: subject.id)
}

private struct NothingFound: Error {
  let subject: String
}

@Suite("Findings of the target histories")
struct FuzzFindingTests {
  @Test("A subject is chosen by its id, and an unknown one is refused in words")
  func subjects() throws {
    #expect(try FuzzSubject(id: nil).id == "naive")
    #expect(try FuzzSubject(id: "naive").oracle == nil)
    #expect(try FuzzSubject(id: "engine").oracle?.id == "naive")
    let mutant = try FuzzSubject(id: "mutant:tie-break-reversed")
    #expect(mutant.id == "mutant:tie-break-reversed")
    #expect(mutant.oracle?.id == "naive")
    for id in ["", "mutant", "mutant:", "mutant:none", "Naive", "tie-break-reversed"] {
      let error = #expect(throws: UnknownFuzzSubject.self) { try FuzzSubject(id: id) }
      #expect(error?.description.contains("'\(id)'") == true)
    }
  }

  @Test("Specification and engine break no law, on inputs that catch a mutant")
  func specificationHolds() throws {
    for id in ["conflict-losers-dropped", "counter-as-register", "waiting-forgotten"] {
      let (input, finding) = try firstFailing(FuzzSubject(id: "mutant:\(id)"))
      #expect(input.finding(on: .specification) == nil, "\(id): \(finding.law)")
      #expect(try input.finding(on: FuzzSubject(id: "engine")) == nil, "\(id): \(finding.law)")
    }
  }

  @Test("The words name law, sentence, difference and history, and how to replay")
  func words() throws {
    let subject = try FuzzSubject(id: "mutant:counter-as-register")
    let (input, finding) = try firstFailing(subject)
    let words = input.words(for: finding, on: subject, file: nil)
    let sentence = try #require(input.laws.first { $0.name == finding.law }?.sentence)
    #expect(words.hasPrefix("violated: \(finding.law) on mutant:counter-as-register\n"))
    for part in [
      sentence, finding.difference.summary, "[\(finding.difference.kind)]", "  | history 1\n",
      "replay: touchstone replay --target histories --subject mutant:counter-as-register FILE",
    ] + input.history.history.stepLines {
      #expect(words.contains(part), "\(part)\n\(words)")
    }
    #expect(words.hasSuffix("below.\n"))
    #expect(
      input.words(for: finding, on: subject, file: "x/y").contains(
        "mutant:counter-as-register x/y\n"
      )
    )
  }

  @Test("A violated law traps, and says on standard error which")
  func traps() async throws {
    let result = try await #require(
      processExitsWith: .signal(SIGABRT),
      observing: [\.standardErrorContent]
    ) {
      resetSignalHandlers()
      let subject = try FuzzSubject(id: "mutant:counter-as-register")
      let (input, _) = try firstFailing(subject)
      _ = unsafe input.bytes.withUnsafeBytes { unsafe fuzzHistories($0, on: subject) }
    }
    let words = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(words.contains("violated: "), "\(words)")
    #expect(words.contains("  | history 1\n"), "\(words)")
  }

  @Test("Where all laws hold, the target returns zero, for no bytes as well")
  func returns() throws {
    let (input, _) = try firstFailing(FuzzSubject(id: "mutant:counter-as-register"))
    for bytes in [[], input.bytes] {
      #expect(unsafe bytes.withUnsafeBytes { unsafe fuzzHistories($0, on: .specification) } == 0)
    }
    #expect(
      unsafe fuzzHistories(UnsafeRawBufferPointer(start: nil, count: 0), on: .specification) == 0
    )
  }

  @Test("A smaller input fails in the same way, and its case file tells the whole")
  func shrinks() throws {
    let subject = try FuzzSubject(id: "mutant:tie-break-reversed")
    let (input, finding) = try firstFailing(subject)
    let smallest = input.shrunk(stepLimit: 2000) {
      $0.finding(on: subject)?.isSameFailure(as: finding) == true
    }
    let smallestFinding = try #require(smallest.finding(on: subject))
    #expect(smallestFinding.isSameFailure(as: finding))
    #expect(smallest.bytes.count < input.bytes.count)
    let file = smallest.caseFile(smallestFinding, on: subject)
    #expect(try CaseFile.parse(file.render()) == file)
    #expect(file.law == finding.law)
    #expect(file.subjects == ["mutant:tie-break-reversed", "naive"])
    #expect(file.kind == finding.difference.kind)
    #expect(try History(text: file.sample) == smallest.history.history)
    #expect(file.choices == Array(smallest.choices.recorded.dropFirst()))
  }
}
