extension String {
  /// At most `limit` scalars, an ellipsis included.
  package func clipped(_ limit: Int) -> String {
    guard utf8.count > limit, unicodeScalars.count > limit else { return self }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(max(0, limit - 1)))
    return String(scalars) + "…"
  }
}
