// Bombs: short inputs that claim much. `Bomb` is a sample, `BombLaws` has one law for each kind of
// claim, and `Bombs.swift` makes the bytes. All laws share one check, `law(...)` at the end: it
// counts steps.
//
//     kind                 bytes                          what grows
//     deflate              13 bits for 258 bytes          inflated bytes
//     rows, changes        constant                       rows claimed by a run
//     links                constant                       successors claimed by a run
//     nesting              1 to 3 for each level          depth
//     quadratic-register   constant                       rows that are there, and the search among them
//     quadratic-waiting    a chunk for each               the queue of waiting changes
//     quadratic-actors     4 for each                     the table of actors
//     many-chunks          a chunk for each               rows claimed by each
//     many-writers         a chunk for each               rows claimed by each
//     long-list            constant                       elements that are there: no bomb, and to be taken
//
// What goes off only when it is read or edited stands in `BombLaws+Taken.swift`.

import DocumentModel
package import PropertyEngine
import Texts

/// A small input that claims much: one way of doing so, and how much.
package struct Bomb: Sendable, CustomStringConvertible {
  package let kind: String
  /// How much is claimed: entries, bytes or levels.
  ///
  /// The bombs' maker decides what it counts: for deflated bytes matches of 258 bytes each.
  package let size: Int
  /// The first is loaded, the others are taken into what it made; each has a limit of its own.
  package let parts: [[UInt8]]

  package var description: String {
    let byteCount = parts.reduce(0) { $0 + $1.count }
    return
      "\(kind) of \(size): \(counted(byteCount, "byte")) in \(counted(parts.count, "part"))"
  }

  /// Bombs of one kind whose size is a power of two from `low` on, times one to two.
  ///
  /// A size is drawn by its power of two, so that small ones are as likely as great ones, and the
  /// smallest that breaks the law is found.
  static func samples(
    _ kind: String,
    _ exponents: ClosedRange<Int>,
    _ make: @escaping @Sendable (Int) -> [[UInt8]]
  ) -> Generator<Bomb> {
    Generator { choices in
      // Eight sizes in each octave: 8, 9, ..., 15 eighths of the power. The greatest is below `2 <<
      // exponents.upperBound`, which is the bound of the stored form.
      let power = 1 << choices.number(in: exponents)
      let size = power + power / 8 * choices.index(below: 8)
      return Bomb(kind: kind, size: size, parts: make(size))
    }
  }

  /// What is wrong where so much work was done for what the bomb claims.
  func growth(to work: Int, stepsForEach: Int) -> Difference {
    Difference(
      kind: "growth",
      summary: "each of \(size) \(kind) costs more, the more there are",
      expected: "at most \(stepsForEach) steps for each",
      actual: "\(work / size) steps for each"
    )
  }
}

/// What a small input may cost: each known way to make it cost much has a law.
///
/// Work is counted in the subject's own steps (``StoredReplica/load(_:actor:work:)``), not in time,
/// so that a verdict is the same on every machine. So a subject that does not count what it does is
/// not caught; a trap or a run that does not end is.
///
/// The engine is given 2^26 steps for input of any size (`EngineReplica+Stored.swift`), so that no
/// small bomb breaks it. Exponents end at 13 to 16 where the bytes grow with the claim, at 20 where
/// runs of one or two changes make rows, and at 40 or 60 where no reader gets through by counting.
package enum BombLaws<R: StoredReplica> {
  package static var all: [Law<Bomb>] {
    [
      deflate, deflatedChange, rows, changes, quadraticHeads, links, nesting,
      quadraticRegister, quadraticSuccessors, quadraticWaiting, quadraticActors, manyChunks,
      manyWriters,
    ]
  }

  /// A few bytes of DEFLATE can say gigabytes.
  ///
  /// Catches a reader that inflates before it asks how much it may.
  private static var deflate: Law<Bomb> {
    law(
      "bomb.deflate",
      title: "Deflated columns cost bounded work.",
      "A deflated column costs at most the stated work for its bytes, at any inflated size.",
      claiming: "a deflated column",
      exponents: 4...15
    ) { [Bombs.deflatedColumn($0)] }
  }

  /// As ``deflate``, in the other place that can be deflated, which is often read by code of its own.
  private static var deflatedChange: Law<Bomb> {
    law(
      "bomb.deflated-change",
      title: "Deflated changes cost bounded work.",
      "A deflated change costs at most the stated work for its bytes, at any inflated size.",
      claiming: "a deflated change",
      exponents: 4...15
    ) { [Bombs.deflatedChange($0)] }
  }

  /// One run says how many rows there are.
  ///
  /// Catches a loop over rows that no bytes bear out, and an array made for them in advance. All
  /// claim one key, so that not even the keys differ.
  private static var rows: Law<Bomb> {
    law(
      "bomb.rows",
      title: "Runs of rows cost bounded work.",
      "Runs of rows in a document's columns cost at most the stated work for its bytes.",
      claiming: "rows",
      exponents: 4...40
    ) { [Bombs.rows($0)] }
  }

  /// As ``rows``, for changes, each with a hash to compute.
  private static var changes: Law<Bomb> {
    law(
      "bomb.changes",
      title: "Runs of changes cost bounded work.",
      "Runs of changes in a document's columns cost at most the stated work for its bytes.",
      claiming: "changes",
      exponents: 4...40
    ) { [Bombs.changes($0, isJoined: false)] }
  }

  /// Catches heads kept in a list that is searched for each change.
  private static var quadraticHeads: Law<Bomb> {
    law(
      "bomb.quadratic-heads",
      title: "A change on many heads costs bounded work.",
      "A change on very many heads costs at most the stated work for its bytes.",
      claiming: "heads",
      exponents: 4...40
    ) { [Bombs.changes($0, isJoined: true)] }
  }

  /// Catches successors read into memory before their columns are asked whether they are there.
  private static var links: Law<Bomb> {
    law(
      "bomb.links",
      title: "A row with many successors costs bounded work.",
      "A row with very many successors costs at most the stated work for its bytes.",
      claiming: "successors",
      exponents: 4...60
    ) { [Bombs.successors($0)] }
  }

  /// Catches a reader that calls itself for each level.
  ///
  /// A stack that overflows ends the process, which counts as found.
  private static var nesting: Law<Bomb> {
    law(
      "bomb.nesting",
      title: "Nested objects need no deep stack.",
      "Objects in objects are read without a stack that grows with them.",
      claiming: "levels",
      exponents: 4...15
    ) { [Bombs.nested($0)] }
  }

  /// Catches rows of a register, or the visible ones among them, that are searched from an end.
  ///
  /// Work is bounded by size here, and not by bytes alone: the second part is long enough to pay
  /// for much.
  private static var quadraticRegister: Law<Bomb> {
    law(
      "bomb.quadratic-register",
      title: "Puts in a long conflict cost bounded work.",
      "Puts that each overwrite the middle of a long conflict, or come before all of it, cost at most the stated work "
        + "each.",
      claiming: "conflicting puts",
      exponents: 4...20,
      stepsForEach: 1_024
    ) { Bombs.register($0) + Bombs.conflict($0) }
  }

  /// Catches successors that are kept in order by walking from an end: each of these belongs in
  /// front of all others.
  private static var quadraticSuccessors: Law<Bomb> {
    law(
      "bomb.quadratic-successors",
      title: "Deletions in reverse order cost bounded work.",
      "Deletions that each come before all known ones cost at most the stated work.",
      claiming: "deletions",
      exponents: 4...20
    ) { Bombs.deletions($0) }
  }

  /// Catches a queue that is searched again for each change that enters it.
  private static var quadraticWaiting: Law<Bomb> {
    law(
      "bomb.quadratic-waiting",
      title: "Waiting changes cost bounded work.",
      "Changes that all wait for another one cost at most the stated work.",
      claiming: "waiting changes",
      exponents: 4...13
    ) { Bombs.waiting($0) }
  }

  /// Catches a sorted table of actors in which each new one moves all others.
  private static var quadraticActors: Law<Bomb> {
    law(
      "bomb.quadratic-actors",
      title: "Many actors cost bounded work.",
      "A growing number of actors costs at most the stated work.",
      claiming: "actors",
      // Some have more than a document can number, which is 65,535.
      exponents: 4...16
    ) { [Bombs.actors($0)] }
  }

  /// Catches limits that are counted for each chunk by itself: ten chunks of a file then cost ten
  /// times what it may.
  private static var manyChunks: Law<Bomb> {
    law(
      "bomb.many-chunks",
      title: "Many small chunks cost bounded work.",
      "Many small chunks in one file together cost at most the stated work for its bytes.",
      claiming: "chunks",
      exponents: 2...4
    ) { size in
      // Each is one that would be taken by itself.
      [Array(repeating: Forgery.list(ofNulls: 1 << 20), count: size).flatMap(\.self)]
    }
  }

  /// Catches a budget that a change may pass before it is asked again: here each takes more than half of it, and is
  /// the first of its writer, so that none is known already.
  private static var manyWriters: Law<Bomb> {
    law(
      "bomb.many-writers",
      title: "Large changes of many writers cost bounded work.",
      "Changes of very many rows in few bytes, each of another writer, together cost at most the stated work.",
      claiming: "writers",
      exponents: 2...4
    ) { Bombs.deletions(1 << 20, by: $0) }
  }

  /// The other side of all these limits, and no bomb, which is why it is not among ``all``: what costs little is not refused for being long.
  ///
  /// Catches elements that are read one by one although they go on alike, and a document that is empty and takes a
  /// file as changes: a change in as few bytes may have fewer rows than a file.
  package static var longLists: Law<Bomb> {
    let make: @Sendable (Int) -> [[UInt8]] = { [Forgery.typedList(ofNulls: $0)] }
    // The greatest have less than 2^22 elements, which is how many of no bytes a document takes by default.
    let exponents = 19...21
    return Law(
      "bomb.long-list",
      "A long list in few bytes is taken.",
      "A file of a list of up to four million elements that go on alike, in a hundred bytes, is loaded, and is taken by an empty "
        + "document; with all elements deleted it is forked, merged and sent as its changes.",
      source: .specification(.format, "Errors and limits", "Loading into a document"),
      form: .bomb("elements", sizes: 1...(2 << exponents.upperBound), make),
      forAll: Bomb.samples("elements", exponents, make)
    ) { bomb in
      var document = R(actor: DamageLaws<R>.reader)
      do {
        for part in bomb.parts {
          var work = 0
          var loaded = try R.load(part, actor: DamageLaws<R>.reader, work: &work)
          try document.take(part, work: &work)
          guard document.heads() == loaded.heads() else {
            return Difference(
              kind: "heads",
              summary: "an empty document takes a file as another than is loaded"
            )
          }
          // A change is read row by row: the greatest would take long.
          guard bomb.size <= 3 << 19 else { continue }
          if let difference = try loaded.notPassedOn(elements: bomb.size) { return difference }
        }
      } catch {
        return Difference(
          kind: "refused",
          summary: "a list of \(bomb.size) elements in few bytes is refused: \(error)"
        )
      }
      return nil
    }
  }

  /// The parts are taken one after the other; each may cost what its bytes allow, and `stepsForEach` of
  /// what it claims.
  ///
  /// A part may be refused: what it cost until then is judged all the same. A first part that is
  /// refused ends the case, since there is nothing to take the others into.
  ///
  /// `stepsForEach` is there because the limit for bytes alone hides growth: the bytes stay the
  /// same while the claim doubles, and the square of a few thousand stays below the part of the
  /// limit that depends on no bytes.
  private static func law(
    _ name: String,
    title: String,
    _ sentence: String,
    claiming kind: String,
    exponents: ClosedRange<Int>,
    stepsForEach: Int? = nil,
    _ make: @escaping @Sendable (Int) -> [[UInt8]]
  ) -> Law<Bomb> {
    Law(
      name,
      title,
      sentence,
      source: .specification(.format, "Errors and limits"),
      form: .bomb(kind, sizes: 1...(2 << exponents.upperBound), make),
      forAll: Bomb.samples(kind, exponents, make)
    ) { bomb in
      var document = R(actor: DamageLaws<R>.reader)
      for (index, part) in bomb.parts.enumerated() {
        var work = 0
        if index == 0 {
          guard let first = try? R.load(part, actor: DamageLaws<R>.reader, work: &work) else {
            return DamageLaws<R>.excess(work, byteCount: part.count)
          }
          document = first
        } else {
          _ = try? document.take(part, work: &work)
        }
        if let excess = DamageLaws<R>.excess(work, byteCount: part.count) { return excess }
        if let stepsForEach, work > stepsForEach * bomb.size {
          return bomb.growth(to: work, stepsForEach: stepsForEach)
        }
      }
      // What was taken must still answer.
      _ = document.heads()
      return nil
    }
  }
}
