import CodingLaws
import Foundation
import FoundationCoders
import JSONOracle
import ModelGeneration
import ModelZoo
import PropertyEngine
import Testing

@Suite("Foundation's coders before the laws")
struct FoundationTests {
  static let pool = ModelPool(
    ModelZoo.models(text: PlainText.self, counter: PlainCounter.self)
  )

  @Test(
    "What a coder does otherwise is listed, and what is listed shows",
    arguments: [FoundationCoder.json, .propertyList]
  )
  func divergences(coder: FoundationCoder) throws {
    var shown: Set<CoderDivergence> = []
    for law in CodingLaw.all where law.reasonToSkip(coder) == nil {
      var held = 0
      for index in 0..<100 {
        var choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
        guard let sample = try? law.sample(on: Self.pool, &choices) else { continue }
        switch law.judgement(on: sample, subject: coder, pool: Self.pool).verdict {
        case .held: held += 1
        case .skipped: continue
        case .known(_, let reason):
          held += 1
          shown.formUnion(
            coder.divergences.filter { $0.law == law.name && $0.reason == reason }
          )
        case let verdict:
          Issue.record("\(coder.id) \(law.name) on \(sample.model): \(verdict)")
        }
      }
      #expect(held > 0, "\(law.name)")
    }
    // What is drawn rarely shows on the sample that comes with it; what ends the process is not asked.
    for divergence in coder.divergences
    where !shown.contains(divergence) && !divergence.endsProcess {
      let sample = try CodingSample(text: try #require(divergence.example))
      let law = try #require(CodingLaw.all.first { $0.name == divergence.law })
      let verdict = law.judgement(on: sample, subject: coder, pool: Self.pool).verdict
      guard case .known(_, divergence.reason) = verdict else {
        Issue.record("\(coder.id) \(law.name): \(verdict)")
        continue
      }
    }
  }

  @Test("Two spellings of one string explain no other difference")
  func spellings() throws {
    let law = try #require(CodingLaw.all.first { $0.name == "strings.exact" })
    let divergence = try #require(
      FoundationCoder.propertyList.divergences.first { $0.law == law.name }
    )
    let difference = Difference(kind: "tree.missing", summary: "a key is missing")
    let shown = try CodingSample(text: try #require(divergence.example))
    #expect(divergence.explains(law.name, difference, shown))
    var plain = shown
    for value in ["e", "\u{E9}"] {
      plain.values = [
        try Tree(text: #"{"list": [], "map": {"\u{E9}": "x"}, "value": "\#(value)"}"#)
      ]
      #expect(!divergence.explains(law.name, difference, plain))
    }
  }

  @Test(
    "Another reader finds in JSON what superclasses, sets, texts, counters and decimals hold",
    .enabled(if: JSONOracle.isPresent),
    arguments: [
      "Dog", "SuperInList", "Collections", "OtherKeys", "OneText", "CounterPlaces", "Leaves",
    ]
  )
  func jsonMeaning(name: String) throws {
    let law = try #require(CodingLaw.all.first { $0.name == "json.means-the-same" })
    let model = try #require(Self.pool.model(name))
    #expect(law.models(model))
    for index in 0..<20 {
      var choices = Choices(seed: Seed(value: 3).stream(UInt64(index)))
      var sample = CodingSample(model: name)
      try law.draw(model, &sample, &choices)
      let verdict = law.judgement(on: sample, subject: FoundationCoder.json, pool: Self.pool)
        .verdict
      #expect(verdict == .held, "\(sample.text)")
    }
  }
}
