import NaiveCoder

// What the caller asks for.
// Options that have no effect, or one too many: the usual fate of a flag that reaches one of
// several ways through a coder. Many show only over a document that another app or version wrote.
let requestMutants: [CoderMutant] = [
  CoderMutant(
    "readonly-creates",
    "With `.readonly` keys and elements are made all the same.",
    caughtBy: ["strategy.readonly", "path.by-strategy"],
    breaking: \.readonlyCreatesNothing
  ),
  CoderMutant(
    "readonly-removes",
    "With `.readonly` keys and elements are removed all the same.",
    caughtBy: ["strategy.readonly"],
    breaking: \.readonlyRemovesNothing
  ),
  CoderMutant(
    "readonly-writes-nothing",
    "With `.readonly` no value is written either.",
    caughtBy: ["arbitrary.written"],
    breaking: \.readonlyWritesValues
  ),
  CoderMutant(
    "override-refuses",
    "With `.override` what does not fit is refused.",
    caughtBy: ["text.over-other", "strategy.override", "path.by-strategy"],
    breaking: \.overrideReplaces
  ),
  CoderMutant(
    "cautious-writes",
    "With `cautiousWrite` other types are written over.",
    caughtBy: ["cautious.refuses", "counter.over-other"],
    breaking: \.cautiousRefuses
  ),
  CoderMutant(
    "cautious-keeps-null",
    "With `cautiousWrite` a null can never be filled.",
    caughtBy: ["cautious.fills-null"],
    breaking: \.cautiousFillsNulls
  ),
  CoderMutant(
    "preserve-removes",
    "With `.preserve` unknown keys go all the same.",
    caughtBy: ["unknown.preserved"],
    breaking: \.preservesUnknownKeys
  ),
  CoderMutant(
    "preserve-keeps-named",
    "With `.preserve` keys of nil values stay.",
    caughtBy: ["unknown.named-is-known"],
    breaking: \.preserveRemovesNamedKeys
  ),
  CoderMutant(
    "preserve-in-dictionaries",
    "With `.preserve` dictionaries and enumerations never lose a key.",
    caughtBy: ["unknown.not-in-dictionaries"],
    breaking: \.preserveSparesOnlyTypes
  ),
  CoderMutant(
    "preserve-at-root-only",
    "With `.preserve` unknown keys below the root go.",
    caughtBy: ["unknown.in-elements"],
    breaking: \.preservesBelowRoot
  ),
  CoderMutant(
    "based-on-ignored",
    "The heads that a value is based on are ignored.",
    caughtBy: ["stale.based-on"],
    breaking: \.heedsBasedOn
  ),
  CoderMutant(
    "stale-value-is-merged",
    "A plain encode writes only what changed since this document's last own change.",
    caughtBy: ["stale.reverts"],
    breaking: \.writesWholeValue
  ),
]
