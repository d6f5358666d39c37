import DocumentModel
import NaiveModel
import PropertyEngine
import Testing

/// The elements of a list in the order of the tree form: the children of an element are visited
/// by descending id, each followed by its own subtree.
///
/// Source: Specification/Semantics.md, "Insert rule".
private func treeOrder(of list: ObjectID, in changes: [NaiveChange]) -> [OpID] {
  let inserts = changes.flatMap(\.ops).filter { $0.object == list }
  func subtree(after reference: OpID?) -> [OpID] {
    inserts.filter { $0.place == .after(reference) }
      .map(\.id)
      .sorted { $1 < $0 }
      .flatMap { [$0] + subtree(after: $0) }
  }
  return subtree(after: nil)
}

@Test("The insert rule gives the order of the tree form", arguments: 1...12)
func agreesWithTreeForm(_ seed: UInt64) throws {
  var choices = Choices(seed: Seed(value: seed))
  var base = Model(actor: .d)
  let list = try base.make(.list, "l")
  var replicas = [base.fork(actor: .a), base.fork(actor: .b), base.fork(actor: .c)]
  for _ in 0..<60 {
    let index = choices.index(below: 3)
    var replica = replicas[index]
    let length = try #require(replica.shape(of: list)).length
    switch choices.index(below: 6) {
    case 0 where length > 0: try replica.edit(.delete(list, .index(choices.index(below: length))))
    case 1 where length > 0:
      try replica.edit(
        .put(list, .index(choices.index(below: length)), .int(Int64(choices.index(below: 9))))
      )
    case 2: try replica.merge(&replicas[(index + 1) % 3])
    default:
      let count = 1 + choices.index(below: 2)
      let values = [Scalar](repeating: .int(Int64(choices.index(below: 9))), count: count)
      let place = choices.index(below: length + 1)
      try replica.edit(.splice(list, index: place, deleting: 0, inserting: values))
    }
    replicas[index] = replica
  }
  var merged = try replicas[0].merging(replicas[1], replicas[2])
  let changes = merged.changes(since: [])
  let deleted = Set(changes.flatMap(\.ops).flatMap(\.predecessors))
  let elements = treeOrder(of: list, in: changes)
  // Of each element, the values that no operation names, by ascending id.
  let expected = elements.map { element in
    changes.flatMap(\.ops)
      .filter { $0.register == .element(element) && $0.action != .delete }
      .map(\.id)
      .filter { !deleted.contains($0) }
      .sorted()
  }
  guard case .map(let entries) = try merged.observe(at: nil).root.content,
    case .object(let object) = entries[0].register.values[0].content,
    case .list(let registers) = object.content
  else {
    Issue.record("the document holds no list")
    return
  }
  #expect(registers.map { $0.values.compactMap(\.id) } == expected.filter { !$0.isEmpty })
  #expect(elements.count > 15)
}
