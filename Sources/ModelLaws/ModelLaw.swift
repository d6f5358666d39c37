// What the laws of models say, in the order in which they are tried; their checks are in
// `ModelTrial.swift`, in the same order.

package import PropertyEngine

/// What the laws of models say; ``ModelLaws`` lowers each to a law with its check.
package enum ModelLaw {
  /// The whole catalogue, in the order in which laws are tried.
  ///
  /// A model that breaks one breaks later ones as well, so that only the first is worth reporting.
  package static let all = [encodes, deterministic, keyOrder, lossless, oldData, readsAll]

  /// The kind of a failure in which decoding refuses what was written for want of a key.
  package static let unwritten = "model.unwritten"
  /// The kind of a failure in which decoding refuses what was written otherwise.
  package static let unreadable = "model.unreadable"

  /// A model that is decoded and encoded again writes to the document only what was changed.
  static let codable: LawSource = [
    .standard("SE-0166, Swift Archival and Serialization"), .issue("automerge-swift", 54, 64),
  ]

  /// Catches `try!`, a subscript past the end and a conversion such as `Int8(number)` in
  /// `encode(to:)`.
  ///
  /// A trap ends the process: the caller notes each attempt before it (`willTry`) and reports the
  /// last one.
  ///
  /// Worked example: `encode(to:)` writes `Int8(count)`. A value whose count is 200 traps there,
  /// and `init(from:)` made it.
  package static let encodes = LawStatement(
    "model.encodes",
    "Encoding never traps.",
    "A value that `init(from:)` makes is encoded, or refused with an error; never with a trap.",
    source: [.decision(14), codable],
    advice: """
      `encode(to:)` must take every value that `init(from:)` makes: write it, or let `init(from:)` refuse it \
      with a `DecodingError`, instead of unwrapping, indexing or converting what may not fit.
      """
  )

  /// Misses a clock that is coarser than the time between two calls: a count of seconds is mostly
  /// the same twice.
  ///
  /// Worked example: `id = UUID()` as the default of a property that is not coded. One document is
  /// decoded twice, to two values.
  package static let deterministic = LawStatement(
    "model.deterministic",
    "Encoding and decoding are deterministic.",
    "One value is encoded as one thing, and one document decoded as one value, however often.",
    source: codable,
    advice: """
      Look for a clock, a random number, a new UUID or a counter in `init(from:)` and `encode(to:)`, \
      for default values of properties that are not coded, and for a set that is written as a list: sort it.
      """
  )

  /// Catches a decoder that takes the first of `allKeys` for the kind of an enumeration.
  ///
  /// Every map of the document is reversed at once; misses what depends on an order that is neither
  /// the written nor the reversed one.
  ///
  /// Worked example: `{"shape": ..., "color": ...}`, where `init(from:)` takes `allKeys.first` for
  /// the case. The reversed document is another case, or is refused.
  package static let keyOrder = LawStatement(
    "model.key-order",
    "The order of keys does not matter.",
    "A value does not depend on the order in which its keys are listed.",
    source: .standard("RFC 8259", "4"),
    advice:
      "Often `allKeys` are taken as they come: sort them before anything depends on their order."
  )

  /// Catches a property that one side of a hand-written pair forgets, and a value that is rounded
  /// on the way.
  ///
  /// Misses what `init(from:)` drops: a value that is derived by decoding never had it.
  /// ``readsAll`` looks for that.
  ///
  /// Worked example: `due` is read by `decodeIfPresent`, and never written. It comes back as `nil`;
  /// where the key is required, decoding what was written fails.
  package static let lossless = LawStatement(
    "model.lossless",
    "A model comes back as it was.",
    "A value that is encoded and decoded again is what it was.",
    source: codable,
    advice: "Compare what `init(from:)` reads with what `encode(to:)` writes, key by key."
  )

  /// Samples depart from a document at one place, so that the difference names it; two changes that
  /// only hurt together are missed.
  ///
  /// Worked example: `size` is optional, and `encode(to:)` writes `size ?? 1`. A document without
  /// it is decoded to `nil`, and what is written from that to 1.
  package static let oldData = LawStatement(
    "model.old-data",
    "Old data is read or refused.",
    "A document that another version wrote is decoded to a value that lasts, or refused with an "
      + "error; never with a trap.",
    source: [.decision(14), .specification(.codable, "Requirements", item: 3)],
    advice: """
      What comes from a document may lack any key and hold any kind: throw a `DecodingError` instead \
      of unwrapping, and use `decodeIfPresent` where an older version did not write the key.
      """
  )

  /// Asks for keys of the sample's own document only, and for elements of lists only through the
  /// keys within them.
  ///
  /// Worked example: `encode(to:)` writes `note`, and `init(from:)` sets it to "" without a look.
  /// Every derived value has "" there, and comes back as it was: no other law sees that what a
  /// document holds is lost.
  static let readsAll = LawStatement(
    "model.reads-all",
    "What is written is read.",
    "`init(from:)` asks for every key that `encode(to:)` writes.",
    source: codable,
    advice: """
      Read the key: what a document holds there is lost when it is saved again. A key that is written for other \
      programs alone is declared: `tolerance: LawTolerance(unreadKeys: ["schemaVersion"])`.
      """
  )
}
