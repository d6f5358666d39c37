// Values that edits write: notable ones by kind, texts that look alike, and `ValueRelation`, which makes
// a new value of an old one. `EditDraft.swift` draws from all of them, `HistoryGenerator.swift`
// times of commits, `WorldSize.swift` numbers.

import DocumentModel
import PropertyEngine

/// Values at which programs change their minds: borders of bytes, of LEB128, of words, of floats, and
/// pairs that a careless comparison takes for one another.
///
/// The simplest come first, since shrinking goes there.
enum NotableValues {
  /// Whole numbers at borders, the smallest first: of one and two bytes, of signed and unsigned LEB128
  /// (six, seven, thirteen and fourteen bits), of words, and of what a float holds exactly.
  static let integers: [Int64] = {
    var numbers: [Int64] = [-1, -2, 10]
    for bits in [6, 7, 8, 9, 13, 14, 15, 16, 20, 21, 27, 31, 32, 52, 53, 62] {
      let power = Int64(1) << Int64(bits)
      numbers += [power, power - 1, power + 1, -power, -power - 1, 1 - power]
    }
    return numbers + [.max, .min, .max - 1, .min + 1]
  }()

  /// Floats that are equal and differ in bits, or the other way round, and the ends of their range.
  ///
  /// Four bit patterns of NaN; 2^53, at which whole numbers end to be exact; 2^63 and 2^64, which
  /// integers of 64 bits do not reach.
  static let floats: [Double] = [
    0, -0.0, 1, -1, -1.5, 0.1, 255, 256, .infinity, -.infinity, .nan, -.nan,
    Double(bitPattern: 0x7ff8_0000_0000_0001), Double(bitPattern: 0x7ff0_0000_0000_0001),
    .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
    .leastNormalMagnitude, 9_007_199_254_740_992, 1.0.nextUp, 1.0.nextDown,
    9.3e18, 1e308, 0x1p63, 0x1p64, -0x1p63,
  ]

  /// Milliseconds: around 1970, before it, today, a fraction of a second, far away.
  ///
  /// -86,400,001 is the last millisecond of 30 December 1969, and 4,102,444,800,000 the start of
  /// 2100.
  static let timestamps: [Int64] = [
    0, 1, -1, 1_700_000_000_123, -86_400_001, 4_102_444_800_000, 999, 1000, -999, -1000,
    1_700_000_000_000, 1_700_000_000_124,
  ]

  /// Seconds of a commit: as ``timestamps``, and the ends of what is kept.
  ///
  /// 63 and -64 are the last that a byte of signed LEB128 holds. The format stores differences of
  /// two times, so that `max` and `min` together pass 64 bits.
  static let commitTimes: [Int64] = [
    0, 1, -1, 63, 64, -64, -65, 1_700_000_000, 1 << 40, .max, .min,
  ]

  /// Values that a careless comparison takes for one another.
  ///
  /// Zeros and empties of all types, one as several types, "\u{e9}" as one scalar and as two, a
  /// digit as a number and as a string.
  static let confusables: [Scalar] = [
    .int(0), .uint(0), .boolean(false), .boolean(true), .float(0), .float(-0.0), .counter(0),
    .timestamp(0), .null, .string(""), .string("\u{e9}"), .string("e\u{301}"), .bytes([]),
    .int(1), .uint(1), .string("0"), .float(.nan),
  ]

  /// Texts of several scalars that readers take for one thing, with their neighbours.
  ///
  /// Families, flags, Hangul, marks alone, line ends, letters from right to left, private use; a row shares its
  /// beginning or its look.
  static let clusters: [[String]] = [
    [
      "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F468}\u{200D}\u{1F469}", "\u{1F468}",
      "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F466}", "\u{200D}",
    ],
    [
      "\u{1F1E9}\u{1F1EA}", "\u{1F1E9}", "\u{1F1EA}", "\u{1F1E9}\u{1F1F0}",
      "\u{1F1E9}\u{1F1EA}\u{1F1E9}",
    ],
    ["\u{AC00}", "\u{AC01}", "\u{1100}", "\u{1161}", "\u{1100}\u{1161}", "\u{11A8}"],
    ["e\u{301}", "e", "\u{301}", "\u{e9}", "e\u{301}\u{323}", "e\u{323}\u{301}"],
    ["\r\n", "\r", "\n", "\n\r", "\u{2028}"],
    ["\u{5D0}", "\u{5D0}\u{5B0}", "\u{5B0}", "\u{627}\u{644}", "\u{202E}", "\u{200F}"],
    ["\u{1F44D}", "\u{1F44D}\u{1F3FD}", "\u{1F3FD}", "\u{1F44D}\u{1F3FE}"],
    ["\u{FB01}", "fi", "f", "i"],
    // Where planes of private use begin and all scalars end: numbers that a program may take for its own,
    // beside what it would give them to.
    ["\u{100000}", "e\u{301}", "\u{F0000}", "\u{10FFFF}", "\u{E000}", "\u{100001}"],
  ]
}

/// How a new value is made of an old one; the simplest first.
///
/// Worked example, from int 5: `same` 5, `more` 6, `less` 4, `negated` -5, `asOtherKind` uint 5 or
/// string "5", and 5 again for the cuts, which are of strings and bytes. Of typed "\u{e9}\u{e0}" `inBytes` is the
/// string "ab", which takes as many bytes as the last letter: as one element it is no letter more.
enum ValueRelation: CaseIterable {
  case same, more, less, negated, asOtherKind, prefix, suffix, extended, inBytes

  /// A value near `old`: one that a shortcut for values already there, or a comparison by a part,
  /// takes for it.
  ///
  /// `typed`: The text that was typed last, which ``inBytes`` is near to.
  func value(from old: Scalar, typed: ExactString?, kind: ScalarKind) -> Scalar {
    switch self {
    case .same: return old
    case .more, .less, .negated: return shifted(old)
    case .asOtherKind: return Self.recast(old, as: kind) ?? old
    case .prefix, .suffix, .extended: return cut(old)
    case .inBytes:
      guard let last = typed?.string.unicodeScalars.last, last.utf8.count > 1 else { return old }
      return .string(ExactString(String("abcd".prefix(last.utf8.count))))
    }
  }

  private func shifted(_ old: Scalar) -> Scalar {
    func step(_ number: Int64) -> Int64 {
      switch self {
      case .more: number &+ 1
      case .less: number &- 1
      default: 0 &- number
      }
    }
    switch old {
    case .int(let number): return .int(step(number))
    case .counter(let number): return .counter(step(number))
    case .timestamp(let number): return .timestamp(dated(step(number)))
    case .uint(let number): return .uint(UInt64(bitPattern: step(Int64(bitPattern: number))))
    case .float(let number):
      return .float(
        self == .more ? number.nextUp : self == .less ? number.nextDown : -number
      )
    case .boolean(let value): return .boolean(!value)
    case .bytes(let bytes):
      guard let last = bytes.last else { return old }
      return .bytes(bytes.dropLast() + [self == .less ? last &- 1 : last &+ 1])
    case .string, .null, .unknown: return old
    }
  }

  private func cut(_ old: Scalar) -> Scalar {
    switch old {
    case .string(let text):
      let scalars = Array(text.string.unicodeScalars)
      let kept = cut(scalars, adding: "a")
      var string = String.UnicodeScalarView()
      string.append(contentsOf: kept)
      return .string(ExactString(String(string)))
    case .bytes(let bytes): return .bytes(cut(bytes, adding: 0))
    case .unknown(let code, let bytes):
      return .unknown(typeCode: code, bytes: cut(bytes, adding: 0))
    default: return old
    }
  }

  private func cut<Element>(_ elements: [Element], adding new: Element) -> [Element] {
    switch self {
    case .prefix: elements.dropLast()
    case .suffix: Array(elements.dropFirst())
    default: elements + [new]
    }
  }

  /// The same bits, or the same number, as a value of another kind; `nil` where there are none.
  ///
  /// A float keeps its bits as an integer, and an integer its number as a float: both are what a
  /// coder that mixes up types would show.
  private static func recast(_ old: Scalar, as kind: ScalarKind) -> Scalar? {
    let number: Int64
    switch old {
    case .int(let value), .counter(let value), .timestamp(let value): number = value
    case .uint(let value): number = Int64(bitPattern: value)
    case .boolean(let value): number = value ? 1 : 0
    case .null: number = 0
    case .float(let value): number = Int64(bitPattern: value.bitPattern)
    case .string(let text):
      return kind == .bytes ? .bytes(Array(text.string.utf8)) : nil
    case .bytes(let bytes):
      return kind == .string ? .string(ExactString(String(decoding: bytes, as: UTF8.self))) : nil
    case .unknown: return nil
    }
    switch kind {
    case .null: return .null
    case .boolean: return .boolean(number != 0)
    case .int: return .int(number)
    case .uint: return .uint(UInt64(bitPattern: number))
    case .float: return .float(Double(number))
    case .string: return .string(ExactString("\(number)"))
    case .bytes: return .bytes((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    case .counter: return .counter(number)
    case .timestamp: return .timestamp(dated(number))
    case .unknown: return nil
    }
  }
}

/// The nearest number of milliseconds from 2 January of year 1 to the end of 9999: bindings of engines have no others.
///
/// Python looks a day back from each local time that it makes, and knows no year 0.
private func dated(_ milliseconds: Int64) -> Int64 {
  min(max(milliseconds, -62_135_510_400_000), 253_402_300_799_000)
}
