import Foundation
import PropertyEngine
import RecordModel

// What laws of records draw: values and records in which a coder or a server may go wrong.

extension Choices {
  /// An index of weights, in proportion to them, from bytes as well; 0 is the simplest.
  ///
  /// The weights make 256 at most, so that a choice takes one byte.
  ///
  ///     weights 6, 2, 1      of nine numbers 0 to 5 give 0, 6 and 7 give 1, 8 gives 2
  mutating func weighed(_ weights: [Int]) -> Int {
    var rest = index(below: max(1, weights.reduce(0, +)))
    for (index, weight) in weights.enumerated() {
      guard rest >= weight else { return index }
      rest -= weight
    }
    return 0
  }

  /// Short texts with whatever scalars confuse: look-alikes, controls, ends of planes.
  ///
  /// Up to 6 scalars: enough for a letter with its marks.
  mutating func text() -> String {
    Generator<String>.hostileText(unicodeScalarsUpTo: 6, long: false).draw(&self)
  }

  /// The ends of each width, and where a double stops being exact.
  ///
  /// 70 of 100 are edges: 2^53 + 1 is the first that a `Double` rounds, 128 and 256 the first
  /// beyond a byte.
  mutating func integer() -> Int64 {
    let edges: [Int64] = [0, 1, 2, -1, 127, 128, 255, 256, .max, .min, 1 << 53, 1 << 53 + 1]
    return flag(percent: 70) ? element(of: edges) : Int64(bitPattern: bits64())
  }

  /// Zeros of both signs, the bounds of integers, and no numbers.
  ///
  /// 0x1p63 is the first beyond `Int64`: `Int64(value)` traps for it, for infinity and for NaN. -0x1p63 is
  /// `Int64.min`, whose `abs` traps.
  mutating func double() -> Double {
    let edges = [
      0, -0.0, 1, 2, 0.1, 1.5, -1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 300,
      0x1p53, 0x1p63, -0x1p63, .infinity, .nan,
    ]
    return flag(percent: 80) ? element(of: edges) : Double(bitPattern: bits64())
  }

  /// Not on whole milliseconds, so that rounding shows.
  ///
  /// 1970, a moment in 2023, one in 1938, and 2001, where `Date` counts from; plus up to 4000 steps
  /// of 0.37 ms.
  mutating func date() -> Date {
    let base: [Double] = [0, 1_700_000_000, -1_000_000_000, 978_307_200]
    let seconds = element(of: base)
    return Date(timeIntervalSince1970: seconds + Double(number(in: 0...4000)) * 0.000_37)
  }

  /// Some are JSON, since nested values are stored as JSON in bytes.
  mutating func blob() -> Data {
    switch index(below: 3) {
    case 0: Data(text().utf8)
    case 1: Data(element(of: Self.jsonTexts).utf8)
    default:
      Data((0..<number(in: 0...8)).map { _ in UInt8(truncatingIfNeeded: number(in: 0...255)) })
    }
  }

  /// Right and wrong JSON: what models of the laws nest, numbers beyond a double, an open list, one
  /// key twice, half of a surrogate pair, an index range that `IndexSet` traps on, and a text that is no URL.
  private static var jsonTexts: [String] {
    [
      "null", "1", "\"a\"", "[]", "{}", "[1,null]", "{\"name\":1}",
      "[{\"name\":\"a\",\"weight\":1}]",
      "1e999", "[[[[", "{\"a\":1,\"a\":2}", "true", "-0.0", "18446744073709551615",
      "[{\"location\":-5,\"length\":9}]", "\"\\ud800\"", "[\"\"]", "{\"a\":\"\"}",
    ]
  }

  /// One of ten names, so that two records often have one.
  mutating func recordID() -> RecordID {
    RecordID(recordName: "r\(number(in: 0...9))", zoneID: recordZone)
  }

  /// To one of ten records, there or not; one in two takes its record along when its target is
  /// deleted.
  mutating func reference() -> RecordReference {
    RecordReference(recordID: recordID(), action: flag() ? .deleteSelf : .none)
  }

  /// Whatever a server may know of a record, each thing by itself, of any zone.
  ///
  /// Consistent with no server: an archive must give back whatever it was made of.
  mutating func systemFields() -> RecordSystemFields {
    let number = number(in: 0...9)
    let zone = RecordZoneID(zoneName: "Z\(number % 3)", ownerName: "o\(number % 2)")
    var fields = RecordSystemFields(
      recordType: "Note",
      recordID: RecordID(recordName: "n\(number)", zoneID: zone)
    )
    if flag() { fields.recordChangeTag = "t\(number)" }
    if flag() { fields.creationDate = date() }
    if flag() { fields.modificationDate = date() }
    if flag() { fields.creatorUserRecordID = recordID() }
    if flag() { fields.lastModifiedUserRecordID = recordID() }
    if flag() { fields.parent = reference() }
    if flag() { fields.share = reference() }
    if flag() { fields.platformArchive = blob() }
    // A part of more bytes than one byte of a length tells, in one of four.
    if weighed([3, 1]) == 1 { fields.platformArchive = Data(count: 120 + index(below: 16)) }
    return fields
  }

  /// A value of any kind, lists among them.
  ///
  /// 17 kinds: eight scalars, eight lists of up to two elements, and a list of nothing, whose kind
  /// is not known.
  mutating func value() -> RecordValue {
    let count = number(in: 0...2)
    func list<T>(_ body: () -> T) -> [T] { (0..<count).map { _ in body() } }
    // Where two are drawn, a text below three bytes becomes one that is no URL.
    func text() -> String {
      let text = self.text()
      return count == 2 && text.utf8.count < 3 ? "http://[" : text
    }
    switch index(below: 17) {
    case 0: return .string(text())
    case 1: return .int64(integer())
    case 2: return .double(double())
    case 3: return .bytes(blob())
    case 4: return .timestamp(date())
    case 5: return .location(RecordLocation(latitude: double(), longitude: double()))
    case 6: return .reference(reference())
    case 7:
      let url = flag() ? URL(fileURLWithPath: "/nowhere/\(count)") : nil
      return .asset(RecordAsset(fileURL: url))
    case 8: return .list(.strings(list { text() }))
    case 9: return .list(.int64s(list { integer() }))
    case 10: return .list(.doubles(list { double() }))
    case 11: return .list(.bytes(list { blob() }))
    case 12: return .list(.timestamps(list { date() }))
    case 13: return .list(.references(list { reference() }))
    case 14: return .list(.assets(list { RecordAsset(fileURL: nil) }))
    case 15:
      return .list(.locations(list { RecordLocation(latitude: 1, longitude: double()) }))
    default: return .list(.empty)
    }
  }

  /// A value that a server takes, of a kind that is not a reference.
  ///
  /// Empty and full lists of several kinds, since their kinds are easy to confuse.
  mutating func plainValue() -> RecordValue {
    let values: [RecordValue] = [
      .string("a"), .int64(1), .double(1), .bytes(Data([1])),
      .timestamp(Date(timeIntervalSince1970: 1)),
      .location(RecordLocation(latitude: 1, longitude: 2)),
      .list(.strings([])), .list(.strings(["a"])), .list(.int64s([])), .list(.doubles([1])),
      .list(.bytes([])), .list(.timestamps([])),
    ]
    return element(of: values)
  }

  /// A record with some of these keys, each with a value of any kind.
  ///
  /// 75 of 100 keys are there; one in five records has an encrypted field as well.
  mutating func record(_ keys: [String]) -> Record {
    var record = Record(recordType: "Note", recordID: recordID())
    for key in keys where flag(percent: 75) { record[key] = value() }
    if flag(percent: 20) { record[encrypted: "secret"] = value() }
    return record
  }

  /// A note of the newer version, by edits of all its properties.
  ///
  /// Each property gets a number of 0 to 5; 0 is `nil` (`EditableNote.set`).
  mutating func note(_ name: String = "r0") -> NewNote {
    var note = NewNote(named: name)
    for field in NoteField.allCases { note.set(field, to: number(in: 0...5)) }
    return note
  }
}
