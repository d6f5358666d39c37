/// Reads a chunk's frame.
///
///     offset 0   85 6f 4a 83   magic
///            4   20 18 49 3f   checksum: the first four bytes of the hash of all that follows
///            8   01            type: 0 document, 1 change, 2 compressed change, 3 bundle
///            9   29            41 bytes of content, as LEB128
///           10   00 02 ab ...  the content, as in `ChangeEncoder`; behind it the next chunk, without a gap
///
/// The hash is of type, length and content, and names a change. That of a compressed change is the
/// hash of the plain chunk, with type 1 and the plain length, so that a change has one name however it
/// is stored.
///
/// Source: Specification/Format.md, "Chunks".
struct ChunkFrame {
  /// What each chunk begins with: no UTF-8, so that a text is not taken for a document.
  static let magic: [UInt8] = [0x85, 0x6F, 0x4A, 0x83]
  /// The same as a number, the first byte the most significant.
  static let magicWord: UInt32 = 0x856F_4A83
  /// Offsets from the start of a chunk.
  static var checksumOffset: Int { 4 }
  /// From here on the bytes are hashed.
  static var typeOffset: Int { 8 }
  static var lengthOffset: Int { 9 }

  static let document: UInt8 = 0
  static let change: UInt8 = 1
  static let compressed: UInt8 = 2
  static let bundle: UInt8 = 3

  let type: UInt8
  /// Offsets in the input: where the chunk begins, its content begins, and the next chunk.
  let start: Int
  let contentStart: Int
  let end: Int
  let checksum: (UInt8, UInt8, UInt8, UInt8)

  /// Reads the frame at the cursor, and moves the cursor behind the chunk.
  init(_ cursor: inout ByteCursor) throws(Fault) {
    start = cursor.offset
    for expected in Self.magic {
      guard try cursor.readByte(.header) == expected else {
        throw Fault(.invalidMagic, start, .header)
      }
    }
    checksum = (
      try cursor.readByte(.header), try cursor.readByte(.header),
      try cursor.readByte(.header), try cursor.readByte(.header)
    )
    type = try cursor.readByte(.header)
    if type == Self.bundle { throw Fault(.bundleUnsupported, start + Self.typeOffset, .header) }
    guard type <= Self.compressed else {
      throw Fault(.unknownChunkType(type), start + Self.typeOffset, .header)
    }
    let length = try cursor.readLength(.header)
    contentStart = cursor.offset
    cursor.offset += length
    end = cursor.offset
  }

  /// The hash of a plain chunk, which must agree with the checksum.
  func hash(_ bytes: ByteView) throws(Fault) -> ChangeHash {
    let hashed = start + Self.typeOffset
    let hash = digest(of: bytes.part(from: hashed, length: end - hashed))
    guard hash.checksum == checksum else { throw wrongChecksum }
    return hash
  }

  /// The refusal of a chunk whose checksum is not that of its bytes.
  var wrongChecksum: Fault { Fault(.checksumMismatch, start + Self.checksumOffset, .header) }

  /// Where the content of a chunk begins whose frame was read or written before.
  static func contentStart(of chunk: ByteView) -> Int {
    var at = lengthOffset
    while at < chunk.count && chunk[at] & 0x80 != 0 { at += 1 }
    return min(at + 1, chunk.count)
  }
}

/// What stands in front of a change's columns.
///
///     00            no dependencies; else their hashes, 32 bytes each, ascending
///     02 ab cd      the actor, 2 bytes
///     01 01 00      seq 1, startOp 1, time 0
///     00            no message
///     00            no other actors; else each with its length
struct ChangeHeader {
  /// The content; this header is valid as long as its bytes.
  let content: ByteView
  let dependencyCount: Int
  private let dependencyStart: Int
  let actorBytes: ByteView
  var seq: UInt64 = 0
  var startOp: UInt32 = 0
  var time: Int64 = 0
  /// Offsets in the content.
  var messageStart = 0
  var messageLength = 0
  var otherActorCount = 0
  /// Offset in the content of the first other actor's length.
  var otherActorStart = 0

  /// What the change depends on, ascending.
  func dependency(_ index: Int) -> ChangeHash {
    ChangeHash(view: content, at: dependencyStart + index * 32)
  }

  /// Reads the other actor at `offset`, and moves that to the next.
  func otherActor(at offset: inout Int) throws(Fault) -> ByteView {
    var cursor = ByteCursor(content)
    cursor.offset = offset
    let length = try cursor.readLength(.otherActors)
    let bytes = try cursor.readBytes(length, .otherActors)
    offset = cursor.offset
    return bytes
  }

  var actor: ActorID { ActorID(actorBytes.array) }

  /// Reads the prefix, down to the column metadata.
  init(_ cursor: inout ByteCursor) throws(Fault) {
    content = cursor.bytes
    dependencyCount = try cursor.readCount(unit: 32, .dependencies)
    dependencyStart = cursor.offset
    var last: ChangeHash?
    for _ in 0..<dependencyCount {
      let hash = try cursor.readHash(.dependencies)
      if let last, !(last < hash) {
        throw Fault(.notCanonical, cursor.offset, .dependencies)
      }
      last = hash
    }
    let actorLength = try cursor.readLength(.changeActor)
    actorBytes = try cursor.readBytes(actorLength, .changeActor)
    seq = try cursor.readULEB(strict: true, .seq)
    let startOffset = cursor.offset
    let first = try cursor.readULEB(strict: true, .startOp)
    guard first > 0 else { throw Fault(.startOpZero, startOffset, .startOp) }
    time = try cursor.readSLEB(strict: true, .time)
    messageLength = try cursor.readLength(.message)
    messageStart = cursor.offset
    let message = try cursor.readBytes(messageLength, .message)
    guard isUTF8(message) else { throw Fault(.invalidUTF8, messageStart, .message) }
    otherActorCount = try cursor.readLength(.otherActors)
    otherActorStart = cursor.offset
    for _ in 0..<otherActorCount {
      let length = try cursor.readLength(.otherActors)
      _ = try cursor.readBytes(length, .otherActors)
    }
    guard first <= UInt64(UInt32.max) else {
      throw Fault(.integerTooLarge, startOffset, .startOp)
    }
    startOp = UInt32(first)
  }
}
