// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Bookings",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "touchstone", path: "../..")],
  targets: [
    .target(name: "Bookings", exclude: ["README.md"]),
    .testTarget(
      name: "BookingsTests",
      dependencies: ["Bookings", .product(name: "Touchstone", package: "touchstone")],
      exclude: ["README.md"]
    ),
  ]
)
