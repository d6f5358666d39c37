/// A statement about a model by itself.
package struct ModelLaw: Sendable {
  /// Stable dotted name: `model.lossless`.
  package let name: String
  /// The statement in one sentence.
  package let sentence: String
  /// Where the statement comes from.
  package let source: String
  /// What a person can do about it.
  package let advice: String
  /// Into how many parts the cases are divided, of which it has one: it costs so much more.
  package let costs: Int

  init(_ name: String, _ sentence: String, source: String, advice: String, costs: Int = 1) {
    self.name = name
    self.sentence = sentence
    self.source = source
    self.advice = advice
    self.costs = costs
  }

  /// The whole catalogue, in the order in which laws are tried.
  ///
  /// A model that breaks one breaks later ones as well, so that only the first is worth reporting.
  package static let all: [ModelLaw] = [deterministic, keyOrder, lossless, oldData]

  private static let codable =
    "SE-0166, Swift Archival and Serialization; automerge-swift #54, #64: a model that is decoded "
    + "and encoded again writes to the document only what was changed"

  package static let deterministic = ModelLaw(
    "model.deterministic",
    "One value is encoded as one thing, and one document decoded as one value, however often.",
    source: codable,
    advice: """
      Look for a clock, a random number, a new UUID or a counter in `init(from:)` and `encode(to:)`, \
      and for default values of properties that are not coded.
      """
  )

  package static let keyOrder = ModelLaw(
    "model.key-order",
    "A value does not depend on the order in which its keys are listed.",
    source: "RFC 8259, 4: an object is unordered; Automerge's maps are sorted by key",
    advice: "Sort `allKeys` before anything depends on their order."
  )

  package static let lossless = ModelLaw(
    "model.lossless",
    "A value that is encoded and decoded again is what it was.",
    source: codable,
    advice: "Compare what `init(from:)` reads with what `encode(to:)` writes, key by key."
  )

  package static let oldData = ModelLaw(
    "model.old-data",
    "A document that another version wrote is decoded to a value that lasts, or refused with an "
      + "error; never with a trap.",
    source: "ARCHITECTURE.md, decision 7; codable-api.md, B.3",
    advice: """
      What comes from a document may lack any key and hold any kind: throw a `DecodingError` instead \
      of unwrapping, and use `decodeIfPresent` where an older version did not write the key.
      """,
    costs: 5
  )
}
