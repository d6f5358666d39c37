import DocumentModel
import Histories
package import PropertyEngine

extension StorageLaws {
  /// Laws on changes of many writers, which histories of a few replicas do not make.
  package static var wide: [Law<ChangeGraph>] {
    [
      Law(
        "storage.many-writers",
        "Changes of many writers add up.",
        "Changes of many writers show what was put and make the whole in any order, refused bytes between; cursors stay.",
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
        var receiver = R(actor: reader)
        if let difference = try arrive(graph, made.map(\.bytes), at: &receiver) {
          return difference
        }
        if let difference = try receiver.departure(from: &whole) { return difference }
        let places = (0..<3).map { graph.pick($0) % made.count }
        var past = places.map { made[$0].document.heads() }
        past.append(receiver.heads())
        if let fault = try receiver.misplacedCursor(among: past) {
          return Difference(kind: "cursor", summary: fault)
        }
        for (place, heads) in zip(places, past) {
          var again = try receiver.observe(at: heads)
          var then = try made[place].document.observe(at: nil)
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
    ]
  }

  private static var reader: ActorID { ActorID(repeating: 0xdd) }

  /// Edits that show what a refusal left behind: numbers of operations, registers and objects.
  private static var goingOn: [Edit<ObjectID>] {
    [
      .put(.root, .key("k"), .int(1)), .put(.root, .key("c"), .counter(5)),
      .increment(.root, .key("c"), by: 2), .putObject(.root, .key("o"), .map),
    ]
  }

  /// Brings changes in groups: in reverse of their order, or shuffled.
  ///
  /// Between them come refused bytes behind good ones, copies, loads, and changes that are there.
  private static func arrive(
    _ graph: ChangeGraph,
    _ changes: [[UInt8]],
    at receiver: inout R
  ) throws -> Difference? {
    let order = graph.pick(0) % 3 == 0 ? changes.reversed() : graph.shuffled(changes)
    // An actor's second change without its first.
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
        var work = 0
        do {
          try receiver.take(group.flatMap(\.self) + refused, work: &work)
          return Difference(kind: "accepted", summary: "a change that skips a number is taken")
        } catch {}
        if let difference = try receiver.shown().difference(from: before) { return difference }
      }
      try receiver.apply(group)
      if number % 6 == 5 { try receiver.apply(group) }
      if let breach = receiver.brokenInvariant() {
        return Difference(kind: "invariant", summary: "after a change: \(breach)")
      }
    }
    return nil
  }
}
