import CodingLaws
import FoundationCoders
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
}
