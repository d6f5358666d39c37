import Foundation
import FuzzEntryPoints
import PropertyEngine
import Testing

@Suite("The corpora of the coders' targets")
struct CoderCorpusTests {
  @Test(
    "The README names all inputs, and our coder keeps the law on each",
    arguments: CoderFuzzTarget.allCases
  )
  func holds(target: CoderFuzzTarget) throws {
    let corpus = CorpusFolder(target: target.rawValue)
    let names = try corpus.names().filter { $0 != "README.md" }
    let readme = try corpus.text("README.md")
    #expect(names.count >= 5)
    var held = 0
    for name in names {
      #expect(name.hasSuffix(".bin"), "\(name)")
      #expect(readme.contains("`\(name)`"), "\(name)")
      let input = CodingInput(bytes: Array(try corpus.data(name)), target, .ours)
      let finding = input.finding(on: .ours)
      let words = finding.map { input.words(for: $0, on: .ours, file: name) }
      #expect(finding == nil, "\(words ?? "")")
      if input.verdict(on: .ours) == .held { held += 1 }
    }
    // Seeds that nothing says anything of are of no use.
    #expect(held == names.count)
  }
}
