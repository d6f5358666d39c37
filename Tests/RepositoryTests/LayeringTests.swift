import Testing

/// The breaches of a planted repository, worded.
private func breaches(
  _ modules: String,
  tests: String = "",
  _ files: [String: String]
) throws -> [String] {
  var files = files
  files["Package.swift"] = manifest(modules, tests: tests)
  return try withPlanted(files) { try Layering($0).breaches.map(\.description) }
}

@Suite("Layers of modules")
struct LayeringTests {
  @Test("Every import points to a lower tier, as declared")
  func repository() throws {
    let layering = try Layering(Repository.current())
    // The scan reaches this very file, so it did see something.
    let own = layering.files.first { $0.path == "Tests/RepositoryTests/LayeringTests.swift" }
    #expect(own?.imports == [Import(module: "Testing", line: 1)])
    expectNone(layering.breaches)
  }

  @Test(
    "An import is recognised in every form",
    arguments: [
      "import A", "public import A", "package import A", "internal import A", "private import A",
      "@testable import A", "@_spi(Inner) import A", "@preconcurrency public import A",
      "import struct A.X", "internal import func A.f", "import A.Inner", "import enum A.E",
      "let x = 1; import A", "/* b */ import A // c", "import\n  A", "import `A`",
      "#if canImport(A)\nimport A\n#endif", "@testable\nimport A", "#if false\nimport A\n#endif",
    ]
  )
  func recognises(_ source: String) {
    #expect(imports(in: swiftTokens(of: source)).map(\.module) == ["A"])
  }

  @Test(
    "What only looks like an import is none",
    arguments: [
      "// import A", "/* import A */", "\"import A\"", "\"\"\"\nimport A\n\"\"\"", "`import` A",
      "x.import", "f(import: a)", "f(a, import: b)", "importA", "#if canImport(A)\n#endif",
    ]
  )
  func ignores(_ source: String) {
    #expect(imports(in: swiftTokens(of: source)).isEmpty)
  }

  @Test("What is declared, lower and used is allowed")
  func allows() throws {
    let found = try breaches(
      """
      Module(0, "A"), Module(1, "B", foundation: true, ["A"], products: ["Crypto"]),
      Module(8, "Touchstone", ["A"])
      """,
      tests: "(\"BTests\", [\"B\"])",
      [
        "Sources/A/a.swift": "import Swift",
        "Sources/B/b.swift": "package import A\nimport Crypto\nimport Foundation\nimport Glibc",
        "Sources/Touchstone/t.swift": "import A\nimport Testing",
        "Tests/BTests/b.swift": "import Foundation\n@testable import B\nimport Testing",
      ]
    )
    #expect(found == [])
  }

  @Test("A planted breach of each rule is found")
  func finds() throws {
    let rows = "Module(0, \"A\"), Module(0, \"B\"), Module(1, \"C\", [\"A\"])"
    func imports(_ module: String, from path: String) throws -> [String] {
      var files = ["Sources/C/c.swift": "import A"]
      files[path] = "\nimport \(module)"
      return try breaches(rows, files)
    }
    let a = "Sources/A/x/a.swift"
    #expect(
      try imports("C", from: a)
        == ["\(a):2: A imports C, which is of tier 1, not lower than 0"]
    )
    #expect(
      try imports("B", from: a)
        == ["\(a):2: A imports B, which is of tier 0, not lower than 0"]
    )
    #expect(
      try imports("Foundation", from: a)
        == ["\(a):2: A imports Foundation, but its row says that it is without Foundation"]
    )
    #expect(
      try imports("Testing", from: a) == [
        "\(a):2: A imports Testing, which only Touchstone and TouchstoneEngines may"
      ]
    )
    #expect(
      try imports("Crypto", from: a) == [
        "\(a):2: A imports Crypto, which is neither in the table nor a product of its row "
          + "nor a known system module"
      ]
    )
    #expect(
      try imports("B", from: "Sources/C/d.swift")
        == ["Sources/C/d.swift:2: C imports B, which its row does not declare"]
    )
    #expect(
      try imports("A", from: "Sources/D/d.swift")
        == ["Sources/D/d.swift: its folder is no module of the table"]
    )
    #expect(
      try imports("B", from: "Sources/C/c.swift") == [
        "Sources/C/c.swift:2: C imports B, which its row does not declare",
        "Package.swift:3: C declares A, which none of its files imports",
      ]
    )
  }

  @Test("A row that breaks a rule by itself is found")
  func findsRows() throws {
    func alone(_ rows: String) throws -> [String] {
      try withPlanted(["Package.swift": manifest(rows)]) {
        try Layering($0).tableBreaches.map(\.message)
      }
    }
    #expect(try alone("Module(0, \"A\"),\nModule(1, \"A\")") == ["A has two rows"])
    #expect(try alone("Module(0, \"A\", [\"B\"])") == ["A depends on B, which is no module"])
    #expect(
      try alone("Module(1, \"A\"), Module(1, \"B\", [\"A\"])")
        == ["B of tier 1 depends on A of tier 1, not lower"]
    )
    #expect(
      try alone("Module(0, \"A\", foundation: true), Module(1, \"B\", [\"A\"])")
        == ["B is without Foundation, but depends on A, which is not"]
    )
    #expect(
      try alone(
        """
        Module(0, "NaiveModel"), Module(1, "A", ["NaiveModel"]), Module(2, "DocumentLaws", ["A"])
        """
      ) == ["DocumentLaws is a catalogue of laws, but reaches the implementation NaiveModel"]
    )
    let both = "[\"MergeEngine\", \"NaiveModel\"]"
    #expect(
      try alone(
        """
        Module(0, "NaiveModel"), Module(0, "MergeEngine"), Module(1, "A", \(both)),
        Module(1, "Subjects", \(both))
        """
      ) == ["A sees engine and naive model together; only Subjects may"]
    )
  }

  @Test("A test target whose row and imports differ is found")
  func findsTests() throws {
    let found = try breaches(
      "Module(0, \"A\"), Module(0, \"B\")",
      tests: "(\"ATests\", [\"A\"])",
      ["Tests/ATests/a.swift": "@testable import B"]
    )
    #expect(
      found == [
        "Tests/ATests/a.swift:1: ATests imports B, which its row does not declare",
        "Package.swift:5: ATests declares A, which none of its files imports",
      ]
    )
  }
}
