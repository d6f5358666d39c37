import MergeEngine
import Testing
import Texts

@testable import Inspection

@Suite("Documents for the eye and as JSON")
struct DocumentTests {
  private let actor = ActorID([0xAB])

  private func sample() throws -> MergeDocument {
    let document = MergeDocument(actor: actor)
    try document.put(.root, .key("bytes"), .bytes([0, 0xFF, 0x10, 0x80]))
    try document.put(.root, .key("counter"), .counter(3))
    try document.increment(.root, .key("counter"), by: 4)
    try document.put(.root, .key("nan"), .double(.nan))
    try document.put(.root, .key("time"), .timestamp(-1))
    try document.put(.root, .key("big"), .uint(.max))
    try document.put(.root, .key("odd"), .unknown(code: 12, bytes: [1]))
    let text = try document.putObject(.root, .key("text"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: "a\u{1b}[0m\nb")
    let list = try document.putObject(.root, .key("a list"), .list)
    try document.insert(list, at: 0, .double(1))
    try document.insert(list, at: 1, .null)
    document.commit(message: "made", time: 1_700_000_000)
    return document
  }

  @Test("Winners are plain JSON")
  func winners() throws {
    #expect(
      try DocumentExport.winners(of: sample()).text() == #"""
        {
          "a list": [
            1.0,
            null
          ],
          "big": 18446744073709551615,
          "bytes": "AP8QgA==",
          "counter": 7,
          "nan": null,
          "odd": "AQ==",
          "text": "a\u001b[0m\nb",
          "time": "1969-12-31T23:59:59.999Z"
        }
        """#
    )
  }

  @Test("The full form has kinds, ids and conflicts")
  func full() throws {
    let left = MergeDocument(actor: ActorID([1]))
    try left.put(.root, .key("k"), .double(.infinity))
    let right = MergeDocument(actor: ActorID([2]))
    let map = try right.putObject(.root, .key("k"), .map)
    try right.put(map, .key("t"), .timestamp(1_500))
    try left.merge(right)
    let heads = left.heads.map { "\"\($0)\"" }.joined(separator: ",")
    let winner =
      #"{"kind":"timestamp","id":"2@02","value":"1970-01-01T00:00:01.500Z","milliseconds":1500}"#
    #expect(
      try DocumentExport.full(of: left).text(.compact)
        == #"{"heads":["# + heads + #"],"root":{"kind":"map","value":{"k":{"kind":"map","#
        + #""id":"1@02","value":{"t":"# + winner + #"},"conflicts":["#
        + #"{"kind":"double","id":"1@01","value":"inf"}]}}}}"#
    )
    #expect(
      try DocumentTree.lines(of: left) == [
        "document: 2 changes, 2 heads", "k: map of 1",
        "  t: timestamp 1970-01-01T00:00:01.500Z", "  over double inf (1@01)",
      ]
    )
  }

  @Test("The tree shows every kind, on one safe line each")
  func tree() throws {
    #expect(
      try DocumentTree.lines(of: sample(), characterLimit: 6) == [
        "document: 1 change, 1 head", "\"a list\": list of 2", "  [0]: double 1.0",
        "  [1]: null", "big: uint 18446744073709551615", "bytes: bytes [00ff10]... and 1 more",
        "counter: counter 7", "nan: double nan", "odd: unknown 12 [01]",
        "text: text \"a\\u{1b}[0m\\u{a}\"... and 1 more",
        "time: timestamp 1969-12-31T23:59:59.999Z",
      ]
    )
  }

  @Test("The history names who, when, why, and after what")
  func history() throws {
    let document = try sample()
    let first = try #require(document.heads.first)
    try document.put(.root, .key("k"), .null)
    document.commit(time: -1)
    let second = try #require(document.heads.first)
    #expect(
      DocumentHistory.lines(of: document) == [
        "change \(first)", "  actor ab, number 1, 18 operations from 1",
        "  time 2023-11-14T22:13:20Z", "  message \"made\"", "  after nothing", "",
        "change \(second)", "  actor ab, number 2, 1 operation from 19",
        "  time 1969-12-31T23:59:59Z", "  after \(first)",
      ]
    )
    #expect(
      DocumentHistory.tree(of: document).text(.compact).hasSuffix(
        #"{"hash":"\#(second)","actor":"ab","seq":2,"startOp":19,"ops":1,"#
          + #""time":"1969-12-31T23:59:59Z","message":null,"deps":["\#(first)"]}]"#
      )
    )
  }

  @Test("Imported JSON exports as it was; the same input gives the same bytes")
  func importing() throws {
    let text = utf8(#"{"a":[1,1.0,"s",[],{"b":null}],"u":18446744073709551615,"t":true}"#)
    func made() throws -> MergeDocument {
      try DocumentImport.document(parsing: text, actor: actor, message: "m", time: 5)
    }
    let document = try made()
    #expect(try DocumentExport.winners(of: document) == JSONValue(parsing: text).sorted)
    #expect(try made().save() == document.save())
    let change = try #require(document.changes().first)
    #expect(document.changeCount == 1)
    #expect((change.message, change.time, change.actor) == ("m", 5, actor))
    let kinds = try DocumentTree.lines(of: document).joined(separator: "\n")
    #expect(kinds.contains("[1]: double 1.0") && kinds.contains("[2]: string \"s\""))
    let texts = try DocumentImport.document(parsing: text, strings: .texts, actor: actor)
    #expect(try DocumentTree.lines(of: texts).contains("  [2]: text \"s\""))
    #expect(try DocumentExport.winners(of: texts) == JSONValue(parsing: text).sorted)
  }

  @Test("A text whose root is no object is refused, and so is what is no JSON")
  func refusals() {
    for text in ["[]", "1", "null"] {
      let error = #expect(throws: InspectionError.self) {
        try DocumentImport.document(parsing: utf8(text), actor: actor)
      }
      #expect(error == .rootIsNoObject)
    }
    let error = #expect(throws: InspectionError.self) {
      try DocumentImport.document(parsing: utf8("{"), actor: actor)
    }
    guard case .json = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("Depth is followed to the limit and refused past it")
  func depth() throws {
    for (depth, isShown) in [(JSONValue.depthLimit - 1, true), (JSONValue.depthLimit, false)] {
      let document = MergeDocument(actor: actor)
      var map = ObjectID.root
      for _ in 0..<depth { map = try document.putObject(map, .key("k"), .map) }
      let error = InspectionError.tooDeep(limit: JSONValue.depthLimit)
      for shows in [
        { _ = try DocumentExport.winners(of: document) },
        { _ = try DocumentExport.full(of: document) },
        { _ = try DocumentTree.lines(of: document) },
      ] as [() throws -> Void] {
        if isShown {
          #expect(throws: Never.self) { try shows() }
        } else {
          #expect(throws: error) { try shows() }
        }
      }
    }
  }

  @Test("Files merge in any order; contradicting ones are refused by name")
  func merging() throws {
    let left = MergeDocument(actor: ActorID([1]))
    try left.put(.root, .key("l"), .int(1))
    let right = MergeDocument(actor: ActorID([2]))
    try right.put(.root, .key("r"), .int(2))
    let (one, two) = (("l", left.save()), ("r", right.save()))
    let merged = try DocumentFile.merge([one, two])
    #expect(try DocumentExport.winners(of: merged).text(.compact) == #"{"l":1,"r":2}"#)
    #expect(try DocumentFile.merge([two, one]).heads == merged.heads)
    let other = MergeDocument(actor: ActorID([1]))
    try other.put(.root, .key("x"), .int(1))
    let error = #expect(throws: InspectionError.self) {
      try DocumentFile.merge([one, ("o", other.save())])
    }
    guard case .contradicting("o", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("Merged files keep the changes that wait for others, and release them")
  func mergingWaitingChanges() throws {
    let writer = MergeDocument(actor: ActorID([1]))
    var changes: [[UInt8]] = []
    for number in 1...3 {
      try writer.put(.root, .key("k\(number)"), .int(Int64(number)))
      writer.commit()
      changes.append(writer.saveIncremental())
    }
    let waiting = MergeDocument(actor: ActorID([2]))
    try waiting.applyChanges([changes[2]])
    let late = (name: "late", bytes: waiting.save())
    let first = (name: "first", bytes: changes[0])
    let held = try DocumentFile.merge([first, late])
    #expect(held.waitingCount == 1)
    let all = [(name: "held", bytes: held.save()), (name: "second", bytes: changes[1])]
    for files in [all, all.reversed(), [late, all[1], first]] {
      #expect(try DocumentFile.merge(files).heads == writer.heads)
    }
  }

  @Test(
    "Instants are exact over all of 64 bits",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
      (-86_400_000, "1969-12-31T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
      (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
      (.max, "+292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
    ] as [(Int64, String)]
  )
  func instants(_ count: Int64, _ text: String) {
    #expect(InstantText.milliseconds(count) == text)
  }

  @Test("Seconds beyond every calendar do not trap")
  func extremes() {
    #expect(InstantText.seconds(.max).hasSuffix("-12-04T15:30:07Z"))
    #expect(InstantText.seconds(.min).hasPrefix("-"))
  }
}
