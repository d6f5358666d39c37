import DocumentModel
import PropertyEngine
import Testing

@testable import NaiveModel

@Suite("The index of rows leads where a scan of all rows leads")
struct RowIndexTests {
  @Test("By the specification's rules", arguments: 0..<150)
  func specification(seed: UInt64) throws {
    try check(AutomergeRules.self, seed: Seed(value: seed))
  }

  @Test("By rules for which two spellings are one key", arguments: 0..<50)
  func equivalentKeys(seed: UInt64) throws {
    try check(EquivalentKeys.self, seed: Seed(value: seed))
  }

  @Test("By rules that give two operations one id", arguments: 0..<50)
  func sharedIDs(seed: UInt64) throws {
    try check(SharedIDs.self, seed: Seed(value: seed))
  }

  @Test("A row that names a predecessor twice is met once")
  func meetsOnce() throws {
    let id = OpID(counter: 1, actor: .a)
    let row = NaiveOp(
      id: OpID(counter: 2, actor: .a),
      object: .root,
      place: .key("k"),
      action: .delete,
      predecessors: [id, id]
    )
    #expect(Array(RowIndex([row], AutomergeRules.isSameKey).rows(replacing: id)) == [0])
  }

  private func check<R: Rules>(_ rules: R.Type, seed: Seed) throws {
    var choices = Choices(seed: seed)
    var replicas = [ActorID.a, .b, .c].map { NaiveModel<R>(actor: $0) }
    for _ in 0..<30 {
      let replica = choices.index(below: replicas.count)
      switch choices.pick(weights: [12, 3, 2, 1]) {
      case 0:
        let edit = edit(of: replicas[replica], &choices)
        // A wish that does not fit is refused, and changes nothing.
        _ = try? replicas[replica].apply(edit)
      case 1:
        let other = choices.index(below: replicas.count)
        guard other != replica else { continue }
        var sender = replicas[other]
        try? replicas[replica].merge(&sender)
      case 2: replicas[replica].commit()
      default: replicas[replica].rollback()
      }
    }
    for replica in replicas {
      let departure = replica.departureFromScan
      #expect(departure == nil, "seed \(seed)")
    }
  }

  private func edit<R: Rules>(
    of model: NaiveModel<R>,
    _ choices: inout Choices
  ) -> Edit<ObjectID> {
    let object = choices.element(of: model.objects).id
    let key = Slot.key(choices.element(of: ["k", "\u{e9}", "e\u{301}"]))
    let index = choices.index(below: 4)
    let slot = choices.flag() ? key : .index(index)
    switch choices.index(below: 7) {
    case 0: return .put(object, slot, .int(Int64(index)))
    case 1: return .put(object, slot, .counter(1))
    case 2: return .putObject(object, slot, choices.element(of: ObjectKind.allCases))
    case 3: return .increment(object, slot, by: 1)
    case 4: return .delete(object, slot)
    case 5: return .insert(object, index: index, .null)
    default:
      return .spliceText(object, index: index, deleting: choices.index(below: 3), inserting: "ab")
    }
  }
}

private enum EquivalentKeys: Rules {
  static func isSameKey(_ left: ExactString, _ right: ExactString) -> Bool {
    left.string == right.string
  }
}

private enum SharedIDs: Rules {
  static func firstCounter(highest: UInt32, ownHighest: UInt32) -> UInt64 {
    UInt64(ownHighest / 2) + 1
  }
}

extension NaiveModel {
  /// The first register or operation for which the index and a scan disagree; nil if there is none.
  fileprivate var departureFromScan: String? {
    let strangers = [Register.key("never used"), .element(OpID(counter: 999, actor: .d))]
    for object in Set(rows.map(\.object)).union([.made(OpID(counter: 999, actor: .d))]) {
      for register in Set(rows.map(\.register)).union(strangers) {
        let scan = rows.indices.filter { position in
          rows[position].object == object && Self.isSame(rows[position].register, register)
        }
        let walk = Array(rowIndex.rows(of: register, in: object, R.isSameKey))
        if walk != scan { return "\(register) of \(object): \(walk) for \(scan)" }
      }
      var keys: [ExactString] = []
      for row in rows where row.object == object {
        guard case .key(let key) = row.register else { continue }
        if !keys.contains(where: { R.isSameKey($0, key) }) { keys.append(key) }
      }
      if rowIndex.keys(of: object) != keys { return "keys of \(object)" }
    }
    for id in Set(rows.map(\.id)).union(rows.flatMap(\.predecessors)) {
      let scan = rows.indices.filter { rows[$0].predecessors.contains(id) }
      let walk = Array(rowIndex.rows(replacing: id))
      if walk != scan { return "successors of \(id): \(walk) for \(scan)" }
    }
    return nil
  }

  private static func isSame(_ left: Register, _ right: Register) -> Bool {
    switch (left, right) {
    case (.key(let left), .key(let right)): R.isSameKey(left, right)
    case (.element(let left), .element(let right)): left == right
    default: false
    }
  }
}
