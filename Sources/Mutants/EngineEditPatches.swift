/// Bugs of the op store: order, runs and their cuts, caches, cursors, clocks, waiting changes.
let engineStorePatches: [SourcePatch] = [
  // Order.
  // The number of an actor in the table is the order of arrival; the rank is the order of bytes.
  // Both are small integers, and agree until an actor with lesser bytes comes later.
  SourcePatch(
    .engine("ties-by-arrival"),
    "Of two ids with one counter, the actor heard of first comes first.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core.swift",
    "actors.ranks.precedes(left.actor, right.actor)",
    becomes: "left.actor < right.actor"
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
  // Runs and their cuts.
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
    .engine("deletion-joins-any-actor"),
    "Deletions of two actors' elements with neighbouring counters are logged as one actor's.",
    law: "network.converges",
    in: "Sources/MergeEngine/Changes/OpRun.swift",
    "next.isPlainDelete && isPlainDelete && next.elementActor == elementActor",
    becomes: "next.isPlainDelete && isPlainDelete"
  ),
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
  // Caches and cursors.
  // The cache that makes typing fast: right until something else changes the tree.
  SourcePatch(
    .engine("cursor-survives-merge"),
    "The place of the last edit is still believed after other replicas' changes came in.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Apply.swift",
    "objects[object].cursor = .none",
    becomes: "_ = object",
    as: .statements
  ),
  SourcePatch(
    .engine("latest-arrival-wins"),
    "A value that arrives goes on top of the visible ones, whatever its id.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "precedes(id, rows[below].id)",
    becomes: "false"
  ),
  // A list with two ends; one of them is not moved when its row goes.
  SourcePatch(
    .engine("visible-values-keep-their-end"),
    "The list of a register's visible values still begins with the least when that is hidden.",
    law: "storage.invariants",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "if below.isNone { registers[register].bottom = above } else { rows[below].above = above }",
    becomes: "if !below.isNone { rows[below].above = above }",
    as: .statements
  ),
  // A replica alone enters rows in order; only a merge brings a lesser id later.
  SourcePatch(
    .engine("rows-by-arrival"),
    "A row that arrives goes behind those that are there, whatever its id.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "precedes(rows[last].id, row.id)",
    becomes: "true"
  ),
  SourcePatch(
    .engine("same-value-hides-conflict"),
    "A put of one of several values in conflict is taken for no change.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "!rows[top].below.isNone",
    becomes: "false"
  ),
  SourcePatch(
    .engine("counter-counts-last"),
    "A counter's value is its last increment instead of the sum.",
    law: "counter.increments-add",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "total &+= increments[at].by",
    becomes: "total = increments[at].by"
  ),
  SourcePatch(
    .engine("text-width-in-bytes"),
    "A string of several scalars counts its bytes.",
    law: "reads.agree",
    in: "Sources/MergeEngine/Columns/StoredValue.swift",
    "byte & 0xC0 != 0x80",
    becomes: "true"
  ),
  // Clocks.
  SourcePatch(
    .engine("clock-at-start-of-change"),
    "A read of the past sees of the latest change of each actor its first operation only.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Clock.swift",
    "max(limits[actor], record.maxOp)",
    becomes: "max(limits[actor], record.startOp)"
  ),
  SourcePatch(
    .engine("clock-excludes-last"),
    "A clock does not cover the operation that it names.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Read.swift",
    "id.counter <= limits[Int(id.actor)]",
    becomes: "id.counter < limits[Int(id.actor)]"
  ),
  // The numbers of actors grow with the first edit, and not with the change that holds it.
  SourcePatch(
    .engine("clock-outlives-new-writer"),
    "How far heads reach is not worked out again when a new writer has begun a change.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Store/Core+Clock.swift",
    "self.state == state",
    becomes: "self.state?.changeCount == state.changeCount"
  ),
  // A read of the past may end within a run: off by one at the cut.
  SourcePatch(
    .engine("clock-cuts-runs-short"),
    "A read of the past misses the last element of a run that the clock cuts.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Read.swift",
    "limit &- run.counter &+ 1",
    becomes: "limit &- run.counter"
  ),
  SourcePatch(
    .engine("ancestors-by-first-dependency"),
    "The past of a merge is that of its first dependency.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Clock.swift",
    """
    for entry in history.records[change].dependencies {
            covered[history.dependencies[entry]] = true
          }
    """,
    becomes: """
      if let entry = history.records[change].dependencies.first(where: { _ in true }) {
              covered[history.dependencies[entry]] = true
            }
      """,
    as: .statements
  ),
  // Changes under way.
  // A loop over the dependencies that begins one too late.
  SourcePatch(
    .engine("waits-for-all-but-one"),
    "A waiting change is applied when one dependency is still missing.",
    law: "delivery.any-order",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "history.find(dependency) == nil",
    becomes: "history.find(dependency) == nil && dependency != dependencies.first"
  ),
  SourcePatch(
    .engine("copy-forgets-waiting"),
    "A fork has none of the changes that wait in the original.",
    law: "storage.any-order",
    in: "Sources/MergeEngine/Changes/History.swift",
    "copy.waiting = waiting",
    becomes: "_ = waiting",
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
  // The writer of a new change stands among the actors, and stays there when the change is taken
  // back.
  SourcePatch(
    .engine("writer-of-nothing-is-saved"),
    "A writer whose only edits were taken back is named in what is saved.",
    law: "storage.canonical",
    in: "Sources/MergeEngine/Store/Core+Save.swift",
    "actors.sorted.filter { history.sequence(of: $0) > 0 }",
    becomes: "actors.sorted"
  ),
]
