// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since `swift build --sanitize=fuzzer` then instruments everything that the
// targets use, and no user of the library ever builds it.

/// Executables of fuzz targets, each in `Sources/<name>`; all but `FuzzNothing` are `FuzzMain`.
let targets = ["FuzzDecode", "FuzzDrift", "FuzzEncode", "FuzzHistories", "FuzzLoad", "FuzzRecord"]

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let entryPoints: Target.Dependency = .product(name: "FuzzEntryPoints", package: "touchstone")

let package = Package(
  name: "touchstone-fuzz",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(
      name: "LibFuzzer",
      description: "Builds fuzzers, with `--sanitize=fuzzer`; without it, replay drivers."
    )
  ],
  dependencies: [
    .package(name: "touchstone", path: "..")
  ],
  targets: [
    .target(name: "FuzzMain", dependencies: [entryPoints], swiftSettings: settings),
    .executableTarget(name: "FuzzNothing", dependencies: [entryPoints], swiftSettings: settings),
  ]
    + targets.map { name in
      .executableTarget(
        name: name,
        dependencies: ["FuzzMain", entryPoints],
        swiftSettings: settings
      )
    }
)
