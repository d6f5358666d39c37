import Foundation
import PropertyEngine
import RecordModel

// Where records differ, and the bits by which laws compare them.

extension Difference {
  /// A difference in words: nothing is compared.
  static func record(_ kind: String, _ summary: String) -> Difference {
    Difference(kind: kind, summary: summary)
  }

  /// A difference of two things, with the sides that show them.
  ///
  /// The first is `nil` where the law itself says what was expected.
  static func record(
    _ kind: String,
    _ summary: String,
    expected: Any? = nil,
    actual: Any? = nil,
    between expectedSide: String?,
    _ actualSide: String
  ) -> Difference {
    let texts = texts(ofDifferent: expected, actual)
    return Difference(
      kind: kind,
      summary: summary,
      expected: texts.expected,
      actual: texts.actual
    ).between(expectedSide, actualSide)
  }

  /// Where the fields of two records differ first, by all of their bits.
  ///
  /// Keys in their order, so that one pair of records always gives one difference. Of encrypted
  /// fields only that they differ is said: what a server is not to read is not printed.
  static func fields(
    _ kind: String,
    _ summary: String,
    expected: Record,
    actual: Record,
    between expectedSide: String,
    _ actualSide: String
  ) -> Difference? {
    for key in Set(expected.fields.keys).union(actual.fields.keys).sorted()
    where expected[key]?.bits != actual[key]?.bits {
      return .record(
        kind,
        "\(summary): '\(key)'",
        expected: expected[key] ?? "nothing" as Any,
        actual: actual[key] ?? "nothing" as Any,
        between: expectedSide,
        actualSide
      )
    }
    return expected.encryptedFields.mapValues(\.bits) == actual.encryptedFields.mapValues(\.bits)
      ? nil
      : .record(
        kind,
        "\(summary): an encrypted field",
        between: expectedSide,
        actualSide
      )
  }
}

extension RecordValue {
  /// All of its bits as text: laws compare by them, since `==` of values is judged as well.
  ///
  /// Two NaNs, 0.0 and -0.0, and two spellings of one letter differ here as they do in storage.
  var bits: String {
    switch self {
    case .string(let text): return "string \(Array(text.utf8))"
    case .int64(let number): return "int64 \(number)"
    case .double(let number): return "double \(number.bitPattern)"
    case .bytes(let bytes): return "bytes \(Array(bytes))"
    case .timestamp(let date):
      return "timestamp \(date.timeIntervalSinceReferenceDate.bitPattern)"
    case .location(let place):
      return "location \(place.latitude.bitPattern) \(place.longitude.bitPattern)"
    case .reference(let reference):
      return "reference \(reference.recordID) \(reference.action.rawValue)"
    case .asset(let asset): return "asset \(asset.fileURL?.absoluteString ?? "none")"
    case .list(let list):
      let kind = list.kind.map { "\($0)" } ?? "nothing"
      return "list of \(kind) \(list.elements.map(\.bits))"
    }
  }
}
