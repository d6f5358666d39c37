import DocumentLaws
import PropertyEngine

/// Stored files that are damaged, forged, or claim much.
struct DamagedFiles {
  private let tiny = TinyDocuments.all
  /// Files that claim much; each damaged one costs more than other files.
  private let bombs: [Boundary.Seed]

  init() throws {
    bombs = try Boundary.load.seeds()
  }

  /// Half of the damaged files are damaged under a checksum that is made right again.
  func draw(_ choices: inout Choices) -> [UInt8] {
    switch choices.pick(weights: [56, 56, 10, 1]) {
    case 0: DamagedBytes.samples(of: tiny, sealedPercent: 0).draw(&choices).bytes
    case 1: DamagedBytes.samples(of: tiny, sealedPercent: 100).draw(&choices).bytes
    case 2: Forgery.samples.draw(&choices).bytes
    default: Boundary.load.derived(from: bombs, &choices)
    }
  }
}
