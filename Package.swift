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
  Module(
    2,
    "MergeEngine",
    foundation: true,
    ["CZlib"],
    products: [.product(name: "Crypto", package: "swift-crypto")]
  )
]

/// Libraries of the system: tier 0, no Swift code of ours.
let systemLibraries: [Target] = [
  .systemLibrary(
    name: "CZlib",
    pkgConfig: "zlib",
    providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
  )
]

/// Test targets and what they import.
let tests: [(name: String, dependencies: [String])] = [
  (name: "MergeEngineTests", dependencies: ["MergeEngine"])
]

/// Runners of measurements: no product, so no user of the library builds them.
let benchmarks: [(name: String, dependencies: [String])] = [
  (name: "EngineBenchmark", dependencies: ["MergeEngine"])
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
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2")
  ],
  targets: systemLibraries
    + modules.map { module in
      Target.target(
        name: module.name,
        dependencies: module.dependencies.map { .target(name: $0) } + module.products,
        exclude: ["README.md"],
        swiftSettings: settings
      )
    }
    + benchmarks.map { benchmark in
      Target.executableTarget(
        name: benchmark.name,
        dependencies: benchmark.dependencies.map { .target(name: $0) },
        path: "Benchmarks/Sources/\(benchmark.name)",
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
