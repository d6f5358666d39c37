import Foundation
import Testing

#if os(Linux)
private let isLinux = true
#else
private let isLinux = false
#endif

/// Modules without Foundation type-check for macOS.
///
/// How, and what it cannot see: `Scripts/check-macos.sh`. Serialized, as the checks share one
/// folder of compiled modules. The first use compiles the standard library's: a minute.
@Suite(
  "Type-checking for macOS",
  .serialized,
  .enabled(if: isLinux, "macOS checks this by building")
)
struct MacOSTests {
  /// The lowest version that Package.swift admits.
  private static let version = "15.0"

  @Test("The version checked is the one that the manifest admits")
  func versionIsTheManifests() throws {
    let manifest = try Repository.current().text(at: "Package.swift")
    // The five were released together, so what macOS 15 has the others have, too.
    #expect(
      manifest.contains(
        "platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)]"
      )
    )
    #expect(Self.version == "15.0")
  }

  @Test("Each module without Foundation type-checks")
  func repository() throws {
    let repository = try Repository.current()
    let table = try ManifestTable(repository.text(at: "Package.swift"))
    let order = MacOSOrder(repository: repository, table: table)
    for (module, reason) in order.unchecked {
      print("not type-checked for macOS: \(module): \(reason)")
    }
    for (module, files) in order.checked {
      let result = try Self.check(module, files.map { repository.root.path + "/" + $0 })
      #expect(result.status == 0, "\(module) does not type-check for macOS:\n\(result.output)")
    }
  }

  @Test("Modules are checked after those that they import; what cannot be checked is named")
  func order() throws {
    let rows = """
      Module(2, "C", ["A", "B"]), Module(1, "B", ["A"]), Module(0, "A"),
      Module(0, "F", foundation: true), Module(1, "P", products: [.product(name: "X")]),
      Module(3, "D", ["P"])
      """
    let paths = ["A/b.swift", "A/a.swift", "A/README.md", "B/b.swift", "C/x/c.swift", "P/p.swift"]
    let files = paths.map { ("Sources/\($0)", "") } + [("Sources/D/d.swift", "")]
    try withPlanted(Dictionary(uniqueKeysWithValues: files)) { repository in
      let order = MacOSOrder(repository: repository, table: try ManifestTable(manifest(rows)))
      #expect(order.checked.map(\.module) == ["A", "B", "C"])
      #expect(order.checked.first?.files == ["Sources/A/a.swift", "Sources/A/b.swift"])
      #expect(order.unchecked.map(\.module) == ["P", "D"])
      #expect(order.unchecked.map(\.reason) == ["it uses products", "it imports P"])
    }
  }

  @Test("A module that imports another by package access type-checks")
  func accepts() throws {
    let lower = "package struct PlantedValue: Sendable { package let number: Int }"
    let upper = """
      package import PlantedLower
      package func number(of value: PlantedValue) -> Int { value.number }
      """
    let result = try withPlanted(["lower.swift": lower, "upper.swift": upper]) { planted in
      let first = try Self.check("PlantedLower", [planted.root.path + "/lower.swift"])
      #expect(first.status == 0, "\(first.output)")
      return try Self.check("PlantedUpper", [planted.root.path + "/upper.swift"])
    }
    #expect(result.status == 0, "\(result.output)")
  }

  @Test(
    "What macOS 15 lacks is refused, with the compiler's words",
    arguments: [
      ("func f(_ a: [Int]) -> Int { a.span.count }", "is only available in macOS 26"),
      ("import Foundation", "no such module 'Foundation'"),
      ("func f() -> Int { \"\" }", "cannot convert"),
    ]
  )
  func refuses(_ source: String, _ words: String) throws {
    let result = try withPlanted(["planted.swift": source]) {
      try Self.check("PlantedRefused", [$0.root.path + "/planted.swift"])
    }
    #expect(result.status == 1)
    #expect(result.output.contains("planted.swift:1:"), "\(result.output)")
    #expect(result.output.contains(words), "\(result.output)")
  }

  @Test("The settings of the package hold in the check, too")
  func settings() throws {
    for (source, words) in [
      ("protocol P {}\nfunc f(_ p: P) {}", "any P"),
      ("func f(_ p: UnsafePointer<Int>) -> Int { p.pointee }", "unsafe"),
      ("func f() { let unused = 1 }", "never used"),
    ] {
      let result = try withPlanted(["planted.swift": source]) {
        try Self.check("PlantedSettings", [$0.root.path + "/planted.swift"])
      }
      #expect(result.status == 1, "\(source)")
      #expect(result.output.contains(words), "\(result.output)")
    }
  }

  private static func check(_ module: String, _ files: [String]) throws -> CommandResult {
    let root = try Repository.current().root
    let arguments = [".build/macos-check", version, module] + files
    return try run("Scripts/check-macos.sh", arguments, in: root)
  }
}

/// Which modules can be type-checked for macOS, lower tiers first.
struct MacOSOrder {
  private(set) var checked: [(module: String, files: [String])] = []
  private(set) var unchecked: [(module: String, reason: String)] = []

  init(repository: Repository, table: ManifestTable) {
    let modules = table.modules.filter { !$0.usesFoundation }
      .sorted { ($0.tier, $0.name) < ($1.tier, $1.name) }
    for module in modules {
      let files = repository.paths.filter {
        $0.hasPrefix("Sources/\(module.name)/") && $0.hasSuffix(".swift")
      }
      // A system library has no Swift file.
      guard !files.isEmpty else { continue }
      let missing = module.dependencies.first { name in !checked.contains { $0.module == name } }
      if !module.products.isEmpty {
        unchecked.append((module.name, "it uses products"))
      } else if let missing {
        unchecked.append((module.name, "it imports \(missing)"))
      } else {
        checked.append((module.name, files))
      }
    }
  }
}
