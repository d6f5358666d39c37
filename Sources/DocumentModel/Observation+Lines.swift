import Texts

extension Observation {
  /// The whole state as indented lines, one a value: what reports and `touchstone show` print.
  package var lines: [String] {
    var lines = root.lines(indent: 0)
    if let heads {
      lines.append("heads \(heads.ids.joined(separator: " "))")
    }
    return lines
  }
}

extension ObservedObject {
  fileprivate func lines(indent: Int) -> [String] {
    contentLines(indent: indent)
      + marks.map { "\(String(repeating: "  ", count: indent))mark \($0)" }
  }

  private func contentLines(indent: Int) -> [String] {
    switch content {
    case .map(let entries):
      entries.flatMap { $0.register.lines(label: quoted($0.key.string), indent: indent) }
    case .list(let elements):
      elements.enumerated().flatMap { $1.lines(label: "\($0)", indent: indent) }
    case .text(let text, let length, let elements):
      [String(repeating: "  ", count: indent) + "\(quoted(text.string)) (\(length) units)"]
        + (elements ?? []).enumerated().flatMap { index, element in
          element.isPlainText ? [] : element.lines(label: "\(index)", indent: indent)
        }
    }
  }
}

extension ObservedRegister {
  /// Whether the register says no more than the text that it stands in already shows.
  fileprivate var isPlainText: Bool {
    guard values.count == 1, case .scalar(.string) = values[0].content else { return false }
    return true
  }

  fileprivate func lines(label: String, indent: Int) -> [String] {
    let margin = String(repeating: "  ", count: indent)
    return values.reversed().enumerated().flatMap { rank, value in
      let role = rank == 0 ? label : "\(label) (conflict)"
      let line = "\(margin)\(role): \(value.brief)"
      guard case .object(let object) = value.content else { return [line] }
      return [line] + object.lines(indent: indent + 1)
    }
  }
}
