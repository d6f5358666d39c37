import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Laws of nested values, which are JSON in a field of bytes: JSON that would end the process, bytes that are no JSON, and
// how numbers stand in JSON.

extension RecordLaw {
  private static let values = LawSource.document("Records.md", "Values")

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
