import NaiveCoder

// What a value is stored as.
// What a type becomes decides whether other apps, and other languages, read it. A coder that is the
// only reader of its output may never notice: several of these return the value that went in.
let storingMutants: [CoderMutant] = [
  CoderMutant(
    "refusals-end-at-container",
    "The path of a value that is refused lacks its last step.",
    caughtBy: ["floats.non-finite-below", "containers.say-where"],
    breaking: \.namesPathOfRefusedValues
  ),
  CoderMutant(
    "explicit-nil-dropped",
    "An explicit nil is not written at all (#190).",
    caughtBy: ["null.explicit"],
    breaking: \.writesExplicitNulls
  ),
  CoderMutant(
    "url-stored-as-map",
    "A URL becomes a map with its relative part (#136).",
    caughtBy: ["leaves.exact", "document.tree", "path.values"],
    breaking: \.storesURLsAsStrings
  ),
  CoderMutant(
    "data-stored-as-list",
    "Data becomes a list of numbers.",
    caughtBy: ["roundtrip.value", "roundtrip.equality", "roundtrip.fixpoint"],
    breaking: \.storesDataAsBytes
  ),
  CoderMutant(
    "unsigned-stored-as-signed",
    "Unsigned integers are stored as signed ones.",
    caughtBy: ["integers.exact"],
    breaking: \.storesUnsignedAsUnsigned
  ),
  CoderMutant(
    "payload-one-level-up",
    "Containers of a payload land beside their case (#223).",
    caughtBy: ["payload.nested"],
    breaking: \.nestsPayloads
  ),
  CoderMutant(
    "empty-containers-dropped",
    "Empty maps and lists are not written.",
    caughtBy: ["containers.nested", "containers.inherited", "containers.filled-late"],
    breaking: \.keepsEmptyContainers
  ),
  CoderMutant(
    "strings-normalised",
    "Strings are stored in composed normal form.",
    caughtBy: ["strings.exact"],
    breaking: \.keepsScalarsOfStrings
  ),
  CoderMutant(
    "non-finite-stored",
    "Floats that are no finite number are stored.",
    caughtBy: ["floats.non-finite"],
    breaking: \.refusesNonFinite
  ),
  CoderMutant(
    "integer-keys-accepted",
    "A dictionary with integer keys becomes a map.",
    caughtBy: ["keys.integers-refused"],
    breaking: \.refusesIntegerKeys
  ),
  CoderMutant(
    "number-like-keys-refused",
    "A key that looks like a number is taken for an index (2024).",
    caughtBy: ["keys.number-like"],
    breaking: \.takesNumberLikeKeys
  ),
  CoderMutant(
    "user-info-dropped",
    "User info does not reach the value.",
    caughtBy: ["userinfo.reaches"],
    breaking: \.passesUserInfo
  ),
  CoderMutant(
    "encodes-are-counted",
    "Each value is encoded with the number of those before it.",
    caughtBy: ["encode.deterministic"],
    breaking: \.forgetsLastValue
  ),
  CoderMutant(
    "deep-values-cut",
    "What nests deep becomes null.",
    caughtBy: ["depth.limited"],
    breaking: \.refusesTooDeep
  ),
  CoderMutant(
    "nulls-in-lists-dropped",
    "A null in a list writes nothing and does not advance.",
    caughtBy: ["document.tree"],
    breaking: \.keepsNullsInLists
  ),
  CoderMutant(
    "second-values-taken",
    "A second value for one place is written over the first, or dropped.",
    caughtBy: ["containers.one-kind"],
    breaking: \.refusesSecondValues
  ),
  CoderMutant(
    "dictionaries-as-hashed",
    "A dictionary is written in the order of its hash table.",
    caughtBy: ["encode.deterministic"],
    breaking: \.sortsDictionaries
  ),
]
