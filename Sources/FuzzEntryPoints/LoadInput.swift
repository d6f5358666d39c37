import DocumentLaws
import PropertyEngine
import Subjects

/// What the target *load* makes of its input: bytes to be loaded, as they are and sealed.
///
/// An input is a stored file. It is judged as it is; and again with the length and the checksum of its
/// first chunk made right, since a fuzzer cannot guess a checksum.
package struct LoadInput: Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The bytes that are judged.
  package var forms: [[UInt8]] {
    let sealed = ChunkForge.sealed(bytes)
    return sealed == bytes ? [bytes] : [bytes, sealed]
  }

  /// The first law that the engine breaks on any form; nil if all hold.
  package func finding() -> FuzzFinding? {
    for form in forms {
      do {
        if let broken = try DamageLaws<EngineReplica>.broken(by: form) {
          return FuzzFinding(law: broken.law, difference: broken.difference)
        }
      } catch {
        return FuzzFinding(
          law: FuzzFinding.answers,
          difference: Difference(kind: "failure", summary: "\(error)")
        )
      }
    }
    return nil
  }

  /// What a person needs to know of a finding.
  package func words(for finding: FuzzFinding, file: String?) -> String {
    var lines = ["violated: \(finding.law) on engine"]
    lines += "\(finding.difference)".split(separator: "\n").map { "  \($0)" }
    lines.append("  | \(bytes.count) bytes: \(hexadecimal(bytes.prefix(600)))")
    lines.append("replay: FuzzLoad \(file ?? "FILE")")
    if file == nil { lines.append("FILE is what the fuzzer says it writes, below.") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The input with another wound, of a seed; its first chunk stays or becomes whole.
  ///
  /// A third of all seeds leaves the checksum wrong.
  package func mutated(seed: UInt32, by plain: ([UInt8]) -> [UInt8]) -> [UInt8] {
    switch seed % 3 {
    case 0: return plain(bytes)
    case 1: return ChunkForge.sealed(plain(bytes))
    default:
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      return DamagedBytes.wounded(bytes, &choices)
    }
  }
}
