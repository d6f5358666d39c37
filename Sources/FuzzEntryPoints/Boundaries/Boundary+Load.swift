import DocumentLaws
import PropertyEngine
import Subjects

extension Boundary {
  /// Bytes are a stored file, which is loaded as it is and with its checksum made right.
  ///
  /// The second, since a fuzzer cannot guess a checksum. The first law that the engine breaks is
  /// reported.
  package static let load = Boundary(
    "load",
    "A stored file; the engine loads it as it is, and with its checksum made right.",
    on: engine,
    laws: DamageLaws<EngineReplica>.all(bases: [[]]).map(\.statement).filter {
      ["damage.refused-or-sound", "damage.refusal-leaves-no-trace", "damage.work-bounded"]
        .contains($0.name)
    },
    byteLimit: 4096,
    notation: .binary(pieces: .chunks),
    entrance: .chunk,
    otherFolders: ["fixtures/vectors", "fixtures/excerpts"],
    seedSentence: "one small input for each known way to claim much",
    seeds: {
      Bombs.examples.map { example in
        Seed(
          example.name,
          "claims much: \(example.name.replacing("-", with: " "))",
          example.bytes
        )
      }
    },
    breach: { bytes in
      let sealed = DeflatedChunk.sealed(bytes)
      for form in sealed == bytes ? [bytes] : [bytes, sealed] {
        if let broken = try DamageLaws<EngineReplica>.broken(by: form) { return broken }
      }
      return nil
    }
  )
}
