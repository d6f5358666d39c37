import Testing

@testable import MergeEngine

/// What a view and a loaded document are asked, as words: a scalar that is no number equals itself there.
enum Answers {
  /// All that can be asked of an object.
  static func of(
    _ object: ObjectID,
    _ document: MergeDocument
  ) -> [String] {
    var answers: [String] = []
    func note<Answer>(_ answer: () throws(EditError) -> Answer) {
      do throws(EditError) {
        answers.append("\(try answer())")
      } catch {
        answers.append("\(error)")
      }
    }
    let length = (try? document.length(object)) ?? 0
    note { () throws(EditError) in try document.kind(of: object) }
    note { () throws(EditError) in try document.length(object) }
    note { () throws(EditError) in try document.text(object) }
    note { () throws(EditError) in try document.keys(object) }
    note { () throws(EditError) in
      try document.mapEntries(object).map { "\($0.key) \($0.entry)" }
    }
    note { () throws(EditError) in try document.values(object) }
    note { () throws(EditError) in try document.elementIDs(object) }
    for prop in props(length, (try? document.keys(object)) ?? []) {
      note { () throws(EditError) in try document.get(object, prop) }
      note { () throws(EditError) in try document.getAll(object, prop) }
    }
    return answers
  }

  /// The same of a view.
  static func of(_ object: ObjectID, _ view: SavedView) throws(ReadError) -> [String] {
    var answers: [String] = []
    func note<Answer>(_ answer: () throws(ReadError) -> Answer) throws(ReadError) {
      do throws(ReadError) {
        answers.append("\(try answer())")
      } catch .refused(let error) {
        answers.append("\(error)")
      } catch {
        throw error
      }
    }
    try note { () throws(ReadError) in try view.kind(of: object) }
    try note { () throws(ReadError) in try view.length(object) }
    try note { () throws(ReadError) in try view.text(object) }
    try note { () throws(ReadError) in try view.keys(object) }
    try note { () throws(ReadError) in
      try view.mapEntries(object).map { "\($0.key) \($0.entry)" }
    }
    try note { () throws(ReadError) in try view.values(object) }
    try note { () throws(ReadError) in try view.elementIDs(object) }
    let (length, keys) = (try? view.length(object), try? view.keys(object))
    for prop in props(length ?? 0, keys ?? []) {
      try note { () throws(ReadError) in try view.get(object, prop) }
      try note { () throws(ReadError) in try view.getAll(object, prop) }
    }
    return answers
  }

  /// Every key, and places within and around, but of long texts some alone.
  private static func props(_ length: Int, _ keys: [String]) -> [Prop] {
    let step = max(1, length / 200)
    let indexes = Array(stride(from: -1, through: length + 1, by: step)) + [length - 1, length]
    return (keys + ["", "absent", "\u{FFFC}"]).map(Prop.key) + indexes.map(Prop.index)
  }

  /// All objects, those that are hidden, too; and one that does not exist.
  static func objects(of document: MergeDocument) -> [ObjectID] {
    document.core.objects.handles.map { document.core.publicID(ofObject: $0) }
      + [ObjectID(OpID(counter: 4_000_000_000, actor: actor(77)))]
  }
}

/// Random documents of everything that there is.
enum RichHistory {
  private static let words = [
    "a", "é", "€", "😀", "👨‍👩‍👧", "e\u{301}", "\r\n", "bcd", "\u{FFFC}", "ж", "\u{301}", "éé",
  ]

  static func run(_ seed: UInt64) throws -> MergeDocument {
    var random = SplitMix(seed)
    let first = MergeDocument(actor: actor(UInt8(1 + seed % 5)), unit: unit(seed))
    for (key, kind) in [("t", ObjectKind.text), ("l", .list), ("m", .map), ("s", .table)] {
      let object = try first.putObject(.root, .key(key), kind)
      if kind == .text {
        try first.spliceText(object, at: 0, delete: 0, insert: "some letters to begin with")
      }
    }
    first.commit()
    var replicas = [first]
    for number in UInt8(0)..<UInt8(seed % 3) {
      replicas.append(first.fork(actor: actor(6 + number &* 100)))
    }
    for step in 0..<60 {
      let place = random.below(replicas.count)
      try edit(replicas[place], &random)
      if random.below(3) > 0 { replicas[place].commit() }
      if step % 9 == 8 { try replicas[place].merge(replicas[random.below(replicas.count)]) }
    }
    for other in replicas.dropFirst() { try first.merge(other) }
    return first
  }

  static func unit(_ seed: UInt64) -> TextUnit {
    [TextUnit.scalar, .utf8, .utf16, .grapheme][Int(seed / 3 % 4)]
  }

  private static func edit(_ document: MergeDocument, _ random: inout SplitMix) throws {
    let all = document.core.objects.handles.map { document.core.publicID(ofObject: $0) }
    let object = all[random.below(all.count)]
    let kind = try document.kind(of: object)
    guard kind.isSequence else {
      let prop = Prop.key(["k", "n", "é", "a", ""][random.below(5)])
      return try write(document, object, prop, inserts: false, &random)
    }
    let length = try document.length(object)
    if kind == .text && random.below(3) > 0 {
      // Another width than one may lie behind each place: what is refused changes nothing.
      let at = random.below(length + 1)
      if length > 2 && random.below(4) == 0 {
        let expand = [MarkExpansion.before, .after, .both, .none][random.below(4)]
        try? document.mark(
          object,
          at..<min(length, at + 3),
          expand: expand,
          name: "bold",
          value: .bool(true)
        )
      }
      let count = random.below(3)
      let word = words[random.below(words.count)]
      try? document.spliceText(object, at: at, delete: count, insert: word)
      return
    }
    let inserts = length == 0 || random.below(2) == 0
    let at = random.below(inserts ? length + 1 : length)
    try? write(document, object, .index(at), inserts: inserts, &random)
  }

  private static func write(
    _ document: MergeDocument,
    _ object: ObjectID,
    _ prop: Prop,
    inserts: Bool,
    _ random: inout SplitMix
  ) throws {
    let kinds = [ObjectKind.map, .list, .text, .table]
    if !inserts {
      switch random.below(6) {
      case 0: return try document.delete(object, prop)
      case 1:
        // Only what shows a counter can be incremented.
        try? document.increment(object, prop, by: Int64(random.below(9)) - 4)
        return
      case 2: _ = try document.putObject(object, prop, kinds[random.below(4)])
      default: try document.put(object, prop, scalar(&random))
      }
      return
    }
    guard case .index(let index) = prop else { return }
    if random.below(5) == 0 {
      _ = try document.insertObject(object, at: index, kinds[random.below(4)])
    } else if random.below(3) == 0 {
      let value = scalar(&random)
      let values = Array(repeating: value, count: 1 + random.below(5))
      try document.splice(object, at: index, delete: random.below(3), insert: values)
    } else {
      try document.insert(object, at: index, scalar(&random))
    }
  }

  private static func scalar(_ random: inout SplitMix) -> Scalar {
    switch random.below(14) {
    case 0: .null
    case 1: .bool(random.below(2) == 0)
    case 2: .uint(random.next())
    case 3: .int(Int64(bitPattern: random.next()))
    case 4: .double([0, -0.0, .nan, .infinity, 1.5][random.below(5)])
    case 5: .bytes(Array(repeating: 7, count: random.below(4)))
    case 6: .timestamp(Int64(random.below(1000)) - 500)
    case 7: .unknown(code: UInt8(10 + random.below(6)), bytes: [1, 2])
    case 8: .string(words[random.below(words.count)])
    case 9: .string("")
    default: .counter(Int64(random.below(100)))
    }
  }
}

@Suite("Views of saved documents")
struct SavedViewTests {
  /// Asks a view and a loaded document the same; the objects in three orders.
  private func compare(
    _ bytes: [UInt8],
    unit: TextUnit = .scalar,
    loads: Bool = false
  ) throws {
    let document = try MergeDocument(loading: bytes, actor: actor(9), unit: unit)
    let objects = Answers.objects(of: document)
    let expected = Dictionary(
      uniqueKeysWithValues: objects.map { ($0, Answers.of($0, document)) }
    )
    var random = SplitMix(UInt64(bytes.count))
    for order in [objects, objects.reversed(), objects.filter { _ in random.below(2) == 0 }] {
      let view = try SavedView(bytes, unit: unit)
      #expect(view.isLoaded == loads)
      for object in order {
        // Without the hint of the loaded document in every second question.
        let asked = object.opID.map { random.below(2) == 0 ? ObjectID($0) : object } ?? object
        #expect(try Answers.of(asked, view) == expected[object])
      }
      #expect(view.isLoaded == loads)
      #expect(try view.document(actor: actor(9)).heads == document.heads)
    }
  }

  @Test(
    "A view answers as the loaded document does, for the fixtures",
    arguments: [
      "automerge-paper-1-change", "automerge-paper-259778-changes", "friendsforever", "clownschool",
    ]
  )
  func fixtures(_ name: String) throws {
    let bytes = try Fixtures.bytes("documents/\(name).automerge")
    let document = try MergeDocument(loading: bytes, actor: actor(9))
    let view = try SavedView(bytes)
    #expect(!view.isLoaded)
    let entry = try #require(try view.mapEntries(.root).first?.entry)
    guard case .object(let text, .text) = entry.value else {
      Issue.record("no text")
      return
    }
    #expect(try Array(view.text(text).utf8) == Array(document.text(text).utf8))
    #expect(try Answers.of(.root, view) == Answers.of(.root, document))
    #expect(try Answers.of(text, view) == Answers.of(text, document))
    #expect(!view.isLoaded)
  }

  @Test("The same for the small documents and the vectors")
  func vectors() throws {
    #expect(Damage.corpus.count == 32)
    for bytes in Damage.corpus { try compare(bytes) }
    var compared = 0
    for vector in Vector.all {
      let bytes = try Fixtures.bytes("vectors/\(vector.file)")
      let first = bytes.count > 8 ? bytes[8] : 1
      guard vector.isAccepted else {
        let refusal = #expect(throws: ChunkError.self) {
          try MergeDocument(loading: bytes, actor: actor(9))
        }
        // What a view does not look at may pass; what it refuses a load refuses alike.
        do throws(ChunkError) { _ = try SavedView(bytes) } catch { #expect(error == refusal) }
        continue
      }
      let survey = ChunkSurvey(bytes)
      let isOneDocument = survey.chunks.count == 1 && first == ChunkFrame.document
      try compare(bytes, loads: !isOneDocument)
      compared += 1
    }
    #expect(compared > 40)
  }

  /// Random documents of everything; release builds can afford more.
  private static var seedCount: UInt64 {
    #if DEBUG
    120
    #else
    1_000
    #endif
  }

  @Test("The same for random documents, by all units")
  func random() throws {
    for seed in 1...Self.seedCount {
      let document = try RichHistory.run(seed)
      let unit = RichHistory.unit(seed)
      let compressed = seed % 2 == 0
      try compare(document.save(compressed: compressed), unit: unit)
    }
    for seed in UInt64(1)...40 { try compare(try TinyHistory.run(seed)[0].save()) }
  }

  @Test("The same for many objects, read in any order")
  func manyObjects() throws {
    let document = MergeDocument(actor: actor(1))
    let list = try document.putObject(.root, .key("records"), .list)
    var random = SplitMix(3)
    for index in 0..<3_000 {
      let record = try document.insertObject(list, at: index, .map)
      try document.put(record, .key("name"), .string("record \(index)"))
      try document.put(record, .key("n"), .counter(Int64(index)))
      if index % 3 == 0 { try document.increment(record, .key("n"), by: 5) }
      if index % 7 == 0 { try document.put(record, .key("name"), .string("again")) }
    }
    let bytes = document.save()
    let loaded = try MergeDocument(loading: bytes, actor: actor(2))
    let view = try SavedView(bytes)
    let records = try loaded.values(list)
    #expect(try view.values(list) == records)
    for _ in 0..<600 {
      let record = records[random.below(records.count)]
      guard case .object(let id, .map) = record.value else { continue }
      #expect(try Answers.of(id, view) == Answers.of(id, loaded))
    }
    #expect(!view.isLoaded)
  }

  @Test("Changes behind the document are loaded, and seen")
  func incremental() throws {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("t"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: "abc")
    let saved = document.save()
    try document.spliceText(text, at: 1, delete: 1, insert: "xyz")
    let appended = saved + document.saveIncremental()
    try compare(saved)
    try compare(appended, loads: true)
    #expect(try SavedView(appended).text(text) == "axyzc")
    #expect(try SavedView([]).keys(.root) == [])
    let changes = document.changeBytes().flatMap(\.self)
    #expect(try SavedView(changes).text(text) == "axyzc")
  }

  // MARK: Damage

  /// Asks a view everything; what a load accepts must be answered alike.
  private func check(_ bytes: [UInt8], _ reasons: inout Set<String>) throws {
    let loaded = try? MergeDocument(loading: bytes, actor: actor(9))
    do throws(ChunkError) {
      let view = try SavedView(bytes)
      do throws(ReadError) {
        if let loaded {
          for object in Answers.objects(of: loaded) {
            #expect(try Answers.of(object, view) == Answers.of(object, loaded))
          }
        } else {
          _ = try walk(.root, view)
        }
      } catch .damaged(let error) {
        reasons.insert("\(error.reason)".prefix { $0 != "(" }.description)
        #expect(loaded == nil, "\(error)")
      } catch {
        Issue.record("\(error)")
      }
    } catch {
      reasons.insert("\(error.reason)".prefix { $0 != "(" }.description)
      #expect(loaded == nil, "\(error)")
    }
  }

  /// Asks all objects below one, each once for every place that shows it.
  private func walk(_ object: ObjectID, _ view: SavedView) throws(ReadError) {
    _ = try Answers.of(object, view)
    for entry in try view.values(object) {
      if case .object(let id, _) = entry.value { try walk(id, view) }
    }
  }

  /// The same content with its checksum.
  private func repaired(_ content: [UInt8]) -> [UInt8] {
    withView(of: content) { view in
      var output = Arena<UInt8>()
      appendChunk(type: ChunkFrame.document, view, to: &output)
      return output.view.array
    }
  }

  /// A small document with a bit of everything, plain columns and deflated ones.
  private func samples() throws -> [[UInt8]] {
    let document = MergeDocument(actor: ActorID([1]))
    let text = try document.putObject(.root, .key("t"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: "hé😀llo")
    try document.put(.root, .key("c"), .counter(3))
    let list = try document.putObject(.root, .key("l"), .list)
    let values: [Scalar] = [.int(1), .null, .counter(5), .string("x")]
    try document.splice(list, at: 0, delete: 0, insert: values)
    let fork = document.fork(actor: ActorID([2]))
    try document.increment(.root, .key("c"), by: 2)
    try fork.increment(.root, .key("c"), by: 4)
    try fork.put(list, .index(0), .int(9))
    try document.put(list, .index(0), .bool(true))
    try document.increment(list, .index(2), by: 1)
    try document.mark(text, 1..<3, expand: .after, name: "b", value: .int(1))
    try document.spliceText(text, at: 4, delete: 2)
    try document.merge(fork)
    return [document.save(), try RichHistory.run(5).save(), try RichHistory.run(8).save()]
  }

  @Test("A byte that is changed is refused by the checksum, or is an answer behind a repaired one")
  func everyByte() throws {
    var reasons: Set<String> = []
    for (number, file) in try samples().enumerated() {
      let content = content(of: file)
      for at in file.indices {
        var damaged = file
        damaged[at] ^= 0x10
        #expect(throws: ChunkError.self, "byte \(at)") { try SavedView(damaged) }
      }
      for at in content.indices {
        let masks: [UInt8] = number == 0 ? [1, 4, 32, 128, 255] : [2]
        for mask in masks {
          var damaged = content
          damaged[at] ^= mask
          try check(repaired(damaged), &reasons)
        }
      }
    }
    #expect(reasons.count > 15)
  }

  @Test("Damaged documents are refused or answer, whatever was done to them", arguments: [42, 43])
  func damage(_ seed: UInt64) throws {
    var random = SplitMix(seed)
    var sources = Damage.corpus
    for seed in UInt64(1)...20 { sources.append(try RichHistory.run(seed).save()) }
    var reasons: Set<String> = []
    for _ in 0..<Damage.count / 10 {
      try check(Damage.repaired(sources[random.below(sources.count)], &random), &reasons)
    }
    #expect(reasons.count > 15)
  }

  @Test("Every prefix of a document is refused")
  func prefixes() throws {
    let bytes = try RichHistory.run(4).save()
    for count in 1..<bytes.count {
      #expect(throws: ChunkError.self) { try SavedView(Array(bytes.prefix(count))) }
    }
  }

  /// A document chunk of one actor with these op columns, of short specs, and no changes.
  private func forged(_ columns: [(spec: UInt8, bytes: [UInt8])]) -> [UInt8] {
    var content: [UInt8] = [1, 1, 7, 0, 0, UInt8(columns.count)]
    for (spec, bytes) in columns {
      content += spec < 0x80 ? [spec] : [spec, 1]
      content.append(UInt8(bytes.count))
    }
    for (_, bytes) in columns { content += bytes }
    return repaired(content)
  }

  private func run(_ count: Int64, _ value: UInt8) -> [UInt8] {
    var bytes = Arena<UInt8>()
    bytes.appendSLEB(count)
    bytes.append(value)
    return bytes.view.array
  }

  @Test("Rows of an object stand in one place, behind the row that makes it")
  func places() throws {
    // As many rows as objects, by counter of the one actor; each with a key of its own.
    func file(objects: [UInt8], actions: [UInt8]) -> [UInt8] {
      func literal(_ values: [UInt8]) -> [UInt8] { [128 - UInt8(values.count)] + values }
      let count = UInt8(objects.count)
      let zeros = [UInt8](repeating: 0, count: objects.count)
      return forged([
        (0x01, literal(zeros)), (0x02, literal(objects)),
        (0x15, [128 - count] + (0..<count).flatMap { [1, 97 + $0] }),
        (0x21, literal(zeros)), (0x23, [count, 1]), (0x34, [count]), (0x42, literal(actions)),
        (0x56, literal(zeros)), (0x80, literal(zeros)),
      ])
    }
    func refusal(objects: [UInt8], actions: [UInt8]) -> ChunkError.Reason? {
      do throws(ChunkError) { _ = try SavedView(file(objects: objects, actions: actions)) } catch {
        return error.reason
      }
      return nil
    }
    // Sound but for their changes, which a view does not rebuild: root, root, the object 1@, its child.
    #expect(refusal(objects: [0, 0, 1, 3], actions: [0, 1, 0, 1]) == nil)
    #expect(refusal(objects: [0, 1, 0], actions: [0, 1, 1]) == .rowsOutOfOrder)
    #expect(refusal(objects: [0, 2], actions: [1, 0]) == .unknownObject)
    #expect(refusal(objects: [2, 1], actions: [0, 0]) == .unknownObject)
    #expect(refusal(objects: [0, 7], actions: [0, 1]) == .unknownObject)
    // Keys that do not ascend, and that come twice.
    for keys: [UInt8] in [[98, 97], [97, 98, 97]] {
      let count = UInt8(keys.count)
      let view = try SavedView(
        forged([
          (0x15, [128 - count] + keys.flatMap { [1, $0] }), (0x21, [count, 0]), (0x23, [count, 1]),
          (0x34, [count]), (0x42, [count, 1]), (0x56, [count, 0]), (0x80, [count, 0]),
        ])
      )
      #expect(throws: ReadError.self) { try view.keys(.root) }
    }
  }

  @Test("Claims that the bytes do not bear out cost little", arguments: [26, 60])
  func bombs(_ log: Int64) throws {
    let count: Int64 = 1 << log
    func flags(_ value: Bool) -> [UInt8] {
      var bytes = Arena<UInt8>()
      if value { bytes.append(0) }
      bytes.appendULEB(UInt64(count))
      return bytes.view.array
    }
    // As many rows of one key, or elements of the root.
    var reasons: Set<String> = []
    for action: UInt8 in [0, 1, 5, 7] {
      for inserts in [false, true] {
        for successors: UInt8 in [0, 1] {
          let file = forged([
            (0x15, [run(count, 1), [0x6B]].flatMap(\.self)), (0x21, run(count, 0)),
            (0x23, run(count, 1)), (0x34, flags(inserts)), (0x42, run(count, action)),
            (0x56, run(count, 0)), (0x80, run(count, successors)), (0x81, run(count, 0)),
            (0x83, run(count, 2)),
          ])
          try check(file, &reasons)
        }
      }
    }
    #expect(!reasons.isEmpty)
    // As many nulls in one list.
    let list = forged([
      (0x01, [0x7F, 0] + run(count, 0)), (0x02, [0x7F, 0] + run(count, 1)),
      (0x15, [0x7F, 1, 0x6C]), (0x21, run(count + 1, 0)), (0x23, run(count + 1, 1)),
      (0x34, [1] + flags(true).dropFirst()), (0x42, [0x7F, 2] + run(count, 1)),
      (0x56, run(count + 1, 0)), (0x80, run(count + 1, 0)),
    ])
    try check(list, &reasons)
  }

  @Test("Lists of more empty elements than the limit are refused, and those of as many are not")
  func emptyElements() throws {
    let document = MergeDocument(actor: actor(1))
    let list = try document.putObject(.root, .key("l"), .list)
    try document.splice(list, at: 0, delete: 0, insert: Array(repeating: .null, count: 10))
    let saved = document.save()
    var limits = DocumentLimits()
    limits.emptyElementLimit = 10
    #expect(try SavedView(saved, limits: limits).length(list) == 10)
    limits.emptyElementLimit = 9
    let error = #expect(throws: ReadError.self) {
      try SavedView(saved, limits: limits).length(list)
    }
    guard case .damaged(let refusal) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.reason == .limitExceeded(.emptyElementLimit))
  }

  @Test("A letter of a text that is no UTF-8 is refused as by a load, where the text is asked for")
  func letters() throws {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("t"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: "the letters of a long word")
    var content = content(of: document.save())
    let place = try #require(content.firstRange(of: Array("letters".utf8))).lowerBound + 3
    content[place] = 0xFF
    let bytes = repaired(content)
    let refusal = #expect(throws: ChunkError.self) {
      try MergeDocument(loading: bytes, actor: actor(1))
    }
    #expect(refusal?.reason == .invalidUTF8)
    let view = try SavedView(bytes)
    #expect(try view.keys(.root) == ["t"])
    let error = #expect(throws: ReadError.self) { try view.text(text) }
    #expect(error == refusal.map(ReadError.damaged))
    // From here on the whole is refused.
    #expect(throws: ReadError.self) { try view.keys(.root) }
  }

  @Test("Heads that no change has are seen by a load alone")
  func heads() throws {
    let bytes = try Fixtures.bytes("vectors/bad_heads.automerge")
    let view = try SavedView(bytes)
    #expect(try view.length(.root) > 0)
    let error = #expect(throws: ChunkError.self) { try view.document(actor: actor(1)) }
    #expect(error?.reason == .headsMismatch)
  }
}
