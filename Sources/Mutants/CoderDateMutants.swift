import NaiveCoder

// What becomes of dates.
// The defects are those of every format that stores a moment as an integer: a unit that one side
// takes for another (seconds and milliseconds), division that rounds toward zero and so moves dates
// before 1970 the other way, and doubles that no integer holds.
let dateMutants: [CoderMutant] = [
  CoderMutant("early-dates-mirrored", "A date before 1970 is stored as far after it.") {
    $0.keepsSignOfDates = false
  },
  CoderMutant("dates-toward-zero", "Seconds are cut toward 1970.") { $0.roundsDatesDown = false },
  CoderMutant("dates-in-seconds", "Timestamps are stored in seconds (#139).") {
    $0.storesMilliseconds = false
  },
  CoderMutant(
    "milliseconds-cut",
    "Milliseconds are cut toward zero, so that each cycle may lose one."
  ) { $0.roundsMilliseconds = false },
  CoderMutant("peers-milliseconds-lost", "A peer's milliseconds are written over by a re-encode.") {
    $0.keepsPeersMilliseconds = false
  },
  CoderMutant("impossible-dates-zeroed", "A date that no timestamp holds becomes 1970.") {
    $0.refusesImpossibleDates = false
  },
  CoderMutant("dates-decoded-to-seconds", "Decoding drops milliseconds.") {
    $0.decodesDatesExactly = false
  },
]
