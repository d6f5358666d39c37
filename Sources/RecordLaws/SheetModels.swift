import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// The model of `record.by-rules` and `record.schema`: one property for each rule of Records.md,
// "Values", with the field that each becomes (`field`) as the oracle. `PlainlyDecoded` and
// `KeyList` decode the same records in other ways. `Shelf` is the model of `record.sizes-return`.

/// A model with a property of each type that has a rule of its own; each property may be `nil`.
///
/// All optional, so that `nil` is asked of each type. `link` and `file` are both `URL`s: the one
/// exception to the rule that a type alone decides its field's kind.
///
///     property             its field
///     flag true            INT64 1
///     small -1             INT64 -1
///     wide 2^63            refused; by option BYTES "9223372036854775808"
///     float 1/3            DOUBLE 0.3333333432674408, the float's own value
///     link a:b             STRING "a:b"
///     file /dev/null       ASSET
///     flags []             LIST<INT64>, empty
///     part                 BYTES of JSON
struct Sheet: CustomCloudKitCodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "sheet" }
  var cloudKitRecordType: String { "Sheet" }
  var flag: Bool?
  var small: Int8?
  var whole: Int?
  var wide: UInt64?
  var ratio: Double?
  var float: Float?
  var text: String?
  var date: Date?
  var data: Data?
  var link: URL?
  var file: URL?
  var place: RecordLocation?
  var owner: RecordReference?
  var flags: [Bool]?
  var numbers: [Int]?
  var ratios: [Double]?
  var texts: [String]?
  var dates: [Date]?
  var datas: [Data]?
  var links: [URL]?
  var part: Part?
  var parts: [Part]?

  /// What is no kind of field.
  ///
  /// It nests itself up to two levels deep. `count` may be beyond `Int64`, `at` off whole
  /// milliseconds: what plain fields may not hold must not be lost within JSON.
  struct Part: Codable {
    var name: String
    var weight: Double
    var at: Date?
    var count: UInt64
    var parts: [Part]
  }

  enum CodingKeys: CodingKey, CaseIterable {
    case flag, small, whole, wide, ratio, float, text, date, data, link, file, place, owner
    case flags, numbers, ratios, texts, dates, datas, links, part, parts
  }

  /// A file that any system has.
  ///
  /// A file must be there when it is encoded; nothing is read from it or written to it.
  static let file = URL(fileURLWithPath: "/dev/null")
}

/// A sheet that decodes each optional as a type of its own, as a generic model does.
///
/// `decode(Int?.self, forKey:)` in place of `decodeIfPresent`: for a key that is missing the
/// container is asked for a value of an optional type, and must give `nil` and not refuse.
struct PlainlyDecoded: Decodable {
  let sheet: Sheet

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Sheet.CodingKeys.self)
    func value<Value: Decodable>(_ key: Sheet.CodingKeys) throws -> Value? {
      try container.decode(Value?.self, forKey: key)
    }
    sheet = Sheet(
      flag: try value(.flag),
      small: try value(.small),
      whole: try value(.whole),
      wide: try value(.wide),
      ratio: try value(.ratio),
      float: try value(.float),
      text: try value(.text),
      date: try value(.date),
      data: try value(.data),
      link: try value(.link),
      file: try value(.file),
      place: try value(.place),
      owner: try value(.owner),
      flags: try value(.flags),
      numbers: try value(.numbers),
      ratios: try value(.ratios),
      texts: try value(.texts),
      dates: try value(.dates),
      datas: try value(.datas),
      links: try value(.links),
      part: try value(.part),
      parts: try value(.parts)
    )
  }
}

/// A value with as many fields, and nested objects and lists of as many parts, as are drawn.
struct Shelf: CustomCloudKitCodable, Equatable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "shelf" }
  var cloudKitRecordType: String { "Shelf" }
  /// Numbers, each a field of its own.
  var fields: [Int]
  /// Numbers and a text that are one field.
  var numbers: [Int]
  var text: String
  /// Their sizes follow each other.
  var boxes: [Box]
  var lists: [[Int]]

  /// An object with a member for each number, that asks for two which it has not: one more, and the
  /// first in another spelling, which Swift's `==` finds equal.
  ///
  ///     members         "\u{E9}0", "\u{E9}1"
  ///     asked besides   "\u{E9}2", "e\u{301}0"
  struct Box: Codable, Equatable {
    var members: [Int]

    init(_ count: Int) { members = Array(0..<count) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: PathKey.self)
      members = try (0..<container.allKeys.count).map { number in
        try container.decode(Int.self, forKey: Self.key(number))
      }
      for missing in [Self.key(members.count), PathKey.key("e\u{301}0")] {
        if container.contains(missing) { members.append(-1) }
        members += try container.decodeIfPresent(Int.self, forKey: missing).map { [$0] } ?? []
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: PathKey.self)
      for (number, member) in members.enumerated() {
        try container.encode(member, forKey: Self.key(number))
      }
    }

    private static func key(_ number: Int) -> PathKey { .key("\u{E9}\(number)") }
  }

  init(_ choices: inout Choices) {
    fields = Array(0..<choices.size())
    let (first, second) = (choices.size(), choices.size())
    boxes = (0..<(2 + choices.index(below: 8))).map { Box(first + $0) }
    lists = (0..<(2 + choices.index(below: 8))).map { Array(0..<(second + $0)) }
    numbers = Array(0..<choices.size())
    text = String(repeating: "t", count: choices.size(near: [128, 16_383, 16_384, 20_000]))
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PathKey.self)
    let count = container.allKeys.count { $0.stringValue.hasPrefix("f") }
    fields = try (0..<count).map { try container.decode(Int.self, forKey: .key("f\($0)")) }
    boxes = try container.decode([Box].self, forKey: .key("boxes"))
    lists = try container.decode([[Int]].self, forKey: .key("lists"))
    numbers = try container.decode([Int].self, forKey: .key("numbers"))
    text = try container.decode(String.self, forKey: .key("text"))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKey.self)
    for (number, field) in fields.enumerated() {
      try container.encode(field, forKey: .key("f\(number)"))
    }
    try container.encode(boxes, forKey: .key("boxes"))
    try container.encode(lists, forKey: .key("lists"))
    try container.encode(numbers, forKey: .key("numbers"))
    try container.encode(text, forKey: .key("text"))
  }
}

/// A value that wants to know all keys, as a dictionary does.
struct KeyList: Decodable {
  let keys: Set<String>

  init(from decoder: any Decoder) throws {
    keys = Set(try decoder.container(keyedBy: PathKey.self).allKeys.map(\.stringValue))
  }
}

extension Sheet.Part {
  fileprivate init(_ choices: inout Choices, depth: Int = 0) {
    name = choices.text()
    weight = choices.finiteDouble()
    at = choices.flag() ? choices.date() : nil
    count = UInt64(bitPattern: choices.integer())
    parts = []
    if depth < 2, choices.flag(percent: 40) {
      for _ in 0..<choices.number(in: 0...2) {
        parts.append(Sheet.Part(&choices, depth: depth + 1))
      }
    }
  }

  /// All of it, with the bits of its numbers.
  fileprivate func text(dates: (Date) -> Date) -> String {
    let at = at.map { "\(dates($0).timeIntervalSinceReferenceDate.bitPattern)" } ?? "nil"
    let parts = parts.map { $0.text(dates: dates) }
    return "\(Array(name.utf8)) \(weight.bitPattern) \(at) \(count) \(parts)"
  }
}

extension Sheet {
  /// Any sheet: each property `nil`, as in `old`, or anything.
  ///
  /// With `old`, weights of 4 to 2 to 3: a third of the properties stay as they were, which is what
  /// must not be marked.
  ///
  /// `small` is cut from the edges of wider types: 128 becomes -128, 255 becomes -1, and 256
  /// becomes 0. Of `links` one has an escape, one has no `//`, and one has no scheme: what parsers
  /// of URLs rewrite. Two begin as a file's does, and are none.
  init(_ choices: inout Choices, near old: Sheet? = nil) {
    // Nil in two of six properties of a first sheet, in two of nine beside an old one.
    func any<Value>(
      _ place: KeyPath<Sheet, Value?>,
      _ body: (inout Choices) -> Value
    ) -> Value? {
      switch choices.pick(weights: [4, 2, old == nil ? 0 : 3]) {
      case 0: body(&choices)
      case 1: nil
      default: old?[keyPath: place]
      }
    }
    func list<Value>(_ body: @escaping (inout Choices) -> Value) -> (inout Choices) -> [Value] {
      { choices in (0..<choices.number(in: 0...2)).map { _ in body(&choices) } }
    }
    let links = ["https://example.org/a%20b", "a:b", "x", "ftp://example.org/a", "F"]
      .compactMap { URL(string: $0) }
    // A file's URL may be spelled in other ways, and stays as it is.
    let files = ["file:///dev/null", "FILE:///dev/null", "file:/dev/null", "file:///dev/%6Eull"]
      .compactMap { URL(string: $0) }
    flag = any(\.flag) { $0.flag() }
    small = any(\.small) { Int8(truncatingIfNeeded: $0.integer()) }
    whole = any(\.whole) { Int(truncatingIfNeeded: $0.integer()) }
    wide = any(\.wide) { UInt64(bitPattern: $0.integer()) }
    ratio = any(\.ratio) { $0.finiteDouble() }
    float = any(\.float) { Float($0.number(in: 0...9)) / 3 }
    text = any(\.text) { $0.text() }
    date = any(\.date) { $0.date() }
    data = any(\.data) { $0.blob() }
    link = any(\.link) { $0.element(of: links) }
    file = any(\.file) { $0.element(of: files) }
    place = any(\.place) { RecordLocation(latitude: Double($0.number(in: 0...9)), longitude: 1) }
    owner = any(\.owner) { $0.reference() }
    flags = any(\.flags, list { $0.flag() })
    numbers = any(\.numbers, list { Int(truncatingIfNeeded: $0.integer()) })
    ratios = any(\.ratios, list { $0.finiteDouble() })
    texts = any(\.texts, list { $0.text() })
    dates = any(\.dates, list { $0.date() })
    datas = any(\.datas, list { $0.blob() })
    self.links = any(\.links, list { $0.element(of: links) })
    part = any(\.part) { Part(&$0) }
    parts = any(\.parts, list { Part(&$0) })
  }

  /// Gives a sheet and the one that is encoded over it values that they seldom have together.
  ///
  /// In seven of eight cases one property of both has values that differ in one part, which a
  /// comparison of the other parts does not see, and Swift's `==` not always. In one of two the new
  /// sheet's `data` has the bytes of JSON's null, and is not `nil`.
  ///
  ///     property     old                      new
  ///     place        (1, 2)                   (1, 3)
  ///     place        (2, 1)                   (3, 1)
  ///     ratio        0.0                      -0.0
  ///     text         U+00E9                   e, U+0301
  ///     date         1970                     1 ms later
  ///     owner        r0, and outlives it      r0, and is deleted with it
  ///     numbers      [1, 2]                   [1, 3]
  ///     data         as it is                 the bytes of `null`
  static func bringClose(_ old: inout Sheet, _ new: inout Sheet, _ choices: inout Choices) {
    func place(_ latitude: Double, _ longitude: Double) -> RecordLocation {
      RecordLocation(latitude: latitude, longitude: longitude)
    }
    func owner(_ action: RecordReference.Action) -> RecordReference {
      RecordReference(recordID: RecordID(recordName: "r0", zoneID: recordZone), action: action)
    }
    switch choices.index(below: 8) {
    case 1: (old.place, new.place) = (place(1, 2), place(1, 3))
    case 2: (old.place, new.place) = (place(2, 1), place(3, 1))
    case 3: (old.ratio, new.ratio) = (0.0, -0.0)
    case 4: (old.text, new.text) = ("\u{E9}", "e\u{301}")
    case 5:
      old.date = Date(timeIntervalSince1970: 0)
      new.date = Date(timeIntervalSince1970: 0.001)
    case 6: (old.owner, new.owner) = (owner(.none), owner(.deleteSelf))
    case 7: (old.numbers, new.numbers) = ([1, 2], [1, 3])
    default: break
    }
    if choices.flag() { new.data = Data("null".utf8) }
  }

  /// The field that a property becomes; `nil` for a `nil` one.
  ///
  /// Nested values are left out: which bytes they become is no rule.
  ///
  /// It is written out by hand for each property: an oracle that went through `Encodable` would
  /// repeat the coder's work and its mistakes.
  func field(_ key: CodingKeys, _ settings: RecordSettings) -> RecordValue? {
    func moment(_ date: Date) -> Date {
      settings.keepsExactDates ? date : date.roundedToMilliseconds ?? date
    }
    switch key {
    case .flag: return flag.map { .int64($0 ? 1 : 0) }
    case .small: return small.map { .int64(Int64($0)) }
    case .whole: return whole.map { .int64(Int64($0)) }
    // Beyond `Int64` it is clamped here; the law expects the encode to refuse that, and never comes
    // to compare.
    case .wide:
      guard settings.storesWideAsJSON else { return wide.map { .int64(Int64(clamping: $0)) } }
      return wide.map { .bytes(Data("\($0)".utf8)) }
    case .ratio: return ratio.map { .double($0) }
    case .float: return float.map { .double(Double($0)) }
    case .text: return text.map { .string($0) }
    case .date: return date.map { .timestamp(moment($0)) }
    case .data: return data.map { .bytes($0) }
    case .link: return link.map { .string($0.absoluteString) }
    case .file: return file.map { .asset(RecordAsset(fileURL: $0)) }
    case .place: return place.map { .location($0) }
    case .owner: return owner.map { .reference($0) }
    case .flags: return flags.map { .list(.int64s($0.map { $0 ? 1 : 0 })) }
    case .numbers: return numbers.map { .list(.int64s($0.map { Int64($0) })) }
    case .ratios: return ratios.map { .list(.doubles($0)) }
    case .texts: return texts.map { .list(.strings($0)) }
    case .dates: return dates.map { .list(.timestamps($0.map(moment))) }
    case .datas: return datas.map { .list(.bytes($0)) }
    case .links: return links.map { .list(.strings($0.map(\.absoluteString))) }
    case .part, .parts: return nil
    }
  }

  /// All nested values with the bits of their numbers.
  ///
  /// Dates as they are after an encode, so that both sides of a comparison have lost the same.
  func nestedWords(_ settings: RecordSettings) -> [String] {
    func moment(_ date: Date) -> Date {
      settings.keepsExactDates ? date : date.roundedToMilliseconds ?? date
    }
    let list = parts.map { $0.map { $0.text(dates: moment) } }
    return [part?.text(dates: moment) ?? "nil", list.map { "\($0)" } ?? "nil"]
  }

  func isNil(_ key: CodingKeys) -> Bool {
    switch key {
    case .part: part == nil
    case .parts: parts == nil
    default: field(key, RecordSettings()) == nil
    }
  }
}

extension Choices {
  /// Fewer than 24, or in one of four cases a large one, by itself a little less than a power of two.
  fileprivate mutating func size(near large: [Int] = [28, 60, 124, 252]) -> Int {
    let isSmall = weighed([3, 1]) == 0
    let small = index(below: 24)
    return isSmall ? small : large[small % large.count]
  }

  /// A number that a server takes; -0.0 stands for those that it does not.
  fileprivate mutating func finiteDouble() -> Double {
    let number = double()
    return number.isFinite ? number : -0.0
  }
}
