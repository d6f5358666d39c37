import NaiveCoder

// Writing over what is there.
// An encode over existing content has two ways to be wrong: too little goes (old keys, surplus
// elements), or too much is written (what is the same, as new operations that beat the edits of a
// peer). The second kind shows only in the history or after a merge.
let writingMutants: [CoderMutant] = [
  CoderMutant(
    "old-keys-kept",
    "Keys that are no longer written stay.",
    caughtBy: ["reencode.over-value", "unknown.removed"],
    breaking: \.removesSurplusKeys
  ),
  CoderMutant(
    "arrays-never-shrink",
    "Surplus list elements stay (#54).",
    caughtBy: ["reencode.over-value", "reencode.over-unordered", "reencode.over-pairs"],
    breaking: \.removesSurplusElements
  ),
  CoderMutant(
    "old-case-kept",
    "The key of an enumeration's old case stays (#217).",
    caughtBy: ["reencode.over-value"],
    breaking: \.removesOldCase
  ),
  CoderMutant(
    "wholes-written-part-by-part",
    "The ends of a range are written one by one, each over the old one.",
    caughtBy: ["concurrent.decodes"],
    breaking: \.writesWholes
  ),
  CoderMutant(
    "cases-written-in-place",
    "Another case of an enumeration is written into the map of the old one.",
    caughtBy: ["concurrent.decodes"],
    breaking: \.replacesCases
  ),
  CoderMutant(
    "cases-that-grow-replaced",
    "An enumeration whose case has got a further value is written anew.",
    caughtBy: ["concurrent.in-one-case"],
    breaking: \.keepsCasesThatGrow
  ),
  CoderMutant(
    "values-of-pairs-written-in-place",
    "The new value of a dictionary's pair is put over the old one.",
    caughtBy: ["concurrent.decodes"],
    breaking: \.replacesPairs
  ),
  CoderMutant(
    "rows-by-content",
    "Elements of a list that a type wrote by hand are looked for by content.",
    caughtBy: ["concurrent.decodes"],
    breaking: \.writesRowsInPlace
  ),
  CoderMutant(
    "lists-reinserted",
    "A list is inserted again and the old one deleted.",
    caughtBy: [
      "reencode.unchanged", "reencode.story", "list.fewest-operations", "merge.same-value",
      "document.reloads", "reference.own-element",
    ],
    breaking: \.comparesLists
  ),
  CoderMutant(
    "lists-of-others-reinserted",
    "A list that another writer wrote is inserted again.",
    caughtBy: ["merge.same-value"],
    breaking: \.comparesListsOfOthers
  ),
  CoderMutant(
    "twins-in-sets-removed",
    "What two writers added to a set is made one by a save.",
    caughtBy: ["merge.sets"],
    breaking: \.keepsTwinsInSets
  ),
  CoderMutant(
    "elements-by-position",
    "List elements are matched by position alone.",
    caughtBy: [
      "list.fewest-in-structs", "list.remove-one", "list.edit-one", "merge.remove-and-edit",
      "text.remove-one",
    ],
    breaking: \.matchesElements
  ),
  CoderMutant(
    "identities-ignored",
    "An element with another id is written into the old one.",
    caughtBy: ["list.other-identity"],
    breaking: \.tellsIdentities
  ),
  CoderMutant(
    "objects-replaced",
    "Every encode makes new maps and lists.",
    caughtBy: ["reencode.unchanged"],
    breaking: \.reusesObjects
  ),
  CoderMutant(
    "scalars-rewritten",
    "Scalars that are there are written again.",
    caughtBy: ["reencode.one-change"],
    breaking: \.comparesScalars
  ),
  CoderMutant(
    "half-written",
    "An encode that throws leaves what it wrote so far.",
    caughtBy: ["reencode.over-drift", "encode.atomic", "arbitrary.written"],
    breaking: \.isAtomic
  ),
  CoderMutant(
    "mismatches-replaced",
    "A container silently replaces what does not fit.",
    caughtBy: ["strategy.create-refuses"],
    breaking: \.refusesMismatches
  ),
  CoderMutant(
    "siblings-cleaned",
    "Encoding at a path removes what stands beside it (#57).",
    caughtBy: ["path.siblings"],
    breaking: \.staysBelowPath
  ),
  CoderMutant(
    "element-inserted-at-path",
    "Encoding at an index inserts instead of replacing.",
    caughtBy: ["path.element"],
    breaking: \.replacesElementAtPath
  ),
  CoderMutant(
    "list-roots-ignored",
    "A list at the root is accepted and not written.",
    caughtBy: ["root.keyed"],
    breaking: \.refusesListRoots
  ),
  // This one and the next three compare too little, so that a change is taken for none and is lost.
  CoderMutant(
    "strings-equal-by-look",
    "Strings that look alike are taken for equal.",
    caughtBy: ["reencode.over-twin", "strings.normal-form"],
    breaking: \.comparesStringsExactly
  ),
  CoderMutant(
    "integers-compared-short",
    "Integers that share their lower halves are taken for equal.",
    caughtBy: ["reencode.one-leaf"],
    breaking: \.comparesIntegersWhole
  ),
  CoderMutant(
    "integers-equal-by-bits",
    "An integer is taken for the one of other sign with its bits.",
    caughtBy: ["reencode.over-twin", "reencode.over-drift"],
    breaking: \.comparesKindsOfIntegers
  ),
  CoderMutant(
    "other-kinds-rewritten",
    "A number that a peer stored as another kind of number is written again.",
    caughtBy: ["reencode.over-other-kinds"],
    breaking: \.keepsOtherKindsOfNumbers
  ),
  CoderMutant(
    "other-forms-rewritten",
    "A UUID in lower case, or a float that rounds to the value's, is written again.",
    caughtBy: ["reencode.over-other-forms"],
    breaking: \.keepsOtherForms
  ),
  CoderMutant(
    "strings-equal-by-start",
    "A string is not written over one that begins with it.",
    caughtBy: ["reencode.over-value"],
    breaking: \.comparesStringsToTheEnd
  ),
  CoderMutant(
    "long-lists-cut",
    "Elements of a list behind the first 64 are not written.",
    caughtBy: ["merge.same-value"],
    breaking: \.writesLongLists
  ),
  CoderMutant(
    "order-of-keys-counts",
    "Keys that come in another order are rewritten.",
    caughtBy: ["keys.any-order"],
    breaking: \.comparesKeysInAnyOrder
  ),
]
