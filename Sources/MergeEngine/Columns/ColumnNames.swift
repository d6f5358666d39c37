/// A column that this version of the format knows, by its spec without the deflate bit.
///
/// A spec is a number of 32 bits, `id << 4 | deflate << 3 | type`. Example: the counter of a map
/// or list key is column 1 with differences, so `0x13`:
///
///     0x13 = 0001 0 011
///            id   |  type 3: differences of signed numbers
///                 deflate: 0, plain
///
/// Source: Specification/Format.md, "Columns".
protocol ColumnName: RawRepresentable, Sendable where RawValue == UInt32 {
  /// How refusals, and people who look at a file, name the column.
  var part: Fault.Part { get }
}

/// The lowest three bits of a column's spec: how its values are written.
///
///     0 group, 1 actor, 2 unsigned    runs of LEB128 numbers       03 05: three of 5
///     3 delta                         runs of signed differences   03 01: each 1 more
///     4 boolean                       lengths in turn              02 03: two false, three true
///     5 string                        runs of length and UTF-8     7f 01 6b: "k"
///     6 value metadata                runs of LEB128 numbers       7f 14: one int of one byte
///     7 value                         bytes as they are            05
enum ColumnType: UInt32 {
  /// Counts of the rows that the other columns of the same id have for each row.
  case group = 0
  case actor, unsigned, delta, boolean, string
  /// Types and lengths of the values in the column behind.
  case valueMetadata
  case value
}

/// The columns of op rows, in changes and documents.
///
/// The names ascend, and so do the columns of each chunk. The id gathers columns that say one thing
/// together: 0 the object, 1 the key, 2 the id, 5 the value, 7 the predecessors, 8 the successors.
enum OpColumn: UInt32, ColumnName, CaseIterable {
  /// With the counter the object's id; both are null for the root.
  case objectActor = 0x01
  case objectCounter = 0x02
  /// With the counter an element's id; of the head of a list the actor is null and the counter 0.
  case keyActor = 0x11
  case keyCounter = 0x13
  /// A map's key; null for elements, as the two before are for keys.
  case keyString = 0x15
  /// Documents alone; in a change ids follow from the first.
  case idActor = 0x21
  case idCounter = 0x23
  /// Whether the key is an element behind which a new one goes, or the one that is meant.
  case insert = 0x34
  /// A code of ``Action``; never null. In a change it says how many rows there are.
  case action = 0x42
  /// ``ValueMeta``; never null.
  case valueMetadata = 0x56
  case value = 0x57
  /// Changes alone.
  case predecessorCount = 0x70
  case predecessorActor = 0x71
  case predecessorCounter = 0x73
  /// Documents alone.
  case successorCount = 0x80
  case successorActor = 0x81
  case successorCounter = 0x83
  /// Of marks; left out where no row is true.
  case expand = 0x94
  /// Of a mark's begin; null for all other rows.
  case markName = 0xA5

  var part: Fault.Part {
    switch self {
    case .objectActor: .objectActor
    case .objectCounter: .objectCounter
    case .keyActor: .keyActor
    case .keyCounter: .keyCounter
    case .keyString: .keyString
    case .idActor: .idActor
    case .idCounter: .idCounter
    case .insert: .insert
    case .action: .action
    case .valueMetadata: .valueMeta
    case .value: .value
    case .predecessorCount: .predecessorCount
    case .predecessorActor: .predecessorActor
    case .predecessorCounter: .predecessorCounter
    case .successorCount: .successorCount
    case .successorActor: .successorActor
    case .successorCounter: .successorCounter
    case .expand: .expand
    case .markName: .markName
    }
  }
}

/// The columns of the changes of a document.
enum ChangeColumn: UInt32, ColumnName, CaseIterable {
  /// A place in the document's table of actors.
  case actor = 0x01
  /// The change's number among its actor's, from 1.
  case seq = 0x03
  /// The counter of its last operation; where it begins shows when the operations are dealt out.
  case maxOp = 0x13
  case time = 0x23
  case message = 0x35
  case dependencyCount = 0x40
  /// Places of earlier changes in these columns, in place of their hashes.
  case dependencyIndex = 0x43
  case extraMetadata = 0x56
  case extra = 0x57

  var part: Fault.Part {
    switch self {
    case .actor: .changeActor
    case .seq: .seq
    case .maxOp: .maxOp
    case .time: .time
    case .message: .message
    case .dependencyCount: .depCount
    case .dependencyIndex: .depIndex
    case .extraMetadata: .extraMeta
    case .extra: .extra
    }
  }
}

/// All columns of both kinds, for makers of files out of pieces, such as a fuzzer.
package enum KnownColumns {
  /// The name and the number, `id << 4 | type`, of each: `op.action`, 0x42.
  package static let all: [(name: String, number: UInt32)] =
    OpColumn.allCases.map { ("op.\($0)", $0.rawValue) }
    + ChangeColumn.allCases.map { ("change.\($0)", $0.rawValue) }
}
