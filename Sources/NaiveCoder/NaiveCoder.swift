package import CodingLaws
import CodingSupport
import ModelGeneration
import Synchronization

/// The naive coder as a subject: the specification, or a mutant with one rule wrong.
package struct NaiveCoder: CoderSubject {
  package typealias Text = NaiveText
  package typealias Counter = NaiveCounter

  package let id: String
  package let rules: NaiveCoderRules
  private let memory = Memory()

  /// What an encoder must not have: the number of values that it encoded.
  // A lock: it guards one number, for a mutant that is used by every caller.
  private final class Memory: Sendable {
    let count = Mutex(0)
  }

  /// The specification.
  package init() {
    self.init(id: "naive-coder", rules: NaiveCoderRules())
  }

  package init(id: String, rules: NaiveCoderRules) {
    self.id = id
    self.rules = rules
  }

  /// Fresh for each sample, so that a verdict depends on nothing that ran before it.
  package func renewed() -> any CoderSubject { NaiveCoder(id: id, rules: rules) }

  package var version: String { "1" }
  package var features: Set<CoderFeature> { CoderFeature.allOfDocuments }
  package var dates: DateFidelity { .seconds }

  package func encode<T: Encodable>(
    _ value: T,
    _ settings: EncodingSettings
  ) throws -> EncodedModel {
    let document = NaiveDocument(actor: 1, rules: rules)
    try document.encode(value, at: [], settings)
    if !rules.forgetsLastValue {
      let count = memory.count.withLock { count in
        count += 1
        return count
      }
      try document.put(.int(Int64(count)), at: [.key("count")])
    }
    return .document(document)
  }

  package func decode<T: Decodable>(
    _ type: T.Type,
    from encoded: EncodedModel,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    guard case .document(let document) = encoded else {
      throw UnsupportedByCoder(feature: .documents)
    }
    return try document.decode(type, at: [], userInfo: userInfo)
  }

  package func document(actor: UInt8) throws -> any CodingDocument {
    NaiveDocument(actor: actor, rules: rules)
  }

  package func complaint(_ error: any Error) -> CoderComplaint? {
    (error as? NaiveCodingError).map { .schema($0.reason) }
  }
}
