extension CaseFile {
  /// The text of the file, which ``parse(_:)`` reads back.
  package func render() -> String {
    var text = "touchstone case \(Self.version)\n"
    for header in headers { text += Self.line(header.key, header.value) }
    text += "choices:\n"
    for line in choiceLines { text += line + "\n" }
    text += Self.line("sample", "\(sampleFormat)")
    var lines = sample.utf8.split(separator: 0x0a, omittingEmptySubsequences: false)
    // After the last line feed nothing is left, as in most samples; nor is there in an empty one.
    let endsWithNewline = lines.last?.isEmpty ?? true
    if endsWithNewline { lines.removeLast() }
    for line in lines {
      text += line.isEmpty ? "\n" : "  \(Substring(line))\n"
    }
    if !endsWithNewline { text += "no final newline\n" }
    return text + "end\n"
  }

  private static func line(_ key: String, _ value: String) -> String {
    value.isEmpty ? "\(key):\n" : "\(key): \(escaped(value))\n"
  }

  private var choiceLines: [String] {
    var lines: [String] = []
    var line = " "
    var index = 0
    while index < choices.count {
      let choice = choices[index]
      let end = choices[index...].firstIndex { $0 != choice } ?? choices.count
      let count = end - index
      let item = " \(choice.value)/\(choice.limit)" + (count > 1 ? "x\(count)" : "")
      if line.utf8.count + item.utf8.count > Self.lineWidth {
        lines.append(line)
        line = " "
      }
      line += item
      index = end
    }
    return choices.isEmpty ? lines : lines + [line]
  }

  /// The value of a header with everything invisible as an escape, and spaces at its ends.
  static func escaped(_ value: String) -> String {
    var result = String.UnicodeScalarView()
    let scalars = value.unicodeScalars
    for index in scalars.indices {
      let scalar = scalars[index]
      let isAtEnd = index == scalars.startIndex || scalars.index(after: index) == scalars.endIndex
      switch scalar {
      case "\n": result += "\\n".unicodeScalars
      case "\r": result += "\\r".unicodeScalars
      case "\t": result += "\\t".unicodeScalars
      case "\\": result += "\\\\".unicodeScalars
      case _ where isInvisible(scalar) || (isAtEnd && scalar == " "):
        result += scalar.escape.unicodeScalars
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Whether a header's value shows this scalar as an escape.
  ///
  /// The ranges are fixed here, since the tables of Unicode change from one system to the next.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1f, 0x7f...0x9f, 0xad, 0x61c, 0x180e: true
    case 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f: true
    case 0xfeff, 0xfff0...0xfffb, 0xe0000...0xe0fff: true
    default: scalar.value & 0xfffe == 0xfffe
    }
  }
}
