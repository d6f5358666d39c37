// A sample for laws of many writers: `ChangeGraph` is numbers, `make` turns them into changes, and
// `ChangeGraphLaws.swift` brings these to a document. Read `make` first.
//
// Worked example: the line `change 9 1 0 16 4`, where three changes are made before it:
//
//     9     odd: its parent is made[9 / 8 % 3], made[1]; 9 / 4 is even: a writer of its own
//     1     not a multiple of 3: it has no other parents, and the 0 behind it counts for nothing
//     16    16 % 16 is 0, with detail 1: puts int 1 under "k"
//     4     4 % 16 is 4, with detail 0: puts counter 5 under "c"

import DocumentModel
package import PropertyEngine

/// Changes of many writers, each on top of some that came before, and numbers that say how they arrive.
///
/// Histories of a few replicas seldom make many changes that wait for the same one, changes that name
/// many writers, or registers with many values. Here every change may be a writer's first.
///
/// Shrinking makes numbers 0: a change that follows the first one alone, by a new writer, and whose
/// edits put int 0.
package struct ChangeGraph: Sendable {
  /// For each change the numbers that it is made of: parents first, then its edits.
  var changes: [[Int]]
  package let picks: [Int]

  /// Up to 24 changes of up to 6 edits: enough for a change of many parents and a register of many
  /// values, and small enough that each change keeps a document of its own (`Made/document`).
  package static let samples = Generator<ChangeGraph> { choices in
    var changes: [[Int]] = []
    choices.repeated(upTo: 24, averaging: 8, "change") { choices in
      var numbers = (0..<3).map { _ in choices.number(in: 0...999) }
      choices.repeated(upTo: 6, averaging: 3, "edit") { choices in
        numbers.append(choices.number(in: 0...999))
      }
      changes.append(numbers)
    }
    var picks: [Int] = []
    choices.repeated(upTo: 24, averaging: 12, "pick") { choices in
      picks.append(choices.number(in: 0...999))
    }
    return ChangeGraph(changes: changes, picks: picks)
  }
}

extension ChangeGraph: Picking {}

extension ChangeGraph {
  /// One change, with the document that made it.
  ///
  /// `id` is the change's hash, `bytes` its chunk, not deflated.
  struct Made<R: StoredReplica> {
    var document: R
    let writer: Int
    let id: String
    /// What the change must name: the heads of its time, and its writer's change before it.
    let followed: Set<String>
    let bytes: [UInt8]
    /// A put of the change after which its place showed something else.
    let unshown: Edit<ObjectID>?
  }

  /// Documents with each change of the graph as their last; the first made the objects of all.
  ///
  /// Change 0 makes a list, a text and a counter, for all edits to meet in. Each later change is a
  /// fork of its first parent, in which the other parents are merged.
  ///
  /// Each change ends with a put of its own number under "n": a change without operations is none,
  /// and every commit has to give one.
  func make<R: StoredReplica>(_: R.Type) throws -> [Made<R>] {
    var document = R(actor: Self.writer(0))
    let list = try document.apply(.putObject(.root, .key("l"), .list)).made ?? .root
    let text = try document.apply(.putObject(.root, .key("t"), .text)).made ?? .root
    _ = try document.apply(
      .splice(list, index: 0, deleting: 0, inserting: [.int(0), .counter(0), .null])
    )
    _ = try document.apply(.spliceText(text, index: 0, deleting: 0, inserting: "abc"))
    _ = try document.apply(.put(.root, .key("c"), .counter(5)))
    var made: [Made<R>] = []
    made.append(try Self.committed(&document, writer: 0, following: [], unshown: nil))
    // A writer goes on from its last change alone.
    var isFollowed: Set<Int> = []
    for (index, numbers) in changes.enumerated() {
      let parents = Self.parents(numbers, below: made.count)
      // At most one change goes on as its parent's writer: two would be two changes of one name and
      // number.
      let goesOn = numbers[0] / 4 % 2 == 1 && isFollowed.insert(parents[0]).inserted
      let writer = goesOn ? made[parents[0]].writer : index + 1
      var document = try made[parents[0]].document.fork(actor: Self.writer(writer))
      for parent in parents.dropFirst() { try document.merge(&made[parent].document) }
      var followed = Set(document.heads().ids)
      if goesOn { followed.insert(made[parents[0]].id) }
      var unshown: Edit<ObjectID>?
      for number in numbers.dropFirst(3) {
        for edit in Self.edits(number, list: list, text: text, of: &document) {
          // What others deleted does not take every edit.
          do { _ = try document.apply(edit) } catch is EditRefusal { continue }
          if try !Self.shows(edit, document) { unshown = unshown ?? edit }
        }
      }
      _ = try document.apply(.put(.root, .key("n"), .int(Int64(index))))
      made.append(
        try Self.committed(&document, writer: writer, following: followed, unshown: unshown)
      )
    }
    return made
  }

  /// 73 is odd, so that the bytes of 256 writers differ.
  static func writer(_ number: Int) -> ActorID {
    // Neither short nor in the order in which they come.
    ActorID(repeating: UInt8(truncatingIfNeeded: 11 + 73 * number))
  }

  /// One to three changes that a change follows; half the time the first is the one that all follow.
  private static func parents(_ numbers: [Int], below count: Int) -> [Int] {
    let first = numbers[0] % 2 == 0 ? 0 : numbers[0] / 8 % count
    let more = numbers[1] % 3 == 0 ? [numbers[1] / 3 % count, numbers[2] % count] : []
    return [first] + more.filter { $0 != first }
  }

  /// The document's open edits as one change.
  ///
  /// - Throws: `Skipped` where the commit made none, or more than one.
  private static func committed<R: StoredReplica>(
    _ document: inout R,
    writer: Int,
    following followed: Set<String>,
    unshown: Edit<ObjectID>?
  ) throws -> Made<R> {
    document.commit()
    let bytes = try document.changes(since: followed.sorted())
    guard bytes.count == 1, document.heads().ids.count == 1 else {
      throw Skipped("a commit is not one change")
    }
    return Made(
      document: document,
      writer: writer,
      id: document.heads().ids[0],
      followed: followed,
      bytes: bytes[0],
      unshown: unshown
    )
  }

  /// Whether a value that was put is all that its place shows; true for every other edit.
  private static func shows<R: StoredReplica>(
    _ edit: Edit<ObjectID>,
    _ document: R
  ) throws -> Bool {
    guard case .put(let object, let slot, let value) = edit else { return true }
    let root = try document.observe(at: nil).root
    let shown: [ObservedValue]? =
      switch (slot, object == .root ? root.content : root.child("l")?.content) {
      case (.key(let key), .map(let entries)): entries.first { $0.key == key }?.register.values
      case (.index(let index), .list(let elements)): elements[index].values
      default: nil
      }
    return shown?.map(\.content) == [.scalar(value)]
  }

  /// The edits that one number stands for: `number % 16` says what, `number / 16` where.
  ///
  /// Positions are taken modulo the present length, so that an edit fits after whatever came before.
  /// A quarter of the edits are of the counter "c": put again, incremented, or overwritten by null.
  private static func edits<R: StoredReplica>(
    _ number: Int,
    list: ObjectID,
    text: ObjectID,
    of document: inout R
  ) -> [Edit<ObjectID>] {
    let detail = number / 16
    func place(_ object: ObjectID, past end: Int = 0) -> Int {
      let length = (document.shape(of: object)?.length ?? 0) + end
      return length > 0 ? detail % length : 0
    }
    switch number % 16 {
    case 0: return [.put(.root, .key("k"), .int(Int64(detail)))]
    case 2: return [.delete(.root, .key("k"))]
    case 1, 3: return [.increment(.root, .key("c"), by: Int64(1 + detail))]
    case 4: return [.put(.root, .key("c"), .counter(Int64(5 + detail % 3)))]
    case 5: return [.put(.root, .key("c"), .null)]
    case 6: return [.putObject(.root, .key("o"), .map)]
    case 7:
      return [.insert(list, index: place(list, past: 1), .int(Int64(detail)))]
    case 8: return [.put(list, .index(place(list)), .counter(Int64(detail)))]
    case 9: return [.increment(list, .index(place(list)), by: 3)]
    case 10: return [.delete(list, .index(place(list)))]
    case 11:
      return [.splice(list, index: 0, deleting: 1 + detail % 4, inserting: [.int(1), .int(2)])]
    case 12, 13:
      return [.spliceText(text, index: place(text, past: 1), deleting: 0, inserting: "xyz")]
    case 14: return [.spliceText(text, index: place(text), deleting: 1, inserting: "")]
    // As a delete key does, one after the other from the end.
    default:
      let end = place(text, past: 1)
      return (0..<min(3, end)).map {
        .spliceText(text, index: end - 1 - $0, deleting: 1, inserting: "")
      }
    }
  }
}
