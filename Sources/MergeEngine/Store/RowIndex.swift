/// Finds rows by id in the registers that have many.
///
/// A register's rows are linked, and found by walking from where the last one was entered: most have
/// one row, or are overwritten in order, and a merge walks back once to where its changes begin. The
/// second walk past `patience` rows of a register enters it here, and from then on a row is found in
/// logarithmic time, in whatever order rows come.
///
/// Each register has two orders, as it has two lists: all rows, and the visible ones.
///
///     register 4    rows 3 <-> 5 <-> 8 <-> 9 <-> 12      visible 5 <-> 12
///     places        4 -> 6
///     orders        [ ... | 6: 3 5 8 | 7: 5 ]            all rows, then the visible ones
///
/// What holds between calls: each order of a register that was entered holds the rows of its list
/// from the first to some row, ascending. Rows behind that one, its tail, enter when a search
/// asks for the register (``catchUp(_:with:of:_:)``): most rows come at the end of their list, many
/// leave from there, and neither concerns the index. A register is never taken out: the index goes
/// with its store, and is made again in copies.
///
/// A class, so that searches which change nothing else can enter a register.
///
/// The store reports to it every row that is linked before others or unlinked, in the two lists of
/// a register that was entered
/// (``Core/addRow(_:_:)``, ``Core/addSuccessor(_:_:byIncrement:in:)`` and their inverses), and never asked to repair itself: ``Core/checkInvariants()``
/// compares both.
final class RowIndex {
  enum List: Int { case all, visible }

  /// By register, the place of its first order; `walkedOnce` before it has one.
  ///
  /// Unchecked, as are the orders, since each edit of a register asks for them: no call of this class hands
  /// control to others while it changes them.
  @exclusivity(unchecked)
  private var places = NumberTable()
  /// Two for each register that was entered: of all rows, and of the visible ones.
  @exclusivity(unchecked)
  private var orders: [RowOrder] = []

  /// Rows that a walk passes before it counts.
  static var patience: Int { Sizes.scannedRowCount }
  /// Rows that a walk passes before it asks the index: fewer than its search looks at.
  static var nearCount: Int { Sizes.scannedRowCount / 16 }
  /// In `places`: one walk counted, and the next one enters the register.
  private static var walkedOnce: UInt32 { .max - 1 }

  /// Asked before each call, so that documents without long registers pay a comparison.
  @inline(__always) var isEmpty: Bool { unsafe orders.isEmpty }

  /// The place of a list's order; `nil` if the register has not been entered.
  @inline(__always)
  private func place(_ register: RegisterHandle, _ list: List) -> Int? {
    guard let first = unsafe places.find(UInt64(register.place)), first != Self.walkedOnce
    else { return nil }
    return Int(first) + list.rawValue
  }

  /// The last row of a list whose id is not above `id`, none if all are; `nil` if the register has not
  /// been entered.
  func rowNotAbove(
    _ id: PackedID,
    in register: RegisterHandle,
    _ list: List,
    _ core: borrowing Core
  ) -> RowHandle? {
    guard let place = place(register, list) else { return nil }
    catchUp(place, with: list, of: register, core)
    core.meter.add(WorkMeter.row)
    return unsafe orders[place].rowNotAbove(id, core)
  }

  /// Counts a walk past `patience` rows; the second one enters the register, at a step for each row.
  ///
  /// Entered before, it stays as it is.
  func noteWalk(_ register: RegisterHandle, _ core: borrowing Core) {
    let key = UInt64(register.place)
    guard let known = unsafe places.find(key) else {
      unsafe places.set(key, Self.walkedOnce)
      return
    }
    guard known == Self.walkedOnce else { return }
    let place = unsafe orders.count
    unsafe places.set(key, UInt32(place))
    unsafe orders += [RowOrder(), RowOrder()]
    catchUp(place, with: .all, of: register, core)
    catchUp(place + 1, with: .visible, of: register, core)
  }

  /// Enters the rows behind the last that an order holds; cost: a step for each, once.
  ///
  ///     rows 3 <-> 5 <-> 8 <-> 9 <-> 12       3 5 8    ->    3 5 8 9 12
  private func catchUp(
    _ place: Int,
    with list: List,
    of register: RegisterHandle,
    _ core: borrowing Core
  ) {
    let last = unsafe orders[place].last?.row
    var count = 0
    switch list {
    case .all:
      var row = last.map { core.rows[$0].next } ?? core.registers[register].first
      while !row.isNone {
        unsafe orders[place].append(RowOrder.Entry(id: core.rows[row].id, row: row))
        row = core.rows[row].next
        count += 1
      }
    case .visible:
      var row = last.map { core.rows[$0].above } ?? core.registers[register].bottom
      while !row.isNone {
        unsafe orders[place].append(RowOrder.Entry(id: core.rows[row].id, row: row))
        row = core.rows[row].above
        count += 1
      }
    }
    core.meter.add(count)
  }

  /// Notes a row that was linked before others, if the register has been entered.
  func insert(
    _ row: RowHandle,
    in register: RegisterHandle,
    _ list: List,
    _ core: borrowing Core
  ) {
    guard let place = place(register, list) else { return }
    let id = core.rows[row].id
    guard let last = unsafe orders[place].last, core.precedes(id, last.id) else { return }
    unsafe orders[place].insert(RowOrder.Entry(id: id, row: row), core)
  }

  /// Notes that a row is unlinked, if the register has been entered.
  func remove(
    _ id: PackedID,
    in register: RegisterHandle,
    _ list: List,
    _ core: borrowing Core
  ) {
    guard let place = place(register, list), let last = unsafe orders[place].last,
      !core.precedes(last.id, id)
    else { return }
    unsafe orders[place].remove(id, core)
  }

  /// The rows that an order holds, ascending; `nil` if the register has not been entered.
  func rows(_ register: RegisterHandle, _ list: List) -> [RowHandle]? {
    guard let place = place(register, list) else { return nil }
    return unsafe orders[place].rows
  }
}

/// Rows by id, in pieces of at most `pieceLimit`.
///
///     pieces     [ 3 5 8 ... ] [ 40 41 ... ] [ 97 ... ]       none is empty
///
/// The pieces' first entries are searched first, then one piece. With pieces of at most 4:
///
///     insert 6    [ 3 5 8 ] [ 40 41 ]        ->     [ 3 5 6 8 ] [ 40 41 ]
///     insert 7    [ 3 5 6 8 ] [ 40 41 ]      ->     [ 3 5 ] [ 6 7 8 ] [ 40 41 ]
///     remove 41   ... [ 40 41 ]              ->     ... [ 40 ]
///     remove 40   ... [ 40 ]                 ->     ...       pieces are dropped, never joined
///
/// What holds between calls: entries ascend within and across pieces, each id once. Cost: two
/// binary searches; a piece is shifted by one, and rarely the list of pieces.
///
/// It holds no core: order is a matter of the actors' bytes, so that each call is lent the core to
/// ask.
struct RowOrder {
  struct Entry {
    let id: PackedID
    let row: RowHandle
  }

  private var pieces: [ContiguousArray<Entry>] = []
  private static var pieceLimit: Int { Sizes.rowPieceCount }

  var rows: [RowHandle] { pieces.flatMap { $0.map(\.row) } }

  /// The greatest entry; `nil` if there is none.
  var last: Entry? {
    @inline(__always)
    get { pieces.last.map { $0[$0.count - 1] } }
  }

  /// Enters a row above all others.
  ///
  /// Pieces stay half-full, which leaves room for what comes between.
  mutating func append(_ entry: Entry) {
    if let last = pieces.last, last.count < Self.pieceLimit / 2 {
      pieces[pieces.count - 1].append(entry)
    } else {
      pieces.append([entry])
    }
  }

  /// How many of `count` entries, ascending, are not above `id`: 0 if all are.
  private static func rank(
    of id: PackedID,
    among count: Int,
    _ core: borrowing Core,
    _ entry: (Int) -> PackedID
  ) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if core.precedes(id, entry(middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The place of the last entry not above `id`; `nil` if all are.
  private func place(of id: PackedID, _ core: borrowing Core) -> (piece: Int, offset: Int)? {
    // Most rows are entered and taken out at the end.
    if let last = pieces.last, !core.precedes(id, last[last.count - 1].id) {
      return (pieces.count - 1, last.count - 1)
    }
    let piece = Self.rank(of: id, among: pieces.count, core) { pieces[$0][0].id } - 1
    guard piece >= 0 else { return nil }
    let entries = pieces[piece]
    return (piece, Self.rank(of: id, among: entries.count, core) { entries[$0].id } - 1)
  }

  /// The row of the last entry not above `id`; none if all are.
  func rowNotAbove(_ id: PackedID, _ core: borrowing Core) -> RowHandle {
    place(of: id, core).map { pieces[$0.piece][$0.offset].row } ?? .none
  }

  /// Enters a row below the last one, whose id is not there yet.
  ///
  /// A full piece is halved.
  mutating func insert(_ entry: Entry, _ core: borrowing Core) {
    let (piece, offset) = place(of: entry.id, core) ?? (0, -1)
    pieces[piece].insert(entry, at: offset + 1)
    guard pieces[piece].count > Self.pieceLimit else { return }
    let rest = ContiguousArray(pieces[piece][(Self.pieceLimit / 2)...])
    pieces[piece].removeSubrange((Self.pieceLimit / 2)...)
    pieces.insert(rest, at: piece + 1)
  }

  /// Does nothing if the id is not there.
  mutating func remove(_ id: PackedID, _ core: borrowing Core) {
    guard let (piece, offset) = place(of: id, core), pieces[piece][offset].id == id else { return }
    pieces[piece].remove(at: offset)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
  }
}
