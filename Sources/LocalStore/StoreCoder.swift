import Foundation

/// How items become bytes, and bytes items.
///
/// Equal items should become equal bytes: then equal histories make equal files.
///
/// `encode` is called before anything changes, `decode` for each item when the store is opened, and
/// for none later: what it throws makes the item undecodable (``OpenReport/undecodable``), and
/// fails nothing.
public struct StoreCoder<Item>: Sendable {
  public let encode: @Sendable (Item) throws -> [UInt8]
  public let decode: @Sendable ([UInt8]) throws -> Item

  public init(
    encode: @escaping @Sendable (Item) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Item
  ) {
    self.encode = encode
    self.decode = decode
  }
}

extension StoreCoder where Item: Codable & Sendable {
  /// JSON with sorted keys, as the seed's file has it but for the order.
  public static var json: StoreCoder {
    // Made once for all items: each call keeps what it needs to itself.
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let decoder = JSONDecoder()
    return StoreCoder(
      encode: { [UInt8](try encoder.encode($0)) },
      decode: { try decoder.decode(Item.self, from: Data($0)) }
    )
  }
}
