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
  /// What is spelled out; tests leave parts away to see that a check fails.
  package var spelled: Set<Kind>
  /// Scalars after which a text is cut off; the text says how many were left out.
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
        result.append(contentsOf: scalar.escape(uppercase: true).unicodeScalars)
        hasGround = false
      } else {
        result.append(scalar)
        hasGround = scalar != "\n" && scalar != "\t"
      }
    }
    return String(result)
  }

  private func kind(of scalar: Unicode.Scalar, hasGround: Bool) -> Kind? {
    if keepsLines, scalar == "\n" || scalar == "\t" { return nil }
    if let kind = Kind(of: scalar) { return kind }
    guard !hasGround else { return nil }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: .looseMark
    default: nil
    }
  }
}

extension VisibleText.Kind {
  /// What keeps a scalar from being seen wherever it stands; `nil` for one that is seen, or a mark.
  package init?(of scalar: Unicode.Scalar) {
    if scalar.isASCII {
      guard !(0x20...0x7E).contains(scalar.value) else { return nil }
      self = .control
      return
    }
    switch scalar.properties.generalCategory {
    case .control: self = .control
    case .format, .surrogate: self = .format
    case .lineSeparator, .paragraphSeparator: self = .separator
    case .unassigned, .privateUse: self = .unassigned
    default: return nil
    }
  }
}
