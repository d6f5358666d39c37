/// A decoder that holds nothing and notes which keys a type asks it for first.
///
/// A type's keys are its own as a rule, so that they tell which type reads itself from a decoder, whatever called its
/// `init(from:)`. Only for types that end nothing when they are refused.
package final class KeyProbe: Decoder {
  private struct Refusal: Error {}

  private var keys: ObjectIdentifier?
  package let codingPath: [any CodingKey] = []
  package let userInfo: [CodingUserInfoKey: Any] = [:]

  /// The keys that the type reads itself by; `nil` if it asks for no container with keys.
  package static func keys(of type: any Decodable.Type) -> ObjectIdentifier? {
    let probe = KeyProbe()
    _ = try? type.init(from: probe)
    return probe.keys
  }

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    keys = keys ?? ObjectIdentifier(type)
    throw Refusal()
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Refusal() }

  package func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw Refusal()
  }
}
