// Files whose rows name what they may not, or their sound twins: samples of `ForgeryLaws.swift`.
//
// Rows are said one by one, and written as the columns of a change or of a document (`ForgedRow.columns`). Writers are
// actors of one byte; a document lists them ascending.

/// One operation, as a row of a change or of a document.
struct ForgedRow {
  /// The number of an operation, and its writer.
  struct ID: Hashable {
    let counter: UInt64
    let writer: UInt8

    init(_ counter: UInt64, _ writer: UInt8) {
      self.counter = counter
      self.writer = writer
    }
  }

  /// Where the operation is.
  enum Place {
    case key(String)
    case head
    case element(ID)
  }

  /// Of a row of a document; a change numbers its rows by itself.
  var id = ID(0, 0)
  /// The root if `nil`.
  var object: ID?
  var place: Place
  var inserts = false
  /// By Specification/Format.md, "Operations": 0 makes a map, 1 sets, 2 makes a list, 3 deletes, 4 makes a text,
  /// 5 increments, 7 marks.
  var action: UInt64
  /// A string of one byte.
  var letter: UInt8?
  /// An int of one byte, 0 to 63.
  var int: UInt8?
  var markName: String?
  /// Of a row of a change.
  var predecessors: [ID] = []

  /// Type and length of the value: `true` for a mark that begins, else the string, the int or null.
  private var meta: UInt64 {
    if letter != nil { return 0x16 }
    if int != nil { return 0x14 }
    return markName == nil ? 0 : 2
  }

  /// The columns of rows; `links` has the predecessors of each, or in a document (`isDocument`) the successors.
  static func columns(
    of rows: [ForgedRow],
    writers: [UInt8],
    links: [[ID]],
    isDocument: Bool
  ) -> [(spec: UInt64, bytes: [UInt8])] {
    typealias Values = StoredRows.Values
    func place(_ id: ID?) -> UInt64? {
      id.flatMap { id in writers.firstIndex(of: id.writer).map { UInt64($0) } }
    }
    func number(_ id: ID?) -> Int64? { id.map { Int64($0.counter) } }
    let elements = rows.map { row -> ID? in
      if case .element(let id) = row.place { id } else { nil }
    }
    let keys = rows.map { row -> [UInt8]? in
      if case .key(let key) = row.place { Array(key.utf8) } else { nil }
    }
    let numbers = zip(elements, keys).map { element, key -> Int64? in
      key == nil ? number(element) ?? 0 : nil
    }
    let flat = links.flatMap(\.self)
    let linkSpec: UInt64 = isDocument ? 0x80 : 0x70
    var columns: [(spec: UInt64, bytes: [UInt8])] = [
      (0x01, Values.numbers(rows.map { place($0.object) }).bytes),
      (0x02, Values.numbers(rows.map { $0.object?.counter }).bytes),
      (0x11, Values.numbers(elements.map(place)).bytes),
      (0x13, Values.sums(numbers).bytes),
      (0x15, Values.texts(keys).bytes),
    ]
    if isDocument {
      columns += [
        (0x21, Values.numbers(rows.map { place($0.id) }).bytes),
        (0x23, Values.sums(rows.map { number($0.id) }).bytes),
      ]
    }
    return columns + [
      (0x34, Values.flags(rows.map(\.inserts)).bytes),
      (0x42, Values.numbers(rows.map(\.action)).bytes),
      (0x56, Values.numbers(rows.map(\.meta)).bytes),
      (0x57, rows.compactMap { $0.letter ?? $0.int }),
      (linkSpec, Values.numbers(links.map { UInt64($0.count) }).bytes),
      (linkSpec + 1, Values.numbers(flat.map(place)).bytes),
      (linkSpec + 3, Values.sums(flat.map(number)).bytes),
      (0xa5, Values.texts(rows.map { row in row.markName.map { Array($0.utf8) } }).bytes),
    ]
  }
}

/// A change of such rows.
struct ForgedChange {
  let writer: UInt8
  var seq = 1
  /// The number of the first row, if that does not say it.
  var startOp: UInt64?
  var time: Int64 = 0
  /// In the order of their numbers, which rise by one.
  let rows: [ForgedRow]
  /// Places in the document's list of changes, and the hashes there.
  var dependencies: [(place: Int, hash: [UInt8])] = []

  var chunk: [UInt8] {
    let named = rows.flatMap { row -> [ForgedRow.ID] in
      var ids = row.predecessors
      if let object = row.object { ids.append(object) }
      if case .element(let id) = row.place { ids.append(id) }
      return ids
    }
    let others = Set(named.map(\.writer)).subtracting([writer]).sorted()
    return ChunkForge.change(
      actor: writer,
      seq: UInt64(seq),
      startOp: startOp ?? rows.first?.id.counter ?? 1,
      time: time,
      dependencies: dependencies.map(\.hash),
      others: others,
      ops: ForgedRow.columns(
        of: rows,
        writers: [writer] + others,
        links: rows.map(\.predecessors),
        isDocument: false
      )
    )
  }

  var hash: [UInt8] { ChunkForge.hash(ofChunk: chunk) }

  /// A document of changes, whose rows are those of `order`.
  static func document(_ changes: [ForgedChange], rows order: [ForgedRow]) -> [UInt8] {
    typealias Values = StoredRows.Values
    let writers = Set(changes.map(\.writer)).sorted()
    var successors: [ForgedRow.ID: [ForgedRow.ID]] = [:]
    for row in changes.flatMap(\.rows) {
      for predecessor in row.predecessors { successors[predecessor, default: []].append(row.id) }
    }
    let followed = Set(changes.flatMap { $0.dependencies.map(\.hash) })
    let heads = changes.map(\.hash).filter { !followed.contains($0) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    let authors = changes.map { writers.firstIndex(of: $0.writer).map { UInt64($0) } }
    let counts = changes.map { UInt64($0.dependencies.count) }
    let (changeMetadata, changeData) = ChunkForge.columns([
      (0x01, Values.numbers(authors).bytes),
      (0x03, Values.sums(changes.map { Int64($0.seq) }).bytes),
      (0x13, Values.sums(changes.map { $0.rows.last.map { Int64($0.id.counter) } }).bytes),
      (0x23, Values.sums(changes.map { _ in 0 }).bytes),
      (0x40, Values.numbers(counts).bytes),
      (0x43, Values.sums(changes.flatMap { $0.dependencies.map { Int64($0.place) } }).bytes),
      (0x56, Values.numbers(changes.map { _ in 7 }).bytes),
    ])
    let (metadata, data) = ChunkForge.columns(
      ForgedRow.columns(
        of: order,
        writers: writers,
        links: order.map { successors[$0.id] ?? [] },
        isDocument: true
      )
    )
    var content = ChunkForge.unsigned(UInt64(writers.count)) + writers.flatMap { [1, $0] }
    content += ChunkForge.unsigned(UInt64(heads.count)) + heads.flatMap(\.self)
    content += changeMetadata + metadata + changeData + data
    for head in heads {
      content += ChunkForge.unsigned(UInt64(changes.firstIndex { $0.hash == head } ?? 0))
    }
    return ChunkForge.chunk(0, content)
  }
}

extension Forgery {
  /// A text "ab" with a mark over "b", and a letter in the place of "b", or in that of the mark's beginning.
  ///
  ///     2@7 "a"   3@7 begin   4@7 "b"   5@7 end      6@7: "X" at 4@7, or forged at 3@7
  ///
  /// `overwrites` says whether it names what was there as its predecessor.
  static func valueOfMark(isForged: Bool, overwrites: Bool, isDocument: Bool) -> [UInt8] {
    func id(_ counter: UInt64) -> ForgedRow.ID { ForgedRow.ID(counter, 7) }
    let text = id(1)
    let target = id(isForged ? 3 : 4)
    let rows = [
      ForgedRow(id: text, place: .key("l"), action: 4),
      ForgedRow(id: id(2), object: text, place: .head, inserts: true, action: 1, letter: 0x61),
      ForgedRow(
        id: id(3),
        object: text,
        place: .element(id(2)),
        inserts: true,
        action: 7,
        markName: "m"
      ),
      ForgedRow(
        id: id(4),
        object: text,
        place: .element(id(3)),
        inserts: true,
        action: 1,
        letter: 0x62
      ),
      ForgedRow(id: id(5), object: text, place: .element(id(4)), inserts: true, action: 7),
      ForgedRow(
        id: id(6),
        object: text,
        place: .element(target),
        action: 1,
        letter: 0x58,
        predecessors: overwrites ? [target] : []
      ),
    ]
    let change = ForgedChange(writer: 7, rows: rows)
    guard isDocument else { return change.chunk }
    // A row of an element stands behind its insertion.
    var order = Array(rows.dropLast())
    order.insert(rows[5], at: Int(target.counter))
    return ForgedChange.document([change], rows: order)
  }

  /// What an operation names in ``changesOutOfOrder(isForged:naming:)``.
  enum Named: CaseIterable {
    /// The map in which it sets a key.
    case object
    /// The element behind which it inserts one.
    case reference
    /// The element that it deletes.
    case element
    /// The value that it overwrites.
    case predecessor
    /// A map that a later operation of the same change makes.
    case ownObject
  }

  /// A document whose changes stand in the order in which they fit, or forged with one in front of another that
  /// has made what it names.
  ///
  /// None depends on the other, so that their order is all that says which was first.
  static func changesOutOfOrder(isForged: Bool, naming named: Named) -> [UInt8] {
    typealias ID = ForgedRow.ID
    switch named {
    case .object:
      let map = ForgedRow(id: ID(1, 7), place: .key("l"), action: 0)
      let put = ForgedRow(
        id: ID(2, 8),
        object: map.id,
        place: .key("k"),
        action: 1,
        letter: 0x61
      )
      let changes = [
        ForgedChange(writer: 7, rows: [map]), ForgedChange(writer: 8, rows: [put]),
      ]
      return ForgedChange.document(isForged ? changes.reversed() : changes, rows: [map, put])
    case .predecessor:
      let first = ForgedRow(id: ID(1, 7), place: .key("l"), action: 1, letter: 0x61)
      let second = ForgedRow(
        id: ID(2, 8),
        place: .key("l"),
        action: 1,
        letter: 0x62,
        predecessors: [first.id]
      )
      let changes = [
        ForgedChange(writer: 7, rows: [first]), ForgedChange(writer: 8, rows: [second]),
      ]
      return ForgedChange.document(isForged ? changes.reversed() : changes, rows: [first, second])
    case .reference, .element:
      // The list is of the one who names the element, so that nothing else is out of order.
      let list = ForgedRow(id: ID(1, 8), place: .key("l"), action: 2)
      let element = ForgedRow(
        id: ID(2, 7),
        object: list.id,
        place: .head,
        inserts: true,
        action: 1,
        letter: 0x61
      )
      let isInsertion = named == .reference
      let follower = ForgedRow(
        id: ID(3, 8),
        object: list.id,
        place: .element(element.id),
        inserts: isInsertion,
        action: isInsertion ? 1 : 3,
        letter: isInsertion ? 0x62 : nil,
        predecessors: isInsertion ? [] : [element.id]
      )
      let making = ForgedChange(writer: 8, rows: [list])
      let inserting = ForgedChange(writer: 7, rows: [element])
      let following = ForgedChange(
        writer: 8,
        seq: 2,
        rows: [follower],
        dependencies: [(0, making.hash)]
      )
      return ForgedChange.document(
        isForged ? [making, following, inserting] : [making, inserting, following],
        rows: [list, element] + (isInsertion ? [follower] : [])
      )
    case .ownObject:
      let map = ForgedRow(id: ID(isForged ? 2 : 1, 7), place: .key("l"), action: 0)
      let put = ForgedRow(
        id: ID(isForged ? 1 : 2, 7),
        object: map.id,
        place: .key("k"),
        action: 1,
        letter: 0x61
      )
      let change = ForgedChange(writer: 7, rows: isForged ? [put, map] : [map, put])
      return ForgedChange.document([change], rows: [map, put])
    }
  }
}
