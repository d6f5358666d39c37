import Campaigns
import Foundation
import FuzzEntryPoints
import PropertyEngine
import TestSupport
import Testing

/// Boundaries but `load`, whose corpus has tests of its own.
private let ids = Boundary.all.map(\.id).filter { $0 != "load" }

@Suite("The corpora of boundaries")
struct BoundaryCorpusTests {
  /// With `TOUCHSTONE_GENERATE` set the seeds and their table are rewritten instead.
  @Test("A corpus has the inputs that its boundary names, and the README names all", arguments: ids)
  func complete(id: String) throws {
    let boundary = try #require(FuzzTarget(id: id)?.boundary)
    let corpus = CorpusFolder(target: id)
    let seeds = try boundary.seeds()
    let isGenerating = ProcessInfo.processInfo.environment["TOUCHSTONE_GENERATE"] != nil
    if isGenerating {
      for seed in seeds {
        try Data(seed.bytes).write(to: corpus.url.appendingPathComponent("\(seed.name).bin"))
      }
    }
    for seed in seeds {
      #expect(try Array(corpus.data("\(seed.name).bin")) == seed.bytes, "\(id) \(seed.name)")
    }
    try expectGenerated(
      "seeds",
      in: "README.md",
      below: corpus.url,
      markdownTable(
        ["file", "bytes", "is"],
        seeds.map { ["`\($0.name).bin`", "\($0.bytes.count)", $0.sentence] }
      )
    )
    let readme = try corpus.text("README.md")
    for name in try corpus.names() where name != "README.md" {
      if isGenerating, name.hasSuffix(".bin"), !readme.contains("`\(name)`") {
        // The seed of an earlier catalogue: what was kept for a cause is named.
        try FileManager.default.removeItem(at: corpus.url.appendingPathComponent(name))
        continue
      }
      #expect(name.hasSuffix(".bin"), "\(name)")
      #expect(readme.contains("`\(name)`"), "\(id)/\(name)")
    }
  }

  @Test("Its law holds on every input", arguments: ids)
  func holds(id: String) throws {
    let target = try #require(FuzzTarget(id: id))
    let corpus = CorpusFolder(target: id)
    for name in try corpus.names() where name.hasSuffix(".bin") {
      let input = try target.judge(Array(corpus.data(name)))
      let explanation = input.finding.map { input.explanation(of: $0, file: name) }
      #expect(explanation == nil, "\(explanation ?? "")")
      #expect(input.judged.verdicts.map(\.judgement.verdict) == [.held], "\(name)")
    }
  }

  /// What refuses samples that no law draws must not refuse those that one does.
  @Test(
    "A sample that a law draws is read again",
    arguments: SubjectRegistry(adapters: nil).firstIDs + ["naive-coder"]
  )
  func drawnSamplesAreRead(subject: String) throws {
    let registry = SubjectRegistry(adapters: nil)
    let request = JudgingRequest(drawsOnly: true)
    for lane in registry.lanes(try registry.find([subject])) {
      for group in lane.groups where group.formName.kind != "printed" {
        for stream in 0..<25 {
          var choices = Choices(seed: Seed(value: 4).stream(UInt64(stream)))
          guard let drawn = group.judge(&choices, request).sample?.stored() else { continue }
          let laws = group.laws.map(\.name)
          do {
            let again = try group.judge(drawn, request).sample?.stored()
            #expect(again == drawn, "\(laws)")
          } catch {
            Issue.record("\(laws): \(error)\n\(drawn)")
          }
        }
      }
    }
  }
}
