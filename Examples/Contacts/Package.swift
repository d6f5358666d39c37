// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Contacts",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Contacts", targets: ["Contacts"])],
  dependencies: [.package(name: "touchstone", path: "../..")],
  targets: [
    .target(
      name: "Contacts",
      dependencies: [
        .product(name: "LocalStore", package: "touchstone"),
        .product(name: "RecordCoding", package: "touchstone"),
        .product(name: "RecordServer", package: "touchstone"),
      ],
      exclude: ["README.md"]
    ),
    .testTarget(
      name: "ContactsTests",
      dependencies: ["Contacts", .product(name: "Touchstone", package: "touchstone")],
      exclude: ["README.md"]
    ),
  ]
)
