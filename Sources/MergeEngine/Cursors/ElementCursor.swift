/// A place in a text or list that stays with its element, whatever is inserted and deleted elsewhere.
///
/// As bytes, and as text:
///
///     01 01                               the start                           s
///     01 02                               the end                             e
///     01 03 02 0a0b 07 02                 element 7 of actor 0a0b             7@0a0b
///     01 03 02 0a0b 07 01                 the same, which moves before        -7@0a0b
///     00 02 0a0b 07                       the same in the old form, which moves after
///
/// The parts of the third: version 1, an operation, the actor's length, the actor, the counter, and
/// where the cursor goes when its element is deleted. What follows is ignored.
///
/// Source: Specification/Format.md, "Ids, cursors and hashes".
package struct ElementCursor: Hashable, Sendable, CustomStringConvertible {
  package enum Place: Hashable, Sendable {
    case start
    case end
    /// An operation of the element, and where to go from it once the element is deleted.
    case element(OpID, Move)
  }

  /// Where a cursor goes whose element is deleted.
  ///
  ///     a b c d, b and c deleted, a cursor at c       before: 0, at a      after: 1, at d
  package enum Move: UInt8, Hashable, Sendable {
    /// To the nearest visible element that the deleted one was inserted behind.
    case before = 1
    /// To what comes next.
    case after = 2
  }

  package let place: Place

  package init(_ place: Place) {
    self.place = place
  }

  // MARK: Bytes

  /// Reads what ``bytes`` gave, or the old form.
  package init(bytes: [UInt8]) throws(ChunkError) {
    let place = try withView(of: bytes) { (view) throws(ChunkError) -> Place in
      var cursor = ByteCursor(view)
      do throws(Fault) { return try Self.readPlace(&cursor) } catch {
        throw error.error(base: 0, in: ["cursor"])
      }
    }
    self.init(place)
  }

  private static func readPlace(_ cursor: inout ByteCursor) throws(Fault) -> Place {
    let version = try cursor.readByte(.version)
    guard version <= 1 else { throw Fault(.unknownVersion(version), 0, .version) }
    if version == 0 { return .element(try readOperation(&cursor), .after) }
    switch try cursor.readByte(.cursor) {
    case 1: return .start
    case 2: return .end
    case 3:
      let id = try readOperation(&cursor)
      let start = cursor.offset
      guard let move = Move(rawValue: try cursor.readByte(.cursor)) else {
        throw Fault(.invalidValue, start, .cursor)
      }
      return .element(id, move)
    default: throw Fault(.invalidValue, 1, .cursor)
    }
  }

  private static func readOperation(_ cursor: inout ByteCursor) throws(Fault) -> OpID {
    let length = try cursor.readLength(.cursor)
    let actor = ActorID(try cursor.readBytes(length, .cursor).array)
    let start = cursor.offset
    let counter = try cursor.readULEB(strict: true, .cursor)
    guard let exact = UInt32(exactly: counter), exact > 0 else {
      throw Fault(.integerTooLarge, start, .cursor)
    }
    return OpID(counter: exact, actor: actor)
  }

  package var bytes: [UInt8] {
    var bytes = Arena<UInt8>()
    bytes.append([1])
    switch place {
    case .start: bytes.append([1])
    case .end: bytes.append([2])
    case .element(let id, let move):
      bytes.append([3])
      bytes.appendCounted(id.actor.bytes)
      bytes.appendULEB(UInt64(id.counter))
      bytes.append([move.rawValue])
    }
    return bytes.view.array
  }

  // MARK: Text

  /// Reads what ``description`` gave; `nil` for anything else.
  ///
  /// The text must be what ``description`` gives: leading zeros, a plus sign and capital digits are
  /// refused. So equal cursors have equal texts, and a text may serve as a key.
  package init?(_ text: String) {
    switch text {
    case "s": self.init(.start)
    case "e": self.init(.end)
    default:
      let movesBefore = text.hasPrefix("-")
      let parts = text.dropFirst(movesBefore ? 1 : 0)
        .split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let counter = UInt32(parts[0]), counter > 0,
        let actor = hexadecimalBytes(parts[1])
      else { return nil }
      let id = OpID(counter: counter, actor: ActorID(actor))
      self.init(.element(id, movesBefore ? .before : .after))
      guard description == text else { return nil }
    }
  }

  package var description: String {
    switch place {
    case .start: "s"
    case .end: "e"
    case .element(let id, let move): "\(move == .before ? "-" : "")\(id)"
    }
  }
}
