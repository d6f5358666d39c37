/// The id of an item: texts are told apart by their bytes.
///
/// Swift's `==` takes two spellings of a letter for one, and would store one item where two were saved.
package struct ItemID: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.count == right.text.utf8.count
      && left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    // Texts of the same bytes are equal as strings, too, and hash alike.
    hasher.combine(text)
  }
}

/// One thing that a change does to one item.
///
/// Its bytes: kind (1), zeros (3), bytes of the id (4), bytes of the payload (4), version (8), then
/// both. The first change of `corpus/store/journal.bin`, 33 bytes:
///
///     01 00 00 00  02 00 00 00  0b 00 00 00      put, an id of 2 bytes, a payload of 11
///     00 00 00 00  00 00 00 00                   version: 0 in a journal
///     69 31                                      "i1"
///     7b 22 69 64 22 3a 22 69 31 22 7d           {"id":"i1"}
package struct StoreOperation: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable {
    /// The item is this from now on; a new one goes to the end.
    case put = 1
    case delete = 2
    /// The payload goes behind the item's payload; there must be one.
    case append = 3
  }

  package var kind: Kind
  package var id: ItemID
  package var payload: [UInt8]
  /// In a snapshot: the number of the change that wrote the item last.
  ///
  /// 0 in a journal.
  var version: UInt64 = 0

  package init(_ kind: Kind, _ id: ItemID, _ payload: [UInt8] = []) {
    self.kind = kind
    self.id = id
    self.payload = payload
  }

  static let headerSize = 20

  var size: Int { Self.headerSize + id.text.utf8.count + payload.count }

  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: UInt32(kind.rawValue))
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: id.text.utf8.count))
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: payload.count))
    bytes.append(littleEndian: version)
    bytes.append(contentsOf: id.text.utf8)
    bytes.append(contentsOf: payload)
  }

  /// Reads operations that fill a range exactly; `nil` if they do not.
  ///
  /// Each length is compared with what is left of the range before its bytes are taken; an id that
  /// is not UTF-8 is refused, since it would equal its repaired form.
  static func read(_ bytes: [UInt8], in range: Range<Int>) -> [StoreOperation]? {
    var operations: [StoreOperation] = []
    var offset = range.lowerBound
    while offset < range.upperBound {
      guard range.upperBound - offset >= headerSize else { return nil }
      let word = UInt32(littleEndian: bytes, at: offset)
      let idCount = Int(UInt32(littleEndian: bytes, at: offset + 4))
      let payloadCount = Int(UInt32(littleEndian: bytes, at: offset + 8))
      let version = UInt64(littleEndian: bytes, at: offset + 12)
      offset += headerSize
      guard word <= 255, let kind = Kind(rawValue: UInt8(word)),
        idCount <= range.upperBound - offset,
        payloadCount <= range.upperBound - offset - idCount,
        let id = String(validating: bytes[offset..<(offset + idCount)], as: UTF8.self)
      else { return nil }
      offset += idCount
      var operation = StoreOperation(
        kind,
        ItemID(id),
        Array(bytes[offset..<(offset + payloadCount)])
      )
      operation.version = version
      operations.append(operation)
      offset += payloadCount
    }
    return operations
  }
}

/// First frame of a snapshot or a journal: format, reader, schema, 4 zeros (4 bytes each), generation,
/// sequence, items, bytes of the seed's file (8 each), its CRC-32 (4), 4 zeros.
///
/// Of `corpus/store/journal.bin`, 56 bytes: the journal of generation 1, begun behind change 1.
///
///     01 00 00 00  01 00 00 00  01 00 00 00  00 00 00 00      format 1, reader 1, schema 1
///     01 00 00 00  00 00 00 00  01 00 00 00  00 00 00 00      generation 1, sequence 1
///     00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00      items 0, bytes of the seed's file 0
///     00 00 00 00  00 00 00 00                                its CRC-32, zeros
struct StoreHeader: Hashable, Sendable {
  static let format: UInt32 = 1
  static let size = 56
  /// Numbers of generations and changes are below it, so that none of them overflows: no store comes near, and a
  /// file that says more is damaged.
  static let numberLimit: UInt64 = 1 << 62

  var format = StoreHeader.format
  /// The lowest version that may read the file.
  var reader = StoreHeader.format
  var schema: UInt32
  var generation: UInt64
  var sequence: UInt64
  var itemCount: UInt64 = 0
  /// The seed's file that the store was made of; no bytes if it was made of none.
  var legacyCount: UInt64 = 0
  var legacyChecksum: UInt32 = 0

  init(schema: UInt32, generation: UInt64, sequence: UInt64) {
    self.schema = schema
    self.generation = generation
    self.sequence = sequence
  }

  init?(_ bytes: [UInt8], in range: Range<Int>) {
    guard range.count == Self.size else { return nil }
    let start = range.lowerBound
    format = UInt32(littleEndian: bytes, at: start)
    reader = UInt32(littleEndian: bytes, at: start + 4)
    schema = UInt32(littleEndian: bytes, at: start + 8)
    generation = UInt64(littleEndian: bytes, at: start + 16)
    sequence = UInt64(littleEndian: bytes, at: start + 24)
    itemCount = UInt64(littleEndian: bytes, at: start + 32)
    legacyCount = UInt64(littleEndian: bytes, at: start + 40)
    legacyChecksum = UInt32(littleEndian: bytes, at: start + 48)
    guard generation < Self.numberLimit, sequence < Self.numberLimit else { return nil }
  }

  func append(to bytes: inout [UInt8]) {
    for number in [format, reader, schema, 0] { bytes.append(littleEndian: number) }
    for number in [generation, sequence, itemCount, legacyCount] {
      bytes.append(littleEndian: number)
    }
    bytes.append(littleEndian: legacyChecksum)
    bytes.append(littleEndian: UInt32(0))
  }
}
