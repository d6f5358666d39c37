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
  static let shelf = ModelShelf(
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
        guard let sample = try? law.sample(on: Self.shelf, &choices) else { continue }
        switch law.verdict(on: sample, subject: coder, shelf: Self.shelf) {
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
    #expect(coder.divergences.filter { !shown.contains($0) } == [])
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
    let model = try #require(Self.shelf.model(name))
    #expect(law.models(model))
    for index in 0..<20 {
      var choices = Choices(seed: Seed(value: 3).stream(UInt64(index)))
      var sample = CodingSample(model: name)
      try law.draw(model, &sample, &choices)
      let verdict = law.verdict(on: sample, subject: FoundationCoder.json, shelf: Self.shelf)
      #expect(verdict == .held, "\(sample.text)")
    }
  }
}
