// Laws that compare a subject with an oracle: present states, past states, and saved bytes
// (`CrossLoading.swift`). That of marks, which brings its own histories, stands in `MarkLaws.swift`.

import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// What two subjects that follow the same rules promise together.
  static let agreementLaws: [DocumentLaw] = [
    statesAgree, pastAgrees, foreignPastAgrees, savedBytesCross,
  ]

  /// Any deviation of a visible state from the specification breaks it, whatever call brought it
  /// about.
  ///
  /// Misses what both sides get wrong alike, and what no observation shows: bytes, hashes,
  /// tombstones. It says nothing of subjects with rules of their own, which the laws of merging
  /// judge.
  ///
  /// Worked example, in which both puts have counter 1:
  ///
  ///     base empty
  ///     r0 put root "k" int 1
  ///     r1 put root "k" int 2
  ///
  /// After healing every replica shows int 2 first: of equal counters the greater actor wins, and
  /// r1's is greater where writers are plain. An engine whose comparison is turned around shows int
  /// 1 on all replicas. It converges, and no law of merging sees it.
  ///
  /// States are compared in the order in which they came about, so that a failure names the
  /// earliest.
  package static let statesAgree = DocumentLaw(
    "agreement.states",
    "The subject shows what the oracle shows.",
    "A history shows the same states as on the oracle, before and after healing.",
    source: .specification(
      .semantics,
      "Registers and conflicts",
      "Visibility",
      "Lists",
      "Text",
      "Counters",
      "Local edits",
      "Reading calls"
    ),
    needs: Needs([.automergeSemantics]),
    judging: .agreement { plan in
      let divergent = (0..<plan.replicaCount).map { plan.observe($0, .divergent) }
      let converged = (0..<plan.replicaCount).map { plan.observe($0, .converged) }
      // Reads of open changes come first: they have no heads, and a difference there is the
      // shortest to explain.
      let remembered = plan.openReads + plan.rememberedStates.map(\.question)
      return { subject, oracle in
        for question in remembered + divergent + converged {
          guard let expected = oracle.observation(question),
            let actual = subject.observation(question)
          else { continue }
          if let difference = actual.difference(from: expected) {
            return difference.between(oracle.side(question, .oracle), subject.side(question))
          }
        }
        return nil
      }
    }
  )

  /// Catches a writer and a reader that agree with each other and with no other engine: a column left
  /// out on both sides, a value type written under another code.
  ///
  /// Misses bytes that both sides read and that are not the format's only form; the laws of stored
  /// bytes look at those.
  ///
  /// Asked of subjects whose heads are Automerge's hashes alone (``Crossing``). Equal bytes are not
  /// asked for: two implementations may order changes differently, and both be right.
  static let savedBytesCross = DocumentLaw(
    "agreement.saved-bytes",
    "Subject and oracle load each other's files.",
    "Each side loads what the other saved, and shows what the other showed.",
    source: .specification(.format, "Document chunk"),
    needs: Needs([.automergeSemantics, .save, .heads]),
    judging: .crossing
  )

  /// Catches a reader of the past that looks at the present: successors or increments counted that
  /// came later, the winner of today in place of that of then.
  ///
  /// Misses states that no step remembered, and heads that no replica ever had.
  ///
  /// Worked example: the state after step 2 has no increment.
  ///
  ///     r0 put root "n" counter 10
  ///     r0 commit
  ///     r0 increment root "n" 5
  ///     r0 commit
  ///
  /// Read at the heads of the first commit, "n" is 10. A reader that sums all increments which name
  /// the counter shows 15; one that hides what has successors shows nothing.
  static let pastAgrees = DocumentLaw(
    "agreement.past",
    "The past reads as on the oracle.",
    "A state read at its heads shows what the oracle shows there.",
    source: .specification(.semantics, "Visibility", "History and clocks"),
    needs: Needs([.automergeSemantics, .history, .heads]),
    judging: .agreement { plan in
      let questions = plan.rememberedStates.map { state in
        var question = plan.ask(.recall(document: state.document, mark: state.mark), .converged)
        question.name = "\(state.question.name), read again at its heads"
        return question
      }
      return { subject, oracle in
        questions.lazy.compactMap { pastDifference($0, subject, oracle) }.first
      }
    }
  )

  /// Catches heads of others that are taken for none, for the present or for all that is here, and what is
  /// kept of a first look when the changes have come, or a new writer has begun one.
  ///
  /// Misses heads that no replica ever had.
  ///
  /// Worked example: r1 has not heard of r0's commit.
  ///
  ///     r0 put root "k" int 1
  ///     r0 commit
  ///
  /// At its heads r1 shows nothing, and "k" as soon as it has the change. A reader that keeps
  /// how far heads reach, and forgets it only for other heads, goes on to show nothing.
  static let foreignPastAgrees = DocumentLaw(
    "agreement.foreign-past",
    "Heads of others read as on the oracle.",
    "At heads that a document knows in part or not at all, it shows what the oracle shows. So it does once the "
      + "changes have arrived, and after a new writer's first edit.",
    source: .specification(.semantics, "History and clocks"),
    needs: Needs(
      [.automergeSemantics, .history, .heads, .fork],
      edits: [.put],
      transports: [.merge],
      scalars: [.int]
    ),
    judging: .agreement { plan in
      let questions = plan.foreignStates.flatMap { plan.readElsewhere($0) }
      return { subject, oracle in
        questions.lazy.compactMap { pastDifference($0, subject, oracle) }.first
      }
    }
  )

  /// Where a state read at heads is another on the subject; the heads themselves are those asked for.
  private static func pastDifference(
    _ question: Question,
    _ subject: Answers,
    _ oracle: Answers
  ) -> Difference? {
    guard var expected = oracle.observation(question),
      var actual = subject.observation(question)
    else { return nil }
    // Heads asked for may be unknown; who repeats them does no harm.
    expected.heads = nil
    actual.heads = nil
    return actual.difference(from: expected)?
      .between(oracle.side(question, .oracle), subject.side(question))
  }
}

extension Plan {
  /// Two states of the history, each with a replica that may not know their heads.
  fileprivate var foreignStates: [(name: String, mark: Int, document: Int, reader: Int)] {
    let states = rememberedStates
    guard replicaCount > 1, !states.isEmpty else { return [] }
    return Set([states.count / 2, states.count - 1]).sorted().map { place in
      let state = states[place]
      let reader = (state.document + 1 + place % (replicaCount - 1)) % replicaCount
      return (state.question.name, state.mark, state.document, reader)
    }
  }

  /// Reads a state on a copy of a replica, before and after the copy takes in what it lacks, and with an
  /// edit of the copy's writer, who has written nothing before, in a change that stays open.
  ///
  /// The copy commits first: a document that other questions share would be copied again when it
  /// takes something in, and what it keeps of the first look be lost.
  fileprivate mutating func readElsewhere(
    _ state: (name: String, mark: Int, document: Int, reader: Int)
  ) -> [Question] {
    let copy = scratchDocument()
    ask(.fork(document: copy, from: state.reader, ActorID(repeating: 0xdc)), .divergent)
    ask(.commit(document: copy), .divergent)
    var early = ask(.recall(document: copy, mark: state.mark), .divergent)
    early.name = "\(state.name), read by r\(state.reader)"
    ask(.merge(document: copy, from: state.document), .divergent)
    var late = ask(.recall(document: copy, mark: state.mark), .divergent)
    late.name = early.name + " when it has the changes"
    ask(.edit(document: copy, .put(.root, .key("k"), .int(1)), makes: nil), .divergent)
    var writing = ask(.recall(document: copy, mark: state.mark), .divergent)
    writing.name = late.name + ", and with an edit of a new writer"
    return [early, late, writing]
  }
}
