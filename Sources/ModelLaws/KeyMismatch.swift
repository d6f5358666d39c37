// Why a value is lost whose key `encode(to:)` and `init(from:)` name differently. `ModelTrial.swift`
// tells it beside what differs: the difference names a property, and the mistake is in a key.

import CodingSupport
import ModelGeneration
import Texts

/// Keys of one map that only one of `encode(to:)` and `init(from:)` knows.
///
/// Worked example: `encode(to:)` writes `dietary`, and `init(from:)` reads `dietry`, by `decodeIfPresent`. The first is
/// unread, the second unwritten.
struct KeyMismatch {
  /// Keys that were written, and that decoding asks for in none of the documents.
  private let unread: [String]
  /// Keys that decoding asks for, and that were not written.
  private let unwritten: [String]

  /// Decodes documents, and compares what is asked for with what was written to a map.
  ///
  /// What is not decoded to its end has not asked for all its keys: another document may.
  init<Value: Decodable>(
    _ type: Value.Type,
    from documents: [Tree],
    written: Tree,
    at map: [PathKey]
  ) {
    var asked: Set<String> = []
    var decoder = TreeDecoder()
    decoder.willRead = { path in
      let keys = path.keys
      if keys.dropLast() == map[...], case .key(let key)? = keys.last { asked.insert(key) }
    }
    for document in documents { _ = try? decoder.decode(type, from: document) }
    var known: [String] = []
    if case .map(let entries)? = written[map] { known = entries.map(\.key) }
    unread = known.filter { !asked.contains($0) }
    unwritten = asked.filter { !known.contains($0) }.sorted()
  }

  /// What is said of a key that is not written, behind that; empty if no other is written in its place.
  func writtenInstead(of key: String) -> String {
    guard let other = suggestions(for: key, among: unread).first else { return "" }
    return "; it writes `\(other)`, which `init(from:)` never asks for"
  }

  /// What is said of a property that comes back as something else, behind that; empty if its key is read.
  func reasonForChange(of property: String) -> String {
    guard let key = suggestions(for: property, among: unread).first else { return "" }
    guard let other = suggestions(for: key, among: unwritten).first else {
      return ": `init(from:)` never asks for `\(key)`, which `encode(to:)` writes"
    }
    return ": `encode(to:)` writes `\(key)`, and `init(from:)` asks for `\(other)`"
  }
}
