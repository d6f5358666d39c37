import Foundation
import RecordCoding
import TestSupport
import Testing

/// Values that pass over what is refused, and what was made for it until then.
@Suite("Refused values of records")
struct RefusedValueTests {
  /// Passes over what it is to encode under a key or in its own place, and is `{"list":[["b"]],"title":"a"}` then.
  private struct Forgiving<Refused: Encodable>: CustomCloudKitEncodable {
    var cloudKitSystemFields: Data? { nil }
    var cloudKitIdentifier: String { "forgiving" }
    var cloudKitRecordType: String { "Forgiving" }
    let refused: Refused
    let isRoot: Bool

    enum CodingKeys: CodingKey { case refused, title, list }

    private struct Rest: Encodable {
      let forgiving: Forgiving

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !forgiving.isRoot {
          try? container.encode(forgiving.refused, forKey: .refused)
          // Refused again, and not taken for a record that is there.
          try? container.encode(forgiving.refused, forKey: .refused)
        }
        try container.encode("a", forKey: .title)
        try container.encode([["b"]], forKey: .list)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if isRoot { try? container.encode(refused) }
      try container.encode(Rest(forgiving: self))
    }
  }

  /// Refused for its last property, after the first was written.
  private struct Failing<First: Encodable & Sendable>: Encodable {
    let first: First
    let limit = UInt64.max
  }

  /// A record of its own; one with the greatest limit is refused for it.
  private struct Child<First: Encodable & Sendable>: CustomCloudKitEncodable {
    var cloudKitSystemFields: Data? { nil }
    var cloudKitIdentifier: String { name }
    var cloudKitRecordType: String { "Child" }
    let name: String
    let first: First
    let limit: UInt64

    enum CodingKeys: CodingKey { case first, limit }

    init(_ name: String, _ first: First, limit: UInt64 = 0) {
      (self.name, self.first, self.limit) = (name, first, limit)
    }
  }

  /// Children within one another.
  private struct Chain: CustomCloudKitEncodable {
    var cloudKitSystemFields: Data? { nil }
    var cloudKitIdentifier: String { "chain\(count)" }
    var cloudKitRecordType: String { "Chain" }
    let count: Int
    let next: [Chain]

    init(_ count: Int) {
      self.count = count
      next = count > 1 ? [Chain(count - 1)] : []
    }
  }

  private struct Photo: CloudKitAssetValue {
    var lines = ["a"]
  }

  private struct TwoKinds: Encodable {
    enum CodingKeys: CodingKey { case key }

    func encode(to encoder: any Encoder) throws {
      _ = encoder.container(keyedBy: CodingKeys.self)
      _ = encoder.unkeyedContainer()
    }
  }

  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable () throws -> Void

    init<Refused: Encodable & Sendable>(_ name: String, isRoot: Bool = false, _ refused: Refused) {
      testDescription = name
      check = {
        try withFolder { folder in
          let encoder = CloudKitRecordEncoder()
          encoder.options.nestedValues = .references
          encoder.options.assetDirectory = folder
          encoder.options.encryptedKeys = ["refused"]
          let value = Forgiving(refused: refused, isRoot: isRoot)
          let records = try encoder.encodeRecords(value)
          #expect(records.map(\.recordID.recordName) == ["forgiving"])
          #expect(records.last?.allKeys() == ["list", "title"])
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
      }
    }
  }

  static let examples: [Example] = [
    Example("a child at the root", isRoot: true, Failing(first: Child("child", 1))),
    Example("a file at the root", isRoot: true, Failing(first: Photo())),
    Example("two kinds at the root", isRoot: true, Failing(first: TwoKinds())),
    Example("a list of children", [Child("taken", 1), Child("refused", 1, limit: .max)]),
    Example("a child with a child", Child("outer", Child("inner", 1), limit: .max)),
    Example("a child with a file", Child("child", Photo(), limit: .max)),
    Example("a child that is to be encrypted", Child("child", 1)),
    Example("a file that is to be encrypted", Photo()),
    Example("two kinds", TwoKinds()),
    Example("children too deep", Chain(70)),
  ]

  @Test(
    "RC-28 What is refused and passed over leaves no record, no file and no complaint",
    arguments: examples
  )
  func leavesNothing(example: Example) throws { try example.check() }
}
