extension String {
  /// At most `limit` scalars, an ellipsis included.
  package func clipped(_ limit: Int) -> String {
    guard utf8.count > limit, unicodeScalars.count > limit else { return self }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(max(0, limit - 1)))
    return String(scalars) + "…"
  }

  /// The first words, at most `limit` scalars, an ellipsis included.
  ///
  /// Only what is longer than that without a space is cut inside of a word: a name or path in pieces
  /// is of no use.
  package func clippedBehindWord(_ limit: Int) -> String {
    guard utf8.count > limit, unicodeScalars.count > limit else { return self }
    let head = unicodeScalars.prefix(max(0, limit - 1))
    guard let space = head.lastIndex(where: { $0 == " " || $0 == "\n" }) else {
      return clipped(limit)
    }
    return String(head[..<space]) + " …"
  }
}
