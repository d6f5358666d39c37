import AutomergeDocument
import Foundation
import Testing

@testable import Subjects

/// SplitMix64.
private struct Random {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ mixed >> 31) % UInt64(bound))
  }

  mutating func element<Element>(of list: [Element]) -> Element { list[below(list.count)] }
}

@Suite("Patches lead from one state to another")
struct PatchCarryTests {
  private static let strings = ["a", "é", "e\u{301}", "👨‍👩‍👧", "\u{301}", "xyz", "\u{1F600}", "b c"]

  private func edit(_ document: Document, _ random: inout Random) throws {
    var objects: [(ObjId, ObjType)] = []
    func find(_ object: ObjId, _ type: ObjType) throws {
      objects.append((object, type))
      for case .Object(let id, let type) in try document.values(obj: object) { try find(id, type) }
    }
    try find(.ROOT, .Map)
    let (object, type) = random.element(of: objects)
    let length = document.length(obj: object)
    let index = UInt64(random.below(Int(length) + 1))
    let string = random.element(of: Self.strings)
    let scalar = random.element(of: [
      ScalarValue.Int(Int64(random.below(3))), .Counter(5), .F64(.infinity), .F64(-0.0),
      .String(string),
      .Null,
    ])
    let kind = random.element(of: [ObjType.Map, .List, .Text, .Text])
    let key = random.element(of: ["k", "é", "e\u{301}"])
    switch (type, random.below(6)) {
    case (.Map, 0): _ = try document.putObject(obj: object, key: key, ty: kind)
    case (.Map, 1): try document.delete(obj: object, key: key)
    case (.Map, 2): try? document.increment(obj: object, key: key, by: 3)
    case (.Map, _): try document.put(obj: object, key: key, value: scalar)
    case (.List, 0): _ = try document.insertObject(obj: object, index: index, ty: kind)
    case (.List, 1) where index < length: try document.delete(obj: object, index: index)
    case (.List, 2) where index < length:
      try document.put(obj: object, index: index, value: scalar)
    case (.List, 3) where index < length:
      try? document.increment(obj: object, index: index, by: -2)
    case (.List, 4), (.Text, 0):
      let end = index + UInt64(random.below(Int(length - index) + 1))
      try document.mark(
        obj: object,
        start: index,
        end: end,
        expand: random.element(of: [.before, .after, .both, .none]),
        // Names and values that Swift's `==` takes for one are two.
        name: random.element(of: ["b", "b", "i", "é", "e\u{301}"]),
        value: random.element(of: [.Int(1), .Int(2), .Null, .String("é"), .String("e\u{301}")])
      )
    case (.List, _): try document.insert(obj: object, index: index, value: scalar)
    case (.Text, 1):
      try document.spliceText(obj: object, start: index, delete: Int64(random.below(4)))
    case (.Text, 2) where index < length && random.below(3) == 0:
      try document.put(obj: object, index: index, value: scalar)
    case (.Text, 3) where random.below(3) == 0:
      _ = try document.insertObject(obj: object, index: index, ty: kind)
    case (.Text, _):
      try document.spliceText(obj: object, start: index, delete: 0, value: string + string)
    }
    if random.below(3) == 0 { _ = document.heads() }
  }

  private static func path(_ key: String, _ object: ObjId = .ROOT) -> [PathElement] {
    [PathElement(obj: object, prop: .Key(key))]
  }

  @Test("A patch that does not fit is refused with its reason")
  func refuses() throws {
    let document = Document(textEncoding: .utf8)
    let map = try document.putObject(obj: .ROOT, key: "map", ty: .Map)
    try document.put(obj: map, key: "n", value: .Counter(1))
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    try document.splice(obj: list, start: 0, delete: 0, values: [.Int(1), .Int(2)])
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "\u{e9}")
    let heads = document.heads()
    func mark(_ start: UInt64, _ end: UInt64) -> PatchAction {
      .Marks(text, [Mark(start: start, end: end, name: "b", value: .Boolean(true))])
    }
    let (inMap, inList, inText) = (Self.path("map"), Self.path("list"), Self.path("text"))
    let cases: [([PathElement], PatchAction, String)] = [
      (inMap, .DeleteMap(map, "n"), "lead to another state: the keys differ at /\"map\""),
      (inMap, .Increment(map, .Key("n"), 1), "(due: counter 1"),
      (inList, .DeleteSeq(DeleteSeq(obj: list, index: 0, length: 1)), "at /\"list\"/0"),
      (inText, .SpliceText(obj: text, index: 2, value: "a", marks: [:]), "the text differs"),
      (inText, mark(0, 2), "the marks differ"),
      (Self.path("map", list), .DeleteMap(map, "n"), "a path goes through another object"),
      (inList, .DeleteMap(map, "n"), "a path leads to another object"),
      ([], .DeleteMap(map, "n"), "a path leads to another object"),
      (Self.path("other"), .DeleteMap(map, "n"), "there is no object at \"other\""),
      (inMap, .DeleteMap(map, "other"), "there is no key \"other\" to delete"),
      (inMap, .Increment(map, .Key("other"), 1), "there is no counter"),
      (inList, .Increment(list, .Index(0), 1), "there is no counter"),
      (inList, .DeleteSeq(DeleteSeq(obj: list, index: 1, length: 2)), "2 from index 1"),
      (inText, .DeleteSeq(DeleteSeq(obj: text, index: .max, length: 1)), "fit a length of 2"),
      (inText, .SpliceText(obj: text, index: 3, value: "a", marks: [:]), "0 from index 3"),
      (
        inText,
        .SpliceText(obj: text, index: .max, value: "a", marks: ["b": .Scalar(.Int(1))]),
        "fit a length of 2"
      ),
      (inList, .SpliceText(obj: list, index: 0, value: "a", marks: [:]), "does not fit a list"),
      (inText, mark(1, 1), "a mark covers nothing"),
      (inText, mark(1, 3), "2 from index 1"),
      (inText, .Put(text, .Index(0), .Scalar(.String("\u{e9}"))), "does not fit a text"),
      (inMap, .Put(map, .Index(0), .Scalar(.Null)), "does not fit a map"),
      (inMap, .Conflict(map, .Key("n")), "a conflict is told where there is none"),
      (inMap, .Conflict(map, .Key("other")), "does not fit a map"),
    ]
    for (path, action, words) in cases {
      let fault = #expect(throws: PublicCallFault.self) {
        try document.checkPatches(
          [Patch(action: action, path: path)],
          from: heads,
          to: heads,
          "a call"
        )
      }
      #expect(fault?.description.contains(words) == true, "\(fault?.description ?? "none")")
    }
  }

  /// The greater actor's value wins: for that writer it stays, and for the other it is put.
  @Test("A conflict is told once where the winner stays, and not beside a put")
  func tellsConflicts() throws {
    let documents = [Document(), Document()]
    for (number, document) in documents.enumerated() {
      document.actor = try #require(ActorId(data: Data([UInt8(number)])))
      try document.put(obj: .ROOT, key: "k", value: .Int(Int64(number)))
    }
    let before = documents.map { $0.heads() }
    try documents[0].merge(other: documents[1])
    let (document, after) = (documents[0], documents[0].heads())
    let conflict = Patch(action: .Conflict(.ROOT, .Key("k")), path: [])
    let put = Patch(action: .Put(.ROOT, .Key("k"), .Scalar(.Int(1))), path: [])
    for (heads, right) in [(before[1], [conflict]), (before[0], [put])] {
      #expect(document.difference(from: heads, to: after) == right)
      try document.checkPatches(right, from: heads, to: after, "a call")
      #expect(throws: PublicCallFault.self) {
        try document.checkPatches(right + [conflict], from: heads, to: after, "a call")
      }
      #expect(throws: PublicCallFault.self) {
        try document.checkPatches([], from: heads, to: after, "a call")
      }
    }
  }

  @Test(
    "Between any two states of random histories, with marks and conflicts, there and back",
    arguments: [TextEncoding.unicodeScalar, .utf8, .utf16, .graphemeCluster]
  )
  func random(_ encoding: TextEncoding) throws {
    let seeds =
      ProcessInfo.processInfo.environment["TOUCHSTONE_PATCH_HISTORIES"].flatMap { Int($0) } ?? 40
    var patches = 0
    for seed in 0..<UInt64(seeds) {
      var random = Random(state: seed)
      let base = Document(textEncoding: encoding)
      base.actor = try #require(ActorId(data: Data([9])))
      let text = try base.putObject(obj: .ROOT, key: "t", ty: .Text)
      try base.spliceText(obj: text, start: 0, delete: 0, value: "hello world")
      var replicas = (0..<3).map { _ in base.fork() }
      for (number, replica) in replicas.enumerated() {
        replica.actor = try #require(ActorId(data: Data([UInt8(number)])))
      }
      var states: [Set<ChangeHash>] = [[], base.heads()]
      for _ in 0..<30 {
        let replica = replicas.removeFirst()
        replicas.append(replica)
        for _ in 0..<random.below(4) { try edit(replica, &random) }
        if random.below(3) == 0 { try replica.merge(other: replicas[random.below(3)]) }
        states.append(replica.heads())
      }
      for replica in replicas { try replicas[0].merge(other: replica) }
      states.append(replicas[0].heads())
      for _ in 0..<20 {
        let (before, after) = (random.element(of: states), random.element(of: states))
        patches += replicas[0].difference(from: before, to: after).count
        do {
          try replicas[0].checkDifferences(between: before, and: after)
        } catch {
          Issue.record("seed \(seed), \(encoding): \(error)")
        }
      }
    }
    #expect(patches > 100 * seeds / 2)
  }
}
