import AutomergeDocument
import DocumentLaws
import Foundation
import MergeEngine
import PropertyEngine

extension StateLaws {
  /// Catches an examination that traps on damage, follows it without end, loses its place behind a chunk, or calls sound
  /// what no load takes; and one that shows nothing of a file that was cut off.
  ///
  ///     picks[1]        the file: what the document saves, deflated or not, its changes, or both
  ///     picks[2]        where it is cut, and whether within the frame of a chunk
  ///     picks[3, 4]     how other files are damaged, and how many
  static let surveys = law(
    "api.any-survey",
    "Damage is found where a load refuses.",
    "An examination of the bytes of any document, damaged or not, lists its chunks one behind the other up to the first "
      + "damage, finds damage if a load refuses the bytes and only then, says how many bytes each column holds once it is "
      + "inflated, and lists of a chunk that is cut off what is left in front of its columns.",
    source: [.decision(14), .specification(.format, "Chunks")]
  ) { document, sample in
    let file = file(of: document, sample)
    try expectSurvey(file)
    try expectSurveyOfPart(of: file, sample.pick(2))
    try expectInflatedSizes(of: document)
    let bases = [file] + TinyDocuments.all + VariedDocuments.all + VariedDocuments.handmade
    let seed = UInt64(sample.pick(3)) * 1_000 + UInt64(sample.pick(4))
    var choices = Choices(seed: Seed(value: seed))
    for _ in 0..<sample.pick(4) % 24 {
      var damaged = choices.element(of: bases)
      if choices.flag() {
        _ = RowDamage.wound(&damaged, &choices)
      } else {
        _ = DamagedBytes.wound(&damaged, bases, &choices)
        if choices.flag() { damaged = ChunkForge.sealed(damaged) }
      }
      try expectSurvey(damaged)
    }
  }

  /// Throws if the columns of a document are said to hold other bytes than it has when none is deflated.
  private static func expectInflatedSizes(of document: Document) throws {
    func columns(_ file: [UInt8]) -> [ChunkSurvey.Column] {
      ChunkSurvey(file).chunks.first.map { $0.changeColumns + $0.opColumns } ?? []
    }
    let plain = columns(document.reading { $0.save(compressed: false) })
    let stored = columns(document.reading { $0.save() })
    let sizes = plain.map(\.storedByteCount)
    for (columns, words) in [(plain, "plain"), (stored, "deflated")] {
      let found = columns.map { $0.plainByteCount ?? -1 }
      try expect(
        found == sizes,
        "a \(words) document's columns are said to hold \(found) bytes, and hold \(sizes)"
      )
    }
  }

  private static func file(of document: Document, _ sample: PickedHistory) -> [UInt8] {
    let changes = document.reading { $0.changeBytes(since: [], compressed: false) }
    switch sample.pick(1) % 4 {
    case 0: return document.reading { $0.save(compressed: false) }
    case 1: return document.reading { $0.save() }
    case 2: return changes.flatMap(\.self)
    default: return document.reading { $0.save() } + changes.flatMap(\.self)
    }
  }

  /// Bytes of a frame in front of its length: magic number, checksum and type.
  private static let frameByteCount = 9

  /// Throws if an examination does not cover the file up to the first damage, or finds it elsewhere than a load.
  private static func expectSurvey(_ file: [UInt8]) throws {
    let survey = ChunkSurvey(file)
    let due: ChunkError?
    do throws(ChunkError) {
      _ = try MergeDocument(loading: file, actor: MergeEngine.ActorID([]))
      due = nil
    } catch {
      due = error
    }
    try expect(
      (survey.damage == nil) == (due == nil),
      "\(file.count) bytes: examined with \(words(survey.damage)), loaded with \(words(due))"
    )
    let sound = survey.chunks.prefix { $0.start < survey.readByteCount }
    var end = 0
    for chunk in sound {
      try expect(chunk.start == end, "a chunk is listed at \(chunk.start) behind one up to \(end)")
      let length = ChunkForge.unsigned(chunk.contentByteCount).count
      end = chunk.start + frameByteCount + length + Int(chunk.contentByteCount)
      try expectColumns(of: chunk, upTo: end)
    }
    try expect(end == survey.readByteCount, "chunks up to \(end), read \(survey.readByteCount)")
    // A chunk whose type is there is listed, however little of it can be read.
    let left = file.count - end
    let rest = survey.chunks.dropFirst(sound.count)
    try expect(left == 0 || survey.damage != nil, "\(left) bytes are left over without damage")
    try expect(
      rest.map(\.start) == (left >= frameByteCount ? [end] : []),
      "\(left) bytes from \(end) on are listed as chunks at \(rest.map(\.start))"
    )
    // All frames are sound: the damage is what a load found.
    try expect(left > 0 || survey.damage == due, "a load's refusal is shown as another")
  }

  /// Throws if columns of a sound chunk leave bytes out, or share some.
  private static func expectColumns(of chunk: ChunkSurvey.Chunk, upTo end: Int) throws {
    let columns = chunk.changeColumns + chunk.opColumns
    for (column, next) in zip(columns, columns.dropFirst()) {
      try expect(
        next.offset == column.offset + column.storedByteCount,
        "a column at \(column.offset) is followed by one at \(next.offset)"
      )
    }
    guard chunk.kind == .change, let last = columns.last else { return }
    let behind = last.offset + last.storedByteCount + chunk.extraByteCount
    try expect(behind == end, "a change of columns up to \(behind) ends at \(end)")
  }

  /// Throws if an examination of a part of a sound file lists less than is there.
  private static func expectSurveyOfPart(of file: [UInt8], _ pick: Int) throws {
    let whole = ChunkSurvey(file)
    guard whole.damage == nil, !file.isEmpty else { return }
    var cut = pick * 7 % file.count
    // Within a frame, which few places of a file are.
    if pick % 4 == 3, let start = whole.chunks.last?.start {
      cut = min(start + pick / 4 % 12, file.count - 1)
    }
    let part = Array(file.prefix(cut))
    try expectSurvey(part)
    guard let chunk = whole.chunks.last(where: { $0.start <= cut }) else { return }
    let survey = ChunkSurvey(part)
    let before = whole.chunks.filter { $0.start < chunk.start }
    try expect(
      Array(survey.chunks.prefix(before.count)) == before,
      "chunks in front of the end of a part are listed otherwise"
    )
    // Nothing is inflated of a compressed change that is cut off.
    guard chunk.kind != .compressedChange, let left = survey.chunks.dropFirst(before.count).first
    else { return }
    try expect(
      chunk.actors.starts(with: left.actors) && chunk.heads.starts(with: left.heads),
      "a chunk that is cut off has other actors or heads"
    )
    let columns = chunk.changeColumns + chunk.opColumns
    guard let first = columns.first, cut >= first.offset else { return }
    try expect(
      left.actors == chunk.actors && left.heads == chunk.heads && left.header == chunk.header,
      "a chunk that is cut off at \(cut), within its columns, is not listed up to these"
    )
    // Columns that claim more bytes than are left altogether are not believed.
    let length = ChunkForge.unsigned(chunk.contentByteCount).count
    let leftCount = cut - chunk.start - frameByteCount - length
    let sizes = [chunk.changeColumns, chunk.opColumns].map { columns in
      columns.reduce(0) { $0 + $1.storedByteCount }
    }
    guard sizes.allSatisfy({ $0 <= leftCount }) else { return }
    let listed = left.changeColumns + left.opColumns
    try expect(
      listed.map(place) == columns.map(place),
      "a chunk that is cut off at \(cut), within its columns, does not list them"
    )
  }

  private static func place(_ column: ChunkSurvey.Column) -> [Int] {
    [Int(column.spec), column.offset, column.storedByteCount]
  }

  private static func words(_ damage: ChunkError?) -> String { damage.map { "\($0)" } ?? "nothing" }
}
