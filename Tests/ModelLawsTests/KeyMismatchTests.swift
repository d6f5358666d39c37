import ModelGeneration
import ModelLaws
import PropertyEngine
import Testing

@Suite("Keys that encoding and decoding name differently")
struct KeyMismatchTests {
  /// What `model.lossless` says of the value of a document.
  private func summary<Value: Codable & SendableMetatype>(
    _ type: Value.Type,
    _ document: String
  ) throws -> String? {
    let laws = ModelLaws(try ModelSource(deriving: type, DerivationOptions())).all
    let law = try #require(laws.first { $0.statement == ModelLaw.lossless })
    return law.verdict(of: try ModelSample(document: Tree(text: document))).difference?.summary
  }

  /// What it says of a value of the caller's.
  private func summary<Value: Codable & SendableMetatype>(given value: Value) throws -> String? {
    let source = try ModelSource(mutating: [value])
    let law = try #require(ModelLaws(source).all.first { $0.statement == ModelLaw.lossless })
    var choices = Choices(replaying: [])
    return law.verdict(of: try source.draw(&choices)).difference?.summary
  }

  /// The keys of `Guest` and its like as they should be, and with a letter too few.
  enum Right: CodingKey { case name, dietary, age }
  enum Misspelt: CodingKey { case name, dietry, age }

  /// Reads a key that it does not write, and takes it for missing.
  struct Guest: Codable {
    var name: String
    var dietary: String?

    enum CodingKeys: CodingKey { case name, dietary }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Misspelt.self)
      name = try container.decode(String.self, forKey: .name)
      dietary = try container.decodeIfPresent(String.self, forKey: .dietry)
    }
  }

  struct Party: Codable { var guests: [Guest] }

  @Test("Where decoding reads a misspelt key, the change names both keys")
  func decoding() throws {
    #expect(
      try summary(Guest.self, #"{"dietry": "nuts", "name": "Ada"}"#)
        == "`dietary` comes back as something else: `encode(to:)` writes `dietary`, and `init(from:)` asks for `dietry`"
    )
    #expect(
      try summary(Party.self, #"{"guests": [{"dietry": "nuts", "name": "Ada"}]}"#)
        == "`guests[0].dietary` comes back as something else: `encode(to:)` writes `dietary`, and `init(from:)` asks for `dietry`"
    )
  }

  /// The same, where the key is required.
  struct Strict: Codable {
    var name: String
    var dietary: String
    var age: Int

    enum CodingKeys: CodingKey { case name, dietary, age }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Misspelt.self)
      name = try container.decode(String.self, forKey: .name)
      dietary = try container.decode(String.self, forKey: .dietry)
      age = try container.decode(Int.self, forKey: .age)
    }
  }

  /// Writes a misspelt key.
  struct Writer: Codable {
    var name: String
    var dietary: String?
    var age: Int

    enum CodingKeys: CodingKey { case name, dietary, age }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Misspelt.self)
      try container.encode(name, forKey: .name)
      try container.encodeIfPresent(dietary, forKey: .dietry)
      try container.encode(age, forKey: .age)
    }
  }

  @Test("Where a key is not written, the one that is written in its place is named")
  func writing() throws {
    #expect(
      try summary(Strict.self, #"{"age": int 1, "dietry": "nuts", "name": "Ada"}"#)
        == "`encode(to:)` does not write `dietry`, which `init(from:)` requires; it writes `dietary`, which `init(from:)` never asks for"
    )
    #expect(
      try summary(Writer.self, #"{"age": int 1, "dietary": "nuts", "name": "Ada"}"#)
        == "`encode(to:)` does not write `dietary`; it writes `dietry`, which `init(from:)` never asks for"
    )
  }

  /// Writes a key that it never reads, and loses another by a number that is rounded.
  struct Stamped: Codable {
    var age: Int

    enum CodingKeys: CodingKey { case version, age, due }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      age = try container.decode(Int.self, forKey: .age)
      _ = try container.decodeIfPresent(String.self, forKey: .due)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(2, forKey: .version)
      try container.encode(age / 2 * 2, forKey: .age)
    }
  }

  /// Sets a property without a look at its key.
  struct Blind: Codable {
    var note: String

    enum CodingKeys: CodingKey { case note }

    init(note: String) { self.note = note }

    init(from decoder: any Decoder) throws {
      _ = try decoder.container(keyedBy: CodingKeys.self)
      note = ""
    }
  }

  /// The same, of a property that has values within it.
  struct Folder: Codable {
    var notes: [String: Int] = [:]

    enum CodingKeys: CodingKey { case notes }

    init(notes: [String: Int]) { self.notes = notes }

    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: CodingKeys.self) }
  }

  @Test("What has nothing to do with the loss is not told; a key that is never read is")
  func others() throws {
    #expect(
      try summary(Stamped.self, #"{"age": int 3}"#) == "`age` comes back as something else"
    )
    #expect(
      try summary(given: Blind(note: "x"))
        == "`note` comes back as something else: `init(from:)` never asks for `note`, which `encode(to:)` writes"
    )
    // What is below a key that is not read cannot be read either.
    #expect(
      try summary(given: Folder(notes: ["x": 1]))
        == "`notes.x` comes back as something else: `init(from:)` never asks for `notes`, which `encode(to:)` writes"
    )
  }
}
