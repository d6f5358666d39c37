import FaultInjection
import FileSystems
import PropertyEngine
import StoreLaws
import StoreSubjects
import Testing

/// Faults at every place of a run, one after the other.
@Suite("Faults everywhere")
struct FaultClassTests {
  /// A run of `steps` steps.
  private static func sample(_ seed: Seed, steps: Int, _ level: StoreLevel = .data) -> StoreSample {
    var choices = Choices(seed: seed)
    let shape = StoreSample.Shape {
      $0.steps = steps...steps
      $0.levels = [level]
    }
    return StoreSample.drawn(shape, &choices)
  }

  @Test(
    "AS-37 one state: at every call of 50 steps, whatever is lost, one state and nothing acknowledged gone",
    arguments: [StoreLevel.data, .process, .full, .memory]
  )
  func crashes(_ level: StoreLevel) throws {
    for model in CrashModel.allCases {
      let (places, difference) = try FaultClass.crash(model)
        .tryEverywhere(LocalStoreSubject(), Self.sample(11, steps: 50, level))
      #expect(difference == nil, "\(model): \(String(describing: difference))")
      #expect(places > 100)
    }
  }

  @Test("Nothing else that goes wrong changes or loses anything", arguments: FaultClass.all)
  func others(_ fault: FaultClass) throws {
    let (places, difference) = try fault.tryEverywhere(
      LocalStoreSubject(),
      Self.sample(12, steps: 12),
      limit: 400
    )
    #expect(difference == nil, "\(String(describing: difference))")
    #expect(places > 20)
  }

  @Test(
    "A walk finds the store that is wrong in its class",
    arguments: [
      (FaultClass.crash(.process), StoreDefect.reportsClosed),
      (.crash(.adversarial), .noFolderSync), (.refusal(.noSpace), .memoryFirst),
      (.shortTransfers, .restartsShortWrites), (.flippedBit, .noChecksum),
    ]
  )
  func catches(_ fault: FaultClass, _ defect: StoreDefect) throws {
    let (places, difference) = try fault.tryEverywhere(defect.subject, Self.sample(11, steps: 10))
    #expect(difference != nil, "\(places) places")
  }

  @Test(
    "A long run goes on after each fault, and nothing is changed or lost",
    arguments: FaultClass.all
  )
  func along(_ fault: FaultClass) throws {
    for (number, level) in [StoreLevel.data, .process, .full, .memory].enumerated() {
      let (places, difference) = try fault.tryAlong(
        LocalStoreSubject(),
        Self.sample(13, steps: 150, level),
        limit: 60,
        from: number
      )
      #expect(difference == nil, "\(level): \(String(describing: difference))")
      #expect(places > (level == .memory ? 0 : 20))
    }
  }

  @Test(
    "A long run finds the store that is wrong in its class",
    arguments: [
      (FaultClass.crash(.adversarial), StoreDefect.noFolderSync),
      (.refusal(.noSpace), .memoryFirst),
      (.refusal(.inputOutput), .memoryFirst), (.shortTransfers, .restartsShortWrites),
      (.flippedBit, .noChecksum),
    ]
  )
  func catchesAlong(_ fault: FaultClass, _ defect: StoreDefect) throws {
    let (places, difference) = try fault.tryAlong(
      defect.subject,
      Self.sample(11, steps: 60),
      limit: 2000,
      from: 0
    )
    #expect(difference != nil, "\(places) places")
  }
}
