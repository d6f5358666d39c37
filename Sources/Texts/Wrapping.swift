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
