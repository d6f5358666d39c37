/// Makes text of unknown origin safe to look at, whatever it is embedded in afterwards.
///
/// What a reader could not see, or what would change how its surroundings look, is spelled out as
/// `\u{...}`: controls (a terminal's escape sequences begin with one), format characters (those
/// that turn the direction of writing around, joiners, marks of width zero), separators of lines
/// and paragraphs, private and unassigned code points, and a combining mark without anything of
/// its own text to stand on. The result holds no scalar that XML 1.0 forbids.
package struct VisibleText: Sendable {
  /// Whether `\n` and `\t` stay as they are.
  package var keepsLines: Bool
  /// What is spelled out; tests leave parts away to see that somebody notices.
  package var spelled: Set<Kind>
  /// Scalars after which a text is cut off; what was left out is told.
  package var scalarLimit: Int

  /// Kinds of scalar that are spelled out.
  package enum Kind: Hashable, Sendable, CaseIterable {
    case control
    /// Directions, joiners, marks of width zero.
    case format
    case separator
    /// Private use, unassigned, noncharacters.
    case unassigned
    case looseMark
  }

  package init(
    keepsLines: Bool = false,
    spelled: Set<Kind> = Set(Kind.allCases),
    scalarLimit: Int = 4000
  ) {
    self.keepsLines = keepsLines
    self.spelled = spelled
    self.scalarLimit = scalarLimit
  }

  package func callAsFunction(_ text: String) -> String {
    if text.utf8.count <= scalarLimit, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      return text
    }
    var result = String.UnicodeScalarView()
    var count = 0
    var hasGround = false
    for scalar in text.unicodeScalars {
      if count == scalarLimit {
        let rest = text.unicodeScalars.count - count
        return String(result) + "… (\(grouped(rest)) more)"
      }
      count += 1
      if let kind = kind(of: scalar, hasGround: hasGround), spelled.contains(kind) {
        let hexadecimal = String(scalar.value, radix: 16, uppercase: true)
        result.append(contentsOf: "\\u{\(hexadecimal)}".unicodeScalars)
        hasGround = false
      } else {
        result.append(scalar)
        hasGround = scalar != "\n" && scalar != "\t"
      }
    }
    return String(result)
  }

  private func kind(of scalar: Unicode.Scalar, hasGround: Bool) -> Kind? {
    if scalar.isASCII {
      if keepsLines, scalar == "\n" || scalar == "\t" { return nil }
      return (0x20...0x7E).contains(scalar.value) ? nil : .control
    }
    return switch scalar.properties.generalCategory {
    case .control: .control
    case .format, .surrogate: .format
    case .lineSeparator, .paragraphSeparator: .separator
    case .unassigned, .privateUse: .unassigned
    case .nonspacingMark, .spacingMark, .enclosingMark: hasGround ? nil : .looseMark
    default: nil
    }
  }
}

/// The number in groups of three digits: `12,000`.
package func grouped(_ number: Int) -> String {
  let digits = String(number.magnitude)
  var result = number < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index).isMultiple(of: 3) { result += "," }
    result.append(digit)
  }
  return result
}

/// The number with its noun: `1 law`, `12,000 cases`.
package func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
}

/// A duration or rate with at most `digits` decimals, rounded; whole from 1000 on.
package func decimal(_ value: Double, digits: Int = 1) -> String {
  guard value.magnitude < 1e15 else { return value.description }
  guard value.magnitude < 1000, digits > 0 else { return grouped(Int(value.rounded())) }
  let scale = (0..<min(digits, 6)).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int((value * Double(scale)).rounded())
  let fraction = String(scaled.magnitude % UInt(scale))
  let zeros = String(repeating: "0", count: max(0, digits - fraction.count))
  return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / UInt(scale)).\(zeros)\(fraction)"
}

extension Int {
  /// The sum, or the nearest number there is: counts come from files.
  func addingSaturated(_ other: Int) -> Int {
    let (sum, hasOverflowed) = addingReportingOverflow(other)
    guard hasOverflowed else { return sum }
    return other < 0 ? .min : .max
  }
}

extension Sequence where Element == Int {
  /// The sum of all, or the nearest number there is.
  var saturatedSum: Int { reduce(0) { $0.addingSaturated($1) } }
}
