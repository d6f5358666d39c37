import CodingLaws
import PropertyEngine
import Reporting
import Subjects

/// The laws of coders on our coder, one law a case.
struct CodingHunt: LawHunt {
  var laws: [Report.Law] {
    CodingLaw.all.map { Report.Law(name: $0.name, sentence: $0.sentence, source: $0.source) }
  }

  func run(case index: Int, seed: Seed, law: String?) -> Quarry? {
    let asked = CodingLaw.all.filter { law == nil || $0.name == law }
    guard !asked.isEmpty else { return nil }
    let run = CodingRun(
      DocumentCoderSubject(),
      on: documentCoderShelf,
      laws: [asked[index % asked.count]],
      seed: seed.stream(UInt64(index))
    )
    guard let failure = run.run(cases: 1).failures.first else { return nil }
    let summary =
      switch failure.verdict {
      case .violated(let difference): difference.summary
      case .errored(let words): words
      case .held, .known, .skipped: "did not repeat"
      }
    return Quarry(
      law: failure.law,
      summary: summary,
      sample: failure.sample.text.split(separator: "\n").map(String.init)
    )
  }
}
