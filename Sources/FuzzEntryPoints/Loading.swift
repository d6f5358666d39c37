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

/// A file with another wound, of a seed; its first chunk stays or becomes whole.
///
/// A third of all seeds leaves the checksum wrong. `plain` is the fuzzer's own mutator.
package func mutated(_ file: [UInt8], seed: UInt32, by plain: ([UInt8]) -> [UInt8]) -> [UInt8] {
  switch seed % 3 {
  case 0: return plain(file)
  case 1: return ChunkForge.sealed(plain(file))
  default:
    var choices = Choices(seed: Seed(value: UInt64(seed)))
    return DamagedBytes.wounded(file, &choices)
  }
}

/// The mutator of the target *load*: what libFuzzer does by itself, with or without a right checksum,
/// or a wound that knows the format's habits.
///
/// - Parameters:
///   - buffer: The input, and room for a larger one.
///   - count: Bytes of the input.
///   - seed: What decides on the change.
///   - plain: libFuzzer's own mutator: changes the bytes at a place, of a count, up to a limit.
/// - Returns: Bytes of the new input.
public func mutateLoad(
  _ buffer: UnsafeMutableBufferPointer<UInt8>,
  count: Int,
  seed: UInt32,
  plain: (UnsafeMutablePointer<UInt8>?, Int, Int) -> Int
) -> Int {
  let file = unsafe mutated(Array(buffer.prefix(count)), seed: seed) { bytes in
    // The fuzzer's buffer lends its room.
    let count = unsafe plain(buffer.baseAddress, bytes.count, buffer.count)
    return unsafe Array(buffer.prefix(count))
  }
  let kept = file.prefix(buffer.count)
  for (index, byte) in kept.enumerated() { unsafe buffer[index] = byte }
  return kept.count
}
