import DocumentModel
import PropertyEngine
import Testing

@testable import DocumentLaws

@Suite("States that patches make")
struct PatchedStateTests {
  private static func id(_ counter: UInt32) -> OpID {
    OpID(counter: counter, actor: ActorID(repeating: 1))
  }

  private static func value(_ scalar: Scalar) -> ObservedValue {
    ObservedValue(id: nil, content: .scalar(scalar))
  }

  private static func empty(_ kind: ObjectKind, _ id: OpID? = nil) -> ObservedValue {
    ObservedValue(
      id: id,
      content: .object(ObservedObject(empty: kind, id: id.map { .made($0) }))
    )
  }

  private static func register(_ value: ObservedValue) -> ObservedRegister {
    ObservedRegister(values: [value], isComplete: false)
  }

  /// `{"l": [5, {}], "n": counter 1, "t": "ab"}`, the `b` bold.
  private static let state: Observation = {
    let list = ObservedObject(
      id: .made(id(1)),
      content: .list([register(value(.int(5))), register(empty(.map, id(2)))])
    )
    let text = ObservedObject(
      id: .made(id(3)),
      content: .text(
        "ab",
        length: 2,
        elements: ["a", "b"].map { register(value(.string($0))) }
      ),
      marks: [ObservedMark(name: "bold", value: .boolean(true), range: 1..<2)]
    )
    let entries = [
      ObservedObject.Entry(key: "l", register: register(object(list, id(1)))),
      ObservedObject.Entry(key: "n", register: register(value(.counter(1)))),
      ObservedObject.Entry(key: "t", register: register(object(text, id(3)))),
    ]
    return Observation(root: ObservedObject(id: .root, content: .map(entries)))
  }()

  private static func object(_ object: ObservedObject, _ id: OpID) -> ObservedValue {
    ObservedValue(id: id, content: .object(object))
  }

  private static func bold(_ range: Range<Int>, _ value: Scalar = .boolean(true)) -> ObservedMark {
    ObservedMark(name: "bold", value: value, range: range)
  }

  /// What the state shows after patches, in one line for each value.
  private func lines(_ patches: [ObservedPatch]) throws -> [String] {
    let state = PatchedState(Self.state)
    for patch in patches { try state.apply(patch) }
    return state.observation.lines
  }

  private static let cases: [([ObservedPatch], String)] = [
    ([ObservedPatch([], .put(.key("k"), value(.null)))], "null"),
    ([ObservedPatch([], .increment(.key("n"), by: 4))], "counter 5"),
    ([ObservedPatch([], .increment(.key("n"), by: .max))], "counter -9223372036854775808"),
    ([ObservedPatch([.key("t")], .spliceText(index: 1, "xy"))], "\"axyb\""),
    ([ObservedPatch([.key("t")], .put(.index(0), value(.string("xy"))))], "\"xyb\""),
    ([ObservedPatch([.key("t")], .put(.index(0), value(.int(5))))], "\"\\u{fffc}b\""),
    ([ObservedPatch([.key("t")], .insert(index: 2, [empty(.map)]))], "\"ab\\u{fffc}\""),
    (
      [
        ObservedPatch([.key("t")], .insert(index: 0, [empty(.map)])),
        ObservedPatch([.key("t"), .index(0)], .put(.key("inner"), value(.int(7)))),
      ], "int 7"
    ),
    ([ObservedPatch([.key("t")], .deleteRange(index: 0, count: 1))], "0..<1 \"bold\""),
    ([ObservedPatch([.key("t")], .marks([bold(0..<1)]))], "0..<2 \"bold\""),
    ([ObservedPatch([.key("t")], .spliceText(index: 2, "c"))], "1..<2 \"bold\""),
    ([ObservedPatch([.key("l")], .marks([bold(0..<2)]))], "0..<2 \"bold\""),
    (
      [
        ObservedPatch([.key("l")], .marks([bold(0..<2)])),
        ObservedPatch([.key("l")], .put(.index(0), value(.null))),
        ObservedPatch([.key("l")], .insert(index: 0, [value(.null)])),
      ], "1..<3 \"bold\""
    ),
    (
      [ObservedPatch([.key("l"), .index(1)], .put(.key("inner"), value(.int(7))))],
      "int 7"
    ),
    (
      [
        ObservedPatch([.key("l"), .index(1)], .put(.key("inner"), value(.int(7)))),
        ObservedPatch([.key("l")], .put(.index(1), empty(.map, id(2)))),
      ], "int 7"
    ),
  ]

  @Test("A patch changes what it names", arguments: cases)
  func applies(_ patches: [ObservedPatch], _ words: String) throws {
    let shown = try lines(patches)
    #expect(shown != PatchedState(Self.state).observation.lines)
    #expect(shown.contains { $0.contains(words) }, "\(shown.joined(separator: "\n"))")
  }

  @Test(
    "A patch that leaves all as it was says so",
    arguments: [
      ObservedPatch([], .increment(.key("n"), by: 0)),
      ObservedPatch([], .put(.key("t"), empty(.text, id(3)))),
      ObservedPatch([.key("l")], .put(.index(1), empty(.map, id(2)))),
      ObservedPatch([.key("l")], .insert(index: 0, [])),
      ObservedPatch([.key("l")], .deleteRange(index: 1, count: 0)),
      ObservedPatch([.key("t")], .spliceText(index: 1, "")),
      ObservedPatch([.key("t")], .deleteRange(index: 0, count: 0)),
    ]
  )
  func idle(_ patch: ObservedPatch) throws {
    let state = PatchedState(Self.state)
    #expect(try !state.apply(patch))
    #expect(state.observation.lines == PatchedState(Self.state).observation.lines)
    for (patches, _) in Self.cases {
      let state = PatchedState(Self.state)
      #expect(try patches.map { try state.apply($0) }.contains(true))
    }
  }

  @Test("What is deleted, unmarked or put again is gone")
  func removes() throws {
    #expect(try !lines([ObservedPatch([], .deleteKey("n"))]).contains { $0.contains("counter") })
    let unmarked = [ObservedPatch([.key("t")], .marks([Self.bold(1..<2, .null)]))]
    #expect(try !lines(unmarked).contains { $0.contains("bold") })
    let filled = ObservedPatch([.key("l"), .index(1)], .put(.key("inner"), Self.value(.int(7))))
    let other = ObservedPatch([.key("l")], .put(.index(1), Self.empty(.map, Self.id(9))))
    #expect(try !lines([filled, other]).contains { $0.contains("int 7") })
  }

  @Test("Patches of a state that is not shown in parts leave it as it is")
  func conflicts() throws {
    let before = PatchedState(Self.state).observation.lines
    #expect(
      try lines([
        ObservedPatch([], .conflict(.key("n"))), ObservedPatch([.key("l")], .conflict(.index(1))),
        ObservedPatch([.key("t")], .conflict(.index(1))),
        ObservedPatch([.key("t")], .increment(.index(0), by: 3)),
      ]) == before
    )
  }

  @Test("Indexes of a text count the units of the form, here bytes")
  func countsUnits() throws {
    let form = PatchForm(reportsConflictsOfPuts: true) { text in text.utf8.map { [$0] } }
    let state = PatchedState(Self.state, form: form)
    let steps: [(ObservedPatch.Action, String)] = [
      (.spliceText(index: 1, "\u{e9}"), "\"a\\u{e9}b\" (4 units)"),
      (.insert(index: 3, [Self.empty(.map)]), "\"a\\u{e9}\\u{fffc}b\" (7 units)"),
      (.deleteRange(index: 1, count: 2), "\"a\\u{fffc}b\" (5 units)"),
      (.marks([Self.bold(0..<2)]), "0..<2 \"bold\""),
    ]
    for (action, words) in steps {
      try state.apply(ObservedPatch([.key("t")], action))
      let lines = state.observation.lines
      #expect(lines.contains { $0.contains(words) }, "\(lines.joined(separator: "\n"))")
    }
    try state.apply(ObservedPatch([.key("t"), .index(1)], .put(.key("k"), Self.value(.null))))
    // Half of a sign is no sign of its own, and no other half.
    try state.apply(ObservedPatch([.key("t")], .deleteRange(index: 2, count: 1)))
    let half = state.observation
    try state.apply(ObservedPatch([.key("t")], .deleteRange(index: 2, count: 1)))
    try state.apply(ObservedPatch([.key("t")], .spliceText(index: 2, "c")))
    #expect(half.difference(from: state.observation) != nil)
  }

  @Test("A path goes through the objects that its patch names")
  func followsObjects() throws {
    let patch = ObservedPatch([.key("l"), .index(1)], .put(.key("k"), Self.value(.null)))
    let (list, map, text) = (Self.id(1), Self.id(2), Self.id(3))
    try PatchedState(Self.state).apply(patch, through: [.root, .made(list), .made(map)])
    for (objects, words): ([ObjectID], String) in [
      ([.made(list), .made(list), .made(map)], "goes through another object"),
      ([.root, .made(text), .made(map)], "goes through another object"),
      ([.root, .made(list), .made(text)], "leads to another object"),
    ] {
      let mismatch = #expect(throws: PatchedState.PatchMismatch.self) {
        try PatchedState(Self.state).apply(patch, through: objects)
      }
      #expect(mismatch?.explanation == "a path \(words)")
    }
  }

  /// `{"k": 1 or 2, "l": [3 or 4], "t": "a" or "b"}`: each place is in conflict, but with `values: 1`.
  private static func conflicts(values count: Int) -> Observation {
    func places(_ scalars: [Scalar]) -> ObservedRegister {
      let values = scalars.prefix(count).enumerated().map { index, scalar in
        ObservedValue(id: id(UInt32(10 - index)), content: .scalar(scalar))
      }
      return ObservedRegister(values: values.reversed(), isComplete: true)
    }
    let list = ObservedObject(id: .made(id(1)), content: .list([places([.int(3), .int(4)])]))
    let text = ObservedObject(
      id: .made(id(3)),
      content: .text("a", length: 1, elements: [places([.string("a"), .string("b")])])
    )
    let entries = [
      ObservedObject.Entry(key: "k", register: places([.int(1), .int(2)])),
      ObservedObject.Entry(key: "l", register: register(object(list, id(1)))),
      ObservedObject.Entry(key: "t", register: register(object(text, id(3)))),
    ]
    return Observation(root: ObservedObject(id: .root, content: .map(entries)))
  }

  private static let toldConflicts = [
    ObservedPatch([], .conflict(.key("k"))), ObservedPatch([.key("l")], .conflict(.index(0))),
    ObservedPatch([.key("t")], .conflict(.index(0))),
  ]

  private func summary(
    _ patches: [ObservedPatch],
    _ before: Int,
    _ after: Int,
    form: PatchForm = .scalars
  ) throws -> String? {
    let state = PatchedState(Self.conflicts(values: before), form: form)
    for patch in patches { try state.apply(patch) }
    return state.conflictDifference(from: Self.conflicts(values: after))?.summary
  }

  @Test("Each conflict that is new is told, once, and none that is not there", arguments: 0..<3)
  func tellsConflicts(_ place: Int) throws {
    let told = Self.toldConflicts
    let slot = ["/\"k\"", "/\"l\"/0", "/\"t\"/0"][place]
    #expect(try summary(told, 1, 2) == nil)
    #expect(try summary([], 2, 1) == nil)
    #expect(try summary([], 2, 2) == nil)
    var without = told
    without.remove(at: place)
    #expect(try summary(without, 1, 2) == "a new conflict is not told, at \(slot)")
    #expect(try summary(told + [told[place]], 1, 2) == "a conflict is told again, at \(slot)")
    #expect(try summary([told[place]], 2, 2) == "a conflict is told again, at \(slot)")
    #expect(
      try summary([told[place]], 1, 1) == "a conflict is told where there is none, at \(slot)"
    )
  }

  @Test("A conflict that was known may be told again where its winner is put")
  func tellsConflictsOfPuts() throws {
    let told = Self.toldConflicts
    let put = ObservedPatch([], .put(.key("k"), Self.value(.int(1))))
    #expect(try summary([put], 2, 2) == nil)
    #expect(try summary([put, told[0]], 2, 2) == nil)
    #expect(try summary([put], 2, 1) == nil)
    #expect(
      try summary([put, told[0]], 2, 1) == "a conflict is told where there is none, at /\"k\""
    )
    #expect(try summary([put] + told[1...], 1, 2) == "a new conflict is not told, at /\"k\"")
  }

  @Test("Where puts say nothing of conflicts, none is told of what is put, and each of what stays")
  func tellsNoConflictsOfPuts() throws {
    let form = PatchForm(reportsConflictsOfPuts: false, units: PatchForm.scalars.units)
    let told = Self.toldConflicts
    let put = ObservedPatch([], .put(.key("k"), Self.value(.int(1))))
    #expect(try summary(told, 1, 2, form: form) == nil)
    #expect(try summary([put] + told[1...], 1, 2, form: form) == nil)
    #expect(try summary([put], 2, 1, form: form) == nil)
    #expect(
      try summary([put] + told, 1, 2, form: form) == "a conflict is told again, at /\"k\""
    )
    #expect(
      try summary([put, told[0]], 2, 1, form: form)
        == "a conflict is told where there is none, at /\"k\""
    )
    #expect(
      try summary([told[0], told[2]], 1, 2, form: form)
        == "a new conflict is not told, at /\"l\"/0"
    )
  }

  @Test("A conflict is told at the first unit of its element")
  func tellsConflictsAtStarts() throws {
    let form = PatchForm(reportsConflictsOfPuts: true) { $0.utf8.flatMap { [[$0], []] } }
    let told = ObservedPatch([.key("t")], .conflict(.index(1)))
    #expect(try summary(Self.toldConflicts, 1, 2, form: form) == nil)
    #expect(
      try summary(Self.toldConflicts + [told], 1, 2, form: form)
        == "a conflict is told where there is none, at /\"t\"/1"
    )
  }

  @Test(
    "A patch that has no place to go is refused with its reason",
    arguments: [
      (ObservedPatch([.key("x")], .deleteKey("k")), "no object at \"x\" of a map"),
      (ObservedPatch([.index(0)], .deleteKey("k")), "no object at 0 of a map"),
      (ObservedPatch([.key("l"), .index(0)], .deleteKey("k")), "no object at 0 of a list"),
      (ObservedPatch([.key("l"), .index(2)], .deleteKey("k")), "no object at 2 of a list"),
      (ObservedPatch([.key("t"), .index(0)], .deleteKey("k")), "no object at 0 of a text"),
      (ObservedPatch([], .deleteKey("k")), "no key \"k\" to delete"),
      (ObservedPatch([], .conflict(.key("k"))), "does not fit a map"),
      (ObservedPatch([], .increment(.key("l"), by: 1)), "no counter at \"l\""),
      (ObservedPatch([], .increment(.index(0), by: 1)), "no counter at 0"),
      (ObservedPatch([.key("l")], .increment(.index(0), by: 1)), "no counter at 0"),
      (ObservedPatch([.key("t")], .increment(.index(2), by: 1)), "no counter at 2"),
      (ObservedPatch([.key("l")], .put(.index(2), value(.null))), "1 from index 2"),
      (ObservedPatch([.key("l")], .put(.key("k"), value(.null))), "does not fit a list"),
      (ObservedPatch([.key("t")], .put(.index(2), value(.null))), "1 from index 2"),
      (ObservedPatch([.key("l")], .insert(index: 3, [])), "0 from index 3"),
      (ObservedPatch([.key("l")], .spliceText(index: 0, "a")), "does not fit a list"),
      (ObservedPatch([.key("t")], .spliceText(index: 3, "")), "0 from index 3"),
      (ObservedPatch([.key("l")], .deleteRange(index: 1, count: 2)), "2 from index 1"),
      (ObservedPatch([.key("t")], .deleteRange(index: .max, count: 1)), "do not fit a length of 2"),
      (ObservedPatch([.key("t")], .deleteRange(index: 1, count: .max)), "do not fit a length of 2"),
      (ObservedPatch([.key("t")], .marks([bold(1..<3)])), "2 from index 1"),
      (ObservedPatch([.key("l")], .marks([bold(1..<3)])), "2 from index 1"),
      (ObservedPatch([], .marks([bold(0..<1)])), "does not fit a map"),
      (ObservedPatch([.key("t")], .conflict(.index(2))), "1 from index 2"),
    ]
  )
  func refuses(_ patch: ObservedPatch, _ words: String) throws {
    let mismatch = #expect(throws: PatchedState.PatchMismatch.self) { try lines([patch]) }
    #expect(mismatch?.explanation.contains(words) == true, "\(mismatch?.explanation ?? "none")")
  }
}
