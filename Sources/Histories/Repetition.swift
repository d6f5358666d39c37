// Short forms of long values, for `History+Text.swift`; `History+Parsing.swift` reads them back
// (`times`, `counting`).

import DocumentModel
import Texts

/// Long values of a history in few words: what repeats is written once, with how often.
///
///     "abababababababababababababababab"     "ab" times 16
///     int 5, int 5, int 5, int 5             int 5 times 4
///     int 7, int 8, int 9, int 10            int 7 times 4 counting
///
/// Only the text form is short: reading it makes the whole value again.
enum Repetition {
  /// Shorter strings are written as they are.
  ///
  /// In scalars of a string, and in bytes.
  private static let shortString = 24
  private static let longestPeriod = 8
  /// Fewer values in a row are written one by one.
  private static let shortRun = 4

  /// A string in quotes; a long one that repeats as its period and how often.
  ///
  /// The shortest period up to eight scalars is taken.
  static func quoted(_ text: ExactString) -> String {
    let scalars = Array(text.string.unicodeScalars)
    guard scalars.count >= shortString else { return Texts.quoted(text.string) }
    for period in 1...longestPeriod where scalars.count.isMultiple(of: period) {
      guard (period..<scalars.count).allSatisfy({ scalars[$0] == scalars[$0 - period] }) else {
        continue
      }
      var piece = String.UnicodeScalarView()
      piece.append(contentsOf: scalars[..<period])
      return "\(Texts.quoted(String(piece))) times \(scalars.count / period)"
    }
    return Texts.quoted(text.string)
  }

  /// A value with its type.
  static func text(of value: Scalar) -> String {
    switch value {
    case .string(let text): "string \(quoted(text))"
    case .bytes(let bytes) where bytes.count >= shortString && Set(bytes).count == 1:
      "bytes 0x\(hexString([bytes[0]])) times \(bytes.count)"
    default: value.description
    }
  }

  /// Values in a row, each group as one text.
  ///
  /// A run of four or more equal values, or of ints that count up by one, is a group; equal ones
  /// are looked for first.
  static func groups(of values: [Scalar]) -> [String] {
    var groups: [String] = []
    var start = 0
    while start < values.count {
      let first = values[start]
      // A string or bytes may have a number of times of its own.
      let same = isPlain(first) ? values[start...].prefix { $0 == first }.count : 1
      let counting = countingRun(values, from: start)
      if same >= shortRun {
        groups.append("\(first) times \(same)")
      } else if counting >= shortRun {
        groups.append("\(first) times \(counting) counting")
      } else {
        groups.append(text(of: first))
        start += 1
        continue
      }
      start += max(same >= shortRun ? same : 0, same >= shortRun ? 0 : counting)
    }
    return groups
  }

  private static func isPlain(_ value: Scalar) -> Bool {
    switch value {
    case .string, .bytes: false
    default: true
    }
  }

  /// Ints from `start` on, each one more than the one before.
  ///
  /// Wraps around, as reading does.
  private static func countingRun(_ values: [Scalar], from start: Int) -> Int {
    guard case .int(let first) = values[start] else { return 1 }
    var count = 1
    while start + count < values.count, case .int(let next) = values[start + count],
      next == first &+ Int64(count)
    {
      count += 1
    }
    return count
  }
}
