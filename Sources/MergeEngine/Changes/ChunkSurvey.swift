/// What a file consists of, chunk by chunk, as far as it can be read.
///
/// For people who look at a file, damaged or not: frames, prefixes and columns are listed up to
/// the first thing that is wrong. A file whose frames are sound is loaded besides, so that damage
/// within a column is named, too.
///
///      offset   0        4          8      9 ...
///               85 6f 4a 83 | checksum | type | length (LEB) | content
///               frame: magic, first 4 bytes of the hash         prefix, column metadata, columns
///
/// The 106 bytes of a document in which the actor abcd has set "k" to 5 are listed as
///
///     start 0, kind document, checksum a0 d8 f5 d3, contentByteCount 96
///     actors [abcd], heads [ef3bf013...24bf]
///     changeColumns   01 at 78, 03 at 80, 13 at 82, 23 at 84, 40 at 86, 56 at 88
///     opColumns       15 at 90 (3 bytes), 21 at 93, 23 at 95, 34 at 97 (1), 42 at 98, 56 at 100,
///                     57 at 102 (1), 80 at 103
///                     of 2 bytes where no number stands
///     readByteCount   106, damage nil
package struct ChunkSurvey: Sendable {
  /// One column, as the metadata says it is.
  package struct Column: Hashable, Sendable {
    /// `id << 4 | deflate << 3 | type`.
    package let spec: UInt32
    /// What the format calls it; `nil` for a column that this version does not know.
    package let name: String?
    /// From the start of the file.
    package let offset: Int
    /// Bytes in the file.
    package let storedByteCount: Int
    /// Bytes once inflated; `nil` if they cannot be inflated or the file ends before them.
    package let plainByteCount: Int?
  }

  /// What kind of chunk it says it is.
  package enum Kind: Hashable, Sendable {
    case document, change, compressedChange, bundle
    case unknown(UInt8)
  }

  /// The prefix of a change.
  package struct Header: Hashable, Sendable {
    package let actor: ActorID
    package let seq: UInt64
    package let startOp: UInt64
    package let time: Int64
    package let message: String
    package let dependencies: [ChangeHash]
    package let otherActors: [ActorID]
  }

  package struct Chunk: Hashable, Sendable {
    /// From the start of the file.
    package let start: Int
    package var kind: Kind
    /// The four bytes behind the magic number.
    package var checksum: [UInt8] = []
    /// The hash of the content; a change's name.
    package var hash: ChangeHash?
    /// Bytes of the content, as the frame says.
    package var contentByteCount: UInt64 = 0
    /// Of a document.
    package var actors: [ActorID] = []
    package var heads: [ChangeHash] = []
    package var changeColumns: [Column] = []
    /// Of a change.
    package var header: Header?
    /// Of a document or a change.
    package var opColumns: [Column] = []
    /// Bytes behind a change's columns, which this version keeps and does not read.
    package var extraByteCount = 0
  }

  package private(set) var chunks: [Chunk] = []
  /// What is wrong first; `nil` for a sound file.
  package private(set) var damage: ChunkError?
  package let byteCount: Int
  /// Bytes of the chunks in front of the damage; all of a sound file.
  package private(set) var readByteCount = 0

  /// Looks at a file.
  ///
  /// Costs a load besides the listing, within the default limits of one.
  package init(_ bytes: [UInt8]) {
    self = Self.loading(bytes).survey
  }

  /// Looks at a file, and gives the document that the look loads; `nil` if the file is damaged.
  package static func loading(
    _ bytes: [UInt8]
  ) -> (survey: ChunkSurvey, document: MergeDocument?) {
    var survey = ChunkSurvey(byteCount: bytes.count)
    withView(of: bytes) { survey.survey($0) }
    guard survey.damage == nil else { return (survey, nil) }
    do throws(ChunkError) {
      return (survey, try MergeDocument(loading: bytes, actor: ActorID([])))
    } catch {
      survey.damage = error
      return (survey, nil)
    }
  }

  private init(byteCount: Int) {
    self.byteCount = byteCount
  }

  /// Stops at the first damage, and keeps what was listed of the damaged chunk before it.
  private mutating func survey(_ bytes: ByteView) {
    var cursor = ByteCursor(bytes)
    while !cursor.isAtEnd {
      var chunk = Chunk(start: cursor.offset, kind: .unknown(0))
      do throws(Fault) {
        let frame = try Self.frame(&cursor, &chunk)
        try Self.readContent(of: frame, bytes, &chunk)
        chunks.append(chunk)
        readByteCount = frame.end
      } catch {
        if chunk.start + Self.shortestFrame <= bytes.count { chunks.append(chunk) }
        let part = chunk.kind == .document ? "document" : "change"
        damage = error.error(base: 0, in: error.part == .header ? ["chunk"] : ["chunk", part])
        return
      }
    }
  }

  /// A survey takes no document in, and keeps to what one would by default.
  private static let inflatedByteLimit = DocumentLimits().inflatedByteLimit

  /// Magic number, checksum and type.
  private static var shortestFrame: Int { ChunkFrame.lengthOffset }

  /// Reads a frame; what stands in front of its damage is kept in `chunk`.
  private static func frame(
    _ cursor: inout ByteCursor,
    _ chunk: inout Chunk
  ) throws(Fault) -> ChunkFrame {
    let start = cursor
    if start.remaining >= shortestFrame {
      let bytes = start.bytes
      chunk.checksum = (ChunkFrame.checksumOffset..<ChunkFrame.typeOffset).map {
        bytes[start.offset + $0]
      }
      let type = bytes[start.offset + ChunkFrame.typeOffset]
      switch type {
      case ChunkFrame.document: chunk.kind = .document
      case ChunkFrame.change: chunk.kind = .change
      case ChunkFrame.compressed: chunk.kind = .compressedChange
      case ChunkFrame.bundle: chunk.kind = .bundle
      default: chunk.kind = .unknown(type)
      }
      var length = start
      length.offset += shortestFrame
      if let claimed = try? length.readULEB(strict: true, .header) {
        chunk.contentByteCount = claimed
      }
      do throws(Fault) {
        return try ChunkFrame(&cursor)
      } catch {
        // A file that was cut off: what is left of the content is still worth a look, if it is no deflated stream.
        if error.reason == .truncated, chunk.kind != .compressedChange,
          chunk.contentByteCount > UInt64(length.remaining)
        {
          let rest = bytes.part(from: length.offset, length: length.remaining)
          try? readPlainContent(rest, at: length.offset, &chunk)
        }
        throw error
      }
    }
    return try ChunkFrame(&cursor)
  }

  /// The content is read before its checksum is compared: people who look at a damaged file want to
  /// see both.
  private static func readContent(
    of frame: ChunkFrame,
    _ bytes: ByteView,
    _ chunk: inout Chunk
  ) throws(Fault) {
    let content = bytes.part(
      from: frame.contentStart,
      length: frame.end - frame.contentStart
    )
    guard frame.type == ChunkFrame.compressed else {
      // What the bytes say comes first: a wrong checksum does not make them unreadable.
      do throws(Fault) {
        try readPlainContent(content, at: frame.contentStart, &chunk)
      } catch {
        chunk.hash = try frame.hash(bytes)
        throw error
      }
      chunk.hash = try frame.hash(bytes)
      return
    }
    let plain = try Deflate.inflate(content, limit: inflatedByteLimit, .content)
    var whole = Arena<UInt8>()
    let hash = appendChunk(type: ChunkFrame.change, plain.view, to: &whole)
    try readPlainContent(plain.view, at: nil, &chunk)
    guard hash.checksum == frame.checksum else { throw frame.wrongChecksum }
    chunk.hash = hash
  }

  /// Reads the content of a document or a plain change.
  ///
  /// `base` is where it begins in the file; `nil` for inflated bytes, whose offsets count from their
  /// own start.
  private static func readPlainContent(
    _ content: ByteView,
    at base: Int?,
    _ chunk: inout Chunk
  ) throws(Fault) {
    let offset = base ?? 0
    do throws(Fault) {
      if chunk.kind == .document {
        try readDocument(content, at: offset, &chunk)
      } else {
        try readChange(content, at: offset, &chunk)
      }
    } catch {
      throw Fault(error.reason, error.offset + offset, error.part)
    }
  }

  /// Fills the chunk's lists on the way, so that those in front of the damage are there when it
  /// throws.
  private static func readDocument(
    _ content: ByteView,
    at base: Int,
    _ chunk: inout Chunk
  ) throws(Fault) {
    var cursor = ByteCursor(content)
    let actorCount = try cursor.readLength(.actors)
    for _ in 0..<actorCount {
      let length = try cursor.readLength(.actors)
      chunk.actors.append(ActorID(try cursor.readBytes(length, .actors).array))
    }
    let headCount = try cursor.readCount(unit: 32, .heads)
    for _ in 0..<headCount {
      chunk.heads.append(try cursor.readHash(.heads))
    }
    var changeLayout = ColumnLayout()
    try changeLayout.read(&cursor, allowsDeflate: true)
    var opLayout = ColumnLayout()
    try opLayout.read(&cursor, allowsDeflate: true)
    let changeStart = cursor.offset
    let opStart = changeStart + changeLayout.totalLength
    chunk.changeColumns = columns(changeLayout, in: content, from: changeStart, base: base) {
      ChangeColumn(rawValue: $0)?.part.rawValue
    }
    chunk.opColumns = columns(opLayout, in: content, from: opStart, base: base) {
      OpColumn(rawValue: $0)?.part.rawValue
    }
    _ = try cursor.readBytes(changeLayout.totalLength, .columnData)
    _ = try cursor.readBytes(opLayout.totalLength, .columnData)
  }

  private static func readChange(
    _ content: ByteView,
    at base: Int,
    _ chunk: inout Chunk
  ) throws(Fault) {
    var cursor = ByteCursor(content)
    let header = try ChangeHeader(&cursor)
    var otherActors: [ActorID] = []
    var place = header.otherActorStart
    for _ in 0..<header.otherActorCount {
      otherActors.append(ActorID(try header.otherActor(at: &place).array))
    }
    chunk.header = Header(
      actor: header.actor,
      seq: header.seq,
      startOp: UInt64(header.startOp),
      time: header.time,
      message: content.part(from: header.messageStart, length: header.messageLength).string,
      dependencies: (0..<header.dependencyCount).map { header.dependency($0) },
      otherActors: otherActors
    )
    var layout = ColumnLayout()
    try layout.read(&cursor, allowsDeflate: false)
    chunk.opColumns = columns(layout, in: content, from: cursor.offset, base: base) {
      OpColumn(rawValue: $0)?.part.rawValue
    }
    _ = try cursor.readBytes(layout.totalLength, .columnData)
    chunk.extraByteCount = cursor.remaining
  }

  /// Inflates to learn the size alone, all columns on one budget.
  private static func columns(
    _ layout: borrowing ColumnLayout,
    in content: ByteView,
    from start: Int,
    base: Int,
    name: (UInt32) -> String?
  ) -> [Column] {
    var result: [Column] = []
    var budget = inflatedByteLimit
    for index in 0..<layout.columns.count {
      let column = layout.columns[index]
      let offset = start + column.offset
      var plain: Int?
      if offset <= content.count, column.length <= content.count - offset {
        plain = column.length
        if column.isDeflated {
          let bytes = content.part(from: offset, length: column.length)
          plain = (try? Deflate.inflate(bytes, limit: max(budget, 0), .columnData))?.count
          budget -= plain ?? 0
        }
      }
      result.append(
        Column(
          spec: column.spec,
          name: name(column.name),
          offset: base + offset,
          storedByteCount: column.length,
          plainByteCount: plain
        )
      )
    }
    return result
  }
}
