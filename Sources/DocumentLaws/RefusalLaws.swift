// Laws of calls that are refused or taken back. Two of them compare twins: two forks of one replica
// by one writer; one of them is asked for what is refused or undone. Then both go on by the same
// edits (`goOn`). A number of an operation that was used up shows in the ids of what comes after.
//
//     the one asked     try insert list1 9 int 1    refused
//     both              put root "goes on" int 1    shown under n@dc by both; a refusal that has used up
//                                                   a number makes it n+1 in the one asked

import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// What a document promises about calls that it refuses, or takes back.
  static let refusalLaws: [DocumentLaw] = [
    refusalsAreRefused, refusalsLeaveNoTrace, rollbackUndoes,
  ]

  /// Catches calls that quietly do something else: an index beyond the end that writes to the last
  /// element.
  ///
  /// Worked example: `r0 try insert list1 7 int 1` in a list of two. A call that takes 7 for the
  /// end inserts, and is accepted.
  static let refusalsAreRefused = DocumentLaw(
    "refusals.are-refused",
    "Invalid calls are refused.",
    "A call that the specification refuses is refused, and the subject does not fail.",
    source: .specification(.semantics, "Local edits", "Version differences"),
    needs: Needs([.refusals, .automergeSemantics]),
    judging: .one { plan in
      // What fails instead is seen by `calls.succeed`.
      let attempts = plan.attempts
      return { answers in
        attempts.lazy.compactMap { attempt -> Difference? in
          guard case .edited = answers.outcome(attempt.question) else { return nil }
          return Difference(
            kind: "\(attempt.edit.kind) is accepted",
            summary: "an edit that does not fit was carried out",
            expected: "a refusal",
            actual: "success"
          ).between(nil, answers.asked(attempt.question))
        }.first
      }
    }
  )

  /// Catches edits that fail halfway, and operation numbers that are used up by a refusal: the next
  /// edit's id tells.
  ///
  /// Misses traces that only bytes show.
  ///
  /// Every refused call of a replica's history is asked of its twin once more, at the end: by then
  /// the replica may know more, so that an edit may fit.
  static let refusalsLeaveNoTrace = DocumentLaw(
    "refusals.leave-no-trace",
    "A refused call leaves no trace.",
    "A document that refused calls goes on like one that was never asked.",
    source: .specification(.semantics, "Local edits", "Transactions and commits"),
    needs: Needs([.refusals, .openReads, .fork], objects: [.map], scalars: [.int]),
    judging: .one { plan in
      let attempts = Dictionary(grouping: plan.attempts, by: \.replica)
      let pairs = attempts.keys.sorted().map { replica in
        let asked = plan.twin(of: replica)
        let spared = plan.twin(of: replica)
        let questions = attempts[replica, default: []].map { attempt in
          plan.ask(.call(document: asked, .attempt(attempt.edit)), .divergent)
        }
        return (
          questions: questions, asked: plan.goOn(asked, as: "r\(replica) after refused calls"),
          spared: plan.goOn(spared, as: "r\(replica) without them")
        )
      }
      return { answers in
        pairs.lazy.compactMap { pair -> Difference? in
          // By now an edit may fit that did not when the history made it.
          let areRefused = pair.questions.allSatisfy {
            if case .refused = answers.outcome($0) { true } else { false }
          }
          guard areRefused else { return nil }
          return answers.difference(pair.asked, from: pair.spared)
        }.first
      }
    }
  )

  /// Catches an undo that forgets one kind of edit, or leaves a number behind.
  ///
  /// Misses objects made within what is taken back, and reads by other calls than an observation:
  /// the edits here make none.
  ///
  /// Worked example: `laidOut` has made the list 4, 7, 6, where 7 was put over a 5. Deleting that
  /// element and taking the deletion back must show 7, and not 5.
  static let rollbackUndoes = DocumentLaw(
    "rollback.undoes",
    "Rollback undoes open edits.",
    "Edits that are taken back leave a document as if they had never been made.",
    source: .specification(.semantics, "Transactions and commits"),
    needs: Needs([.rollback, .openReads, .fork], objects: [.map, .list, .text], scalars: [.int]),
    judging: .one { plan in
      let usesRollback = plan.history.history.steps.contains { step in
        if case .call(_, .rollback) = step { true } else { false }
      }
      // Twins cost two copies and up to 25 edits: only histories that roll back pay for them.
      guard usesRollback else { return { _ in nil } }
      let last = plan.replicaCount - 1
      let undone = plan.twin(of: last)
      let spared = plan.twin(of: last)
      for twin in [undone, spared] {
        for edit in laidOut(plan.history.history.base) {
          plan.ask(.edit(document: twin, edit, makes: nil), .divergent)
        }
        plan.ask(.commit(document: twin), .divergent)
      }
      for edit in takenBack(plan.history.history.base) {
        plan.ask(
          .edit(document: undone, edit, makes: edit.madeKind.map { _ in Plan.twinsObject }),
          .divergent
        )
      }
      plan.ask(.call(document: undone, .rollback), .divergent)
      let actual = plan.goOn(undone, as: "r\(last) after a rollback")
      let expected = plan.goOn(spared, as: "r\(last) without the edits that it took back")
      return { $0.difference(actual, from: expected) }
    }
  )

  /// What stands when the edits are made that are taken back: an element that was overwritten, and so is
  /// stored in another way, between two that were not.
  ///
  /// The objects are those that `Base.objects` makes, in its order: list 1, text 2.
  private static func laidOut(_ base: Base) -> [Edit<ObjectName>] {
    guard base == .objects else { return [.put(.root, .key("k"), .int(6))] }
    let (list, text) = (ObjectName(1), ObjectName(2))
    return [
      .splice(list, index: 0, deleting: 0, inserting: [.int(4), .int(5), .int(6)]),
      .put(list, .index(1), .int(7)),
      .spliceText(text, index: 0, deleting: 0, inserting: "pqr"),
      .put(text, .index(1), .string("long")),
    ]
  }

  /// Edits that fit whatever else has happened.
  ///
  /// Each kind of undo is met: a new object, a value over another, a deletion, a new key, elements
  /// that are cut out of a run or replaced. All indexes fit what `laidOut` has made at the front.
  private static func takenBack(_ base: Base) -> [Edit<ObjectName>] {
    let anywhere: [Edit<ObjectName>] = [
      .putObject(.root, .key("goes on in"), .map), .put(Plan.twinsObject, .key("k"), .int(7)),
      .put(.root, .key("k"), .int(7)), .delete(.root, .key("k")), .put(.root, .key("l"), .int(8)),
    ]
    guard base == .objects else { return anywhere }
    let (list, text) = (ObjectName(1), ObjectName(2))
    return anywhere + [
      .delete(list, .index(1)), .spliceText(text, index: 1, deleting: 4, inserting: ""),
      .splice(list, index: 0, deleting: 2, inserting: [.int(1), .null, .int(2)]),
      .put(list, .index(0), .int(3)),
      .spliceText(text, index: 0, deleting: 1, inserting: "xy\u{e9}"),
      .spliceText(text, index: 1, deleting: 2, inserting: ""),
    ]
  }
}

extension Plan {
  /// A copy that is edited; two that are edited alike show the same.
  ///
  /// Both write under one name, so they are read without heads: two changes may be called the same.
  ///
  /// The name dc is not that of any writer of a history or scratch document, so that the two write
  /// nothing that others know.
  fileprivate mutating func twin(of document: Int) -> Int {
    let scratch = scratchDocument()
    ask(.fork(document: scratch, from: document, ActorID(repeating: 0xdc)), .divergent)
    return scratch
  }

  /// The object that a twin makes: no history has as many objects.
  fileprivate static var twinsObject: ObjectName { ObjectName(1_000_000) }

  /// Edits on, so that what was left behind shows in the numbers of operations or in an object whose place
  /// in memory is used again, and looks.
  ///
  /// Reads by `read`, which leaves the change open and shows no heads: two twins commit different
  /// changes under one name and number.
  fileprivate mutating func goOn(_ document: Int, as name: String) -> Question {
    ask(.edit(document: document, .put(.root, .key("goes on"), .int(1)), makes: nil), .divergent)
    let object = Self.twinsObject
    ask(
      .edit(document: document, .putObject(.root, .key("goes on in"), .map), makes: object),
      .divergent
    )
    ask(.edit(document: document, .put(object, .key("k"), .int(2)), makes: nil), .divergent)
    var question = ask(.call(document: document, .read), .divergent)
    question.name = name
    return question
  }
}
