import PropertyEngine
import Testing

@Suite("Linearizability")
struct LinearizabilityTests {
  /// Calls of a register that starts at 0: a write of a number, or a read of one.
  private enum Call: Hashable {
    case write(Int)
    case read(Int)
  }

  private static func isExplained(_ calls: [(begin: Int, end: Int, Call)]) -> Bool {
    isLinearizable(
      calls.map { ConcurrentCall(begin: $0.begin, end: $0.end, $0.2) },
      from: 0
    ) { state, call in
      switch call {
      case .write(let number): number
      case .read(let number): number == state ? state : nil
      }
    }
  }

  @Test("Calls one after the other have one order")
  func sequence() {
    #expect(Self.isExplained([]))
    #expect(Self.isExplained([(1, 2, .write(3)), (3, 4, .read(3))]))
    #expect(!Self.isExplained([(1, 2, .write(3)), (3, 4, .read(0))]))
  }

  @Test("Calls that overlap may be in any order, and in one order for all")
  func overlapping() {
    #expect(Self.isExplained([(1, 4, .write(3)), (2, 3, .read(0))]))
    #expect(Self.isExplained([(1, 4, .write(3)), (2, 3, .read(3))]))
    // Two readers, one after the other, see a write and then see it no more.
    #expect(!Self.isExplained([(1, 6, .write(3)), (2, 3, .read(3)), (4, 5, .read(0))]))
    #expect(Self.isExplained([(1, 6, .write(3)), (2, 3, .read(0)), (4, 5, .read(3))]))
  }

  @Test("A history at the limit of calls is searched, and one past it counts as explained")
  func limit() {
    let wrong = (0..<linearizableCallLimit).map { index in
      (begin: 2 * index, end: 2 * index + 1, Call.read(index == 9 ? 1 : 0))
    }
    #expect(!Self.isExplained(wrong))
    #expect(Self.isExplained(wrong + [(begin: 500, end: 501, .read(0))]))
  }
}
