import ModelGeneration
import Testing

@testable import CodingLaws

@Suite("Numbers of mixed lists")
struct MixedListTests {
  private static func map(_ list: [Tree]) -> Tree {
    .map([Tree.Entry("rows", .list([.list(list)]))])
  }

  @Test("A number that a mixed list held may have the kind of another place")
  func takesKinds() {
    let wanted = Self.map([.int(5), .uint(0), .float(1)])
    for found in [[.int(5), .int(0), .float(1)], [.float(5), .uint(0), .uint(1)]] as [[Tree]] {
      #expect(Self.map(found).withKindsOfMixedLists(of: wanted) == wanted)
    }
  }

  @Test(
    "Other numbers, and those of lists of one kind, are as they are found",
    arguments: [
      ([.int(5), .int(1)], [.int(5), .uint(0)]), ([.int(5), .float(0.5)], [.int(5), .uint(0)]),
      ([.int(0), .int(1)], [.uint(0), .uint(1)]), ([.int(0)], [.int(0), .uint(1)]),
      ([.int(0), .string("1")], [.uint(0), .string("1")]),
    ] as [([Tree], [Tree])]
  )
  func staysAsFound(_ found: [Tree], _ wanted: [Tree]) {
    let tree = Self.map(found)
    #expect(tree.withKindsOfMixedLists(of: Self.map(wanted)) == tree)
  }
}
