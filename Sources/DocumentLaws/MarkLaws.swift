// The laws of marks that meet at one place. `MarkScenario` below them draws their histories; what they ask is what
// `agreement.states` and `patches.lead` ask.

import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// The last ones: stored inputs of fuzz targets count laws with histories of their own.
  static let markLaws = [marksAgree, patchesOfMarks]

  /// Catches text that is typed on the wrong side of a begin or an end: where a mark has become empty, at the border
  /// of two marks, in a mark that begins within one that is gone.
  ///
  /// Random histories seldom make two marks meet, empty one of them and type just there, and so the law brings its
  /// own. Misses marks in lists.
  ///
  /// Worked example, in the text "ab" of the base:
  ///
  ///     r0 mark text2 0 to 1 "b" boolean true expand both
  ///     r0 mark text2 1 to 2 "c" boolean true expand both
  ///     r0 type text2 0 delete 1 insert ""
  ///     r0 type text2 0 delete 0 insert "x"
  ///
  /// The second mark begins before the end of the first, and "x" goes before the begin of both: the first encloses
  /// nothing any more, and what began within it is no place to type at. An engine that gives up the first one's
  /// begin alone puts "x" under "c".
  static let marksAgree = DocumentLaw(
    "agreement.marks",
    "Marks that meet are as on the oracle.",
    "Text that is typed where marks begin, end or have become empty gets the same marks as on the oracle.",
    source: .specification(.semantics, "Marks", "Reference of a local insert"),
    needs: .baseOfObjects([.automergeSemantics], edits: [.mark], scalars: [.boolean, .null]),
    samples: .own { MarkScenario(limits: $0).histories },
    judging: statesAgree.scope
  )

  /// Catches patches that let another one of several marks win than the document does: by the order in which their
  /// writers came, or because one of many is passed over.
  ///
  /// Random histories seldom have two marks of one name and number over one place. Misses ids, as `patches.lead` does.
  ///
  /// Worked example, in the text "ab" of the base, where r0 comes last in the order of writers:
  ///
  ///     r0 mark text2 0 to 1 "b" int 1 expand none
  ///     r1 mark text2 0 to 1 "b" int 2 expand none
  ///
  /// Both marks are the operation 9. Where they meet, r0's wins on both sides, and patches on r0, which heard of r1
  /// last, must not tell 2.
  static let patchesOfMarks = DocumentLaw(
    "patches.marks",
    "Patches lead where marks meet.",
    "Where many marks of one name meet, patches between two states, carried out in order on what the first shows, give "
      + "what the second shows.",
    source: .specification(.semantics, "Differences between two states", "Marks"),
    needs: .baseOfObjects(
      [.patches, .history, .heads],
      edits: [.mark],
      scalars: [.boolean, .null]
    ),
    samples: .own { MarkScenario(limits: $0).histories },
    readsStates: true,
    judging: patchesLead.scope
  )
}

/// Histories of rounds on one text; in each a replica makes marks that share a place, deletes there and types there, or
/// makes many marks of one name, or two replicas make as many without knowing of each other.
private struct MarkScenario {
  /// The number of replicas and the transports are within them.
  let limits: HistoryLimits

  /// The base makes the list first, then the text.
  private static let text = ObjectName(2)

  var histories: Generator<History> {
    let limits = limits
    return Generator { choices in
      let count = max(2, limits.replicas.lowerBound)
      let transports = Transport.allCases.filter(limits.capabilities.transports.contains)
      let transport = transports.isEmpty ? .merge : choices.element(of: transports)
      let isFalling =
        limits.capabilities.features.contains(.automergeSemantics) && choices.flag()
      var steps: [Step] = []
      func exchange(from: Int, to: Int) {
        if !transports.isEmpty { steps.append(.exchange(from: from, to: to, transport)) }
      }
      func round(_ choices: inout Choices) {
        let replica = choices.index(below: count)
        let other = (replica + 1) % count
        // Of five rounds three make few marks, one many, and in one two replicas make as many.
        switch choices.pick(weights: [3, 1, 1]) {
        case 0: steps += Self.round(&choices).map { .edit(replica: replica, $0) }
        case 1: steps += Self.crowd(&choices).map { .edit(replica: replica, $0) }
        default:
          // Who knows the same writes under the same numbers.
          exchange(from: replica, to: other)
          exchange(from: other, to: replica)
          let number = 1 + choices.index(below: 3)
          for (place, writer) in [replica, other].enumerated() {
            let marks = Self.marks(number, valuesFrom: number * place, upTo: 2, &choices)
            steps += marks.map { .edit(replica: writer, $0) }
          }
        }
        if choices.flag() { exchange(from: replica, to: other) }
      }
      choices.span("round") { round(&$0) }
      choices.repeated(upTo: 4, averaging: 2, "round") { round(&$0) }
      return History(
        base: .objects,
        writers: isFalling ? .falling : .plain,
        replicaCount: count,
        healing: [transport],
        steps: steps
      )
    }
  }

  /// Letters, and four to eight marks of one name over them: enough for a heap of open marks to have
  /// siblings.
  private static func crowd(_ choices: inout Choices) -> [Edit<ObjectName>] {
    var number = 4
    choices.repeated(upTo: 4, averaging: 1, "mark") { _ in number += 1 }
    return [type(0, 0, "cdef")] + marks(number, valuesFrom: 0, upTo: 4, &choices)
  }

  /// Marks of one name that begin below `limit`, with values that tell them apart; one in eight takes the name away.
  private static func marks(
    _ number: Int,
    valuesFrom first: Int,
    upTo limit: Int,
    _ choices: inout Choices
  ) -> [Edit<ObjectName>] {
    (0..<number).map { index in
      let start = choices.index(below: limit)
      let end = start + 1 + choices.index(below: limit + 1)
      let value: Scalar = choices.flag(percent: 12) ? .null : .int(Int64(first + index))
      let expand = choices.element(of: MarkExpansion.allCases)
      return .mark(text, Marking(start, to: end, "b", value, expand: expand))
    }
  }

  /// Letters to mark, one mark, up to two that mostly begin where it begins or ends, a deletion of what it is over, and
  /// typing at its begin or one behind.
  private static func round(_ choices: inout Choices) -> [Edit<ObjectName>] {
    let start = choices.index(below: 3)
    let end = start + choices.index(below: 3)
    var edits = [type(start, 0, "cd"), mark(start, end, &choices)]
    choices.repeated(upTo: 2, averaging: 1, "mark") { choices in
      let place = choices.pick(weights: [3, 2, 1])
      let from = place == 2 ? choices.index(below: 4) : [end, start][place]
      edits.append(mark(from, from + choices.index(below: 3), &choices))
    }
    if choices.flag(percent: 75) { edits.append(type(start, max(1, end - start), "")) }
    edits.append(type(start + choices.pick(weights: [2, 1]), 0, "x"))
    return edits
  }

  private static func type(_ index: Int, _ count: Int, _ new: ExactString) -> Edit<ObjectName> {
    .spliceText(text, index: index, deleting: count, inserting: new)
  }

  /// Of two names, so that marks of one name meet as well; a fourth take the name away.
  private static func mark(_ start: Int, _ end: Int, _ choices: inout Choices) -> Edit<ObjectName> {
    let expand = choices.element(of: MarkExpansion.allCases)
    let name: ExactString = choices.flag() ? "c" : "b"
    let value: Scalar = choices.flag(percent: 25) ? .null : .boolean(true)
    return .mark(text, Marking(start, to: end, name, value, expand: expand))
  }
}
