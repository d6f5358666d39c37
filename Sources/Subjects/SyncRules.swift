import DocumentLaws

/// What a sync message is by the rules, read and made again without an engine.
///
/// Two engines of one make agree on a filter whatever its rule is, and read whatever the other one writes; a peer of
/// another make does not.
///
/// A filter is a Bloom filter: it may affirm a change by chance, and never denies one that is in
/// it.
///
/// Source: Specification/Format.md, "Sync messages", "Bloom filters".
enum SyncRules {
  private static let hashByteCount = 32

  /// Throws unless each filter of a message is empty, or the one that the rules make of the changes since
  /// the heads that stand before it, and unless its changes stand as its version has them.
  static func check(
    _ message: [UInt8],
    changesSince: (_ heads: [[UInt8]]) -> [[UInt8]]
  ) throws {
    let parts = try Parts(message)
    for statement in parts.statements {
      guard statement.filter.isEmpty || statement.filter == made(of: changesSince(statement.shared))
      else { throw PeerFault.filterDiffers }
    }
    try checkItems(parts)
  }

  /// Throws unless the changes in a message stand as its version has them.
  static func checkItems(_ message: [UInt8]) throws { try checkItems(Parts(message)) }

  /// A chunk in each item of version 1; at most one item in version 2.
  private static func checkItems(_ parts: Parts) throws {
    if parts.version == 0x42 {
      // Before its length a chunk has magic, checksum and type.
      for item in parts.items {
        var rest = item.dropFirst(9)
        guard item.count > 9, try number(&rest) == rest.count else { throw PeerFault.itemsDiffer }
      }
    } else if parts.items.count > 1 {
      throw PeerFault.itemsDiffer
    }
  }

  /// The message as a peer gets it from one that does not say what it reads, as the first ones did not: for one sender
  /// in four, by the first byte of its first head.
  ///
  /// To such a peer every message is of version 1.
  static func heard(_ message: [UInt8]) throws -> [UInt8] {
    guard message.count > 2, message[1] > 0, message[2] % 4 == 3 else { return message }
    return Array(message[..<(try Parts(message).end)])
  }

  /// What a message says of changes, and the changes in it.
  ///
  /// Layout: version, heads, needs, then for each statement the shared heads and the filter, then the changes. What
  /// the sender reads follows.
  private struct Parts {
    let version: UInt8
    var statements: [(shared: [[UInt8]], filter: [UInt8])] = []
    var items: [ArraySlice<UInt8>] = []
    /// Where the changes end.
    let end: Int

    init(_ message: [UInt8]) throws {
      guard let version = message.first else { throw PeerFault.messageEnds }
      self.version = version
      var rest = message.dropFirst()
      _ = try hashes(&rest)
      _ = try hashes(&rest)
      for _ in 0..<(try number(&rest)) {
        let shared = try hashes(&rest)
        statements.append((shared, Array(try bytes(try number(&rest), &rest))))
      }
      for _ in 0..<(try number(&rest)) { items.append(try bytes(try number(&rest), &rest)) }
      end = rest.startIndex
    }
  }

  /// Number of entries, bits for each, probes, and the bits.
  ///
  /// Three words of a hash give all probes: each step adds `y` to `x` and `z` to `y`, modulo the
  /// number of bits. Ten bits for each entry, rounded up to whole bytes.
  private static func made(of hashes: [[UInt8]]) -> [UInt8] {
    let (bitsPerEntry, probeCount) = (10, 7)
    var bits = [UInt8](repeating: 0, count: (hashes.count * bitsPerEntry + 7) / 8)
    for hash in hashes {
      let modulus = bits.count * 8
      var (x, y, z) = (word(hash, 0) % modulus, word(hash, 4) % modulus, word(hash, 8) % modulus)
      for _ in 0..<probeCount {
        bits[x / 8] |= 1 << UInt8(x % 8)
        (x, y) = ((x + y) % modulus, (y + z) % modulus)
      }
    }
    let head = [hashes.count, bitsPerEntry, probeCount]
    return head.flatMap { ChunkForge.unsigned(UInt64($0)) } + bits
  }

  /// Four bytes from a place on, the least significant first.
  private static func word(_ hash: [UInt8], _ place: Int) -> Int {
    hash[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  // MARK: - Reading

  /// LEB128 of at most 56 bits, so that no shift overflows an `Int`; a longer one is refused.
  private static func number(_ rest: inout ArraySlice<UInt8>) throws -> Int {
    var (result, shift) = (0, 0)
    while shift < 56, let byte = rest.popFirst() {
      result |= Int(byte & 127) << shift
      if byte < 128 { return result }
      shift += 7
    }
    throw PeerFault.messageEnds
  }

  private static func bytes(
    _ count: Int,
    _ rest: inout ArraySlice<UInt8>
  ) throws -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw PeerFault.messageEnds }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private static func hashes(_ rest: inout ArraySlice<UInt8>) throws -> [[UInt8]] {
    var result: [[UInt8]] = []
    for _ in 0..<(try number(&rest)) { result.append(Array(try bytes(hashByteCount, &rest))) }
    return result
  }
}
