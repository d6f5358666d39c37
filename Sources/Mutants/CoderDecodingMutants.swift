import ModelGeneration
import NaiveCoder

// Reading.
// Real documents were written by other apps, versions and languages. JavaScript has one type of
// number, Swift many; a conflict has several values; a list has elements of several kinds. A
// decoder that was tried on the output of its own encoder alone may have most of these bugs.
let decodingMutants: [CoderMutant] = [
  CoderMutant("float-refuses-integers", "A float does not read an integer (#153).") {
    $0.decoding.floatsReadIntegers = false
  },
  CoderMutant("float-refuses-infinity", "A stored infinity counts as a number that does not fit.") {
    $0.decoding.floatsReadInfinity = false
  },
  CoderMutant("string-refuses-texts", "A string does not read a text.") {
    $0.decoding.stringsReadTexts = false
  },
  CoderMutant("integers-keep-their-sign", "A signed integer does not read an unsigned one.") {
    $0.decoding.integersCrossSigns = false
  },
  CoderMutant("integers-wrap", "An integer that does not fit is cut to its lowest bits.") {
    $0.decoding.refusesOutOfRange = false
  },
  CoderMutant("one-past-is-last", "An integer one past the greatest is taken for the greatest.") {
    $0.decoding.refusesOnePast = false
  },
  CoderMutant("conflicts-read-by-age", "Of a conflict the value that was written first is decoded.")
  {
    $0.readsWinners = false
  },
  CoderMutant("other-kinds-are-missing", "A value of another kind is refused as missing.") {
    $0.tellsOtherKindsFromMissing = false
  },
  CoderMutant("paths-end-at-container", "The path of a refusal lacks its last step.") {
    $0.namesWholePath = false
  },
  CoderMutant(
    "mixed-elements-skipped",
    "List elements of another kind than the first are left out."
  ) { $0.keepsMixedElements = false },
  CoderMutant("null-is-missing", "A null is taken for a missing key.") {
    $0.tellsNullFromMissing = false
  },
  CoderMutant("nulls-read-as-false", "A null is taken for false.") {
    $0.readsNullsAsNothing = false
  },
  CoderMutant("decoding-writes", "Decoding writes to the document.") { $0.onlyReads = false },
  CoderMutant("sixth-key-is-last", "Maps are read up to their sixth key.") {
    $0.readsKeysInAnyOrder = false
  },
  CoderMutant("deep-documents-decoded", "Documents of any depth are decoded.") {
    $0.refusesDeepDocuments = false
  },
  CoderMutant("refusals-have-no-path", "What a model refuses is refused without a path.") {
    $0.namesPathOfRefusals = false
  },
]
