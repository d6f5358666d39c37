package import CodingLaws

/// The naive coder as a subject: the specification, or a mutant with one rule wrong.
package struct NaiveCoder: CoderSubject {
  package typealias Text = NaiveText
  package typealias Counter = NaiveCounter

  package let id: String
  package let rules: NaiveCoderRules

  /// The specification.
  package init() {
    self.init(id: "naive-coder", rules: NaiveCoderRules())
  }

  package init(id: String, rules: NaiveCoderRules) {
    self.id = id
    self.rules = rules
  }

  package var version: String { "1" }
  package var features: Set<CoderFeature> { CoderFeature.allOfDocuments }
  package var dates: DateFidelity { .seconds }

  package func encode<T: Encodable>(
    _ value: T,
    _ settings: EncodingSettings
  ) throws -> EncodedModel {
    let document = NaiveDocument(actor: 1, rules: rules)
    try document.encode(value, at: [], settings)
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
