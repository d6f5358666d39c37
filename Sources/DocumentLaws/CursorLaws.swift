// Laws of cursors. A history takes them by steps, and its plan asks for their places
// (`Plan.positions`).

import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// What cursors promise while others edit.
  static let cursorLaws: [DocumentLaw] = [cursorsAgree, cursorsMeet, cursorsPast]

  /// Catches cursors that are moved by an edit beside them, or lost with their element; a walk back that
  /// takes the neighbour for the element which the deleted one was inserted behind.
  ///
  /// Misses cursors of the past (`cursors.past`).
  ///
  /// Worked example, in a text "abc":
  ///
  ///     r0 cursor text2 1 moving before
  ///     r0 type text2 1 delete 1 insert ""
  ///
  /// The cursor names the operation of "b". Once that is deleted it stands at 0, on the element
  /// behind which "b" was inserted: "a". One that moves after stands at 1, on "c". A cursor kept as
  /// a number would be at 1 in both cases, and stay there when r1 types before it.
  static let cursorsAgree = DocumentLaw(
    "cursors.agree",
    "Cursors are where the oracle's are.",
    "A cursor names the same operation as on the oracle. After every step and at the end, it stands at the same "
      + "place as on the oracle, on every replica.",
    source: .specification(.semantics, "Cursors"),
    needs: Needs([.cursors, .automergeSemantics]),
    watchesCursors: true,
    judging: .agreement { plan in
      let questions = plan.positions + plan.askForCursors(.converged).flatMap(\.self)
      return { subject, oracle in
        questions.lazy.compactMap { elsewhere($0, subject, oracle) }.first
      }
    }
  )

  private static func elsewhere(
    _ question: Question,
    _ subject: Answers,
    _ oracle: Answers
  ) -> Difference? {
    guard let expected = oracle.cursor(question), let actual = subject.cursor(question),
      actual != expected
    else { return nil }
    return Difference(
      kind: "cursor",
      summary: "a cursor is not where it is on the oracle",
      expected: expected,
      actual: actual
    ).between(oracle.asked(question, .oracle), subject.asked(question))
  }

  /// Catches positions that depend on who asks, or on the order in which changes came.
  ///
  /// Needs no oracle, so that it speaks of every subject with cursors. It misses a place that is
  /// wrong on all replicas alike.
  static let cursorsMeet = DocumentLaw(
    "cursors.meet",
    "Cursors are at one place everywhere.",
    "After healing a cursor is at the same place on all replicas.",
    source: .specification(.semantics, "Cursors"),
    needs: Needs([.cursors]),
    watchesCursors: true,
    judging: .one { plan in
      let questions = plan.askForCursors(.converged)
      return { answers in
        questions.lazy.compactMap { questions -> Difference? in
          let places = questions.compactMap { question in
            answers.cursor(question).map { (question: question, cursor: $0) }
          }
          guard let first = places.first,
            let other = places.first(where: { $0.cursor != first.cursor })
          else { return nil }
          return Difference(
            kind: "cursor",
            summary: "two replicas in one state show a cursor at two places",
            expected: first.cursor,
            actual: other.cursor
          ).between(answers.asked(first.question), answers.asked(other.question)).ofPeers()
        }.first
      }
    }
  )

  /// Catches a cursor that has a place at heads at which its element was not there, a deletion that moves a
  /// cursor before it came, and lengths of today in place of those of then.
  ///
  /// Asked at states from the start to the end of the history, on replicas that may not know their heads.
  ///
  /// Worked example: r1 types "a" and commits, then "b" and commits, and takes a cursor at "b". At the first
  /// heads the cursor is not known, and a cursor made at 1 is the end. A reader that looks at the present
  /// gives 1 and "b".
  static let cursorsPast = DocumentLaw(
    "cursors.past",
    "Cursors read the past as on the oracle.",
    "At earlier heads, those that the replica does not know among them, a cursor stands where it does on the oracle, and one that is made there is the oracle's.",
    source: .specification(.semantics, "Cursors", "History and clocks"),
    needs: Needs([.cursors, .pastCursors, .automergeSemantics, .history, .heads]),
    watchesCursors: true,
    judging: .agreement { plan in
      let questions = plan.askForPastCursors(.divergent) + plan.askForPastCursors(.converged)
      return { subject, oracle in
        questions.lazy.compactMap { elsewhere($0, subject, oracle) }.first
      }
    }
  )
}

extension Plan {
  /// Asks for each cursor at three states, each on another replica, and for a cursor made there.
  fileprivate mutating func askForPastCursors(_ stage: Stage) -> [Question] {
    let states = rememberedStates
    guard cursorCount > 0, !states.isEmpty else { return [] }
    let places = Set([0, states.count / 2, states.count - 1]).sorted()
    var questions: [Question] = []
    for cursor in 1...cursorCount {
      for place in places {
        let document = (cursor + place) % replicaCount
        let mark = states[place].mark
        questions.append(ask(.call(document: document, .positionAt(cursor, mark: mark)), stage))
        let index = (cursor + 2 * place) % 4
        questions.append(
          ask(.call(document: document, .cursorAt(cursor, index: index, mark: mark)), stage)
        )
      }
    }
    return questions
  }

  /// Asks all replicas for all cursors; cursor by cursor.
  fileprivate mutating func askForCursors(_ stage: Stage) -> [[Question]] {
    var questions: [[Question]] = []
    for cursor in 0..<cursorCount {
      questions.append([])
      for replica in 0..<replicaCount {
        questions[cursor].append(ask(.call(document: replica, .position(cursor + 1)), stage))
      }
    }
    return questions
  }
}

extension Answers {
  /// A cursor, or where it is, in words; `nil` where the subject failed to say: `calls.succeed` says so.
  fileprivate func cursor(_ question: Question) -> String? {
    switch outcome(question) {
    case .cursor(let cursor): "\(cursor)"
    case .position(let position): position.map { "at \($0)" } ?? "not known"
    default: nil
    }
  }
}
