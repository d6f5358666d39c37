// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since no user of the library ever builds it.

let package = Package(
  name: "touchstone-fuzz",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(
      name: "JSONCOracle",
      description: "Compares JSON with json-c, whose headers must be there, in the target `json`."
    )
  ],
  dependencies: [
    .package(
      name: "touchstone",
      path: "..",
      traits: [.trait(name: "JSONCOracle", condition: .when(traits: ["JSONCOracle"]))]
    )
  ],
  targets: [
    // One program for all targets: it takes its target from the name under which it is called.
    .executableTarget(
      name: "TouchstoneFuzz",
      dependencies: [.product(name: "FuzzEntryPoints", package: "touchstone")],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]
    )
  ]
)
