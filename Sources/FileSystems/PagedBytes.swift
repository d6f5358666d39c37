/// The bytes of a file in pages, which copies share until one is written.
///
/// A law keeps a disk for each call of a run. With the bytes in one array each of some hundred disks had a copy of a
/// journal of megabytes.
struct PagedBytes: Hashable, Sendable {
  static let pageSize = 4096

  /// All of `pageSize` bytes but the last, which has at least one.
  private var pages: [[UInt8]] = []
  private(set) var count = 0

  init(_ bytes: some Collection<UInt8> = [] as [UInt8]) {
    append(bytes)
  }

  /// All bytes in one.
  var array: [UInt8] { self[0..<count] }

  /// A copy of the bytes of a range within ``count``.
  subscript(range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    for (page, part, _) in Self.parts(of: range) { result += pages[page][part] }
    return result
  }

  /// Writes bytes over others; they end within ``count``.
  mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    for (page, part, start) in Self.parts(of: offset..<offset + bytes.count) {
      let from = bytes.startIndex + start
      pages[page].replaceSubrange(part, with: bytes[from..<from + part.count])
    }
  }

  /// Cuts off the end, or adds zeros.
  mutating func resize(to size: Int) {
    if size >= count { return append(repeatElement(0, count: size - count)) }
    let rest = size % Self.pageSize
    pages.removeLast(pages.count - (size + Self.pageSize - 1) / Self.pageSize)
    if rest > 0 { pages[pages.count - 1].removeLast(pages[pages.count - 1].count - rest) }
    count = size
  }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let used = count % Self.pageSize
      let part = rest.prefix(Self.pageSize - used)
      if used == 0 { pages.append(Array(part)) } else { pages[pages.count - 1] += part }
      count += part.count
      rest = rest.dropFirst(part.count)
    }
  }

  /// The pages of a range: the number of each, the part of it, and how many bytes of the range stand in front.
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
