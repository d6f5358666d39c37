import CodingLaws
import Testing

@Suite("Errors of coders' subjects in sentences")
struct CoderErrorTests {
  @Test("What a coder does not offer is named by its feature", arguments: CoderFeature.allCases)
  func unsupported(_ feature: CoderFeature) {
    #expect(
      "\(UnsupportedByCoder(feature: feature))"
        == "the coder does not offer what a law asked for: \(feature.rawValue)"
    )
  }
}
