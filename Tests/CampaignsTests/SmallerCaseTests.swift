import PropertyEngine
import Testing

@testable import Campaigns

@Suite("Which sample of a case is the smaller one")
struct SmallerCaseTests {
  private func sample(_ text: String, size: Int) -> StoredSample {
    StoredSample(form: FormName("history", version: 1), text: text, size: size, measure: "")
  }

  private func choices(_ values: [UInt32]) -> [Choice] {
    values.map { Choice(value: $0, limit: 9) }
  }

  private static let fails = Verdict.violated(Difference(kind: "key", summary: "the keys differ"))

  /// What shrinking leads to, beside a stored sample `abc` of size 3 with the choices 2 and 2.
  struct Found {
    var size = 3
    var text = "abc"
    var values: [UInt32] = [2, 2]
    var stage = Failure.Stage.shrunk(steps: 1, .finished, originalCount: 2)
    /// What the stored sample comes to; `nil` if it cannot be read.
    var verdict: Verdict? = SmallerCaseTests.fails
    /// Its size; 0 if it is not known.
    var storedSize = 3
    let isSmaller: Bool
  }

  @Test(
    "By its size, then its text, then its choices; one that fails still is a measure",
    arguments: [
      Found(isSmaller: false), Found(size: 2, text: "abcd", isSmaller: true),
      Found(size: 4, text: "a", isSmaller: false), Found(text: "ab", isSmaller: true),
      Found(text: "abcd", values: [1], isSmaller: false),
      Found(text: "abd", values: [2, 1], isSmaller: true),
      Found(text: "abd", values: [2], isSmaller: true),
      Found(text: "abd", isSmaller: false), Found(values: [1], isSmaller: false),
      Found(text: "abd", values: [0, 0, 0], isSmaller: false),
      Found(size: 9, text: "ab", storedSize: 0, isSmaller: true),
      Found(size: 1, text: "abcd", storedSize: 0, isSmaller: false),
      Found(size: 9, text: "abcd", verdict: .held, isSmaller: true),
      Found(size: 9, text: "abcd", verdict: nil, isSmaller: true),
      Found(size: 1, stage: .flaky(steps: 1, otherwise: "held"), isSmaller: false),
      Found(size: 1, stage: .flaky(steps: 1, otherwise: "held"), verdict: .held, isSmaller: false),
    ]
  )
  func order(_ found: Found) {
    let file = CaseFile(
      law: "merge.commutes",
      subjects: ["naive"],
      kind: "key",
      seed: nil,
      choices: choices([2, 2]),
      sampleFormat: FormName("history", version: 1),
      sample: "abc"
    )
    let key = FailureKey(law: file.law, isError: false, kind: "key")
    let small = Failure(
      subjects: file.subjects,
      Finding(key: key, difference: Difference(kind: "key", summary: "the keys differ")),
      sample(found.text, size: found.size),
      choices: choices(found.values),
      seed: nil,
      caseIndex: 0,
      stage: found.stage
    )
    let outcome = found.verdict.map { verdict in
      Replay.Outcome(
        law: file.law,
        subject: "naive",
        verdict: verdict,
        sample: sample("abc", size: found.storedSize)
      )
    }
    #expect(file.isLarger(than: small, judgedAs: outcome) == found.isSmaller)
  }
}
