import NaiveCoder

// What the caller asks for.
// Options that have no effect, or one too many: the usual fate of a flag that reaches one of
// several ways through a coder. Many show only over a document that another app or version wrote.
let requestMutants: [CoderMutant] = [
  CoderMutant("readonly-creates", "With `.readonly` keys and elements are made all the same.") {
    $0.readonlyCreatesNothing = false
  },
  CoderMutant("readonly-removes", "With `.readonly` keys and elements are removed all the same.") {
    $0.readonlyRemovesNothing = false
  },
  CoderMutant("readonly-writes-nothing", "With `.readonly` no value is written either.") {
    $0.readonlyWritesValues = false
  },
  CoderMutant("override-refuses", "With `.override` what does not fit is refused.") {
    $0.overrideReplaces = false
  },
  CoderMutant("cautious-writes", "With `cautiousWrite` other types are written over.") {
    $0.cautiousRefuses = false
  },
  CoderMutant("cautious-keeps-null", "With `cautiousWrite` a null can never be filled.") {
    $0.cautiousFillsNulls = false
  },
  CoderMutant("preserve-removes", "With `.preserve` unknown keys go all the same.") {
    $0.preservesUnknownKeys = false
  },
  CoderMutant("preserve-keeps-named", "With `.preserve` keys of nil values stay.") {
    $0.preserveRemovesNamedKeys = false
  },
  CoderMutant(
    "preserve-in-dictionaries",
    "With `.preserve` dictionaries and enumerations never lose a key."
  ) { $0.preserveSparesOnlyTypes = false },
  CoderMutant("preserve-at-root-only", "With `.preserve` unknown keys below the root go.") {
    $0.preservesBelowRoot = false
  },
  CoderMutant("based-on-ignored", "The heads that a value is based on are ignored.") {
    $0.heedsBasedOn = false
  },
  CoderMutant(
    "stale-value-is-merged",
    "A plain encode writes only what changed since this document's last own change."
  ) { $0.writesWholeValue = false },
]
