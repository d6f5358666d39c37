import Foundation
import ReferenceAutomerge
import Testing

/// What the guides show, as code that runs.
///
/// Corrections: `parsePath` throws, the decoder's path is labelled `from`, and `AnyCodingKey` of an
/// integer is optional.
@Suite("The guides' code")
struct GuideTests {
  struct Palette: Codable, Equatable {
    var colors: [String]
  }

  @Test("Encode, change, encode again, decode") func firstSteps() throws {
    let doc = Document()
    let encoder = AutomergeEncoder(doc: doc)
    var palette = Palette(colors: ["blue", "red"])
    try encoder.encode(palette)

    palette.colors.append("green")
    try encoder.encode(palette)

    let decoder = AutomergeDecoder(doc: doc)
    #expect(try decoder.decode(Palette.self) == palette)
  }

  struct Settings: Codable, Equatable {
    var theme: String
    var size: Int
  }

  @Test("Parts of a document are written and read by their path") func paths() throws {
    let doc = Document()
    let encoder = AutomergeEncoder(
      doc: doc,
      strategy: .createWhenNeeded,
      cautiousWrite: false,
      reportingLoglevel: .errorOnly
    )
    let settings = Settings(theme: "dark", size: 12)
    try encoder.encode(settings, at: [AnyCodingKey("settings")])
    #expect(encoder.doc === doc)

    let decoder = AutomergeDecoder(doc: doc)
    #expect(try decoder.decode(Settings.self, from: [AnyCodingKey("settings")]) == settings)

    let path = try AnyCodingKey.parsePath(".settings.theme")
    #expect(path == [AnyCodingKey("settings"), AnyCodingKey("theme")])
    #expect(try decoder.decode(String.self, from: path) == "dark")

    let index = try #require(AnyCodingKey(intValue: 0))
    try encoder.encode("first", at: [AnyCodingKey("list"), index])
    #expect(try decoder.decode([String].self, from: [AnyCodingKey("list")]) == ["first"])
    #expect(AnyCodingKey.ROOT.stringValue == "")
  }

  struct Memo: Codable, Equatable {
    let created: Date
    var title: AutomergeText
    var body: AutomergeText
    var category: String
  }

  @Test("Texts are bound by decoding, and typed into by several people") func texts() throws {
    let first = Document()
    try AutomergeEncoder(doc: first).encode(
      Memo(
        created: Date(timeIntervalSince1970: 1_700_000_000),
        title: AutomergeText("Plan"),
        body: AutomergeText("We meet on Monday."),
        category: "work"
      )
    )
    let second = first.fork()
    let mine = try AutomergeDecoder(doc: first).decode(Memo.self)
    let theirs = try AutomergeDecoder(doc: second).decode(Memo.self)
    mine.body.value = "We all meet on Monday."
    theirs.body.value = "We meet on Monday at nine."
    try first.merge(other: second)
    #expect(mine.body.value == "We all meet on Monday at nine.")
    #expect(mine.title.isBound)
  }

  struct Stats: Codable {
    var viewCount: Counter
    var likeCount: Counter
  }

  @Test("Counters add up; both spellings of a path bind one") func counters() throws {
    let doc = Document()
    try AutomergeEncoder(doc: doc).encode(Stats(viewCount: Counter(), likeCount: Counter(1)))
    let peer = doc.fork()
    let stats = try AutomergeDecoder(doc: doc).decode(Stats.self)
    stats.viewCount.increment(by: 3)
    try AutomergeDecoder(doc: peer).decode(Stats.self).viewCount.increment(by: 2)
    try doc.merge(other: peer)
    #expect(stats.viewCount.value == 5)

    let byKeys = Counter()
    try byKeys.bind(doc: doc, path: [AnyCodingKey("viewCount")])
    byKeys.increment(by: 5)
    let byText = Counter()
    try byText.bind(doc: doc, path: "viewCount")
    #expect(byText.value == 10)
    #expect(stats.viewCount.value == 10)
  }

  struct Project: Codable {
    var title: AutomergeText
    var tasks: [String]
  }

  @Test("Set up and read by models, write by the core calls") func together() throws {
    let doc = Document()
    try AutomergeEncoder(doc: doc).encode(Project(title: AutomergeText("old"), tasks: []))
    let project = try AutomergeDecoder(doc: doc).decode(Project.self)
    let title = try #require(try doc.lookupPath(path: ".title"))
    try doc.updateText(obj: title, value: "new title")
    #expect(project.title.value == "new title")
  }

  struct Event: Codable, Equatable {
    var created: Date
  }

  @Test("A date loses its fraction of a second; a time interval keeps it") func dates() throws {
    let doc = Document()
    let original = Event(created: Date(timeIntervalSince1970: 1_705_314_645.123456))
    try AutomergeEncoder(doc: doc).encode(original)
    let decoded = try AutomergeDecoder(doc: doc).decode(Event.self)
    #expect(decoded.created == Date(timeIntervalSince1970: 1_705_314_645))
    #expect(decoded != original)

    let interval = original.created.timeIntervalSince1970
    try AutomergeEncoder(doc: doc).encode(interval, at: [AnyCodingKey("precise")])
    let read = try AutomergeDecoder(doc: doc)
      .decode(TimeInterval.self, from: [AnyCodingKey("precise")])
    #expect(read == interval)
  }

  @Test("A list of several kinds, put there by a peer, is refused") func mixedList() throws {
    let doc = Document()
    let list = try doc.putObject(obj: .ROOT, key: "colors", ty: .List)
    try doc.insert(obj: list, index: 0, value: .String("blue"))
    try doc.insert(obj: list, index: 1, value: .Int(5))
    #expect(throws: DecodingError.self) { try AutomergeDecoder(doc: doc).decode(Palette.self) }
  }

  struct Flexible: Codable, Equatable {
    var name: String
    var newField: String?
  }

  @Test("Drifted documents: optionals, cautious writing, catching") func drift() throws {
    let doc = Document()
    try doc.put(obj: .ROOT, key: "name", value: .String("a"))
    #expect(
      try AutomergeDecoder(doc: doc).decode(Flexible.self) == Flexible(name: "a", newField: nil)
    )
    try doc.put(obj: .ROOT, key: "name", value: .Int(7))
    let cautious = AutomergeEncoder(doc: doc, cautiousWrite: true)
    #expect(throws: EncodingError.self) { try cautious.encode(Flexible(name: "b")) }
    var state = "model"
    do {
      _ = try AutomergeDecoder(doc: doc).decode(Flexible.self)
    } catch {
      state = "conflict"
    }
    #expect(state == "conflict")
  }

  @Test("A model of another shape than the document's is refused") func shapes() throws {
    let doc = Document()
    try AutomergeEncoder(doc: doc).encode(Palette(colors: ["blue"]))
    #expect(throws: CodingKeyLookupError.self) {
      try AutomergeEncoder(doc: doc).encode(["colors": ["blue": 1]])
    }
  }

  @Test("Every primitive has its Swift type") func primitives() throws {
    struct Primitives: Codable, Equatable {
      var none: Int?
      var flag = true
      var unsigned: UInt = 1
      var signed = -1
      var number = 1.5
      var text = "t"
      var bytes = Data([1])
      var date = Date(timeIntervalSince1970: 9)
      var counter = Counter(4)
    }
    let doc = Document()
    let model = Primitives()
    try AutomergeEncoder(doc: doc).encode(model)
    let stored = try doc.mapEntries(obj: .ROOT).map { "\($0.0) \($0.1)" }
    #expect(stored.count == 8)
    #expect(try doc.get(obj: .ROOT, key: "counter") == .Scalar(.Counter(4)))
    #expect(try doc.get(obj: .ROOT, key: "unsigned") == .Scalar(.Uint(1)))
    #expect(try AutomergeDecoder(doc: doc).decode(Primitives.self) == model)
  }

  @Test("Saved bytes are a document again") func saving() throws {
    let doc = Document()
    try AutomergeEncoder(doc: doc).encode(Palette(colors: ["blue"]))
    let loaded = try Document(doc.save())
    #expect(try AutomergeDecoder(doc: loaded).decode(Palette.self) == Palette(colors: ["blue"]))
  }
}
