import Foundation
package import PropertyEngine
import RecordModel

// A law of records, in two forms: of one value or record (`value`), and of devices with a server
// (`story`). Below it what checks draw (`Choices`) and how they compare by bits
// (`Difference.fields`, `RecordValue.bits`). Read beside it: `RecordSubject.swift` (what is
// judged), `RecordSample.swift` (samples as data). `all` is the catalogue, which `Campaigns` runs
// on `record-sync` and `SelfTests` on its mutants.

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

  /// The whole catalogue, in the order in which laws are tried.
  package static let all: [RecordLaw] =
    valueLaws + formLaws + optionLaws + assetLaws + childLaws + schemaLaws + fieldLaws + serverLaws
    + syncLaws + handLaws + refusalLaws + kindLaws + assetFormLaws + reasonLaws + edgeLaws
}

// MARK: - What is drawn

extension Choices {
  /// An index of weights, in proportion to them, from bytes as well; 0 is the simplest.
  ///
  /// The weights make 256 at most, so that a choice takes one byte.
  ///
  ///     weights 6, 2, 1      of nine numbers 0 to 5 give 0, 6 and 7 give 1, 8 gives 2
  mutating func weighed(_ weights: [Int]) -> Int {
    var rest = index(below: max(1, weights.reduce(0, +)))
    for (index, weight) in weights.enumerated() {
      guard rest >= weight else { return index }
      rest -= weight
    }
    return 0
  }

  /// Short texts with whatever scalars confuse: look-alikes, controls, ends of planes.
  ///
  /// Up to 6 scalars: enough for a letter with its marks.
  mutating func text() -> String {
    Generator<String>.hostileText(unicodeScalarsUpTo: 6, long: false).draw(&self)
  }

  /// The ends of each width, and where a double stops being exact.
  ///
  /// 70 of 100 are edges: 2^53 + 1 is the first that a `Double` rounds, 128 and 256 the first
  /// beyond a byte.
  mutating func integer() -> Int64 {
    let edges: [Int64] = [0, 1, 2, -1, 127, 128, 255, 256, .max, .min, 1 << 53, 1 << 53 + 1]
    return flag(percent: 70) ? element(of: edges) : Int64(bitPattern: bits64())
  }

  /// Zeros of both signs, the bounds of integers, and no numbers.
  ///
  /// 0x1p63 is the first beyond `Int64`: `Int64(value)` traps for it, for infinity and for NaN. -0x1p63 is
  /// `Int64.min`, whose `abs` traps.
  mutating func double() -> Double {
    let edges = [
      0, -0.0, 1, 2, 0.1, 1.5, -1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 300,
      0x1p53, 0x1p63, -0x1p63, .infinity, .nan,
    ]
    return flag(percent: 80) ? element(of: edges) : Double(bitPattern: bits64())
  }

  /// Not on whole milliseconds, so that rounding shows.
  ///
  /// 1970, a moment in 2023, one in 1938, and 2001, where `Date` counts from; plus up to 4000 steps
  /// of 0.37 ms.
  mutating func date() -> Date {
    let base: [Double] = [0, 1_700_000_000, -1_000_000_000, 978_307_200]
    let seconds = element(of: base)
    return Date(timeIntervalSince1970: seconds + Double(number(in: 0...4000)) * 0.000_37)
  }

  /// Some are JSON, since nested values are stored as JSON in bytes.
  mutating func blob() -> Data {
    switch index(below: 3) {
    case 0: Data(text().utf8)
    case 1: Data(element(of: Self.jsonTexts).utf8)
    default:
      Data((0..<number(in: 0...8)).map { _ in UInt8(truncatingIfNeeded: number(in: 0...255)) })
    }
  }

  /// Right and wrong JSON: what models of the laws nest, numbers beyond a double, an open list, one
  /// key twice, half of a surrogate pair, an index range that `IndexSet` traps on, and a text that is no URL.
  private static var jsonTexts: [String] {
    [
      "null", "1", "\"a\"", "[]", "{}", "[1,null]", "{\"name\":1}",
      "[{\"name\":\"a\",\"weight\":1}]",
      "1e999", "[[[[", "{\"a\":1,\"a\":2}", "true", "-0.0", "18446744073709551615",
      "[{\"location\":-5,\"length\":9}]", "\"\\ud800\"", "[\"\"]", "{\"a\":\"\"}",
    ]
  }

  /// One of ten names, so that two records often have one.
  mutating func recordID() -> RecordID {
    RecordID(recordName: "r\(number(in: 0...9))", zoneID: recordZone)
  }

  /// To one of ten records, there or not; one in two takes its record along when its target is
  /// deleted.
  mutating func reference() -> RecordReference {
    RecordReference(recordID: recordID(), action: flag() ? .deleteSelf : .none)
  }

  /// Whatever a server may know of a record, each thing by itself, of any zone.
  ///
  /// Consistent with no server: an archive must give back whatever it was made of.
  mutating func systemFields() -> RecordSystemFields {
    let number = number(in: 0...9)
    let zone = RecordZoneID(zoneName: "Z\(number % 3)", ownerName: "o\(number % 2)")
    var fields = RecordSystemFields(
      recordType: "Note",
      recordID: RecordID(recordName: "n\(number)", zoneID: zone)
    )
    if flag() { fields.recordChangeTag = "t\(number)" }
    if flag() { fields.creationDate = date() }
    if flag() { fields.modificationDate = date() }
    if flag() { fields.creatorUserRecordID = recordID() }
    if flag() { fields.lastModifiedUserRecordID = recordID() }
    if flag() { fields.parent = reference() }
    if flag() { fields.share = reference() }
    if flag() { fields.platformArchive = blob() }
    // A part of more bytes than one byte of a length tells, in one of four.
    if weighed([3, 1]) == 1 { fields.platformArchive = Data(count: 120 + index(below: 16)) }
    return fields
  }

  /// A value of any kind, lists among them.
  ///
  /// 17 kinds: eight scalars, eight lists of up to two elements, and a list of nothing, whose kind
  /// is not known.
  mutating func value() -> RecordValue {
    let count = number(in: 0...2)
    func list<T>(_ body: () -> T) -> [T] { (0..<count).map { _ in body() } }
    // Where two are drawn, a text below three bytes becomes one that is no URL.
    func text() -> String {
      let text = self.text()
      return count == 2 && text.utf8.count < 3 ? "http://[" : text
    }
    switch index(below: 17) {
    case 0: return .string(text())
    case 1: return .int64(integer())
    case 2: return .double(double())
    case 3: return .bytes(blob())
    case 4: return .timestamp(date())
    case 5: return .location(RecordLocation(latitude: double(), longitude: double()))
    case 6: return .reference(reference())
    case 7:
      let url = flag() ? URL(fileURLWithPath: "/nowhere/\(count)") : nil
      return .asset(RecordAsset(fileURL: url))
    case 8: return .list(.strings(list { text() }))
    case 9: return .list(.int64s(list { integer() }))
    case 10: return .list(.doubles(list { double() }))
    case 11: return .list(.bytes(list { blob() }))
    case 12: return .list(.timestamps(list { date() }))
    case 13: return .list(.references(list { reference() }))
    case 14: return .list(.assets(list { RecordAsset(fileURL: nil) }))
    case 15:
      return .list(.locations(list { RecordLocation(latitude: 1, longitude: double()) }))
    default: return .list(.empty)
    }
  }

  /// A value that a server takes, of a kind that is not a reference.
  ///
  /// Empty and full lists of several kinds, since their kinds are easy to confuse.
  mutating func plainValue() -> RecordValue {
    let values: [RecordValue] = [
      .string("a"), .int64(1), .double(1), .bytes(Data([1])),
      .timestamp(Date(timeIntervalSince1970: 1)),
      .location(RecordLocation(latitude: 1, longitude: 2)),
      .list(.strings([])), .list(.strings(["a"])), .list(.int64s([])), .list(.doubles([1])),
      .list(.bytes([])), .list(.timestamps([])),
    ]
    return element(of: values)
  }

  /// A record with some of these keys, each with a value of any kind.
  ///
  /// 75 of 100 keys are there; one in five records has an encrypted field as well.
  mutating func record(_ keys: [String]) -> Record {
    var record = Record(recordType: "Note", recordID: recordID())
    for key in keys where flag(percent: 75) { record[key] = value() }
    if flag(percent: 20) { record[encrypted: "secret"] = value() }
    return record
  }

  /// A note of the newer version, by edits of all its properties.
  ///
  /// Each property gets a number of 0 to 5; 0 is `nil` (`EditableNote.set`).
  mutating func note(_ name: String = "r0") -> NewNote {
    var note = NewNote(named: name)
    for field in NoteField.allCases { note.set(field, to: number(in: 0...5)) }
    return note
  }
}

extension Difference {
  /// A difference in words: nothing is compared.
  static func record(_ kind: String, _ summary: String) -> Difference {
    Difference(kind: kind, summary: summary)
  }

  /// A difference of two things, with the sides that show them.
  ///
  /// The first is `nil` where the law itself says what was expected.
  static func record(
    _ kind: String,
    _ summary: String,
    expected: Any? = nil,
    actual: Any? = nil,
    between expectedSide: String?,
    _ actualSide: String
  ) -> Difference {
    let texts = texts(ofDifferent: expected, actual)
    return Difference(
      kind: kind,
      summary: summary,
      expected: texts.expected,
      actual: texts.actual
    ).between(expectedSide, actualSide)
  }

  /// Where the fields of two records differ first, by all of their bits.
  ///
  /// Keys in their order, so that one pair of records always gives one difference. Of encrypted
  /// fields only that they differ is said: what a server is not to read is not printed.
  static func fields(
    _ kind: String,
    _ summary: String,
    expected: Record,
    actual: Record,
    between expectedSide: String,
    _ actualSide: String
  ) -> Difference? {
    for key in Set(expected.fields.keys).union(actual.fields.keys).sorted()
    where expected[key]?.bits != actual[key]?.bits {
      return .record(
        kind,
        "\(summary): '\(key)'",
        expected: expected[key] ?? "nothing" as Any,
        actual: actual[key] ?? "nothing" as Any,
        between: expectedSide,
        actualSide
      )
    }
    return expected.encryptedFields.mapValues(\.bits) == actual.encryptedFields.mapValues(\.bits)
      ? nil
      : .record(
        kind,
        "\(summary): an encrypted field",
        between: expectedSide,
        actualSide
      )
  }
}

extension RecordValue {
  /// All of its bits as text: laws compare by them, since `==` of values is judged as well.
  ///
  /// Two NaNs, 0.0 and -0.0, and two spellings of one letter differ here as they do in storage.
  var bits: String {
    switch self {
    case .string(let text): return "string \(Array(text.utf8))"
    case .int64(let number): return "int64 \(number)"
    case .double(let number): return "double \(number.bitPattern)"
    case .bytes(let bytes): return "bytes \(Array(bytes))"
    case .timestamp(let date):
      return "timestamp \(date.timeIntervalSinceReferenceDate.bitPattern)"
    case .location(let place):
      return "location \(place.latitude.bitPattern) \(place.longitude.bitPattern)"
    case .reference(let reference):
      return "reference \(reference.recordID) \(reference.action.rawValue)"
    case .asset(let asset): return "asset \(asset.fileURL?.absoluteString ?? "none")"
    case .list(let list):
      let kind = list.kind.map { "\($0)" } ?? "nothing"
      return "list of \(kind) \(list.elements.map(\.bits))"
    }
  }
}
