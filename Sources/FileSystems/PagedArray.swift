/// An array in pages, which copies share until one is written.
///
/// A law keeps a disk for each call of a run. A run of short writes has thousands of calls, and of plain arrays each
/// disk would have its own copy: of the bytes of a file, and of all that was done and is not yet sure.
struct PagedArray<Element: Hashable & Sendable>: Hashable, Sendable {
  /// Elements of a page: 4 KiB of them, and 16 at least.
  static var pageSize: Int { max(16, 4096 / MemoryLayout<Element>.stride) }

  /// All of `pageSize` elements but the last, which has at least one.
  private var pages: [[Element]] = []
  private(set) var count = 0

  init() {}

  init(_ elements: [Element]) {
    if elements.isEmpty { return }
    guard elements.count > Self.pageSize else {
      (pages, count) = ([elements], elements.count)
      return
    }
    append(contentsOf: elements)
  }

  /// All elements in one; most files are one page.
  var array: [Element] { pages.count == 1 ? pages[0] : self[0..<count] }

  /// A copy of the elements of a range within ``count``.
  subscript(range: Range<Int>) -> [Element] {
    if let (page, part) = Self.page(of: range) { return Array(pages[page][part]) }
    var result: [Element] = []
    result.reserveCapacity(range.count)
    for (page, part, _) in Self.parts(of: range) { result += pages[page][part] }
    return result
  }

  /// Writes elements over others; they end within ``count``.
  mutating func write(_ elements: ArraySlice<Element>, at offset: Int) {
    let range = offset..<offset + elements.count
    if let (page, part) = Self.page(of: range) {
      return pages[page].replaceSubrange(part, with: elements)
    }
    for (page, part, start) in Self.parts(of: range) {
      let from = elements.startIndex + start
      pages[page].replaceSubrange(part, with: elements[from..<from + part.count])
    }
  }

  /// Cuts off the end, or adds copies of an element.
  mutating func resize(to size: Int, with element: Element) {
    if size >= count {
      return append(contentsOf: repeatElement(element, count: size - count))
    }
    let rest = size % Self.pageSize
    pages.removeLast(pages.count - (size + Self.pageSize - 1) / Self.pageSize)
    if rest > 0 { pages[pages.count - 1].removeLast(pages[pages.count - 1].count - rest) }
    count = size
  }

  mutating func append(_ element: Element) {
    if count % Self.pageSize == 0 { pages.append([]) }
    pages[pages.count - 1].append(element)
    count += 1
  }

  private mutating func append(contentsOf elements: some Collection<Element>) {
    var rest = elements[...]
    while !rest.isEmpty {
      let used = count % Self.pageSize
      let part = rest.prefix(Self.pageSize - used)
      if used == 0 { pages.append(Array(part)) } else { pages[pages.count - 1] += part }
      count += part.count
      rest = rest.dropFirst(part.count)
    }
  }

  /// The only page of a range, and the part of it; `nil` if the range is empty or goes over several.
  private static func page(of range: Range<Int>) -> (page: Int, part: Range<Int>)? {
    let page = range.lowerBound / pageSize
    guard !range.isEmpty, (range.upperBound - 1) / pageSize == page else { return nil }
    let start = page * pageSize
    return (page, range.lowerBound - start..<range.upperBound - start)
  }

  /// The pages of a range: the number of each, the part of it, and how many elements of the range stand in front.
  private static func parts(of range: Range<Int>) -> [(page: Int, part: Range<Int>, start: Int)] {
    var result: [(page: Int, part: Range<Int>, start: Int)] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let page = start / pageSize
      let from = start % pageSize
      let end = min(range.upperBound, (page + 1) * pageSize)
      result.append((page, from..<from + end - start, start - range.lowerBound))
      start = end
    }
    return result
  }
}
