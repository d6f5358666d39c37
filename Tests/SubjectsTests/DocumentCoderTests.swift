import CoderSubjects
import CodingLaws
import PropertyEngine
import Subjects
import Testing

@Suite("Our coder before the laws of coders")
struct DocumentCoderTests {
  @Test(
    "It obeys every law that speaks of it",
    arguments: CodingLaw.all.filter { $0.reasonToSkip(DocumentCoderSubject()) == nil }
  )
  func obeys(law: CodingLaw) throws {
    var held = 0
    var index: UInt64 = 0
    // A law that few samples apply to is asked until one does.
    while index < 60 || (held == 0 && index < 600) {
      var choices = Choices(seed: Seed(value: 11).stream(index))
      index += 1
      guard let sample = try? law.sample(on: documentCoderPool, &choices) else { continue }
      let verdict = law.judgement(
        on: sample,
        subject: DocumentCoderSubject(),
        pool: documentCoderPool
      ).verdict
      switch verdict {
      case .held: held += 1
      case .skipped: continue
      default: Issue.record("\(law.name): \(verdict)\n\(sample.text)")
      }
    }
    #expect(held > 0, "\(law.name) never applied")
  }

  /// Found by `reencode.over-value`, seed 7102: where the list shrinks, a 0 that stood for an `Int` stands for a
  /// `UInt8` and keeps its kind.
  @Test("An equal number of another type may keep its place in a list")
  func keepsEqualNumbers() throws {
    let sample = try CodingSample(
      text: """
        {
          "model": "RowsByHand",
          "numbers": [],
          "trees": [],
          "values": [
            {"rows": [[
              false, "", float 0.0, float 0.0, [], int 0, int 0, uint 1, uint 0, null
            ]]},
            {"rows": [[
              true, "a", float -0.5, float -0.5, [int -1], int -1, int -1, uint 0, uint 1, "a"
            ]]}
          ]
        }
        """
    )
    let law = try #require(CodingLaw.all.first { $0.name == "reencode.over-value" })
    let verdict = law.judgement(
      on: sample,
      subject: DocumentCoderSubject(),
      pool: documentCoderPool
    ).verdict
    #expect(verdict == .held)
  }

  @Test("Only other programs keep laws from being asked")
  func isAskedAllLaws() {
    let others = CodingLaw.all.filter { $0.reasonToSkip(DocumentCoderSubject()) != nil }
    #expect(others.map(\.name) == ["peer.reads", "peer.writes", "json.means-the-same"])
  }

  @Test("Every kind at every place of every list is read, or refused with its path")
  func readsMixedLists() throws {
    let result = try MixedListWorld(DocumentCoderSubject(), on: documentCoderPool).run()
    if let (sample, difference) = result.violation {
      Issue.record("\(difference.summary)\n\(sample.text)")
    }
    #expect(result.places.count >= 10, "\(result.places)")
    #expect(result.sampleCount >= 1_000)
  }

  @Test("Whatever two versions do at once to a small document decodes by the rules")
  func readsConcurrentDrifts() throws {
    let result = try ConcurrentDriftWorld(
      DocumentCoderSubject(),
      on: documentCoderPool,
      models: ["ExplicitNull"]
    ).run()
    if let (sample, difference) = result.violation {
      Issue.record("\(difference.summary)\n\(sample.text)")
    }
    #expect(result.places.count >= 5, "\(result.places)")
    #expect(result.sampleCount >= 1_000)
  }
}
