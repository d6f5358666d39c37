import Foundation

/// The file of the repository that this one replaces: one JSON array of items.
///
/// It is cut into its elements without decoding them, so that one that no longer decodes neither
/// takes the others with it nor is lost.
///
///     [{"id":"a"},  {"x":1} ]      the elements are bytes 1..<11 and 14..<21
///     item "a"                     payload {"id":"a"}, byte for byte as it stood there
///     element 1                    no id: unreadable, and kept in quarantine with the file
package enum SeedFile {
  /// The byte ranges of the elements of a JSON array.
  ///
  /// - Throws: ``StoreDamage`` unless the text is one whole array and every element is JSON.
  static func elements(_ bytes: [UInt8], file: String) throws(StoreDamage) -> [Range<Int>] {
    func damage(_ offset: Int, _ words: String) -> StoreDamage {
      StoreDamage(file: file, offset: offset, explanation: words)
    }
    // A marker of UTF-8 that some editors write.
    var offset = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    func skipSpace() { while offset < bytes.count, isSpace(bytes[offset]) { offset += 1 } }
    skipSpace()
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "[") else {
      throw damage(offset, "not a JSON array")
    }
    offset += 1
    skipSpace()
    var elements: [Range<Int>] = []
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "]") {
      offset += 1
    } else {
      while true {
        skipSpace()
        let start = offset
        guard let end = end(of: bytes, from: start), end > start else {
          throw damage(start, "the array does not end")
        }
        var last = end
        while last > start, isSpace(bytes[last - 1]) { last -= 1 }
        guard isJSON(bytes[start..<last]) else { throw damage(start, "not JSON") }
        elements.append(start..<last)
        offset = end + 1
        if bytes[end] == UInt8(ascii: "]") { break }
      }
    }
    skipSpace()
    guard offset == bytes.count else { throw damage(offset, "something follows the array") }
    return elements
  }

  /// Offset of the comma or bracket that ends the element at an offset; `nil` if none does.
  ///
  /// Knows texts and depth, and no more of JSON: what lies between is judged by a JSON reader
  /// afterwards. In `[{"a":"],"},2]` the first element ends at the second comma: the bracket and
  /// the comma before it stand in a text.
  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    var isText = false
    var offset = start
    while offset < bytes.count {
      let byte = bytes[offset]
      if isText {
        if byte == UInt8(ascii: "\\") { offset += 1 }
        if byte == UInt8(ascii: "\"") { isText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]") where depth == 0, UInt8(ascii: ",") where depth == 0: return offset
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
      }
      offset += 1
    }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }

  private static func isJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
  }

  /// The member `id` of an element that does not decode; `nil` if it has none.
  private static func id(of bytes: ArraySlice<UInt8>) -> String? {
    let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    return object?["id"] as? String
  }

  /// Reads the file.
  ///
  ///     [{"id":"a","n":1}, {"id":"a","n":2}]      fail         refused: `duplicateIDs`
  ///                                               keepFirst    "a" with n 1
  ///                                               keepLast     "a" with n 2, at the first's place
  ///
  /// An element that does not decode and has an `id` is an item: its bytes wait for a version that
  /// reads it.
  ///
  /// `decodeID`: The id of an element that decodes; `nil` for one that does not.
  package static func read(
    _ bytes: [UInt8],
    file: String,
    _ policy: DuplicatePolicy,
    decodeID: (ArraySlice<UInt8>) -> String?
  ) throws(StoreError) -> LegacyContents {
    let ranges: [Range<Int>]
    do {
      ranges = try elements(bytes, file: file)
    } catch {
      throw StoreError(.corrupted(error), .open)
    }
    var positions: [ItemID: Int] = [:]
    var contents = LegacyContents(items: [], unreadable: [])
    var duplicates: [String] = []
    for (index, range) in ranges.enumerated() {
      let element = bytes[range]
      guard let text = decodeID(element) ?? id(of: element) else {
        contents.unreadable.append(index)
        continue
      }
      let item = LegacyContents.Item(id: ItemID(text), payload: Array(element))
      guard let position = positions[item.id] else {
        positions[item.id] = contents.items.count
        contents.items.append(item)
        continue
      }
      duplicates.append(text)
      if policy == .keepLast { contents.items[position] = item }
    }
    guard policy != .fail || duplicates.isEmpty else {
      throw StoreError(.duplicateIDs(duplicates), .open)
    }
    return contents
  }
}
