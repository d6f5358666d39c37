import Campaigns
import DocumentLaws
import DocumentModel
import ForeignSubjects
package import Histories
import PropertyEngine
import Subjects
import Synchronization

extension Boundary {
  /// What reads an adapter's answer to a program of `count` instructions.
  package typealias AnswerReading =
    @Sendable (_ line: [UInt8], _ number: Int, _ count: Int) throws -> Transcript

  /// Bytes are what an adapter answers when it is started, and when it is given a program.
  package static func adapter(
    reading read: @escaping AnswerReading = {
      try LineProtocol.transcript($0, number: $1, count: $2)
    }
  ) -> Boundary {
    Boundary(
      "adapter",
      "What an adapter answers to a program; all laws of documents judge it.",
      on: "any-answers",
      rule:
        "A line is refused with an error in words, or is an answer for each instruction that is "
        + "written again as it was read. All laws come to a verdict on it.",
      byteLimit: 65536,
      notation: .text(words: words),
      entrance: Entrance(
        isPassed: { (try? LineProtocol.transcript($0, number: number, count: count)) != nil },
        repaired: { framed($0) }
      ),
      seedSentence: "the right answers to a small program, and an introduction",
      seeds: { try seedsOfAnswers() },
      judge: { line in
        do { _ = try LineProtocol.introduction(line, number: 1) } catch let error
          where !isTyped(error)
        {
          return .untyped(error, expected: "AnswerError")
        } catch {}
        let transcript: Transcript
        do { transcript = try read(line, number, count) } catch let error {
          return isTyped(error) ? nil : .untyped(error, expected: "AnswerError")
        }
        guard transcript.outcomes.count == count else {
          return Difference(
            kind: "count",
            summary: "an answer to another program is taken",
            expected: "\(count) outcomes",
            actual: "\(transcript.outcomes.count)"
          )
        }
        let written = TranscriptWriter.line(transcript, number: number)
        guard (try? read(written, number, count)) == transcript else {
          return Difference(
            kind: "round-trip",
            summary: "an answer is another when written and read"
          )
        }
        return judged(transcript)
      }
    )
  }

  private static func isTyped(_ error: any Error) -> Bool {
    error is AnswerError || error is LineProtocol.OtherRequest || error is LineProtocol.Complaint
      || error is LineProtocol.VersionMismatch
  }

  // MARK: - Judging

  /// The number of the request that is answered, as in a conversation that has just begun.
  private static let number = 2

  private static let history = normalise(
    History(
      base: .objects,
      replicaCount: 2,
      healing: [.merge],
      steps: [
        .edit(replica: 0, .put(.root, .key("k"), .int(1))),
        .edit(replica: 1, .put(.root, .key("k"), .int(2))),
        .exchange(from: 0, to: 1, .merge),
      ]
    )
  )

  private static let laws = DocumentLaw.all.filter {
    if case .any = $0.samples { true } else { false }
  }

  /// Where a transcript makes a law fail instead of coming to a verdict.
  private static func judged(_ transcript: Transcript) -> Difference? {
    let peer = AnyAnswers { program in
      guard program.instructions.count == count else {
        throw SubjectFailure(kind: "garbage", description: "an answer to another program")
      }
      return transcript
    }
    let result = DocumentJudge(peer, oracle: SubjectRegistry.specification).judge(history, laws)
    guard result.verdicts.count == laws.count else {
      return Difference(
        kind: "verdicts",
        summary: "a law comes to no verdict",
        expected: "\(laws.count) verdicts",
        actual: "\(result.verdicts.count)"
      )
    }
    // Right answers break no law, whatever order their members had.
    guard transcript == honest.transcript, let finding = result.findings.first else { return nil }
    return finding.difference.told(as: "right answers break the law \(finding.key.law)")
  }

  /// What the specification answers to the program by which all laws judge the history.
  private static let honest: (transcript: Transcript, count: Int) = {
    let recorded = Mutex<Transcript?>(nil)
    let peer = AnyAnswers { program in
      let transcript = try SubjectRegistry.specification.session().run(program)
      // The first program is the one that all laws share.
      recorded.withLock { $0 = $0 ?? transcript }
      return transcript
    }
    _ = DocumentJudge(peer, oracle: SubjectRegistry.specification).judge(history, laws)
    let transcript = recorded.withLock { $0 } ?? Transcript(outcomes: [])
    return (transcript, transcript.outcomes.count)
  }()

  private static var count: Int { honest.count }

  // MARK: - Seeds

  private static let words = [
    "\"done\"", "\"edited\"", "\"refused\"", "\"failed\"", "\"sent\"", "\"synced\"", "\"cursor\"",
    "\"position\"", "\"patches\"", "\"put\"", "\"insert\"", "\"spliceText\"", "\"increment\"",
    "\"conflict\"", "\"deleteKey\"", "\"deleteRange\"", "\"observed\"", "\"saved\"", "null",
    "map", "list", "text", "length", "id",
    "elements", "marks", "heads", "root", "object", "hidden", "int", "uint", "counter", "bytes",
    "float", "boolean", "timestamp", "string", "unknown",
  ]

  /// An answer with each outcome on a line of its own, which lets wounds move whole outcomes.
  private static func text(_ outcomes: [[UInt8]]) -> [UInt8] {
    Array("{\"n\":\(number),\"ran\":[\n".utf8) + outcomes.joined(separator: [0x2c, 0x0a])
      + Array("\n]}".utf8)
  }

  private static func lines(_ transcript: Transcript) -> [[UInt8]] {
    transcript.outcomes.map { outcome in
      let line = TranscriptWriter.line(Transcript(outcomes: [outcome]), number: 0)
      return Array(line.dropFirst("{\"n\":0,\"ran\":[".utf8.count).dropLast(2))
    }
  }

  private static func seedsOfAnswers() throws -> [Seed] {
    let done = Array(repeating: Array("[\"done\"]".utf8), count: count)
    return [
      Seed("all-done", "a peer that says of everything that it is done", text(done)),
      Seed("right", "what the specification answers", text(lines(honest.transcript))),
    ]
  }

  // MARK: - Entrance

  /// As many outcomes as there are instructions: those lines that are outcomes, and right ones behind them.
  private static func framed(_ bytes: [UInt8]) -> [UInt8] {
    var outcomes: [[UInt8]] = []
    for line in bytes.split(separator: 0x0a).dropFirst() where outcomes.count < count {
      let outcome = Array(line.last == 0x2c ? line.dropLast() : line)
      let alone = Array("{\"n\":0,\"ran\":[".utf8) + outcome + Array("]}".utf8)
      guard (try? LineProtocol.transcript(alone, number: 0, count: 1)) != nil else { continue }
      outcomes.append(outcome)
    }
    if outcomes.count < count { outcomes += lines(honest.transcript).dropFirst(outcomes.count) }
    return text(outcomes)
  }
}

/// A subject that answers whatever it is made to.
private struct AnyAnswers: DocumentSubject {
  let id = "any-answers"
  let version = "1"
  let capabilities = Capabilities.all
  let answer: @Sendable (Program) throws -> Transcript

  func session() throws -> any SubjectSession { Session(answer: answer) }

  private final class Session: SubjectSession {
    let answer: @Sendable (Program) throws -> Transcript

    init(answer: @escaping @Sendable (Program) throws -> Transcript) {
      self.answer = answer
    }

    func run(_ program: Program) throws -> Transcript { try answer(program) }
  }
}
