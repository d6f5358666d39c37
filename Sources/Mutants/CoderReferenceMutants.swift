import NaiveCoder

// Texts and counters.
// A text and a counter merge only as long as edits are edits: what is rewritten instead of
// changed takes the concurrent edits of others away, and what is added twice counts twice. All of
// these look right to one device with one value.
let referenceMutants: [CoderMutant] = [
  CoderMutant("foreign-text-empty", "A text bound to another document is written as an empty one.")
  {
    $0.writesForeignTexts = false
  },
  CoderMutant("text-rewritten", "A text is deleted and rewritten, character by character.") {
    $0.editsTextsByDifference = false
  },
  CoderMutant("text-replaced", "Every encode makes a new text (#60).") { $0.reusesTexts = false },
  CoderMutant("text-never-emptied", "An empty text leaves the document's.") {
    $0.replacesTextsByEmpty = false
  },
  CoderMutant("encode-does-not-bind", "Encoding leaves texts and counters unbound.") {
    $0.bindsOnEncode = false
  },
  CoderMutant("encode-binds-texts-only", "Encoding binds texts and leaves counters unbound.") {
    $0.bindsCountersOnEncode = false
  },
  CoderMutant(
    "equal-counters-stay-unbound",
    "Encoding a counter over an equal one leaves it unbound."
  ) {
    $0.bindsOverEqual = false
  },
  CoderMutant("decode-does-not-bind", "Decoding gives unbound texts and counters.") {
    $0.bindsOnDecode = false
  },
  CoderMutant("counter-mirrored", "A counter over another adds the difference the wrong way (#64).")
  { $0.setsCountersByDifference = false },
  CoderMutant("counter-doubles", "Each re-encode of a decoded counter doubles it.") {
    $0.leavesBoundCounters = false
  },
  CoderMutant("moved-counters-zeroed", "A counter that moves in its list starts again.") {
    $0.writesMovedCounters = false
  },
  CoderMutant(
    "branches-bound-by-index",
    "A counter that was encoded on a branch is bound to the index that it had there."
  ) { $0.bindsBranchesByElement = false },
  CoderMutant("counter-bound-anew", "A counter that is encoded at a second place is bound there.") {
    $0.keepsBindings = false
  },
  CoderMutant("binding-empties-texts", "An empty text that is bound to another empties it.") {
    $0.bindsEmptyTextsAsTheyAre = false
  },
  CoderMutant("binding-forgets-counts", "A counter that is bound to a place brings no count along.")
  {
    $0.bindingAddsCounts = false
  },
  CoderMutant("counter-set-adds-all", "Setting a bound counter adds the whole new number.") {
    $0.setsByDifference = false
  },
  CoderMutant("texts-turn-into-strings", "A string over a text takes its place.") {
    $0.keepsTextsUnderStrings = false
  },
]
