import Foundation
import Testing

@testable import MergeEngine

@Suite("Fixtures")
struct FixtureTests {
  @Test("Every fixture is in the manifest with its hash, and nothing else is")
  func manifest() throws {
    let list = try #require(try Fixtures.json("MANIFEST.json") as? [[String: String]])
    var named: Set<String> = []
    for entry in list {
      let path = try #require(entry["path"])
      named.insert(path)
      #expect(sha256(try Fixtures.bytes(path)) == entry["sha256"], "\(path)")
      for field in ["producer", "version", "licence"] {
        #expect(entry[field]?.isEmpty == false, "\(path) has no \(field)")
      }
    }
    for folder in ["vectors", "documents", "traces"] {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: Fixtures.folder.appending(path: folder).path
      )
      for name in names where !name.hasPrefix(".") && !name.hasPrefix("__") {
        #expect(named.contains("\(folder)/\(name)"), "\(folder)/\(name)")
      }
    }
  }

  @Test("Times are kept within what the format can store beside each other")
  func times() throws {
    let document = MergeDocument(actor: actor(1))
    for time in [Int64.max, .min, 0, .max] {
      try document.put(.root, .key("k"), .int(time &+ Int64(document.changeCount)))
      document.commit(time: time)
    }
    let loaded = try MergeDocument(loading: document.save(), actor: actor(2))
    #expect(loaded.changes() == document.changes())
    #expect(loaded.changes().map(\.time).max() == Limits.timeLimit - 1)
  }
}
