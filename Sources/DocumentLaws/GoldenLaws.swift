// Laws of golden files: three, which share `law(...)`. `GoldenLines.swift` makes both sides of a
// comparison into lines.

import DocumentModel
package import PropertyEngine

/// A golden vector: a file that the real Automerge wrote, or one that it refuses, and what it holds.
///
/// `Campaigns/GoldenFiles.swift` reads them from `fixtures/vectors`.
package struct GoldenVector: Sendable {
  package let name: String
  package let bytes: [UInt8]
  /// Whether anything in it is deflated.
  ///
  /// Deflated bytes are no one's but the deflater's, and are not compared.
  package let isDeflated: Bool
  /// `nil` if the file must be refused.
  package let heads: [String]?
  /// What is visible, one line for each value, ascending; see ``GoldenLines``.
  package let lines: [String]

  package init(
    name: String,
    bytes: [UInt8],
    isDeflated: Bool,
    heads: [String]?,
    lines: [String]
  ) {
    self.name = name
    self.bytes = bytes
    self.isDeflated = isDeflated
    self.heads = heads
    self.lines = lines
  }
}

/// Why no golden file is judged, and what to do.
private let goldenAbsence =
  "the golden files are not at hand: they are in a clone of Touchstone, where the command has to run"

/// The golden vectors as laws: each case is one file.
///
/// They know what is right from files of the real Automerge, without running it. They are as good
/// as the files: a feature that none of them uses is not judged.
package enum GoldenLaws<R: StoredReplica> {
  /// All of them; where the files are not at hand, each skips its cases and says so.
  package static func all(_ vectors: [GoldenVector]) -> [Law<GoldenVector>] {
    [accepted(vectors), refused(vectors), sameBytes(vectors)]
  }

  /// Catches a reader that departs from the format as Automerge writes it.
  private static func accepted(_ vectors: [GoldenVector]) -> Law<GoldenVector> {
    law(
      "golden.accepted",
      title: "Automerge's files load.",
      "Files of the real Automerge load with their heads, values and conflicts.",
      among: vectors.filter { $0.heads != nil }
    ) { try difference($0, R.self) }
  }

  /// Catches a reader that is laxer than the real one, whose users would exchange files that others
  /// refuse.
  private static func refused(_ vectors: [GoldenVector]) -> Law<GoldenVector> {
    law(
      "golden.refused",
      title: "Files that Automerge refuses are refused.",
      "Files that the real Automerge refuses are refused.",
      among: vectors.filter { $0.heads == nil }
    ) { vector in
      var work = 0
      guard (try? R.load(vector.bytes, actor: reader, work: &work)) != nil else { return nil }
      return Difference(kind: "accepted", summary: "\(vector.name) was accepted")
    }
  }

  /// Catches a writer that departs from the format: the strictest comparison there is.
  ///
  /// Deflated columns are left out, since another zlib may compress otherwise.
  private static func sameBytes(_ vectors: [GoldenVector]) -> Law<GoldenVector> {
    law(
      "golden.same-bytes",
      title: "Automerge's documents are saved byte for byte.",
      "A document of the real Automerge, not deflated, is saved as the bytes that it came as.",
      among: vectors.filter { $0.heads != nil && !$0.isDeflated && isPlainDocument($0.bytes) }
    ) { vector in
      var work = 0
      var document = try R.load(vector.bytes, actor: reader, work: &work)
      let saved = document.save(compressed: false)
      guard saved != vector.bytes else { return nil }
      return Difference(kind: "bytes", summary: "\(vector.name) is saved otherwise")
    }
  }

  private static func law(
    _ name: String,
    title: String,
    _ sentence: String,
    among vectors: [GoldenVector],
    check: @escaping @Sendable (GoldenVector) throws -> Difference?
  ) -> Law<GoldenVector> {
    Law(
      LawStatement(name, title, sentence, source: .fixtures("vectors")),
      form: .vector(among: vectors),
      draw: { choices in
        // A run outside of the repository has no fixtures.
        guard !vectors.isEmpty else { throw Skipped(goldenAbsence) }
        return vectors[choices.index(below: vectors.count)]
      },
      judge: { vector in Judgement(Verdict(of: vector, check)) }
    )
  }
}

private let reader = ActorID(repeating: 0xdd)

/// Whether a file is one document chunk: the others are changes, which are saved as a document.
///
/// The number behind the type is the length of the content, an unsigned LEB128; nothing may follow
/// that.
private func isPlainDocument(_ bytes: [UInt8]) -> Bool {
  guard bytes.count > 10, bytes[8] == 0 else { return false }
  var scanner = ByteScanner(bytes[9...])
  return scanner.unsigned() == UInt64(scanner.leftCount)
}

/// The lines of the file must be among those shown; more may be shown, since the files do not list
/// everything.
///
/// Heads are compared exactly, and before the lines: they stand for all changes, hidden values
/// included.
private func difference<R: StoredReplica>(
  _ vector: GoldenVector,
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
