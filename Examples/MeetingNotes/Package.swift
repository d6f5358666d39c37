// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "MeetingNotes",
  platforms: [.macOS(.v15)],
  products: [.library(name: "MeetingNotes", targets: ["MeetingNotes"])],
  dependencies: [.package(name: "touchstone", path: "../..")],
  targets: [
    .target(
      name: "MeetingNotes",
      dependencies: [.product(name: "ReferenceAutomerge", package: "touchstone")],
      exclude: ["README.md"]
    ),
    .testTarget(
      name: "MeetingNotesTests",
      dependencies: ["MeetingNotes", .product(name: "Touchstone", package: "touchstone")],
      exclude: ["README.md"]
    ),
    .testTarget(
      name: "TutorialTests",
      dependencies: [
        .product(name: "ReferenceAutomerge", package: "touchstone"),
        .product(name: "Touchstone", package: "touchstone"),
      ],
      exclude: ["README.md", "Schemas"]
    ),
    .testTarget(
      name: "BrokenTests",
      dependencies: ["MeetingNotes", .product(name: "Touchstone", package: "touchstone")],
      exclude: ["README.md"]
    ),
  ]
)
