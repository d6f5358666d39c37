import Testing

@testable import ForeignSubjects

@Suite("How long an answer is waited for")
struct PatienceTests {
  private let start = SuspendingClock.now

  private func patience() -> Patience {
    Patience(milliseconds: 1000, lookMilliseconds: 100, now: start)
  }

  @Test("Looks use it up, however short they are")
  func looks() {
    var patience = patience()
    for look in 1...3999 {
      #expect(!patience.isOver)
      patience.spend(until: start.advanced(by: .microseconds(250 * look)))
    }
    #expect(patience.nextLook == 1)
    patience.spend(until: start.advanced(by: .microseconds(1_000_000)))
    #expect(patience.isOver)
  }

  @Test("The last look is as short as what is left")
  func last() {
    var patience = patience()
    #expect(patience.nextLook == 100)
    for look in 1...19 { patience.spend(until: start.advanced(by: .milliseconds(50 * look))) }
    #expect(patience.nextLook == 50)
  }

  @Test("Hours in which the run was stopped count as two looks")
  func stopped() {
    var patience = patience()
    for hour in 1...4 {
      patience.spend(until: start.advanced(by: .seconds(3600 * hour)))
      #expect(!patience.isOver)
    }
    patience.spend(until: start.advanced(by: .seconds(3600 * 5)))
    #expect(patience.isOver)
  }
}
