// One law on the changes of a `ChangeGraph`. A failure's kind tells how far its judgement came:
//
//     put            a place does not show what its writer has just put there
//     dependencies   a change names other changes than the heads of its time and its writer's last
//     accepted       a change is taken whose author's number before is missing
//     bytes          refused bytes left something in what the document saves
//     invariant      the document is broken inside after a group of changes
//     order          two merges of the same changes log them in two orders
//     cursor         a cursor is at another place than its element
//     (of a state)   what came in pieces shows something else than the merge, is loaded as something else,
//                    reads otherwise in the past, or goes on otherwise

import DocumentModel
import Histories
package import PropertyEngine

extension StorageLaws {
  /// A law on changes of many writers, which histories of a few replicas do not make.
  ///
  /// Worked example of what histories of a few replicas do not make: changes a and b both wait for
  /// c. Bytes come that hold c and, behind it, a change that is refused. An engine that has
  /// released a and b by then has to put them back; one that does not lets both wait for ever when
  /// c comes again (`engine-refusal-strands-waiting`).
  package static var manyWriters: Law<ChangeGraph> {
    Law(
      "storage.many-writers",
      "Changes of many writers add up.",
      "Changes of many writers give the same document in any order and after a load, with empty changes and "
        + "refused bytes among them. Cursors keep their places.",
      source: .specification(.format, "Applying changes"),
      forAll: ChangeGraph.samples
    ) { graph in
      var made = try graph.make(R.self)
      for change in made {
        if let edit = change.unshown {
          return Difference(kind: "put", summary: "a place does not show what was put: \(edit)")
        }
        let named = ChunkForge.dependencies(ofChange: change.bytes).map(Set.init)
        guard named != change.followed else { continue }
        return Difference(
          kind: "dependencies",
          summary: "a change does not name the heads of its time and its writer's last change",
          expected: "\(change.followed.sorted())",
          actual: "\(named?.sorted() ?? [])"
        )
      }
      var whole = R(actor: reader)
      for place in made.indices { try whole.merge(&made[place].document) }
      // Beside the graph, whose changes all have operations, so that empty changes come in as
      // well.
      let sparing = changesOfSparingWriter(graph.pick(1) % 5)
      for change in sparing { try whole.apply([change]) }
      var receiver = R(actor: reader)
      if let difference = try arrive(graph, made.map(\.bytes) + sparing, at: &receiver) {
        return difference
      }
      if let difference = try receiver.departure(from: &whole) { return difference }
      var loaded = try R.load(receiver.save(compressed: false), actor: reader)
      if let difference = try loaded.departure(from: &whole) { return difference }
      var (one, other) = (R(actor: reader), R(actor: reader))
      try one.merge(&whole)
      try other.merge(&receiver)
      // `whole` has the changes in the order of merges, `receiver` in that of the picks.
      if one.changeIDs() != other.changeIDs() {
        return Difference(
          kind: "order",
          summary: "a merge takes changes in the order in which they came to the other document"
        )
      }
      let places = (0..<3).map { graph.pick($0) % made.count }
      var past = places.map { made[$0].document.heads() }
      past.append(receiver.heads())
      if let fault = try receiver.misplacedCursor(among: past) {
        return Difference(kind: "cursor", summary: fault)
      }
      for (place, heads) in zip(places, past) {
        var again = try receiver.observe(at: heads)
        var then = try made[place].document.observe(at: nil)
        // A read at heads shows the heads asked for.
        (again.heads, then.heads) = (nil, nil)
        if let difference = again.difference(from: then) { return difference }
      }
      for edit in goingOn {
        _ = try whole.apply(edit)
        _ = try receiver.apply(edit)
      }
      whole.commit()
      receiver.commit()
      return try receiver.departure(from: &whole)
    }
  }

  private static var reader: ActorID { ActorID(repeating: 0xdd) }

  /// Edits that show what a refusal left behind: numbers of operations, registers and objects.
  ///
  /// "k", "c" and "o" are keys of the graph's own edits, so that registers with several values are
  /// met.
  private static var goingOn: [Edit<ObjectID>] {
    [
      .put(.root, .key("k"), .int(1)), .put(.root, .key("c"), .counter(5)),
      .increment(.root, .key("c"), by: 2), .putObject(.root, .key("o"), .map),
    ]
  }

  /// The first changes of a writer who hardly writes: a put, two changes without operations, whose numbers are
  /// those of the put, and another put.
  ///
  ///     place    seq    startOp    operations
  ///     0        1      1          put "s"
  ///     1        2      2          none
  ///     2        3      2          none
  ///     3        4      2          put "s"
  ///
  /// By the format an empty change states a maxOp of startOp - 1, here 1: that of the change before
  /// it. A load that demands rising numbers refuses it (`engine-load-refuses-empty-change`).
  private static func changesOfSparingWriter(_ count: Int) -> [[UInt8]] {
    var changes: [[UInt8]] = []
    for place in 0..<count {
      changes.append(
        ChunkForge.change(
          actor: 5,
          seq: UInt64(place + 1),
          startOp: place == 0 ? 1 : 2,
          dependencies: changes.last.map { [ChunkForge.hash(ofChunk: $0)] } ?? [],
          ops: place == 0 || place == 3 ? ChunkForge.put("s", int: UInt8(place)) : []
        )
      )
    }
    return changes
  }

  /// Brings changes in groups: in reverse of their order, or shuffled.
  ///
  /// Between them come refused bytes behind good ones, copies, loads, and changes that are there.
  ///
  /// What happens before a group is applied, by `number % 6`:
  ///
  ///     0    nothing                    3    refused bytes
  ///     1    a fork; refused bytes      4    a refusal last of all
  ///     2    a reload; refused bytes    5    nothing; the group is applied twice
  ///
  /// - Returns: What is wrong after a group; `nil` if nothing is.
  private static func arrive(
    _ graph: ChangeGraph,
    _ changes: [[UInt8]],
    at receiver: inout R
  ) throws -> Difference? {
    let order = graph.pick(0) % 3 == 0 ? changes.reversed() : graph.shuffled(changes)
    // An actor's second change without its first.
    // Nothing of it depends on the document, so that it is refused at once and never waits.
    let refused = ChunkForge.change(actor: 7, seq: 2, ops: [])
    for (index, group) in graph.groups(order).enumerated() {
      let number = graph.pick(index) / 3
      switch number % 6 {
      case 1: receiver = try receiver.fork(actor: reader)
      case 2: receiver = try R.load(receiver.save(compressed: number % 4 == 2), actor: reader)
      default: break
      }
      if (1...3).contains(number % 6) {
        let before = try receiver.shown()
        let saved = try savedOfCopy(&receiver)
        var work = 0
        do {
          try receiver.take(group.flatMap(\.self) + refused, work: &work)
          return Difference(kind: "accepted", summary: "a change that skips a number is taken")
        } catch {}
        if let difference = try receiver.shown().difference(from: before) { return difference }
        // What waits stands in the saved bytes, in its order.
        let after = try savedOfCopy(&receiver)
        if let difference = byteDifference(after, saved, "refused bytes left a trace") {
          return difference
        }
      }
      if number % 6 == 4, let found = try refuseLast(group, at: &receiver) { return found }
      try receiver.apply(group)
      if number % 6 == 5 { try receiver.apply(group) }
      if let breach = receiver.brokenInvariant() {
        return Difference(kind: "invariant", summary: "after a change: \(breach)")
      }
    }
    return nil
  }

  /// Brings changes with one that is refused last of all, when those have been applied that waited for them.
  ///
  /// Where the changes have to wait themselves, so does the bad one, and nothing is brought.
  ///
  /// The bad change names the group's last one and comes first, so that it waits until that is
  /// applied. By then it belongs to the same call, which has to undo the group as well.
  ///
  /// The groups that follow come to the copy that refused, so that what the refusal left behind
  /// shows there.
  private static func refuseLast(_ group: [[UInt8]], at receiver: inout R) throws -> Difference? {
    guard let last = group.last else { return nil }
    let bad = HostilePeer.flawed(1, by: 0xdf, behind: ChunkForge.hash(ofChunk: last))
    var copy = try receiver.fork(actor: reader)
    let saved = try savedOfCopy(&copy)
    var work = 0
    do {
      try copy.take(bad + group.flatMap(\.self), work: &work)
      return nil
    } catch {
      receiver = copy
    }
    if let breach = receiver.brokenInvariant() {
      return Difference(kind: "invariant", summary: "after a late refusal: \(breach)")
    }
    let after = try savedOfCopy(&receiver)
    return byteDifference(after, saved, "a refusal behind good changes left a trace")
  }

  /// What a copy saves: a save of the document itself would count all as saved.
  private static func savedOfCopy(_ document: inout R) throws -> [UInt8] {
    var copy = try document.fork(actor: reader)
    return copy.save(compressed: false)
  }
}
