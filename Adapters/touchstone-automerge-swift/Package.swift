// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since automerge-swift exists for Apple systems only and no other build should
// have to resolve it.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "touchstone-automerge-swift",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "TouchstoneAutomergeSwift", targets: ["TouchstoneAutomergeSwift"]),
    .executable(name: "touchstone-automerge-swift", targets: ["touchstone-automerge-swift"]),
  ],
  dependencies: [
    .package(name: "touchstone", path: "../.."),
    // What is judged, and what `divergences.json` speaks of: exactly this release.
    .package(url: "https://github.com/automerge/automerge-swift.git", exact: "0.6.1"),
  ],
  targets: [
    .target(
      name: "TouchstoneAutomergeSwift",
      dependencies: [
        .product(name: "Automerge", package: "automerge-swift"),
        .product(name: "AutomergeBytes", package: "touchstone"),
        .product(name: "Touchstone", package: "touchstone"),
        .product(name: "TouchstoneAdapters", package: "touchstone"),
      ],
      resources: [.embedInCode("divergences.json")],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "touchstone-automerge-swift",
      dependencies: [.product(name: "Automerge", package: "automerge-swift")],
      swiftSettings: settings
    ),
  ]
)
