import Foundation
import RecordCoding
import TestSupport
import Testing

@Suite("Shapes of values, assets and references")
struct StructureTests {
  class Animal: Codable {
    var name = "Rex"
  }

  final class Dog: Animal {
    var tricks = ["sit"]
    enum CodingKeys: CodingKey { case tricks }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      tricks = try decoder.container(keyedBy: CodingKeys.self).decode(
        [String].self,
        forKey: .tricks
      )
      try super.init(from: decoder)
    }
    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(tricks, forKey: .tricks)
    }
  }

  final class Cat: Animal {
    enum CodingKeys: CodingKey {}
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      try super.init(from: decoder.container(keyedBy: CodingKeys.self).superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: container.superEncoder())
    }
  }

  enum Shape: Codable, Equatable {
    case circle(radius: Double)
  }

  @Test("RC-37 Superclasses, two containers, payloads and single values work or throw")
  func shapes() throws {
    let encoder = CloudKitRecordEncoder()
    let decoder = CloudKitRecordDecoder()
    let dog = try encoder.encode(Dog())
    #expect(dog.fields == ["name": .string("Rex"), "tricks": .list(.strings(["sit"]))])
    #expect(try decoder.decode(Dog.self, from: dog).name == "Rex")
    let cat = try encoder.encode(Cat())
    #expect(cat.fields == ["super": .bytes(Data(#"{"name":"Rex"}"#.utf8))])
    #expect(try decoder.decode(Cat.self, from: cat).name == "Rex")
    let shape = try encoder.encode(Shape.circle(radius: 1.5))
    #expect(shape.fields == ["circle": .bytes(Data(#"{"radius":1.5}"#.utf8))])
    #expect(try decoder.decode(Shape.self, from: shape) == .circle(radius: 1.5))
    for value: any Encodable in [[1], [Int](), 1, "a", Int?.none, Silent()] {
      #expect(complaint { _ = try encoder.encode(value) } == "invalidValue ")
    }
    #expect(complaint { _ = try decoder.decode([Int].self, from: dog) } == "typeMismatch ")
    #expect(complaint { _ = try decoder.decode(Int.self, from: dog) } == "typeMismatch ")
  }

  struct Silent: Encodable { func encode(to encoder: any Encoder) {} }

  /// A value that is another one if it is refused as the first.
  struct Fallback: Encodable {
    struct First: Encodable {
      var title = "a"
      var ratios = [[Double.nan]]
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      do { try container.encode(First()) } catch { try container.encode(["count": 1]) }
    }
  }

  @Test("RC-37 A record of a value that was refused at first has nothing of it")
  func fallback() throws {
    let record = try CloudKitRecordEncoder().encode(Fallback())
    #expect(record.fields == ["count": .int64(1)])
  }

  final class Chain: Codable {
    var next: Chain?
  }

  @Test(
    "Doubles at the ends of 64 bits come back from nested values",
    arguments: [-0x1p63, 0x1p63, -0x1p53, 0x1p64]
  )
  func endsOfIntegers(_ number: Double) throws {
    let box = Box(field: [number])
    let record = try CloudKitRecordEncoder().encode(Holder(field: box))
    #expect(
      try CloudKitRecordDecoder().decode(Holder<Box<[Double]>>.self, from: record).field.field == [
        number
      ]
    )
  }

  @Test("RC-37 A value that nests too deep is refused on both sides")
  func depth() throws {
    func chain(_ depth: Int) -> Chain {
      var first = Chain()
      for _ in 0..<depth {
        let outer = Chain()
        outer.next = first
        first = outer
      }
      return first
    }
    let record = try CloudKitRecordEncoder().encode(chain(100))
    _ = try CloudKitRecordDecoder().decode(Chain.self, from: record)
    let error = #expect(throws: EncodingError.self) {
      try CloudKitRecordEncoder().encode(chain(2000))
    }
    guard case .invalidValue(_, let context)? = error else { return }
    #expect(context.codingPath.first?.stringValue == "next")
    let bomb = String(repeating: "[", count: 100_000)
    #expect(
      complaint { _ = try decoded([[Int]].self, .bytes(Data(bomb.utf8))) } == "dataCorrupted field"
    )
  }

  // MARK: - Assets

  struct Contents: CloudKitAssetValue, Equatable, Identifiable {
    var id: String
    var lines = ["a", "b"]
  }

  struct List: CloudKitAssetValue, Equatable {
    static var preferredContentType: RecordContentType { .binaryPropertyList }
    var lines = ["a"]
  }

  @Test("RC-26 An asset's value is a file, read by what it looks like and not by its name")
  func assetValues() throws {
    try withFolder { folder in
      let encoder = CloudKitRecordEncoder()
      encoder.options.assetDirectory = folder
      let record = try encoder.encode(Holder(field: Contents(id: "MyID")))
      guard case .asset(let asset)? = record["field"], let url = asset.fileURL else {
        return #expect(Bool(false))
      }
      #expect(url.lastPathComponent == "Contents-MyID.json")
      let text = #"{"id":"MyID","lines":["a","b"]}"#
      #expect(try String(contentsOf: url, encoding: .utf8) == text)
      let moved = folder.appendingPathComponent("downloaded")
      try FileManager.default.copyItem(at: url, to: moved)
      let value = RecordValue.asset(RecordAsset(fileURL: moved))
      #expect(try decoded(Contents.self, value) == Contents(id: "MyID"))
      let plist = try encoder.encode(Holder(field: List()))
      #expect(try CloudKitRecordDecoder().decode(Holder<List>.self, from: plist).field == List())
      // What was once stored inline is still read.
      #expect(try decoded(Contents.self, .bytes(Data(text.utf8))) == Contents(id: "MyID"))
      try Data("{}".utf8).write(to: moved)
      #expect(complaint { _ = try decoded(Contents.self, value) } == "keyNotFound field.id")
      try FileManager.default.removeItem(at: moved)
      #expect(complaint { _ = try decoded(Contents.self, value) } == "dataCorrupted field")
    }
  }

  @Test("RC-27 Files of assets are unique, stay in their folder, and are deleted")
  func assetFiles() throws {
    try withFolder { folder in
      let encoder = CloudKitRecordEncoder()
      encoder.options.assetDirectory = folder
      let records = try (0..<3).map { _ in
        try encoder.encode(Holder(field: Contents(id: "../../evil")))
      }
      let urls = records.flatMap { $0.fields.values.flatMap(\.assets).compactMap(\.fileURL) }
      #expect(Set(urls).count == 3)
      for url in urls {
        #expect(url.standardizedFileURL.path.hasPrefix(folder.standardizedFileURL.path))
        #expect(!url.lastPathComponent.contains("/"))
      }
      for record in records { encoder.removeAssetFiles(of: record) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
      struct Failing: Codable {
        var contents = Contents(id: "a")
        var bad = UInt64.max
      }
      #expect(throws: EncodingError.self) { try encoder.encode(Failing()) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
      let own = try file("mine.txt", in: folder)
      encoder.removeAssetFiles(of: try encoder.encode(Holder(field: own)))
      #expect(FileManager.default.fileExists(atPath: own.path))
    }
  }

  // MARK: - References

  final class Node: CustomCloudKitCodable {
    var cloudKitSystemFields: Data?
    var cloudKitIdentifier: String
    var next: Node?
    var children: [Node] = []

    init(_ name: String) { cloudKitIdentifier = name }
  }

  private func encoder() -> CloudKitRecordEncoder {
    let encoder = CloudKitRecordEncoder(zoneID: RecordZoneID(zoneName: "Notes"))
    encoder.options.nestedValues = .references
    encoder.options.referenceActions = ["children": .deleteSelf]
    return encoder
  }

  @Test("RC-28 Nested records come before those that refer to them, each once, in their zone")
  func references() throws {
    let root = Node("root")
    let shared = Node("shared")
    root.next = shared
    root.children = [shared, Node("leaf")]
    let records = try encoder().encodeRecords(root)
    #expect(
      records.map(\.recordID.recordName)
        == ["leaf", "shared", "root"].sorted { left, right in
          (records.firstIndex { $0.recordID.recordName == left } ?? 0)
            < (records.firstIndex { $0.recordID.recordName == right } ?? 0)
        }
    )
    #expect(records.last?.recordID.recordName == "root" && records.count == 3)
    #expect(Set(records.map(\.recordID.zoneID.zoneName)) == ["Notes"])
    let actions = records.last?["children"]?.references.map(\.action)
    #expect(actions == [.deleteSelf, .deleteSelf])
    #expect(records.last?["next"]?.references.map(\.action) == [RecordReference.Action.none])
    #expect(throws: CloudKitRecordEncodingError.childRecords(count: 2)) {
      try encoder().encode(root)
    }
    let byID = Dictionary(uniqueKeysWithValues: records.map { ($0.recordID, $0) })
    let last = try #require(records.last)
    let decoder = CloudKitRecordDecoder()
    let back = try decoder.decode(Node.self, from: last) { byID[$0] }
    #expect(back.children.map(\.cloudKitIdentifier) == ["shared", "leaf"])
    #expect(
      complaint { _ = try decoder.decode(Node.self, from: last) { _ in nil } }
        == "valueNotFound next"
    )
    decoder.options.danglingReferences = .becomeNil
    #expect(
      complaint { _ = try decoder.decode(Node.self, from: last) { _ in nil } }
        == "valueNotFound children.[0]"
    )
    var partial = last
    partial["children"] = .list(.references([]))
    #expect(try decoder.decode(Node.self, from: partial) { _ in nil }.next == nil)
  }

  @Test("RC-28 References are fetched as they are met")
  func fetching() async throws {
    let root = Node("root")
    root.next = Node("next")
    root.next?.next = Node("last")
    let records = try encoder().encodeRecords(root)
    let byID = Dictionary(uniqueKeysWithValues: records.map { ($0.recordID, $0) })
    let last = try #require(records.last)
    let back = try await CloudKitRecordDecoder().decode(Node.self, from: last) { id async in
      byID[id]
    }
    #expect(back.next?.next?.cloudKitIdentifier == "last")
  }

  @Test("RC-29 A circle of references ends on both sides")
  func cycles() throws {
    let first = Node("first")
    let second = Node("second")
    first.next = second
    second.next = first
    let records = try encoder().encodeRecords(first)
    #expect(records.map(\.recordID.recordName) == ["second", "first"])
    let byID = Dictionary(uniqueKeysWithValues: records.map { ($0.recordID, $0) })
    let last = try #require(records.last)
    #expect(
      complaint { _ = try CloudKitRecordDecoder().decode(Node.self, from: last) { byID[$0] } }
        == "dataCorrupted next.next"
    )
    second.next = nil
    first.next = nil
  }

  @Test("RC-29 References to one record count each time, and are bounded")
  func referencedAgain() throws {
    // Two references at each of 40 levels: 41 records, and 2^41 - 2 to read.
    var first = Node("0")
    for level in 1...40 {
      let outer = Node("\(level)")
      outer.children = [first, first]
      first = outer
    }
    let records = try encoder().encodeRecords(first)
    #expect(records.count == 41)
    let byID = Dictionary(uniqueKeysWithValues: records.map { ($0.recordID, $0) })
    let last = try #require(records.last)
    let decoder = CloudKitRecordDecoder()
    decoder.options.referencedRecordLimit = 1000
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode(Node.self, from: last) { byID[$0] }
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(context.debugDescription.contains("more than 1000 records"))
    #expect(context.codingPath.count > 20)
    // Three levels: two references, and four of those two.
    let third = try #require(byID.values.first { $0.recordID.recordName == "2" })
    decoder.options.referencedRecordLimit = 6
    #expect(try decoder.decode(Node.self, from: third) { byID[$0] }.children.count == 2)
    decoder.options.referencedRecordLimit = 5
    #expect(
      complaint { _ = try decoder.decode(Node.self, from: third) { byID[$0] } }
        == "dataCorrupted children.[1].children.[1]"
    )
  }

  /// A field that asks for a list and for keys, one level down.
  struct TwoKinds: Encodable {
    struct Inner: Encodable {
      enum CodingKeys: CodingKey { case lost }

      func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(1)
        var keyed = encoder.container(keyedBy: CodingKeys.self)
        try keyed.encode(2, forKey: .lost)
      }
    }
    struct Outer: Encodable { var inner = [Inner()] }
    var outer = Outer()
  }

  @Test("RC-37 Containers of two kinds in one place are refused there")
  func twoKinds() throws {
    #expect(
      complaint { _ = try CloudKitRecordEncoder().encode(TwoKinds()) }
        == "invalidValue outer.inner.[0]"
    )
  }

  @Test("RC-30 A reference to another zone is refused")
  func otherZone() throws {
    let root = Node("root")
    let child = Node("child")
    child.cloudKitSystemFields =
      RecordSystemFields(
        recordType: "Node",
        recordID: RecordID(recordName: "child", zoneID: RecordZoneID(zoneName: "Other"))
      ).archived()
    root.next = child
    #expect(complaint { _ = try encoder().encodeRecords(root) } == "invalidValue next")
    root.next = nil
    root.children = [child]
    #expect(complaint { _ = try encoder().encodeRecords(root) } == "invalidValue children.[0]")
    let other = RecordID(recordName: "r", zoneID: RecordZoneID(zoneName: "Other"))
    #expect(
      complaint { _ = try encoded(RecordReference(recordID: other)) } == "invalidValue field"
    )
  }
}
