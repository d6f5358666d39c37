package import ModelGeneration

// The rules as switches, by topic: what is stored, dates, writing over what is there, options of
// the caller, saved documents, texts and counters, decoding. The default of each is right.
// `CoderMutant`s turn one each; the code that asks for a rule has the wrong way beside the right
// one, so that both can be read in one place.

/// The rules of the naive coder, each as it should be; a mutant breaks one.
///
/// Source: Specification/Codable.md.
///
/// A name says what is right: `false` is the bug. A rule without a mutant would be a switch that is
/// never turned, and a mutant without a law that catches it fails the self-test.
package struct NaiveCoderRules: Sendable {
  // What a value is stored as.

  /// An explicit `nil` becomes a null; a key that stays away means something else.
  package var writesExplicitNulls = true
  /// A URL is its absolute string in every position.
  package var storesURLsAsStrings = true
  /// Data is one scalar, not a list of numbers.
  package var storesDataAsBytes = true
  /// `UInt` is a uint, so that 2^63 and more fit.
  package var storesUnsignedAsUnsigned = true
  /// Containers of an enumeration's payload stand below the case's key.
  package var nestsPayloads = true
  /// An empty list or map is written: missing, it would be another value.
  package var keepsEmptyContainers = true
  /// Strings keep their scalars, whatever their normal form.
  package var keepsScalarsOfStrings = true
  /// NaN and infinities are refused as `EncodingError`.
  package var refusesNonFinite = true
  /// What cannot be encoded is refused with the path to the value, not to the container around it.
  package var namesPathOfRefusedValues = true
  /// A dictionary with `Int` keys is refused, an empty one included.
  package var refusesIntegerKeys = true
  /// A dictionary's key that looks like a number is a key.
  package var takesNumberLikeKeys = true
  /// What the caller puts into `userInfo` reaches the value, on both sides.
  package var passesUserInfo = true
  /// An encoder keeps nothing of one value for the next.
  package var forgetsLastValue = true
  /// A second value for one place is refused, not dropped or written over the first.
  package var refusesSecondValues = true
  /// What nests too deep is refused, not cut off.
  package var refusesTooDeep = true
  /// Equal dictionaries are written in one order, whatever their hash tables have.
  package var sortsDictionaries = true
  /// A nested value keeps what it holds when it is an element of a list within a list.
  package var keepsNullsInLists = true

  // Dates.

  /// Seconds are rounded down, before 1970 too.
  package var roundsDatesDown = true
  /// The unit that is stored is the millisecond.
  package var storesMilliseconds = true
  /// Milliseconds are the nearest ones.
  package var roundsMilliseconds = true
  /// A stored timestamp that truncates to the new one stays.
  package var keepsPeersMilliseconds = true
  /// Dates that 64 bits of milliseconds do not hold are refused, not set to 1970.
  package var refusesImpossibleDates = true
  /// A date before 1970 stays before it.
  package var keepsSignOfDates = true
  /// Milliseconds of a stored timestamp come back.
  package var decodesDatesExactly = true

  // Writing over what is there.

  /// Map keys and list elements that are no longer written are removed.
  package var removesSurplusKeys = true
  /// See ``removesSurplusKeys``, of lists.
  package var removesSurplusElements = true
  /// Of an enumeration's map the key of the old case goes (#217).
  package var removesOldCase = true
  /// Only the difference between two lists is written.
  package var comparesLists = true
  /// A list that another writer wrote is compared as well.
  package var comparesListsOfOthers = true
  /// A second element that is equal to one of a set stays: two writers added it.
  package var keepsTwinsInSets = true
  /// Elements are matched by content before they are matched by position.
  package var matchesElements = true
  /// An element with another id, and little alike, is another one.
  package var tellsIdentities = true
  /// An object of the right kind is written into, not replaced.
  package var reusesObjects = true
  /// A scalar that is there already is not written again.
  package var comparesScalars = true
  /// Strings are the same if their scalars are, not if they look so.
  package var comparesStringsExactly = true
  /// Integers are the same if all their bits are, and their kind.
  package var comparesIntegersWhole = true
  /// `int -1` and `uint 18446744073709551615` have one bit pattern, and are two values.
  package var comparesKindsOfIntegers = true
  /// A number stays in the kind in which a peer stored it.
  package var keepsOtherKindsOfNumbers = true
  /// What decodes to the very value stays in the form in which a peer stored it.
  package var keepsOtherForms = true
  /// A string is not the same as one that it begins with.
  package var comparesStringsToTheEnd = true
  /// What means something as a whole alone, as a range does, is written anew where a part of it differs.
  package var writesWholes = true
  /// Another case of an enumeration is another map.
  package var replacesCases = true
  /// A key that has got its first value makes no other case.
  package var keepsCasesThatGrow = true
  /// An element of a list that a type wrote by hand stays at its place.
  package var writesRowsInPlace = true
  /// A changed pair of a dictionary goes with its key, and comes anew.
  package var replacesPairs = true
  /// A list is compared and written to its end, however long it is.
  package var writesLongLists = true
  /// Keys name values, in whatever order they come.
  package var comparesKeysInAnyOrder = true
  /// An encode that throws leaves the document as it was.
  package var isAtomic = true
  /// A container is refused where one of another kind, or a value, stands.
  package var refusesMismatches = true
  /// An encode at a path removes nothing beside it (#57).
  package var staysBelowPath = true
  /// An encode at the index of an element replaces it; at the end of a list it appends.
  package var replacesElementAtPath = true
  /// The root of a document is a map; any other value is refused there.
  package var refusesListRoots = true

  // What the caller asks for.

  /// By `.readonly` no key, element or object is made or removed, and scalars are written.
  package var readonlyCreatesNothing = true
  package var readonlyRemovesNothing = true
  /// By `.readonly` values are written where values stand.
  package var readonlyWritesValues = true
  /// By `.override` a value takes the place of whatever does not fit.
  package var overrideReplaces = true
  /// A cautious encode refuses a scalar over another kind, but fills a null.
  package var cautiousRefuses = true
  package var cautiousFillsNulls = true
  /// By `.preserve` a key that the type never named stays.
  package var preservesUnknownKeys = true
  /// Preserving spares only keys that the type never named.
  package var preserveRemovesNamedKeys = true
  /// Dictionaries and enumerations are exact all the same.
  package var preserveSparesOnlyTypes = true
  /// Unknown keys are preserved at every depth, and in elements of lists.
  package var preservesBelowRoot = true
  /// What is encoded based on heads changes what the value changed since, and no more.
  package var heedsBasedOn = true
  /// A value says what the whole document is, whatever peers wrote since it was read.
  package var writesWholeValue = true

  // Saved documents, as others read and write them.

  /// What a peer reads in a saved document has the kinds that were written.
  package var savesTextsAsTexts = true
  /// A saved counter has its count.
  package var savesCounts = true
  /// What a peer wrote is there when the document was loaded.
  package var loadsChangesOfOthers = true
  /// One merge takes in all that the other has.
  package var mergesAll = true

  // Texts and counters.

  /// A text keeps its object, and the letters that old and new share (#60).
  package var editsTextsByDifference = true
  package var reusesTexts = true
  /// An unbound empty text empties the stored one.
  package var replacesTextsByEmpty = true
  /// A text that is bound to another document is written with its content.
  package var writesForeignTexts = true
  /// After an encode or decode an instance reads and writes its place.
  package var bindsOnEncode = true
  /// Counters, too, are bound by an encode.
  package var bindsCountersOnEncode = true
  /// Also a counter over an equal one, where nothing is written.
  package var bindsOverEqual = true
  package var bindsOnDecode = true
  /// A counter over another adds new - old; a bound one adds nothing, as it counts in the document
  /// already (#64).
  package var setsCountersByDifference = true
  package var leavesBoundCounters = true
  /// A counter that moved in its list is written with its count.
  package var writesMovedCounters = true
  /// Whether what was encoded on a branch is bound to the element, not to the index that it had there.
  package var bindsBranchesByElement = true
  /// A counter whose place is still there stays bound to it.
  package var keepsBindings = true
  /// A text that is bound to a place and holds nothing leaves what stands there.
  package var bindsEmptyTextsAsTheyAre = true
  /// A counter that is bound to a place adds what it counted before.
  package var bindingAddsCounts = true
  /// Setting a bound counter adds the difference to what it was.
  package var setsByDifference = true
  /// A string over a text edits the text.
  package var keepsTextsUnderStrings = true
  /// A text or counter of a set is the element that it is bound to, whatever either holds.
  package var knowsBoundElements = true
  /// A text that has moved is not bound any more to the place that a string has taken.
  package var stringsTakePlaces = true
  /// A text or counter alone is looked for under `value` at the root, and where that is a map.
  package var findsReferencesUnderValue = true

  // Decoding.

  /// A text that was kept under a URL is read as one.
  ///
  /// The rest of `DecodingRules` says which kinds a field reads.
  package var decoding =
    DecodingRules.readings.first { $0.urlsReadTexts && $0.integersReadFloats } ?? .document
  /// A value of another kind is no missing one.
  package var tellsOtherKindsFromMissing = true
  /// The path of a refusal ends at the value.
  package var namesWholePath = true
  /// Of several values in one place the winner is decoded.
  package var readsWinners = true
  /// A list with elements of several kinds is not shortened to those that fit.
  package var keepsMixedElements = true
  package var tellsNullFromMissing = true
  /// A null says that there is no value, and is none of any type.
  package var readsNullsAsNothing = true
  /// Decoding writes nothing.
  package var onlyReads = true
  package var readsKeysInAnyOrder = true
  package var refusesDeepDocuments = true
  /// What a model's own code refuses is refused where the value stands.
  package var namesPathOfRefusals = true

  package init() {}
}
