// The index of the rows of `NaiveModel`: chains of rows by register and by predecessor. `add`
// builds it, `rows` walks it.

import DocumentModel

/// Where the rows of each register are, and those that replace each operation.
///
/// The specification is a scan of all rows. The index spares the scan what it would pass over, and
/// has one rule: **each walk meets the rows that a scan of all rows would meet, in the same order.**
/// It decides nothing about documents; a test holds it against the plain scan on random histories.
///
/// Where keys are compared, the caller gives the rule for it, an equivalence.
///
/// A fork copies the model: so all chains share one array of links, which Swift copies once, at the
/// first change.
struct RowIndex: Sendable {
  /// Whether two keys are one.
  typealias SameKey = (ExactString, ExactString) -> Bool

  /// The positions of some rows, ascending: the way through the links from the first to the last.
  ///
  /// `first` and `last` are places in the array of links, not positions of rows; -1 in an empty
  /// chain.
  private struct Chain {
    let first: Int
    var last: Int

    static var empty: Chain { Chain(first: -1, last: -1) }
  }

  /// The links of all chains in one array, which a copy of the index shares or copies at once.
  private struct Links {
    /// Positions of rows, each with the place of the next link; -1 at the end of a chain.
    var links: [(row: Int, next: Int)] = []

    /// Adds a row behind those of a chain, or begins one.
    mutating func extend(_ chain: inout Chain, by row: Int) {
      let new = links.count
      if chain.first < 0 {
        chain = Chain(first: new, last: new)
      } else {
        // A row may name a predecessor twice, and is met once.
        if links[chain.last].row == row { return }
        links[chain.last].next = new
        chain.last = new
      }
      links.append((row, -1))
    }
  }

  private struct Element: RowTableKey {
    let object: ObjectID
    let id: OpID

    /// Of the id alone: no two objects share an element, but by wrong rules.
    var word: UInt64 { id.word }
  }

  private struct Key {
    let key: ExactString
    var chain = Chain.empty
  }

  private var links = Links()
  private var elements = RowTable<Element, Chain>()
  /// The keys of each map in the order of their first use.
  private var keys = RowTable<ObjectID, [Key]>()
  private var successors = RowTable<OpID, Chain>()

  init() {}

  init(_ rows: [NaiveOp], _ isSameKey: SameKey) {
    for (position, row) in rows.enumerated() { add(row, at: position, isSameKey) }
  }

  /// Makes room for the first `count` rows.
  mutating func reserveCapacity(_ count: Int) {
    links.links.reserveCapacity(2 * count)
    elements.reserveCapacity(count)
    successors.reserveCapacity(count)
  }

  /// Adds a row that entered at `position`, behind all others.
  ///
  /// Cost: a look at each key of the map for a key, constant otherwise.
  mutating func add(_ row: NaiveOp, at position: Int, _ isSameKey: SameKey) {
    switch row.register {
    case .key(let key):
      keys.update(row.object, default: []) { known in
        Self.add(key, to: &known, &links, at: position, isSameKey)
      }
    case .element(let id):
      elements.update(Element(object: row.object, id: id), default: .empty) { chain in
        links.extend(&chain, by: position)
      }
    }
    for id in row.predecessors {
      successors.update(id, default: .empty) { links.extend(&$0, by: position) }
    }
  }

  private static func add(
    _ key: ExactString,
    to known: inout [Key],
    _ links: inout Links,
    at position: Int,
    _ isSameKey: SameKey
  ) {
    if let index = known.firstIndex(where: { isSameKey($0.key, key) }) {
      links.extend(&known[index].chain, by: position)
    } else {
      var new = Key(key: key)
      links.extend(&new.chain, by: position)
      known.append(new)
    }
  }

  // MARK: - Walks

  /// Positions of rows, ascending.
  struct Walk: Sequence, IteratorProtocol {
    fileprivate let links: [(row: Int, next: Int)]
    fileprivate var at: Int

    mutating func next() -> Int? {
      guard at >= 0 else { return nil }
      defer { at = links[at].next }
      return links[at].row
    }
  }

  /// The rows of a register.
  func rows(of register: Register, in object: ObjectID, _ isSameKey: SameKey) -> Walk {
    switch register {
    case .key(let key):
      let known = keys[object]?.first { isSameKey($0.key, key) }
      return walk(known?.chain)
    case .element(let id):
      return walk(elements[Element(object: object, id: id)])
    }
  }

  /// The rows that name this operation as a predecessor.
  func rows(replacing id: OpID) -> Walk {
    walk(successors[id])
  }

  private func walk(_ chain: Chain?) -> Walk {
    Walk(links: links.links, at: chain?.first ?? -1)
  }

  /// Every key that an operation of the map ever named, in the order of first use.
  func keys(of map: ObjectID) -> [ExactString] {
    (keys[map] ?? []).map(\.key)
  }
}
