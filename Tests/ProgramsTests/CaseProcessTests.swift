import Foundation
import Programs
import Testing

@Suite("Processes that judge cases")
struct CaseProcessTests {
  private struct Answer: Codable, Equatable {
    var cases = 3
    var answer = "yes"
  }

  private func outcome(
    of script: String,
    silenceLimit: Double = 60
  ) throws
    -> CaseProcess.Outcome<Answer>
  {
    let log = FileManager.default.temporaryDirectory
      .appendingPathComponent("case-process-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    return try CaseProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", script],
      log: log,
      silenceLimit: silenceLimit
    ).run(for: Answer.self, isInterrupted: { false })
  }

  @Test("The last line of one that ends well is its answer")
  func answers() throws {
    let line = try CaseProcess.line(of: Answer())
    #expect(line == "{\"answer\":\"yes\",\"cases\":3}\n")
    let outcome = try outcome(of: "echo case 0; echo other; printf '%s' '\(line)'")
    #expect(outcome.answer == Answer() && outcome.lastCase == CaseMark(index: 0))
  }

  @Test("One that dies has told in which case")
  func dies() throws {
    let outcome = try outcome(of: "echo case 3; echo case 4 0.5; echo words; kill -s ABRT $$")
    #expect(outcome.answer == nil && outcome.end == .signalled(SIGABRT))
    #expect(outcome.lastCase == CaseMark(index: 4, seconds: 0.5))
    #expect(outcome.explanation == "signal 6 ended the process")
    #expect(outcome.lines.last == "words")
  }

  @Test("What looks like an answer is none of a process that fails, and an answer has a form")
  func fails() throws {
    let failed = try outcome(of: "printf '%s' '\(CaseProcess.line(of: Answer()))'; exit 3")
    #expect(failed.answer == nil && failed.explanation == "the process ended with status 3")
    let other = try outcome(of: "echo case 9; echo '{}'")
    #expect(other.answer == nil && other.end == .exited(0))
  }

  @Test("One that is silent for too long hangs")
  func hangs() throws {
    let outcome = try outcome(of: "exec sleep 100", silenceLimit: 0.5)
    #expect(outcome.answer == nil && outcome.end == .timedOut)
  }
}

@Suite("Marks of cases")
struct CaseMarkTests {
  @Test("A mark is read back as it was printed")
  func roundTrip() {
    let marks = [
      CaseMark(index: 0), CaseMark(index: 12, seconds: 0.25), CaseMark(index: 7, seconds: 1e-9),
    ]
    for mark in marks { #expect(CaseMark("\(mark)") == mark) }
    #expect("\(marks[0])" == "case 0" && "\(marks[1])" == "case 12 0.25")
  }

  @Test(
    "A line of another kind is no mark",
    arguments: [
      "", "case", "case ", "case -1", "case x", "case 1 x", "case 1 2 3", "cases 1", " case 1",
      "case 1 ", "case  1", "case 9223372036854775807",
    ]
  )
  func others(_ line: String) {
    #expect(CaseMark(line) == nil)
  }
}
