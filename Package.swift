// swift-tools-version: 6.2
import PackageDescription

/// One module of the package: its place in the tiers, and what it may use.
///
/// A module imports modules of a lower tier only. `Tests/RepositoryTests` reads this table and
/// compares it with every `import` under `Sources`, so that the table stays true.
struct Module {
  /// Height in the stack; imports point to lower numbers.
  let tier: Int
  let name: String
  /// Whether the module's own files may import Foundation.
  let usesFoundation: Bool
  /// Modules of this package.
  let dependencies: [String]
  /// Products of other packages.
  let products: [Target.Dependency]

  init(
    _ tier: Int,
    _ name: String,
    foundation usesFoundation: Bool = false,
    _ dependencies: [String] = [],
    products: [Target.Dependency] = []
  ) {
    self.tier = tier
    self.name = name
    self.usesFoundation = usesFoundation
    self.dependencies = dependencies
    self.products = products
  }
}

let modules: [Module] = [
  Module(0, "PropertyEngine"),
  Module(0, "Reporting"),
  Module(1, "DocumentModel", ["PropertyEngine"]),
  Module(2, "NaiveModel", ["DocumentModel"]),
  Module(2, "Histories", ["DocumentModel", "PropertyEngine"]),
  Module(3, "DocumentLaws", ["DocumentModel", "Histories", "PropertyEngine"]),
  Module(3, "ForeignSubjects", foundation: true, ["DocumentModel", "Histories"]),
  Module(5, "Mutants", ["DocumentModel", "NaiveModel"]),
  Module(5, "Subjects", ["DocumentModel", "Histories", "NaiveModel"]),
  Module(
    7,
    "Campaigns",
    foundation: true,
    ["DocumentLaws", "DocumentModel", "Histories", "PropertyEngine", "Reporting", "Subjects"]
  ),
]

/// Test targets and what they import.
let tests: [(name: String, dependencies: [String])] = [
  (
    "DocumentLawsTests",
    [
      "DocumentLaws", "DocumentModel", "Histories", "PropertyEngine", "Subjects",
    ]
  ),
  (
    "ForeignSubjectsTests",
    [
      "DocumentLaws", "DocumentModel", "ForeignSubjects", "Histories", "PropertyEngine", "Subjects",
    ]
  ),
  ("MutantsTests", ["DocumentModel", "Mutants", "NaiveModel", "PropertyEngine"]),
  ("NaiveModelTests", ["DocumentModel", "NaiveModel", "PropertyEngine"]),
  ("PropertyEngineTests", ["PropertyEngine"]),
  ("RepositoryTests", []),
]

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "touchstone",
  platforms: [.macOS(.v15)],
  targets: modules.map { module in
    Target.target(
      name: module.name,
      dependencies: module.dependencies.map { .target(name: $0) } + module.products,
      exclude: ["README.md"],
      swiftSettings: settings
    )
  }
    + tests.map { test in
      Target.testTarget(
        name: test.name,
        dependencies: test.dependencies.map { .target(name: $0) },
        exclude: ["README.md"],
        swiftSettings: settings
      )
    }
)
