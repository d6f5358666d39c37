import Foundation
import PropertyEngine
import StoreLaws
import StoreSubjects

/// Faults of each class at every place of runs of 50 steps, and at some places of runs of 1,000.
enum Points {
  /// Prints a line a class; ends the process at the first place where something is lost.
  ///
  /// `count` is of the long runs of each class, and `seed` the number of the first run.
  static func run(count: Int, seed: UInt64) throws {
    print("class of fault | every place of 4 runs of 50 steps | places of runs of 1000 steps | s")
    var total = 0
    for fault in FaultClass.all {
      let start = ProcessInfo.processInfo.systemUptime
      let levels: [StoreLevel] = [.data, .process, .full, .memory]
      var (short, long) = (0, 0)
      for (index, level) in levels.enumerated() {
        short += try places(fault, steps: 50, level, seed &+ UInt64(index))
      }
      var runs = 0
      while long < count {
        let level = levels[runs % levels.count]
        // A part for each run: what differs between runs matters more than the next place of one.
        let part = min(count - long, max(1, count / 12))
        long += try places(fault, steps: 1000, level, seed &+ UInt64(runs), limit: part, run: runs)
        runs += 1
      }
      let seconds = Int(ProcessInfo.processInfo.systemUptime - start)
      print("\(fault) | \(short) | \(long > 0 ? "\(long)" : "-") | \(seconds)")
      fflush(nil)
      total += short + long
    }
    print("\(total) places: none failed")
  }

  private static func places(
    _ fault: FaultClass,
    steps: Int,
    _ level: StoreLevel,
    _ number: UInt64,
    limit: Int = .max,
    run: Int? = nil
  ) throws -> Int {
    let root: Seed = 19
    var choices = Choices(seed: root.stream(number))
    let shape = StoreSample.Shape {
      $0.steps = steps...steps
      $0.levels = [level]
    }
    let sample = StoreSample.drawn(shape, &choices)
    let subject = LocalStoreSubject()
    let (places, difference) =
      if let run {
        try fault.tryAlong(subject, sample, limit: limit, from: run)
      } else {
        try fault.tryEverywhere(subject, sample)
      }
    if let difference {
      print("\(fault), run \(number) of \(steps) steps at level \(level): \(difference)")
      exit(1)
    }
    return places
  }
}
