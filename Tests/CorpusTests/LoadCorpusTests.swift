import DocumentLaws
import Foundation
import FuzzEntryPoints
import PropertyEngine
import Testing

private let corpus = CorpusFolder(target: "load")

@Suite("The corpus of files to load")
struct LoadCorpusTests {
  @Test("There is an input for each kind of bomb, and the README names all files")
  func complete() throws {
    let names = try corpus.names().filter { $0 != "README.md" }
    let readme = try corpus.text("README.md")
    for example in Bombs.examples {
      #expect(names.contains("\(example.name).bin"))
      #expect(try Array(corpus.data("\(example.name).bin")) == example.bytes, "\(example.name)")
    }
    for name in names {
      #expect(name.hasSuffix(".bin"), "\(name)")
      #expect(readme.contains("`\(name)`"), "\(name)")
    }
  }

  @Test("Every input is refused or makes a document like any other")
  func holds() throws {
    for name in try corpus.names() where name.hasSuffix(".bin") {
      let input = try FuzzTarget.load.judge(Array(corpus.data(name)))
      let explanation = input.finding.map { input.explanation(of: $0, file: name) }
      #expect(explanation == nil, "\(name): \(explanation ?? "")")
      #expect(input.judged.verdicts.count == 3)
    }
  }

  @Test(
    "So is every golden file, and what was typed, which the fuzzer starts from",
    arguments: [("fixtures/vectors", 75), ("fixtures/excerpts", 2)]
  )
  func golden(_ path: String, _ count: Int) throws {
    #expect(Boundary.load.otherFolders.contains(path))
    let folder = corpus.url.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(path)
    let files = try FuzzTarget.load.inputs(at: folder).filter { $0.pathExtension == "automerge" }
    #expect(files.count >= count)
    for file in files {
      let input = try FuzzTarget.load.judge(FuzzInputs.read(file))
      #expect(input.finding == nil, "\(file.lastPathComponent)")
    }
  }

  @Test("A mutated input is whole or broken by its seed, and repeats")
  func mutates() throws {
    let mutation = FuzzMutation(try FuzzTarget.load.subject())
    let entrance = try #require(Boundary.load.entrance)
    let file = ChunkForge.chunk(1, [1, 2, 3, 4, 5, 6, 7, 8])
    for seed in UInt32(0)..<60 {
      let wounded = mutation.mutated(file, seed: seed) { bytes, _ in bytes.dropLast() }
      #expect(wounded == mutation.mutated(file, seed: seed) { bytes, _ in bytes.dropLast() })
      #expect(entrance.isPassed(wounded) == (seed % 6 != 0), "\(seed)")
    }
  }
}
