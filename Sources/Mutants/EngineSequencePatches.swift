/// Bugs of the engine in the order of lists and texts, and in the tree that they are in.
let engineSequencePatches: [SourcePatch] = [
  // MARK: Core+Sequence.swift

  SourcePatch(
    .document("undone-run-keeps-falling"),
    "A tombstone that was taken back in part keeps its direction.",
    law: "api.inner-transactions",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "if before.count == 1 { runs[slot - 1].setDirection(.ascending) }",
    becomes: "_ = before.count",
    as: .statements
  ),
  SourcePatch(
    .engine("insert-skips-nothing"),
    "A concurrent insertion goes right behind its reference, whatever stands there.",
    law: "merge.commutes",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "precedes(next.first, id)",
    becomes: "true"
  ),
  // The search for the place works run by run; a run may hold the right place in its middle.
  SourcePatch(
    .engine("insert-ignores-run-inside"),
    "An insertion into a run goes to the run's end even if the next element has the smaller id.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "precedes(run.id(of: point.offset &+ 1), id)",
    becomes: "false"
  ),
  // Every cut makes two runs of one, and each derived number must be divided as well.
  SourcePatch(
    .engine("cut-keeps-width"),
    "The tail of a run that is cut counts the units of the whole.",
    law: "rollback.undoes",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "unitWidth.units(of: count &- offset)",
    becomes: "unitWidth.units(of: count)"
  ),
  SourcePatch(
    .engine("isolate-takes-tail"),
    "Taking elements out of the middle of a run takes its tail as well.",
    law: "damage.sealed-refused-or-sound",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "offset + count < runs[at(run)].count",
    becomes: "false"
  ),
  // Elements of a run are found by multiplication, so all must be alike; what joins too freely
  // reads the bytes of a neighbour.
  SourcePatch(
    .engine("run-joins-any-size"),
    "A run takes in elements whose values have other sizes or types.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "run.continues(before) && before.flags == run.flags",
    becomes: """
      run.actor == before.actor && run.counter == before.end
        && run.reference == before.end &- 1 && run.referenceActor == before.actor
        && run.value == before.value(of: before.count) && before.flags == run.flags
      """
  ),
  SourcePatch(
    .engine("lone-tombstone-keeps-falling"),
    "A falling tombstone of one, left by a rollback, stays falling when it grows at its end.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "if before.count == 1 { runs[slot - 1].setDirection(.ascending) }",
    becomes: "if runs[slot - 1].count == 1 { runs[slot - 1].setDirection(.ascending) }",
    as: .statements
  ),
  SourcePatch(
    .engine("register-outlives-element"),
    "The register of a list element that is taken back names an object whose number another gets.",
    law: "storage.taken-back",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "if run.isComplex { registers[run.register].object = .none }",
    becomes: "",
    as: .statements
  ),
  // The same text as `insert-ignores-run-inside` has, turned the other way round.
  SourcePatch(
    .engine("run-is-entered-anywhere"),
    "An insertion within a run goes there without a look at the element behind it.",
    law: "text.insertions-meet-runs",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "precedes(run.id(of: point.offset &+ 1), id)",
    becomes: "true"
  ),
  SourcePatch(
    .document("tombstones-never-join"),
    "Elements that are deleted one by one, the first first, are runs of their own.",
    law: "api.typed-memory",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "before.isHidden && before.isHiddenUpwards(to: op) && run.continues(before)",
    becomes: "false"
  ),

  // MARK: Core+Splice.swift

  SourcePatch(
    .engine("ends-search-for-begins"),
    "Each end of a mark looks through all marks at its place for its beginning.",
    law: "bomb.marks-at-one-place",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "places[begin]",
    becomes: "candidates.indices.first(where: { beginOfCandidate(at: $0) == begin })"
  ),
  SourcePatch(
    .document("mark-gap-before-twice-deleted"),
    "An element that was deleted twice counts as visible at a mark's edge.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "run.isComplex ? winner(run.register) != nil : !run.isHidden",
    becomes: "!run.isHidden"
  ),
  SourcePatch(
    .engine("negative-delete-goes-forward"),
    "A negative number of elements to delete deletes behind the index.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "return (index + count, -count)",
    becomes: "return (index, min(-count, length - index))",
    as: .statements
  ),
  SourcePatch(
    .engine("splice-past-the-end"),
    "A splice behind the end goes to the end instead of being refused.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    """
    guard index >= 0 && index <= length else {
          throw .indexOutOfBounds(index: index, length: length)
        }
        if count >= 0 { return (index, min(count, length - index)) }
    """,
    becomes: """
      if count >= 0 && index >= 0 {
        let start = min(index, length)
        return (start, min(count, length - start))
      }
      guard index >= 0 && index <= length else {
        throw .indexOutOfBounds(index: index, length: length)
      }
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("empty-mark-keeps-inner-begin"),
    "Text goes to a mark that begins within one which encloses nothing.",
    law: "agreement.marks",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "candidates.removeSubrange(opened...)",
    becomes: "candidates.remove(at: opened)",
    as: .statements
  ),
  SourcePatch(
    .engine("marks-opened-within-outlive"),
    "Text that is typed where a mark has lost its content gets a mark that began within it.",
    law: "agreement.marks",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "candidates.removeSubrange(opened...)",
    becomes: "candidates.remove(at: opened)",
    as: .statements
  ),
  SourcePatch(
    .document("splice-keeps-half-without-deletion"),
    "A splice that deletes nothing and is refused midway is not taken back.",
    law: "api.last-numbers",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "rollback(to: before)\n      values.truncate(to: valueCount)",
    becomes: "if length > 0 {\n  rollback(to: before)\n  values.truncate(to: valueCount)\n}",
    as: .statements
  ),
  SourcePatch(
    .document("empty-elements-inserted-beyond-limit"),
    "Local edits insert elements of no bytes beyond their limit.",
    law: "api.empty-elements",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "emptyElementCount + Int(count) <= limits.emptyElementLimit",
    becomes: "true"
  ),
  SourcePatch(
    .document("delete-counts-skipped-units"),
    "A deletion that starts within a character counts the units before its start.",
    law: "api.wide-characters",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "(index &- first)",
    becomes: "0"
  ),

  // MARK: Core+Tree.swift

  // Needs a tree of three levels, which small histories never have.
  SourcePatch(
    .engine("inner-split-keeps-units"),
    "When a node of the tree's second level is split, a new leaf's units stay with the left half.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Tree.swift",
    "moveWidth(width, from: node, to: fresh)",
    becomes: "_ = fresh",
    as: .statements
  ),
  SourcePatch(
    .engine("split-forgets-first"),
    "After a leaf is split the index by id still has the first moved run in the old leaf.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Tree.swift",
    "if isIndexed { index.set(runs[target], leaf: fresh) }",
    becomes: "if isIndexed && slot > middle { index.set(runs[target], leaf: fresh) }",
    as: .statements
  ),
  SourcePatch(
    .tight("inner-minimum-kept"),
    "After a split the nodes above keep their least id.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Tree.swift",
    """
    if least != .above {
          lowerMinimum(above: inners[node].parent, Int(inners[node].slot), least)
        }
    """,
    becomes: "_ = least",
    as: .statements
  ),
  // A doubly linked list with one of four links not set; only a walk backwards over that leaf shows
  // it.
  SourcePatch(
    .engine("leaf-split-loses-link"),
    "After a split the leaf behind does not know the new one before it.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Store/Core+Tree.swift",
    "if !next.isNone { leaves[next].previous = fresh }",
    becomes: "_ = next",
    as: .statements
  ),
  // The tree's sums count units twice: positions behind the split are wrong, contents are right.
  SourcePatch(
    .engine("leaf-split-keeps-units"),
    "After a split the parent counts the moved units with the left leaf as well.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Tree.swift",
    """
    childWidths[at(parent, slot)] &-= moved
        childMinima[at(parent, slot)] = leaves[leaf].minimum
    """,
    becomes: "childMinima[at(parent, slot)] = leaves[leaf].minimum",
    as: .statements
  ),

  // MARK: ElementRun.swift

  // Deletions backwards and forwards make runs with other steps; typing and the backspace key give
  // both.
  SourcePatch(
    .engine("tombstone-grows-backwards"),
    "A tombstone takes in the element before it whenever that is deleted.",
    law: "storage.loads-whole",
    in: "Sources/MergeEngine/Store/ElementRun.swift",
    "successorActor == op.actor && successor &+ 1 == op.counter",
    becomes: "successorActor == op.actor"
  ),
  SourcePatch(
    .document("runs-never-join"),
    "Each element that is typed is a run of its own.",
    law: "api.typed-memory",
    in: "Sources/MergeEngine/Store/ElementRun.swift",
    "referenceActor == before.actor",
    becomes: "referenceActor != before.actor"
  ),

  // MARK: OrderStack.swift

  SourcePatch(
    .engine("load-ignores-order"),
    "List elements of a document may stand in any order among siblings.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/OrderStack.swift",
    "!popped.isNone && !core.precedes(id, popped)",
    becomes: "false"
  ),
]
