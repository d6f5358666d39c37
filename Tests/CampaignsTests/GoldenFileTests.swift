import DocumentLaws
import Foundation
import TestSupport
import Testing

@testable import Campaigns

@Suite("Golden files")
struct GoldenFileTests {
  @Test(
    "A golden file that is listed and cannot be read is named",
    arguments: [
      (nil, [], []),
      (#"{"vectors": [{"name": "one", "file": "one.automerge"}]}"#, ["one"], []),
      (
        #"{"vectors": [{"name": "two", "file": "two.automerge"}, {"name": "one", "file": "one.automerge"}]}"#,
        ["one"],
        ["the golden file FOLDER/vectors/two.automerge cannot be read: there is no such file"]
      ),
      (
        #"{"vectors": [{"name": "one"}]}"#, [],
        ["golden file 1 of FOLDER/vectors/vectors.json has no name or no file"]
      ),
      (#"{"vectors": []}"#, [], ["FOLDER/vectors/vectors.json lists no golden file"]),
    ] as [(list: String?, read: [String], unread: [String])]
  )
  func unread(list: String?, read: [String], unread: [String]) throws {
    try withFolder { folder in
      let vectors = folder.appendingPathComponent("vectors")
      try FileManager.default.createDirectory(at: vectors, withIntermediateDirectories: true)
      try Data([1]).write(to: vectors.appendingPathComponent("one.automerge"))
      try list.map { try Data($0.utf8).write(to: vectors.appendingPathComponent("vectors.json")) }
      let files = GoldenFiles(fixtures: folder)
      #expect(files.vectors.map(\.name) == read)
      #expect(files.unread == unread.map { $0.replacing("FOLDER", with: folder.relativePath) })
    }
  }

  @Test("A list that is no JSON is named")
  func damagedList() throws {
    try withFolder { folder in
      let vectors = folder.appendingPathComponent("vectors")
      try FileManager.default.createDirectory(at: vectors, withIntermediateDirectories: true)
      try Data("{".utf8).write(to: vectors.appendingPathComponent("vectors.json"))
      let unread = GoldenFiles(fixtures: folder).unread
      let begins = "the golden file \(folder.relativePath)/vectors/vectors.json cannot be read: "
      #expect(unread.count == 1 && unread.first?.hasPrefix(begins) == true, "\(unread)")
    }
  }
}
