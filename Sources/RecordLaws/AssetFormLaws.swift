import CodingSupport
package import Foundation
import PropertyEngine
package import RecordModel

// The law of asset values that have no coder of their own: what their type says decides the form of their file. As
// `AssetLaws.swift`, it touches the disk, in a folder of its own for each case.

extension RecordLaw {
  /// The law of asset values that have no coder of their own.
  static let assetFormLaws: [RecordLaw] = [assetForms]

  /// Catches a form that is not the one that the type asks for, a name without its ending, and a file that is told by its
  /// name or its type alone.
  ///
  /// Worked example: version 2 stores a recipe as a property list, where version 1 had JSON. Each reads what the other
  /// wrote, since a file is told by its bytes.
  ///
  ///     the type says           its file                                 is named
  ///     nothing                 JSON, keys in order                      Recipe-(a UUID).json
  ///     XML property list       begins with `<?xml`                      Score-7.plist: by its `id`
  ///     binary property list    begins with `bplist00`                   Chart-(a UUID).plist
  ///     image/png               none: it is refused, encoded or decoded
  ///     text/plain              what its own coder writes                Sketch-(a UUID), without an ending
  ///
  ///     the file then                       decoded
  ///     rewritten in another form           the value
  ///     gone, or holds neither form         `dataCorrupted` at its field or below
  ///     not there: an asset without file    `valueNotFound` at its field
  static let assetForms = value(
    "record.asset-forms",
    "Assets have the form that is asked for.",
    "An asset value without a coder of its own is a file of the form that its type prefers, under a name of type, id and "
      + "form; it is read from a file of any form, told by its bytes; a form that has no coder, a file that is gone, "
      + "broken or missing is refused at its field, and a list of the user's files stays.",
    source: .document("Records.md", "Values"),
    costs: 16
  ) { subject, choices in
    let root = try AssetPlace.newRoot()
    defer { try? FileManager.default.removeItem(at: root) }
    var settings = RecordSettings()
    settings.assetDirectory = root.appendingPathComponent("assets", isDirectory: true)
    let file = root.appendingPathComponent("own.txt")
    try Data("own".utf8).write(to: file)
    let number = choices.index(below: 100)
    let book = Cookbook(
      recipe: AssetModels.Recipe(text: "t\(number)", numbers: [number]),
      score: AssetModels.Score(id: number, text: "s"),
      chart: AssetModels.Chart(text: "c"),
      files: [file, file]
    )
    let record = try subject.encode(book, onto: nil, settings)
    if let found = try book.misnamed(record) { return found }
    let unwritable = Gallery(drawing: AssetModels.Drawing(text: "d"))
    if (try? subject.encode(unwritable, onto: nil, settings)) != nil {
      return .record("forms.taken", "content of a form that has no coder was taken")
    }
    var secret = settings
    secret.encryptedKeys = ["score"]
    do {
      _ = try subject.encode(book, onto: nil, secret)
      return .record("forms.secret", "an asset value was encrypted")
    } catch {
      guard CodingFailure(encoding: error)?.path == [.key("score")] else {
        return .record("forms.secret", "an encrypted asset value is refused elsewhere: \(error)")
      }
    }
    let sketchbook = Sketchbook(sketch: AssetModels.Sketch(text: "t\(number)"))
    if let found = try sketchbook.misnamed(by: subject, settings) { return found }
    if let found = try misread(record, book, by: subject, &choices) { return found }
    subject.removeFiles(of: record, settings)
    let left = ["recipe", "score", "chart"].filter { key in
      fileURL(of: record, key).map { FileManager.default.fileExists(atPath: $0.path) } == true
    }
    guard left.isEmpty, FileManager.default.fileExists(atPath: file.path) else {
      return .record(
        "forms.removed",
        "files stay, or the user's is gone",
        actual: left,
        between: nil,
        "the files"
      )
    }
    return nil
  }

  fileprivate static func fileURL(of record: Record, _ key: String) -> URL? {
    guard case .asset(let asset)? = record[key] else { return nil }
    return asset.fileURL
  }

  /// How a file in another form, or none, is not read, or not refused, as it must be.
  private static func misread(
    _ record: Record,
    _ book: Cookbook,
    by subject: any RecordSubject,
    _ choices: inout Choices
  ) throws -> Difference? {
    guard try subject.decode(Cookbook.self, from: record) == book,
      let url = fileURL(of: record, "recipe"), let drawn = fileURL(of: record, "chart")
    else { return .record("forms.differ", "another value came back") }
    let recipe = try book.recipe.files()
    try choices.element(of: recipe).write(to: url)
    guard try subject.decode(Cookbook.self, from: record).recipe == book.recipe else {
      return .record("forms.other", "a file of another form is read as another value")
    }
    if let found = try misreadSpace(record, book, by: subject) { return found }
    var gallery = Record(recordType: "Gallery", recordID: record.recordID)
    gallery["drawing"] = .asset(RecordAsset(fileURL: drawn))
    // Bytes that look like none of the forms: the type's own is tried.
    let noise = Data([1, 2, 3])
    try noise.write(to: drawn)
    var broken = record
    var kind = CodingFailure.Kind.dataCorrupted
    switch choices.index(below: 4) {
    case 0: try noise.write(to: url)
    case 1: try Data("{\"text\":".utf8).write(to: url)
    case 2: try FileManager.default.removeItem(at: url)
    default:
      broken["recipe"] = .asset(RecordAsset(fileURL: nil))
      kind = .valueNotFound
    }
    let questions: [(name: String, kind: CodingFailure.Kind, decode: () throws -> Void)] = [
      ("recipe", kind, { _ = try subject.decode(Cookbook.self, from: broken) }),
      ("chart", .dataCorrupted, { _ = try subject.decode(OneChart.self, from: record) }),
      ("drawing", .typeMismatch, { _ = try subject.decode(Gallery.self, from: gallery) }),
    ]
    for (name, kind, decode) in questions {
      do {
        try decode()
        return .record("forms.read", "the broken file of '\(name)' was read")
      } catch {
        let failure = CodingFailure(decoding: error)
        guard failure?.kind != kind || failure?.path.first != .key(name) else { continue }
        return .record(
          "forms.refusal",
          "the file of '\(name)' is refused otherwise",
          expected: "\(kind) at \(name)",
          actual: failure.map { "\($0.kind) at \($0.path.place)" } ?? "\(type(of: error))",
          between: nil,
          "the refusal"
        )
      }
    }
    return nil
  }
}

extension RecordLaw {
  /// How JSON behind space is not told by its bytes, where the type would have another form.
  ///
  /// Each kind of space that JSON has: an editor may put it there.
  private static func misreadSpace(
    _ record: Record,
    _ book: Cookbook,
    by subject: any RecordSubject
  ) throws -> Difference? {
    guard let url = fileURL(of: record, "score") else { return nil }
    let json = #"{"id":\#(book.score.id),"text":"\#(book.score.text)"}"#
    for space in [" ", "\t", "\r", "\n", " \n"] {
      try Data("\(space)\(json)".utf8).write(to: url)
      guard try subject.decode(Cookbook.self, from: record).score == book.score else {
        return .record("forms.space", "JSON behind space is read as another value")
      }
    }
    return nil
  }
}

/// A record with an asset of each form, and files of the user's.
private struct Cookbook: CustomCloudKitCodable, Equatable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitRecordType: String { "Cookbook" }
  var cloudKitIdentifier: String { "cookbook" }
  // First, so that it is read before the others.
  var recipe: AssetModels.Recipe
  var score: AssetModels.Score
  var chart: AssetModels.Chart
  var files: [URL]

  enum CodingKeys: CodingKey { case recipe, score, chart, files }

  /// Which file has another name or form than its type says.
  func misnamed(_ record: Record) throws -> Difference? {
    let json = "{\"numbers\":[\(score.id)],\"text\":\"t\(score.id)\"}"
    let expected = [
      ("recipe", "Recipe-", ".json", json), ("score", "Score-\(score.id).", "plist", "<?xml"),
      ("chart", "Chart-", ".plist", "bplist00"),
    ]
    for (key, start, end, bytes) in expected {
      guard let url = RecordLaw.fileURL(of: record, key) else {
        return .record("forms.field", "'\(key)' is no asset with a file")
      }
      let name = url.lastPathComponent
      guard name.hasPrefix(start), name.hasSuffix(end), start.hasSuffix("-") == (name.count > 20)
      else { return .record("forms.name", "the file of '\(key)' does not begin with \(start)") }
      guard try Data(contentsOf: url).starts(with: bytes.utf8) else {
        return .record("forms.bytes", "the file of '\(key)' has another form")
      }
    }
    return nil
  }
}

/// A record with an asset of a form that has no coder.
private struct Gallery: CustomCloudKitCodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitRecordType: String { "Gallery" }
  var cloudKitIdentifier: String { "gallery" }
  var drawing: AssetModels.Drawing

  enum CodingKeys: CodingKey { case drawing }
}

/// A record with an asset that its own coder writes.
private struct Sketchbook: CustomCloudKitCodable, Equatable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitRecordType: String { "Sketchbook" }
  var cloudKitIdentifier: String { "sketchbook" }
  var sketch: AssetModels.Sketch

  enum CodingKeys: CodingKey { case sketch }

  /// How its file is not what its own coder writes, or has an ending.
  func misnamed(by subject: any RecordSubject, _ settings: RecordSettings) throws -> Difference? {
    let record = try subject.encode(self, onto: nil, settings)
    guard let url = RecordLaw.fileURL(of: record, "sketch") else {
      return .record("forms.field", "'sketch' is no asset with a file")
    }
    let (name, bytes) = (url.lastPathComponent, try Data(contentsOf: url))
    guard name.hasPrefix("Sketch-"), !name.contains("."), bytes == Data(sketch.text.utf8) else {
      return .record("forms.own", "the file of a type with its own coder is another: \(name)")
    }
    return try subject.decode(Self.self, from: record) == self
      ? nil : .record("forms.own", "a value with its own coder came back as another")
  }
}

/// The chart of a cookbook alone.
private struct OneChart: Decodable { var chart: AssetModels.Chart }

/// Values that are files, without a coder of their own.
///
/// That they are asset values the subject says, whose coder they have: laws import none. What their types say of the
/// form stands here.
package enum AssetModels {
  /// A value whose type says nothing of its form.
  package struct Recipe: Codable, Equatable {
    var text: String
    var numbers: [Int]

    /// Its file in each form, JSON with space before it among them.
    fileprivate func files() throws -> [Data] {
      let forms = [PropertyListSerialization.PropertyListFormat.xml, .binary]
      let lists = try forms.map { form in
        let encoder = PropertyListEncoder()
        encoder.outputFormat = form
        return try encoder.encode(self)
      }
      let json = "{\"text\":\"\(text)\",\"numbers\":\(numbers)}"
      return [Data(json.utf8), Data("\r\n\t \(json)".utf8)] + lists
    }
  }

  /// A value that is stored as XML, named by its id.
  package struct Score: Codable, Identifiable, Equatable {
    package static var preferredContentType: RecordContentType { .xmlPropertyList }

    package var id: Int
    var text: String
  }

  /// A value that is stored as a binary property list.
  package struct Chart: Codable, Equatable {
    package static var preferredContentType: RecordContentType { .binaryPropertyList }

    var text: String
  }

  /// A value with a coder of its own, whose form no coder here knows.
  package struct Sketch: Codable, Equatable {
    package static var preferredContentType: RecordContentType { .other("text/plain") }

    var text: String

    package func encoded() throws -> Data { Data(text.utf8) }

    package static func decoded(from data: Data, type: RecordContentType) throws -> Self {
      Sketch(text: String(decoding: data, as: UTF8.self))
    }
  }

  /// A value of a form that has no coder.
  package struct Drawing: Codable {
    package static var preferredContentType: RecordContentType { .other("image/png") }

    var text: String
  }
}
