// swift-tools-version: 6.2
import PackageDescription

// A package of its own: only a measurement of the laws needs swift-syntax.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "touchstone-mutation",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax.git", exact: "603.0.1")
  ],
  targets: [
    .target(
      name: "MutantWriter",
      dependencies: [
        .product(name: "SwiftOperators", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ],
      exclude: ["README.md"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "touchstone-mutants",
      dependencies: ["MutantWriter"],
      path: "Sources/MutantCommand",
      exclude: ["README.md"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "MutantWriterTests",
      dependencies: [
        "MutantWriter",
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ],
      exclude: ["README.md"],
      swiftSettings: settings
    ),
  ]
)
