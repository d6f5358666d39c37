package import CodingLaws
import CodingSupport
import ModelGeneration
import Synchronization

/// The naive coder as a subject: the specification, or a mutant with one rule wrong.
///
/// It is what the laws of coders are proved with: the specification passes all of them, and each
/// mutant of `Mutants` is this coder with one rule of ``NaiveCoderRules`` turned, which some law
/// must catch. No rule of it is shared with `DocumentCoding`, whose mistakes it would repeat
/// otherwise (decision 22).
package struct NaiveCoder: CoderSubject {
  package typealias Text = NaiveText
  package typealias Counter = NaiveCounter

  package let id: String
  package let rules: NaiveCoderRules
  private let memory = Memory()

  /// What an encoder must not have: the number of values that it encoded.
  // A lock: it guards one number, for a mutant that is used by every caller.
  /// Copies of one coder share it, as it is a class; ``renewed()`` makes another.
  private final class Memory: Sendable {
    let count = Mutex(0)
  }

  /// The specification.
  package init() {
    self.init(id: "naive-coder", rules: NaiveCoderRules())
  }

  /// A coder with rules of the caller's, under an id of its own.
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
    // The mutant `encodes-are-counted`: two encodes of one value differ.
    if !rules.forgetsLastValue {
      let count = memory.count.withLock { count in
        count += 1
        return count
      }
      try document.put(.int(Int64(count)), at: [.key("count")])
    }
    return .document(document)
  }

  /// Decodes from a document of this coder.
  ///
  /// - Throws: ``UnsupportedByCoder`` for bytes, which this coder never gives.
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

  package func isWhole(_ type: Any.Type) -> Bool { NaiveWholes.isWhole(type) }

  package func document(actor: UInt8) throws -> any CodingDocument {
    NaiveDocument(actor: actor, rules: rules)
  }

  /// Shapes that do not fit; `DecodingError` and `EncodingError` are the caller's to sort.
  package func complaint(_ error: any Error) -> CoderComplaint? {
    (error as? NaiveCodingError).map { .schema($0.reason) }
  }
}
