package import CodingLaws
import Foundation
package import ModelGeneration
import RecordCoding

/// Our coder of records as a subject of the laws of coders.
///
/// Dates and unsigned integers keep every bit and any key is spelled so that it may stand, since laws of coders speak of values and
/// know neither a server nor its names; the laws of records judge the other settings.
package struct RecordCoderSubject: CoderSubject {
  package typealias Text = PlainText
  package typealias Counter = PlainCounter

  package let id = "record-coder"
  package let version = "1"
  package let features: Set<CoderFeature> = [.deterministic, .signsOfZero]
  package let dates = DateFidelity.exact
  package let divergences = recordDivergences

  package init() {}

  package func encode<T: Encodable>(
    _ value: T,
    _ settings: EncodingSettings
  ) throws -> EncodedModel {
    let encoder = CloudKitRecordEncoder()
    encoder.options.dates = .exact
    encoder.options.keys = .escaped
    encoder.options.wideIntegers = .json
    encoder.options.validation = .off
    encoder.options.storesIdentifier = true
    encoder.options.storesSystemFields = true
    encoder.userInfo = settings.userInfo
    let record = try encoder.encode(Named(value: value))
    return .bytes(Array(record.unmarked().serialized()))
  }

  package func decode<T: Decodable>(
    _ type: T.Type,
    from encoded: EncodedModel,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    guard case .bytes(let bytes) = encoded else {
      throw UnsupportedByCoder(feature: .documents)
    }
    let decoder = CloudKitRecordDecoder()
    decoder.options.keys = .escaped
    decoder.options.readsSystemFieldsFromField = true
    decoder.userInfo = userInfo
    return try decoder.decode(type, from: Record(serialized: Data(bytes)))
  }

  /// Any value as a record of one type and name: laws compare encodings.
  private struct Named<Value: Encodable>: CustomCloudKitEncodable {
    let value: Value
    var cloudKitSystemFields: Data? { nil }
    var cloudKitRecordType: String { "Value" }
    var cloudKitIdentifier: String { "value" }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }
}

/// What records cannot hold, which is a limit of records and not of the coder.
let recordDivergences: [CoderDivergence] = noNulls + oneKindOfURL

private let noNulls = [
  ("roundtrip.value", "tree.missing"), ("roundtrip.equality", "value.unequal"),
].map { law, kind in
  CoderDivergence(
    law: law,
    kind: kind,
    model: "ThreeStates",
    reason: "a record has no null: a field is there or not",
    example: """
      {
        "model": "ThreeStates",
        "numbers": [int 0],
        "trees": [],
        "values": [{"state": null}]
      }
      """
  )
}

private let oneKindOfURL = [
  "roundtrip.value", "roundtrip.equality", "roundtrip.fixpoint", "encode.deterministic",
  "leaves.exact",
].map { law in
  CoderDivergence(
    law: law,
    kind: "coder.threw",
    model: "LeafLists",
    reason: "a list has one kind: URLs of files are assets, others strings, and both are refused",
    example: """
      {
        "model": "LeafLists",
        "numbers": [],
        "trees": [],
        "values": [
          {
            "datas": [],
            "dates": [date 0.0],
            "decimals": [],
            "urls": ["https://example.org", "file:///tmp/a"],
            "uuids": []
          }
        ]
      }
      """
  )
}
