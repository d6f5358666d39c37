package import PropertyEngine

// A law of records, in two forms: of one value or record (`value`), and of devices with a server
// (`story`). Read beside it: `RecordSubject.swift` (what is judged), `RecordSample.swift` (samples
// as data), `RecordChoices.swift` (what checks draw) and `RecordDifference.swift` (how they
// compare by bits). `all` is the catalogue, which `Campaigns` runs on `record-sync` and
// `SelfTests` on its mutants.

/// A law of records: what it says, which samples it takes, how one is judged.
///
/// A law knows no implementation: coder, storage and server come in as one `RecordSubject`, and
/// records are the words that both sides share (decision 31).
///
/// Worked example: `record.nil-clears` on `record-nil-unmarked`.
///
///     draw       40 bytes; the check draws a note with a title from them, and the property that becomes nil
///     check      encodes the note, decodes it, sets the property to nil, encodes it with and without a base
///     found      kind `nil.unmarked`: 'title' is gone from the record and not marked
package struct RecordLaw: StatedLaw {
  package let statement: LawStatement
  /// Runs in one of every `costs` cases that are its turn; 1 for all but expensive laws.
  package var costs = 1
  /// Draws bytes or steps: a pure function of the choices.
  let draw: @Sendable (inout Choices) -> RecordSample
  /// Where the subject breaks the law; `nil` if it does not.
  ///
  /// What it throws is a violation, but for `Skipped`.
  let check: @Sendable (any RecordSubject, RecordSample) throws -> Difference?
  /// What a law of values draws from a sample's bytes; `nil` for a law of devices.
  private var drawing: Drawing?
  /// Counts what a sample holds, for the report's coverage.
  var addCoverage: @Sendable (RecordSample, inout Coverage) -> Void = { _, _ in }

  /// How many bytes a law gives to its samples, and the check that draws from them.
  private struct Drawing {
    let count: Int
    let check: @Sendable (any RecordSubject, inout Choices) throws -> Difference?
  }

  package var name: String { statement.name }

  /// A law of one value or record, which is drawn from the sample's numbers.
  ///
  /// `count` is the number of bytes that a sample has (``PropertyEngine/DrawnNumbers``). A law that draws more than its bytes gets
  /// zeros, the simplest of each thing, and holds for those: a count that is too small narrows the
  /// law, which tests see by ``overrun(on:of:)``.
  ///
  /// Bytes know no bias: whatever a percentage or weights say, each answer is as likely as any other. Where that
  /// matters a law draws by `weighed(_:)`.
  static func value(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    count: Int = 40,
    costs: Int = 1,
    check: @escaping @Sendable (any RecordSubject, inout Choices) throws -> Difference?
  ) -> RecordLaw {
    var law = RecordLaw(
      statement: LawStatement(name, title, sentence, source: source),
      costs: costs,
      draw: { RecordSample.numbers(count, &$0) },
      check: { subject, sample in
        // Drawn again from the start by each judgement, so that the same bytes are the same value.
        var choices = sample.numbers.choices
        return try check(subject, &choices)
      }
    )
    law.drawing = Drawing(count: count, check: check)
    return law
  }

  /// How many bytes the check of a drawn sample asks for beyond those that the law gives to samples.
  func overrun(on subject: any RecordSubject, of sample: RecordSample) -> Int {
    guard let drawing else { return 0 }
    var choices = sample.numbers.choices
    _ = try? drawing.check(subject, &choices)
    return max(0, (choices.byteOffsets.last ?? 0) - drawing.count)
  }

  /// A law of one thing that is drawn first, of whose values a report tells.
  static func value<Drawn: CountedValue>(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    of drawn: Generator<Drawn>,
    count: Int = 40,
    check: @escaping @Sendable (any RecordSubject, Drawn, inout Choices) throws -> Difference?
  ) -> RecordLaw {
    var law = value(name, title, sentence, source: source, count: count) { subject, choices in
      try check(subject, drawn.draw(&choices), &choices)
    }
    law.addCoverage = { sample, coverage in
      var choices = sample.numbers.choices
      var tally = ValueTally()
      drawn.draw(&choices).add(to: &tally)
      coverage.add(tally, in: RecordCoverage.samples)
    }
    return law
  }

  /// A law of what devices do.
  ///
  /// What a step itself shows to be wrong breaks whatever law the story was drawn for.
  ///
  /// The story is told first; the check then heals it (`RecordStory.heal`), where its promise needs
  /// that, and looks.
  static func story(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource = .document("Records.md", "The server"),
    check: @escaping @Sendable (RecordStory) throws -> Difference?
  ) -> RecordLaw {
    RecordLaw(
      statement: LawStatement(name, title, sentence, source: source),
      draw: { RecordSample.story(24, &$0) },
      check: { subject, sample in
        let story = RecordStory(subject)
        try story.tell(sample.steps)
        return try story.found ?? check(story)
      },
      addCoverage: { sample, coverage in
        coverage.add(RecordCoverage.tally(of: sample.steps), in: RecordCoverage.stories)
      }
    )
  }

  /// The law as a run takes it, on one subject.
  ///
  ///     the check gives nothing          held
  ///     it gives a difference            violated
  ///     it throws `Skipped`              skipped: the law does not speak of such a sample
  ///     it throws anything else          violated, of kind `record.threw`
  ///     the subject traps in it          violated `subject.answers`: its worker has died
  package func lowered(on subject: any RecordSubject) -> Law<RecordSample> {
    Law(
      statement,
      form: .record.counting(addCoverage),
      costs: costs,
      draw: { draw(&$0) },
      judge: { sample in
        Judgement(Verdict(of: sample, thrown: Self.complaint) { try check(subject, $0) })
      }
    )
  }

  /// Laws ask for what a subject must do: one that throws does not do it.
  private static func complaint(_ error: any Error) -> Verdict {
    .violated(
      Difference(
        kind: "record.threw",
        summary: "it threw \(type(of: error)): \(error)",
        expected: "no error"
      ).between(nil, "what the subject answered")
    )
  }

  /// Laws that came later than those beside which they stand: places in the list never change.
  private static let laterLaws: [RecordLaw] = [
    systemFieldsKept, deletionsTold, trapsRefused, bytesByType, nestedNumbers, refusalsTold,
    refusedIsAbsent,
  ]

  /// The whole catalogue, in the order in which laws are tried.
  package static let all: [RecordLaw] =
    valueLaws + formLaws + optionLaws + assetLaws + childLaws + schemaLaws + fieldLaws + serverLaws
    + syncLaws + handLaws + refusalLaws + kindLaws + assetFormLaws + reasonLaws + laterLaws
}
