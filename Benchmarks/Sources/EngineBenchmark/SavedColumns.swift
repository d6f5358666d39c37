import MergeEngine

/// The columns of a saved document, cut out of its bytes.
enum SavedColumns {
  /// Columns of this many bytes or more are deflated.
  static let deflateThreshold = 256

  /// Every column of a document saved without compression.
  static func of(_ document: [UInt8]) throws -> [[UInt8]] {
    var at = 8
    func number() throws -> Int {
      var result = 0
      var shift = 0
      while at < document.count {
        let byte = document[at]
        at += 1
        result |= Int(byte & 127) << shift
        if byte < 128 { return result }
        shift += 7
      }
      throw Source.Failure.malformed("a saved document")
    }
    // Type and length; actors; heads of 32 bytes; then lists of spec and length, and the columns.
    at += 1
    _ = try number()
    for _ in 0..<(try number()) { at += try number() }
    at += try number() * 32
    var lengths: [Int] = []
    for _ in 0..<2 {
      for _ in 0..<(try number()) {
        _ = try number()
        lengths.append(try number())
      }
    }
    return try lengths.map { length in
      guard at + length <= document.count else {
        throw Source.Failure.malformed("a saved document")
      }
      defer { at += length }
      return Array(document[at..<at + length])
    }
  }
}
