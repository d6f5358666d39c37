/// Bugs of the engine in what is asked of a document: cursors, marks, patches.
let engineReadingPatches: [SourcePatch] = [
  // MARK: ElementCursor.swift

  SourcePatch(
    .document("start-cursor-read-as-end"),
    "The bytes of the cursor of the start are read as that of the end.",
    law: "api.any-cursor",
    in: "Sources/MergeEngine/Cursors/ElementCursor.swift",
    "return .start",
    becomes: "return .end",
    as: .statements
  ),
  SourcePatch(
    .document("cursor-takes-any-spelling"),
    "The text of a cursor may have a plus sign, leading zeros and capital digits.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Cursors/ElementCursor.swift",
    "description == text",
    becomes: "true"
  ),
  SourcePatch(
    .document("old-cursors-move-before"),
    "A cursor in the old form moves before once its element is deleted.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Cursors/ElementCursor.swift",
    "return .element(try readOperation(&cursor), .after)",
    becomes: "return .element(try readOperation(&cursor), .before)",
    as: .statements
  ),
  SourcePatch(
    .document("cursor-of-number-zero"),
    "A cursor is read whose element has the number 0.",
    law: "api.any-cursor",
    in: "Sources/MergeEngine/Cursors/ElementCursor.swift",
    "exact > 0",
    becomes: "true"
  ),
  SourcePatch(
    .document("cursor-of-no-writer"),
    "A cursor whose writer has an id of no bytes is not read from its text.",
    law: "api.any-cursor",
    in: "Sources/MergeEngine/Cursors/ElementCursor.swift",
    "parts.count == 2",
    becomes: "parts.count == 2 && !parts[1].isEmpty"
  ),

  // MARK: MergeDocument+Cursors.swift

  SourcePatch(
    .engine("cursor-forgets-its-way"),
    "A cursor that is to move back is made as one that moves on.",
    law: "cursors.agree",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "ElementCursor(.element(core.publicID(id), move))",
    becomes: "ElementCursor(.element(core.publicID(id), .after))"
  ),
  SourcePatch(
    .engine("cursor-takes-first-writer-for-start"),
    "A cursor that moves back takes an element of the writer that its replica knew first for the start.",
    law: "cursors.meet",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "!reference.isNone",
    becomes: "reference.raw & 0xFFFF != 0"
  ),
  SourcePatch(
    .engine("cursor-counts-deleted"),
    "A cursor at earlier heads counts elements of its run that were deleted by then.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "isTarget ? min(part.to, place.offset) : part.to",
    becomes: "isTarget ? place.offset : part.to"
  ),
  SourcePatch(
    .engine("cursor-before-its-element"),
    "A cursor has a place at heads at which its element was not there yet.",
    law: "cursors.past",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "clock?.covers(packed) ?? true",
    becomes: "true"
  ),
  SourcePatch(
    .engine("cursor-moves-wrong-way"),
    "A cursor that is to move behind its deleted element moves back along what it was inserted behind.",
    law: "cursors.agree",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "move == .before",
    becomes: "true"
  ),
  SourcePatch(
    .document("cursor-at-a-mark"),
    "A cursor that names the begin or end of a mark has a place.",
    law: "api.any-cursor",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "!runs[at(place)].isMark",
    becomes: "true"
  ),

  // MARK: Core+Marks.swift

  SourcePatch(
    .engine("equal-marks-stay-two"),
    "Two marks of one name and value that touch are two.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "if let value, let open = stretches[name], open.value.isEqual(to: value) { return }",
    becomes: "_ = position",
    as: .statements
  ),
  SourcePatch(
    .engine("empty-marks-close-first"),
    "The end of a mark over nothing stands before its begin.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "end.reference == start.reference",
    becomes: "false"
  ),
  SourcePatch(
    .document("nan-marks-never-end"),
    "A mark whose value is not a number covers all behind it.",
    law: "api.mark-values",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "scattered[name] = nil",
    becomes: "_ = name",
    as: .statements
  ),
  SourcePatch(
    .document("mark-ends-without-limit"),
    "A mark is made where the limit leaves room for its begin alone.",
    law: "api.mark-limit",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "emptyElementCount + 2 <= limits.emptyElementLimit",
    becomes: "emptyElementCount + 1 <= limits.emptyElementLimit"
  ),
  SourcePatch(
    .document("marks-cut-by-nothing"),
    "An element without width ends the marks that it is not in.",
    law: "api.mark-values",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "if width == 0 { return }",
    becomes: "_ = width",
    as: .statements
  ),
  SourcePatch(
    .document("scattered-mark-by-units"),
    "A mark that is equal to no value covers each unit by itself in place of each element.",
    law: "api.mark-values",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "range.count / elementCount",
    becomes: "1"
  ),

  // MARK: MergeDocument+Spans.swift

  SourcePatch(
    .document("ended-marks-span-on"),
    "A span of text still has the marks that end where it begins.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Marks/MergeDocument+Spans.swift",
    "$0.range.upperBound <= next",
    becomes: "$0.range.upperBound < next"
  ),
  SourcePatch(
    .engine("mark-behind-block-begins-late"),
    "Spans pass by the marks that begin or end at a block.",
    law: "marks.spans",
    in: "Sources/MergeEngine/Marks/MergeDocument+Spans.swift",
    """
    cut()
          endRun()
          spans.append(.block(block))
    """,
    becomes: """
      endRun()
            spans.append(.block(block))
      """,
    as: .statements
  ),
  SourcePatch(
    .document("spans-count-characters"),
    "Positions of spans count characters, and not units.",
    law: "api.wide-characters",
    in: "Sources/MergeEngine/Marks/MergeDocument+Spans.swift",
    "position += count * piece.width",
    becomes: "position += count",
    as: .statements
  ),

  // MARK: OpenMarks.swift

  SourcePatch(
    .engine("mark-heap-last-child"),
    "Of several open marks of a name an older one wins once the newest has ended.",
    law: "agreement.marks",
    in: "Sources/MergeEngine/Marks/OpenMarks.swift",
    "child + 1 < heap.count",
    becomes: "child + 1 < heap.count - 1"
  ),
  SourcePatch(
    .document("equal-marks-as-they-come"),
    "Of two marks with equal counters the one that begins first wins.",
    law: "api.equal-marks",
    in: "Sources/MergeEngine/Marks/OpenMarks.swift",
    "UInt64(row.counter) << 16 | UInt64(rank)",
    becomes: "UInt64(row.counter) << 16"
  ),
  SourcePatch(
    .engine("marks-tie-by-arrival"),
    "Of two marks with one counter the one wins whose writer came later.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Marks/OpenMarks.swift",
    "UInt64(row.counter) << 16 | UInt64(rank)",
    becomes: "UInt64(row.counter) << 16 | UInt64(row.actor)"
  ),

  // MARK: MarkComparison.swift

  SourcePatch(
    .engine("patch-keeps-old-marks"),
    "A mark that the second state does not have is not taken away from what stays.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/MarkComparison.swift",
    "(old[name] ?? .null).isSame(as: new[name] ?? .null)",
    becomes: "new[name] == nil || (old[name] ?? .null).isSame(as: new[name] ?? .null)"
  ),
  SourcePatch(
    .engine("patch-takes-names-for-one"),
    "Of marks over typed text whose names are canonically equivalent one is told.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/MarkComparison.swift",
    "marks.others.changes.append(MarkChange(name: name, text: text, value: value))",
    becomes: "_ = name",
    as: .statements
  ),
  SourcePatch(
    .engine("mark-changes-are-stale"),
    "A patch tells the marks that changed at the stretch before.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/MarkComparison.swift",
    "(typed, changes, shown) = (nil, nil, nil)",
    becomes: "(typed, shown) = (nil, nil)",
    as: .statements
  ),
  SourcePatch(
    .engine("marks-gathered-for-each-element"),
    "Patches gather all marks anew for each element that is inserted.",
    law: "bomb.patches-under-marks",
    in: "Sources/MergeEngine/Patches/MarkComparison.swift",
    "shown = found",
    becomes: "shown = nil",
    as: .statements
  ),

  // MARK: PatchWalk.swift

  SourcePatch(
    .engine("patch-marks-by-number"),
    "Patches let another one of two concurrent marks win than the document does.",
    law: "patches.marks",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "places[Int(run.actor)]",
    becomes: "run.actor"
  ),
  SourcePatch(
    .engine("patch-of-replaced-stays-behind"),
    "The index does not pass an element of a list that is put again.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    """
    writer.add(.put(prop, value, isConflict: change.isConflict))
          writer.keep(width, marks.changesHere(core))
          return
    """,
    becomes: """
      writer.add(.put(prop, value, isConflict: change.isConflict))
      return
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("patch-deletes-new-width"),
    "Of an element of a text that is put again, as many units are deleted as the new value has.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    """
    if let old = change.before { writer.delete(Int(core.width(stretch(old), in: object))) }
          if core.rows[row].action == .set {
            writer.type(core.text(of: stretch(row)), width: width, marks.now(core))
          } else {
            writer.insert(value, width: width, marks.all(core))
          }
    """,
    becomes: """
      if change.before != nil { writer.delete(width) }
      if core.rows[row].action == .set {
        writer.type(core.text(of: stretch(row)), width: width, marks.now(core))
      } else {
        writer.insert(value, width: width, marks.all(core))
      }
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("patch-place-counts-as-object"),
    "An object that another one hid counts as shown, since something was shown in its place.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    """
    if change.before == row {
            noteKept(row, change: change, in: register, at: prop, from: first, core, &writer)
          } else {
            writer.add(.put(prop, value, isConflict: change.isConflict))
          }
          enter(value, at: prop, wasThere: change.before == row, writer, core)
    """,
    becomes: """
      if change.before == row {
        noteKept(row, change: change, in: register, at: prop, from: first, core, &writer)
      } else {
        writer.add(.put(prop, value, isConflict: change.isConflict))
      }
      enter(value, at: prop, wasThere: change.before != nil, writer, core)
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("patch-shown-again-was-there"),
    "The keys of a map that is shown again are compared with what they were.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "core.isVisible(scan, in: register, at: first)",
    becomes: "core.isVisible(scan, in: register, at: before)"
  ),
  SourcePatch(
    .engine("patch-passes-counters"),
    "A counter of a map that stays is passed without a look at its sum.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "!core.rows[row].isCounter",
    becomes: "true"
  ),
  SourcePatch(
    .engine("patch-visits-by-arrival"),
    "Objects of equal counters are visited in the order in which their actors came to the replica.",
    law: "patches.same-everywhere",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "UInt64(places[Int(actor)])",
    becomes: "UInt64(actor)"
  ),
  SourcePatch(
    .engine("patch-adds-nothing"),
    "A counter that stays is added to by nothing.",
    law: "patches.none-between-equals",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "old != new",
    becomes: "true"
  ),
  SourcePatch(
    .engine("patch-repeats-conflicts"),
    "A conflict that both states show is told as one that begins.",
    law: "patches.conflicts",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "change.isConflict && !change.wasConflict",
    becomes: "change.isConflict"
  ),
  SourcePatch(
    .document("conflict-of-grown-counter-untold"),
    "A counter that has grown and is in conflict is told to have grown alone.",
    law: "api.registers",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "writer.add(.increment(prop, new &- old))",
    becomes: "writer.add(.increment(prop, new &- old))\n      return",
    as: .statements
  ),
  SourcePatch(
    .engine("patches-insert-without-conflict"),
    "No patch tells of a conflict in an element that is new.",
    law: "patches.conflicts",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "if change.isConflict && width > 0 { writer.add(.conflict(prop)) }",
    becomes: "_ = width",
    as: .statements
  ),
  SourcePatch(
    .engine("patches-insert-without-marks"),
    "Patches insert in a list under no marks.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "writer.insert(value, width: unit, marks.all(core))",
    becomes: "writer.insert(value, width: unit, NotedMarks())",
    as: .statements
  ),
  SourcePatch(
    .document("patch-paths-count-elements"),
    "The path of a patch counts the objects that are kept before it, and not their units.",
    law: "api.neighbours",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "writer.index + unit * Int(offset &- from)",
    becomes: "writer.index + Int(offset &- from)"
  ),
  SourcePatch(
    .document("visits-out-of-order"),
    "An object that waits to be compared moves up past the wrong ones.",
    law: "api.patch-order",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    """
    visits.swapAt((child - 1) / 2, child)
          child = (child - 1) / 2
    """,
    becomes: """
      visits.swapAt((child - 1) / 2, child)
            child = (child - 2) / 2
      """,
    as: .statements
  ),
  SourcePatch(
    .document("visits-beyond-the-last"),
    "Of objects that wait to be compared one more is looked at than there is.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "child + 1 < visits.count",
    becomes: "child - 1 < visits.count"
  ),
  SourcePatch(
    .document("patch-skips-begin-of-visible"),
    "A difference deletes a whole row of elements where its beginning went.",
    law: "api.near-states",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "[old.from, old.to, new.from, new.to, run.count]",
    becomes: "[old.from, old.to, new.to, run.count]"
  ),
  SourcePatch(
    .document("patch-skips-end-of-visible"),
    "A difference inserts a whole row of elements where its beginning came.",
    law: "api.near-states",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "[old.from, old.to, new.from, new.to, run.count]",
    becomes: "[old.from, old.to, new.from, run.count]"
  ),
  SourcePatch(
    .document("patch-skips-begin-of-old"),
    "A difference leaves elements away that are back in front of a row that stays.",
    law: "api.near-states",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "[old.from, old.to, new.from, new.to, run.count]",
    becomes: "[old.to, new.from, new.to, run.count]"
  ),
  SourcePatch(
    .document("patch-skips-end-of-old"),
    "A difference leaves elements away that came behind a row that stays.",
    law: "api.near-states",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "[old.from, old.to, new.from, new.to, run.count]",
    becomes: "[old.from, new.from, new.to, run.count]"
  ),

  // MARK: PatchWriter.swift

  SourcePatch(
    .engine("patch-joins-over-what-stays"),
    "Text typed behind characters that stay joins the text typed before them.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/PatchWriter.swift",
    "typedEnd == index",
    becomes: "typedEnd >= 0"
  ),
  SourcePatch(
    .engine("patch-marks-reach-over-gaps"),
    "A mark that changes alike at two places changes between them, too.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/PatchWriter.swift",
    "changedMarks[place].range.upperBound >= range.lowerBound",
    becomes: "true"
  ),
  SourcePatch(
    .engine("patch-deletes-one-each"),
    "A deletion that joins another counts as one unit.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/PatchWriter.swift",
    "count + width",
    becomes: "count + 1"
  ),
  SourcePatch(
    .engine("patch-marks-told-in-turns"),
    "Patches tell all marks anew for each element that is kept behind an inserted one.",
    law: "bomb.patches-under-marks",
    in: "Sources/MergeEngine/Patches/PatchWriter.swift",
    "marks.stretch != notedStretch",
    becomes: "marks.stretch != notedStretch || noted[marks.question.rawValue] == nil"
  ),
  SourcePatch(
    .document("patch-joins-clusters"),
    "Text whose characters join with those before is told as one patch with them.",
    law: "api.near-states",
    in: "Sources/MergeEngine/Patches/PatchWriter.swift",
    "!countsClusters || staysApart(text)",
    becomes: "true"
  ),
]
