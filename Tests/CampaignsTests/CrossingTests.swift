import DocumentLaws
import DocumentModel
import Histories
import Reporting
import Subjects
import Testing

@testable import Campaigns

/// The law that each side loads what the other saved, on engines whose files are wrong.
@Suite("Saved documents that cross over")
struct CrossingTests {
  /// The engine, with its saved documents changed.
  private static func engine(
    _ id: String,
    saving change: @escaping @Sendable ([UInt8]) throws -> [UInt8] = { $0 }
  ) -> ScriptedSubject {
    var subject = ScriptedSubject(id) { _, program in
      var transcript = Interpreter<EngineReplica>.run(program)
      for index in transcript.outcomes.indices {
        guard case .saved(let bytes?) = transcript.outcomes[index] else { continue }
        transcript.outcomes[index] = .saved(try change(bytes))
      }
      return transcript
    }
    subject.capabilities.features.remove(.effects)
    return subject
  }

  private func judged(_ subject: ScriptedSubject, oracle: ScriptedSubject) -> Report {
    let lane = Lane(subject, oracle: oracle, laws: laws("agreement.saved-bytes"))
    return report(configuration([lane], cases: 6))
  }

  @Test("Two engines that write the same bytes read each other")
  func held() throws {
    let report = judged(Self.engine("left"), oracle: Self.engine("right"))
    #expect(report.outcome.word == .held, "\(report.outcome.reasons)")
    let cell = try #require(report.cells.first { $0.law == "agreement.saved-bytes" })
    #expect(cell.held == 6)
  }

  @Test("Bytes that one side alone reads are a violation, of either writer", arguments: [0, 1])
  func refused(_ side: Int) {
    let broken = Self.engine("broken") { $0 + [0] }
    let right = Self.engine("right")
    let report =
      side == 0 ? judged(broken, oracle: right) : judged(right, oracle: broken)
    #expect(report.failures.map(\.law) == ["agreement.saved-bytes"])
    #expect(report.failures.map(\.differenceKind) == ["bytes refused"])
  }

  @Test("A file that lacks what was shown is a violation")
  func lacking() throws {
    let forgetful = Self.engine("forgetful") { _ in
      var empty = EngineReplica(actor: History.actor(0))
      return empty.save()
    }
    let report = judged(forgetful, oracle: Self.engine("right"))
    #expect(Set(report.failures.map(\.law)) == ["agreement.saved-bytes"])
    #expect(report.failures.first?.kind == .violated)
  }

  @Test("A file may be a hundredth larger than the other side's, and no more")
  func size() throws {
    let wordy = Self.engine("wordy") { bytes in
      var document = try EngineReplica.load(bytes, actor: History.actor(0))
      return document.changes(since: []).flatMap(\.self)
    }
    let report = judged(Self.engine("terse"), oracle: wordy)
    #expect(report.failures.map(\.differenceKind) == ["size"])
  }
}
