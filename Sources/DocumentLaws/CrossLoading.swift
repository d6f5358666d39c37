// The law `agreement.saved-bytes` in three steps, which its caller joins
// (`Campaigns/DocumentJudge.swift`):
//
// 1. `init` asks, in the plan, each replica to be saved and shown after healing.
// 2. `visit(to:)` makes a second program out of one side's answers; the other side runs it.
// 3. `difference` compares what that side found; `excess` compares sizes.

import DocumentModel
package import Histories
package import PropertyEngine

/// Saved documents that cross over: one side loads what the other saved.
///
/// Each side saves and shows its replicas after healing. Then each runs one more program, in which it
/// opens the other's bytes and shows what it finds. An engine's file may be a hundredth larger than
/// that of the implementation that it is compared with.
///
///     subject   save r0 -> bytes -------> oracle    opens them and shows r0
///     oracle    save r0 -> bytes -------> subject   opens them and shows r0
package struct CrossLoading: Sendable {
  private let replicas: [(save: Question, shown: Question)]

  init(_ plan: inout Plan) {
    replicas = (0..<plan.replicaCount).map { replica in
      let save = plan.ask(.save(document: replica, slot: plan.scratchSlot()), .converged)
      return (save, plan.observe(replica, .converged))
    }
  }

  /// What one side saved, and how the other opens it.
  package struct Visit: Sendable {
    package var program = Program()
    fileprivate var expected: [Observation] = []
  }

  /// The visit of the side that reads what `answers` saved; `nil` if nothing was saved in bytes.
  ///
  /// A visit has two instructions for each replica that was saved: `open` at 2n and `observe` at
  /// 2n + 1. Replicas are left out that were not saved in bytes, or whose heads are not Automerge's
  /// hashes: the others could not read them.
  package func visit(to answers: Answers) -> Visit? {
    var visit = Visit()
    for (save, shown) in replicas {
      guard case .saved(let bytes?) = answers.outcome(save),
        let state = answers.observation(shown), state.heads?.scheme == "automerge"
      else { continue }
      // Documents of a visit are numbered by what was saved, not by replicas.
      let document = visit.expected.count
      visit.program.instructions += [
        .open(document: document, bytes, Plan.scratchActor), .observe(document: document),
      ]
      visit.expected.append(state)
    }
    return visit.expected.isEmpty ? nil : visit
  }

  /// Where a visitor did not find what was saved.
  package func difference(
    _ transcript: Transcript,
    in visit: Visit,
    by visitor: Difference.Side.Party
  ) -> Difference? {
    let host: Difference.Side.Party = visitor == .subject ? .oracle : .subject
    for (index, expected) in visit.expected.enumerated() {
      guard transcript.outcomes.indices.contains(2 * index + 1) else { return nil }
      if case .failed(let reason) = transcript.outcomes[2 * index] {
        return Difference(
          kind: "bytes refused",
          summary: "what one side saved is refused by the other",
          expected: "a document",
          actual: reason
        ).between(
          Difference.Side("r\(index) after healing, saved", party: host, state: expected.lines),
          Difference.Side("what it loads of that", party: visitor)
        )
      }
      if case .observed(let state) = transcript.outcomes[2 * index + 1],
        let difference = state.difference(from: expected)
      {
        return difference.between(
          Difference.Side("r\(index) after healing, saved", party: host, state: expected.lines),
          Difference.Side("what it loads of that", party: visitor, state: state.lines)
        )
      }
    }
    return nil
  }

  /// Where the oracle's file is more than a hundredth larger than the subject's of the same state.
  ///
  /// Catches an encoder that is right and wasteful: runs cut short, columns that are never empty,
  /// nothing deflated.
  ///
  /// Only equal heads are compared, since other changes have other bytes. A hundredth is let pass
  /// because two right encoders may order changes, and deflate, in two ways.
  package func excess(_ subject: Answers, _ oracle: Answers) -> Difference? {
    for (save, shown) in replicas {
      guard case .saved(let theirs?) = subject.outcome(save),
        case .saved(let ours?) = oracle.outcome(save),
        let heads = subject.observation(shown)?.heads,
        heads == oracle.observation(shown)?.heads
      else { continue }
      guard ours.count * 100 > theirs.count * 101 else { continue }
      return Difference(
        kind: "size",
        summary: "the same state takes more bytes",
        expected: "at most 1.01 x \(theirs.count)",
        actual: "\(ours.count)"
      ).between(
        Difference.Side("what it saves", party: .subject),
        Difference.Side("what it saves", party: .oracle)
      )
    }
    return nil
  }
}
