import Inspection
import MergeEngine
import Testing

@Suite("Examined files")
struct ChunkReportTests {
  @Test("Golden files are sound; their chunks, heads and actors are those that are known")
  func golden() throws {
    var count = 0
    for vector in try Vector.all() where vector.expect == "ok" {
      let survey = ChunkSurvey(try Fixtures.vector(vector.name))
      #expect(survey.damage == nil, "\(vector)")
      #expect(survey.readByteCount == survey.byteCount, "\(vector)")
      let kinds: [ChunkSurvey.Kind: String] = [
        .document: "document", .change: "change", .compressedChange: "compressed change",
      ]
      #expect(survey.chunks.compactMap { kinds[$0.kind] } == vector.chunks, "\(vector)")
      if let document = survey.chunks.first, survey.chunks.count == 1, document.kind == .document {
        #expect(document.heads.map(\.description).sorted() == vector.heads?.sorted(), "\(vector)")
        #expect(document.actors.map(\.description) == vector.actors, "\(vector)")
      } else if survey.chunks.count == 1, let change = survey.chunks.first {
        #expect(change.hash.map { [$0.description] } == vector.heads, "\(vector)")
      }
      count += 1
    }
    #expect(count > 40)
  }

  @Test("Damaged files name the damage where loading does, or before")
  func damaged() throws {
    var count = 0
    for vector in try Vector.all() where vector.expect != "ok" {
      let bytes = try Fixtures.vector(vector.name)
      let survey = ChunkSurvey(bytes)
      let damage = try #require(survey.damage, "\(vector)")
      let loading = #expect(throws: ChunkError.self, "\(vector)") {
        try MergeDocument(loading: bytes, actor: ActorID([]))
      }
      if loading?.reason != .checksumMismatch {
        #expect(damage.reason == loading?.reason, "\(vector)")
      }
      let lines = ChunkReport.lines(survey)
      #expect(lines.contains { $0.hasPrefix("damaged: \(damage.reason) at byte") }, "\(vector)")
      count += 1
    }
    #expect(count > 20)
  }

  @Test("A document's report is complete")
  func document() throws {
    let lines = ChunkReport.lines(ChunkSurvey(try Fixtures.vector("one_key")))
    #expect(
      Array(lines.prefix(7)) == [
        "file: 128 bytes, 1 chunk", "", "chunk 1: document at byte 0, 118 bytes of content",
        "  checksum \(lines[3].suffix(8))",
        "  hash \(lines[4].dropFirst(7))",
        "  actor 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a",
        "  head aec37ff6f7898c9d1267da7519e79f6420a37475ca1bddacef338d20c2305779",
      ]
    )
    #expect(lines[4].dropFirst(7).hasPrefix(lines[3].suffix(8)))
    #expect(lines.contains("  change columns") && lines.contains("  op columns"))
    #expect(lines.contains { $0.hasPrefix("    15  key.string") })
    #expect(lines.last == "sound")
  }

  @Test("A deflated column shows both sizes")
  func deflated() throws {
    let survey = ChunkSurvey(try Fixtures.vector("deflated_column"))
    let columns = survey.chunks.flatMap { $0.changeColumns + $0.opColumns }
    let column = try #require(columns.first { $0.spec & 8 != 0 })
    let plain = try #require(column.plainByteCount)
    #expect(plain > column.storedByteCount)
    let lines = ChunkReport.lines(survey)
    #expect(lines.contains { $0.hasSuffix("inflated \(plain)") })
  }

  @Test("Files cut anywhere are examined up to the cut")
  func cut() throws {
    for name in ["nested", "change_metadata", "compressed_change", "incremental"] {
      let bytes = try Fixtures.vector(name)
      let whole = ChunkSurvey(bytes)
      let ends = Set(whole.chunks.dropFirst().map(\.start) + [0, bytes.count])
      for length in 0..<bytes.count where !ends.contains(length) {
        let survey = ChunkSurvey(Array(bytes.prefix(length)))
        #expect(survey.damage?.reason == .truncated, "\(name) cut to \(length)")
        let sound = whole.chunks.prefix { $0.start < survey.readByteCount }
        #expect(Array(survey.chunks.prefix(sound.count)) == Array(sound), "\(name) at \(length)")
        #expect(survey.readByteCount <= length)
      }
    }
    // What is left of a prefix is shown.
    let change = try Fixtures.vector("change_metadata")
    let cut = ChunkSurvey(Array(change.dropLast()))
    #expect(cut.chunks.first?.header?.actor == ChunkSurvey(change).chunks.first?.header?.actor)
    #expect(cut.chunks.first?.header != nil)
    let document = ChunkSurvey(Array(try Fixtures.vector("nested").dropLast()))
    #expect(document.chunks.first?.opColumns.isEmpty == false)
  }

  @Test("One byte changed anywhere is damage, and traps nowhere")
  func flipped() throws {
    for name in ["nested", "change_metadata", "deflated_column", "compressed_change"] {
      let bytes = try Fixtures.vector(name)
      for place in bytes.indices {
        for mask: UInt8 in [0x01, 0x80, 0xFF] {
          var damaged = bytes
          damaged[place] ^= mask
          let survey = ChunkSurvey(damaged)
          #expect(ChunkReport.lines(survey).count > 2)
          // Deflate streams have bits that do not matter.
          if name == "nested" || name == "change_metadata" {
            #expect(survey.damage != nil, "\(name) at \(place)")
          }
        }
      }
    }
  }
}
