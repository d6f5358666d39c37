import Foundation
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("What libFuzzer prints")
struct FuzzLogTests {
  @Test("The figures of the last line count")
  func reads() {
    let log = FuzzLog(
      """
      INFO: Seed: 1
      #2\tINITED cov: 10 ft: 11 corp: 1/1b exec/s: 0 rss: 40Mb
      #1024\tpulse  cov: 56 ft: 78 corp: 9/120b lim: 256 exec/s: 512 rss: 44Mb
      #2000\tDONE   cov: 57 ft: 80 corp: 10/130b lim: 256 exec/s: 512 rss: 44Mb
      stat::number_of_executed_units: 2001
      stat::peak_rss_mb:              45
      """
    ).result
    #expect(log.executions == 2001)
    #expect(log.edges == 57)
    #expect(log.features == 80)
    #expect(log.peakMebibytes == 45)
  }

  @Test("A run that goes on after failures has other lines")
  func readsForks() {
    let log = FuzzLog(
      """
      #12: cov: 14 ft: 15 corp: 3 exec/s 6 oom/timeout/crash: 0/0/1 time: 2s job: 1 dft_time: 0
      #345: cov: 24 ft: 35 corp: 13 exec/s 60 oom/timeout/crash: 0/1/4 time: 5s job: 2 dft_time: 0
      SUMMARY: AddressSanitizer: heap-buffer-overflow in read
      """
    )
    #expect(log.result.executions == 345)
    #expect(log.result.edges == 24)
    #expect(log.summary == "AddressSanitizer: heap-buffer-overflow in read")
  }

  @Test(
    "Nothing is made of other text",
    arguments: ["", "#", "#x cov: 1", "cov: 3", "stat::x: y z"]
  )
  func ignores(_ text: String) {
    #expect(FuzzLog(text).result.executions == 0)
    #expect(FuzzLog(text).summary == nil)
  }
}

@Suite("How a fuzzer's time is divided")
struct FuzzScheduleTests {
  @Test("Each target goes once before any goes twice")
  func firstRound() {
    var schedule = FuzzSchedule(targetCount: 3)
    var order: [Int] = []
    for features in [10, 20, 30] {
      guard let target = schedule.next() else { break }
      order.append(target)
      schedule.ended(target, seconds: 1, features: features)
    }
    #expect(order == [0, 1, 2])
  }

  @Test("What finds most a second has most of the time, and none is forgotten")
  func divides() {
    var schedule = FuzzSchedule(targetCount: 3)
    var counts = [0, 0, 0]
    var features = [0, 0, 0]
    for _ in 0..<100 {
      guard let target = schedule.next() else { break }
      counts[target] += 1
      features[target] += target == 1 ? 50 : counts[target] == 1 ? 5 : 0
      schedule.ended(target, seconds: 1, features: features[target])
    }
    #expect(counts.reduce(0, +) == 100)
    #expect(counts[1] > 70)
    #expect(counts[0] >= 5 && counts[2] >= 5)
  }

  @Test("Two at once take different targets")
  func atOnce() {
    var schedule = FuzzSchedule(targetCount: 2)
    let pair = [schedule.next(), schedule.next()]
    #expect(Set(pair) == [0, 1])
  }
}

@Suite("The command fuzz")
struct FuzzCommandTests {
  @Test("A folder without the nested package is no clone")
  func needsClone() throws {
    try withFolder { folder in
      let build = FuzzBuild(package: folder, sanitizer: .address)
      #expect(throws: FuzzBuildError.noPackage(folder.path)) {
        try build.build(isInterrupted: { false })
      }
    }
  }
}
