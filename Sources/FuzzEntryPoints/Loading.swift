import DocumentLaws
import PropertyEngine
import Subjects
import Texts

extension LawGroup {
  /// The laws of the target *load*, judged on one stored file.
  ///
  /// The file is judged as it is; and again with the length and the checksum of its first chunk made
  /// right, since a fuzzer cannot guess a checksum. The first law that the engine breaks is told.
  static func loading(_ bytes: [UInt8]) -> LawGroup {
    LawGroup(
      laws,
      form: .lines { bytes in ["\(bytes.count) bytes: \(hexString(Array(bytes.prefix(600))))"] },
      draw: { _ in bytes },
      judge: { bytes, _ in
        let sealed = ChunkForge.sealed(bytes)
        for form in sealed == bytes ? [bytes] : [bytes, sealed] {
          do {
            if let broken = try DamageLaws<EngineReplica>.broken(by: form) {
              return JudgedCase([(broken.law, Judgement(.violated(broken.difference)))])
            }
          } catch {
            return JudgedCase([(FailureKey.answers, Judgement(.errored("\(error)")))])
          }
        }
        return JudgedCase(laws.map { ($0.name, Judgement(.held)) })
      }
    )
  }

  /// What `DamageLaws.broken(by:)` may find broken.
  private static let laws = DamageLaws<EngineReplica>.all(bases: [[]]).map(\.statement).filter {
    ["damage.refused-or-sound", "damage.refusal-leaves-no-trace", "damage.work-bounded"]
      .contains($0.name)
  }
}
