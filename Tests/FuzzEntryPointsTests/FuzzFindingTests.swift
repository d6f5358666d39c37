import Foundation
import FuzzEntryPoints
import FuzzSessions
import Histories
import PropertyEngine
import Testing

/// The first input of seed 1 on which a law is violated.
func firstFailing(
  _ subject: FuzzSubject,
  caseLimit: Int = 2000
) throws -> (input: FuzzInput, finding: Finding) {
  for index in 0..<caseLimit {
    let choices = Choices(seed: Seed(1).stream(UInt64(index)))
    let input = FuzzInput(drawing: choices, on: subject)
    if let finding = input.finding { return (input, finding) }
  }
  throw NothingFound(subject: subject.id)
}

private struct NothingFound: Error {
  let subject: String
}

/// A subject of the target histories.
func subject(_ id: String) throws -> FuzzSubject { try FuzzTarget.histories.subject(id) }

@Suite("Findings of the target histories")
struct FuzzFindingTests {
  @Test("A subject is chosen by its id, and an unknown one is refused in words")
  func subjects() throws {
    #expect(try FuzzTarget.histories.subject().ids == ["engine", "naive"])
    #expect(try subject("naive").ids == ["naive"])
    #expect(try subject("engine").ids == ["engine", "naive"])
    let mutant = try subject("mutant:tie-break-reversed")
    #expect(mutant.id == "mutant:tie-break-reversed")
    #expect(mutant.ids.last == "naive")
    let unknown = [
      "", "mutant", "mutant:", "mutant:none", "Naive", "tie-break-reversed", "document-coder",
    ]
    for id in unknown {
      let error = #expect(throws: UnknownFuzzSubject.self) { try subject(id) }
      #expect(error?.description.contains("'\(id)'") == true)
    }
  }

  @Test("Specification and engine break no law, on inputs that catch a mutant")
  func specificationHolds() throws {
    for id in ["conflict-losers-dropped", "counter-as-register", "waiting-forgotten"] {
      let (input, finding) = try firstFailing(subject("mutant:\(id)"))
      for correct in ["naive", "engine"] {
        let judged = try FuzzTarget.histories.judge(input.bytes, on: correct)
        #expect(judged.finding == nil, "\(id): \(finding.key.law) on \(correct)")
        #expect(judged.history?.history == input.history?.history)
      }
    }
  }

  @Test("The explanation names law, sentence, difference and history, and how to replay")
  func explains() throws {
    let (input, finding) = try firstFailing(subject("mutant:counter-as-register"))
    let text = input.explanation(of: finding, file: nil)
    let law = try #require(input.group.laws.first { $0.name == finding.key.law })
    #expect(text.hasPrefix("violated: \(law.name) on mutant:counter-as-register\n"))
    for part in [
      law.sentence, finding.difference.summary, "[\(finding.difference.kind)]", "  | history 1\n",
      "replay: touchstone replay --target histories --subject mutant:counter-as-register FILE",
      "shrink: touchstone shrink --target histories --subject mutant:counter-as-register FILE ",
    ] + (try #require(input.history).history.stepLines) {
      #expect(text.contains(part), "\(part)\n\(text)")
    }
    #expect(text.hasSuffix("below.\n"))
    let stored = input.explanation(of: finding, file: "x/y")
    #expect(stored.contains("mutant:counter-as-register x/y\n"))
  }

  @Test("A violated law traps, and says on standard error which")
  func traps() async throws {
    let result = try await #require(
      processExitsWith: .signal(SIGABRT),
      observing: [\.standardErrorContent]
    ) {
      // Handlers in the place of the backtracer's, whose exit status is not that of the default.
      for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
        signal(number) { _ in _exit(3) }
      }
      resetCrashHandlers()
      let subject = try subject("mutant:counter-as-register")
      let bytes = try firstFailing(subject).input.bytes
      _ = FuzzDriver(subject).judge(bytes)
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("violated: "), "\(text)")
    #expect(text.contains("  | history 1\n"), "\(text)")
  }

  @Test("Where all laws hold, the target returns zero, for no bytes as well")
  func returns() throws {
    let driver = FuzzDriver(try subject("naive"))
    for bytes in [[], try firstFailing(subject("mutant:counter-as-register")).input.bytes] {
      #expect(driver.judge(bytes) == 0)
    }
  }

  @Test("A smaller input fails in the same way, and its case file tells the whole")
  func shrinks() throws {
    let (input, finding) = try firstFailing(subject("mutant:tie-break-reversed"))
    let smallest = input.shrunk(stepLimit: 2000) { $0.judged.finding(like: finding) != nil }
    let smallestFinding = try #require(smallest.judged.finding(like: finding))
    #expect(smallest.bytes.count < input.bytes.count)
    let file = try #require(smallest.caseFile(smallestFinding))
    #expect(try CaseFile.parse(file.render()) == file)
    #expect(file.law == finding.key.law)
    #expect(file.subjects == ["mutant:tie-break-reversed", "naive"])
    #expect(file.kind == finding.difference.kind)
    #expect(try History(text: file.sample) == smallest.history?.history)
    #expect(file.choices == Array(smallest.choices.recorded.dropFirst()))
  }
}
