/// Words as one word that fits a file name on every system: ASCII letters, digits, `.`, `-` and the
/// characters of `extra` stay, each other character becomes `-`.
package func slug(_ words: String, keeping extra: String = "") -> String {
  let kept = ".-" + extra
  return String(
    words.map { $0.isASCII && ($0.isLetter || $0.isNumber || kept.contains($0)) ? $0 : "-" }
  )
}

/// A name of parts, `Note--model.lossless`, that fits a file name on every system.
package func fileName(_ parts: [String]) -> String {
  parts.map { slug($0, keeping: "_") }.joined(separator: "--")
}

/// Whether a name of unknown origin names a file of a folder, and nothing outside of it.
///
/// It is its own ``slug(_:keeping:)``, does not begin with a dot (`.`, `..`, hidden files), and has
/// 1 to 230 bytes, which leaves room for an extension on every file system.
package func isFileName(_ name: String) -> Bool {
  (1...230).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
    && name.utf8.elementsEqual(slug(name, keeping: "_").utf8)
}
