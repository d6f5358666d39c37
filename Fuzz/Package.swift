// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since `swift build --sanitize=fuzzer` then instruments everything that the
// targets use, and no user of the library ever builds it.

/// Fuzz targets: one executable each, in `Sources/<name>`.
let targets = [
  "FuzzDecode", "FuzzDrift", "FuzzEncode", "FuzzHistories", "FuzzLoad", "FuzzNothing",
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
  targets: targets.map { name in
    .executableTarget(
      name: name,
      dependencies: [.product(name: "FuzzEntryPoints", package: "touchstone")],
      swiftSettings: settings
    )
  }
)
