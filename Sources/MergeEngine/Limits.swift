/// What a document can hold, and what a reader of untrusted bytes will spend on them.
///
/// Each limit is checked before anything of the size is reserved.
package enum Limits {
  /// Actors of one document; the store keeps 16 bits for each.
  package static let actorLimit = 65_535
  /// Bytes of one value; the store keeps 28 bits for the length.
  package static let valueByteLimit = 1 << 28 - 1
  /// Bytes of all values of one document; the store keeps 32 bits for an offset.
  package static let totalValueByteLimit = 1 << 32 - 2
  /// Op rows of one chunk, tombstones included.
  package static let rowLimit = 1 << 26
  /// Op rows of one chunk for each of its bytes, inflated, beyond the first `freeRowCount`.
  ///
  /// A run of one repeated value is the only way to more, and nobody's document is one run.
  package static let rowsPerByteLimit = 4_096
  package static let freeRowCount = 1 << 20
  /// Changes of one document chunk.
  package static let changeLimit = 1 << 24
  /// Dependency entries of one document chunk or change.
  package static let dependencyLimit = 1 << 24
  /// Successor or predecessor entries of one chunk.
  package static let linkLimit = 1 << 26
  /// Bytes of one inflated column or change; DEFLATE makes at most 1,032 bytes of one.
  package static let inflatedByteLimit = 1 << 30
  /// Changes that wait for their dependencies.
  package static let waitingLimit = 1 << 20
}
