/// Bugs of the patches between two states of a document: what is compared, where a patch stands, and
/// what joins.
let engineDifferencePatches: [SourcePatch] = [
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
    "changedMarks[place].range.upperBound == index",
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
    "marks.others.append(MarkChange(name: name, text: text, value: value))",
    becomes: "_ = name",
    as: .statements
  ),
]
