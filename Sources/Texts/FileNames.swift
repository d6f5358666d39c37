/// Words as one word that fits a file name on every system: ASCII letters, digits, `.`, `-` and the
/// characters of `extra` stay, each other character becomes `-`, and a long one is cut.
package func slug(_ words: String, keeping extra: String = "") -> String {
  cut(plain(words, keeping: extra), of: words)
}

/// A name of parts, `Note--model.lossless`, that fits a file name on every system; a long one is cut.
package func fileName(_ parts: [String]) -> String {
  cut(
    parts.map { plain($0, keeping: "_") }.joined(separator: "--"),
    of: parts.joined(separator: "--")
  )
}

/// Whether a name of unknown origin names a file of a folder, and nothing outside of it.
///
/// It consists of what ``slug(_:keeping:)`` leaves, does not begin with a dot (`.`, `..`, hidden files),
/// and has 1 to 230 bytes, which leaves room for an extension on every file system.
package func isFileName(_ name: String) -> Bool {
  (1...230).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
    && name.utf8.elementsEqual(plain(name, keeping: "_").utf8)
}

private func plain(_ words: String, keeping extra: String) -> String {
  let kept = ".-" + extra
  return String(
    words.map { $0.isASCII && ($0.isLetter || $0.isNumber || kept.contains($0)) ? $0 : "-" }
  )
}

/// Bytes of a name that is made of words, at most.
///
/// File systems take 255. What stands before or behind a name (a world's, `-12`, `.swift`) must find room.
private let nameByteLimit = 160

/// A name, or its beginning with a hash of all words behind it: `subject.answers--heap-buffer-ov-0f1e2d3c`.
///
/// Names that begin alike differ still, and the same words have the same name in every run.
private func cut(_ name: String, of words: String) -> String {
  // All characters are of one byte here.
  guard name.utf8.count > nameByteLimit else { return name }
  let mark = "-" + hexString(UInt32(truncatingIfNeeded: stableHash(words.utf8)))
  return String(name.prefix(nameByteLimit - mark.utf8.count)) + mark
}

/// The names of things that would have one: `a`, `a-2`, `a-3` and so on.
package func numberedNames(
  _ base: String,
  separator: String = "-"
) -> some Sequence<String> {
  (1...).lazy.map { $0 == 1 ? base : "\(base)\(separator)\($0)" }
}

/// Names that were handed out, none of them twice.
package struct UniqueNames {
  private var taken: Set<String> = []

  package init() {}

  /// The name; if it was handed out before, with the separator and a number behind it: `~2`.
  package mutating func claim(_ base: String, separator: String = "~") -> String {
    let free = numberedNames(base, separator: separator).first { taken.insert($0).inserted }
    return free ?? base
  }
}
