/// A law of coders and a mutant that it catches when no other law is asked.
package struct CoderLawProof: Hashable, Sendable, CustomStringConvertible {
  /// A law's name.
  package let law: String
  /// The id of a mutant of the naive coder.
  package let mutant: String

  init(_ law: String, _ mutant: String) {
    self.law = law
    self.mutant = mutant
  }

  package var description: String { "\(law) catches \(mutant)" }
}

/// Found by holding every law to every mutant; the first law that a mutant stands at is the one that
/// it is aimed at.
package let coderLawProofs: [CoderLawProof] = [
  CoderLawProof("roundtrip.value", "data-stored-as-list"),
  CoderLawProof("roundtrip.equality", "data-stored-as-list"),
  CoderLawProof("roundtrip.fixpoint", "data-stored-as-list"),
  CoderLawProof("encode.deterministic", "encodes-are-counted"),
  CoderLawProof("integers.out-of-range", "integers-wrap"),
  CoderLawProof("floats.non-finite", "non-finite-stored"),
  CoderLawProof("depth.limited", "deep-values-cut"),
  CoderLawProof("userinfo.reaches", "user-info-dropped"),
  CoderLawProof("null.explicit", "explicit-nil-dropped"),
  CoderLawProof("null.explicit", "null-is-missing"),
  CoderLawProof("payload.nested", "payload-one-level-up"),
  CoderLawProof("containers.nested", "empty-containers-dropped"),
  CoderLawProof("containers.inherited", "empty-containers-dropped"),
  CoderLawProof("keys.number-like", "number-like-keys-refused"),
  CoderLawProof("integers.exact", "unsigned-stored-as-signed"),
  CoderLawProof("strings.exact", "strings-normalised"),
  CoderLawProof("leaves.exact", "url-stored-as-map"),
  CoderLawProof("document.tree", "dates-in-seconds"),
  CoderLawProof("document.tree", "url-stored-as-map"),
  CoderLawProof("document.tree", "nulls-in-lists-dropped"),
  CoderLawProof("reencode.unchanged", "lists-reinserted"),
  CoderLawProof("reencode.unchanged", "objects-replaced"),
  CoderLawProof("reencode.unchanged", "decoding-writes"),
  CoderLawProof("reencode.unchanged", "counter-doubles"),
  CoderLawProof("reencode.one-change", "scalars-rewritten"),
  CoderLawProof("reencode.over-value", "old-keys-kept"),
  CoderLawProof("reencode.over-value", "arrays-never-shrink"),
  CoderLawProof("reencode.over-value", "old-case-kept"),
  CoderLawProof("reencode.over-value", "counter-mirrored"),
  CoderLawProof("reencode.over-drift", "half-written"),
  CoderLawProof("encode.atomic", "half-written"),
  CoderLawProof("merge.same-value", "lists-reinserted"),
  CoderLawProof("list.remove-one", "elements-by-position"),
  CoderLawProof("merge.remove-and-edit", "elements-by-position"),
  CoderLawProof("root.keyed", "list-roots-ignored"),
  CoderLawProof("keys.integers-refused", "integer-keys-accepted"),
  CoderLawProof("document.reloads", "lists-reinserted"),
  CoderLawProof("list.mixed", "mixed-elements-skipped"),
  CoderLawProof("drift.read", "paths-end-at-container"),
  CoderLawProof("drift.read", "integers-keep-their-sign"),
  CoderLawProof("drift.in-conflict", "paths-end-at-container"),
  CoderLawProof("drift.typed", "paths-end-at-container"),
  CoderLawProof("unknown.preserved", "preserve-removes"),
  CoderLawProof("unknown.removed", "old-keys-kept"),
  CoderLawProof("unknown.named-is-known", "preserve-keeps-named"),
  CoderLawProof("unknown.not-in-dictionaries", "preserve-in-dictionaries"),
  CoderLawProof("cautious.refuses", "cautious-writes"),
  CoderLawProof("cautious.fills-null", "cautious-keeps-null"),
  CoderLawProof("strategy.readonly", "readonly-creates"),
  CoderLawProof("strategy.readonly", "readonly-removes"),
  CoderLawProof("strategy.override", "override-refuses"),
  CoderLawProof("strategy.create-refuses", "mismatches-replaced"),
  CoderLawProof("string.reads-text", "string-refuses-texts"),
  CoderLawProof("float.reads-integer", "float-refuses-integers"),
  CoderLawProof("date.seconds", "dates-toward-zero"),
  CoderLawProof("date.seconds", "dates-in-seconds"),
  CoderLawProof("date.milliseconds", "milliseconds-cut"),
  CoderLawProof("date.stable", "peers-milliseconds-lost"),
  CoderLawProof("date.keeps-milliseconds", "peers-milliseconds-lost"),
  CoderLawProof("date.decodes-exactly", "dates-decoded-to-seconds"),
  CoderLawProof("date.refuses-impossible", "impossible-dates-zeroed"),
  CoderLawProof("date.ordered", "early-dates-mirrored"),
  CoderLawProof("text.kept", "text-replaced"),
  CoderLawProof("text.merges", "text-rewritten"),
  CoderLawProof("text.binds", "encode-does-not-bind"),
  CoderLawProof("text.emptied", "text-never-emptied"),
  CoderLawProof("text.from-elsewhere", "foreign-text-empty"),
  CoderLawProof("text.remove-one", "elements-by-position"),
  CoderLawProof("counter.adds", "counter-mirrored"),
  CoderLawProof("counter.set", "counter-mirrored"),
  CoderLawProof("counter.unchanged", "counter-doubles"),
  CoderLawProof("counter.binds", "decode-does-not-bind"),
  CoderLawProof("path.siblings", "siblings-cleaned"),
  CoderLawProof("path.values", "url-stored-as-map"),
  CoderLawProof("path.element", "element-inserted-at-path"),
  CoderLawProof("stale.reverts", "stale-value-is-merged"),
  CoderLawProof("stale.based-on", "based-on-ignored"),
  CoderLawProof("concurrent.converges", "sixth-key-is-last"),
  CoderLawProof("arbitrary.read", "decoding-writes"),
  CoderLawProof("arbitrary.written", "half-written"),
]
