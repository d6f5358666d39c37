import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Laws of values that are files beside their record. The only laws of this module that touch the
// disk: a folder of its own for each case, which is removed at the end whatever the verdict.

extension RecordLaw {
  /// Laws of values that are files beside their record.
  static let assetLaws: [RecordLaw] = [assets]

  /// Names that lead elsewhere, names of no file, and one that no file system takes.
  ///
  /// Names come from the value, and so from any writer: `"../../up"` must not leave the folder, and
  /// 150 letters of two bytes are more than a file system takes.
  ///
  /// What each name is on the disk:
  ///
  ///     "photo.json"         photo.json
  ///     "", ".", ".."        asset
  ///     "../../up"           ..-..-up           no slash is left, so that it is a name and no way
  ///     "a\b:c"              a-b-c
  ///     150 of U+00E9        100 of them        200 bytes of the 255 that file systems take
  ///     250 of n             200 of them
  private static let names = [
    "photo.json", "", ".", "..", "../../up", "a/b", "a\\b:c", "\u{7}bell", "\u{E9}t\u{E9}",
    String(repeating: "\u{E9}", count: 150), String(repeating: "n", count: 250),
  ]

  /// Catches assets that share a file, names that lead out of the folder, and files that stay behind.
  ///
  /// Writes real files, in a folder of its own below the system's temporary one: hence the cost of
  /// 16.
  ///
  ///     root/assets/(folder of the first encode)/photo.json, sketch.png
  ///     root/assets/(folder of the second encode)/photo.json, sketch.png
  ///     root/own/own.txt, or root/assets/own/own.txt        the user's: never removed
  ///     root/(one of `AssetPlace.ownFolders`)/other.txt     the same, and named by each record
  ///
  /// Worked example: two records have a photo `photo.json`. In one folder the second file takes the
  /// first one's place, and both records send the same picture. `record-files-stay` leaves the
  /// files of each save on the disk.
  ///
  /// Worked example: an app keeps photos of its own in `assets/own`, and a record names one. What
  /// removes the folder of each file that lies in the directory takes the user's photos along.
  ///
  /// Four questions, one after the other: a refused encode, of one record or of all that a value
  /// becomes, a schema and a dry run leave no file; each file lies where it should and holds its
  /// bytes; no two encodes share a folder; removing takes the first record's files and leaves the
  /// user's own and the second record's.
  static let assets = value(
    "record.assets",
    "Files of assets are a record's own.",
    "An encode writes a file for each asset value, with its bytes and below the directory that was asked for, in a "
      + "folder that no other encode uses; the value comes back, and a file that its type does not read is refused at its "
      + "field; a refused encode, a schema and a dry run leave no "
      + "file, and removing the files of a record removes those and no other.",
    source: .document("Records.md", "Values"),
    costs: 16
  ) { subject, choices in
    let root = try AssetPlace.newRoot()
    defer { try? FileManager.default.removeItem(at: root) }
    var settings = RecordSettings()
    settings.assetDirectory = root.appendingPathComponent("assets", isDirectory: true)
    // So that infinity is refused, after the files of `photo` and `sketch` may have been written.
    settings.checks = .server
    // A file of the user's own, which may lie beside those of the coder.
    let own = root.appendingPathComponent(choices.flag() ? "own" : "assets/own", isDirectory: true)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    let file = own.appendingPathComponent("own.txt")
    try Data("own".utf8).write(to: file)

    let album = Album(
      photo: choices.flag(percent: 75)
        ? Photo(text: choices.text(), filename: choices.element(of: names)) : nil,
      sketch: choices.flag() ? Sketch(text: "a\(choices.index(below: 9))") : nil,
      file: choices.flag() ? file : nil,
      other: try AssetPlace.other(below: root, &choices),
      ratio: 1
    )
    // The user's own files: whatever is refused from here on must leave nothing else.
    let before = Set(files(below: root))
    var refused = album
    // The last property, so that the others have been written when it is refused.
    refused.ratio = .infinity
    guard (try? subject.encode(refused, onto: nil, settings)) == nil,
      (try? subject.encodeRecords(refused, settings)) == nil
    else {
      return .record("assets.taken", "a number without an end was taken")
    }
    _ = try subject.schema(of: album, settings)
    _ = try subject.violations(of: album, for: .server, settings)
    let place = AssetPlace(root)
    let after = files(below: root)
    guard Set(after) == before else {
      return .record(
        "assets.left",
        "a refused encode, a schema or a dry run left files",
        expected: place.names(of: before),
        actual: place.names(of: after),
        between: "the files before",
        "the files after it"
      )
    }
    let first = try subject.encode(album, onto: nil, settings)
    let second = try subject.encode(album, onto: nil, settings)
    for record in [first, second] {
      if let found = try album.misplaced(record, place) { return found }
    }
    // Of two encodes of one value, so that their names are the same.
    let users = [file, album.other]
    let (ones, others) = (urls(of: first, but: users), urls(of: second, but: users))
    let folders = [ones, others].map { urls in
      Set(urls.map { $0.deletingLastPathComponent() })
    }
    guard folders[0].isDisjoint(with: folders[1]) else {
      return .record("assets.shared", "two encodes share a folder")
    }
    let back = try subject.decode(Album.self, from: first)
    guard back == album else {
      return .record(
        "assets.differ",
        "another value came back",
        expected: album.shown(place),
        actual: back.shown(place),
        between: "the value that was encoded",
        "the value that was decoded"
      )
    }
    if let found = try misread(second, by: subject, &choices) { return found }
    subject.removeFiles(of: first, settings)
    // The user's own files, and those of the second encode.
    let kept = before.union(others.map(\.standardizedFileURL.path))
    let left = files(below: root)
    guard Set(left) == kept else {
      let place = AssetPlace(root, first: ones, second: others)
      return .record(
        "assets.removed",
        "removing the files of a record left others than its own gone",
        expected: place.names(of: kept),
        actual: place.names(of: left),
        between: "the files that are to stay",
        "the files that are left"
      )
    }
    return nil
  }

  /// How a file that its type does not read is not refused at the record's field.
  ///
  ///     {"text": []}     in the file of `photo`     a `DecodingError` at `photo`, `text`
  private static func misread(
    _ record: Record,
    by subject: any RecordSubject,
    _ choices: inout Choices
  ) throws -> Difference? {
    guard case .asset(let asset)? = record["photo"], let url = asset.fileURL else { return nil }
    let contents = ["{}", "[1]", "{\"text\": []}", "{\"text\": null}", "{\"text\": "]
    try Data(choices.element(of: contents).utf8).write(to: url)
    do {
      _ = try subject.decode(Album.self, from: record)
      return .record("assets.misread", "a file that its type does not read was read")
    } catch {
      let path = CodingFailure(decoding: error)?.codingPath.map(\.stringValue)
      guard path?.first != "photo" else { return nil }
      return .record(
        "assets.refusal",
        "a file that its type does not read is refused elsewhere than at its field",
        expected: "photo",
        actual: path?.joined(separator: ".") ?? "\(error)",
        between: nil,
        "the path of the error"
      )
    }
  }

  /// The files that a record names, but for the user's.
  private static func urls(of record: Record, but users: [URL]) -> [URL] {
    record.fields.values.flatMap(\.assets).compactMap(\.fileURL).filter { !users.contains($0) }
  }

  /// Paths of all files below a folder, in any order; folders are none.
  private static func files(below folder: URL) -> [String] {
    let found = FileManager.default.enumerator(
      at: folder.standardizedFileURL,
      includingPropertiesForKeys: [.isRegularFileKey]
    )
    return (found?.compactMap { $0 as? URL } ?? [])
      .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
      .map(\.standardizedFileURL.path)
  }
}

/// The folder of one case, and how its files are named in a report: the same in every run, and on every machine.
///
/// Names of folders that an encode makes are random, and those of the folders above are the machine's.
///
///     root/own/own.txt               own/own.txt
///     root/assets/own/own.txt        assets/own/own.txt
///     root/assets/7C1B.../a.json     assets/1/a.json       of the first encode; 2 of the second, * of any other
///     elsewhere/a.json               elsewhere: a.json
struct AssetPlace {
  /// Folders of a user's own file, each nearly one that an encode makes.
  ///
  ///     assets/own                 in the directory, and not named by a UUID
  ///     assets/gggg..., of 36      the same, with a name of a UUID's length and hyphens
  ///     assets/own/(a UUID)        named by a UUID, and below a folder of the directory
  ///     own/(a UUID)               named by a UUID, and beside the directory
  private static let ownFolders = [
    "assets/own", "assets/gggggggg-gggg-gggg-gggg-gggggggggggg", "assets/own/\(uuid)",
    "own/\(uuid)",
  ]
  private static let uuid = "7C1B0F8C-0000-4000-8000-000000000001"
  /// What these folders are called in a report: as on the disk.
  private static let known = Set((ownFolders + ["own"]).flatMap { parts($0) })

  /// Makes the folder of one case, which the caller removes.
  static func newRoot() throws -> URL {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("record-laws-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    return root
  }

  /// Makes a file of the user's own in one of these folders.
  static func other(below root: URL, _ choices: inout Choices) throws -> URL {
    let name = choices.element(of: ownFolders)
    let folder = root.appendingPathComponent(name, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("other.txt", isDirectory: false)
    try Data("other".utf8).write(to: file)
    return file
  }

  private let root: [Substring]
  /// By the names of folders.
  private var encodes: [Substring: String] = [:]

  /// `first`, `second`: What the encodes wrote, as far as there are such.
  init(_ root: URL, first: [URL] = [], second: [URL] = []) {
    self.root = Self.parts(root.standardizedFileURL.path)
    for (urls, name) in [(first, "1"), (second, "2")] {
      for url in urls { encodes[url.deletingLastPathComponent().lastPathComponent[...]] = name }
    }
  }

  private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") }

  /// Whether a file lies in a folder of the folder of assets.
  func isInFolder(_ file: URL) -> Bool {
    let parts = Self.parts(file.standardizedFileURL.path)
    return parts.count == root.count + 3 && parts.starts(with: root + ["assets"])
  }

  func name(of file: URL) -> String { name(of: file.standardizedFileURL.path) }

  private func name(of path: String) -> String {
    let parts = Self.parts(path)
    guard let last = parts.last else { return "elsewhere" }
    guard parts.starts(with: root) else { return "elsewhere: \(last)" }
    let folders = parts.dropFirst(root.count).dropLast().map { folder in
      Self.known.contains(folder) ? String(folder) : encodes[folder] ?? "*"
    }
    return (folders + [String(last)]).joined(separator: "/")
  }

  /// The names of files, in their order.
  func names(of paths: some Sequence<String>) -> [String] { paths.map { name(of: $0) }.sorted() }
}

/// A record with files.
///
///     property    the value                       the field
///     photo       nil in one of four              an asset: JSON, under any name
///     sketch      nil in one of two               an asset: a binary property list, named sketch.png
///     file        nil, or the user's own file     an asset that names that very file
///     other       another file of the user's      an asset that names that very file
///     ratio       1; infinity to be refused       a number
private struct Album: CustomCloudKitCodable, Equatable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitRecordType: String { "Album" }
  var cloudKitIdentifier: String { "album" }
  var photo: Photo?
  var sketch: Sketch?
  var file: URL?
  var other: URL
  var ratio: Double

  enum CodingKeys: CodingKey { case photo, sketch, file, other, ratio }

  /// Which file is not where it should be, or holds something else.
  ///
  /// Files lie two levels below: the directory, a folder of the encode, the file.
  ///
  /// Kinds: `assets.field`, `assets.place`, `assets.name` and `assets.bytes` for a file that the
  /// coder writes, `assets.own` for the user's.
  func misplaced(_ record: Record, _ place: AssetPlace) throws -> Difference? {
    let expected: [(key: String, bytes: Data?, name: String?)] = [
      ("photo", try photo?.encoded(), photo.map { Self.safe($0.filename) }),
      ("sketch", try sketch?.encoded(), sketch?.filename),
    ]
    for (key, bytes, name) in expected {
      guard let bytes, let name else {
        if record[key] != nil { return .record("assets.field", "'\(key)' is nil and a field") }
        continue
      }
      guard case .asset(let asset)? = record[key], let url = asset.fileURL else {
        return .record(
          "assets.field",
          "'\(key)' is no asset with a file",
          actual: record[key]?.kind ?? "nothing",
          between: nil,
          "the field of the record"
        )
      }
      guard place.isInFolder(url) else {
        return .record(
          "assets.place",
          "the file of '\(key)' is not in a folder of the directory",
          actual: place.name(of: url),
          between: nil,
          "the file of the record"
        )
      }
      guard url.lastPathComponent == name else {
        return .record(
          "assets.name",
          "the file of '\(key)' has another name",
          expected: name,
          actual: url.lastPathComponent,
          between: nil,
          "the file of the record"
        )
      }
      guard try Data(contentsOf: url) == bytes else {
        return .record("assets.bytes", "the file of '\(key)' holds something else")
      }
    }
    guard record["file"] == file.map({ .asset(RecordAsset(fileURL: $0)) }),
      record["other"] == .asset(RecordAsset(fileURL: other))
    else {
      return .record("assets.own", "a file of the user's own is not as it was")
    }
    return nil
  }

  /// The value with the names of the user's own files in place of their paths.
  func shown(_ place: AssetPlace) -> Album {
    var shown = self
    shown.file = file.flatMap { URL(string: place.name(of: $0)) }
    shown.other = URL(string: place.name(of: other)) ?? shown.other
    return shown
  }

  /// The name with a hyphen for each character that leads elsewhere, up to the scalar with which it has 200 bytes.
  private static func safe(_ name: String) -> String {
    if ["", ".", ".."].contains(name) { return "asset" }
    let mapped = name.unicodeScalars.map { scalar in
      scalar.value < 0x20 || ["/", "\\", ":"].contains(scalar) ? "-" : String(scalar)
    }
    return mapped.reduce(into: "") { if $0.utf8.count < 200 { $0 += $1 } }
  }
}

/// A value that is stored as JSON under any name.
///
/// Its name is free, so it must be told by its bytes that it is JSON.
///
/// Worked example: `{"filename":"a-b","text":"x"}` has no ending that tells what it is. A reader
/// that goes by the ending alone gives `decoded` another type, and the photo is refused.
private struct Photo: CloudKitAssetValue, Equatable {
  var text: String
  var filename: String

  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(self)
  }

  static func decoded(from data: Data, type: RecordContentType) throws -> Photo {
    guard type == .json else { throw WrongContent() }
    return try JSONDecoder().decode(Photo.self, from: data)
  }
}

/// A value that is stored as a binary property list, which is told by its bytes alone.
///
/// Its name says PNG and is wrong on purpose: content is told by bytes alone.
private struct Sketch: CloudKitAssetValue, Equatable {
  var text: String
  var filename: String { "sketch.png" }

  func encoded() throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode(self)
  }

  static func decoded(from data: Data, type: RecordContentType) throws -> Sketch {
    guard type == .binaryPropertyList else { throw WrongContent() }
    return try PropertyListDecoder().decode(Sketch.self, from: data)
  }
}

/// A file is taken for content of another type.
private struct WrongContent: Error {}
