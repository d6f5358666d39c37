import FuzzEntryPoints
import PropertyEngine
import Testing

@Suite("The corpora of the targets of coders, records and calls")
struct CoderCorpusTests {
  @Test(
    "The README names all inputs, and the usual subject keeps the law on each",
    arguments: ["decode", "encode", "drift", "record", "calls"]
  )
  func holds(id: String) throws {
    let corpus = CorpusFolder(target: id)
    let target = try #require(FuzzTarget(id: id))
    let names = try corpus.names().filter { $0 != "README.md" }
    let readme = try corpus.text("README.md")
    #expect(names.count >= 5)
    var held = 0
    for name in names {
      #expect(name.hasSuffix(".bin"), "\(name)")
      #expect(readme.contains("`\(name)`"), "\(name)")
      let input = try target.judge(Array(corpus.data(name)))
      let explanation = input.finding.map { input.explanation(of: $0, file: name) }
      #expect(explanation == nil, "\(explanation ?? "")")
      // A seed is named by its law and its model, which its bytes go on to mean.
      let stem = input.group.laws.map { $0.name.replacing(".", with: "-") }.joined()
      #expect(name.hasPrefix("\(stem)-"), "\(name) is of \(stem)")
      if input.judged.verdicts.map(\.judgement.verdict) == [.held] { held += 1 }
    }
    // Seeds that nothing says anything of are of no use.
    #expect(held == names.count)
  }
}
