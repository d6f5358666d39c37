// One state of a `Document` as an observation, each answer held against a second one. Read from
// `observed` down.
//
//     what is shown      by                          held against
//     a map              keys, mapEntries, values    one another, length
//     a place            get, getAll                 the engine's getAll: the last value is the winner
//     a text             text, values                widths of its elements, length
//     marks              marks                       the engine's; marksAt by index and by cursor; spans
//     an object          objectType, id as bytes     the engine's kind; its path, followed back (present only)
//
// A difference is a `PublicCallFault` that names the call: "get", "mapEntries".

import AutomergeDocument
import DocumentModel
import Foundation
import MergeEngine

/// Reads a document through its public calls, and holds each answer against the engine's.
struct DocumentReader {
  private let document: Document
  /// Nil for the present.
  private let heads: Set<AutomergeDocument.ChangeHash>?
  /// The same heads, as the engine takes them.
  private let hashes: [MergeEngine.ChangeHash]?

  init(_ document: Document, at heads: Set<AutomergeDocument.ChangeHash>?) {
    self.document = document
    self.heads = heads
    hashes = heads?.engineHashes
  }

  /// Goes into objects that a conflict hides as well: all values of a register are read.
  ///
  /// - Throws: `PublicCallFault` where two answers differ.
  func observed(_ object: ObjId) throws -> ObservedObject {
    do { return try read(object) } catch let fault as PublicCallFault {
      throw fault.of("\(object.debugDescription)\(heads == nil ? "" : " at earlier heads")")
    }
  }

  private func read(_ object: ObjId) throws -> ObservedObject {
    let type = document.objectType(obj: object)
    let known = document.reading { try? $0.kind(of: object.engineID) }
    try expect(known.map { ObjType($0) } == type, "objectType")
    try expect(ObjId(bytes: object.bytes) == object, "ObjId.bytes")
    if heads == nil { try checkPath(object) }
    let content: ObservedObject.Content
    switch type {
    case .Map: content = try map(object)
    case .List: content = try list(object)
    case .Text: content = try text(object)
    }
    return ObservedObject(
      id: EngineReplica.id(object.engineID),
      content: content,
      marks: type == .Map ? [] : try marks(object)
    )
  }

  private func map(_ object: ObjId) throws -> ObservedObject.Content {
    let keys = heads.map { document.keysAt(obj: object, heads: $0) } ?? document.keys(obj: object)
    let entries =
      try heads.map { try document.mapEntriesAt(obj: object, heads: $0) }
      ?? document.mapEntries(obj: object)
    try expect(keys.map { ExactString($0) } == entries.map { ExactString($0.0) }, "mapEntries")
    try expect(
      try values(object).map { Same($0) } == entries.map { Same($0.1) },
      "values of a map"
    )
    try expect(length(object) == UInt64(keys.count), "length of a map")
    return .map(
      try zip(keys, entries).map { key, entry in
        ObservedObject.Entry(
          key: ExactString(key),
          register: try register(object, .key(key), winner: entry.1)
        )
      }
    )
  }

  /// The keys of a sequence are the ids of its elements.
  private func checkKeys(_ object: ObjId) throws {
    let keys = heads.map { document.keysAt(obj: object, heads: $0) } ?? document.keys(obj: object)
    let ids = try document.reading { try $0.elementIDs(object.engineID, at: hashes) }
    try expect(keys == ids.map(\.description), "keys of a sequence")
  }

  /// A list past its end has nothing, and is no error.
  private func list(_ object: ObjId) throws -> ObservedObject.Content {
    let winners = try values(object)
    try checkKeys(object)
    try expect(length(object) == UInt64(winners.count), "length of a list")
    try expect(
      try get(object, .index(winners.count)) == nil,
      "get past the end of a list"
    )
    return .list(
      try winners.enumerated().map { index, winner in
        try register(object, .index(index), winner: winner)
      }
    )
  }

  /// An element without width (an empty string) cannot be asked for by index: only its winner is
  /// read.
  private func text(_ object: ObjId) throws -> ObservedObject.Content {
    let text =
      try heads.map { try document.textAt(obj: object, heads: $0) } ?? document.text(obj: object)
    let unit = document.textEncoding.engineUnit
    try checkKeys(object)
    var index = 0
    let winners = try values(object)
    let entries = try document.reading { try $0.values(object.engineID, at: hashes) }
    let elements = try zip(winners, entries).map { winner, entry in
      let width = winner.width(in: unit)
      defer { index += width }
      guard width > 0 else {
        return ObservedRegister(values: [try observed(entry)], isComplete: false)
      }
      return try register(object, .index(index), winner: winner)
    }
    try expect(length(object) == UInt64(index), "length of a text")
    return .text(ExactString(text), length: index, elements: elements)
  }

  /// The marks, which those over each position are a part of.
  ///
  /// Looked at one by one at the start and end of the first mark, and the start of the last.
  private func marks(_ object: ObjId) throws -> [ObservedMark] {
    let all =
      try heads.map { try document.marksAt(obj: object, heads: $0) } ?? document.marks(obj: object)
    for place in [all.first?.start, all.first?.end, all.last?.start].compactMap(\.self) {
      let here =
        try heads.map {
          try document.marksAt(obj: object, position: .index(place), heads: $0)
        } ?? document.marksAt(obj: object, position: .index(place))
      let covering = all.filter { $0.start <= place && place < $0.end }
      try expect(here.allSatisfy { $0.start == place && $0.end == place }, "marksAt: position")
      try expect(here.map { SameMark($0).value } == covering.map { SameMark($0).value }, "marksAt")
      let cursor =
        try heads.map { try document.cursor(obj: object, position: place, heads: $0) }
        ?? document.cursor(obj: object, position: place)
      let there =
        try heads.map {
          try document.marksAt(obj: object, position: .cursor(cursor), heads: $0)
        } ?? document.marksAt(obj: object, position: .cursor(cursor))
      try expect(there.map { SameMark($0) } == here.map { SameMark($0) }, "marksAt: a cursor")
    }
    let known = try document.reading { try $0.marks(object.engineID, at: hashes) }
    try expect(all.map { SameMark($0) } == known.map { SameMark(.init($0)) }, "marks")
    if try document.reading({ try $0.kind(of: object.engineID) }) == .text {
      try checkSpans(object, all)
    }
    return known.map(EngineReplica.mark)
  }

  /// Throws if the spans of a text are not its characters and its marks, cut at each mark's ends and at the
  /// maps that stand in it.
  ///
  ///     text      a b c d          marks   bold 1..<3
  ///     spans     "a", "bc" bold, "d"
  ///
  /// A run ends where a mark begins or ends, or at a map, which is a block; nowhere else.
  private func checkSpans(_ object: ObjId, _ marks: [AutomergeDocument.Mark]) throws {
    // What one element adds to a text of grapheme clusters is not seen in the joined text.
    guard document.textEncoding != .graphemeCluster else { return }
    let spans =
      try heads.map { try document.spansAt(obj: object, heads: $0) } ?? document.spans(obj: object)
    let unit = document.textEncoding.engineUnit
    var (position, joined): (UInt64, String) = (0, "")
    var followsText = false
    for span in spans {
      let text: String
      switch span {
      case .text(let run, let runMarks):
        text = run
        let end = position + UInt64(run.width(in: unit))
        let covering = marks.filter { $0.start <= position && position < $0.end }
        try expect(
          runMarks.map { SameMark($0).value } == covering.map { SameMark($0).value },
          "spans: marks"
        )
        try expect(runMarks.allSatisfy { $0.start == position && $0.end == end }, "spans: ranges")
        try expect(
          !marks.contains {
            position < $0.start && $0.start < end || position < $0.end && $0.end < end
          },
          "spans: a mark's end within a run"
        )
        let isCut = marks.contains { $0.start == position || $0.end == position }
        try expect(isCut || !followsText, "spans: a run that nothing ends")
        try expect(!run.isEmpty, "spans: an empty run")
      case .block(let block):
        text = "\u{FFFC}"
        guard case .Object(let shown, .Map)? = try get(object, .index(Int(position))) else {
          throw PublicCallFault("spans: a block where there is none")
        }
        try expect(shown == block, "spans: the block")
      }
      if case .text = span { followsText = true } else { followsText = false }
      joined += text
      position += UInt64(text.width(in: unit))
    }
    let whole =
      try heads.map { try document.textAt(obj: object, heads: $0) } ?? document.text(obj: object)
    try expect(Array(joined.utf8) == Array(whole.utf8), "spans: the text")
  }

  // MARK: - One place

  /// The engine's entries are in order, and become the register; the public calls have a winner and
  /// a set.
  private func register(
    _ object: ObjId,
    _ prop: MergeEngine.Prop,
    winner: AutomergeDocument.Value
  ) throws -> ObservedRegister {
    let entries = try document.reading { try $0.getAll(object.engineID, prop, at: hashes) }
    let values = entries.map { AutomergeDocument.Value($0.value) }
    let shown = Same(winner)
    try expect(Same(try get(object, prop)) == shown, "get")
    try expect(Same(values.last) == shown, "the winner")
    // A set takes values that Swift calls equal, such as 0.0 and -0.0, for one.
    let all = try getAll(object, prop)
    if values.count == 1 {
      try expect(all.count == 1 && Same(all.first) == shown, "getAll")
    } else {
      let exact = Set(values.map { Same($0) })
      try expect(all.count == Set(values).count, "getAll")
      try expect(all.allSatisfy { exact.contains(Same($0)) }, "getAll")
    }
    return ObservedRegister(values: try entries.map(observed), isComplete: true)
  }

  private func observed(_ entry: MergeEngine.Entry) throws -> ObservedValue {
    let content: ObservedValue.Content =
      switch entry.value {
      case .scalar(let scalar): .scalar(EngineReplica.scalar(scalar))
      case .object(let id, let kind): .object(try observed(ObjId(id, kind)))
      }
    return ObservedValue(id: EngineReplica.id(entry.id), content: content)
  }

  /// Four calls of one meaning: by key or index, now or at heads.
  private func get(
    _ object: ObjId,
    _ prop: MergeEngine.Prop
  ) throws -> AutomergeDocument.Value? {
    switch (prop, heads) {
    case (.key(let key), nil): try document.get(obj: object, key: key)
    case (.key(let key), let heads?): try document.getAt(obj: object, key: key, heads: heads)
    case (.index(let index), nil): try document.get(obj: object, index: UInt64(index))
    case (.index(let index), let heads?):
      try document.getAt(obj: object, index: UInt64(index), heads: heads)
    }
  }

  private func getAll(
    _ object: ObjId,
    _ prop: MergeEngine.Prop
  ) throws -> Set<AutomergeDocument.Value> {
    switch (prop, heads) {
    case (.key(let key), nil): try document.getAll(obj: object, key: key)
    case (.key(let key), let heads?): try document.getAllAt(obj: object, key: key, heads: heads)
    case (.index(let index), nil): try document.getAll(obj: object, index: UInt64(index))
    case (.index(let index), let heads?):
      try document.getAllAt(obj: object, index: UInt64(index), heads: heads)
    }
  }

  private func values(_ object: ObjId) throws -> [AutomergeDocument.Value] {
    try heads.map { try document.valuesAt(obj: object, heads: $0) } ?? document.values(obj: object)
  }

  private func length(_ object: ObjId) -> UInt64 {
    heads.map { document.lengthAt(obj: object, heads: $0) } ?? document.length(obj: object)
  }

  // MARK: - Paths

  /// The path of a visible object leads back to it, if it can be written and every step wins.
  ///
  /// Steps name the object that holds the next one. Where a step lost a conflict, the path is
  /// right, and following it by text leads elsewhere; so such paths are not followed.
  private func checkPath(_ object: ObjId) throws {
    let path = try document.path(obj: object)
    try expect(path.isEmpty == (object == .ROOT), "path of the root")
    try expect(path.first.map { $0.obj == .ROOT } ?? true, "path begins elsewhere")
    var wins = true
    for (place, step) in path.enumerated() {
      let next = place + 1 < path.count ? path[place + 1].obj : object
      let prop = step.prop.engineProp
      let all = try getAll(step.obj, prop).compactMap(Self.object)
      try expect(all.contains(next), "path goes where the object is not")
      if try get(step.obj, prop).flatMap(Self.object) != next { wins = false }
    }
    guard wins else { return }
    let isWritable = path.allSatisfy { Self.isWritable($0.prop) }
    let text = path.stringPath()
    if isWritable, path.dropLast().allSatisfy({ document.objectType(obj: $0.obj) != .Text }) {
      let steps = path.map { AnyCodingKey($0) }
      try expect(try AnyCodingKey.parsePath(text) == steps, "parsePath")
      if path.allSatisfy({ document.objectType(obj: $0.obj) != .Text }) {
        try expect(try document.lookupPath(path: text) == object, "lookupPath")
        if document.objectType(obj: object) == .List {
          let end = steps + [AnyCodingKey(document.length(obj: object))]
          let found = try document.lookupPath(path: end.stringPath())
          try expect(found == nil, "lookupPath at the end")
        }
      }
    } else if !isWritable, path.allSatisfy({ $0.prop != .Key("") }) {
      do {
        _ = try AnyCodingKey.parsePath(text)
        throw PublicCallFault("parsePath takes \(text)")
      } catch is PathParseError {}
    }
  }

  /// Nil for a scalar.
  private static func object(_ value: AutomergeDocument.Value) -> ObjId? {
    if case .Object(let id, _) = value { id } else { nil }
  }

  /// Whether the grammar of paths has a form for a step.
  ///
  /// A key is written if it begins with an ASCII letter and has no dot.
  private static func isWritable(_ prop: AutomergeDocument.Prop) -> Bool {
    switch prop {
    case .Index: return true
    case .Key(let key):
      guard let first = key.utf8.first else { return false }
      return (first | 0x20 >= 97 && first | 0x20 <= 122) && !key.contains(".")
    }
  }
}

extension AutomergeDocument.Value {
  /// Units in a text, where a value that is no string shows as U+FFFC.
  ///
  /// Source: Specification/Semantics.md, "Width".
  func width(in unit: MergeEngine.TextUnit) -> Int {
    let shown = if case .Scalar(.String(let string)) = self { string } else { "\u{FFFC}" }
    return shown.width(in: unit)
  }
}

/// A value that compares by its bits: no NaN differs from itself, no normal form equals another.
///
/// Timestamps are dates here, and compared by the bits of their seconds.
enum Same: Hashable {
  case nothing
  case null
  case object(ObjId, ObjType)
  case boolean(Bool)
  case number(Kind, bits: UInt64)
  case string(ExactString)
  case bytes(Data)
  case unknown(typeCode: UInt8, Data)

  enum Kind {
    case int, uint, double, counter, timestamp
  }

  init(_ value: AutomergeDocument.Value?) {
    switch value {
    case nil: self = .nothing
    case .Object(let id, let type): self = .object(id, type)
    case .Scalar(let scalar): self.init(scalar)
    }
  }

  private init(_ scalar: AutomergeDocument.ScalarValue) {
    self =
      switch scalar {
      case .Null: .null
      case .Boolean(let value): .boolean(value)
      case .Int(let value): .number(.int, bits: UInt64(bitPattern: value))
      case .Uint(let value): .number(.uint, bits: value)
      case .F64(let value): .number(.double, bits: value.bitPattern)
      case .Counter(let value): .number(.counter, bits: UInt64(bitPattern: value))
      case .Timestamp(let date):
        .number(.timestamp, bits: date.timeIntervalSince1970.bitPattern)
      case .String(let value): .string(ExactString(value))
      case .Bytes(let data): .bytes(data)
      case .Unknown(let typeCode, let data): .unknown(typeCode: typeCode, data)
      }
  }
}

/// A mark, equal to another if all of it is, to the bit.
///
/// Its name and value apart from its range: marks over one place are compared without it.
struct SameMark: Hashable {
  let value: [Same]
  private let range: [UInt64]

  init(_ mark: AutomergeDocument.Mark) {
    value = [Same(.Scalar(.String(mark.name))), Same(.Scalar(mark.value))]
    range = [mark.start, mark.end]
  }
}
