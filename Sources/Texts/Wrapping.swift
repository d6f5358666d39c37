/// A text of several lines in one.
///
/// A line that ends without a mark gets a full stop where the next one begins a sentence: what a program wrote at its end
/// runs on into our words otherwise. Only line feeds part lines; what else does stays, and is spelled out elsewhere.
package func inOneLine(_ text: String) -> String {
  let lines = text.split { $0 == "\n" || $0 == "\r\n" }
    .map { $0.trimmingPrefix { $0 == " " } }.filter { !$0.isEmpty }
  return lines.dropFirst().reduce(into: String(lines.first ?? "")) { all, line in
    let endsOpenly = all.last.map { $0.isLetter || $0.isNumber } ?? false
    all += (endsOpenly && line.first?.isUppercase == true ? ". " : " ") + line
  }
}

/// The words of a text in lines of at most `width` scalars, each but the first behind `hanging`; a word that is longer
/// has a line of its own.
package func wrapped(
  _ text: some StringProtocol,
  width: Int,
  hanging: String = ""
) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    let length = line.unicodeScalars.count + word.unicodeScalars.count
    // A sign that begins a paragraph stays with its first word.
    if line.unicodeScalars.count > 1, length + 1 > width {
      lines.append(line)
      line = hanging + word
    } else {
      line += line.isEmpty ? String(word) : " \(word)"
    }
  }
  return line.isEmpty ? lines : lines + [line]
}
