// Rules of what is visible: order of operations, keys, visibility, conflicts, counters, widths. The
// model asks them in `NaiveModel+Reading.swift` and `NaiveModel+Observation.swift`.

package import DocumentModel

extension Rules {
  /// Operations are ordered by counter, then by the bytes of the actor.
  ///
  /// Source: Specification/Semantics.md, "Identity".
  package static func precedes(_ left: OpID, _ right: OpID) -> Bool {
    left.counter != right.counter ? left.counter < right.counter : left.actor < right.actor
  }

  /// If none of the heads is known, nothing is there.
  ///
  /// Source: Specification/Semantics.md, "History and clocks".
  package static func readsPresent(atUnknownHeads isUnknown: Bool) -> Bool { false }

  /// Keys are compared by their UTF-8 bytes, without normalisation.
  ///
  /// Source: Specification/Semantics.md, "Registers and conflicts".
  package static func isSameKey(_ left: ExactString, _ right: ExactString) -> Bool {
    left == right
  }

  /// A counter is visible while every successor is an increment; any other value while it has
  /// no successor; increments, deletes and marks never.
  ///
  /// At heads as now: the successors given are then only those that the heads cover.
  ///
  /// Source: Specification/Semantics.md, "Visibility".
  package static func isVisible(
    _ action: NaiveOp.Action,
    successors: [NaiveOp.Action],
    atHeads: Bool
  ) -> Bool {
    switch action {
    case .increment, .delete, .beginMark, .endMark:
      false
    case .set(.counter):
      successors.allSatisfy { if case .increment = $0 { true } else { false } }
    case .set, .make:
      successors.isEmpty
    }
  }

  /// At heads, only the successors that the heads cover count; now all are covered.
  ///
  /// Source: Specification/Semantics.md, "Visibility".
  package static func counts(
    successor: NaiveOp.Action,
    isCovered: Bool,
    atHeads: Bool
  ) -> Bool {
    isCovered
  }

  /// A value stands in its register by the id of its own operation; an increment does not make
  /// a counter newer.
  ///
  /// Source: Specification/Semantics.md, "Registers and conflicts", "Counters".
  package static func rank(of value: NaiveValue) -> OpID {
    value.id
  }

  /// All visible values of a register are in conflict, the last being the winner.
  ///
  /// Source: Specification/Semantics.md, "Registers and conflicts".
  package static func conflictSet(_ ascending: [NaiveValue]) -> [NaiveValue] {
    ascending
  }

  /// An object that loses a conflict keeps its contents.
  ///
  /// Source: Specification/Semantics.md, "Identity", "Registers and conflicts".
  package static func showsContents(ofWinner isWinner: Bool) -> Bool {
    true
  }

  /// An element is visible if any operation of its register is, and then counts once.
  ///
  /// Whether its insert was deleted does not matter: a concurrent overwrite brings it back.
  ///
  /// Source: Specification/Semantics.md, "Lists".
  package static func registers(
    ofElement values: [NaiveValue],
    successorsOfInsert: () -> [NaiveOp.Action]
  ) -> [[NaiveValue]] {
    values.isEmpty ? [] : [values]
  }

  /// A counter's value is its start plus all increments, wrapping around at 64 bits.
  ///
  /// Source: Specification/Semantics.md, "Counters".
  package static func counterValue(
    start: Int64,
    increments: [(id: OpID, amount: Int64)],
    reader: ActorID
  ) -> Int64 {
    increments.reduce(start) { $0 &+ $1.amount }
  }

  /// In a list every element is 1 wide; in a text a string is as wide as it has Unicode scalars.
  ///
  /// Anything else in a text is as wide as U+FFFC. This is the document's text encoding: the one
  /// place to change.
  ///
  /// Source: Specification/Semantics.md, "Width".
  package static func width(of winner: NaiveOp.Action, in kind: ObjectKind) -> Int {
    kind == .text ? piece(of: winner).unicodeScalars.count : 1
  }

  /// A text reads as the joined winners of its elements: strings as they are, anything else as
  /// U+FFFC.
  ///
  /// Source: Specification/Semantics.md, "Text".
  package static func piece(of winner: NaiveOp.Action) -> String {
    if case .set(.string(let string)) = winner { string.string } else { "\u{FFFC}" }
  }
}

// Where a new element goes.
extension Rules {
  /// The search for the place of a new element starts just after its reference, or at the very
  /// beginning for the head.
  ///
  /// Source: Specification/Semantics.md, "Insert rule".
  package static func firstPosition(after reference: Int?) -> Int {
    if let reference { reference + 1 } else { 0 }
  }

  /// While the next element's id is greater than the new one's, the search steps over it.
  ///
  /// Source: Specification/Semantics.md, "Insert rule".
  package static func skips(_ next: OpID, placing new: OpID) -> Bool {
    precedes(new, next)
  }

  /// A deleted element stays as a reference.
  ///
  /// Source: Specification/Semantics.md, "Lists".
  package static func keepsTombstones() -> Bool {
    true
  }
}
