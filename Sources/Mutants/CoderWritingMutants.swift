import NaiveCoder

// Writing over what is there.
// An encode over existing content has two ways to be wrong: too little goes (old keys, surplus
// elements), or too much is written (what is the same, as new operations that beat the edits of a
// peer). The second kind shows only in the history or after a merge.
let writingMutants: [CoderMutant] = [
  CoderMutant("old-keys-kept", "Keys that are no longer written stay.") {
    $0.removesSurplusKeys = false
  },
  CoderMutant("arrays-never-shrink", "Surplus list elements stay (#54).") {
    $0.removesSurplusElements = false
  },
  CoderMutant("old-case-kept", "The key of an enumeration's old case stays (#217).") {
    $0.removesOldCase = false
  },
  CoderMutant("lists-reinserted", "A list is inserted again and the old one deleted.") {
    $0.comparesLists = false
  },
  CoderMutant("lists-of-others-reinserted", "A list that another writer wrote is inserted again.") {
    $0.comparesListsOfOthers = false
  },
  CoderMutant("twins-in-sets-removed", "What two writers added to a set is made one by a save.") {
    $0.keepsTwinsInSets = false
  },
  CoderMutant("elements-by-position", "List elements are matched by position alone.") {
    $0.matchesElements = false
  },
  CoderMutant("identities-ignored", "An element with another id is written into the old one.") {
    $0.tellsIdentities = false
  },
  CoderMutant("objects-replaced", "Every encode makes new maps and lists.") {
    $0.reusesObjects = false
  },
  CoderMutant("scalars-rewritten", "Scalars that are there are written again.") {
    $0.comparesScalars = false
  },
  CoderMutant("half-written", "An encode that throws leaves what it wrote so far.") {
    $0.isAtomic = false
  },
  CoderMutant("mismatches-replaced", "A container silently replaces what does not fit.") {
    $0.refusesMismatches = false
  },
  CoderMutant("siblings-cleaned", "Encoding at a path removes what stands beside it (#57).") {
    $0.staysBelowPath = false
  },
  CoderMutant("element-inserted-at-path", "Encoding at an index inserts instead of replacing.") {
    $0.replacesElementAtPath = false
  },
  CoderMutant("list-roots-ignored", "A list at the root is accepted and not written.") {
    $0.refusesListRoots = false
  },
  // This one and the next three compare too little, so that a change is taken for none and is lost.
  CoderMutant("strings-equal-by-look", "Strings that look alike are taken for equal.") {
    $0.comparesStringsExactly = false
  },
  CoderMutant(
    "integers-compared-short",
    "Integers that share their lower halves are taken for equal."
  ) {
    $0.comparesIntegersWhole = false
  },
  CoderMutant(
    "integers-equal-by-bits",
    "An integer is taken for the one of other sign with its bits."
  ) {
    $0.comparesKindsOfIntegers = false
  },
  CoderMutant(
    "other-kinds-rewritten",
    "A number that a peer stored as another kind of number is written again."
  ) {
    $0.keepsOtherKindsOfNumbers = false
  },
  CoderMutant(
    "other-forms-rewritten",
    "A UUID in lower case, or a float that rounds to the value's, is written again."
  ) {
    $0.keepsOtherForms = false
  },
  CoderMutant("strings-equal-by-start", "A string is not written over one that begins with it.") {
    $0.comparesStringsToTheEnd = false
  },
  CoderMutant("long-lists-cut", "Elements of a list behind the first 64 are not written.") {
    $0.writesLongLists = false
  },
  CoderMutant("order-of-keys-counts", "Keys that come in another order are rewritten.") {
    $0.comparesKeysInAnyOrder = false
  },
]
