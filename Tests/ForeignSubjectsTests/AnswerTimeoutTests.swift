import Testing

@testable import ForeignSubjects

@Suite("How long an answer is waited for")
struct AnswerTimeoutTests {
  private let start = SuspendingClock.now

  private func timeout() -> AnswerTimeout {
    AnswerTimeout(milliseconds: 1000, lookMilliseconds: 100, now: start)
  }

  @Test("Looks use it up, however short they are")
  func looks() {
    var timeout = timeout()
    for look in 1...3999 {
      #expect(!timeout.isOver)
      timeout.spend(until: start.advanced(by: .microseconds(250 * look)))
    }
    #expect(timeout.nextLook == 1)
    timeout.spend(until: start.advanced(by: .microseconds(1_000_000)))
    #expect(timeout.isOver)
  }

  @Test("The last look is as short as what is left")
  func last() {
    var timeout = timeout()
    #expect(timeout.nextLook == 100)
    for look in 1...19 { timeout.spend(until: start.advanced(by: .milliseconds(50 * look))) }
    #expect(timeout.nextLook == 50)
  }

  @Test("Hours in which the run was stopped count as two looks")
  func stopped() {
    var timeout = timeout()
    for hour in 1...4 {
      timeout.spend(until: start.advanced(by: .seconds(3600 * hour)))
      #expect(!timeout.isOver)
    }
    timeout.spend(until: start.advanced(by: .seconds(3600 * 5)))
    #expect(timeout.isOver)
  }

  @Test("A worker that is silent is told as that, and not as one that worked for too long")
  func silentWorker() {
    #expect(WorkerProcess.reason(.timedOut(milliseconds: 600_000)) == .silent(seconds: 600))
    #expect(WorkerProcess.reason(.slept(seconds: 10)) == .slept(seconds: 10))
    #expect(WorkerProcess.reason(.crashed(signal: 27)) == .hung)
  }
}
