package import CodingLaws
import Foundation
package import ModelGeneration

/// One of Foundation's coders as a subject, with the settings that keep most.
package struct FoundationCoder: CoderSubject {
  package typealias Text = PlainText
  package typealias Counter = PlainCounter

  package enum Format: String, Sendable {
    case json
    case propertyList = "property-list"
  }

  package let format: Format
  package let divergences: [CoderDivergence]

  /// `JSONEncoder` with sorted keys and dates as they are, and `JSONDecoder`.
  package static let json = FoundationCoder(format: .json, divergences: jsonDivergences)
  /// `PropertyListEncoder` with the binary format, and `PropertyListDecoder`.
  package static let propertyList = FoundationCoder(
    format: .propertyList,
    divergences: propertyListDivergences
  )

  package var id: String { "foundation-\(format.rawValue)" }
  package var version: String { "of the system" }
  package var dates: DateFidelity { .exact }

  package var features: Set<CoderFeature> {
    switch format {
    case .json:
      [
        .anyRoot, .deterministic, .explicitNull, .json, .refusesNonFinite, .signsOfZero,
      ]
    case .propertyList: [.anyRoot, .deterministic]
    }
  }

  package func encode<T: Encodable>(
    _ value: T,
    _ settings: EncodingSettings
  ) throws -> EncodedModel {
    switch format {
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      encoder.userInfo = settings.userInfo
      return .bytes(Array(try encoder.encode(value)))
    case .propertyList:
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      encoder.userInfo = settings.userInfo
      return .bytes(Array(try encoder.encode(value)))
    }
  }

  package func decode<T: Decodable>(
    _ type: T.Type,
    from encoded: EncodedModel,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    guard case .bytes(let bytes) = encoded else {
      throw UnsupportedByCoder(feature: .documents)
    }
    switch format {
    case .json:
      let decoder = JSONDecoder()
      decoder.userInfo = userInfo
      return try decoder.decode(type, from: Data(bytes))
    case .propertyList:
      let decoder = PropertyListDecoder()
      decoder.userInfo = userInfo
      return try decoder.decode(type, from: Data(bytes))
    }
  }
}
