import DocumentModel
import Mutants
import NaiveModel
import PropertyEngine
import Testing

@Test("Every mutant has an id of its own, in lower-case words joined by hyphens")
func namesMutants() {
  let ids = naiveMutants.map(\.description)
  #expect(Set(ids).count == ids.count)
  #expect(ids.count >= 36)
  for id in ids {
    let words = id.split(separator: "-", omittingEmptySubsequences: false)
    #expect(
      words.allSatisfy { !$0.isEmpty && $0.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 } }
    )
  }
}

@Test("Every mutant says what is wrong in one sentence of its own")
func describesMutants() {
  let sentences = naiveMutants.map(\.sentence)
  #expect(Set(sentences).count == sentences.count)
  for sentence in sentences {
    #expect(sentence.hasSuffix(".") && sentence.count <= 100, "\(sentence)")
  }
}

@Test("Every mutant has rules of its own")
func hasOwnRules() {
  #expect(Set(naiveMutants.map { ObjectIdentifier($0.subject) }).count == naiveMutants.count)
}

@Test("The specification shows the same on the same history")
func repeatsItself() {
  for seed in seeds.prefix(3) {
    #expect(trace(of: NaiveModel<AutomergeRules>.self, seed: seed) == specificationTraces[seed])
  }
}

@Test("Every mutant departs from the specification on a random history", arguments: naiveMutants)
func departs(_ mutant: NaiveMutant) {
  let seed = seeds.first { trace(of: mutant.subject, seed: $0) != specificationTraces[$0] }
  #expect(seed != nil, "\(mutant) was never told from the specification")
}

private let seeds = (0..<120).map { Seed(value: $0) }

/// What the specification shows, by seed.
private let specificationTraces = Dictionary(
  uniqueKeysWithValues: seeds.map { seed in
    (seed, trace(of: NaiveModel<AutomergeRules>.self, seed: seed))
  }
)
