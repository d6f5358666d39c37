import DocumentModel
import Histories
import Testing
import Texts

@testable import ForeignSubjects

/// Samples that name every case of the vocabulary.
enum Samples {
  /// Every kind, and of each the values that other languages' JSON and numbers trip over.
  static let scalars: [Scalar] = [
    .null, .boolean(true), .boolean(false), .int(.min), .int(.max), .int(-1), .int((1 << 53) + 1),
    .uint(.max), .uint(0), .float(0), .float(-0.0), .float(.infinity), .float(.pi),
    .float(Double(bitPattern: 0xfff8_0000_dead_beef)), .float(Double(bitPattern: 1)), .string(""),
    .string("\u{0}\u{1f}\u{7f}\"\\/\n\r\u{2028}"), .string("e\u{301}"), .string("\u{e9}"),
    .string("\u{10ffff}\u{d7ff}\u{e000}\u{feff}"), .string("👩‍👩‍👧 אב"), .bytes([]),
    .bytes([0, 255, 10]),
    .counter(.min), .counter(.max), .timestamp(-86_400_001), .timestamp(.max),
    .unknown(typeCode: 15, bytes: [1, 2]), .unknown(typeCode: 255, bytes: []),
  ]

  static let edits: [Edit<ObjectName>] =
    scalars.map { .put(.root, .key("k"), $0) } + [
      .put(ObjectName(3), .index(4), .int(1)), .put(.root, .key(""), .null),
      .putObject(.root, .key("e\u{301}"), .map), .putObject(ObjectName(2), .index(0), .text),
      .insert(ObjectName(2), index: 1 << 30, .counter(0)),
      .insertObject(ObjectName(2), index: 0, .list), .delete(.root, .key("\"")),
      .delete(ObjectName(1), .index(7)), .increment(.root, .key("n"), by: .min),
      .increment(ObjectName(1), .index(0), by: .max),
      .splice(ObjectName(1), index: 0, deleting: 3, inserting: scalars),
      .splice(ObjectName(1), index: 2, deleting: 0, inserting: []),
      .spliceText(ObjectName(2), index: 5, deleting: 1, inserting: "a\u{0}\u{1F600}"),
      .mark(ObjectName(2), Marking(1, to: 4, "b", .boolean(true), expand: .after)),
      .mark(ObjectName(2), Marking(0, to: 0, "", .null, expand: .none)),
    ]

  static let instructions: [Instruction] =
    Base.allCases.map { .base(document: 4, $0) }
    + edits.map { .edit(document: 1, $0, makes: $0.madeKind.map { _ in ObjectName(9) }) } + [
      .create(document: 0, ActorID(repeating: 0xfe)), .commit(document: 1),
      .fork(document: 2, from: 0, ActorID(repeating: 1)), .merge(document: 0, from: 2),
      .send(message: 1, from: 0, to: 2, .changes, .unsent),
      .send(message: 2, from: 0, to: 2, .document, .missing),
      .send(message: 3, from: 0, to: 2, .merge, .unsent),
      .deliver(message: 1, document: 2, part: 0), .deliver(message: 2, document: 2, part: nil),
      .deliverReversed(message: 1, document: 2),
      .save(document: 0, slot: Lowering.firstFreeSlot),
      .load(document: 0, slot: 16, ActorID(repeating: 9)), .observe(document: 0),
      .remember(document: 0, mark: 1), .recall(document: 0, mark: 1),
      .sync(document: 0, with: 1, []), .sync(document: 3, with: 4, SyncFate.allCases),
      .call(document: 1, .cursor(2, ObjectName(3), index: 4, .before)),
      .call(document: 0, .position(2)), .call(document: 1, .positionAt(2, mark: 5)),
      .call(document: 3, .cursorAt(4, index: 6, mark: 5)),
      .call(document: 2, .difference(from: 1, to: 3)),
    ]

  private static func id(_ counter: UInt32) -> OpID {
    OpID(counter: counter, actor: ActorID(repeating: UInt8(counter % 7)))
  }

  private static func winner(
    _ content: ObservedValue.Content,
    _ id: OpID? = nil
  ) -> ObservedRegister {
    ObservedRegister(values: [ObservedValue(id: id, content: content)], isComplete: false)
  }

  /// With everything that an observation can hold, and with everything absent that can be.
  static let observations: [Observation] = {
    let text = ObservedObject(
      id: .made(id(9)),
      content: .text("a\u{301}", length: 2, elements: [winner(.scalar(.string("a")), id(10))]),
      marks: [
        ObservedMark(name: "", value: .boolean(true), range: 0..<1),
        ObservedMark(name: "b", value: .unknown(typeCode: 15, bytes: [1]), range: 1..<2),
      ]
    )
    let bare = ObservedObject(id: nil, content: .text("", length: 0, elements: nil))
    let all = ObservedRegister(
      values: scalars.enumerated().map {
        ObservedValue(id: id(UInt32($0 + 1)), content: .scalar($1))
      } + [
        ObservedValue(id: id(40), content: .object(text)),
        ObservedValue(id: id(.max), content: .hidden(.counter)),
      ],
      isComplete: true
    )
    let list = ObservedObject(
      id: .made(id(8)),
      content: .list([all, winner(.object(bare)), winner(.hidden(.unknown))])
    )
    let entries = [
      ObservedObject.Entry(key: "", register: winner(.scalar(.null))),
      ObservedObject.Entry(key: "e\u{301}", register: winner(.object(list), id(8))),
      ObservedObject.Entry(key: "\u{e9}", register: all),
    ]
    return [
      Observation(
        root: ObservedObject(id: .root, content: .map(entries)),
        heads: ObservedHeads(scheme: "automerge", ids: ["b", "a"])
      ),
      Observation(root: ObservedObject(id: nil, content: .map([]))),
      Observation(
        root: ObservedObject(id: nil, content: .list([])),
        heads: ObservedHeads(scheme: "own", ids: [])
      ),
    ]
  }()

  /// Every action, and values as in the observations.
  static let patches: [ObservedPatch] = {
    let values = scalars.map { ObservedValue(id: nil, content: .scalar($0)) }
    let empty = ObjectKind.allCases.map { kind in
      ObservedValue(
        id: id(7),
        content: .object(ObservedObject(empty: kind, id: .made(id(7))))
      )
    }
    let mark = ObservedMark(name: "b", value: .null, range: 2..<9)
    return [
      ObservedPatch([], .put(.key("k"), ObservedValue(id: nil, content: .hidden(.counter)))),
      ObservedPatch([.key("e\u{301}"), .index(0)], .insert(index: 3, values + empty)),
      ObservedPatch([.index(0)], .insert(index: 0, [])),
      ObservedPatch([.key("")], .spliceText(index: 0, "a\u{0}\u{1F600}")),
      ObservedPatch([], .increment(.key("n"), by: .min)),
      ObservedPatch([.key("l")], .increment(.index(4), by: .max)),
      ObservedPatch([.key("l")], .conflict(.index(4))),
      ObservedPatch([], .deleteKey("\"")),
      ObservedPatch([.key("l")], .deleteRange(index: 1 << 30, count: 0)),
      ObservedPatch([.key("l")], .marks([mark])),
      ObservedPatch(Array(repeating: .index(0), count: 128), .marks([])),
    ]
  }()

  static let outcomes: [Outcome] =
    [
      .done, .edited(EditEffect()), .edited(EditEffect(made: .made(id(5)))),
      .edited(EditEffect(made: .made(id(5)), replaced: [id(1), id(2)], written: [id(5)])),
      .edited(EditEffect(made: nil, replaced: [], written: [id(5)])), .refused(""),
      .refused("there is no \"x\"\n"), .failed("\u{1F600}"), .sent(parts: 0), .sent(parts: 12),
      .synced(SyncReport(rounds: 3, repeats: nil)), .synced(SyncReport(rounds: 0, repeats: 2)),
      .saved(nil), .saved([]), .saved([0, 1, 255]), .cursor(.end),
      .cursor(.element(id(3), .before)), .cursor(.element(id(4), .after)), .position(nil),
      .position(7), .patches([]), .patches(patches),
    ] + observations.map { .observed($0) }
}

@Suite("Line protocol")
struct LineProtocolTests {
  @Test("Every instruction reads back as it was written")
  func roundTripsInstructions() throws {
    for instruction in Samples.instructions {
      let line = LineProtocol.line(.run(Program([instruction])), number: 3)
      #expect(line.last == 10 && !line.dropLast().contains(10))
      let json = try JSONValue(parsing: line)
      #expect(json["n"] == .int(3))
      let program = try ProgramReader.program(try #require(json["run"]))
      #expect(program == Program([instruction]))
    }
  }

  @Test("Every outcome is read as it was written")
  func roundTripsOutcomes() throws {
    for outcome in Samples.outcomes {
      let line = TranscriptWriter.line(Transcript(outcomes: [outcome]), number: 7)
      let transcript = try LineProtocol.transcript(line, number: 7, count: 1)
      #expect(transcript.outcomes == [outcome])
    }
    let all = Transcript(outcomes: Samples.outcomes)
    let line = TranscriptWriter.line(all, number: 1)
    #expect(try LineProtocol.transcript(line, number: 1, count: all.outcomes.count) == all)
  }

  @Test("The other requests are what the description says")
  func writesRequests() {
    func text(_ request: LineProtocol.Request) -> String {
      String(decoding: LineProtocol.line(request, number: 12), as: UTF8.self)
    }
    #expect(text(.start) == "{\"n\":12,\"start\":{\"protocol\":1}}\n")
    #expect(text(.ping) == "{\"n\":12,\"ping\":{}}\n")
    #expect(text(.stop) == "{\"n\":12,\"stop\":{}}\n")
    #expect(text(.run(Program())) == "{\"n\":12,\"run\":[]}\n")
  }

  @Test("An introduction states what the adapter can do")
  func readsIntroduction() throws {
    let line = #"""
      {"n":1,"started":{"protocol":1,"id":"loro","version":"1.5","capabilities":{"edits":["put"],
      "objects":["map"],"transports":[],"features":["heads","save"]}}}
      """#
    let introduction = try LineProtocol.introduction(Array(line.utf8), number: 1)
    #expect(introduction.id == "loro")
    #expect(introduction.version == "1.5")
    #expect(
      introduction.capabilities
        == Capabilities(
          edits: [.put],
          objects: [.map],
          scalars: [],
          transports: [],
          features: [.heads, .save]
        )
    )
  }

  @Test("Every capability has the name that it is written with")
  func readsAllCapabilities() throws {
    let line = """
      {"n":1,"started":{"protocol":1,"id":"all","version":"","capabilities":{
      "edits":\(EditKind.allCases.map(\.rawValue)),"objects":\(ObjectKind.allCases.map(\.rawValue)),
      "scalars":\(ScalarKind.allCases.map(\.rawValue)),
      "transports":\(Transport.allCases.map(\.rawValue)),
      "features":\(Feature.allCases.map(\.rawValue))}}}
      """
    #expect(try LineProtocol.introduction(Array(line.utf8), number: 1).capabilities == .all)
  }

  @Test(
    "A malformed answer is refused in words that name the place",
    arguments: [
      ("", "a JSON object, found unreadable JSON at byte 0: expected a value"),
      ("{", "unreadable JSON at byte 1: expected a key in quotes"),
      ("[]", "a JSON object, found an array of 0"),
      ("\u{feff}{}", "unreadable JSON at byte 0: a byte order mark before the text"),
      (#"{"n":1,"ran":[true]}"#, "outcome 0: expected an outcome, found a boolean"),
      (#"{"n":1.0,"ran":[]}"#, "a request's number, found a number with a point"),
      (#"{"ran":[]}"#, #"a member "n" of an answer, found none"#),
      (#"{"n":"1","ran":[]}"#, "a request's number, found a string"),
      (
        #"{"n":99999999999999999999,"ran":[]}"#,
        "at byte 5: 64 bits do not hold 99999999999999999999"
      ),
      (#"{"n":1,"run":[]}"#, #"a member "ran" of an answer"#),
      (#"{"n":1,"ran":{}}"#, "an array of outcomes, found an object"),
      (#"{"n":1,"ran":[]}"#, "expected 1 outcomes, found 0"),
      (#"{"n":1,"ran":[["done"],["done"]]}"#, "expected 1 outcomes, found 2"),
      (#"{"n":1,"ran":["done"]}"#, "outcome 0: expected an outcome, found a string"),
      (#"{"n":1,"ran":[[]]}"#, "outcome 0: expected an outcome, found an array of 0"),
      (#"{"n":1,"ran":[["well"]]}"#, "an unknown outcome"),
      (#"{"n":1,"ran":[["done",1]]}"#, "or one with 1 parts"),
      (#"{"n":1,"ran":[[1]]}"#, "an outcome's name, found a number"),
      (#"{"n":1,"ran":[["sent",-1]]}"#, "a number of parts, found the number -1"),
      (#"{"n":1,"ran":[["sent",4294967296]]}"#, "found the number 4294967296"),
      (#"{"n":1,"ran":[["saved","0"]]}"#, "bytes in hexadecimal, found another string"),
      (#"{"n":1,"ran":[["edited","5"]]}"#, "an object's id, found another string"),
      (#"{"n":1,"ran":[["edited",null,["_root"]]]}"#, "an operation id, found another string"),
      (#"{"n":1,"ran":[["edited",null,[],[],[]]]}"#, "or one with 4 parts"),
      (#"{"n":1,"ran":[["observed",{}]]}"#, #"a member "root" of an observation"#),
      (#"{"n":1,"ran":[["observed",{"root":{}}]]}"#, "a map, a list or a text"),
      (#"{"n":1,"ran":[["observed",{"root":{"text":"a"}}]]}"#, #"a member "length" of a text"#),
      (#"{"n":1,"ran":[["observed",{"root":{"text":"a","length":-1}}]]}"#, "found the number -1"),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[[]]}}]]}"#, "a register of at least one value"),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[[null]]}}]]}"#, "an id, a kind and a text"),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[[5,"null"]]}}]]}"#, "an operation id or null"),
      (
        #"{"n":1,"ran":[["observed",{"root":{"list":[[null,"money","1"]]}}]]}"#,
        #"a kind of scalar, found "money". There are null, boolean, int, "#
      ),
      (
        #"{"n":1,"ran":[["observed",{"root":{"list":[[null,"integer","1"]]}}]]}"#,
        #"a kind of scalar, found "integer". Did you mean 'int'?"#
      ),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[[null,"int",1]]}}]]}"#, "found a number"),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[[null,"int","01"]]}}]]}"#, "of its kind"),
      (
        #"{"n":1,"ran":[["observed",{"root":{"list":[[null,"int","9223372036854775808"]]}}]]}"#,
        "kind"
      ),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[[null,"uint","-1"]]}}]]}"#, "of its kind"),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[[null,"boolean","True"]]}}]]}"#, "of its kind"),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[[null,"float","00"]]}}]]}"#, "of its kind"),
      (
        #"{"n":1,"ran":[["observed",{"root":{"list":[[null,"unknown","256","00"]]}}]]}"#,
        "type code"
      ),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[[null,"null","x"]]}}]]}"#, "of its kind"),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[[null,"hidden","x"]]}}]]}"#, "kind of scalar"),
      (#"{"n":1,"ran":[["observed",{"root":{"list":[["1@zz","null"]]}}]]}"#, "operation id"),
      (
        #"{"n":1,"ran":[["observed",{"root":{"list":[["4294967296@01","null"]]}}]]}"#,
        "operation id"
      ),
      (
        #"{"n":1,"ran":[["observed",{"root":{"list":[[["2@01","null"],["1@01","null"]]]}}]]}"#,
        "values ascending by id"
      ),
      (
        #"{"n":1,"ran":[["observed",{"root":{"map":[["b",[null,"null"]],["a",[null,"null"]]]}}]]}"#,
        "keys ascending"
      ),
      (
        #"{"n":1,"ran":[["observed",{"root":{"map":[["a",[null,"null"]],["a",[null,"null"]]]}}]]}"#,
        "keys ascending"
      ),
      (#"{"n":1,"ran":[["observed",{"root":{"map":[["a"]]}}]]}"#, "a key and its register"),
      (#"{"n":1,"ran":[["observed",{"root":{"map":[]},"heads":[]}]]}"#, "the scheme first"),
      (#"{"n":1,"ran":[["patches"]]}"#, "or one with 0 parts"),
      (#"{"n":1,"ran":[["patches",[["put",[]]]]]}"#, "an action, a path and its parts"),
      (#"{"n":1,"ran":[["patches",[["fly",[],"k"]]]]}"#, "a patch's action with its parts"),
      (#"{"n":1,"ran":[["patches",[["put",[],"k"]]]]}"#, "or one with 2 parts"),
      (#"{"n":1,"ran":[["patches",[["put",{},"k",[null,"null"]]]]]}"#, "a path of keys"),
      (#"{"n":1,"ran":[["patches",[["conflict",[-1],"k"]]]]}"#, "a key or a position"),
      (#"{"n":1,"ran":[["patches",[["insert",[],0,[["1@01"]]]]]]}"#, "an id, a kind and a text"),
      (#"{"n":1,"ran":[["patches",[["deleteRange",[],0,-1]]]]}"#, "found the number -1"),
      (#"{"n":1,"ran":[["patches",[["increment",[],"k","+1"]]]]}"#, "an amount"),
      (#"{"n":1,"ran":[["patches",[["marks",[],[[2,2,"b","null"]]]]]]}"#, "the end of a mark"),
      (
        #"{"n":1,"ran":[["patches",[["conflict",\#(Array(repeating: 0, count: 129)),0]]]]}"#,
        "a path of at most 128 slots"
      ),
      (
        "{\"n\":1,\"ran\":[[\"refused\",\"\\ud800\"]]}",
        "a JSON object, found unreadable JSON at byte 26: half of a surrogate pair"
      ),
    ]
  )
  func refuses(_ line: String, _ words: String) throws {
    let error = #expect(throws: AnswerError.self) {
      try LineProtocol.transcript(Array(line.utf8), number: 1, count: 1)
    }
    let description = try #require(error?.description)
    #expect(description.contains(words), "\(description)")
  }

  @Test("An answer to another request is refused as that")
  func otherRequest() throws {
    let error = #expect(throws: LineProtocol.OtherRequest.self) {
      try LineProtocol.transcript(Array(#"{"n":2,"ran":[]}"#.utf8), number: 1, count: 1)
    }
    #expect(error?.description == "expected the answer to request 1, found one to request 2")
  }

  @Test("Nesting up to the limit is read, one level more is refused")
  func limitsNesting() throws {
    func line(depth: Int) -> [UInt8] {
      let inner = depth - 3
      let nested = String(repeating: "[", count: inner) + String(repeating: "]", count: inner)
      return Array("{\"n\":1,\"ran\":[[\"saved\",\(nested)]]}".utf8)
    }
    let atLimit = #expect(throws: AnswerError.self) {
      try LineProtocol.transcript(line(depth: JSONValue.depthLimit), number: 1, count: 1)
    }
    #expect(atLimit?.found == "an array of 1")
    let beyond = #expect(throws: AnswerError.self) {
      try LineProtocol.transcript(line(depth: JSONValue.depthLimit + 1), number: 1, count: 1)
    }
    #expect(beyond?.found == "unreadable JSON at byte 520: nesting deeper than 500 levels")
  }

  @Test(
    "A string is what it says, in whatever form a language's printer escapes it",
    arguments: [
      "\u{feff}a\u{e9}\u{1f600}", #"\ufeffa\u00e9\ud83d\ude00"#, #"\uFEFF\u0061\u00E9\uD83D\uDE00"#,
    ]
  )
  func escaping(_ form: String) throws {
    let line =
      #"{"n":1,"ran":[["observed",{"root":{"map":[["\#(form)",[null,"string","\#(form)"]]]}}]]}"#
    let transcript = try LineProtocol.transcript(Array(line.utf8), number: 1, count: 1)
    let due = ExactString("\u{feff}a\u{e9}\u{1f600}")
    guard case .observed(let observation) = transcript.outcomes[0],
      case .map(let entries) = observation.root.content
    else {
      Issue.record("\(transcript)")
      return
    }
    #expect(entries.map(\.key) == [due])
    #expect(entries.first?.register.values.map(\.content) == [.scalar(.string(due))])
  }
}
