/// What a document can hold, and what a reader of untrusted bytes will spend on them.
///
/// Each limit is checked before anything of the size is reserved. Those that an app can set are in
/// ``DocumentLimits``.
///
/// Two kinds stand here. What the store's numbers can hold: `actorLimit` (16 bits),
/// `valueByteLimit` (28 bits), `totalValueByteLimit` (32 bits), `timeLimit`. And what a reader
/// spends on a chunk, either for each of its bytes, with a free amount for small ones, or at most
/// in all.
package enum Limits {
  /// Actors of one document; the store keeps 16 bits for each.
  package static let actorLimit = 65_535
  /// Bytes of one actor's id; by custom there are 16.
  ///
  /// Ids that begin alike are compared byte by byte.
  package static let actorByteLimit = 4_096
  /// Bytes of one value; the store keeps 28 bits for the length.
  ///
  /// 2^28 - 1: Swift's `<<` binds tighter than `-`.
  package static let valueByteLimit = 1 << 28 - 1
  /// Bytes of all values of one document; the store keeps 32 bits for an offset.
  ///
  /// 2^32 - 2, so that no offset equals the 2^32 - 1 that stands for none in tables.
  package static let totalValueByteLimit = 1 << 32 - 2
  /// Op rows of one chunk, tombstones included.
  package static let rowLimit = 1 << 26
  /// Op rows of one chunk that do not go on like the one before, for each of its bytes, inflated, beyond
  /// the first `freeRowCount`.
  package static let rowsPerByteLimit = 512
  /// Such rows that a chunk of any size may have.
  package static let freeRowCount = 1 << 20
  /// Rows, links, changes or dependencies that one chunk of `count` bytes, inflated, may have.
  static func entryLimit(forByteCount count: Int) -> Int {
    freeRowCount + min(count, 1 << 40) * rowsPerByteLimit
  }

  /// Times are below this in size; the format stores differences of two in 64 bits.
  package static let timeLimit: Int64 = 1 << 62
  /// Columns of one chunk: their indexes are below the 2^16 - 1 that stands for none.
  package static let columnLimit = 65_534
  /// Bytes that are read while intact changes of a damaged file are looked for, for each of its bytes.
  ///
  /// A chunk may be tried at each place where its first four bytes stand, and each may claim the rest of the
  /// file: without a bound a forged file would cost its length squared.
  package static let recoveryBytesPerByteLimit = 64
  /// Changes of one document chunk.
  package static let changeLimit = 1 << 24
  /// Dependency entries of one document chunk or change.
  package static let dependencyLimit = 1 << 24
  /// Successor or predecessor entries of one chunk.
  package static let linkLimit = 1 << 26
  /// What ``DocumentLimits/inflatedByteLimit`` can be at most.
  package static let inflatedByteLimit = 1 << 30
  /// Bytes of memory that refused changes may leave behind in a document that is smaller.
  package static let refusalByteLimit = Sizes.refusalByteLimit
  /// Statements of what a peer has in one sync message; peers send one at most.
  package static let haveLimit = 16
  /// Probes of a filter in a sync message; peers use 7, and each may cost a step for each change.
  package static let bloomProbeLimit: UInt32 = 64
}
