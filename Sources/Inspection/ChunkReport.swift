package import MergeEngine
import Texts

/// What a file consists of, in lines: chunks, their hashes and columns, up to the damage.
package enum ChunkReport {
  /// The lines of a survey; `waiting` are those of what waits in the file, if it is sound.
  package static func lines(_ survey: ChunkSurvey, waiting: [String] = []) -> [String] {
    var lines = ["file: \(survey.byteCount) bytes, \(counted(survey.chunks.count, "chunk"))"]
    for (index, chunk) in survey.chunks.enumerated() {
      lines.append("")
      // Anything can be read as a chunk, a picture, too.
      let isForeign =
        survey.damage?.reason == .invalidMagic && survey.damage?.offset == chunk.start
      lines += Self.lines(chunk, named: "chunk \(index + 1)" + (isForeign ? ", if it is one" : ""))
    }
    lines.append("")
    guard let damage = survey.damage else { return lines + waiting + ["sound"] }
    lines.append(
      "damaged: \(damage.reason) at byte \(damage.offset) in "
        + damage.section.joined(separator: "/")
    )
    let rest = survey.byteCount - survey.readByteCount
    if rest > 0 {
      lines.append("the last \(rest) bytes, from byte \(survey.readByteCount), are in doubt")
    }
    return lines
  }

  private static func lines(_ chunk: ChunkSurvey.Chunk, named title: String) -> [String] {
    var lines = [
      "\(title): \(name(chunk.kind)) at byte \(chunk.start), "
        + "\(chunk.contentByteCount) bytes of content"
    ]
    lines.append("  checksum \(ActorID(chunk.checksum))")
    if let hash = chunk.hash { lines.append("  hash \(hash)") }
    for actor in chunk.actors { lines.append("  actor \(name(actor))") }
    for head in chunk.heads { lines.append("  head \(head)") }
    if let header = chunk.header {
      lines.append("  actor \(name(header.actor)), number \(header.seq)")
      lines.append("  first operation \(header.startOp)")
      lines.append("  time \(InstantText.seconds(header.time))")
      if !header.message.isEmpty {
        lines.append("  message \(SafeText.quoted(header.message))")
      }
      for hash in header.dependencies { lines.append("  after \(hash)") }
      for actor in header.otherActors { lines.append("  other actor \(name(actor))") }
    }
    lines += table("change columns", chunk.changeColumns)
    lines += table("op columns", chunk.opColumns)
    if chunk.extraByteCount > 0 { lines.append("  \(chunk.extraByteCount) extra bytes") }
    return lines
  }

  private static func name(_ actor: ActorID) -> String {
    actor.bytes.isEmpty ? "(empty)" : actor.description
  }

  private static func name(_ kind: ChunkSurvey.Kind) -> String {
    switch kind {
    case .document: "document"
    case .change: "change"
    case .compressedChange: "compressed change"
    case .bundle: "bundle"
    case .unknown(let type): "unknown type \(type)"
    }
  }

  private static func table(_ title: String, _ columns: [ChunkSurvey.Column]) -> [String] {
    guard !columns.isEmpty else { return [] }
    let names = columns.map { $0.name ?? "unknown" }
    let width = (names.map(\.count).max() ?? 0) + 2
    return ["  \(title)"]
      + zip(names, columns).map { name, column in
        let gap = String(repeating: " ", count: width - name.count)
        let spec = String(column.spec, radix: 16)
        var line = "    \(spec.count < 2 ? "0" : "")\(spec)  \(name)\(gap)"
        line += "\(column.storedByteCount) bytes at \(column.offset)"
        switch column.plainByteCount {
        case nil: line += ", not readable"
        case let plain? where column.spec & 8 != 0: line += ", inflated \(plain)"
        default: break
        }
        return line
      }
  }
}
