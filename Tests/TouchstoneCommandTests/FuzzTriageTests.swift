import Foundation
import FuzzEntryPoints
import PropertyEngine
import Synchronization
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("Judging what a fuzzer complained of")
struct FuzzTriageTests {
  /// Says that the user has had enough from the question of this number on.
  private final class Patience: Sendable {
    private let rest: Mutex<Int>

    init(_ count: Int) { rest = Mutex(count) }

    var isOver: Bool {
      rest.withLock { rest in
        rest -= 1
        return rest < 0
      }
    }
  }

  /// `false` in place of this program judges no input: its end alone says that one fails.
  @Test(
    "A run that is interrupted while an input is judged leaves the input and no finding",
    arguments: [(patience: 0, isFound: false), (1, false), (Int.max, true)]
  )
  func interrupted(patience: Int, isFound: Bool) throws {
    try withFolder { folder in
      let artifact = folder.appendingPathComponent("crash-1")
      try Data([1]).write(to: artifact)
      let patience = Patience(patience)
      let lines = Mutex<[String]>([])
      let target = try #require(FuzzTarget.all.first { $0.boundary != nil })
      let source = try CloneFuzzSource(
        [target],
        subject: nil,
        build: FuzzBuild(package: folder, sanitizer: .none),
        touchstone: URL(fileURLWithPath: "/usr/bin/false"),
        folder: folder,
        isInterrupted: { patience.isOver },
        say: { line in lines.withLock { $0.append(line) } }
      )
      let judged = try source.judge(artifact, of: 0, log: artifact) { _ in false }
      #expect(judged?.map(\.finding.key.kind) == (isFound ? ["exit"] : []))
      let kept = folder.appendingPathComponent("Fuzz/.build/crashes/\(target.id)/crash-1")
      #expect(try Data(contentsOf: kept) == Data([1]))
      let said = "\(target.id): interrupted before an input that failed was judged: \(kept.path)"
      #expect(lines.withLock { $0.contains(said) } == !isFound)
    }
  }
}
