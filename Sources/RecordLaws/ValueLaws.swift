import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Laws of whole records and values: the round trip through a server, through storage, identity,
// marks, what is unknown, nil, enumerations and dates, and system fields one by one. `NewNote` and
// `OldNote` are the models (`RecordNotes.swift`).

extension RecordLaw {
  /// Laws of whole records and values.
  static let valueLaws: [RecordLaw] = [
    returns, bytesReturn, damageRefused, identityStays, unchangedUnmarked, unknownStays, nilClears,
    enumKept, datesSettle, sizesReturn,
  ]

  private static let values = LawSource.document("Records.md", "Values")
  private static let names = LawSource.document("Records.md", "Names")

  /// The first law of any coder, by way of a server.
  ///
  /// Titles are compared by bytes besides, since `==` takes two spellings for one.
  ///
  /// Worked example: `record-strings-normalised` stores the title `"e\u{301}1"` as `"\u{E9}1"`,
  /// which `==` finds equal.
  ///
  /// By way of a server and not from record to value at once: a server takes marked fields alone,
  /// so that a coder which forgets a mark shows the value on this device and no other.
  static let returns = value(
    "record.returns",
    "A value comes back.",
    "What is encoded, saved, fetched and decoded is the value, but for fractions of a "
      + "millisecond.",
    source: values,
    of: Generator { $0.note() }
  ) { subject, note, _ in
    let server = subject.server()
    let record = try subject.encode(note, onto: Record(recordType: "Note", recordID: noteID))
    let answer = server.modify(RecordRequest(saving: [record]))
    guard answer.isDone, let fetched = server.fetch(noteID) else {
      return .record("save.refused", "the server refused it: \(answer.outcomes)")
    }
    var back = try subject.decode(NewNote.self, from: fetched)
    back.cloudKitSystemFields = nil
    var expected = note
    expected.at = note.at?.roundedToMilliseconds
    guard back != expected || !spelledAlike(back.title, expected.title) else { return nil }
    return .record(
      "value.differs",
      "another value came back",
      expected: expected,
      actual: back,
      between: "the value that was encoded",
      "the value that was decoded"
    )
  }

  /// Whether two texts have the same scalars: `==` holds two spellings of one character to be equal.
  private static func spelledAlike(_ left: String?, _ right: String?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  /// The record of all notes here: `note()` names its value r0.
  private static let noteID = RecordID(recordName: "r0", zoneID: recordZone)

  /// Catches a storage form that loses marks, system fields or encrypted fields, which no decoded
  /// value shows.
  ///
  /// Worked example: an app stores a note with an unsaved title and is ended.
  /// `record-marks-not-stored` gives it back without the mark, and the title is never sent.
  static let bytesReturn = value(
    "record.bytes-return",
    "Stored records come back.",
    "A record that is read from its bytes is the record, and has the same bytes.",
    source: .document("Records.md", "Archives"),
    of: Generator { $0.record(["a", "b", "c"]) },
    count: 84
  ) { subject, drawn, choices in
    var record = Record(
      systemFields: choices.systemFields(),
      fields: drawn.fields,
      encryptedFields: drawn.encryptedFields,
      changedKeys: drawn.changedKeySet
    )
    if choices.flag() { record["d"] = nil }
    let bytes = try subject.bytes(of: record)
    let back = try subject.record(of: bytes)
    if back != record {
      return Difference.fields(
        "bytes.differ",
        "another record came back",
        expected: record,
        actual: back,
        between: "the record that was stored",
        "the record that was read"
      )
        ?? .record(
          "bytes.differ",
          "marks or system fields came back otherwise",
          between: "the record that was stored",
          "the record that was read"
        )
    }
    guard try subject.bytes(of: back) != bytes else { return nil }
    return .record(
      "bytes.again",
      "it has other bytes",
      between: "the bytes that were read",
      "the bytes that are written of it"
    )
  }

  /// Catches a storage form without a checksum.
  ///
  /// One bit, anywhere: also in lengths and names.
  ///
  /// A CRC-32C finds each single bit. An end that is cut off is found by lengths or by the checksum
  /// that is not there.
  ///
  /// Worked example: a bit of the length in front of "Note" flips, and 4 becomes 6. Without a
  /// checksum the type takes two bytes of what follows, and may be read. `record-damage-forgiven`
  /// makes an empty record of anything, which the app then saves over the good one.
  static let damageRefused = value(
    "record.damage-refused",
    "Damaged bytes are refused.",
    "A stored record with one bit changed, or without its end, is refused.",
    source: .document("Records.md", "Archives"),
    of: Generator { $0.record(["a", "b"]) },
    count: 60
  ) { subject, record, choices in
    let bytes = try subject.bytes(of: record)
    let place = choices.index(below: bytes.count)
    var damaged = bytes
    if choices.flag() {
      damaged = bytes.prefix(place)
    } else {
      damaged[place] ^= 1 << choices.index(below: 8)
    }
    guard (try? subject.record(of: Data(damaged))) != nil else { return nil }
    return .record(
      "damage.read",
      "bytes that are damaged at \(place) of \(bytes.count) are a record"
    )
  }

  /// Catches a coder that makes a new record for a value that came from one, by which each save
  /// would double it.
  ///
  /// Worked example: `record-tag-forgotten` saves the note without its tag, and the server answers
  /// that there is one.
  ///
  ///     a note of zone Z1, tag t4     record-tag-forgotten: zone Z1, no tag
  ///                                   record-zone-of-encoder: the default zone, tag t4
  ///
  /// The first is refused by a server; the second makes a record in another zone, and no error
  /// tells.
  static let identityStays = value(
    "record.identity-stays",
    "System fields win.",
    "A value that was decoded is encoded as the record that it came from: name, zone, type "
      + "and tag.",
    source: names,
    count: 48
  ) { subject, choices in
    let fields = choices.systemFields()
    var record = Record(systemFields: fields)
    record["title"] = .string("a")
    let note = try subject.decode(OldNote.self, from: record)
    guard note.cloudKitIdentifier == fields.recordID.recordName else {
      return .record(
        "identity.name",
        "the identifier is not the record's name",
        expected: fields.recordID.recordName,
        actual: note.cloudKitIdentifier,
        between: "the system fields of the value",
        "the identifier of the value"
      )
    }
    let again = try subject.encode(note, onto: nil)
    guard again.systemFields != fields else { return nil }
    return .record(
      "identity.differs",
      "it is encoded as another record",
      expected: fields,
      actual: again.systemFields,
      between: "the record that the value came from",
      "the record that was encoded"
    )
  }

  /// Catches comparison by type or by bytes where the value is the same; each save would send
  /// everything, and overwrite what others changed.
  ///
  /// Worked example: `links` is stored as JSON. An encoder that writes its keys in another order
  /// each time gives other bytes for the same value, and marks the field at each save.
  ///
  /// So does one that writes the elements of a `Set`, or a dictionary whose keys are numbers, in the order of their
  /// hashes: it is another one in each process, and in a set with room for more.
  ///
  /// `record-all-marked` sends up to eight fields of a note that was only looked at. Its record has
  /// the right values, so that nothing but the marks tells.
  static let unchangedUnmarked = value(
    "record.unchanged-unmarked",
    "No change, no mark.",
    "A value that is decoded and encoded onto its record leaves the record as it was.",
    source: values,
    of: Generator { $0.note() }
  ) { subject, note, choices in
    let base = Record(recordType: "Note", recordID: noteID)
    let record = try subject.encode(note, onto: base).unmarked()
    // Decoded and encoded: what an app does with each note that it shows, edited or not.
    let again = try subject.encode(subject.decode(NewNote.self, from: record), onto: record)
    if let found = Difference.fields(
      "again.differs",
      "an unchanged value changes",
      expected: record,
      actual: again,
      between: "encoded at first",
      "decoded and encoded again"
    ) {
      return found
    }
    if let marked = again.changedKeys().first {
      return .record("again.marked", "an unchanged value marks '\(marked)'")
    }
    let bag = Bag(choices.number(in: 0...5))
    let stored = try subject.encode(bag, onto: nil).unmarked()
    var read = try subject.decode(Bag.self, from: stored)
    guard read == bag else {
      return .record(
        "again.bag",
        "a value with sets comes back as another",
        expected: bag,
        actual: read,
        between: "the value that was encoded",
        "the value that was decoded"
      )
    }
    read.makeRoom()
    let marked = try subject.encode(read, onto: stored).changedKeys()
    return marked.isEmpty
      ? nil : .record("again.hashed", "an unchanged value with sets marks '\(marked[0])'")
  }

  /// Catches an older version that clears what it does not know.
  ///
  /// Worked example: `later` is a field of version 2. `record-unknown-removed` clears it when
  /// version 1 saves the title.
  static let unknownStays = value(
    "record.unknown-stays",
    "Unknown fields stay.",
    "What a value does not name keeps its value, and is not marked.",
    source: values,
    of: Generator { $0.record(["later", "x1", "x2"]) },
    count: 60
  ) { subject, drawn, choices in
    let base = Record(
      systemFields: RecordSystemFields(recordType: "Note", recordID: noteID),
      fields: drawn.fields
    )
    var note = OldNote(named: "r0")
    note.set(choices.element(of: NoteField.old), to: choices.number(in: 0...5))
    let record = try subject.encode(note, onto: base)
    for key in base.allKeys() where record[key] != base[key] || record.changedKeySet.contains(key) {
      let isMarked = record[key] == base[key]
      return .record(
        "unknown.changed",
        isMarked ? "'\(key)' is to be saved, and is as it was" : "'\(key)' was changed",
        expected: isMarked ? "not marked as changed" : base[key] as Any,
        actual: isMarked ? "marked as changed" : record[key] ?? "nothing" as Any,
        between: "the record before the save",
        "the record after the save"
      )
    }
    return nil
  }

  /// Without a base nothing is known of the server's record, and so the clearing has to be sent;
  /// with one only if there is something to clear.
  ///
  /// Worked example: the title becomes `nil`, and the field is left out of the request: the server
  /// keeps the old title, and the next fetch brings it back (`record-nil-omitted`).
  ///
  ///     the base          title       marked
  ///     no base           nothing     yes
  ///     has a title       nothing     yes
  ///     has none          nothing     no: nothing need be sent
  ///
  /// `record-nil-unmarked` takes the field away and marks nothing: the device shows no title, and
  /// the server keeps it.
  static let nilClears = value(
    "record.nil-clears",
    "A nil clears.",
    "The key of a nil property is gone and marked: always without a base record, else if the base "
      + "had it.",
    source: values,
    of: Generator { $0.note() }
  ) { subject, drawn, choices in
    let base = Record(recordType: "Note", recordID: noteID)
    let full = try subject.encode(drawn, onto: base).unmarked()
    var note = try subject.decode(NewNote.self, from: full)
    let field = choices.element(of: NoteField.allCases)
    note.set(field, to: 0)
    let fresh = try subject.encode(note, onto: nil)
    let onto = try subject.encode(note, onto: full)
    // Fresh, without a base, it must be marked in any case; onto the full one if that has the
    // field.
    for (record, isMarked) in [(fresh, true), (onto, full[field.key] != nil)] {
      guard record[field.key] == nil, record.changedKeySet.contains(field.key) == isMarked else {
        return .record(
          "nil.unmarked",
          "'\(field.key)' is nil and not cleared",
          actual: record.changedKeys(),
          between: nil,
          "the record that was encoded"
        )
      }
    }
    return nil
  }

  /// Catches the fallback that is written back: an older version would turn each new case into it.
  ///
  /// Worked example: mood "wild" of version 2 is decoded as `calm` and written back
  /// (`record-unknown-case-replaced`).
  ///
  ///     mood      decoded as           encoded as
  ///     "wild"    raw value "wild"     "wild", not marked
  ///     "calm"    the case             "calm", not marked
  ///     ""        raw value ""         "", not marked
  ///
  /// The title is edited besides, since a device that saves nothing replaces nothing.
  static let enumKept = value(
    "record.enum-kept",
    "An unknown case survives.",
    "A raw value of a later version of an enumeration is written as it was read.",
    source: values
  ) { subject, choices in
    let raw = choices.element(of: ["wild", "calm", "", "\u{E9}"])
    var record = Record(recordType: "Note", recordID: noteID)
    record["mood"] = .string(raw)
    record = record.unmarked()
    var note = try subject.decode(OldNote.self, from: record)
    note.title = "a"
    let again = try subject.encode(note, onto: record)
    guard again["mood"] == .string(raw), again.changedKeys() == ["title"] else {
      return .record(
        "enum.replaced",
        "'\(raw)' was replaced",
        actual: again["mood"] as Any,
        between: nil,
        "the record that was encoded"
      )
    }
    return nil
  }

  /// Catches rounding in the server, or twice: a date that moves with every save is sent with every
  /// save.
  ///
  /// Worked example: a date 0.37 ms past a second is stored as that second. If the server drops
  /// what the encoder kept (`record-dates-exact`), what is fetched differs from what was saved, and
  /// is sent again.
  ///
  /// Worked example: `record-dates-cut` stores 0.74 ms past 1970 as 0 ms. -999999999.99963 s
  /// becomes -999999999.999 s, which is later than the date; the nearest is -1000000000 s.
  static let datesSettle = value(
    "record.dates-settle",
    "Dates settle at once.",
    "An encoded date is the nearest millisecond, and neither a server nor a second encode "
      + "moves it.",
    source: values,
    of: Generator { $0.date() }
  ) { subject, date, _ in
    var note = NewNote(named: "r0")
    note.at = date
    let record = try subject.encode(note, onto: Record(recordType: "Note", recordID: noteID))
    guard case .timestamp(let stored)? = record["at"] else {
      return .record("date.kind", "the date is no timestamp")
    }
    let nearest = date.roundedToMilliseconds
    guard stored == nearest else {
      return .record(
        "date.moved",
        "it is not the nearest millisecond",
        expected: nearest?.timeIntervalSince1970 as Any,
        actual: stored.timeIntervalSince1970,
        between: "the date of the value",
        "the field of the record"
      )
    }
    let server = subject.server()
    _ = server.modify(RecordRequest(saving: [record]))
    guard server.fetch(noteID)?["at"] == record["at"] else {
      return .record("date.server", "a save moved the date")
    }
    return nil
  }

  /// Catches tables that are made from a number of members on, limits that are one too low, lengths
  /// that are written with too few digits, and members that are found by another spelling of their
  /// key.
  ///
  /// Objects and lists have sizes that follow each other, so that one sample crosses what lies between them; one start in
  /// four is beside a power of two.
  ///
  /// Worked example: a coder looks for a member of up to 12 one by one, and makes a table of more. One that asks a table
  /// of 13 which it has not made finds no member.
  static let sizesReturn = value(
    "record.sizes-return",
    "Values of any size come back.",
    "A record of any number of fields, with nested objects and lists of sizes that follow each other, is stored as bytes "
      + "and comes back as the value that was encoded.",
    source: values
  ) { subject, choices in
    let shelf = Shelf(&choices)
    let record = try subject.encode(shelf, onto: nil)
    let stored = try subject.record(of: subject.bytes(of: record))
    let back = try subject.decode(Shelf.self, from: stored)
    guard back != shelf else { return nil }
    return .record(
      "sizes.differ",
      "another value came back",
      expected: shelf,
      actual: back,
      between: "the value that was encoded",
      "the value that was decoded"
    )
  }

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
}

/// A value whose elements have no order.
private struct Bag: CustomCloudKitCodable, Equatable {
  /// What is nested a level deeper.
  struct Part: Codable, Hashable {
    var numbers: Set<Int>
  }

  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "bag" }
  var cloudKitRecordType: String { "Bag" }
  var words: Set<String>?
  var weights: [Double: Int]
  var parts: Set<Part>

  enum CodingKeys: CodingKey { case words, weights, parts }

  init(_ count: Int) {
    words = Set((0..<count).map { "word \($0)" })
    weights = Dictionary(uniqueKeysWithValues: (0..<count).map { (Double($0) / 2, $0) })
    parts = Set((0..<count).map { Part(numbers: [$0, $0 + 1, $0 + 2]) })
  }

  /// Leaves the value as it is, and its elements in the order of other hashes.
  mutating func makeRoom() {
    words?.reserveCapacity(100)
    weights.reserveCapacity(100)
    parts = Set(
      parts.map { part in
        var numbers = part.numbers
        numbers.reserveCapacity(100)
        return Part(numbers: numbers)
      }
    )
    parts.reserveCapacity(100)
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
