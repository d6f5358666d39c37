import Foundation
import Testing

/// The hash of the three bytes `abc`.
///
/// Source: FIPS 180-2, appendix B.1.
private let abcHash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

private func entry(
  _ path: String,
  hash: String = abcHash,
  producer: String = "us",
  version: String = "1",
  licence: String = "Apache-2.0"
) -> String {
  """
  {"path": "\(path)", "sha256": "\(hash)", "producer": "\(producer)", "version": "\(version)",
   "licence": "\(licence)"}
  """
}

/// Breaches of a `fixtures` folder with the files `a/x` and `a/y`, both `abc`, and this manifest.
private func breaches(_ entries: [String]) throws -> [String] {
  try withPlanted([
    "fixtures/a/x": "abc", "fixtures/a/y": "abc", "fixtures/a/README.md": "",
    "fixtures/README.md": "",
    "fixtures/MANIFEST.json": "{\"fixtures\": [\(entries.joined(separator: ","))]}",
  ]) {
    try fixtureBreaches(in: $0).map(\.description)
  }
}

@Suite("Manifest of the fixtures")
struct FixturesTests {
  @Test("The manifest lists every fixture with its hash, and nothing else")
  func repository() throws {
    expectNone(try fixtureBreaches(in: .current()))
  }

  @Test("A complete manifest is accepted")
  func accepts() throws {
    #expect(try breaches([entry("a/x"), entry("a/y")]) == [])
  }

  @Test("A planted difference of each kind is found")
  func finds() throws {
    let manifest = "fixtures/MANIFEST.json"
    #expect(
      try breaches([entry("a/x")]) == ["fixtures/a/y: is not listed in \(manifest)"]
    )
    #expect(
      try breaches([entry("a/x"), entry("a/y"), entry("a/z")])
        == ["\(manifest): a/z is listed, but there is no such fixture"]
    )
    #expect(
      try breaches([entry("a/x"), entry("a/y"), entry("a/x")])
        == ["\(manifest): a/x is listed twice"]
    )
    let wrong = abcHash.replacing("ba", with: "ab")
    #expect(
      try breaches([entry("a/x", hash: wrong), entry("a/y")])
        == ["\(manifest): a/x has the SHA-256 \(abcHash), not \(wrong)"]
    )
    #expect(
      try breaches([entry("a/x", producer: "", version: " ", licence: "?"), entry("a/y")]) == [
        "\(manifest): a/x names no producer", "\(manifest): a/x names no version",
        "\(manifest): a/x names no licence",
      ]
    )
    let undecodable = try breaches(["{\"path\": \"a/x\"}"])
    #expect(undecodable.count == 1)
    #expect(undecodable.first?.hasPrefix("\(manifest): cannot be decoded: ") == true)
  }

  @Test("Fixtures without a manifest are found; no fixtures need none")
  func findsMissingManifest() throws {
    let without = try withPlanted(["fixtures/a/x": ""]) { try fixtureBreaches(in: $0) }
    #expect(without == [Breach("fixtures", "has no MANIFEST.json")])
    let none = try withPlanted(["Sources/A/a.swift": ""]) { try fixtureBreaches(in: $0) }
    #expect(none == [])
  }

  @Test("More files than one command line takes are all hashed")
  func hashesMany() throws {
    let paths = (0..<401).map { "f\($0)" }
    let hashes = try withPlanted(Dictionary(uniqueKeysWithValues: paths.map { ($0, "abc") })) {
      try sha256(of: paths, in: $0.root)
    }
    #expect(hashes.count == paths.count)
    #expect(Set(hashes.values) == [abcHash])
    #expect(throws: HashingFailure.self) {
      try withPlanted([:]) { try sha256(of: ["missing"], in: $0.root) }
    }
  }
}
