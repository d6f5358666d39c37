import DocumentLaws
import Foundation
import FuzzEntryPoints
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
      let input = LoadInput(bytes: Array(try corpus.data(name)))
      let finding = input.finding()
      #expect(finding == nil, "\(name): \(finding.map { input.words(for: $0, file: name) } ?? "")")
    }
  }

  @Test("So is every golden file, which the fuzzer starts from")
  func golden() throws {
    let folder = corpus.url.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("fixtures/vectors")
    let files = try inputFiles(at: folder, extensions: ["automerge"])
    #expect(files.count >= 75)
    for file in files {
      let input = LoadInput(bytes: Array(try Data(contentsOf: file)))
      #expect(input.finding() == nil, "\(file.lastPathComponent)")
    }
  }

  @Test("A mutated input is whole or broken by its seed, and repeats")
  func mutates() {
    let input = LoadInput(bytes: ChunkForge.chunk(1, [1, 2, 3, 4, 5, 6, 7, 8]))
    for seed in UInt32(0)..<60 {
      let reversed = input.mutated(seed: seed) { $0.dropLast() }
      #expect(reversed == input.mutated(seed: seed) { $0.dropLast() })
      #expect((ChunkForge.sealed(reversed) == reversed) == (seed % 3 != 0), "\(seed)")
    }
  }
}
