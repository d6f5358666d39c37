import Testing

@testable import MergeEngine

/// A change graph as a list that is searched.
private struct PlainHistory {
  struct Change {
    let hash: ChangeHash
    let actor: UInt16
    let opCount: UInt32
    let dependencies: [Int]
  }
  var changes: [Change] = []

  var heads: [Int] {
    changes.indices.filter { place in !changes.contains { $0.dependencies.contains(place) } }
  }

  func pathLength(of place: Int) -> UInt32 {
    changes[place].opCount + (changes[place].dependencies.map(pathLength).max() ?? 0)
  }

  /// The heads, or what comes by chance.
  func dependencies(_ random: inout SplitMix) -> [Int] {
    if random.below(3) == 0 || changes.isEmpty { return heads }
    return Set((0..<random.below(4)).map { _ in random.below(changes.count) }).sorted()
  }
}

/// The elements of a sequence as a list, by the rule that orders them.
private struct PlainSequence {
  typealias Element = (id: PackedID, reference: PackedID)
  var elements: [Element] = []

  /// A walk of the tree of references, greater siblings first.
  func inOrder(_ core: borrowing Core) -> [PackedID] {
    func below(_ reference: PackedID, _ core: borrowing Core) -> [PackedID] {
      var siblings = elements.map(\.id).filter { id in
        elements.contains { $0.id == id && $0.reference == reference }
      }
      siblings.sort { core.precedes($1, $0) }
      var result: [PackedID] = []
      for id in siblings { result += [id] + below(id, core) }
      return result
    }
    return below(.none, core)
  }
}

@Suite("Structures that derive more than they are told do what plain ones do")
struct PlainTests {
  @Test("A change graph, with its calls taken back or not", arguments: 0..<100)
  func history(_ seed: Int) {
    var random = SplitMix(UInt64(seed))
    var history = History()
    var plain = PlainHistory()
    var hashes: [ChangeHash] = []
    for _ in 0..<12 {
      let before = plain
      let mark = history.begin()
      for _ in 0..<random.below(8) {
        // Many begin alike.
        let hash = ChangeHash(words: (UInt64(random.below(3)), 0, 0, UInt64(hashes.count)))
        hashes.append(hash)
        let dependencies = plain.dependencies(&random)
        let actor = UInt16(random.below(4))
        let change = PlainHistory.Change(
          hash: hash,
          actor: actor,
          opCount: UInt32(random.below(3)),
          dependencies: dependencies
        )
        let start = history.dependencies.nextHandle
        for place in dependencies { history.dependencies.append(ChangeHandle(place)) }
        history.append(
          ChangeRecord(
            actor: actor,
            seq: history.sequence(of: actor) + 1,
            startOp: 1,
            opCount: change.opCount,
            time: 0,
            messageStart: 0,
            messageLength: 0,
            extraStart: 0,
            extraLength: 0,
            dependencyStart: start,
            dependencyCount: UInt32(dependencies.count)
          ),
          hash
        )
        plain.changes.append(change)
        if random.below(8) == 0, let hash = hashes.first { _ = history.find(hash) }
      }
      if random.below(2) == 0 {
        history.rewind(to: mark)
        plain = before
      } else {
        history.keep()
      }
      if random.below(8) == 0 { history = history.copy() }
      #expect(history.heads.map(\.index) == plain.heads)
      #expect(history.headCount == plain.heads.count)
      for actor in 0..<UInt16(4) {
        let own = plain.changes.indices.filter { plain.changes[$0].actor == actor }
        #expect(history.latest(of: actor) == own.last.map { ChangeHandle($0) } ?? .none)
        #expect(history.sequence(of: actor) == own.count)
      }
      if random.below(2) == 0 { continue }
      let changes = plain.changes
      #expect(
        history.changes.map { history.pathLength(of: $0) } == changes.indices.map(plain.pathLength)
      )
      #expect(
        hashes.map { history.find($0)?.index }
          == hashes.map { hash in changes.firstIndex { $0.hash == hash } }
      )
    }
  }

  @Test("A table of actors, with the last ones forgotten or not", arguments: 0..<100)
  func actors(_ seed: Int) {
    var random = SplitMix(UInt64(seed))
    var table = ActorTable()
    var plain: [ActorID] = []
    for _ in 0..<60 {
      // Many begin alike, or are what another begins with.
      let bytes = (0..<6 + random.below(5)).map { _ in UInt8(random.below(8) / 7) }
      let id = ActorID(bytes)
      if random.below(12) == 0 {
        plain.removeLast(random.below(plain.count + 1))
        table.truncate(to: plain.count)
        if random.below(2) == 0 { table = table.copy() }
      } else {
        if !plain.contains(id) { plain.append(id) }
        let isValue = random.below(2) == 0
        let number = isValue ? table.intern(id) : withView(of: bytes) { table.intern($0) }
        #expect(number.map(Int.init) == plain.firstIndex(of: id))
      }
      #expect(table.ids == plain)
      #expect(table.find(id).map(Int.init) == plain.firstIndex(of: id))
      #expect(table.sorted.map { plain[Int($0)] } == plain.sorted())
      #expect(plain.map { table.find($0) } == plain.indices.map { UInt16($0) })
    }
  }

  @Test("Tables of numbers and of elements, whatever is set and removed", arguments: 0..<100)
  func tables(_ seed: Int) {
    var random = SplitMix(UInt64(seed))
    var numbers = NumberTable()
    var index = IDIndex()
    var plainNumbers: [UInt64: UInt32] = [:]
    var plainIndex: [UInt64: LeafHandle] = [:]
    for _ in 0..<100 {
      let key = UInt64(random.below(40)) << UInt64(random.below(2) * 32)
      let value = UInt32(random.below(100))
      let first = PackedID(UInt32(1 + random.below(300)), UInt16(random.below(3)))
      if random.below(3) == 0 {
        numbers.remove(key)
        plainNumbers[key] = nil
        index.remove(first)
        plainIndex[first.raw] = nil
      } else {
        numbers.set(key, value)
        plainNumbers[key] = value
        let count = UInt32(1 + random.below(90))
        let run = ElementRun(
          counter: first.counter,
          count: count,
          reference: 0,
          value: 0,
          meta: .null,
          actor: first.actor,
          referenceActor: 0,
          action: .set
        )
        index.set(run, leaf: LeafHandle(place: value))
        for offset in 0..<count {
          plainIndex[PackedID(first.counter + offset, first.actor).raw] = LeafHandle(place: value)
        }
      }
      if random.below(50) == 0 {
        numbers = numbers.copy()
        index = index.copy()
      }
      #expect(numbers.find(key) == plainNumbers[key])
      let ids = (0..<8).map { _ in
        PackedID(UInt32(1 + random.below(400)), UInt16(random.below(3)))
      }
      #expect(ids.map { index.leaf(of: $0) } == ids.map { plainIndex[$0.raw] })
    }
    let keys = (0..<UInt64(40)).flatMap { [$0, $0 << 32] }
    #expect(keys.map { numbers.find($0) } == keys.map { plainNumbers[$0] })
  }

  @Test("List order is seen where it is, and nowhere else", arguments: 0..<100)
  func listOrder(_ seed: Int) {
    var random = SplitMix(UInt64(seed))
    var core = Core(actor: actor(1), unit: .scalar)
    for byte in [7, 3, 5] { _ = core.actors.intern(actor(UInt8(byte))) }
    for _ in 0..<10 {
      var plain = PlainSequence()
      for _ in 0..<random.below(9) + 1 {
        let last = plain.elements.last?.id ?? .none
        let any = random.below(plain.elements.count + 1)
        let goesOn = random.below(2) == 0 && !last.isNone
        let reference =
          goesOn ? last : any < plain.elements.count ? plain.elements[any].id : .none
        let id = PackedID(
          reference.counter + 1 + (goesOn ? 0 : UInt32(random.below(3))),
          goesOn ? last.actor : UInt16(random.below(3))
        )
        if plain.elements.contains(where: { $0.id == id }) || !core.precedes(reference, id) {
          continue
        }
        plain.elements.append((id, reference))
      }
      var order = plain.inOrder(core)
      if random.below(2) == 0 {
        order.swapAt(random.below(order.count), random.below(order.count))
      }
      let isInOrder = order == plain.inOrder(core)
      var stack = OrderStack()
      var place = 0
      var isTaken = true
      while place < order.count, isTaken {
        let id = order[place]
        func reference(_ id: PackedID) -> PackedID {
          plain.elements.first { $0.id == id }?.reference ?? .none
        }
        var count: UInt32 = 1
        while place + Int(count) < order.count, random.below(4) > 0,
          order[place + Int(count)] == PackedID(id.counter + count, id.actor),
          reference(order[place + Int(count)]) == order[place + Int(count) - 1]
        {
          count += 1
        }
        isTaken = stack.push(id, count: count, after: reference(id), core)
        place += Int(count)
      }
      #expect(isTaken == isInOrder)
    }
  }
}
