import DocumentModel
import Testing

@testable import NaiveModel

@Suite("Sync of the specification")
struct NaiveSyncTests {
  private typealias Model = NaiveModel<AutomergeRules>

  private func model(_ actor: UInt8, writes count: Int) throws -> Model {
    var model = Model(actor: ActorID(repeating: actor))
    for number in 0..<count {
      _ = try model.apply(.put(.root, .key(ExactString("k\(number)")), .int(Int64(actor))))
      model.commit()
    }
    return model
  }

  @Test("Each change is sent once, and then nothing is said")
  func once() throws {
    var (left, right) = (try model(1, writes: 3), try model(2, writes: 2))
    #expect(try Model.sync(&left, &right, []) == SyncReport(rounds: 2, repeats: 0))
    #expect(left.heads() == right.heads())
    #expect(left.history.count == 5)
    #expect(try Model.sync(&left, &right, []) == SyncReport(rounds: 1, repeats: 0))
  }

  @Test("Whatever happens to one message, both end with all changes", arguments: SyncFate.allCases)
  func fates(_ fate: SyncFate) throws {
    for place in 0..<6 {
      var (left, right) = (try model(1, writes: 3), try model(2, writes: 2))
      var fates = [SyncFate](repeating: .deliver, count: 6)
      fates[place] = fate
      let report = try Model.sync(&left, &right, fates)
      #expect(left.heads() == right.heads() && left.history.count == 5)
      #expect(report.repeats == 0 && report.rounds <= 3)
    }
  }

  @Test("A change that waits for a lost one keeps nothing else from arriving")
  func waiting() throws {
    let lost = try model(7, writes: 2).history
    var (left, right) = (try model(1, writes: 1), try model(2, writes: 1))
    try left.apply([lost[1]])
    _ = try Model.sync(&left, &right, [])
    #expect(left.heads() == right.heads() && left.history.count == 2)
    try right.apply([lost[0]])
    _ = try Model.sync(&left, &right, [])
    #expect(left.heads() == right.heads() && left.history.count == 4)
  }

  @Test("Two sides that went back to what they had before a session come to all changes again")
  func backups() throws {
    let lost = try model(7, writes: 2).history
    var first = try model(1, writes: 0)
    var second = try model(2, writes: 0)
    // The head of both, after a session, is a change that neither has before: on the left it waits.
    try first.apply([lost[1]])
    try second.apply([lost[0]])
    var (left, right) = (first, second)
    var (leftPeer, rightPeer) = (Model.newPeer(), Model.newPeer())
    func talk() throws {
      for _ in 0...SyncReport.roundLimit {
        let said = left.message(for: &leftPeer)
        if let said { try right.receive(said, from: &rightPeer) }
        let answered = right.message(for: &rightPeer)
        if let answered { try left.receive(answered, from: &leftPeer) }
        if said == nil && answered == nil { return }
      }
      Issue.record("the session does not end")
    }
    try talk()
    #expect(left.heads() == right.heads() && left.history.count == 2)
    (left, right) = (first, second)
    (leftPeer, rightPeer) = (Model.restored(leftPeer), Model.restored(rightPeer))
    try talk()
    #expect(left.heads() == right.heads() && left.history.count == 2)
  }

  /// Forms 1 and 3 of an impostor wait for a change that no peer has; the others wait for the change they imitate.
  @Test("An impostor that waits keeps no session from its end", arguments: 0..<6)
  func impostors(_ pick: Int) throws {
    for (mine, theirs) in [(1, 1), (2, 12)] {
      for fates in [[], [.restart], [.restart, .restart], [.deliver, .restart]] as [[SyncFate]] {
        var (left, right) = (try model(1, writes: mine), try model(2, writes: theirs))
        _ = left.hear(Attack(.impostor, knowing: 1, pick: pick), from: &right)
        _ = try Model.sync(&left, &right, fates)
        #expect(left.heads() == right.heads() && left.history.count == mine + theirs)
      }
    }
  }

  @Test("A gap before a waiting change costs no rounds, whichever side starts again")
  func gapBehindReset() throws {
    let author = try model(2, writes: 12)
    for isWaitingFirst in [true, false] {
      for fates in [[], [.restart], [.deliver, .restart]] as [[SyncFate]] {
        var waiting = try model(1, writes: 1)
        try waiting.apply([author.history[11]])
        var (left, right) = isWaitingFirst ? (waiting, author) : (author, waiting)
        _ = try Model.sync(&left, &right, fates)
        #expect(left.heads() == right.heads() && left.history.count == 13)
      }
    }
  }

  @Test("Replicas that do not sync say so, and a session without end is an error")
  func failures() {
    #expect("\(SyncFailure.unsupported)" == "this kind of document does not sync")
    #expect("\(SyncFailure.endless(rounds: 9))" == "the sync does not end within 9 rounds")
    let text = "a side that lost what it had is not sent everything again"
    #expect("\(SyncFailure.unrecovered)" == text)
  }
}
