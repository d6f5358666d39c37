import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Models that ask a coder in other ways than Swift's compiler does, for `HandLaws.swift`. One that is told another path
// than it is at throws `WrongPath`, which no law expects.

/// A coder told a value another path than the one that it is at.
struct WrongPath: Error {
  let expected: [String]
  let told: [String]

  /// Compares a path with the one that a value is at.
  ///
  /// - Throws: ``WrongPath`` if they differ.
  static func check(_ path: [any CodingKey], is expected: [String]) throws {
    let told = path.map(\.stringValue)
    guard told.elementsEqual(expected, by: { $0.utf8.elementsEqual($1.utf8) }) else {
      throw WrongPath(expected: expected, told: told)
    }
  }
}

/// A value that asks for no container with keys.
struct Rootless: CustomCloudKitEncodable {
  enum Form: CaseIterable { case list, number, text, none, nothing }

  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "root" }
  var cloudKitRecordType: String { "Root" }
  let form: Form

  func encode(to encoder: any Encoder) throws {
    switch form {
    case .list:
      var container = encoder.unkeyedContainer()
      try container.encode(1)
    case .number:
      var container = encoder.singleValueContainer()
      try container.encode(1)
    case .text:
      var container = encoder.singleValueContainer()
      try container.encode("a")
    case .none:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .nothing: break
    }
  }
}

/// A title and a number, as Swift's compiler codes them.
struct Plain: Codable {
  var title: String
  var count: Int

  /// By bytes: to Swift's `==` two spellings of a letter are one.
  func isSame(as other: Plain) -> Bool {
    title.utf8.elementsEqual(other.title.utf8) && count == other.count
  }
}

/// A value that passes its place on to another one.
struct Wrapper: CustomCloudKitCodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "wrapper" }
  var cloudKitRecordType: String { "Wrapper" }
  let content: Plain

  init(content: Plain) { self.content = content }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    try WrongPath.check(decoder.codingPath + container.codingPath, is: [])
    content = try container.decode(Plain.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try WrongPath.check(encoder.codingPath + container.codingPath, is: [])
    try container.encode(content)
  }
}

/// A type that no record is decoded as, since it asks for no keys.
struct RootQuestion: Sendable {
  let name: String
  let decode: @Sendable (any RecordSubject, Record) throws -> Void

  init<T: Decodable & SendableMetatype>(_ type: T.Type) {
    name = "\(type)"
    decode = { _ = try $0.decode(type, from: $1) }
  }

  static let all = [
    RootQuestion([Int].self), RootQuestion(Int.self), RootQuestion(String.self),
    RootQuestion(Bool.self), RootQuestion(Int?.self),
  ]

  /// How a record is not refused as it must be.
  func difference(_ subject: any RecordSubject, _ record: Record) -> Difference? {
    do {
      try decode(subject, record)
      return .record("root.read", "a record was read as \(name)")
    } catch {
      return CodingFailure(decoding: error)?.path == []
        ? nil : .record("root.refusal", "a record as \(name) is refused otherwise: \(error)")
    }
  }
}

/// A type that passes its place on to another one when it is decoded.
struct PassedOn<Content: Decodable>: Decodable {
  init(from decoder: any Decoder) throws {
    _ = try decoder.singleValueContainer().decode(Content.self)
  }
}

extension PassedOn<IndexSet> {
  /// How a record that holds a range of negative length is not refused: read by `IndexSet`, it ends the process.
  static func trap(_ subject: any RecordSubject) -> Difference? {
    var record = Record(
      recordType: "Root",
      recordID: RecordID(recordName: "root", zoneID: recordZone)
    )
    record["indexes"] = .bytes(Data(#"[{"location":1,"length":-1}]"#.utf8))
    do {
      _ = try subject.decode(Self.self, from: record)
      return .record("root.trap", "a range of negative length was read as a set of indexes")
    } catch {
      return CodingFailure(decoding: error) != nil
        ? nil : .record("root.trap", "a range of negative length is refused untyped: \(error)")
    }
  }
}

/// A record with one nested value, which is written by hand.
///
///     keyed, superWithKey, superAlone     {"count": 2, "numbers": [7, 8]}
///     unkeyed                             [7, 8]
struct HandMade: CustomCloudKitEncodable {
  /// How the nested value is asked for.
  enum Form: CaseIterable { case keyed, unkeyed, superWithKey, superAlone }

  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "hand" }
  var cloudKitRecordType: String { "Hand" }
  let key: String
  let form: Form
  let numbers: [Int]

  /// The key under which it stands.
  var place: String { form == .superAlone ? "super" : key }

  func encode(to encoder: any Encoder) throws {
    var root = encoder.container(keyedBy: PathKey.self)
    let key = PathKey.key(key)
    switch form {
    case .keyed:
      var part = root.nestedContainer(keyedBy: PathKey.self, forKey: key)
      try write(to: &part)
    case .unkeyed:
      var part = root.nestedUnkeyedContainer(forKey: key)
      try WrongPath.check(part.codingPath, is: [place])
      for number in numbers { try part.encode(number) }
    case .superWithKey:
      let part = root.superEncoder(forKey: key)
      try WrongPath.check(part.codingPath, is: [place])
      var content = part.container(keyedBy: PathKey.self)
      try write(to: &content)
    case .superAlone:
      var content = root.superEncoder().container(keyedBy: PathKey.self)
      try write(to: &content)
    }
  }

  private func write(to part: inout KeyedEncodingContainer<PathKey>) throws {
    try WrongPath.check(part.codingPath, is: [place])
    try part.encode(numbers.count, forKey: .key("count"))
    let list = part.superEncoder(forKey: .key("numbers"))
    var elements = list.unkeyedContainer()
    try WrongPath.check(elements.codingPath, is: [place, "numbers"])
    for number in numbers { try elements.encode(number) }
  }
}

/// The numbers of a ``HandMade``, read by a nested container and by a superclass's decoder.
struct HandRead: Decodable {
  let numbers: [Int]
  let bySuper: [Int]

  init(from decoder: any Decoder) throws {
    let root = try decoder.container(keyedBy: PathKey.self)
    guard let key = root.allKeys.first else {
      (numbers, bySuper) = ([], [])
      return
    }
    let place = key.stringValue
    let part = try place == "super" ? root.superDecoder() : root.superDecoder(forKey: key)
    try WrongPath.check(part.codingPath, is: [place])
    if let content = try? root.nestedContainer(keyedBy: PathKey.self, forKey: key) {
      numbers = try Self.numbers(of: content, place)
      bySuper = try Self.numbers(of: part.container(keyedBy: PathKey.self), place)
    } else {
      var list = try root.nestedUnkeyedContainer(forKey: key)
      numbers = try Self.numbers(of: &list, at: [place])
      var again = try part.unkeyedContainer()
      bySuper = try Self.numbers(of: &again, at: [place])
    }
  }

  private static func numbers(
    of content: KeyedDecodingContainer<PathKey>,
    _ place: String
  ) throws -> [Int] {
    let single = try content.superDecoder(forKey: .key("count")).singleValueContainer()
    try WrongPath.check(single.codingPath, is: [place, "count"])
    var list = try content.superDecoder(forKey: .key("numbers")).unkeyedContainer()
    let numbers = try numbers(of: &list, at: [place, "numbers"])
    // A number of its own: -1 is none that is counted.
    return try single.decode(Int.self) == numbers.count ? numbers : numbers + [-1]
  }

  private static func numbers(
    of list: inout any UnkeyedDecodingContainer,
    at path: [String]
  ) throws -> [Int] {
    try WrongPath.check(list.codingPath, is: path)
    var numbers: [Int] = []
    while !list.isAtEnd { numbers.append(try list.decode(Int.self)) }
    return numbers
  }
}

/// A record with one nested value, whose keys stand for their places in a list.
struct SpelledKeys: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "spelled" }
  var cloudKitRecordType: String { "Spelled" }
  let keys: [String]

  func encode(to encoder: any Encoder) throws {
    var root = encoder.container(keyedBy: PathKey.self)
    var part = root.nestedContainer(keyedBy: PathKey.self, forKey: .key("part"))
    for (number, key) in keys.enumerated() { try part.encode(number, forKey: .key(key)) }
  }

  /// The numbers under the keys that there are, in the order of the keys' bytes.
  struct Read: Decodable {
    let numbers: [Int]
    let keys: [String]

    init(from decoder: any Decoder) throws {
      let root = try decoder.container(keyedBy: PathKey.self)
      let part = try root.nestedContainer(keyedBy: PathKey.self, forKey: .key("part"))
      keys = part.allKeys.map(\.stringValue).sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      numbers = try keys.map { try part.decode(Int.self, forKey: .key($0)) }
    }
  }
}

/// A value that is nothing but nils, each encoded by another call.
struct NilByHand: CustomCloudKitEncodable {
  static let keys = ["byHand", "asValue", "ifPresent"]

  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "n" }
  var cloudKitRecordType: String { "Nils" }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKey.self)
    try container.encodeNil(forKey: .key(Self.keys[0]))
    try container.encode(Int?.none, forKey: .key(Self.keys[1]))
    try container.encodeIfPresent(Int?.none, forKey: .key(Self.keys[2]))
  }
}

/// What a value that asks by hand hears of the key `number`.
struct NilRead: Decodable {
  let isNil: Bool
  /// By `decodeIfPresent`, and as a value of an optional type.
  let numbers: [Int?]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PathKey.self)
    let key = PathKey.key("number")
    isNil = try container.decodeNil(forKey: key)
    numbers = [
      try container.decodeIfPresent(Int.self, forKey: key),
      try container.decode(Int?.self, forKey: key),
    ]
  }
}

extension CodingUserInfoKey {
  /// The key under which a caller gives `RecordSettings.info`.
  package static var recordLawInfo: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "record law") }
}

/// What a coder tells of the caller's information; -1 for none.
private func info(_ userInfo: [CodingUserInfoKey: Any]) -> Int {
  CodingUserInfoKey.recordLawInfo.flatMap { userInfo[$0] as? Int } ?? -1
}

/// A value that notes what it and its parts are told, while they are encoded and decoded.
struct Informed: CustomCloudKitCodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "informed" }
  var cloudKitRecordType: String { "Informed" }
  /// What was told to the encoded value, its parts and its child.
  private(set) var told: [Int] = []
  private(set) var heard: [Int] = []

  /// A part, or a child that is a record of its own.
  struct Part: Codable {
    var told = 0
    var heard = 0

    init() {}

    init(from decoder: any Decoder) throws {
      told = try decoder.container(keyedBy: PathKey.self).decode(Int.self, forKey: .key("told"))
      heard = info(decoder.userInfo)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: PathKey.self)
      try container.encode(info(encoder.userInfo), forKey: .key("told"))
    }
  }

  struct Child: CustomCloudKitCodable {
    var cloudKitSystemFields: Data? { nil }
    var cloudKitIdentifier: String { "child" }
    var cloudKitRecordType: String { "Child" }
    var part = Part()

    init() {}
    init(from decoder: any Decoder) throws { part = try Part(from: decoder) }
    func encode(to encoder: any Encoder) throws { try part.encode(to: encoder) }
  }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PathKey.self)
    var parts = [
      try container.decode(Part.self, forKey: .key("part")),
      try container.decode(Child.self, forKey: .key("child")).part,
      try Part(from: container.superDecoder()),
    ]
    parts += try container.decode([Part].self, forKey: .key("parts"))
    told = [try container.decode(Int.self, forKey: .key("told"))] + parts.map(\.told)
    // Where nothing stands, too.
    let absent = try container.superDecoder(forKey: .key("absent")).userInfo
    heard = [info(decoder.userInfo), info(absent)] + parts.map(\.heard)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKey.self)
    try container.encode(info(encoder.userInfo), forKey: .key("told"))
    try container.encode(Part(), forKey: .key("part"))
    try container.encode(Child(), forKey: .key("child"))
    try container.encode([Part(), Part()], forKey: .key("parts"))
    try Part().encode(to: container.superEncoder())
  }
}

/// Numbers of a nested value that passes over those for which JSON has none.
struct Lossy: Encodable {
  /// How a number is written.
  enum Form: CaseIterable {
    /// Each an element of a list.
    case listed
    /// Each under a key of its own: `n0`, `n1` ...
    case keyed
    /// Each within an object, behind a number that is written in any case.
    case paired
    /// As `paired`, and where that is refused as a text in its place.
    case replaced
  }

  let form: Form
  let numbers: [Double]

  private struct Pair: Encodable {
    var first = 1
    let second: Double
  }

  private struct Replaced: Encodable {
    let number: Double

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      do { try container.encode(Pair(second: number)) } catch {
        try container.encode("\(number)")
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    guard form != .keyed else {
      var container = encoder.container(keyedBy: PathKey.self)
      for (index, number) in numbers.enumerated() {
        try? container.encode(number, forKey: .key("n\(index)"))
      }
      return
    }
    var container = encoder.unkeyedContainer()
    for number in numbers {
      switch form {
      case .listed, .keyed: try? container.encode(number)
      case .paired: try? container.encode(Pair(second: number))
      case .replaced: try container.encode(Replaced(number: number))
      }
    }
  }

  /// The JSON that it is to be.
  var json: String {
    let parts = numbers.enumerated().compactMap { index, number in
      let text = number.isFinite ? "\(Int(number))" : nil
      return switch form {
      case .listed: text
      case .keyed: text.map { "\"n\(index)\":\($0)" }
      case .paired: text.map { "{\"first\":1,\"second\":\($0)}" }
      case .replaced: text.map { "{\"first\":1,\"second\":\($0)}" } ?? "\"\(number)\""
      }
    }
    let list = parts.joined(separator: ",")
    return form == .keyed ? "{\(list)}" : "[\(list)]"
  }
}

/// A record that first tries to be another value, which is refused.
struct LossyRecord: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "lossy" }
  var cloudKitRecordType: String { "Lossy" }
  let part: Lossy
  let count: Int
  let passedOver: PassedOver

  /// What else is refused and passed over.
  enum PassedOver: CaseIterable {
    case nothing
    /// A list of children whose last one is refused.
    case children
    /// A nested value that asks for two kinds of containers.
    case twoKinds
    /// A child of the value that is tried first.
    case childOfFirst
  }

  private struct Content: Encodable {
    let record: LossyRecord

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: PathKey.self)
      switch record.passedOver {
      case .children:
        let children = [Child(name: "taken", number: 1), Child(name: "refused", number: .infinity)]
        try? container.encode(children, forKey: .key("children"))
      case .twoKinds: try? container.encode(TwoKinds(), forKey: .key("kinds"))
      case .nothing, .childOfFirst: break
      }
      try container.encode(record.part, forKey: .key("part"))
      try container.encode(record.count, forKey: .key("count"))
    }
  }

  /// Refused for its last property, after the others were written.
  private struct First: Encodable {
    let title = "refused"
    let child: Child?
    let limits = [[Double.infinity]]
  }

  private struct Child: CustomCloudKitEncodable {
    var cloudKitSystemFields: Data? { nil }
    var cloudKitIdentifier: String { name }
    var cloudKitRecordType: String { "Child" }
    let name: String
    let numbers: [[Double]]

    init(name: String, number: Double) {
      self.name = name
      numbers = [[number]]
    }
  }

  private struct TwoKinds: Encodable {
    func encode(to encoder: any Encoder) throws {
      _ = encoder.container(keyedBy: PathKey.self)
      _ = encoder.unkeyedContainer()
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let child = passedOver == .childOfFirst ? Child(name: "first", number: 1) : nil
    do { try container.encode(First(child: child)) } catch {
      try container.encode(Content(record: self))
    }
  }
}
