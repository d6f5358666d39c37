/// Bugs of the engine in how operations are made, applied and read.
let engineEditPatches: [SourcePatch] = [
  // MARK: ActorTable.swift

  SourcePatch(
    .tight("refused-actors-keep-slots"),
    "Actors that a refusal took back are still found by their bytes.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Store/ActorTable.swift",
    "if count > Self.fewCount { rebuildSlots(sizeLog: slots.sizeLog) }",
    becomes: "_ = count",
    as: .statements
  ),

  // MARK: Core+Apply.swift

  SourcePatch(
    .engine("marks-take-values"),
    "A value in the place of a mark is taken in.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Apply.swift",
    "runs[at(found)].isMark && run.action != .delete",
    becomes: "false"
  ),
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
    .engine("inserts-behind-later"),
    "A change is taken in that inserts behind an element with a later id.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Apply.swift",
    "precedes(run.element, run.id)",
    becomes: "true"
  ),
  SourcePatch(
    .engine("insertions-hide-others"),
    "A change is taken in whose insertion names a predecessor.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Apply.swift",
    "run.predecessorCount == 0",
    becomes: "true"
  ),
  SourcePatch(
    .engine("keys-in-lists"),
    "A change is taken in that writes at a key of a list, or inserts into a map.",
    law: "forgery.change-leaves-nothing",
    in: "Sources/MergeEngine/Store/Core+Apply.swift",
    "isSequence == (run.key.isNone)",
    becomes: "true"
  ),

  // MARK: Core+Clock.swift

  SourcePatch(
    .engine("clock-at-start-of-change"),
    "A read of the past sees of the latest change of each actor its first operation only.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Clock.swift",
    "max(limits[actor], record.maxOp)",
    becomes: "max(limits[actor], record.startOp)"
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
  SourcePatch(
    .engine("clock-outlives-changes"),
    "How far heads reach is not worked out again when changes have come that they name.",
    law: "agreement.foreign-past",
    in: "Sources/MergeEngine/Store/Core+Clock.swift",
    "history.count",
    becomes: "0"
  ),

  // MARK: Core+Counters.swift

  SourcePatch(
    .engine("counter-counts-last"),
    "A counter's value is its last increment instead of the sum.",
    law: "counter.increments-add",
    in: "Sources/MergeEngine/Store/Core+Counters.swift",
    "total &+= increments[at].by",
    becomes: "total = increments[at].by"
  ),

  // MARK: Core+Edit.swift

  SourcePatch(
    .engine("same-put-by-first-byte"),
    "A put of a value that has the length and the first byte of the present one is no change.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    """
    values.view(from: Int(known.value), length: length)
            .matches(values.view(from: Int(stored.value), length: length))
    """,
    becomes: "(length == 0 || values[known.value] == values[stored.value])"
  ),
  SourcePatch(
    .engine("same-put-by-bits"),
    "A put of zero over minus zero is a change.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    "old == fresh",
    becomes: "old.bitPattern == fresh.bitPattern"
  ),
  SourcePatch(
    .engine("refused-increment-takes-a-number"),
    "An increment that finds no counter is refused and uses up the number of an operation.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    "guard holdsCounter(target) else { throw .notACounter }",
    becomes: """
      if !holdsCounter(target) {
        _ = try nextOp()
        maxOp &+= 1
        throw .notACounter
      }
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("put-takes-counter-start"),
    "A counter is not put where one with increments started at the same number.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    "return counterValue(sole, in: target.register, start: start) == fresh",
    becomes: "return start == fresh",
    as: .statements
  ),
  SourcePatch(
    .document("counters-compared-by-start"),
    "A counter is not put where the one that is there began with its value.",
    law: "api.counter-puts",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    "rows[sole].successor != 0",
    becomes: "false"
  ),
  SourcePatch(
    .document("increment-needs-winner"),
    "A counter that has lost a conflict is not incremented.",
    law: "api.registers",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    "rows[$0].isCounter",
    becomes: "rows[$0].isCounter && rows[$0].above.isNone"
  ),

  // MARK: Core+Read.swift

  SourcePatch(
    .engine("counters-gathered-one-by-one"),
    "Each of the counters in conflict looks through all values of its key for increments.",
    law: "bomb.counters-in-conflict",
    in: "Sources/MergeEngine/Store/Core+Read.swift",
    "increments ?? self.increments(of: register)",
    becomes: "self.increments(of: register)"
  ),
  // Typed in two changes, then taken back with the backspace key across their border.
  SourcePatch(
    .engine("backspaced-run-shows-later"),
    "A read of the past shows later letters of a run that was deleted from its end.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Read.swift",
    "min(covered, visible)",
    becomes: "min(run.count, visible)"
  ),
  SourcePatch(
    .engine("clock-excludes-last"),
    "A clock does not cover the operation that it names.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Read.swift",
    "id.counter <= limits[Int(id.actor)]",
    becomes: "id.counter < limits[Int(id.actor)]"
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
    .engine("past-shows-incremented-plain-value"),
    "In the past a plain value is shown beside the counter with which it was incremented.",
    law: "history.past-stays",
    in: "Sources/MergeEngine/Store/Core+Read.swift",
    """
    isCounter
            && (findRow(register, id).map { rows[$0].action == .increment } ?? false)
    """,
    becomes: "findRow(register, id).map { rows[$0].action == .increment } ?? false"
  ),

  // MARK: Core+Register.swift

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
    .engine("load-hides-counters"),
    "A counter that was incremented is gone after loading.",
    law: "save.round-trips",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "if hiders == 0 { rows[row].flags.remove(.hidden) }",
    becomes: "_ = hiders",
    as: .statements
  ),
  SourcePatch(
    .engine("first-hider-counted"),
    "An increment counts as hiding its counter.",
    law: "storage.refusal-leaves-no-trace",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "wasHidden ? 1 : 0",
    becomes: "1"
  ),
  SourcePatch(
    .engine("loaded-counter-stays-hidden"),
    "A loaded counter of two increments stays hidden when what overwrote it is taken back.",
    law: "storage.taken-back",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "!rows[row].more.isNone",
    becomes: "hiders > 0 && !rows[row].more.isNone"
  ),
  SourcePatch(
    .engine("visible-rows-never-indexed"),
    "A long walk among a register's visible values is not counted, so that each goes the whole way.",
    law: "bomb.quadratic-register",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    """
    if stepCount > RowIndex.patience {
          rowIndex.noteWalk(register, self)
        } else if !rowIndex.isEmpty {
          rowIndex.insert(row, in: register, .visible, self)
        }
    """,
    becomes: """
      if stepCount <= RowIndex.patience, !rowIndex.isEmpty {
            rowIndex.insert(row, in: register, .visible, self)
          }
      """,
    as: .statements
  ),

  // MARK: Core.swift

  // Two forks make an object each, by operations of one number, at one place of their tables: the
  // ids of the public face carry the place from one to the other.
  SourcePatch(
    .document("hint-needs-no-actor"),
    "An object is believed to be where its id says if the numbers of the operations agree.",
    law: "api.foreign-objects",
    in: "Sources/MergeEngine/Store/Core.swift",
    "actors.ids[Int(record.actor)] == id.actor",
    becomes: "true"
  ),
  SourcePatch(
    .engine("unknown-object-is-root"),
    "An object that the document does not know is taken for the root.",
    law: "refusals.are-refused",
    in: "Sources/MergeEngine/Store/Core.swift",
    "throw .unknownObject(id)",
    becomes: "return .root",
    as: .statements
  ),
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

  // MARK: IDIndex.swift

  SourcePatch(
    .engine("index-page-loses-last"),
    "A run that fills a page of the index by id leaves out the page's last element.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Store/IDIndex.swift",
    "for at in Int(begin)..<Int(begin + here) { pages[lastPage + at] = leaf }",
    becomes: """
      for at in Int(begin)..<Int(begin + here) where at < 63 || here < 64 {
        pages[lastPage + at] = leaf
      }
      """,
    as: .statements
  ),

  // MARK: OpCollector.swift

  SourcePatch(
    .engine("sort-skips-low-digit"),
    "More than 256 runs of operations are sorted without a digit in which only one bit differs.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/OpCollector.swift",
    "differing >> shift & mask == 0",
    becomes: "differing >> shift & mask <= 1"
  ),
  SourcePatch(
    .engine("collector-orders-by-meeting"),
    "Successors are written in the order in which actors were met.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Store/OpCollector.swift",
    "left == right ? $0 < $1 : core.precedes(left, right)",
    becomes: "left == right ? $0 < $1 : left.raw < right.raw"
  ),

  // MARK: RowIndex.swift

  // Not wrong but quadratic: many values of one key, each looked for from an end.
  SourcePatch(
    .engine("never-indexes-rows"),
    "A value among many of one key is always looked for one by one.",
    law: "bomb.quadratic-register",
    in: "Sources/MergeEngine/Store/RowIndex.swift",
    "known == Self.walkedOnce",
    becomes: "known != Self.walkedOnce"
  ),
  SourcePatch(
    .tight("oldest-row-is-second"),
    "A value older than all of a register with many is entered behind the oldest.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/RowIndex.swift",
    "place(of: entry.id, core) ?? (0, -1)",
    becomes: "place(of: entry.id, core) ?? (0, 0)"
  ),
]
