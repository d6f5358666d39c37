import DocumentLaws
import DocumentModel
import PropertyEngine

/// The golden vectors as laws: each case is one file; none without the files.
func goldenLaws<R: StoredReplica & SendableMetatype>(
  _ type: R.Type,
  _ files: StoredFiles
) -> [Law<StoredFiles.Vector>] {
  let accepted = files.vectors.filter { $0.heads != nil }
  let refused = files.vectors.filter { $0.heads == nil }
  guard !accepted.isEmpty, !refused.isEmpty else { return [] }
  return [
    Law(
      "golden.accepted",
      "Automerge's files load.",
      "Files of the real Automerge load with their heads, values and conflicts.",
      source: .fixtures("vectors"),
      form: .lines { [$0.name] },
      forAll: vectors(accepted)
    ) { try difference($0, R.self) },
    Law(
      "golden.refused",
      "Files that the real Automerge refuses are refused.",
      source: .fixtures("vectors"),
      form: .lines { [$0.name] },
      forAll: vectors(refused)
    ) { vector in
      var work = 0
      guard (try? R.load(vector.bytes, actor: reader, work: &work)) != nil else { return nil }
      return Difference(kind: "accepted", summary: "\(vector.name) was accepted")
    },
    Law(
      "golden.same-bytes",
      "Automerge's documents are saved byte for byte.",
      "A document of the real Automerge, not deflated, is saved as the bytes that it came as.",
      source: .fixtures("vectors"),
      form: .lines { [$0.name] },
      forAll: vectors(accepted.filter { !$0.isDeflated && isPlainDocument($0.bytes) })
    ) { vector in
      var work = 0
      var document = try R.load(vector.bytes, actor: reader, work: &work)
      let saved = document.save(compressed: false)
      guard saved != vector.bytes else { return nil }
      return Difference(kind: "bytes", summary: "\(vector.name) is saved otherwise")
    },
  ]
}

private let reader = ActorID(repeating: 0xdd)

private func vectors(_ vectors: [StoredFiles.Vector]) -> Generator<StoredFiles.Vector> {
  Generator { choices in vectors[choices.index(below: vectors.count)] }
}

/// Whether a file is one document chunk: the others are changes, which are saved as a document.
private func isPlainDocument(_ bytes: [UInt8]) -> Bool {
  guard bytes.count > 10, bytes[8] == 0 else { return false }
  var length = 0
  var shift = 0
  var at = 9
  while at < bytes.count {
    length |= Int(bytes[at] & 0x7f) << shift
    shift += 7
    at += 1
    if bytes[at - 1] & 0x80 == 0 { break }
  }
  return at + length == bytes.count
}

private func difference<R: StoredReplica>(
  _ vector: StoredFiles.Vector,
  _ type: R.Type
) throws -> Difference? {
  var work = 0
  var document = try R.load(vector.bytes, actor: reader, work: &work)
  let heads = document.heads().ids
  if heads != vector.heads?.sorted() {
    return Difference(
      kind: "heads",
      summary: "\(vector.name) has other heads",
      expected: "\(vector.heads ?? [])",
      actual: "\(heads)"
    )
  }
  let lines = GoldenLines.of(try document.observe(at: nil))
  let wanted = Set(vector.lines)
  guard !wanted.isSubset(of: lines) else { return nil }
  return Difference(
    kind: "content",
    summary: "\(vector.name) has other content",
    expected: wanted.subtracting(lines).min(),
    actual: Set(lines).subtracting(wanted).min()
  )
}
