import FaultInjection
import FileSystems
import Foundation
import PropertyEngine
import StoreLaws
import StoreSubjects

/// Crash points of runs of 1,000 steps: every call of each run, with a few losses of each model.
enum Points {
  static func run(count: Int, seed: UInt64) throws {
    let start = ProcessInfo.processInfo.systemUptime
    var total = 0
    var runs = 0
    let levels: [StoreLevel] = [.data, .process, .full, .memory]
    let root: Seed = 19
    while total < count {
      let number = seed &+ UInt64(runs)
      var choices = Choices(seed: root.stream(number))
      let level = levels[runs % levels.count]
      let shape = StoreSample.Shape {
        $0.steps = 1000...1000
        $0.levels = [level]
      }
      let sample = StoreSample.drawn(shape, &choices)
      let losses = CrashModel.allCases.map { model in
        PowerLoss(model, lost: [runs % 5], pattern: model == .process ? 0 : 1 + runs % 250)
      }
      let (points, difference) = try StoreLaw.crashEverywhere(LocalStoreSubject(), sample, losses)
      total += points
      runs += 1
      if let difference {
        print("run \(number): \(difference)")
        exit(1)
      }
    }
    let seconds = Int(ProcessInfo.processInfo.systemUptime - start)
    print("\(total) crash points of \(runs) runs of 1000 steps in \(seconds) s: none failed")
  }
}
