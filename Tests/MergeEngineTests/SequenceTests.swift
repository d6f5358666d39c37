import Testing

@testable import MergeEngine

@Suite("Operations on runs")
struct SequenceTests {
  @Test("Typing lengthens the run before")
  func append() throws {
    let text = try TextUnderTest("abc")
    try text.splice(3, "d")
    #expect(try text.runs() == "[abcd]")
  }

  @Test("A letter of another size or writer is a run of its own")
  func noAppend() throws {
    let text = try TextUnderTest("abc")
    try text.splice(3, "é")
    #expect(try text.runs() == "[abc] [é]")
    let other = text.fork(actor: 2)
    try other.splice(4, "d")
    #expect(try other.runs() == "[abc] [é] [d]")
  }

  @Test("An insertion at a run's edge goes between runs")
  func insertBetween() throws {
    let text = try TextUnderTest("abc")
    try text.splice(0, "x")
    #expect(try text.runs() == "[x] [abc]")
    try text.splice(1, "y")
    #expect(try text.runs() == "[xy] [abc]")
  }

  @Test("An insertion within a run cuts it")
  func insertSplitting() throws {
    let text = try TextUnderTest("abc")
    try text.splice(2, "x")
    #expect(try text.runs() == "[ab] [x] [c]")
  }

  @Test("Runs behind a gap move up, in order and with their units")
  func openSlots() throws {
    let text = try TextUnderTest("ab\u{E9}c", unit: .utf8)
    #expect(try text.runs() == "[ab] [\u{E9}] [c]")
    #expect(try text.widths() == [2, 2, 1])
    // Two slots, within a run.
    try text.splice(1, "\u{20AC}")
    #expect(try text.runs() == "[a] [\u{20AC}] [b] [\u{E9}] [c]")
    #expect(try text.widths() == [1, 3, 1, 2, 1])
    // One slot, at the head.
    try text.splice(0, "\u{FC}")
    #expect(try text.runs() == "[\u{FC}] [a] [\u{20AC}] [b] [\u{E9}] [c]")
    #expect(try text.widths() == [2, 1, 3, 1, 2, 1])
  }

  @Test("A cut divides the units, and every part keeps its ids, references and values")
  func cut() throws {
    let text = try TextUnderTest("\u{E9}\u{E8}\u{EA}\u{EB}\u{FC}", unit: .utf8)
    var core = text.document.core.copy()
    let leaf = core.objects[try core.resolve(text.text)].firstLeaf
    let whole = core.runs[core.at(leaf, 0)]
    #expect(whole.count == 5)
    let middle = ElementPlace(RunPlace(leaf: leaf, slot: 0), offset: 2)
    let place = core.isolate(middle, count: 2)
    #expect(place == RunPlace(leaf: leaf, slot: 1))

    let parts = core.slots(of: leaf).map { core.runs[core.at(leaf, $0)] }
    #expect(parts.map(\.count) == [2, 2, 1])
    let elements = parts.flatMap { part in (0..<part.count).map { (part, $0) } }
    for (offset, (part, place)) in elements.enumerated() {
      let offset = UInt32(offset)
      #expect(part.id(of: place) == whole.id(of: offset))
      #expect(part.reference(of: place) == whole.reference(of: offset))
      #expect(part.value(of: place) == whole.value(of: offset))
    }
    let widths = core.slots(of: leaf).map { core.widths[core.at(leaf, $0)] }
    #expect(widths == [4, 4, 2])
    try core.checkInvariants()
  }

  @Test("The delete key lengthens the tombstone before")
  func hideJoinsTail() throws {
    let text = try TextUnderTest("abcde")
    try text.splice(0, delete: 1)
    #expect(try text.runs() == "[-] [bcde]")
    try text.splice(0, delete: 2)
    #expect(try text.runs() == "[---] [de]")
  }

  @Test("The backspace key lengthens the tombstone behind, at its front")
  func hideJoinsHead() throws {
    let text = try TextUnderTest("abcde")
    try text.splice(4, delete: 1)
    try text.splice(3, delete: 1)
    try text.splice(2, delete: 1)
    #expect(try text.runs() == "[ab] [---]")
    let loaded = try MergeDocument(loading: text.document.save(), actor: actor(2))
    #expect(try picture(loaded, text.text) == "[ab] [---]")
  }

  @Test("Backspace and delete at one place are two tombstones")
  func hideBothWays() throws {
    let text = try TextUnderTest("abcdef")
    try text.splice(3, delete: 1)
    try text.splice(2, delete: 1)
    #expect(try text.runs() == "[ab] [--] [ef]")
    try text.splice(2, delete: 1)
    #expect(try text.runs() == "[ab] [--] [-] [f]")
  }

  @Test("A deletion within a run isolates its elements")
  func isolate() throws {
    let text = try TextUnderTest("abcde")
    try text.splice(2, delete: 2)
    #expect(try text.runs() == "[ab] [--] [e]")
    try text.splice(0, delete: 2)
    #expect(try text.runs() == "[--] [--] [e]")
  }

  @Test("Rollback takes elements out, and shows what was deleted")
  func removeElement() throws {
    let text = try TextUnderTest("abcde")
    try text.splice(5, "fg")
    try text.splice(2, "xyz")
    try text.splice(0, delete: 1)
    #expect(try text.runs() == "[-] [b] [xyz] [cdefg]")
    text.document.rollback()
    #expect(try text.document.text(text.text) == "abcde")
    // The cuts stay; every element of the transaction is gone.
    #expect(try text.runs() == "[a] [b] [cde]")
  }

  @Test("A second value makes an element complex, and a deletion leaves it without one")
  func makeComplex() throws {
    let document = MergeDocument(actor: actor(1))
    let list = try document.putObject(.root, .key("l"), .list)
    try document.splice(list, at: 0, delete: 0, insert: [.int(1), .int(2), .int(3)])
    try document.put(list, .index(1), .int(7))
    #expect(try picture(document, list) == "[1] {7} [3]")
    try document.delete(list, .index(1))
    #expect(try picture(document, list) == "[1] {} [3]")
    try document.core.checkInvariants()
  }

  @Test("Two deletions of one element, met by a merge, make it complex")
  func deletedTwice() throws {
    let left = try TextUnderTest("abc")
    let right = left.fork(actor: 2)
    try left.splice(1, delete: 1)
    try right.splice(1, delete: 1)
    try left.document.merge(right.document)
    #expect(try left.runs() == "[a] {} [c]")
  }

  @Test("An insertion passes siblings with greater ids, and no others")
  func insertionPoint() throws {
    let base = try TextUnderTest("a")
    let writers = (2...4).map { base.fork(actor: UInt8($0)) }
    for (writer, letter) in zip(writers, ["b", "c", "d"]) { try writer.splice(1, letter) }
    // Whatever the order of arrival: counters are equal, so the greater actor comes first.
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
      let reader = base.fork(actor: 9)
      for place in order { try reader.document.merge(writers[place].document) }
      #expect(try reader.runs() == "[a] [d] [c] [b]")
    }
  }

  @Test("Runs continue each other in every column or not at all")
  func continues() {
    let before = ElementRun(
      counter: 7,
      count: 3,
      reference: 4,
      value: 100,
      meta: ValueMeta(TypeCode.string, byteCount: 2),
      actor: 1,
      referenceActor: 0,
      action: .set,
      flags: .plain
    )
    var next = before
    next.counter = 10
    next.reference = 9
    next.referenceActor = 1
    next.value = 106
    #expect(next.continues(before))
    let breaks: [(inout ElementRun) -> Void] = [
      { $0.counter += 1 }, { $0.actor = 2 }, { $0.reference = 8 }, { $0.referenceActor = 0 },
      { $0.value += 1 }, { $0.meta = ValueMeta(TypeCode.string, byteCount: 3) },
      { $0.action = .makeMap },
      { $0.flags = [] },
    ]
    for change in breaks {
      var other = next
      change(&other)
      #expect(!other.continues(before))
    }
    // Deletions are no part of it: tombstones and visible runs ask for theirs besides.
    next.setDirection(.ascending)
    #expect(next.continues(before))
  }

  @Test("Logged operations join where a rule makes the next of the last")
  func opRunsJoin() {
    var typed = OpRun(
      objectCounter: 1,
      objectActor: 0,
      actor: 0,
      counter: 2,
      count: 3,
      key: .none,
      action: .set,
      flags: .insert,
      meta: ValueMeta(TypeCode.string, byteCount: 1),
      value: 10
    )
    var next = typed
    next.counter = 5
    next.count = 1
    next.elementCounter = 4
    next.value = 13
    let first = typed.join(next)
    #expect(first)
    #expect(typed.count == 4)
    next.elementCounter = 4
    let second = typed.join(next)
    #expect(!second)

    var deleted = OpRun(
      objectCounter: 1,
      objectActor: 0,
      actor: 0,
      counter: 9,
      key: .none,
      elementCounter: 5,
      action: .delete,
      flags: .plainDelete
    )
    var earlier = deleted
    earlier.counter = 10
    earlier.elementCounter = 4
    let third = deleted.join(earlier)
    #expect(third)
    #expect(deleted.step == -1)
    var later = earlier
    later.counter = 11
    later.elementCounter = 5
    let fourth = deleted.join(later)
    #expect(!fourth)
    #expect(deleted.element(of: 1) == PackedID(4, 0))
  }
}
