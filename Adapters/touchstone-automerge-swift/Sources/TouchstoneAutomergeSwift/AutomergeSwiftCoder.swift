public import Automerge
import Foundation
public import TouchstoneAdapters

/// The encoder and decoder of automerge-swift as a subject.
public struct AutomergeSwiftCoder: CoderSubject {
  public typealias Text = AutomergeText
  public typealias Counter = Automerge.Counter

  public let id = "automerge-swift"
  public let version = "0.6.1"
  /// What has no counterpart in automerge-swift is not asked for.
  public let features = CoderFeature.allOfDocuments.subtracting([
    .basedOnHeads, .bindsToPlaces, .dateTruncation, .unknownKeys, .wholeValues,
  ])
  public let dates = DateFidelity.millisecondsTowardZero
  public let divergences: [CoderDivergence]

  /// A subject for which these divergences are no failures: none to see all that it does otherwise.
  public init(divergences: [CoderDivergence] = listed) {
    self.divergences = divergences
  }

  /// What is known, and loses nothing that a model holds: `knownDivergences` of `divergences.json`.
  public static let listed = list.knownDivergences

  /// What is known, and loses what a model holds: `knownLosses`, which are failures unless they are
  /// listed as well: `AutomergeSwiftCoder(divergences: AutomergeSwiftCoder.listed + losses)`.
  public static let losses = list.knownLosses

  private struct List: Decodable {
    var knownDivergences: [CoderDivergence] = []
    var knownLosses: [CoderDivergence] = []
  }

  /// A list that cannot be read excuses nothing.
  private static let list: List =
    (try? JSONDecoder().decode(List.self, from: Data(PackageResources.divergences_json))) ?? List()

  public func encode<T: Encodable>(
    _ value: T,
    _ settings: EncodingSettings
  ) throws -> EncodedModel {
    let document = AutomergeSwiftDocument(actor: 1)
    try document.encode(value, at: [], settings)
    return .document(document)
  }

  public func decode<T: Decodable>(
    _ type: T.Type,
    from encoded: EncodedModel,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    guard case .document(let document) = encoded else {
      throw UnsupportedByCoder(feature: .documents)
    }
    return try document.decode(type, at: [], userInfo: userInfo)
  }

  public func document(actor: UInt8) throws -> any CodingDocument {
    AutomergeSwiftDocument(actor: actor)
  }

  public func complaint(_ error: any Error) -> CoderComplaint? {
    guard let error = error as? CodingKeyLookupError else { return nil }
    return switch error {
    case .SchemaMissing: .schema(.missing)
    case .MismatchedSchema: .schema(.mismatched)
    case .PathExtendsThroughText: .schema(.throughText)
    case .PathExtendsThroughScalar: .schema(.throughScalar)
    case .IndexOutOfBounds: .schema(.indexOutOfBounds)
    case .InvalidIndexLookup: .schema(.invalidPlace)
    default: .schema(.other)
    }
  }
}
