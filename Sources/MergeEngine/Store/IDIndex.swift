/// Finds the leaf that holds a list element, by the element's id.
///
/// Pages of 64 counters of one actor, found through a table; memory follows the ids that exist,
/// never the greatest one. Built when an element is first looked up by id: a document that is
/// only edited locally never pays for it.
struct IDIndex: ~Copyable {
  private var pages: Arena<UInt32>
  private var directory: NumberTable
  /// The page last used.
  private var lastKey: UInt64 = .max
  private var lastPage = 0

  private static let pageLog: UInt32 = 6

  init() {
    pages = Arena()
    directory = NumberTable()
  }

  private init(pages: consuming Arena<UInt32>, directory: consuming NumberTable) {
    self.pages = pages
    self.directory = directory
  }

  borrowing func copy() -> IDIndex {
    IDIndex(pages: pages.copy(), directory: directory.copy())
  }

  @inline(__always)
  private static func key(_ counter: UInt32, _ actor: UInt16) -> UInt64 {
    UInt64(actor) << 32 | UInt64(counter >> pageLog)
  }

  /// The leaf of an element; nil if no element has that id.
  @inline(__always)
  mutating func leaf(of id: PackedID) -> UInt32? {
    let key = Self.key(id.counter, id.actor)
    if key != lastKey {
      guard let page = directory.find(key) else { return nil }
      lastKey = key
      lastPage = Int(page) << Int(Self.pageLog)
    }
    let leaf = pages[lastPage + Int(id.counter & 63)]
    return leaf == .max ? nil : leaf
  }

  /// Enters `count` elements from `counter` on; `.max` as leaf removes them.
  mutating func set(_ counter: UInt32, _ actor: UInt16, count: UInt32, leaf: UInt32) {
    var counter = counter
    var left = count
    while left > 0 {
      let key = Self.key(counter, actor)
      if key != lastKey {
        if let page = directory.find(key) {
          lastPage = Int(page) << Int(Self.pageLog)
        } else {
          directory.set(key, UInt32(pages.count >> Int(Self.pageLog)))
          lastPage = pages.count
          pages.append(repeating: .max, count: 1 << Int(Self.pageLog))
        }
        lastKey = key
      }
      let begin = counter & 63
      let here = min(left, 64 - begin)
      for at in Int(begin)..<Int(begin + here) { pages[lastPage + at] = leaf }
      counter &+= here
      left -= here
    }
  }
}
