import CodingSupport
public import Foundation
public import RecordModel
import Texts

// What a type that says nothing itself gets for both directions. JSON is ours and not Foundation's,
// whose decoder ends the process on some values (decision 31); property lists are Foundation's.
extension CloudKitAssetValue {
  /// The content in the form that the type prefers.
  ///
  /// - Throws: `EncodingError` for a form that has no coder here.
  public func encoded() throws -> Data {
    switch Self.preferredContentType {
    case .json:
      // The options of a fresh encoder: a file is no field, and has the same form whatever the
      // record's options are.
      let place = NestedPlace(graph: RecordGraph(CloudKitRecordEncoder()), node: NestedNode())
      try encode(to: NestedEncoding(place: place))
      try place.graph.checkPlaces()
      var writer = JSONWriter(.compact)
      writer.value(place.node.value.sorted)
      return Data(writer.bytes)
    case .xmlPropertyList: return try Self.encoder(.xml).encode(self)
    case .binaryPropertyList: return try Self.encoder(.binary).encode(self)
    case .other(let name):
      throw refusal(self, at: .root, "no coder writes content of the type \(name)")
    }
  }

  private static func encoder(
    _ format: PropertyListSerialization.PropertyListFormat
  ) -> PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    return encoder
  }

  /// A value of content in a form.
  ///
  /// - Throws: `DecodingError`, for a form that has no coder here as well.
  public static func decoded(from data: Data, type: RecordContentType) throws -> Self {
    switch type {
    case .json:
      let reading = RecordReading(RecordDecodingOptions(), [:], { _ in nil })
      return try Self(from: reading.nested(.bytes(data), Self.self, .root))
    case .xmlPropertyList, .binaryPropertyList:
      return try PropertyListDecoder().decode(Self.self, from: data)
    case .other(let name): throw mismatch(Self.self, "content of the type \(name)", .root)
    }
  }
}
