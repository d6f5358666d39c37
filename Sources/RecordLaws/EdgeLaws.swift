import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Laws of edges: system fields one by one, what a deletion tells, JSON that would end the process, bytes that are no JSON,
// and how numbers stand in JSON.

extension RecordLaw {
  /// Laws of edges.
  static let edgeLaws: [RecordLaw] = [
    systemFieldsKept, deletionsTold, trapsRefused, bytesByType, nestedNumbers, refusalsTold,
    refusedIsAbsent,
  ]

  private static let values = LawSource.document("Records.md", "Values")

  /// Catches a system field that is not set, or another one in its place: what a law sets by it is missing on both sides of
  /// a comparison, and no comparison shows it.
  ///
  /// Worked example: the adapter to CloudKit sets `platformArchive`. Dropped, the record has no change tag that CloudKit
  /// knows, and each save is refused.
  static let systemFieldsKept = value(
    "record.system-fields-kept",
    "System fields are what they were set to.",
    "Each system field of a record is what it was set to, whichever others are set, also when the record was stored and "
      + "read; set to nil, it alone is gone.",
    source: .document("Records.md", "Archives"),
    count: 96
  ) { subject, choices in
    let id = RecordID(recordName: "r0", zoneID: recordZone)
    let parts: [SystemField] = [
      SystemField("recordChangeTag", \.recordChangeTag, choices.text()),
      SystemField("creationDate", \.creationDate, choices.date()),
      SystemField("modificationDate", \.modificationDate, choices.date()),
      SystemField("creatorUserRecordID", \.creatorUserRecordID, choices.recordID()),
      SystemField("lastModifiedUserRecordID", \.lastModifiedUserRecordID, choices.recordID()),
      SystemField("parent", \.parent, choices.reference()),
      SystemField("share", \.share, choices.reference()),
      SystemField("platformArchive", \.platformArchive, choices.blob()),
    ]
    let isSet = parts.map { _ in choices.flag() }
    var fields = RecordSystemFields(recordType: "Note", recordID: id)
    for (part, isSet) in zip(parts, isSet) where isSet { part.set(&fields) }
    let stored = try subject.record(of: subject.bytes(of: Record(systemFields: fields)))
    var cleared = fields
    let last = choices.index(below: parts.count)
    parts[last].clear(&cleared)
    for (name, fields, gone) in [
      ("set", fields, nil), ("stored", stored.systemFields, nil), ("cleared", cleared, last),
    ] {
      for (index, part) in parts.enumerated() {
        let isThere = isSet[index] && index != gone
        guard isThere ? !part.isKept(fields) : !part.isClear(fields) else { continue }
        return .record(
          "fields.\(name)",
          "\(part.name) is not what it was \(isThere ? "set to" : "before, or is not gone")",
          between: nil,
          "the system fields that were \(name)"
        )
      }
    }
    return nil
  }

  /// Catches a server that deletes a record and does not say so, or that says so twice: an app that counts what it removes
  /// from its list, or undoes a deletion, does too little or too much.
  ///
  /// Up to six notes refer to some of those before them, by a field and by a list. Names go up or down, since a server may
  /// go through referrers by their names.
  ///
  /// Worked example: r0 refers to r1 and to r2, r1 refers to r2, and both want to be deleted with what they refer to. Who
  /// deletes r2 comes to r0 twice, and must tell of it once.
  ///
  ///     deleted                      tells
  ///     r2                           r2, r1, r0
  ///     r1 and r2, in one request    r1, r0; r2
  ///     what is not there            nothing
  static let deletionsTold = value(
    "server.deletions-told",
    "A deletion tells what went with it.",
    "Each deletion tells the record and all that were deleted with it, each once, and nothing where there was nothing left "
      + "to delete; the next changes tell the same.",
    source: .document("Records.md", "The server"),
    count: 72
  ) { subject, choices in
    let server = subject.server()
    let count = choices.number(in: 1...6)
    let goesUp = choices.flag()
    let ids = (0..<7).map { number in
      RecordID(recordName: "r\(goesUp ? number : 6 - number)", zoneID: recordZone)
    }
    var targets: [RecordID: Set<RecordID>] = [:]
    let notes = (0..<count).map { number in
      var note = Record(recordType: "Note", recordID: ids[number])
      func reference() -> RecordReference {
        let target = ids[choices.index(below: number)]
        let goesAlong = choices.weighed([3, 1]) == 0
        if goesAlong { targets[ids[number], default: []].insert(target) }
        return RecordReference(recordID: target, action: goesAlong ? .deleteSelf : .none)
      }
      if number > 0, choices.flag() { note["owner"] = .reference(reference()) }
      if number > 0, choices.flag() {
        let owners = (0..<choices.number(in: 1...2)).map { _ in reference() }
        note["owners"] = .list(.references(owners))
      }
      return note
    }
    guard server.modify(RecordRequest(saving: notes, policy: .all)).isDone else {
      return .record("told.refused", "notes that refer to each other were refused")
    }
    var mark = news(of: server, since: nil).mark
    for _ in 0..<choices.number(in: 1...2) {
      let before = Set(server.all().map(\.recordID))
      let deleting = (0..<choices.number(in: 1...2)).map { _ in choices.element(of: ids) }
      let answer = server.modify(RecordRequest(deleting: deleting))
      let left = Set(server.all().map(\.recordID))
      var due = before.intersection(deleting)
      while let next = before.subtracting(due).first(where: { id in
        !targets[id, default: []].isDisjoint(with: due)
      }) {
        due.insert(next)
      }
      let told = Set(deleting).flatMap { answer.gone[$0] ?? [] }
      let names = (due: names(due), left: names(before.subtracting(left)), told: names(told))
      guard names.due == names.left, names.due == names.told else {
        return .record(
          "told.deletion",
          "the deletion of \(RecordLaw.names(deleting)) tells of other records",
          expected: names.due,
          actual: names.due == names.left ? names.told : names.left,
          between: nil,
          "what the server deleted or told"
        )
      }
      let found = news(of: server, since: mark)
      mark = found.mark
      guard RecordLaw.names(found.deleted) == names.due, found.savedCount == 0 else {
        return .record(
          "told.changes",
          "changes tell of other records than were deleted",
          expected: names.due,
          actual: RecordLaw.names(found.deleted),
          between: nil,
          "the changes"
        )
      }
    }
    return nil
  }

  /// A refusal that names another record, target or kind than it is about.
  ///
  /// What a record refers to is what was sent, over what the server had. A kind that an atomic request fixed is forgotten
  /// with it.
  static func blamedOtherwise(
    _ answer: RecordAnswer,
    to request: NaiveRecordServer.Request,
    over before: [RecordID: Record],
    by server: any RecordServing
  ) -> Difference? {
    for sent in request.saving.map(\.record) {
      let id = sent.recordID
      let isRight =
        switch (answer.details[id], answer.outcomes[id]) {
        case (.sent(let record), .changed): record == sent
        case (.target(let target), .reference):
          target != id
            && (sent.references + (before[id]?.references ?? [])).contains { $0.recordID == target }
        case (.kinds(let fixed, let found), .kind(let key)):
          fixed != found && server.kinds(of: sent.recordType)[key].map { $0 == fixed } != false
            && [sent[key], sent[encrypted: key], before[id]?[key], before[id]?[encrypted: key]]
              .contains { $0?.kind == found }
        default: answer.details[id] == nil
        }
      guard !isRight else { continue }
      return .record(
        "server.details",
        "the refusal of \(id) is about something else than was sent",
        actual: answer.details[id].map { "\($0)" } ?? "nothing",
        between: nil,
        "the refusal"
      )
    }
    return nil
  }

  /// Catches an error that sends an app the wrong way: told that its mark has expired, it fetches all; told that there is no
  /// zone, it makes one.
  ///
  ///     the zone               a record     changes since nothing, since a mark
  ///     was never made         no zone      no zone
  ///     is there               none there   told
  ///     was forgotten          none there   told, expired
  ///     was made once more     none there   told, expired
  ///     another one            none there   told, expired: the mark is of this one
  static let refusalsTold = value(
    "server.refusals-told",
    "A server tells why it has nothing.",
    "A record that is not fetched is told by its zone or by itself, changes that are not told by their zone or by a mark that "
      + "expired or is of another zone; what is there is told, and the records of a zone are in the order of their names.",
    source: .document("Records.md", "The server")
  ) { subject, choices in
    let server = subject.server()
    let names = ["b", "a", "c"].filter { _ in choices.flag() }
    let notes = names.map { name in
      Record(recordType: "Note", recordID: RecordID(recordName: name, zoneID: recordZone))
    }
    guard server.modify(RecordRequest(saving: notes)).isDone else {
      return .record("refusals.saved", "new notes were refused")
    }
    guard server.all().map(\.recordID.recordName) == names.sorted() else {
      return .record(
        "refusals.order",
        "the records of a zone are not in the order of their names",
        expected: names.sorted(),
        actual: server.all().map(\.recordID.recordName),
        between: nil,
        "what the server has"
      )
    }
    let mark = news(of: server, since: nil).mark
    let nowhere = RecordZoneID(zoneName: "Nowhere")
    let (forgets, renews) = (choices.flag(), choices.flag())
    if forgets { server.expire() }
    if renews { _ = server.renewZone() }
    let isOld: RecordRefusal? = forgets || renews ? .expired : nil
    func id(_ name: String, _ zone: RecordZoneID) -> RecordID {
      RecordID(recordName: name, zoneID: zone)
    }
    let questions: [(words: String, due: RecordRefusal?, found: RecordRefusal?)] = [
      ("a record of no zone", .noZone, server.refusal(ofFetching: id("a", nowhere))),
      ("a record that is not there", .noRecord, server.refusal(ofFetching: id("z", recordZone))),
      (
        "a record", names.contains("a") && !renews ? nil : .noRecord,
        server.refusal(ofFetching: id("a", recordZone))
      ),
      ("changes of no zone", .noZone, server.refusal(ofChangesIn: nowhere, since: nil)),
      (
        "changes of no zone since a mark", .noZone,
        server.refusal(ofChangesIn: nowhere, since: mark)
      ),
      ("changes", nil, server.refusal(ofChangesIn: recordZone, since: nil)),
      ("changes since a mark", isOld, server.refusal(ofChangesIn: recordZone, since: mark)),
      (
        "changes of another zone since a mark", .expired,
        server.refusal(ofChangesIn: .default, since: mark)
      ),
    ]
    guard let wrong = questions.first(where: { $0.due != $0.found }) else { return nil }
    return .record(
      "refusals.reason",
      "asked for \(wrong.words) the server has another answer",
      expected: wrong.due?.rawValue ?? "an answer",
      actual: wrong.found?.rawValue ?? "an answer",
      between: nil,
      "the server"
    )
  }

  private static func names(_ ids: some Sequence<RecordID>) -> [String] {
    ids.map(\.recordName).sorted()
  }

  /// All that happened since a mark, page by page.
  private static func news(
    of server: any RecordServing,
    since start: Int?
  ) -> (mark: Int?, deleted: [RecordID], savedCount: Int) {
    var found: (mark: Int?, deleted: [RecordID], savedCount: Int) = (start, [], 0)
    // As many pages as there can be records.
    for _ in 0..<16 {
      guard let page = server.changes(since: found.mark) else { return found }
      found.mark = page.mark
      found.deleted += page.deleted
      found.savedCount += page.saved.count
      if !page.isPartial { break }
    }
    return found
  }

  /// Catches a coder that hands such JSON on to Foundation, which ends the process: a record of another writer does.
  ///
  /// Worked example: `{"indexes":[{"location":1,"length":-1}]}` is JSON of a set of indexes, and holds no range.
  static let trapsRefused = value(
    "record.traps-refused",
    "What would end the process is refused.",
    "JSON of a set of indexes or characters, of parts of a URL, or of a calendar, on which Foundation would end the process "
      + "is refused with a `DecodingError` at its field or below it: alone, in a list, in a nested value, and where a type hands "
      + "its decoder on.",
    source: values
  ) { subject, choices in
    let trap = choices.element(of: NestedTrap.all)
    var record = Record(
      recordType: "Note",
      recordID: RecordID(recordName: "r0", zoneID: recordZone)
    )
    let form = choices.index(below: 4)
    let text = [trap.json, "[\(trap.json)]", "{\"field\":\(trap.json)}", trap.json][form]
    record["field"] = .bytes(Data(text.utf8))
    do {
      try trap.decode(subject, record, form)
      return .record("trap.read", "\(text) was read")
    } catch {
      return CodingFailure(decoding: error)?.path.first == .key("field")
        ? nil : .record("trap.refusal", "\(text) is refused otherwise: \(error)")
    }
  }

  /// Catches a refusal by which an app takes a field of another kind for a damaged one.
  ///
  /// Worked example: version 2 made of a number bytes. Version 1 is told that the field is of another kind, and asks for an
  /// update; told that it is damaged, it would restore a backup.
  ///
  ///     bytes that are no JSON, as                    are refused as
  ///     a number, a text, a boolean, a date, a URL    another kind, at the field
  ///     a list or a nested value                      damaged, at the field
  static let bytesByType = value(
    "record.bytes-by-type",
    "Bytes are refused by what was asked.",
    "A field of bytes that are no JSON is of another kind for a property that is one field, and damaged for any other; both "
      + "at its key.",
    source: values
  ) { subject, choices in
    let bytes = Data(choices.element(of: ["", "{", "a", "[1", "\u{0}", "{\"a\":}"]).utf8)
    var record = Record(
      recordType: "Note",
      recordID: RecordID(recordName: "r0", zoneID: recordZone)
    )
    record["field"] = .bytes(bytes)
    let scalars: [any Decodable.Type] = [
      Int.self, UInt8.self, Double.self, Bool.self, String.self, Date.self, URL.self,
    ]
    let others: [any Decodable.Type] = [[Int].self, [String: Int].self, OneField<Int>.self]
    let all =
      scalars.map { ($0, CodingFailure.Kind.typeMismatch) }
      + others.map { ($0, CodingFailure.Kind.dataCorrupted) }
    for (type, due) in all {
      let found = refusal(of: record, as: type, by: subject)
      guard found?.kind != due || found?.path != [.key("field")] else { continue }
      return .record(
        "bytes.refusal",
        "bytes that are no JSON are refused otherwise as \(type)",
        expected: "\(due) at field",
        actual: found.map { "\($0.kind) at \($0.path.place)" } ?? "no `DecodingError`",
        between: nil,
        "the refusal"
      )
    }
    return nil
  }

  /// How a record is refused as one with a field of a type; `nil` if it is read, or refused by another error.
  private static func refusal<Field: Decodable>(
    of record: Record,
    as type: Field.Type,
    by subject: any RecordSubject
  ) -> CodingFailure? {
    do {
      _ = try subject.decode(OneField<Field>.self, from: record)
      return nil
    } catch {
      return CodingFailure(decoding: error)
    }
  }

  /// Catches a whole number that is written with a point: another reader takes it for no integer, and each save of such a
  /// value by this coder marks the field where the other has written it.
  ///
  ///     0, -1, 2^53 - 1        0, -1, 9007199254740991
  ///     -0                     -0.0: as an integer it would lose its sign
  ///     2^53 and more          with a point or an exponent: not every such number is a double
  ///     1.5                    1.5
  ///
  /// A `Decimal` is a number, too, as CloudKitCodable has it: one that is written as the map of its parts is read by no
  /// version of the app that has that library, and one that goes through a double is another price.
  static let nestedNumbers = value(
    "record.nested-numbers",
    "Nested whole numbers have no point.",
    "In the JSON of a nested value a whole number below 2^53 is written as an integer, and any other, -0 among them, with a "
      + "point or an exponent, in digits that are the same number; a `Decimal` is a number of its own digits, and is read "
      + "from such a number and from the map of its parts.",
    source: values,
    count: 80
  ) { subject, choices in
    let edges = [
      0, -0.0, 1, -1, 300, -300, 1.5, 0.1, 0x1p53, -0x1p53, 0x1p53 - 1, 0x1p53 + 2, 0x1p54, 1e300,
      .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    let drawn = Double(bitPattern: choices.bits64())
    let number = choices.flag(percent: 50) && drawn.isFinite ? drawn : choices.element(of: edges)
    let record = try subject.encode(Measured(reading: .init(number: number)), onto: nil)
    guard case .bytes(let bytes)? = record["reading"] else {
      return .record("number.kind", "a nested value is no field of bytes")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let isMinusZero = number == 0 && number.sign == .minus
    let isInteger = number.magnitude < 0x1p53 && number == number.rounded() && !isMinusZero
    let digits = text.dropFirst("{\"number\":".count).dropLast()
    let isRight =
      isInteger
      ? digits == "\(Int64(number))"
      : digits.contains { ".eE".contains($0) }
        && Double(digits)?.bitPattern == number.bitPattern
    return isRight
      ? try decimals(subject, &choices)
      : .record(
        "number.text",
        "a nested number stands otherwise in JSON",
        expected: isInteger ? "\(Int64(number))" : "\(number)",
        actual: text,
        between: nil,
        "the JSON"
      )
  }

  /// How a decimal is written otherwise than in its digits, or read from them or from its parts as another one.
  ///
  ///     12.5     12.5, or {"exponent":-1,"isCompact":true,"isNegative":false,"length":1,"mantissa":[125,0,0,0,0,0,0,0]}
  private static func decimals(
    _ subject: any RecordSubject,
    _ choices: inout Choices
  ) throws -> Difference? {
    let digits = choices.decimalDigits()
    guard let number = Decimal(string: digits) else { return nil }
    var record = try subject.encode(Priced(price: .init(amount: number)), onto: nil)
    let expected = "{\"amount\":\(digits)}"
    guard record["price"] == .bytes(Data(expected.utf8)) else {
      return .record(
        "decimal.text",
        "a nested decimal stands otherwise in JSON",
        expected: expected,
        actual: record["price"]?.text ?? "nothing",
        between: nil,
        "the JSON"
      )
    }
    let parts = DecimalParts(&choices)
    for (text, amount) in [(expected, number), ("{\"amount\":\(parts.json)}", parts.number)] {
      record["price"] = .bytes(Data(text.utf8))
      let read = try subject.decode(Priced.self, from: record).price.amount
      guard read != amount else { continue }
      return .record(
        "decimal.read",
        "a nested decimal is read as another",
        expected: amount,
        actual: read,
        between: nil,
        "the number that was decoded from \(text)"
      )
    }
    return nil
  }
}

/// One system field, and what it is set to.
private struct SystemField {
  let name: String
  let set: (inout RecordSystemFields) -> Void
  let clear: (inout RecordSystemFields) -> Void
  let isKept: (RecordSystemFields) -> Bool
  let isClear: (RecordSystemFields) -> Bool

  init<Value: Equatable>(
    _ name: String,
    _ path: WritableKeyPath<RecordSystemFields, Value?>,
    _ value: Value
  ) {
    self.name = name
    set = { $0[keyPath: path] = value }
    clear = { $0[keyPath: path] = nil }
    isKept = { $0[keyPath: path] == value }
    isClear = { $0[keyPath: path] == nil }
  }
}

/// JSON on which a type of Foundation ends the process.
private struct NestedTrap {
  let json: String
  /// Decodes a record whose `field` holds the JSON, alone (0), in a list (1), under `field` of a nested value (2), or
  /// for a type that hands its decoder on (3).
  let decode: (any RecordSubject, Record, Int) throws -> Void

  init<T: Decodable>(_ type: T.Type, _ json: String) {
    self.json = json
    decode = { subject, record, form in
      switch form {
      case 0: _ = try subject.decode(OneField<T>.self, from: record)
      case 1: _ = try subject.decode(OneField<[T]>.self, from: record)
      case 2: _ = try subject.decode(OneField<OneField<T>>.self, from: record)
      default: _ = try subject.decode(OneField<Handing<T>>.self, from: record)
      }
    }
  }

  static var all: [NestedTrap] {
    [
      NestedTrap(IndexSet.self, #"{"indexes":[{"location":1,"length":-1}]}"#),
      NestedTrap(CharacterSet.self, #"{"bitmap":"AA=="}"#),
      NestedTrap(URLComponents.self, #"{"port":-1}"#),
      NestedTrap(
        Calendar.self,
        #"{"identifier":"hebrew","firstWeekday":2147483648,"minimumDaysInFirstWeek":1,"current":0,"#
          + #""locale":{"identifier":"en_US","current":0},"timeZone":{"identifier":"UTC"}}"#
      ),
      NestedTrap(URLComponents.self, #"{"path":"//x"}"#),
      NestedTrap(URLComponents.self, #"{"host":"example.org","path":"x"}"#),
      NestedTrap(URLComponents.self, #"{"scheme":"1:/"}"#),
      NestedTrap(IndexSet.self, #"{"indexes":[{"location":9223372036854775807,"length":1}]}"#),
      // Behind the basic plane a plane that there is none of.
      NestedTrap(
        CharacterSet.self,
        #"{"bitmap":"\#((Data(count: 8192) + [17, 0]).base64EncodedString())"}"#
      ),
    ]
  }
}

/// A type that hands its decoder on to another.
private struct Handing<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
}

/// A type with one property.
private struct OneField<Field: Decodable>: Decodable { let field: Field }

/// A record with one nested value, which holds a number.
private struct Measured: CustomCloudKitEncodable {
  struct Reading: Encodable { let number: Double }

  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "measured" }
  var cloudKitRecordType: String { "Measured" }
  let reading: Reading

  enum CodingKeys: CodingKey { case reading }
}

extension NaiveRecordServer.Request {
  /// Has the first two saves refer to each other, the first by a field that it does not send.
  ///
  /// So that the first can be carried out, and the second behind it: which one is tried first matters.
  mutating func makeCircle() {
    let ids = saving.prefix(2).map(\.record.recordID)
    guard ids.count == 2 else { return }
    for index in 0..<2 {
      let target = RecordReference(recordID: ids[1 - index], action: .none)
      saving[index].record["owner"] = .reference(target)
    }
    saving[0].record = saving[0].record.unmarked()
  }
}
