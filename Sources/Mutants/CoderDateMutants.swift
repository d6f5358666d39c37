import NaiveCoder

// What becomes of dates.
// The defects are those of every format that stores a moment as an integer: a unit that one side
// takes for another (seconds and milliseconds), division that rounds toward zero and so moves dates
// before 1970 the other way, and doubles that no integer holds.
let dateMutants: [CoderMutant] = [
  CoderMutant(
    "early-dates-mirrored",
    "A date before 1970 is stored as far after it.",
    caughtBy: ["date.ordered"],
    breaking: \.keepsSignOfDates
  ),
  CoderMutant(
    "dates-toward-zero",
    "Seconds are cut toward 1970.",
    caughtBy: ["date.seconds"],
    breaking: \.roundsDatesDown
  ),
  CoderMutant(
    "dates-in-seconds",
    "Timestamps are stored in seconds (#139).",
    caughtBy: ["document.tree", "date.seconds"],
    breaking: \.storesMilliseconds
  ),
  CoderMutant(
    "milliseconds-cut",
    "Milliseconds are cut toward zero, so that each cycle may lose one.",
    caughtBy: ["date.milliseconds"],
    breaking: \.roundsMilliseconds
  ),
  CoderMutant(
    "peers-milliseconds-lost",
    "A peer's milliseconds are written over by a re-encode.",
    caughtBy: ["date.stable", "date.keeps-milliseconds"],
    breaking: \.keepsPeersMilliseconds
  ),
  CoderMutant(
    "impossible-dates-zeroed",
    "A date that no timestamp holds becomes 1970.",
    caughtBy: ["date.refuses-impossible"],
    breaking: \.refusesImpossibleDates
  ),
  CoderMutant(
    "dates-decoded-to-seconds",
    "Decoding drops milliseconds.",
    caughtBy: ["date.decodes-exactly"],
    breaking: \.decodesDatesExactly
  ),
]
