/// Finds the leaf that holds a list element, by the element's id.
///
/// Pages of 64 counters (``Sizes/idPageLog``) of one actor, found through a table; memory follows
/// the ids that exist, never the greatest one. Built when an element is first looked up by id: a
/// document that is only edited locally never pays for it.
///
///     directory   (actor 3, counters 128...191) -> page 5
///     pages       page 5: [ leaf of (128, 3), leaf of (129, 3), ..., leaf of (191, 3) ]
///
/// An element's leaf changes when the leaf is split; ``Core/splitLeaf(_:at:)`` enters those that
/// moved.
struct IDIndex: ~Copyable {
  private var pages: Arena<LeafHandle>
  private var directory: NumberTable
  /// The page last used.
  ///
  /// Ids that are looked up mostly lie near the last one: the table is asked once a page. No key is
  /// `.max`, since keys have 48 bits.
  private var lastKey: UInt64 = .max
  /// Where that page begins in `pages`; of no meaning before the first.
  private var lastPage = 0

  private static let pageLog = Sizes.idPageLog
  private static let pageSize = 1 << Int(pageLog)
  /// The bits of a counter that say where in its page it stands.
  private static let pageMask = UInt32(1) << pageLog - 1

  init() {
    pages = Arena()
    directory = NumberTable()
  }

  private init(pages: consuming Arena<LeafHandle>, directory: consuming NumberTable) {
    self.pages = pages
    self.directory = directory
  }

  borrowing func copy() -> IDIndex {
    IDIndex(pages: pages.copy(), directory: directory.copy())
  }

  var byteCapacity: Int { pages.byteCapacity + directory.byteCapacity }

  /// A page's key in the directory.
  ///
  ///     bit 63     48 47      32 31                0
  ///         [ zeros  | actor   | counter / page size ]
  @inline(__always)
  private static func key(_ counter: UInt32, _ actor: UInt16) -> UInt64 {
    UInt64(actor) << 32 | UInt64(counter >> pageLog)
  }

  /// The leaf of an element; `nil` if no element has that id.
  @inline(__always)
  mutating func leaf(of id: PackedID) -> LeafHandle? {
    let key = Self.key(id.counter, id.actor)
    if key != lastKey {
      guard let page = directory.find(key) else { return nil }
      lastKey = key
      lastPage = Int(page) << Int(Self.pageLog)
    }
    let leaf = pages[lastPage + Int(id.counter & Self.pageMask)]
    return leaf.isNone ? nil : leaf
  }

  /// Enters all elements of a run.
  mutating func set(_ run: ElementRun, leaf: LeafHandle) {
    set(run.first, count: run.count, leaf)
  }

  /// Forgets an element.
  mutating func remove(_ id: PackedID) { set(id, count: 1, .none) }

  /// Enters ids of one actor, from `first` on; makes the pages that are missing.
  ///
  ///     62...66@a -> leaf 9       page of 0...63:     [ ... 62: 9, 63: 9 ]
  ///                               page of 64...127:   [ 64: 9, 65: 9, 66: 9, none, ... ]
  ///
  /// Cost: a step for each id, and a look into the directory for each page. A page is never given
  /// back, also when all its ids are removed: redone edits find it again.
  private mutating func set(_ first: PackedID, count: UInt32, _ leaf: LeafHandle) {
    var counter = first.counter
    var left = count
    while left > 0 {
      let key = Self.key(counter, first.actor)
      if key != lastKey {
        if let page = directory.find(key) {
          lastPage = Int(page) << Int(Self.pageLog)
        } else {
          directory.set(key, UInt32(pages.count >> Int(Self.pageLog)))
          lastPage = pages.count
          pages.append(repeating: .none, count: Self.pageSize)
        }
        lastKey = key
      }
      let begin = counter & Self.pageMask
      let here = min(left, UInt32(Self.pageSize) - begin)
      for at in Int(begin)..<Int(begin + here) { pages[lastPage + at] = leaf }
      counter &+= here
      left -= here
    }
  }
}
