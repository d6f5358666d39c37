import AutomergeDocument
import DocumentLaws
import Foundation
import MergeEngine
import PropertyEngine

extension StateLaws {
  /// Catches a view that reads a column otherwise than a load does, or from another row: conflicts, counters, deleted
  /// elements, objects that are asked out of the order of the file; and one that believes the hint of an id.
  ///
  ///     picks[1]     which object is asked first
  ///     picks[2]     in which unit texts are counted
  ///     picks[3]     whether ids are asked that the document of the history gave: their hints are of another store
  ///     picks[4]     whether the bytes are its changes, or these and the document, or this and a change behind it, as
  ///                  apps append it: a view has to load each of these
  ///     picks[5]     whether it has objects in front of and behind more rows than are read at a stretch, or two of one
  ///                  number that stand the other way round in the file
  static let views = law(
    "api.any-view",
    "A view shows what the document shows.",
    "A view of the saved bytes of any document, with any text encoding, answers and refuses as the document that is "
      + "loaded from them, whichever object is asked first, without loading them, and loads as it.",
    source: .decision(49)
  ) { document, sample in
    let encodings: [TextEncoding] = [.unicodeScalar, .utf16, .graphemeCluster, .utf8]
    let encoding = encodings[sample.pick(2) % encodings.count]
    let document =
      switch sample.pick(5) % 16 {
      case 15: try document.withManyRows()
      case 11...14: try document.withTwins()
      default: document
      }
    let areChanges = sample.pick(4) % 4 == 3
    var bytes = areChanges ? try document.encodeChangesSince(heads: []) : document.save()
    // What waits may stand behind a document in front alone.
    if sample.pick(4) % 8 == 7, document.waitingChanges.isEmpty { bytes += document.save() }
    let isAppended = sample.pick(4) % 4 == 2
    if isAppended { bytes += try document.laterChange() }
    let limits = sample.pick(4) % 8 > 5 ? .greatest : AutomergeDocument.DocumentLimits()
    let loaded = try Document(bytes, textEncoding: encoding, limits: limits)
    let view = try SavedDocumentView(bytes, textEncoding: encoding, limits: limits)
    let objects = try (sample.pick(3) % 2 == 1 ? document : loaded).objectsOfAllValues()
    let first = sample.pick(1) % objects.count
    for object in objects[first...] + objects[..<first] {
      try view.expectSame(as: loaded, object)
      try view.expectSameRefusals(as: loaded, object)
    }
    for object in try loaded.unknownObjects(by: document.actor) {
      try view.expectSameRefusals(as: loaded, object)
    }
    // What waits stands behind the document's chunk.
    try expect(
      !view.isLoaded || areChanges || isAppended || !loaded.waitingChanges.isEmpty,
      "a view of what a document saves has loaded it"
    )
    try expect(try view.document().heads() == loaded.heads(), "a view loads another document")
  }

  /// Catches a view that traps on damage, follows it without end, or takes a part of an object for the whole; and a
  /// refusal that is not the load's.
  ///
  ///     picks[1, 2]     the file: what the document saves, its changes, a golden file, or a bomb
  ///     picks[3, 4]     what is damaged
  ///     picks[5]        how often, and whether a value of a column or any byte
  ///     picks[6, 7]     whether a limit is small, which, and how small
  ///     picks[8]        how many small files with one wound each are read besides, and which
  ///     picks[9]        whether objects are asked in the order of the file, or the last first: to come to a later one
  ///                     a view passes rows that it has not read
  ///
  /// Whether a view finds the damage is left open: hashes and what no question needs are a load's to verify.
  static let damagedViews = law(
    "api.any-damaged-view",
    "Views of damaged bytes do no harm.",
    "A view of saved bytes that are damaged, under a right checksum or not, or pass a limit, answers a question, or refuses it "
      + "and all later ones as a load refuses the bytes. It loads what a load takes, and of that it shows what the "
      + "document shows.",
    source: [.decision(49), .decision(14)]
  ) { document, sample in
    let asksLastFirst = sample.pick(9) % 2 == 1
    let file = damagedFile(of: document, sample)
    try expectHarmless(file, limits(sample), asksLastFirst: asksLastFirst)
    for file in smallDamagedFiles(sample) {
      try expectHarmless(file, AutomergeDocument.DocumentLimits(), asksLastFirst: asksLastFirst)
    }
  }

  /// Throws if a view of bytes answers or refuses otherwise than a load of them admits.
  private static func expectHarmless(
    _ file: Data,
    _ limits: AutomergeDocument.DocumentLimits,
    asksLastFirst: Bool
  ) throws {
    let loaded: Document?
    let due: LoadError?
    do {
      (loaded, due) = (try Document(file, limits: limits), nil)
    } catch let error as LoadError {
      (loaded, due) = (nil, error)
    }
    let view: SavedDocumentView
    do {
      view = try SavedDocumentView(file, limits: limits)
    } catch let error as LoadError {
      return try expect(due != nil, "a view refuses bytes that load: \(error)")
    }
    do {
      try view.readAll(as: loaded, lastFirst: asksLastFirst)
    } catch let error as LoadError {
      try view.expectRefusal(error, due: due)
    } catch let error as DocError {
      throw PublicCallFault("a view refuses what it shows: \(error)")
    }
    // It may have answered from what it could read; the document it loads is another matter.
    do {
      _ = try view.document()
      try expect(due == nil, "a view loads what a load refuses")
    } catch let error as LoadError {
      try expect(error == due, "a view loads: \(error)")
    }
  }

  /// A file that may be damaged, mostly under a right checksum.
  ///
  /// Of a document beyond 16 KiB a golden file takes the place: damage of one value takes its columns apart.
  private static func damagedFile(of document: Document, _ sample: PickedHistory) -> Data {
    let own = document.reading { $0.save(compressed: false) }
    let changes = document.reading { $0.changeBytes(since: [], compressed: false) }
    let files =
      switch sample.pick(1) % 8 {
      case 0...2 where own.count < 1 << 14: [own]
      case 3 where own.count < 1 << 14: [changes.flatMap(\.self)]
      case 0...5: VariedDocuments.all
      case 6: TinyDocuments.all
      default: Bombs.examples.map(\.bytes)
      }
    var file = files[sample.pick(2) % files.count]
    let seed = UInt64(sample.pick(3)) * 1_000 + UInt64(sample.pick(4))
    var choices = Choices(seed: Seed(value: seed))
    for wound in 0..<sample.pick(5) % 4 {
      if wound == 2 {
        _ = DamagedBytes.wound(&file, [own], &choices)
        if sample.pick(4) % 4 > 0 { file = ChunkForge.sealed(file) }
      } else {
        _ = RowDamage.wound(&file, &choices)
      }
    }
    return Data(file)
  }

  /// Empty only if a call of `Document` is refused that other laws ask for.
  private static let fileOfAllRows =
    (try? Document.ofAllRows().reading { $0.save(compressed: false) }) ?? []

  /// Small files, each with one wound: one file a case would not come to most checks of a view within a minute.
  ///
  /// Half are of a document in which every kind of row stands, one value of whose operations is wounded.
  private static func smallDamagedFiles(_ sample: PickedHistory) -> [Data] {
    let bases = TinyDocuments.all + VariedDocuments.all + VariedDocuments.handmade
    var choices = Choices(seed: Seed(value: UInt64(sample.pick(8))))
    return (0..<sample.pick(8) % 48).map { number in
      var file = number % 2 == 0 ? fileOfAllRows : choices.element(of: bases)
      if number % 2 == 0 {
        _ = RowDamage.woundValue(ofOperationsIn: &file, &choices)
      } else {
        _ = RowDamage.wound(&file, &choices)
      }
      return Data(file)
    }
  }

  /// The usual limits, or one of those that bound what is read of a file, made small.
  private static func limits(_ sample: PickedHistory) -> AutomergeDocument.DocumentLimits {
    var limits = AutomergeDocument.DocumentLimits()
    let size = sample.pick(7)
    switch sample.pick(6) % 8 {
    case 5: limits.emptyElementLimit = size % 4
    case 6: (limits.freeMemoryByteLimit, limits.memoryPerByteLimit) = (size, size % 3)
    case 7: limits.inflatedByteLimit = size
    default: break
    }
    return limits
  }
}

/// Some of many places, the first and the last among them: a law's call for each of 100,000 would take seconds.
private func some<Place>(_ places: some RandomAccessCollection<Place>) -> [Place] {
  let step = max(1, places.count / 48)
  return places.enumerated().filter { index, _ in
    index.isMultiple(of: step) || index == places.count - 1
  }
  .map(\.element)
}

extension Document {
  /// The root and all objects below it, those that lose a conflict included.
  fileprivate func objectsOfAllValues() throws -> [ObjId] {
    var objects = [ObjId.ROOT]
    var known: Set = [ObjId.ROOT]
    var next = 0
    while next < objects.count {
      for case .Object(let child, _) in try shownValues(of: objects[next])
      where known.insert(child).inserted {
        objects.append(child)
      }
      next += 1
    }
    return objects
  }

  /// The values of an object, and of some places those that lose a conflict.
  private func shownValues(of object: ObjId) throws -> [AutomergeDocument.Value] {
    let losers =
      objectType(obj: object) == .Map
      ? try some(keys(obj: object)).flatMap { try getAll(obj: object, key: $0).inOrder }
      : try some(0..<length(obj: object)).flatMap { try getAll(obj: object, index: $0).inOrder }
    return try values(obj: object) + losers
  }

  /// A copy with a list of 9,000 elements, most of them deleted, and a counter in a map that was made behind it.
  ///
  /// A view reads rows in order, and keeps its place in one of every few thousand: the way to the map passes some, and
  /// objects in front of it are read from one of them on.
  fileprivate func withManyRows() throws -> Document {
    let copy = copy(by: 0xfd)
    let list = try copy.putObject(obj: .ROOT, key: "long", ty: .List)
    try copy.splice(obj: list, start: 0, delete: 0, values: (0..<9_000).map { .Int($0 * 5 % 7) })
    try copy.splice(obj: list, start: 3, delete: 8_990, values: [])
    let map = try copy.putObject(obj: .ROOT, key: "behind", ty: .Map)
    try copy.put(obj: map, key: "n", value: .Counter(5))
    copy.commitOnce()
    try copy.increment(obj: map, key: "n", by: 2)
    copy.commitOnce()
    return copy
  }

  /// A change of another writer that puts a key beside what is there.
  fileprivate func laterChange() throws -> Data {
    let copy = copy(by: 0xfb)
    let heads = copy.heads()
    try copy.put(obj: .ROOT, key: "later", value: .Int(1))
    copy.commitOnce()
    return try copy.encodeChangesSince(heads: heads)
  }

  /// A copy with two maps that two writers made with one number.
  ///
  ///     as they came       12@fe, 12@fd      by the hint of its id, 12@fe stands in the first place
  ///     in the file        12@fd, 12@fe      where 12@fd stands
  fileprivate func withTwins() throws -> Document {
    let (copy, peer) = (copy(by: 0xfe), copy(by: 0xfd))
    for (number, writer) in [copy, peer].enumerated() {
      let map = try writer.putObject(obj: .ROOT, key: "twin \(number)", ty: .Map)
      try writer.put(obj: map, key: "number", value: .Int(Int64(number)))
    }
    try copy.merge(other: peer)
    return copy
  }

  /// A small document with a row of each kind that a view reads, and a counter behind all others.
  ///
  ///     root     "list"              "text"      "map"
  ///     rows     7, 8 and 9 over 8   "abc"       "a" 1, "n" counter 5, + 2 and + 3
  fileprivate static func ofAllRows() throws -> Document {
    let document = Document.written(by: 0xfd)
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    try document.splice(obj: list, start: 0, delete: 0, values: [.Int(7), .Int(8)])
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "abc")
    let map = try document.putObject(obj: .ROOT, key: "map", ty: .Map)
    try document.put(obj: map, key: "a", value: .Int(1))
    try document.put(obj: map, key: "n", value: .Counter(5))
    document.commitOnce()
    let copy = document.copy(by: 0xfe)
    try copy.increment(obj: map, key: "n", by: 3)
    copy.commitOnce()
    try document.put(obj: list, index: 1, value: .Int(9))
    try document.increment(obj: map, key: "n", by: 2)
    document.commitOnce()
    try document.merge(other: copy)
    return document
  }

  /// Ids that this document does not know: of one more operation of a writer, and of a stranger.
  fileprivate func unknownObjects(by writer: ActorId) throws -> [ObjId] {
    try [writer, ActorId(MergeEngine.ActorID([0xfc]))].map { writer in
      let copy = fork()
      copy.actor = writer
      return try copy.putObject(obj: .ROOT, key: "unknown", ty: .List)
    }
  }
}

extension AutomergeDocument.Value {
  /// The value as a text that differs where the value does: numbers that are none are equal by their bits alone.
  fileprivate var exact: String {
    if case .Scalar(.F64(let number)) = self { "F64 \(number.bitPattern)" } else { "\(self)" }
  }
}

extension Set<AutomergeDocument.Value> {
  /// Its values in an order that does not depend on the run.
  fileprivate var inOrder: [AutomergeDocument.Value] { sorted { $0.exact < $1.exact } }
}

extension SavedDocumentView {
  /// Objects of a damaged file that are asked.
  private static let objectLimit = 64

  /// Asks for all that is shown below the root, of objects that are known the first or the last one first; throws if
  /// the document of the same bytes, where there is one, shows something else.
  fileprivate func readAll(as loaded: Document?, lastFirst: Bool) throws {
    var open = [ObjId.ROOT]
    var known: Set = [ObjId.ROOT]
    var count = 0
    while !open.isEmpty, count < Self.objectLimit {
      let object = lastFirst ? open.removeLast() : open.removeFirst()
      count += 1
      if let loaded { try expectSame(as: loaded, object) }
      var shown = try values(obj: object)
      if try objectType(obj: object) == .Map {
        for (key, _) in some(try mapEntries(obj: object)) {
          shown += try getAll(obj: object, key: key).inOrder
        }
        try expect(try length(obj: object) == keys(obj: object).count, "a view: a map's length")
      } else {
        for index in some(0..<(try length(obj: object))) {
          shown += try getAll(obj: object, index: index).inOrder
        }
        if try objectType(obj: object) == .Text { _ = try text(obj: object) }
        try expect(try keys(obj: object).count == values(obj: object).count, "a view: elements")
      }
      for case .Object(let child, _) in shown where known.insert(child).inserted {
        open.append(child)
      }
    }
  }

  /// Throws if the refusal of a question is not the one with which a load refuses the bytes, or does not stay.
  fileprivate func expectRefusal(_ error: LoadError, due: LoadError?) throws {
    let words = due.map { "\($0)" } ?? "nothing"
    try expect(error == due, "a view is refused with \(error), and a load with \(words)")
    do {
      _ = try length(obj: .ROOT)
      throw PublicCallFault("a view answers after a refusal")
    } catch let again as LoadError {
      try expect(again == due, "a view is refused with \(again), and a load with \(words)")
    }
  }

  /// Throws if the view refuses a question otherwise than the document does, or does not.
  fileprivate func expectSameRefusals(as loaded: Document, _ object: ObjId) throws {
    let calls: [(name: String, view: () throws -> Any, document: () throws -> Any)] = [
      (
        "get(key:)", { try self.get(obj: object, key: "k") as Any },
        { try loaded.get(obj: object, key: "k") as Any }
      ),
      (
        "getAll(key:)", { try self.getAll(obj: object, key: "k") },
        { try loaded.getAll(obj: object, key: "k") }
      ),
      (
        "get(index:)", { try self.get(obj: object, index: 0) as Any },
        { try loaded.get(obj: object, index: 0) as Any }
      ),
      (
        "getAll(index:)", { try self.getAll(obj: object, index: 0) },
        { try loaded.getAll(obj: object, index: 0) }
      ),
      ("values", { try self.values(obj: object) }, { try loaded.values(obj: object) }),
      ("mapEntries", { try self.mapEntries(obj: object) }, { try loaded.mapEntries(obj: object) }),
      ("text", { try self.text(obj: object) }, { try loaded.text(obj: object) }),
    ]
    for (name, view, document) in calls {
      let (found, due) = (try loaded.refusal(of: view), try loaded.refusal(of: document))
      try expect(
        found == due,
        "a view: \(name) is refused with \(found.map { "\($0)" } ?? "nothing")"
      )
    }
  }

  /// Throws if the view answers otherwise than the document of the same bytes.
  fileprivate func expectSame(as loaded: Document, _ object: ObjId) throws {
    let type = loaded.objectType(obj: object)
    try expect(try objectType(obj: object) == type, "a view: an object's type")
    try expect(try length(obj: object) == loaded.length(obj: object), "a view: a length")
    try expect(try keys(obj: object) == loaded.keys(obj: object), "a view: keys")
    let values = try loaded.values(obj: object).map(\.exact)
    try expect(try self.values(obj: object).map(\.exact) == values, "a view: values")
    if type == .Text {
      let text = try Array(loaded.text(obj: object).utf8)
      try expect(try Array(self.text(obj: object).utf8) == text, "a view: a text")
    }
    guard type == .Map else {
      let length = loaded.length(obj: object)
      for index in some(0..<length) + [length] {
        try expectSame(
          "an element",
          (get(obj: object, index: index), getAll(obj: object, index: index)),
          (loaded.get(obj: object, index: index), loaded.getAll(obj: object, index: index))
        )
      }
      return
    }
    let entries = try loaded.mapEntries(obj: object)
    try expect(
      try mapEntries(obj: object).elementsEqual(entries) { found, known in
        found.0.utf8.elementsEqual(known.0.utf8) && found.1.exact == known.1.exact
      },
      "a view: entries"
    )
    // No history has the last two.
    for key in some(loaded.keys(obj: object)) + ["", "\u{10fffd}", "no such key"] {
      try expectSame(
        "a key",
        (get(obj: object, key: key), getAll(obj: object, key: key)),
        (loaded.get(obj: object, key: key), loaded.getAll(obj: object, key: key))
      )
    }
  }

  /// Throws if the winner, or all concurrent values, of a place differ.
  private func expectSame(
    _ place: String,
    _ found: (winner: AutomergeDocument.Value?, all: Set<AutomergeDocument.Value>),
    _ known: (winner: AutomergeDocument.Value?, all: Set<AutomergeDocument.Value>)
  ) throws {
    try expect(found.winner?.exact == known.winner?.exact, "a view: \(place)")
    try expect(
      Set(found.all.map(\.exact)) == Set(known.all.map(\.exact)),
      "a view: the values of \(place)"
    )
  }
}
