import Testing

@Suite("Identities of packages")
struct PackageIdentitiesTests {
  @Test("No package's folder has the name of a package that it depends on")
  func repository() throws {
    let repository = try Repository.current()
    #expect(repository.paths.contains("Adapters/touchstone-automerge-swift/Package.swift"))
    expectNone(try clashingPackageIdentities(in: repository))
  }

  @Test("A folder of that name is found, by address and by path, and no other")
  func finds() throws {
    let manifest = """
      let package = Package(
        name: "other",
        dependencies: [
          .package(name: "touchstone", path: "../.."),
          .package(url: "https://example.org/A/Some-Engine.git", exact: "0.6.1"),
        ],
        targets: [.target(name: "T", path: "Sources/T")]
      )
      """
    let byPath = """
      let package = Package(name: "other", dependencies: [.package(path: "../Packages/Same")])
      """
    let found = try withPlanted([
      "Adapters/some-engine/Package.swift": manifest, "Adapters/fine/Package.swift": manifest,
      "Examples/same/Package.swift": byPath,
    ]) { try clashingPackageIdentities(in: $0) }
    #expect(
      Set(found) == [
        Breach(
          "Adapters/some-engine/Package.swift",
          "depends on https://example.org/A/Some-Engine.git, whose name its own folder has"
        ),
        Breach(
          "Examples/same/Package.swift",
          "depends on ../Packages/Same, whose name its own folder has"
        ),
      ]
    )
  }
}
