import Testing

/// A manifest with these rows in its tables.
func manifest(_ modules: String, tests: String = "", more: String = "") -> String {
  """
  // let modules: [Module] = [Module(9, "Commented")]
  struct Module {}
  let modules: [Module] = [\(modules)]

  let tests: [(name: String, dependencies: [String])] = [\(tests)]
  let package = Package(targets: modules.map { $0.target }\(more))
  """
}

@Suite("Table of modules")
struct ManifestTableTests {
  @Test("Each form of a row is read")
  func reads() throws {
    let table = try ManifestTable(
      manifest(
        """

          // The lowest.
          Module(0, "A"),
          Module(1, "B", foundation: true, ["A"]),
          Module(
            2, "C", foundation: false,
            ["A", "B",],
            products: [
              .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["x"])),
              .target(name: "D", condition: .when(traits: ["y"])), "Logging",
            ]
          ),
          Module(3, "E", kind: .executable, ["C"], products: []),

        """,
        tests: "(\"ATests\", [\"A\"]), (name: \"BTests\", dependencies: [], products: [\"X\"]),",
        more:
          " + [.systemLibrary(name: \"D\", pkgConfig: \"d\"), .target(name: \"S\", path: \"T/S\")]"
      )
    )
    let rows = table.modules.map { "\($0.tier) \($0.name) \($0.usesFoundation)" }
    #expect(rows == ["0 A false", "1 B true", "2 C false", "3 E false", "0 D false"])
    #expect(table.modules.map(\.dependencies) == [[], ["A"], ["A", "B", "D"], ["C"], []])
    #expect(table.module("C")?.products == ["Crypto", "Logging"])
    #expect(table.module("B")?.line == 6)
    #expect(table.tests.map(\.name) == ["ATests", "BTests"])
    #expect(table.tests.map(\.dependencies) == [["A"], []])
    #expect(table.tests.map(\.products) == [[], ["X"]])
    #expect(table.paths == ["T/S"])
  }

  @Test(
    "A row of another form is refused, never skipped",
    arguments: [
      "module", "Module(", "Module(1)", "Module(\"A\")", "Module(tier, \"A\")",
      "Module(1, name)", "Module(1, \"A\" [])", "Module(1, \"A\", [name])",
      "Module(1, \"A\", other: true)", "Module(1, \"A\", foundation: maybe)",
      "Module(1, \"A\", [\"\\(b)\"])", "Module(1, \"A\") Module(2, \"B\")",
      "Module(1, \"A\").with()", "Module(1, \"A\", products: [.plugin(name: \"B\")])",
      "Module(1, \"A\", products: [.product(package: \"B\")])", "\"A\"",
      "condition ? Module(1, \"A\") : Module(2, \"A\")", "Module(1, \"A\", [\"B\"] + names)",
    ]
  )
  func refuses(_ row: String) {
    #expect(throws: ManifestTable.Unreadable.self) { try ManifestTable(manifest(row)) }
  }

  @Test("A row of the tests that has another form is refused")
  func refusesTest() {
    for row in ["\"A\"", "(\"A\", [b])", "(\"A\", uses: [])", "(other: \"A\", [])"] {
      #expect(throws: ManifestTable.Unreadable.self, "\(row)") {
        try ManifestTable(manifest("", tests: row))
      }
    }
  }

  @Test("A table that is more than one literal, or not there, is refused")
  func refusesTable() {
    let whole = manifest("")
    for source in [
      whole.replacing("Module] = []", with: "Module] = [] + more"),
      whole.replacing("Module] = []", with: "Module] = [].map { $0 }"),
      whole.replacing("Module] = []", with: "Module] = makeModules()"),
      whole.replacing("let modules", with: "let units"),
      whole.replacing("let tests", with: "let trials"), "",
    ] {
      #expect(throws: ManifestTable.Unreadable.self, "\(source)") { try ManifestTable(source) }
    }
  }

  @Test("The refusal names line, expectation and finding")
  func wording() {
    let error = #expect(throws: ManifestTable.Unreadable.self) {
      try ManifestTable(manifest("\nModule(tier, \"A\")"))
    }
    #expect(
      error?.description
        == "Package.swift:4: the table of modules cannot be read: expected a number, found tier"
    )
  }

  @Test("The table and the folders name the same modules and tests")
  func complete() throws {
    let repository = try Repository.current()
    let table = try ManifestTable(repository.text(at: "Package.swift"))
    expectNone(unlistedFolders(in: repository, table: table))
  }

  @Test("A folder without a row, and a row without a folder, are found")
  func findsUnlisted() throws {
    let files = ["Sources/A/a.swift": "", "Sources/B/README.md": "", "Tests/CTests/c.swift": ""]
    let found = try withPlanted(files) { repository in
      let rows = manifest("Module(0, \"A\"), Module(0, \"D\")", tests: "(\"ETests\", [])")
      return unlistedFolders(in: repository, table: try ManifestTable(rows))
    }
    #expect(
      found.map(\.description) == [
        "Sources/B: the table in Package.swift has no row for this folder",
        "Package.swift:3: there is no folder Sources/D",
        "Tests/CTests: the table in Package.swift has no row for this folder",
        "Package.swift:5: there is no folder Tests/ETests",
      ]
    )
  }
}

/// Folders of `Sources` and `Tests` that no table names, and the reverse.
private func unlistedFolders(in repository: Repository, table: ManifestTable) -> [Breach] {
  func compare(_ folder: String, with rows: [(name: String, line: Int)]) -> [Breach] {
    let folders = repository.folders(in: folder)
    let unlisted = folders.filter { name in
      !rows.contains { $0.name == name } && !table.paths.contains("\(folder)/\(name)")
    }
    let missing = rows.filter { !folders.contains($0.name) }
    return unlisted.map {
      Breach("\(folder)/\($0)", "the table in Package.swift has no row for this folder")
    }
      + missing.map {
        Breach("Package.swift", line: $0.line, "there is no folder \(folder)/\($0.name)")
      }
  }
  return compare("Sources", with: table.modules.map { ($0.name, $0.line) })
    + compare("Tests", with: table.tests.map { ($0.name, $0.line) })
}
