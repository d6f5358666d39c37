import CodingSupport
import Foundation
import ModelGeneration
import PropertyEngine

// What becomes of a model's dates: seconds and milliseconds as stored, stability over cycles, a
// peer's finer dates, exact decoding, refusals, and order. Two units are about: a recorded tree
// holds a date in seconds since 2001, as `Date` does; a document holds a timestamp in milliseconds
// since 1970 (`DateFidelity.milliseconds`).

extension CodingLaw {
  /// What becomes of a model's dates.
  static let dateLaws: [CodingLaw] = [
    dateSeconds, dateMilliseconds, dateStable, datePeers, dateExactDecode, dateImpossible,
    dateOrder,
  ]

  private static let dates: LawSource = [.specification(.codable, "Dates"), .decision(8)]

  /// Looks three times: at the document, at what is decoded, and at a second cycle, in which a
  /// rounding that is not idempotent moves the date once more.
  ///
  /// The document is a fresh one: over an old value the rule of a peer's milliseconds would allow
  /// more than one answer.
  private static func truncates(
    _ fidelity: DateFidelity
  )
    -> @Sendable (CodingTrial) throws
    -> Difference?
  {
    { trial in
      var settings = EncodingSettings()
      settings.dateTruncation = fidelity
      let document = try trial.document()
      let tree = trial.sample.values[0]
      try document.encode(try trial.value(), at: [], settings)
      if let found = try trial.difference(document, from: trial.stored(tree, fidelity)) {
        return found
      }
      let decoded = try document.decode(trial.type)
      if let found = try trial.difference(decoded, from: trial.declared(tree, fidelity)) {
        return found
      }
      let before = try Untouched(document)
      guard let value = decoded as? any Encodable else { return nil }
      try document.encode(value, at: [], settings)
      return try before.difference(document, after: "a second cycle")
    }
  }

  /// Ordered models with dates: `Leaves`, `LeafLists`, `Moments` and others.
  private static func dated(_ model: Model) -> Bool {
    ordered(model) && model.traits.contains(.dates)
  }

  /// Catches rounding toward zero, which moves dates before 1970 into the future, and seconds that
  /// are stored where milliseconds are due.
  ///
  /// Worked example: -0.0004 s is stored as -1000 ms. Toward zero it would be 0, later than the
  /// date.
  static let dateSeconds = CodingLaw(
    "date.seconds",
    "Dates are stored in whole seconds.",
    "Dates are stored as milliseconds that hold whole seconds, rounded down, before 1970 too.",
    source: [dates, .issue("automerge-swift", 139)],
    needs: [.documents, .dateTruncation],
    models: dated,
    draw: values(1),
    check: truncates(.seconds)
  )

  /// Catches a detour through seconds, and multiplication before rounding.
  ///
  /// Worked example: an instant at a whole millisecond, which `Date` keeps as seconds since 2001
  /// and so a little below or above it. To cut it loses a millisecond in 0.6 % of the instants
  /// between 2001 and 2033.
  static let dateMilliseconds = CodingLaw(
    "date.milliseconds",
    "With `.milliseconds`, dates keep milliseconds.",
    "With `.milliseconds` dates keep the nearest millisecond, and a second cycle changes none.",
    source: dates,
    needs: [.documents, .dateTruncation],
    models: dated,
    draw: values(1),
    check: truncates(.milliseconds)
  )

  /// Catches re-encoding that rewrites a peer's date although the model shows the same one, and so
  /// makes a change on each save.
  ///
  /// Each timestamp of the document gets a number of milliseconds of its own, 2^32 of them around
  /// 1970: 25 days before and after, so that half of them are negative, where rounding down and
  /// toward zero differ. Both fidelities are asked of one sample.
  static let dateStable = CodingLaw(
    "date.stable",
    "Encoding decoded dates again changes nothing.",
    "A model that was decoded, whatever milliseconds its dates have, adds nothing when encoded.",
    source: dates,
    needs: [.documents, .dateTruncation],
    models: named("SampleNote", "CalendarEntry", "Moments", "LeafLists"),
    draw: { model, sample, choices in
      sample.values = [try model.tree(&choices)]
      let numbers = 1 + choices.number(in: 0...3)
      for _ in 0..<numbers {
        sample.numbers.append(choices.number(in: 0...Int(UInt32.max), bias: .edges))
      }
    },
    check: { trial in
      for fidelity in [DateFidelity.seconds, .milliseconds] {
        let document = try trial.document(holding: 0)
        try Self.scatter(document, trial)
        var settings = EncodingSettings()
        settings.dateTruncation = fidelity
        let before = try Untouched(document)
        guard let value = try document.decode(trial.type) as? any Encodable else { return nil }
        try document.encode(value, at: [], settings)
        let words = "encoding what was decoded, to \(fidelity.rawValue)"
        if let found = try before.difference(document, after: words) { return found }
      }
      return nil
    }
  )

  /// Gives each timestamp milliseconds of its own, as a peer's core call would.
  ///
  /// - Throws: `Skipped` if the document holds no timestamp.
  private static func scatter(_ document: any CodingDocument, _ trial: CodingTrial) throws {
    let tree = try document.tree()
    let paths = tree.paths.filter { tree[$0]?.kind == .timestamp }
    guard !paths.isEmpty else { throw Skipped("there is no date") }
    for (index, path) in paths.enumerated() {
      let number = trial.sample.numbers[index % trial.sample.numbers.count]
      // -2^31: the drawn number is an unsigned one of 32 bits, so the middle is 1970.
      try document.put(.timestamp(Int64(number) - 2_147_483_648), at: path)
    }
  }

  /// Catches a coder that truncates what stands in the document: a peer with finer dates loses them
  /// to one with coarser ones.
  ///
  /// The value's dates are whole seconds once they are stored; up to 999 ms more are the same
  /// second, rounded down.
  ///
  /// Worked example: the document holds 1000 ms. A peer makes it 1999 ms, and the app, whose model
  /// still says 1 s, saves. `peers-milliseconds-lost` writes 1000 again. Timestamps near the end of
  /// 64 bits are left alone.
  ///
  /// Fields are compared with what stands there, elements of lists and sets are searched for: a search that
  /// knows them by their milliseconds deletes the peer's and inserts the app's.
  static let datePeers = CodingLaw(
    "date.keeps-milliseconds",
    "An unchanged second keeps a peer's milliseconds.",
    "A peer's milliseconds stay when a value with the same second is encoded, and when it was decoded from "
      + "them, in fields, lists, dictionaries and sets.",
    source: dates,
    needs: [.documents, .dateTruncation],
    models: named(
      "SampleNote",
      "CalendarEntry",
      "Moments",
      "LeafLists",
      "LeafDictionaries",
      "SetsOfAllKinds"
    ),
    draw: values(1, numbers: 1, upTo: 999)
  ) { trial in
    let document = try trial.document(holding: 0)
    var expected = try document.tree()
    for path in expected.paths {
      guard case .timestamp(let value)? = expected[path] else { continue }
      let (moved, overflow) = value.addingReportingOverflow(
        Int64(trial.sample.index(0, below: 1000))
      )
      guard !overflow else { continue }
      expected = expected.replacing(path, with: .timestamp(moved))
      try document.put(.timestamp(moved), at: path)
    }
    try document.encode(try trial.value())
    if let found = try trial.difference(document, from: expected) { return found }
    guard let value = try document.decode(trial.type) as? any Encodable else { return nil }
    try document.encode(value)
    return try trial.difference(document, from: expected, "encoding what was decoded")
  }

  /// Catches a decoder that rounds what it reads.
  ///
  /// Only encoding may lose something, and only as asked.
  static let dateExactDecode = CodingLaw(
    "date.decodes-exactly",
    "A timestamp decodes to its very millisecond.",
    source: dates,
    needs: [.documents, .dateTruncation],
    models: named("SampleNote"),
    draw: values(1, numbers: 1, upTo: Int(UInt32.max))
  ) { trial in
    let document = try trial.document(holding: 0)
    // A prime step, so that all remainders of 1000 occur: from 1906 to 2039, in steps of 977 ms.
    let milliseconds = Int64(trial.sample.numbers[0]) * 977 - 2_000_000_000_000
    try document.put(.timestamp(milliseconds), at: [.key("created")])
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    let expected = trial.declared(trial.sample.values[0])
      .replacing([.key("created")], with: .date(date.timeIntervalSinceReferenceDate))
    return try trial.difference(try document.decode(trial.type), from: expected)
  }

  /// Catches a conversion that traps, or stores the nearest number that fits.
  ///
  /// A timestamp counts milliseconds in 64 bits, up to about 9.2 * 10^15 seconds; the dates are
  /// beyond that on either side, or no number. Misses those just beyond the edge.
  ///
  /// A number of the sample says which truncation is asked for. The path must be that of the field.
  static let dateImpossible = CodingLaw(
    "date.refuses-impossible",
    "Dates that do not fit are refused.",
    "A date that no timestamp holds is refused as an `EncodingError`, and nothing is written.",
    source: dates,
    needs: [.documents, .dateTruncation],
    models: named("SampleNote"),
    draw: { model, sample, choices in
      let dates: [Double] = [.nan, .infinity, -.infinity, 1e17, -1e17, .greatestFiniteMagnitude]
      let tree = try model.tree(&choices)
      let date = Tree.date(choices.element(of: dates))
      sample.values = [tree, tree.replacing([.key("created")], with: date)]
      sample.numbers = [choices.number(in: 0...1)]
    },
    check: { trial in
      let document = try trial.document(holding: 0)
      let before = try Untouched(document)
      var settings = EncodingSettings()
      settings.dateTruncation = trial.sample.index(0, below: 2) == 0 ? .seconds : .milliseconds
      let outcome = trial.outcome { try document.encode(try trial.value(1), at: [], settings) }
      guard case .failure(let error) = outcome else {
        return Difference(kind: "date.encoded", summary: "an impossible date was encoded")
      }
      return try error.complaint.difference(from: .encoding(path: ["created"]))
        ?? before.difference(document, after: "an encode that threw")
    }
  )

  /// Catches overflow and rounding that changes direction.
  ///
  /// Two dates may become equal.
  ///
  /// Worked example: `early-dates-mirrored` stores -5 s as 5000 ms, after 3 s. No round trip of one
  /// date shows what sorting by a stored timestamp then does. Equal stored dates are in order
  /// whatever the model's were.
  static let dateOrder = CodingLaw(
    "date.ordered",
    "Stored dates keep their order.",
    "Of two dates the earlier one is never stored as the later.",
    source: dates,
    needs: [.documents],
    models: named("SampleNote"),
    draw: values(2)
  ) { trial in
    func encoded(_ index: Int) throws -> (model: Double, stored: Int64) {
      guard case .date(let date)? = trial.sample.values[index].child(.key("created")),
        case .timestamp(let stored)? = try trial.document(holding: index).tree()
          .child(.key("created"))
      else { throw Skipped("there is no date") }
      return (date, stored)
    }
    let (left, right) = (try encoded(0), try encoded(1))
    guard
      (left.model <= right.model) == (left.stored <= right.stored) || left.stored == right.stored
    else {
      return Difference(
        kind: "date.order",
        summary: "two dates changed their order",
        expected: "\(left.model), \(right.model)",
        actual: "\(left.stored), \(right.stored)"
      ).between("the dates of the two values", "the timestamps in their documents")
    }
    return nil
  }
}
