import ModelGeneration
import PropertyEngine
import Testing

@Suite("Trees near other trees")
struct TreeMutationTests {
  private static func mutants(of tree: Tree, donor: Tree? = nil) -> Set<Tree> {
    Set(
      (0..<3000).map { index in
        var choices = Choices(seed: Seed(value: 11).stream(UInt64(index)))
        return tree.mutated(&choices, upTo: 1, averaging: 1, donor: donor)
      }
    )
  }

  @Test(
    "A leaf becomes what a careless comparison takes for the same",
    arguments: [
      ("int 5", ["int 6", "int 4", "int -5", "int 4294967301", "int -6", "int 261"]),
      ("uint 5", ["uint 6", "uint 4", "uint 4294967301"]),
      ("float 0.1", ["float -0.1", "float 0.10000000000000002", "float 0.0", "float 1.1"]),
      ("string \"ab\"", []),
      ("boolean", []),
    ]
  )
  func leaves(text: String, near: [String]) throws {
    let tree: Tree =
      switch text {
      case "string \"ab\"": .string("ab")
      case "boolean": .boolean(true)
      default: try Tree(text: text)
      }
    let found = Self.mutants(of: tree)
    for text in near { #expect(try found.contains(Tree(text: text)), "\(text)") }
    if tree == .string("ab") {
      for string in ["a", "b", "abab", "aba", "aab", "AB", "ba", "ab "] {
        #expect(found.contains(.string(string)), "\(string)")
      }
    }
    if tree == .boolean(true) { #expect(found.contains(.boolean(false))) }
    #expect(found.allSatisfy { $0.kind == tree.kind })
  }

  @Test("A list loses, repeats, swaps, moves, rotates and reverses its elements")
  func lists() {
    let tree = Tree.list([1, 2, 3, 4].map { .int($0) })
    let found = Self.mutants(of: tree)
    for list: [Int64] in [
      [1, 2, 4], [1, 2, 3, 4, 2], [3, 2, 1, 4], [2, 3, 1, 4], [2, 3, 4, 1], [4, 3, 2, 1], [1, 2],
      [2, 3, 4, 5],
    ] {
      #expect(found.contains(.list(list.map { .int($0) })), "\(list)")
    }
  }

  @Test("A map loses, renames and copies entries, and their values change places")
  func maps() throws {
    let found = Self.mutants(of: try Tree(text: "{\"a\": int 1, \"b\": int 2}"))
    for text in [
      "{\"a\": int 1}", "{\"a\": int 2, \"b\": int 1}", "{\"a\": int 2, \"b\": int 2}",
      "{\"a2\": int 1, \"b\": int 2}", "{\"a\": int 1, \"a2\": int 2, \"b\": int 2}",
    ] {
      #expect(try found.contains(Tree(text: text)), "\(text)")
    }
  }

  @Test("A donor gives what it has, and takes what it lacks")
  func donors() throws {
    let tree = try Tree(text: "{\"a\": int 1, \"b\": [int 2]}")
    let donor = try Tree(text: "{\"a\": [true]}")
    let found = Self.mutants(of: tree, donor: donor)
    #expect(try found.contains(Tree(text: "{\"a\": [true], \"b\": [int 2]}")))
    #expect(try found.contains(Tree(text: "{\"a\": int 1}")))
  }

  @Test("What is refused is not changed, and the simplest choices change nothing")
  func refusals() throws {
    let tree = try Tree(text: "{\"a\": int 1, \"b\": [int 2]}")
    for index in 0..<200 {
      var choices = Choices(seed: Seed(value: 3).stream(UInt64(index)))
      #expect(tree.mutated(&choices, upTo: 4, averaging: 2) { _ in nil } == tree)
      #expect(tree.stretched(&choices) { _ in nil } == tree)
    }
    var simplest = Choices(replaying: [])
    #expect(tree.mutated(&simplest) == tree)
  }

  @Test("A few choices make lists, maps, strings and bytes as long as a boundary")
  func lengths() throws {
    let tree = try Tree(
      text: "{\"l\": [{\"id\": int 1}, {\"id\": int 9}], \"s\": \"ab\", \"y\": bytes \"00ff\"}"
    )
    var counts: Set<Int> = []
    var kinds: Set<Tree.Kind> = []
    for index in 0..<500 {
      var choices = Choices(seed: Seed(value: 5).stream(UInt64(index)))
      let long = tree.stretched(&choices)
      #expect(choices.recorded.count <= 4)
      for path in long.paths where long[path] != tree[path] {
        guard let node = long[path] else { continue }
        switch node {
        case .list(let elements):
          counts.insert(elements.count)
          kinds.insert(.list)
          // Elements that were added are told apart.
          #expect(Set(elements).count > elements.count / 2)
        case .map(let entries) where entries.count > 60: kinds.insert(.map)
        case .string(let text) where tree[path] != nil:
          counts.insert(text.unicodeScalars.count)
          kinds.insert(.string)
        case .bytes(let bytes) where tree[path] != nil:
          counts.insert(bytes.count)
          kinds.insert(.bytes)
        default: break
        }
      }
    }
    #expect(kinds.isSuperset(of: [.list, .map, .string, .bytes]))
    #expect(counts.isSuperset(of: [63, 64, 65, 127, 128, 129, 255, 256, 257, 300]))
  }
}
