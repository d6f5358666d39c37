import PropertyEngine
import Testing

@testable import FileSystems

@Suite("Arrays in pages")
struct PagedArrayTests {
  @Test(
    "They are what one array is, after any writes and changes of size",
    arguments: 0..<60
  )
  func anyCalls(_ seed: Int) {
    var choices = Choices(seed: Seed(value: UInt64(seed)))
    var bytes: [UInt8] = []
    var paged = PagedArray<UInt8>()
    for _ in 0..<40 {
      let edge = PagedArray<UInt8>.pageSize * choices.index(below: 4) + choices.index(below: 3) - 1
      let size =
        choices.flag() ? max(0, edge) : choices.index(below: 3 * PagedArray<UInt8>.pageSize)
      if choices.flag() {
        bytes =
          size < bytes.count
          ? Array(bytes[..<size]) : bytes + Array(repeating: 0, count: size - bytes.count)
        paged.resize(to: size, with: 0)
      } else if !bytes.isEmpty {
        let start = choices.index(below: bytes.count)
        let count = min(size, bytes.count - start)
        let new = (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ seed) }
        bytes.replaceSubrange(start..<start + count, with: new)
        paged.write(new[...], at: start)
      }
      #expect(paged.count == bytes.count)
      #expect(paged.array == bytes)
      #expect(paged == PagedArray(bytes))
      guard !bytes.isEmpty else { continue }
      let start = choices.index(below: bytes.count)
      let end = start + choices.index(below: bytes.count - start + 1)
      #expect(paged[start..<end] == Array(bytes[start..<end]))
    }
  }
}
