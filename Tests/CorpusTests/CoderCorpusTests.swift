import Foundation
import FuzzEntryPoints
import PropertyEngine
import TestSupport
import Testing

@Suite("The corpora of the targets of coders, records, calls and stores")
struct CoderCorpusTests {
  /// Bytes that make a sample with something of everything, however long it is.
  private static func mixed(_ attempt: Int) -> [UInt8] {
    (0..<33).map { UInt8(truncatingIfNeeded: ($0 &+ 1) &* (37 &+ 64 &* attempt) &+ attempt) }
  }

  /// The simplest sample that a law holds for, and a mixed one, by their names.
  private func seeds(ofLaw number: Int, _ target: FuzzTarget) throws -> [(String, [UInt8])] {
    let first = UInt8(number)
    let stem = try target.subject().groups[number].lawStem
    // Some laws speak of larger samples, as random cases are.
    let mutation = FuzzMutation(try target.subject())
    let drawn = (0..<2_000).map { seed in
      mutation.mutated([], seed: UInt32(4 * seed + 1)) { bytes, _ in bytes }
    }
    let mixed = (0..<200).map { [first] + Self.mixed($0) }
    let attempts = [("simplest", [[first]]), ("mixed", mixed + drawn)]
    return try attempts.compactMap { words, inputs in
      for bytes in inputs {
        let input = try target.judge(bytes)
        guard input.lawStem == stem, input.judged.verdicts.map(\.judgement.verdict) == [.held]
        else { continue }
        return ("\(input.lawStem)-\(words).bin", bytes)
      }
      return nil
    }
  }

  /// With `TOUCHSTONE_GENERATE` set a law without seeds gets some, and the table is rewritten.
  @Test("Each law of the target has a seed", arguments: ["record", "calls", "stories"])
  func complete(id: String) throws {
    let corpus = CorpusFolder(target: id)
    let target = try #require(FuzzTarget(id: id))
    for (number, group) in try target.subject().groups.enumerated() {
      let stem = group.lawStem
      if ProcessInfo.processInfo.environment["TOUCHSTONE_GENERATE"] != nil,
        try !corpus.names().contains(where: { $0.hasPrefix("\(stem)-") })
      {
        for (name, bytes) in try seeds(ofLaw: number, target) {
          try Data(bytes).write(to: corpus.url.appendingPathComponent(name))
        }
      }
      #expect(try corpus.names().contains { $0.hasPrefix("\(stem)-") }, "\(stem)")
    }
    try expectGenerated(
      "seeds",
      in: "README.md",
      below: corpus.url,
      markdownTable(
        ["file", "bytes"],
        try corpus.names().filter { $0.hasSuffix(".bin") }.sorted().map {
          ["`\($0)`", "\(try corpus.data($0).count)"]
        }
      )
    )
  }

  @Test(
    "The README names all inputs, and the usual subject keeps the law on each",
    arguments: ["decode", "encode", "drift", "record", "calls", "stories"]
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
      #expect(name.hasPrefix("\(input.lawStem)-"), "\(name) is of \(input.lawStem)")
      if input.judged.verdicts.map(\.judgement.verdict) == [.held] { held += 1 }
    }
    // Seeds that nothing says anything of are of no use.
    #expect(held == names.count)
  }
}

extension LawGroup {
  /// The group's law as seeds are named by it: `drift-concurrent`.
  fileprivate var lawStem: String {
    laws.map { $0.name.replacing(".", with: "-") }.joined()
  }
}

extension FuzzInput {
  fileprivate var lawStem: String { group.lawStem }
}
