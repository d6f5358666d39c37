import Foundation
import TouchstoneAdapters

/// A coder of another package: JSON through Foundation, perhaps with a mistake.
struct PairCoder: CoderSubject {
  typealias Text = PlainText
  typealias Counter = PlainCounter

  enum Mistake {
    case none
    /// Whole numbers above 2^53 lose digits, as where numbers are floats.
    case roundsNumbers
  }

  let id = "pair-coder"
  let version = "1"
  let features: Set<CoderFeature> = [.anyRoot, .deterministic, .explicitNull]
  let dates = DateFidelity.exact
  var divergences: [CoderDivergence] = []
  var mistake = Mistake.none

  func encode<T: Encodable>(_ value: T, _ settings: EncodingSettings) throws -> EncodedModel {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.userInfo = settings.userInfo
    var text = String(decoding: try encoder.encode(value), as: UTF8.self)
    if mistake == .roundsNumbers {
      text = text.replacing(/\d{16,}/) { match in
        Double(match.output).map { "\(Int64(exactly: $0) ?? 0)" } ?? "0"
      }
    }
    return .bytes(Array(text.utf8))
  }

  func decode<T: Decodable>(
    _ type: T.Type,
    from encoded: EncodedModel,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    guard case .bytes(let bytes) = encoded else { throw UnsupportedByCoder(feature: .documents) }
    let decoder = JSONDecoder()
    decoder.userInfo = userInfo
    return try decoder.decode(type, from: Data(bytes))
  }
}
