import NaiveCoder

// Texts and counters.
// A text and a counter merge only as long as edits are edits: what is rewritten instead of
// changed takes the concurrent edits of others away, and what is added twice counts twice. All of
// these look right to one device with one value.
let referenceMutants: [CoderMutant] = [
  CoderMutant(
    "foreign-text-empty",
    "A text bound to another document is written as an empty one.",
    caughtBy: ["text.from-elsewhere"],
    breaking: \.writesForeignTexts
  ),
  CoderMutant(
    "references-alone-not-found",
    "A text or counter alone is not looked for under `value`.",
    caughtBy: ["reference.alone"],
    breaking: \.findsReferencesUnderValue
  ),
  CoderMutant(
    "text-rewritten",
    "A text is deleted and rewritten, character by character.",
    caughtBy: ["text.merges"],
    breaking: \.editsTextsByDifference
  ),
  CoderMutant(
    "text-replaced",
    "Every encode makes a new text (#60).",
    caughtBy: ["text.kept"],
    breaking: \.reusesTexts
  ),
  CoderMutant(
    "text-never-emptied",
    "An empty text leaves the document's.",
    caughtBy: ["text.emptied"],
    breaking: \.replacesTextsByEmpty
  ),
  CoderMutant(
    "encode-does-not-bind",
    "Encoding leaves texts and counters unbound.",
    caughtBy: ["text.binds"],
    breaking: \.bindsOnEncode
  ),
  CoderMutant(
    "encode-binds-texts-only",
    "Encoding binds texts and leaves counters unbound.",
    caughtBy: ["counter.bound-by-encode"],
    breaking: \.bindsCountersOnEncode
  ),
  CoderMutant(
    "equal-counters-stay-unbound",
    "Encoding a counter over an equal one leaves it unbound.",
    caughtBy: ["counter.bound-in-lists"],
    breaking: \.bindsOverEqual
  ),
  CoderMutant(
    "decode-does-not-bind",
    "Decoding gives unbound texts and counters.",
    caughtBy: ["counter.binds"],
    breaking: \.bindsOnDecode
  ),
  CoderMutant(
    "counter-mirrored",
    "A counter over another adds the difference the wrong way (#64).",
    caughtBy: ["reencode.over-value", "counter.adds", "counter.set"],
    breaking: \.setsCountersByDifference
  ),
  CoderMutant(
    "counter-doubles",
    "Each re-encode of a decoded counter doubles it.",
    caughtBy: ["reencode.unchanged", "counter.unchanged"],
    breaking: \.leavesBoundCounters
  ),
  CoderMutant(
    "moved-counters-zeroed",
    "A counter that moves in its list starts again.",
    caughtBy: ["reference.moves"],
    breaking: \.writesMovedCounters
  ),
  CoderMutant(
    "branches-bound-by-index",
    "A counter that was encoded on a branch is bound to the index that it had there.",
    caughtBy: ["reference.based-on"],
    breaking: \.bindsBranchesByElement
  ),
  CoderMutant(
    "counter-bound-anew",
    "A counter that is encoded at a second place is bound there.",
    caughtBy: ["reference.stays-bound", "reference.shared"],
    breaking: \.keepsBindings
  ),
  CoderMutant(
    "binding-empties-texts",
    "An empty text that is bound to another empties it.",
    caughtBy: ["reference.binds-to-places"],
    breaking: \.bindsEmptyTextsAsTheyAre
  ),
  CoderMutant(
    "binding-forgets-counts",
    "A counter that is bound to a place brings no count along.",
    caughtBy: ["reference.binds-to-places"],
    breaking: \.bindingAddsCounts
  ),
  CoderMutant(
    "counter-set-adds-all",
    "Setting a bound counter adds the whole new number.",
    caughtBy: ["counter.sets-add"],
    breaking: \.setsByDifference
  ),
  CoderMutant(
    "texts-turn-into-strings",
    "A string over a text takes its place.",
    caughtBy: ["text.under-string"],
    breaking: \.keepsTextsUnderStrings
  ),
  CoderMutant(
    "sets-known-by-content",
    "A set's texts and counters are known by what they hold.",
    caughtBy: ["reference.story"],
    breaking: \.knowsBoundElements
  ),
  CoderMutant(
    "moved-texts-bound-to-strings",
    "A text that has moved stays bound to where a string is now.",
    caughtBy: ["reference.story"],
    breaking: \.stringsTakePlaces
  ),
]
