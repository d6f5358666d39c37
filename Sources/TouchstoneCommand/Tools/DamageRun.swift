import Campaigns
import DocumentLaws
import DocumentModel
import Foundation
import PropertyEngine
import SelfTests
import Subjects
import Synchronization

/// Damaged documents by the million, in processes of their own: a trap ends one, and is counted.
///
/// Half of them are damaged as they are, half under a right checksum. The wounds are those of the
/// workload W7 and more: see ``DocumentLaws/DamagedBytes``.
struct DamageRun: Sendable {
  private let program: URL
  private let seed: Seed
  private let count: Int
  private let jobs: Int

  /// Documents of one process: what is lost when one traps.
  private static let batch = 50_000

  init(program: URL, seed: UInt64, count: Int, jobs: Int) {
    self.program = program
    self.seed = Seed(value: seed)
    self.count = count
    self.jobs = jobs
  }

  /// What came of some documents.
  struct Tally: Codable, Hashable, Sendable {
    var documents = 0
    var accepted = 0
    var refused = 0
    /// Processes that trapped, hung or failed, each with the case it was at.
    var traps: [String] = []
    /// Laws that were broken, each with the first case that broke it.
    var violations: [String] = []
    /// The most steps that any document cost, as a part of what is stated, in thousandths.
    var workPermille = 0

    init() {}

    mutating func add(_ other: Tally) {
      documents += other.documents
      accepted += other.accepted
      refused += other.refused
      traps += other.traps
      violations += other.violations
      workPermille = max(workPermille, other.workPermille)
    }
  }

  /// Runs all batches; `onBatch` hears the total so far.
  func run(onBatch: @escaping @Sendable (Tally) -> Void) -> Tally {
    let batches = (count + Self.batch - 1) / Self.batch
    let total = SharedTally()
    let parts = inParallel(batches, jobs: jobs) { index in
      let start = index * Self.batch
      let part = process(start..<min(count, start + Self.batch))
      onBatch(total.adding(part))
      return part
    }
    return parts.reduce(into: Tally()) { $0.add($1) }
  }

  private func process(_ range: Range<Int>) -> Tally {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-damage-\(ProcessInfo.processInfo.processIdentifier)")
    let log = folder.appendingPathComponent("\(range.lowerBound).log")
    defer { try? FileManager.default.removeItem(at: log) }
    var tally = Tally()
    do {
      let end = try Subprogram.run(
        program,
        [
          "damage", "--from", "\(range.lowerBound)", "--count", "\(range.count)",
          "--seed", "\(seed)", "--worker",
        ],
        environment: ["SWIFT_BACKTRACE": "enable=no"],
        output: log,
        secondsLimit: 7200
      )
      let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
      if case .exited(0) = end, let last = lines.last,
        let found = try? JSONDecoder().decode(Tally.self, from: Data(last.utf8))
      {
        return found
      }
      tally.documents = range.count
      tally.traps = ["\(end), at \(lines.last ?? "the start")"]
    } catch {
      tally.traps = ["\(error)"]
    }
    return tally
  }

  /// Judges the documents of a range in this process; `onCase` hears the number of each hundredth.
  static func work(
    _ range: Range<Int>,
    seed: UInt64,
    onCase: (Int) -> Void
  ) -> Tally {
    let generators = [0, 100].map {
      DamagedBytes.samples(of: TinyDocuments.all, sealedPercent: $0)
    }
    var tally = Tally()
    for index in range {
      onCase(index)
      var choices = Choices(seed: Seed(value: seed).stream(UInt64(index)))
      let sample = generators[index % 2].draw(&choices)
      tally.documents += 1
      judge(sample.bytes, index, &tally)
    }
    return tally
  }

  private static func judge(_ bytes: [UInt8], _ index: Int, _ tally: inout Tally) {
    var work = 0
    do {
      if var document = try? EngineReplica.load(bytes, actor: reader, work: &work) {
        tally.accepted += 1
        if let broken = try DamageLaws<EngineReplica>.soundness(of: &document) {
          tally.violations.append("case \(index): \(broken.summary)")
        }
      } else {
        tally.refused += 1
      }
    } catch {
      tally.violations.append("case \(index): \(error)")
    }
    let limit = EngineReplica.workLimit(forByteCount: bytes.count)
    tally.workPermille = max(tally.workPermille, work * 1000 / limit)
    if work > limit { tally.violations.append("case \(index): \(work) steps") }
  }

  private static var reader: ActorID { ActorID(repeating: 0xdd) }
}

/// A total that several threads add to.
private final class SharedTally: Sendable {
  private let total = Mutex(DamageRun.Tally())

  func adding(_ part: DamageRun.Tally) -> DamageRun.Tally {
    total.withLock {
      $0.add(part)
      return $0
    }
  }
}
