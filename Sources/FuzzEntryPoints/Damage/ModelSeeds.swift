import AutomergeDocument
import CoderSubjects
import CodingLaws
import DocumentCoding
import DocumentLaws
import Foundation
import MergeEngine
import ModelGeneration
import PropertyEngine

/// Documents that hold a model of the zoo each, to be damaged and decoded.
///
/// They are change chunks: damage in one is taken in more often than in a document chunk, whose heads no
/// longer fit.
struct ModelSeeds {
  /// One model, and the changes of a document that holds a value of it.
  private struct Seed {
    let model: Model
    let bytes: [UInt8]
  }

  private let seeds: [Seed]
  private let all: [[UInt8]]

  private static let valueCount = 2

  /// Encodes some values of each model that a document can hold.
  init() throws {
    var seeds: [Seed] = []
    for (number, model) in documentCoderPool.models.enumerated()
    where model.traits.contains(.keyedRoot) && !model.traits.contains(.unordered) {
      for index in 0..<Self.valueCount {
        var choices = Choices(seed: .init(value: UInt64(number)).stream(UInt64(index)))
        guard let value = try? model.draw(&choices),
          let bytes = try Self.changes(with: value), bytes.count <= Self.byteLimit
        else { continue }
        seeds.append(Seed(model: model, bytes: bytes))
      }
    }
    self.seeds = seeds
    all = seeds.map(\.bytes)
  }

  /// Longer ones cost time and reach no more.
  private static let byteLimit = 2048

  /// The changes of a document with a value; `nil` if the coder refuses it.
  private static func changes(with value: any Codable) throws -> [UInt8]? {
    let document = Document()
    if let actor = ActorId(data: Data([0xa0, 9])) { document.actor = actor }
    guard (try? AutomergeEncoder(doc: document).encode(value)) != nil else { return nil }
    return document.reading { engine in
      engine.commit(time: 0)
      return engine.changes().flatMap { engine.changeBytes($0.hash) ?? [] }
    }
  }

  /// Damaged changes with right checksums, and the model to decode: mostly the one that was written.
  func draw(_ choices: inout Choices) -> (model: Model, bytes: [UInt8]) {
    let seed = choices.element(of: seeds)
    let model = choices.flag(percent: 25) ? choices.element(of: seeds).model : seed.model
    var bytes = seed.bytes
    choices.repeated(upTo: 4, averaging: 1, "wound") { choices in
      _ = DamagedBytes.wound(&bytes, all, &choices)
    }
    return (model, choices.flag(percent: 95) ? ChunkForge.sealed(bytes) : bytes)
  }

  /// Decodes a document as a type.
  static func decode(_ type: any Decodable.Type, from document: Document) throws {
    func open<T: Decodable>(_ type: T.Type) throws {
      _ = try AutomergeDecoder(doc: document).decode(type)
    }
    try open(type)
  }
}
