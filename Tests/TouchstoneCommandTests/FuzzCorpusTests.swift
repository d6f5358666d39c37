import Foundation
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("The corpus of a fuzz target, whenever a run is killed")
struct FuzzCorpusTests {
  private struct Killed: Error {}

  /// Runs `body` with a corpus of three inputs.
  private func withCorpus(_ body: (FuzzCorpus) throws -> Void) throws {
    try withFolder { parent in
      let corpus = FuzzCorpus(id: "load", parent: parent)
      try fill(corpus.folder, ["a", "b", "c"])
      try body(corpus)
    }
  }

  private func fill(_ folder: URL, _ names: [String]) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in names {
      try Data(name.utf8).write(to: folder.appendingPathComponent(name))
    }
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("The fewest inputs that reach the same take the place of all, and nothing else is left")
  func minimises() throws {
    try withCorpus { corpus in
      try corpus.minimise { smaller in
        #expect(try names(in: corpus.folder) == ["a", "b", "c"])
        try fill(smaller, ["b"])
        return true
      }
      #expect(try names(in: corpus.folder) == ["b"] && corpus.count == 1)
      #expect(try names(in: corpus.parent) == ["load"])
    }
  }

  @Test("A minimum that is not whole, is empty or fails leaves all inputs", arguments: 0..<3)
  func keepsAll(_ way: Int) throws {
    try withCorpus { corpus in
      let merge: (URL) throws -> Bool = { smaller in
        if way > 0 { try fill(smaller, way == 1 ? [] : ["b"]) }
        if way == 2 { throw Killed() }
        return way == 1
      }
      if way == 2 {
        #expect(throws: Killed.self) { try corpus.minimise(merge) }
      } else {
        try corpus.minimise(merge)
      }
      #expect(try names(in: corpus.folder) == ["a", "b", "c"])
      // What a failed one has left is in no later one's way.
      try corpus.minimise { smaller in
        #expect(try names(in: smaller) == [])
        try fill(smaller, ["c"])
        return true
      }
      #expect(try names(in: corpus.folder) == ["c"])
    }
  }

  @Test("A run that was killed between its two moves has lost nothing")
  func killedBetween() throws {
    try withCorpus { corpus in
      let larger = corpus.parent.appendingPathComponent(".load-larger")
      try FileManager.default.moveItem(at: corpus.folder, to: larger)
      try corpus.restore()
      #expect(try names(in: corpus.folder) == ["a", "b", "c"])
      #expect(!FileManager.default.fileExists(atPath: larger.path))
    }
  }

  @Test("A run that was killed behind its second move has the minimum")
  func killedBehind() throws {
    try withCorpus { corpus in
      let larger = corpus.parent.appendingPathComponent(".load-larger")
      try FileManager.default.moveItem(at: corpus.folder, to: larger)
      try fill(corpus.folder, ["b"])
      try corpus.restore()
      #expect(try names(in: corpus.folder) == ["b"])
      #expect(!FileManager.default.fileExists(atPath: larger.path))
      // One that was not killed is left alone.
      try corpus.restore()
      #expect(try names(in: corpus.folder) == ["b"])
    }
  }
}
