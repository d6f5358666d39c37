// A law on changes that are wrong in one thing which only the document tells: what they name, or when they were made.
// `ForgeryLaws.swift` has files that are wrong by themselves.
//
// The document is one change of the actor 07, and what is flawed is the next change, of the actor 08 unless said
// otherwise:
//
//     1@7                   a list at the key "l" of the root
//     2@7, 3@7, 4@7         its elements, each behind the one before
//     5@7                   a map at the key "m"
//     6@7                   the int 5 at the key "k"
//     7@8, or further       the next change
//
// Each flaw has a sound twin, made by the same code: without twins a reader that refuses everything would hold.

import DocumentModel
package import PropertyEngine
import Texts

/// A change behind a small document, wrong in one thing; or its sound twin.
package struct FlawedChange: Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Flaw: String, Sendable, CaseIterable {
    /// Taken in, the key belongs to a list, which shows none.
    case keyInList = "a key in a list"
    /// Taken in, a map has elements.
    case elementInMap = "an element in a map"
    case unknownObject = "an object that nothing made"
    case unknownElement = "an element that the list lacks"
    /// Taken in, the saved document has a row that no load takes.
    case insertedDeletion = "a deletion that is inserted"
    case insertedIncrement = "an increment that is inserted"
    case markOverElement = "a mark that overwrites an element"
    case markAtKey = "a mark at a key"
    case deletionOfNothing = "a deletion that names nothing"
    case foreignPredecessor = "a predecessor at another key"
    /// Taken in, two operations have one id.
    case startOpTaken = "a first operation that its actor has already"
    /// Taken in, the difference of two times leaves 64 bits, and the saved document loads nowhere.
    case timeTooLate = "a time beyond 2^62"
    case timeTooEarly = "a time below -2^62"
    /// Taken in, a few such changes leave no number for later operations.
    case numbersLeftOut = "a first operation far beyond those it builds on"
    /// Elements of a run are deleted before the one that is not there: they must come back.
    case deletionsBeyond = "deletions that go beyond the list's elements"
    case deletionsBelow = "deletions that go below the list's elements"
    /// An object is made and written into before the operation that is wrong: neither may stay.
    case lastOfMany = "the last of several operations"
    /// Elements that filled several pages of a list go: what comes later finds its place among empty pages.
    case lastBehindInsertions = "the last operation behind a hundred insertions"
    /// Where the change waits, the rows are read before it is known how many numbers it leaves out.
    case numbersEnd = "an operation behind the last number of all"
    /// Taken in, the saved document loads nowhere.
    case dependencyTwice = "a dependency that is named twice"
  }

  /// How the change comes.
  package enum Way: String, Sendable, CaseIterable {
    /// In one file with what it depends on.
    case together
    /// To a document that has what it depends on.
    case behind
    /// Before what it depends on, for which it waits.
    case ahead
  }

  package let flaw: Flaw
  package let isForged: Bool
  package let way: Way
  /// The change that makes the document.
  package let base: [UInt8]
  /// The change behind it.
  package let next: [UInt8]

  package var description: String {
    "\(isForged ? flaw.rawValue : "nothing wrong"), \(way.rawValue), \(next.count) bytes"
  }

  package static let samples = Generator<FlawedChange> { choices in
    let flaw = choices.element(of: Flaw.allCases)
    // One twin of each kind is worth as much as another; flaws are many.
    let isForged = choices.flag(percent: 75)
    let way = choices.element(of: Way.allCases)
    let base = StoryChange.base
    return FlawedChange(
      flaw: flaw,
      isForged: isForged,
      way: way,
      base: base.chunk,
      next: StoryChange(flaw, isForged: isForged, behind: base.chunk).chunk
    )
  }
}

/// The change that makes the document, the next one, or another beside it.
private struct StoryChange {
  typealias ID = ForgedRow.ID

  var writer: UInt8 = 8
  var seq = 1
  var startOp: UInt64 = 7
  var time: Int64 = 0
  var dependencies: [[UInt8]] = []
  var rows: [ForgedRow] = []

  /// The numbers of actions.
  private static let (makeMap, set, makeList): (UInt64, UInt64, UInt64) = (0, 1, 2)
  private static let (delete, increment, mark): (UInt64, UInt64, UInt64) = (3, 5, 7)
  private static let (list, map) = (ID(1, 7), ID(5, 7))

  /// The change that makes the document.
  static var base: StoryChange {
    var rows = [ForgedRow(place: .key("l"), action: makeList)]
    for element: UInt8 in 0..<3 {
      let place: ForgedRow.Place =
        element == 0 ? .head : .element(ID(UInt64(element) + 1, 7))
      rows.append(ForgedRow(object: list, place: place, inserts: true, action: set, int: element))
    }
    rows.append(ForgedRow(place: .key("m"), action: makeMap))
    rows.append(ForgedRow(place: .key("k"), action: set, int: 5))
    return StoryChange(writer: 7, startOp: 1, rows: rows)
  }

  private init(writer: UInt8, startOp: UInt64, rows: [ForgedRow]) {
    (self.writer, self.startOp, self.rows) = (writer, startOp, rows)
  }

  /// The next change.
  init(_ flaw: FlawedChange.Flaw, isForged: Bool, behind base: [UInt8]) {
    dependencies = [ChunkForge.hash(ofChunk: base)]
    let (list, map, second) = (Self.list, Self.map, ID(3, 7))
    let (set, delete) = (Self.set, Self.delete)
    switch flaw {
    case .keyInList:
      rows = [ForgedRow(object: isForged ? list : map, place: .key("x"), action: set, int: 1)]
    case .elementInMap:
      rows = [insertion(in: isForged ? map : list)]
    case .unknownObject:
      rows = [ForgedRow(object: isForged ? ID(6, 7) : map, place: .key("x"), action: set, int: 1)]
    case .unknownElement:
      let element = isForged ? ID(6, 7) : second
      rows = [put(over: element)]
    case .insertedDeletion:
      rows = [insertion(in: list)]
      if isForged { (rows[0].action, rows[0].int) = (delete, nil) }
    case .insertedIncrement:
      rows = [insertion(in: list)]
      if isForged { rows[0].action = Self.increment }
    case .markOverElement:
      rows = [put(over: second)]
      if isForged { (rows[0].action, rows[0].int) = (Self.mark, nil) }
    case .markAtKey:
      rows = [ForgedRow(place: .key("x"), action: isForged ? Self.mark : set)]
    case .deletionOfNothing:
      rows = [ForgedRow(place: .key("k"), action: delete)]
      if !isForged { rows[0].predecessors = [ID(6, 7)] }
    case .foreignPredecessor:
      let key = isForged ? "m" : "k"
      rows = [ForgedRow(place: .key(key), action: set, int: 1, predecessors: [ID(6, 7)])]
    case .startOpTaken:
      (writer, seq, startOp) = (7, 2, isForged ? 6 : 7)
      rows = [ForgedRow(place: .key("x"), action: set, int: 1)]
    case .timeTooLate, .timeTooEarly:
      let last: Int64 = 1 << 62 - 1
      let size = isForged ? last + 1 : last
      time = flaw == .timeTooLate ? size : -size
      rows = [ForgedRow(place: .key("x"), action: set, int: 1)]
    case .numbersLeftOut:
      // Behind the 6 operations of the document 2^24 numbers may be left out.
      startOp += 1 << 24 + (isForged ? 1 : 0)
      rows = [ForgedRow(place: .key("x"), action: set, int: 1)]
    case .deletionsBeyond:
      rows = (isForged ? [3, 4, 5] : [2, 3, 4]).map { deletion(of: ID($0, 7)) }
    case .deletionsBelow:
      rows = (isForged ? [3, 2, 1] : [4, 3, 2]).map { deletion(of: ID($0, 7)) }
    case .lastOfMany:
      let made = ID(7, 8)
      rows = [
        ForgedRow(place: .key("n"), action: Self.makeMap),
        ForgedRow(object: made, place: .key("x"), action: set, int: 1),
        put(over: second), insertion(in: list),
        ForgedRow(place: .key("k"), action: delete, predecessors: [ID(isForged ? 5 : 6, 7)]),
      ]
    case .lastBehindInsertions:
      // Each at the head, and so in front of the one before: no two are a run.
      rows = Array(repeating: insertion(in: list), count: 100)
      rows.append(
        ForgedRow(place: .key("k"), action: delete, predecessors: [ID(isForged ? 5 : 6, 7)])
      )
    case .numbersEnd:
      startOp = isForged ? UInt64(UInt32.max) : 7
      rows = ["x", "y"].map { ForgedRow(place: .key($0), action: set, int: 1) }
    case .dependencyTwice:
      if isForged { dependencies += dependencies }
      rows = [ForgedRow(place: .key("x"), action: set, int: 1)]
    }
  }

  /// A sound change of the actor 09 beside the next one: an element at the head of the list, whose number the next
  /// change has as well.
  static func neighbour(behind base: [UInt8]) -> StoryChange {
    var change = StoryChange(writer: 9, startOp: 7, rows: [])
    change.rows = [change.insertion(in: list)]
    change.dependencies = [ChunkForge.hash(ofChunk: base)]
    return change
  }

  private func insertion(in object: ID) -> ForgedRow {
    ForgedRow(object: object, place: .head, inserts: true, action: Self.set, int: 1)
  }

  private func put(over element: ID) -> ForgedRow {
    ForgedRow(
      object: Self.list,
      place: .element(element),
      action: Self.set,
      int: 1,
      predecessors: [element]
    )
  }

  private func deletion(of element: ID) -> ForgedRow {
    ForgedRow(
      object: Self.list,
      place: .element(element),
      action: Self.delete,
      predecessors: [element]
    )
  }

  /// The chunk, with a right checksum.
  var chunk: [UInt8] {
    ForgedChange(
      writer: writer,
      seq: seq,
      startOp: startOp,
      time: time,
      rows: rows,
      dependencies: dependencies.map { (0, $0) }
    ).chunk
  }
}

/// What a change may not leave behind that the document does not admit.
package enum FlawedChangeLaws<R: StoredReplica> {
  /// Catches a check of what a change names, or of its numbers, that is left out; an operation that stays when a
  /// later one of its change is refused; and a place among what was taken back that a later change is put at.
  package static var leavesNothing: Law<FlawedChange> {
    Law(
      "forgery.change-leaves-nothing",
      "A change with one flaw leaves nothing.",
      "A change that does not fit the document it builds on is refused, and nothing of it stays, whether it comes with "
        + "what it depends on, behind it or ahead of it, and the next change is taken in as without it. Without its "
        + "flaw it is taken in.",
      source: .specification(.format, "Applying changes", "Operations"),
      form: .flawedChange,
      forAll: FlawedChange.samples
    ) { sample in
      switch sample.way {
      case .together: try together(sample)
      case .behind: try behind(sample)
      case .ahead: try ahead(sample)
      }
    }
  }

  private static func together(_ sample: FlawedChange) throws -> Difference? {
    var document: R
    do { document = try load(sample.base + sample.next) } catch {
      return sample.isForged ? nil : refused(error)
    }
    return try sample.isForged ? accepted(sample) : DamageLaws<R>.soundness(of: &document)
  }

  private static func behind(_ sample: FlawedChange) throws -> Difference? {
    var document = try load(sample.base)
    let before = document.save(compressed: false)
    let shown = try document.shown()
    var work = 0
    do {
      try document.take(sample.next, work: &work)
      if sample.isForged { return accepted(sample) }
    } catch {
      guard sample.isForged else { return refused(error) }
      let after = document.save(compressed: false)
      if let difference = byteDifference(after, before, "a refused change left a trace") {
        return difference
      }
      if let difference = try document.shown().difference(from: shown) { return difference }
      let neighbour = StoryChange.neighbour(behind: sample.base).chunk
      do { try document.take(neighbour, work: &work) } catch {
        return keptOut("a good change is refused behind one that was refused: \(error)")
      }
      var due = try load(sample.base + neighbour)
      if let difference = try document.departure(from: &due) { return difference }
    }
    return try DamageLaws<R>.soundness(of: &document)
  }

  /// A forged change may be refused at once, or wait and be dropped.
  private static func ahead(_ sample: FlawedChange) throws -> Difference? {
    var document = R(actor: DamageLaws<R>.reader)
    var work = 0
    do { try document.take(sample.next, work: &work) } catch {
      guard sample.isForged else { return refused(error) }
    }
    do { try document.take(sample.base, work: &work) } catch {
      return keptOut("a good change is refused beside one that waits for it: \(error)")
    }
    var due = try load(sample.isForged ? sample.base : sample.base + sample.next)
    return try document.departure(from: &due) ?? DamageLaws<R>.soundness(of: &document)
  }

  private static func load(_ bytes: [UInt8]) throws -> R {
    var work = 0
    return try R.load(bytes, actor: DamageLaws<R>.reader, work: &work)
  }

  private static func accepted(_ sample: FlawedChange) -> Difference {
    Difference(kind: "accepted", summary: "taken in: \(sample.flaw.rawValue)")
  }

  private static func keptOut(_ summary: String) -> Difference {
    Difference(kind: "kept out", summary: summary)
  }

  private static func refused(_ error: any Error) -> Difference {
    Difference(kind: "refused", summary: "the sound twin is refused: \(error)")
  }
}

extension SampleForm<FlawedChange> {
  /// What is wrong, whether it is, how it comes, and the bytes of both changes.
  fileprivate static let flawedChange = SampleForm(
    name: FormName("flawed change", version: 1),
    plural: "flawed changes",
    render: { sample in
      """
      about: \(sample.flaw.rawValue)
      forged: \(sample.isForged ? "yes" : "no")
      way: \(sample.way.rawValue)
      base: \(hexString(sample.base))
      next: \(hexString(sample.next))

      """
    },
    parse: { text in
      let labels = ["about: ", "forged: ", "way: ", "base: ", "next: "]
      let lines = text.split(separator: "\n")
      let values = zip(lines, labels).filter { $0.hasPrefix($1) }
        .map { String($0.dropFirst($1.count)) }
      guard lines.count == 5, values.count == 5,
        let flaw = FlawedChange.Flaw(rawValue: values[0]), ["yes", "no"].contains(values[1]),
        let way = FlawedChange.Way(rawValue: values[2]), let base = hexBytes(values[3]),
        let next = hexBytes(values[4])
      else {
        throw UnreadableSample(form: FormName("flawed change", version: 1), expected: "five lines")
      }
      return FlawedChange(
        flaw: flaw,
        isForged: values[1] == "yes",
        way: way,
        base: base,
        next: next
      )
    },
    size: { $0.next.count },
    measure: { counted($0.next.count, "byte") }
  )
}
