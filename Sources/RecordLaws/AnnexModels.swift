import Foundation
import PropertyEngine
import RecordModel

// The model of `record.kinds-by-rules`: the kinds that `Sheet` has not, with the field that each becomes. And sheets and
// annexes whose optionals are encoded as values of their own types.

/// A model with a property of each type that `Sheet` lacks; each may be `nil`.
struct Annex: CustomCloudKitCodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "annex" }
  var cloudKitRecordType: String { "Annex" }
  var places: [RecordLocation]?
  var owners: [RecordReference]?
  var asset: RecordAsset?
  var assets: [RecordAsset]?
  var files: [URL]?
  var sky: Weather.Sky?
  var wind: Weather.Wind?
  var openSky: OpenEnum<Weather.Sky>?
  var openWind: OpenEnum<Weather.Wind>?
  var floats: [Float]?
  var smalls: [Int8]?
  var wides: [UInt64]?
  var moods: [OpenEnum<Mood>]?

  enum CodingKeys: CodingKey, CaseIterable {
    case places, owners, asset, assets, files, sky, wind, openSky, openWind, floats, smalls, wides
    case moods
  }

  /// Any annex; half of its properties are `nil`.
  init(_ choices: inout Choices) {
    func any<Value>(_ body: (inout Choices) -> Value) -> Value? {
      choices.flag() ? body(&choices) : nil
    }
    func list<Value>(_ body: (inout Choices) -> Value) -> [Value]? {
      any { choices in (0..<choices.index(below: 3)).map { _ in body(&choices) } }
    }
    places = list { RecordLocation(latitude: $0.double(), longitude: Double($0.index(below: 9))) }
    owners = list { $0.reference() }
    asset = any { RecordAsset(fileURL: $0.flag() ? Sheet.file : nil) }
    assets = list { RecordAsset(fileURL: $0.flag() ? Sheet.file : nil) }
    files = list { _ in Sheet.file }
    sky = any { $0.element(of: [.clear, .grey, .unknown]) }
    wind = any { $0.element(of: Weather.Wind.allCases) }
    openSky = any { OpenEnum(rawValue: $0.element(of: ["grey", "wild", ""])) }
    openWind = any { OpenEnum(rawValue: $0.element(of: [9, 12, -1])) }
    floats = list { Float($0.index(below: 9)) / 3 }
    smalls = list { Int8(truncatingIfNeeded: $0.integer()) }
    wides = list { UInt64(bitPattern: $0.integer()) >> 1 }
    moods = list { OpenEnum(rawValue: $0.element(of: ["calm", "wild", ""])) }
  }

  /// The field that a property becomes; `nil` for a `nil` one, and for what is nested.
  func field(_ key: CodingKeys) -> RecordValue? {
    switch key {
    case .places: places.map { .list(.locations($0)) }
    case .owners: owners.map { .list(.references($0)) }
    case .asset: asset.map { .asset($0) }
    case .assets: assets.map { .list(.assets($0)) }
    case .files:
      // An empty list does not say that it is one of files.
      files.map { files in
        let assets = files.map { RecordAsset(fileURL: $0) }
        return .list(files.isEmpty ? .strings([]) : .assets(assets))
      }
    case .sky: sky.map { .string($0.rawValue) }
    case .wind: wind.map { .int64(Int64($0.rawValue)) }
    case .openSky: openSky.map { .string($0.rawValue) }
    case .openWind: openWind.map { .int64(Int64($0.rawValue)) }
    case .floats: floats.map { .list(.doubles($0.map { Double($0) })) }
    case .smalls: smalls.map { .list(.int64s($0.map { Int64($0) })) }
    case .wides: wides.map { .list(.int64s($0.map { Int64(clamping: $0) })) }
    case .moods: nil
    }
  }

  /// The kinds of all properties, `nil` ones included.
  var kinds: [String: RecordFieldKind] {
    func kind(_ key: CodingKeys) -> RecordFieldKind {
      switch key {
      case .places: RecordFieldKind(.location, isList: true)
      case .owners: RecordFieldKind(.reference, isList: true)
      case .asset: RecordFieldKind(.asset)
      case .assets: RecordFieldKind(.asset, isList: true)
      case .files: RecordFieldKind(files?.isEmpty == false ? .asset : .string, isList: true)
      case .sky, .openSky: RecordFieldKind(.string)
      case .wind, .openWind: RecordFieldKind(.int64)
      case .floats: RecordFieldKind(.double, isList: true)
      case .smalls, .wides: RecordFieldKind(.int64, isList: true)
      case .moods: RecordFieldKind(.bytes)
      }
    }
    return Dictionary(uniqueKeysWithValues: CodingKeys.allCases.map { ($0.stringValue, kind($0)) })
  }
}

/// A sheet, or an annex, whose optionals are encoded as values of their types, as a generic model does.
///
/// `encode(Int?, forKey:)` in place of `encodeIfPresent`: the container gets a value of an optional type, and must give
/// the field of what it wraps, or none for `nil`. The counterpart of ``PlainlyDecoded``.
struct PlainlyEncoded: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  let cloudKitIdentifier: String
  let cloudKitRecordType: String
  private let write: (any Encoder) throws -> Void

  func encode(to encoder: any Encoder) throws { try write(encoder) }

  init(sheet: Sheet) {
    cloudKitIdentifier = sheet.cloudKitIdentifier
    cloudKitRecordType = sheet.cloudKitRecordType
    write = { encoder in
      var container = encoder.container(keyedBy: Sheet.CodingKeys.self)
      try container.encode(sheet.flag, forKey: .flag)
      try container.encode(sheet.small, forKey: .small)
      try container.encode(sheet.whole, forKey: .whole)
      try container.encode(sheet.wide, forKey: .wide)
      try container.encode(sheet.ratio, forKey: .ratio)
      try container.encode(sheet.float, forKey: .float)
      try container.encode(sheet.text, forKey: .text)
      try container.encode(sheet.date, forKey: .date)
      try container.encode(sheet.data, forKey: .data)
      try container.encode(sheet.link, forKey: .link)
      try container.encode(sheet.file, forKey: .file)
      try container.encode(sheet.place, forKey: .place)
      try container.encode(sheet.owner, forKey: .owner)
      try container.encode(sheet.flags, forKey: .flags)
      try container.encode(sheet.numbers, forKey: .numbers)
      try container.encode(sheet.ratios, forKey: .ratios)
      try container.encode(sheet.texts, forKey: .texts)
      try container.encode(sheet.dates, forKey: .dates)
      try container.encode(sheet.datas, forKey: .datas)
      try container.encode(sheet.links, forKey: .links)
      try container.encode(sheet.part, forKey: .part)
      try container.encode(sheet.parts, forKey: .parts)
    }
  }

  init(annex: Annex) {
    cloudKitIdentifier = annex.cloudKitIdentifier
    cloudKitRecordType = annex.cloudKitRecordType
    write = { encoder in
      var container = encoder.container(keyedBy: Annex.CodingKeys.self)
      try container.encode(annex.places, forKey: .places)
      try container.encode(annex.owners, forKey: .owners)
      try container.encode(annex.asset, forKey: .asset)
      try container.encode(annex.assets, forKey: .assets)
      try container.encode(annex.files, forKey: .files)
      try container.encode(annex.sky, forKey: .sky)
      try container.encode(annex.wind, forKey: .wind)
      try container.encode(annex.openSky, forKey: .openSky)
      try container.encode(annex.openWind, forKey: .openWind)
      try container.encode(annex.floats, forKey: .floats)
      try container.encode(annex.smalls, forKey: .smalls)
      try container.encode(annex.wides, forKey: .wides)
      try container.encode(annex.moods, forKey: .moods)
    }
  }
}
