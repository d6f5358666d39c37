// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FirstSteps",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "touchstone", path: "../..")],
  targets: [
    .testTarget(
      name: "NoteTests",
      dependencies: [.product(name: "Touchstone", package: "touchstone")],
      exclude: ["__Touchstone__"]
    ),
    .testTarget(
      name: "EngineTests",
      dependencies: [.product(name: "TouchstoneEngines", package: "touchstone")],
      exclude: ["__Touchstone__"]
    ),
    .testTarget(
      name: "DocumentTests",
      dependencies: [.product(name: "ReferenceAutomerge", package: "touchstone")]
    ),
    .testTarget(name: "MovedTests", dependencies: ["Automerge", "AutomergeUtilities"]),
    .target(
      name: "Automerge",
      dependencies: [.product(name: "ReferenceAutomerge", package: "touchstone")]
    ),
    .target(
      name: "AutomergeUtilities",
      dependencies: [.product(name: "ReferenceAutomerge", package: "touchstone")]
    ),
  ]
)
