import LocalStore
import StoreLaws

/// The item that makes the rows of laws.
struct LawItem: Codable, Identifiable, Hashable, Sendable {
  var id: String
  var text: String
  /// Not a number where the row cannot be encoded: JSON has none.
  var number: Double?

  init(_ row: StoreRow) {
    id = row.id
    text = row.text
    number = row.isUnencodable ? .nan : nil
  }

  var row: StoreRow { StoreRow(id, text, isUnencodable: number != nil) }
}

/// The item is of a form that the reader does not know.
struct UnknownForm: Error {}

extension StoreCoder<LawItem> {
  /// JSON; texts that begin so do not decode.
  static func refusing(_ prefix: String) -> StoreCoder {
    let json = StoreCoder.json
    guard !prefix.isEmpty else { return json }
    return StoreCoder(
      encode: json.encode,
      decode: { bytes in
        let item = try json.decode(bytes)
        if item.text.hasPrefix(prefix) { throw UnknownForm() }
        return item
      }
    )
  }
}

extension StoreSettings.Migration {
  /// Brings an item's bytes over as the laws ask for.
  ///
  /// The mark is `#`, which laws expect behind each text (`version.migrates-whole`).
  ///
  /// An item that the law renames says another id than that under which it is stored.
  ///
  /// - Throws: `UnknownForm` for the item that the law names; else what the coder throws.
  func migrate(_ id: String, _ payload: [UInt8]) throws -> [UInt8] {
    if case .refuses(id) = self { throw UnknownForm() }
    var item = try StoreCoder<LawItem>.json.decode(payload)
    item.text += "#"
    if case .renames(id) = self { item.id += "-renamed" }
    return try StoreCoder<LawItem>.json.encode(item)
  }
}
