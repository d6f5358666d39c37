import NaiveCoder

// What a value is stored as.
// What a type becomes decides whether other apps, and other languages, read it. A coder that is the
// only reader of its output may never notice: several of these return the value that went in.
let storingMutants: [CoderMutant] = [
  CoderMutant(
    "refusals-end-at-container",
    "The path of a value that is refused lacks its last step."
  ) {
    $0.namesPathOfRefusedValues = false
  },
  CoderMutant("explicit-nil-dropped", "An explicit nil is not written at all (#190).") {
    $0.writesExplicitNulls = false
  },
  CoderMutant("url-stored-as-map", "A URL becomes a map with its relative part (#136).") {
    $0.storesURLsAsStrings = false
  },
  CoderMutant("data-stored-as-list", "Data becomes a list of numbers.") {
    $0.storesDataAsBytes = false
  },
  CoderMutant("unsigned-stored-as-signed", "Unsigned integers are stored as signed ones.") {
    $0.storesUnsignedAsUnsigned = false
  },
  CoderMutant("payload-one-level-up", "Containers of a payload land beside their case (#223).") {
    $0.nestsPayloads = false
  },
  CoderMutant("empty-containers-dropped", "Empty maps and lists are not written.") {
    $0.keepsEmptyContainers = false
  },
  CoderMutant("strings-normalised", "Strings are stored in composed normal form.") {
    $0.keepsScalarsOfStrings = false
  },
  CoderMutant("non-finite-stored", "Floats that are no finite number are stored.") {
    $0.refusesNonFinite = false
  },
  CoderMutant("integer-keys-accepted", "A dictionary with integer keys becomes a map.") {
    $0.refusesIntegerKeys = false
  },
  CoderMutant(
    "number-like-keys-refused",
    "A key that looks like a number is taken for an index (2024)."
  ) { $0.takesNumberLikeKeys = false },
  CoderMutant("user-info-dropped", "User info does not reach the value.") {
    $0.passesUserInfo = false
  },
  CoderMutant("encodes-are-counted", "Each value is encoded with the number of those before it.") {
    $0.forgetsLastValue = false
  },
  CoderMutant("deep-values-cut", "What nests deep becomes null.") { $0.refusesTooDeep = false },
  CoderMutant("nulls-in-lists-dropped", "A null in a list writes nothing and does not advance.") {
    $0.keepsNullsInLists = false
  },
]
