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
    let base = ForgedChange.base
    return FlawedChange(
      flaw: flaw,
      isForged: isForged,
      way: way,
      base: base.chunk,
      next: ForgedChange(flaw, isForged: isForged, behind: base.chunk).chunk
    )
  }
}

/// A change that is written operation by operation, in the format's only form.
private struct ForgedChange {
  /// An id by its number and its actor; 0 is the root, and the head of a list.
  struct ID: Equatable {
    var counter: UInt64
    var actor: UInt8 = 7
  }

  enum Key {
    case text(String)
    case element(ID)
  }

  struct Op {
    var object = ID(counter: 0)
    var key: Key
    var inserts = false
    /// Source: Specification/Format.md, "Operations".
    var action: UInt64
    /// An int of one byte, 0 to 63; `nil` for null.
    var int: UInt8?
    var predecessors: [ID] = []
  }

  var writer: UInt8 = 8
  var seq: UInt64 = 1
  var startOp: UInt64 = 7
  var time: Int64 = 0
  var dependencies: [[UInt8]] = []
  var ops: [Op] = []

  /// The numbers of actions.
  private static let (makeMap, set, makeList): (UInt64, UInt64, UInt64) = (0, 1, 2)
  private static let (delete, increment, mark): (UInt64, UInt64, UInt64) = (3, 5, 7)
  private static let (head, list, map) = (ID(counter: 0), ID(counter: 1), ID(counter: 5))

  /// The change that makes the document.
  static var base: ForgedChange {
    var ops = [Op(key: .text("l"), action: makeList)]
    for element: UInt8 in 0..<3 {
      let behind = element == 0 ? head : ID(counter: UInt64(element) + 1)
      ops.append(Op(object: list, key: .element(behind), inserts: true, action: set, int: element))
    }
    ops.append(Op(key: .text("m"), action: makeMap))
    ops.append(Op(key: .text("k"), action: set, int: 5))
    return ForgedChange(writer: 7, startOp: 1, ops: ops)
  }

  private init(writer: UInt8, startOp: UInt64, ops: [Op]) {
    (self.writer, self.startOp, self.ops) = (writer, startOp, ops)
  }

  /// The next change.
  init(_ flaw: FlawedChange.Flaw, isForged: Bool, behind base: [UInt8]) {
    dependencies = [ChunkForge.hash(ofChunk: base)]
    let (list, map, second) = (Self.list, Self.map, ID(counter: 3))
    let (set, delete) = (Self.set, Self.delete)
    switch flaw {
    case .keyInList:
      ops = [Op(object: isForged ? list : map, key: .text("x"), action: set, int: 1)]
    case .elementInMap:
      ops = [insertion(in: isForged ? map : list)]
    case .unknownObject:
      ops = [Op(object: isForged ? ID(counter: 6) : map, key: .text("x"), action: set, int: 1)]
    case .unknownElement:
      let element = isForged ? ID(counter: 6) : second
      ops = [put(over: element)]
    case .insertedDeletion:
      ops = [insertion(in: list)]
      if isForged { (ops[0].action, ops[0].int) = (delete, nil) }
    case .insertedIncrement:
      ops = [insertion(in: list)]
      if isForged { ops[0].action = Self.increment }
    case .markOverElement:
      ops = [put(over: second)]
      if isForged { (ops[0].action, ops[0].int) = (Self.mark, nil) }
    case .markAtKey:
      ops = [Op(key: .text("x"), action: isForged ? Self.mark : set)]
    case .deletionOfNothing:
      ops = [Op(key: .text("k"), action: delete)]
      if !isForged { ops[0].predecessors = [ID(counter: 6)] }
    case .foreignPredecessor:
      let key = isForged ? "m" : "k"
      ops = [Op(key: .text(key), action: set, int: 1, predecessors: [ID(counter: 6)])]
    case .startOpTaken:
      (writer, seq, startOp) = (7, 2, isForged ? 6 : 7)
      ops = [Op(key: .text("x"), action: set, int: 1)]
    case .timeTooLate, .timeTooEarly:
      let last: Int64 = 1 << 62 - 1
      let size = isForged ? last + 1 : last
      time = flaw == .timeTooLate ? size : -size
      ops = [Op(key: .text("x"), action: set, int: 1)]
    case .numbersLeftOut:
      // Behind the 6 operations of the document 2^24 numbers may be left out.
      startOp += 1 << 24 + (isForged ? 1 : 0)
      ops = [Op(key: .text("x"), action: set, int: 1)]
    case .deletionsBeyond:
      ops = (isForged ? [3, 4, 5] : [2, 3, 4]).map { deletion(of: ID(counter: $0)) }
    case .deletionsBelow:
      ops = (isForged ? [3, 2, 1] : [4, 3, 2]).map { deletion(of: ID(counter: $0)) }
    case .lastOfMany:
      let made = ID(counter: 7, actor: 8)
      ops = [
        Op(key: .text("n"), action: Self.makeMap),
        Op(object: made, key: .text("x"), action: set, int: 1),
        put(over: second), insertion(in: list),
        Op(key: .text("k"), action: delete, predecessors: [ID(counter: isForged ? 5 : 6)]),
      ]
    case .lastBehindInsertions:
      // Each at the head, and so in front of the one before: no two are a run.
      ops = Array(repeating: insertion(in: list), count: 100)
      ops.append(
        Op(key: .text("k"), action: delete, predecessors: [ID(counter: isForged ? 5 : 6)])
      )
    case .numbersEnd:
      startOp = isForged ? UInt64(UInt32.max) : 7
      ops = ["x", "y"].map { Op(key: .text($0), action: set, int: 1) }
    }
  }

  /// A sound change of the actor 09 beside the next one: an element at the head of the list, whose number the next
  /// change has as well.
  static func neighbour(behind base: [UInt8]) -> ForgedChange {
    var change = ForgedChange(writer: 9, startOp: 7, ops: [])
    change.ops = [change.insertion(in: list)]
    change.dependencies = [ChunkForge.hash(ofChunk: base)]
    return change
  }

  private func insertion(in object: ID) -> Op {
    Op(object: object, key: .element(Self.head), inserts: true, action: Self.set, int: 1)
  }

  private func put(over element: ID) -> Op {
    Op(
      object: Self.list,
      key: .element(element),
      action: Self.set,
      int: 1,
      predecessors: [element]
    )
  }

  private func deletion(of element: ID) -> Op {
    Op(
      object: Self.list,
      key: .element(element),
      action: Self.delete,
      predecessors: [element]
    )
  }

  /// The chunk, with a right checksum.
  ///
  /// Source: Specification/Format.md, "Change chunk", "Operation columns".
  var chunk: [UInt8] {
    let (metadata, data) = ChunkForge.columns(columns)
    let others: [UInt8] = namesOther ? [1, 1, 7] : [0]
    let number = ChunkForge.unsigned
    let content =
      number(UInt64(dependencies.count)) + dependencies.flatMap(\.self) + [1, writer]
      + number(seq) + number(startOp) + ChunkForge.signed(time) + [0] + others
    return ChunkForge.chunk(1, content + metadata + data)
  }

  /// Whether an operation names the actor 07 beside the writer: only then may the change list it.
  private var namesOther: Bool {
    ops.contains { op in
      var ids = [op.object] + op.predecessors
      if case .element(let id) = op.key { ids.append(id) }
      return writer != 7 && ids.contains { $0.counter > 0 && $0.actor == 7 }
    }
  }

  private var columns: [(spec: UInt64, bytes: [UInt8])] {
    // The writer has the index 0.
    func index(_ id: ID) -> UInt64? { id.counter == 0 ? nil : id.actor == writer ? 0 : 1 }
    func number(_ id: ID) -> UInt64? { id.counter == 0 ? nil : id.counter }
    let elements = ops.map { op -> ID? in
      if case .element(let id) = op.key { id } else { nil }
    }
    let texts = ops.map { op -> [UInt8]? in
      if case .text(let text) = op.key { Array(text.utf8) } else { nil }
    }
    let predecessors = ops.flatMap(\.predecessors)
    let columns: [(spec: UInt64, values: StoredRows.Values)] = [
      (0x01, .numbers(ops.map { index($0.object) })),
      (0x02, .numbers(ops.map { number($0.object) })),
      (0x11, .numbers(elements.map { $0.flatMap(index) })),
      (0x13, .sums(elements.map { $0.map { Int64($0.counter) } })),
      (0x15, .texts(texts)),
      (0x34, .flags(ops.map(\.inserts))),
      (0x42, .numbers(ops.map(\.action))),
      // An int of one byte, or null.
      (0x56, .numbers(ops.map { $0.int == nil ? 0 : 0x14 })),
      (0x57, .raw(ops.compactMap(\.int))),
      (0x70, .numbers(ops.map { UInt64($0.predecessors.count) })),
      (0x71, .numbers(predecessors.map(index))),
      (0x73, .sums(predecessors.map { Int64($0.counter) })),
    ]
    return columns.map { ($0.spec, $0.values.bytes) }
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
      let neighbour = ForgedChange.neighbour(behind: sample.base).chunk
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
