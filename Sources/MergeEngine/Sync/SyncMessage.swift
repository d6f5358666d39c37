/// What one peer tells another: which changes it has, which it needs, and changes for the other.
///
/// The first message of a document with three changes:
///
///     42                        version 1
///     01 4fc6c6fa...caaa        one head
///     00                        needs nothing
///     01                        one statement of what it has:
///       00                        nothing is known to be shared
///       07 03 0a 07 c3 90 bc a2   a filter of 7 bytes over its changes (``BloomFilter``)
///     00                        no changes
///     02 01 02                  it understands versions 1 and 2
///
/// Version 1 holds a chunk in each item of changes. Version 2 holds at most one item: any number of
/// chunks, documents among them. Readers take both alike. What follows the last part is ignored.
///
/// Source: Specification/Format.md, "Sync messages".
struct SyncMessage {
  enum Version: UInt8 {
    case one = 0x42
    case two = 0x43
  }

  /// Which changes a peer has: all up to some heads, and of the others those in a filter.
  struct Have: Hashable, Sendable {
    /// Heads that the peer believes to be shared, ascending.
    var lastSync: [ChangeHash] = []
    var filter = BloomFilter()
  }

  var version = Version.one
  /// Ascending.
  var heads: [ChangeHash] = []
  /// Changes that the sender knows of and lacks, ascending.
  var need: [ChangeHash] = []
  var have: [Have] = []
  /// Chunks of changes, which this message does not own.
  ///
  /// A message that was read has its items here, as parts of the bytes that were read. A message to be written
  /// has parts of the history, which version 2 joins into one item.
  var changes: [ByteView] = []
  /// What the sender understands; `nil` where it does not say.
  var capabilities: [UInt8]?

  init() {}

  // MARK: Reading

  /// Reads a message.
  ///
  /// Each count is compared with the bytes that are left before anything is reserved; chunks are
  /// taken as bytes, and read when they are received.
  ///
  /// - Throws: `unknownVersion`, `truncated`, `limitExceeded` for too many statements or probes,
  ///   `overlongInteger` or `integerTooLarge`.
  init(_ cursor: inout ByteCursor) throws(Fault) {
    let first = try cursor.readByte(.version)
    guard let version = Version(rawValue: first) else {
      throw Fault(.unknownVersion(first), 0, .version)
    }
    self.version = version
    heads = try cursor.readHashes(.heads)
    need = try cursor.readHashes(.need)
    let haveStart = cursor.offset
    // Each is two bytes or more.
    let haveCount = try cursor.readCount(unit: 2, .have)
    guard haveCount <= Limits.haveLimit else {
      throw Fault(.limitExceeded(.haveLimit), haveStart, .have)
    }
    for _ in 0..<haveCount {
      let lastSync = try cursor.readHashes(.have)
      let length = try cursor.readLength(.bloom)
      let start = cursor.offset
      var inner = ByteCursor(try cursor.readBytes(length, .bloom))
      do throws(Fault) {
        have.append(Have(lastSync: lastSync, filter: try BloomFilter(&inner)))
      } catch {
        throw Fault(error.reason, error.offset + start, error.part)
      }
    }
    for _ in 0..<(try cursor.readLength(.changes)) {
      let length = try cursor.readLength(.changes)
      changes.append(try cursor.readBytes(length, .changes))
    }
    if cursor.isAtEnd { return }
    let length = try cursor.readLength(.capabilities)
    capabilities = try cursor.readBytes(length, .capabilities).array
  }

  /// Whether the sender says that it reads version 2.
  ///
  /// Newer peers write a byte with the top bit set, and understand version 2 always.
  var readsVersion2: Bool? { capabilities?.contains { $0 == 2 || $0 >= 0x80 } }

  /// Whether the sender asks for all of its changes again, as newer peers can.
  var asksForReset: Bool { capabilities?.contains { $0 >= 0x80 && $0 & 1 == 1 } ?? false }

  // MARK: Writing

  /// What this implementation understands.
  static let ownCapabilities: [UInt8] = [1, 2]

  /// What ``init(_:)`` reads.
  ///
  /// Of version 2 with two changes, the last parts:
  ///
  ///     01           one item
  ///     9c 01        of 156 bytes: both chunks
  ///     85 6f ...    the chunks
  ///
  /// Chunks go straight from where they are kept into the array: of a long message they are nearly all.
  var bytes: [UInt8] {
    let isJoined = version == .two
    var head = Arena<UInt8>()
    head.append([version.rawValue])
    head.appendHashes(heads)
    head.appendHashes(need)
    head.appendULEB(UInt64(have.count))
    for have in have {
      head.appendHashes(have.lastSync)
      var filter = Arena<UInt8>()
      have.filter.append(to: &filter)
      head.appendCounted(filter.view)
    }
    let byteCount = changes.reduce(0) { $0 + $1.count }
    head.appendULEB(UInt64(isJoined ? min(changes.count, 1) : changes.count))
    if isJoined && !changes.isEmpty { head.appendULEB(UInt64(byteCount)) }

    var bytes: [UInt8] = []
    // A length takes at most ten bytes.
    bytes.reserveCapacity(head.count + byteCount + (isJoined ? 0 : 10 * changes.count) + 64)
    head.view.append(to: &bytes)
    for chunk in changes {
      if !isJoined {
        head.truncate(to: 0)
        head.appendULEB(UInt64(chunk.count))
        head.view.append(to: &bytes)
      }
      chunk.append(to: &bytes)
    }
    if let capabilities {
      head.truncate(to: 0)
      head.appendCounted(capabilities)
      head.view.append(to: &bytes)
    }
    return bytes
  }
}

extension ByteCursor {
  /// Reads a count and as many hashes; gives each once, ascending, as all peers write them.
  mutating func readHashes(_ part: Fault.Part) throws(Fault) -> [ChangeHash] {
    let count = try readCount(unit: 32, part)
    var hashes: [ChangeHash] = []
    hashes.reserveCapacity(count)
    var isAscending = true
    for _ in 0..<count {
      let hash = try readHash(part)
      if let last = hashes.last, last >= hash { isAscending = false }
      hashes.append(hash)
    }
    return isAscending ? hashes : Set(hashes).sorted()
  }
}

extension Arena<UInt8> {
  /// Appends a count and the hashes.
  mutating func appendHashes(_ hashes: [ChangeHash]) {
    appendULEB(UInt64(hashes.count))
    for hash in hashes { hash.append(to: &self) }
  }
}
