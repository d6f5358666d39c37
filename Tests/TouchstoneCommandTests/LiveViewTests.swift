import Campaigns
import Testing

@testable import TouchstoneCommand

@Suite("The live view")
struct LiveViewTests {
  private var progress: CampaignProgress {
    var naive = CampaignProgress.Row(subject: "naive", oracle: nil, laws: 22)
    naive.cases = 1204
    naive.seconds = 3
    var engine = CampaignProgress.Row(subject: "engine", oracle: nil, laws: 22)
    engine.cases = 880
    engine.seconds = 4
    engine.violatedLaws = 1
    engine.failures = 2
    let foreign = CampaignProgress.Row(subject: "automerge", oracle: "engine", laws: 1)
    var progress = CampaignProgress(rows: [naive, engine, foreign])
    progress.active = 1
    progress.seconds = 7
    progress.fraction = 0.25
    progress.shrinking = CampaignProgress.Shrinking(
      law: "merge.commutes",
      subject: "engine",
      choices: 34,
      of: 120
    )
    return progress
  }

  @Test("A terminal shows subjects, laws, speed, what is being shrunk, and the time left")
  func lines() {
    #expect(
      LiveView(progress).lines(columns: 96) == [
        "▕██████                  ▏ 25 %  21 s left  2,084 cases  298/s  3 failures",
        "  naive                     1,204 cases  401/s  no law violated",
        "▸ engine                      880 cases  220/s  1 of 22 laws violated",
        "  automerge against engine      0 cases  waits",
        "  shrinking merge.commutes on engine: 34 of 120 choices left",
      ]
    )
  }

  @Test("The first case is one case, and says of no law that it holds")
  func oneCase() {
    var first = CampaignProgress.Row(subject: "naive", oracle: nil, laws: 44)
    first.cases = 1
    first.seconds = 0.5
    let waiting = CampaignProgress.Row(subject: "engine", oracle: nil, laws: 44)
    var progress = CampaignProgress(rows: [first, waiting])
    progress.active = 0
    #expect(
      LiveView(progress).lines(columns: 80).dropFirst() == [
        "▸ naive   1 case   2/s  no law violated",
        "  engine  0 cases  waits",
      ]
    )
  }

  @Test("No line is wider than the terminal", arguments: [1, 20, 40, 80])
  func narrow(columns: Int) {
    for line in LiveView(progress).lines(columns: columns) {
      #expect(line.unicodeScalars.count <= max(1, columns - 1))
    }
  }

  @Test("Of many subjects those about the one at work are shown, and the others counted")
  func many() {
    var progress = CampaignProgress(
      rows: (0..<30).map { CampaignProgress.Row(subject: "s\($0)", oracle: nil, laws: 1) }
    )
    progress.active = 20
    let lines = LiveView(progress).lines(columns: 80)
    #expect(lines.count == 10)
    #expect(lines.contains { $0.hasPrefix("▸ s20") })
    #expect(lines.last == "  and 22 more subjects")
  }

  @Test("A log gets one line")
  func log() {
    #expect(
      LiveView(progress).line
        == "25 %  2,084 cases  298/s  engine  3 failures  "
        + "shrinking merge.commutes on engine: 34 of 120 choices left  21 s left"
    )
    var hostile = progress
    hostile.rows[1].subject = "a\u{1b}[2Jb"
    #expect(LiveView(hostile).line.contains("a\\u{1B}[2Jb"))
  }
}
