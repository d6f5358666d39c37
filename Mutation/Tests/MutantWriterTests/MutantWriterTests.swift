import Foundation
import MutantWriter
import SwiftParser
import SwiftSyntax
import Testing

private func mutants(_ text: String) -> [SourceMutant] {
  MutantWriter([MutantWriter.Source(path: "Sources/A/a.swift", text: text)]).mutants
}

/// `operator: change` of each mutant.
private func changes(_ text: String) -> [String] {
  mutants(text).map { "\($0.operator.rawValue): \($0.change)" }
}

@Suite("Operators")
struct OperatorTests {
  @Test(
    "Each operator changes what it names",
    arguments: [
      ("let x = a < b", ["comparison: a < b -> a >= b", "boundary: a < b -> a <= b"]),
      ("let x = a == b", ["comparison: a == b -> a != b"]),
      ("let x = a + b * c", ["arithmetic: a + b * c -> a - b * c", "arithmetic: b * c -> b + c"]),
      (
        "let x = a &+ b << c",
        ["arithmetic: a &+ b << c -> a &- b << c", "arithmetic: b << c -> b >> c"]
      ),
      ("let x = a && b", ["logic: a && b -> a || b"]),
      ("let x = f(!a)", ["logic: !a -> a"]),
      (
        "func f() { a += b; g() }",
        [
          "early: return in front of `func f() { a += b; g() }`", "dropped: without a += b",
          "arithmetic: a += b -> a -= b", "dropped: without g()",
        ]
      ),
      (
        "func f() -> Int { if a { return b }; return c }",
        ["condition: a -> !(a)", "skip: a -> false"]
      ),
      (
        "func f() -> Int { guard !a else { return b }; return c }",
        [
          "condition: !a -> a", "skip: !a -> true",
        ]
      ),
      (
        "func f() -> Int { while a.isOpen { } ; return c }",
        [
          "condition: a.isOpen -> !(a.isOpen)", "skip: a.isOpen -> false",
        ]
      ),
      ("let x = a ? b : c", ["condition: a -> !(a)"]),
      ("let x = 7", ["constant: 7 -> 8", "constant: 7 -> 6"]),
      ("let x = 0x1f", ["constant: 0x1f -> 0x20", "constant: 0x1f -> 0x1e"]),
      ("let x = 0", ["constant: 0 -> 1"]),
      ("let x = f(true)", ["constant: true -> false"]),
      ("func f(_ a: Int, _ b: Int) -> Int { g }\nlet x = f(y, z)", ["swapped: f(y, z) -> f(z, y)"]),
      (
        "struct S { var a: Int; var b: Int; var c: Bool }\nlet x = S(a: y, b: z, c: w)",
        [
          "swapped: S(a: y, b: z, c: w) -> S(a: z, b: y, c: w)"
        ]
      ),
    ]
  )
  func changesWhatItNames(_ text: String, _ expected: [String]) {
    #expect(changes(text) == expected)
  }

  @Test(
    "What is not run, or only told, is passed by",
    arguments: [
      "#if A\nlet x = 1\n#endif", "enum E: Int { case a = 1 }", "func f(_ a: Int = 1) -> Int { a }",
      "let x: InlineArray<4, Int> = y", "let x = \"a\\(1 + 2)\"", "let x = \"a\" + b",
      "let x = b + [c]", "func f() -> Int { switch a { case 1: b\ndefault: c } }",
      "func f() -> Int { precondition(a < 1); return b }",
      "func f() -> Int { a.reserveCapacity(1); return b }",
      "func f() -> Int { log.debug(\"a\", 1); return b }",
      "var description: String { \"\" + text(1) }",
      "func hash(into hasher: inout Hasher) { hasher.combine(1) }",
      "func f() -> Int { a.removeFirst() }", "let x = { a.removeFirst() }",
      "let x = if let b { c() } else { d() }",
      "func f(_ a: Int, _ b: Bool) -> Int { g }\nlet x = f(y, z)",
      "struct S { init(a: Int) { self.a = a } }",
      "func f() -> Int { let a: Int; a = b; return a }", "while true { }",
    ]
  )
  func passesBy(_ text: String) {
    #expect(changes(text).isEmpty)
  }

  @Test("A mutant knows its place, and its name")
  func knowsPlace() throws {
    let text = "func f() {\n  // ö\n  if a < b { g() }\n}\n"
    let boundary = try #require(mutants(text).first { $0.operator == .boundary })
    #expect(boundary.id == "A/a.swift:3:8:boundary")
    #expect(boundary.module == "A")
    #expect(boundary.sourceLine == "if a < b { g() }")
    #expect(boundary.scope == 0..<(text.utf8.count - 1))
    #expect(
      Array(text.utf8)[boundary.offset..<(boundary.offset + boundary.length)].elementsEqual(
        "a < b".utf8
      )
    )
  }

  @Test("A call whose value is unused stays a statement when its arguments are swapped")
  func staysStatement() throws {
    let text = "func f(_ a: Int, _ b: Int) throws { x() ; y() }\nfunc g() { try f(1, 2) }\n"
    let swapped = try #require(mutants(text).first { $0.operator == .swapped })
    #expect(swapped.form == .statements)
    #expect(swapped.wrong == "try f(2, 1)")
  }
}

@Suite("The product's own sources")
struct OwnSourceTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func sources() throws -> [MutantWriter.Source] {
    let folders = ["MergeEngine", "AutomergeDocument", "DocumentCoding"].map { "Sources/\($0)" }
    return try folders.flatMap { folder in
      let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
      let names = try #require(found).compactMap { $0 as? String }
      return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
        let path = "\(folder)/\(name)"
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        return MutantWriter.Source(path: path, text: text)
      }
    }
  }

  @Test("All mutants at once still parse, and each has a key of its own place")
  func parses() throws {
    let sources = try Self.sources()
    let all = MutantWriter(sources).mutants
    #expect(all.count > 5000)
    #expect(Set(all.map(\.operator)) == Set(SourceMutant.Operator.allCases))
    for source in sources {
      // One for each place: several of one place are written one around the other as well.
      let own = all.filter { $0.file == source.path }
      let choices = own.enumerated().map { $1.choice(number: UInt64($0 + 1)) }
      let written = ChoiceText(source.text, choices)
      #expect(written.places.count == own.count)
      #expect(!Parser.parse(source: written.text).hasError, "\(source.path)")
    }
  }

  @Test("Every equivalent mutant that is listed is still one of the sources")
  func resolves() throws {
    let text = try String(
      contentsOf: Self.root.appendingPathComponent("Mutation/equivalent.txt"),
      encoding: .utf8
    )
    let listed = try EquivalentMutant.list(text)
    // Of all parts, records and stores among them.
    let sources = try Set(listed.map(\.key.file)).sorted().map { path in
      let url = Self.root.appendingPathComponent(path)
      return MutantWriter.Source(path: path, text: try String(contentsOf: url, encoding: .utf8))
    }
    let known = Set(MutantWriter(sources).mutants.map(\.key))
    let gone = listed.map(\.key).filter { !known.contains($0) }
    #expect(gone.isEmpty, "the sources have no such mutants any more")
    #expect(Set(listed.map(\.key)).count == listed.count, "one is listed twice")
  }
}
