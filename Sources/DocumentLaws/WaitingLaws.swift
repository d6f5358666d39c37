// One law on changes that wait, on a `ChangeGraph` beside impostors. A failure's kind tells how far its
// judgement came:
//
//     impostor     a change is taken whose number its author has used
//     accepted     a change is taken whose author's number before is missing
//     applied      a change is in the history that lacks one it depends on, or lacks none and is not in it
//     missing      what is said to be missing is not what waiting changes name and nobody has brought
//     dropped      other waiting changes are dropped than those whose number came
//     invariant    the document is broken inside
//     (of a state)  in the end the document shows something else than a merge of the same changes

import DocumentModel
package import PropertyEngine
import Texts

extension StorageLaws {
  /// Catches queues that confuse a change with one that had its place before, that ask for what is on its way,
  /// or that keep what can never be applied.
  ///
  /// Worked example: change 2 follows 1, and an impostor of 1 follows 2. The impostor comes, and waits for 2; 1
  /// comes, and the impostor is dropped; a change x comes, and waits for y in the place that the impostor had; 2
  /// comes. A queue that still knows that place as waiting for 2 applies x without y
  /// (`engine-waiting-takes-anothers-call`).
  ///
  /// Each chunk is a call of its own, so that an impostor never comes with the change it imitates: it would
  /// refuse the call. In front of some, later ones come with bytes that are refused, or the document is loaded.
  package static var waitingForAll: Law<ChangeGraph> {
    Law(
      "storage.waits-for-all",
      "Changes wait for all they depend on.",
      "A change is applied as soon as all that it depends on has come, and no sooner; until then exactly what nobody "
        + "has brought is missing. A waiting change whose number its author uses is dropped and counted.",
      source: [
        .specification(.semantics, "Fork, merge, duplicates"),
        .specification(.format, "Applying changes"),
      ],
      forAll: ChangeGraph.samples
    ) { graph in
      var made = try graph.make(R.self)
      var arrivals = Arrivals(made, impostorsBy: graph.pick)
      // An actor's second change without its first.
      let refused = ChunkForge.change(actor: 7, seq: 2, ops: [])
      let reader = ActorID(repeating: 0xdd)
      var receiver = R(actor: reader)
      let order = graph.shuffled(Array(arrivals.chunks.indices))
      for (count, place) in order.enumerated() {
        var work = 0
        switch graph.pick(count) % 5 {
        case 3:
          // The last to come have the most to wait for.
          let early = order[count...].suffix(1 + graph.pick(count + 3) % 4)
          do {
            try receiver.take(
              early.flatMap { arrivals.chunks[$0].bytes } + refused,
              work: &work
            )
            return Difference(kind: "accepted", summary: "a change that skips a number is taken")
          } catch {}
          if let difference = try arrivals.difference(from: &receiver) { return difference }
        case 4:
          receiver = try R.load(receiver.save(compressed: false), actor: reader)
          arrivals.droppedCount = 0
        default: break
        }
        let isRefused: Bool
        do {
          try receiver.take(arrivals.chunks[place].bytes, work: &work)
          isRefused = false
        } catch {
          guard arrivals.isInVain(place) else { throw error }
          isRefused = true
        }
        if !isRefused && arrivals.isInVain(place) {
          return Difference(
            kind: "impostor",
            summary: "a change is taken whose number its author has used for another"
          )
        }
        if !isRefused { arrivals.add(place) }
        if let difference = try arrivals.difference(from: &receiver) { return difference }
      }
      var whole = R(actor: reader)
      for place in made.indices { try whole.merge(&made[place].document) }
      return try receiver.departure(from: &whole)
    }
  }
}

/// Changes on their way to a document, and what it has to do with those that have come.
///
/// Works it out anew after each, from the changes' own dependencies.
private struct Arrivals {
  struct Chunk {
    let id: String
    let bytes: [UInt8]
    let dependencies: Set<String>
    /// The change whose author and number an impostor has.
    var imitated: Int?
  }

  /// Changes, each behind those it depends on, and impostors behind them all.
  private(set) var chunks: [Chunk]
  private var isHere: Set<Int> = []
  private var applied: Set<String> = []
  /// Impostors that waited when their number came.
  var droppedCount = 0

  /// Half of the changes have an impostor behind one of their descendants, or behind themselves.
  init<R: StoredReplica>(_ made: [ChangeGraph.Made<R>], impostorsBy pick: (Int) -> Int) {
    let changes = made.map { change in
      Chunk(
        id: change.id,
        bytes: change.bytes,
        dependencies: Set(ChunkForge.dependencies(ofChange: change.bytes) ?? [])
      )
    }
    chunks = changes
    for place in changes.indices where pick(place + 5) % 2 == 1 {
      var behind = [place]
      for later in changes.indices.dropFirst(place + 1)
      where behind.contains(where: { changes[later].dependencies.contains(changes[$0].id) }) {
        behind.append(later)
      }
      let dependency = changes[behind[pick(place + 11) % behind.count]]
      let seq = made[...place].count { $0.writer == made[place].writer }
      let bytes = ChunkForge.change(
        writer: ChangeGraph.writer(made[place].writer).bytes,
        seq: UInt64(seq),
        // Beyond the operations of a graph.
        startOp: 10_000,
        dependencies: [ChunkForge.hash(ofChunk: dependency.bytes)],
        ops: ChunkForge.put("k", int: 1)
      )
      chunks.append(
        Chunk(
          id: hexString(ChunkForge.hash(ofChunk: bytes)),
          bytes: bytes,
          dependencies: [dependency.id],
          imitated: place
        )
      )
    }
  }

  /// Whether a chunk can never be applied, as another change has its number.
  func isInVain(_ place: Int) -> Bool {
    chunks[place].imitated.map { applied.contains(chunks[$0].id) } ?? false
  }

  /// Notes that a chunk has come, and works out which are applied and which are dropped by it.
  mutating func add(_ place: Int) {
    isHere.insert(place)
    // Dependencies stand in front.
    for place in isHere.sorted() where chunks[place].imitated == nil {
      if chunks[place].dependencies.isSubset(of: applied) { applied.insert(chunks[place].id) }
    }
    let dropped = isHere.filter(isInVain)
    isHere.subtract(dropped)
    droppedCount += dropped.count
  }

  /// What a document that has got these chunks has to show, and does not.
  func difference<R: StoredReplica>(from receiver: inout R) throws -> Difference? {
    let ids = Set(receiver.changeIDs())
    if ids != applied {
      return Difference(
        kind: "applied",
        summary: ids.isSubset(of: applied)
          ? "a change is not applied though all it depends on is there"
          : "a change is applied without one that it depends on",
        expected: "\(applied.count) changes",
        actual: "\(ids.count), \(ids.symmetricDifference(applied).count) of them not as expected"
      )
    }
    let waiting = isHere.map { chunks[$0] }.filter { !applied.contains($0.id) }
    let missing = waiting.reduce(into: Set<String>()) { $0.formUnion($1.dependencies) }
      .subtracting(applied).subtracting(waiting.map(\.id))
    let told = receiver.missingDependencies()
    if told != missing {
      return Difference(
        kind: "missing",
        summary: "other dependencies are said to be missing than those that nobody has brought",
        expected: "\(missing.sorted())",
        actual: "\(told.sorted())"
      )
    }
    if receiver.droppedCount != droppedCount {
      return Difference(
        kind: "dropped",
        summary: "other waiting changes are dropped than those whose number came",
        expected: "\(droppedCount)",
        actual: "\(receiver.droppedCount)"
      )
    }
    return receiver.brokenInvariant().map {
      Difference(kind: "invariant", summary: "the document is not sound: \($0)")
    }
  }
}
