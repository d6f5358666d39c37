/// Where the engine changes its ways: sizes of nodes, pages and tables.
///
/// No document shows them but for what is deflated. The module `TightEngine` is built of these sources
/// with `TOUCHSTONE_TIGHT_SIZES`: every size is then as small as the algorithms allow, so that each
/// boundary lies within a few edits.
enum Sizes {
  #if TOUCHSTONE_TIGHT_SIZES
  /// Half a node and the two runs of a split element must fit: 4.
  static let nodeCapacity = 4
  static let idPageLog: UInt32 = 1
  static let fewActors = 1
  static let fewHashes = 1
  static let actorTableLog = 2
  static let tableLog = 1
  /// Tables up to this size grow fourfold, larger ones twofold.
  static let fastTableLog = 0
  static let fewRuns = 1
  static let fewChanges = 2
  static let sortDigitBits: UInt64 = 2
  static let deflatedColumnByteCount = 8
  static let plainChangeByteLimit = 8
  static let firstBlockByteCount = 1
  static let firstBlockCount = 1
  static let scannedMapCount = 1
  static let scannedRowCount = 1
  static let rowPieceCount = 2
  static let refusalByteLimit = 1
  #else
  /// Runs of one leaf, children of one inner node.
  ///
  /// An edit shifts half a leaf of runs, a search looks at half a node of each level.
  static let nodeCapacity = 16
  /// Pages of the index of elements have two to this power of counters.
  static let idPageLog: UInt32 = 6
  /// Up to this many actors, and hashes of changes, a search compares one by one.
  static let fewActors = 8
  static let fewHashes = 8
  /// The first table of actors, which holds one more than those few.
  static let actorTableLog = 5
  /// A new table has two to this power of slots.
  static let tableLog = 3
  /// Tables up to this size grow fourfold, larger ones twofold.
  static let fastTableLog = 8
  /// Up to this many runs of a change are sorted by comparing them.
  static let fewRuns = 256
  /// Up to this many changes of another document are put in order without the queue.
  static let fewChanges = 32
  /// Bits of the key that one pass of the sort by digits looks at.
  static let sortDigitBits: UInt64 = 11
  /// Columns of a document of this many bytes or more are deflated.
  static let deflatedColumnByteCount = 256
  /// Changes longer than this, header included, are deflated.
  static let plainChangeByteLimit = 256
  /// Minimum size of an arena's first block, in bytes and in elements.
  static let firstBlockByteCount = 256
  static let firstBlockCount = 4
  /// Maps of a draft up to this size are searched from their first entry on.
  static let scannedMapCount = 64
  /// Rows of a register that a search walks past before it enters the register in the index of rows.
  static let scannedRowCount = 64
  /// Maximum rows of one piece of that index.
  static let rowPieceCount = 128
  /// Bytes of memory that refused changes may leave behind in a document that is smaller.
  static let refusalByteLimit = 1 << 20
  #endif
}
