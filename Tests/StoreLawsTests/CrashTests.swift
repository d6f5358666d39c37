import FaultInjection
import FileSystems
import PropertyEngine
import StoreLaws
import StoreSubjects
import Testing

/// Crashes at every call of a run, one after the other.
@Suite("Crashes everywhere")
struct CrashTests {
  /// A run of so many steps.
  static func sample(_ seed: Seed, steps: Int, _ level: StoreLevel = .data) -> StoreSample {
    var choices = Choices(seed: seed)
    let shape = StoreSample.Shape {
      $0.steps = steps...steps
      $0.levels = [level]
    }
    return StoreSample.drawn(shape, &choices)
  }

  /// Losses of each model: nothing, everything, and some halves.
  static let losses: [PowerLoss] = CrashModel.allCases.flatMap { model in
    [PowerLoss(model)]
      + (model == .process
        ? []
        : [PowerLoss(model, lost: Array(0...40))] + (1...3).map { PowerLoss(model, pattern: $0) })
  }

  @Test(
    "AS-37 one state: at every call of 50 steps, whatever is lost, one state and nothing acknowledged gone",
    arguments: [StoreLevel.data, .process, .full, .memory]
  )
  func everywhere(_ level: StoreLevel) throws {
    let sample = Self.sample(11, steps: 50, level)
    let (points, difference) = try StoreLaw.crashEverywhere(
      LocalStoreSubject(),
      sample,
      Self.losses
    )
    #expect(difference == nil, "\(String(describing: difference))")
    #expect(points > 1000)
  }

  @Test("A store that does not synchronise the folder is caught on the way")
  func catches() throws {
    let (_, difference) = try StoreLaw.crashEverywhere(
      StoreDefect.noFolderSync.subject,
      Self.sample(11, steps: 10),
      Self.losses
    )
    #expect(difference != nil)
  }
}
