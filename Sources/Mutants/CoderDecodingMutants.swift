import ModelGeneration
import NaiveCoder

// Reading.
// Real documents were written by other apps, versions and languages. JavaScript has one type of
// number, Swift many; a conflict has several values; a list has elements of several kinds. A
// decoder that was tried on the output of its own encoder alone may have most of these bugs.
let decodingMutants: [CoderMutant] = [
  CoderMutant(
    "float-refuses-integers",
    "A float does not read an integer (#153).",
    caughtBy: ["float.reads-integer"],
    breaking: \.decoding.floatsReadIntegers
  ),
  CoderMutant(
    "float-refuses-infinity",
    "A stored infinity counts as a number that does not fit.",
    caughtBy: ["float.reads-infinity"],
    breaking: \.decoding.floatsReadInfinity
  ),
  CoderMutant(
    "string-refuses-texts",
    "A string does not read a text.",
    caughtBy: ["string.reads-text"],
    breaking: \.decoding.stringsReadTexts
  ),
  CoderMutant(
    "integers-keep-their-sign",
    "A signed integer does not read an unsigned one.",
    caughtBy: ["containers.calls", "drift.read"],
    breaking: \.decoding.integersCrossSigns
  ),
  CoderMutant(
    "integers-wrap",
    "An integer that does not fit is cut to its lowest bits.",
    caughtBy: ["integers.out-of-range"],
    breaking: \.decoding.refusesOutOfRange
  ),
  CoderMutant(
    "one-past-is-last",
    "An integer one past the greatest is taken for the greatest.",
    caughtBy: ["drift.by-schema"],
    breaking: \.decoding.refusesOnePast
  ),
  CoderMutant(
    "conflicts-read-by-age",
    "Of a conflict the value that was written first is decoded.",
    caughtBy: ["drift.concurrent"],
    breaking: \.readsWinners
  ),
  CoderMutant(
    "other-kinds-are-missing",
    "A value of another kind is refused as missing.",
    caughtBy: ["drift.read"],
    breaking: \.tellsOtherKindsFromMissing
  ),
  CoderMutant(
    "paths-end-at-container",
    "The path of a refusal lacks its last step.",
    caughtBy: ["drift.read", "drift.in-conflict", "drift.typed"],
    breaking: \.namesWholePath
  ),
  CoderMutant(
    "mixed-elements-skipped",
    "List elements of another kind than the first are left out.",
    caughtBy: ["list.mixed"],
    breaking: \.keepsMixedElements
  ),
  CoderMutant(
    "null-is-missing",
    "A null is taken for a missing key.",
    caughtBy: ["null.explicit"],
    breaking: \.tellsNullFromMissing
  ),
  CoderMutant(
    "nulls-read-as-false",
    "A null is taken for false.",
    caughtBy: ["null.reads-as-nil"],
    breaking: \.readsNullsAsNothing
  ),
  CoderMutant(
    "decoding-writes",
    "Decoding writes to the document.",
    caughtBy: ["reencode.unchanged", "arbitrary.read"],
    breaking: \.onlyReads
  ),
  CoderMutant(
    "sixth-key-is-last",
    "Maps are read up to their sixth key.",
    caughtBy: ["concurrent.converges"],
    breaking: \.readsKeysInAnyOrder
  ),
  CoderMutant(
    "deep-documents-decoded",
    "Documents of any depth are decoded.",
    caughtBy: ["depth.refused"],
    breaking: \.refusesDeepDocuments
  ),
  CoderMutant(
    "refusals-have-no-path",
    "What a model refuses is refused without a path.",
    caughtBy: ["enum.unknown-raw"],
    breaking: \.namesPathOfRefusals
  ),
]
