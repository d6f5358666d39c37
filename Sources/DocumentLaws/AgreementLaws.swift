import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// What two subjects that follow the same rules promise together.
  static let agreementLaws: [DocumentLaw] = [statesAgree, pastAgrees, savedBytesCross]

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
      let remembered = plan.openReads + plan.rememberedStates.map(\.question)
      return { subject, oracle in
        for question in remembered + divergent + converged {
          guard let expected = oracle.observation(question),
            let actual = subject.observation(question)
          else { continue }
          if let difference = actual.difference(from: expected) { return difference }
        }
        return nil
      }
    }
  )

  static let savedBytesCross = DocumentLaw(
    "agreement.saved-bytes",
    "Subject and oracle load each other's files.",
    "Each side loads what the other saved, and shows what the other showed.",
    source: .specification(.format, "Document chunk"),
    needs: Needs([.automergeSemantics, .save, .heads]),
    judging: .crossing
  )

  static let pastAgrees = DocumentLaw(
    "agreement.past",
    "The past reads as on the oracle.",
    "A state read at its heads shows what the oracle shows there.",
    source: .specification(.semantics, "Visibility", "History and clocks"),
    needs: Needs([.automergeSemantics, .history, .heads]),
    judging: .agreement { plan in
      let questions = plan.rememberedStates.map { state in
        plan.ask(.recall(document: state.document, mark: state.mark), .converged)
      }
      return { subject, oracle in
        questions.lazy.compactMap { question -> Difference? in
          guard var expected = oracle.observation(question),
            var actual = subject.observation(question)
          else { return nil }
          // After a restart the heads asked for may be unknown; who repeats them does no harm.
          expected.heads = nil
          actual.heads = nil
          return actual.difference(from: expected)
        }.first
      }
    }
  )
}
