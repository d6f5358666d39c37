// Two releases of a model compared. A release stores a `SchemaSnapshot` of itself; the next one
// reads it, and `SchemaDrift` says what each release makes of the other's documents, first by
// schema (`compare`), then by the stored documents themselves (`judge`).
//
//     was    struct Note { title: String, due: Date? }
//     is     struct Note { title: String, tags: Array<String> }
//
//     where       change                     this release, of old ones      the last one, of new ones
//     Note.due    is gone; it was optional   loses it when it writes ...    reads it as missing
//                 Date
//     Note.tags   is new: Array<String>      refuses the document: ...      loses it when it writes ...
//
// `Touchstone/ExpectNoSilentDrift.swift` fails on any change, until the snapshot is
// rewritten.

import CodingSupport
package import ModelGeneration
import PropertyEngine

/// What a release asks of documents, with documents that it wrote: kept beside the next release.
package struct SchemaSnapshot: Hashable, Sendable, Codable {
  /// The version of the form.
  package static let version = 1

  package let version: Int
  package let model: String
  /// The model's own type and those that decoding it asked for; empty where the source knows no
  /// schema.
  package let types: [Schema.TypeShape]
  /// Documents as trees in their text form, each in one line.
  ///
  /// At most 24, each below 1,500 bytes, and none twice.
  package let documents: [String]

  /// Documents that are kept.
  ///
  /// The first is the value of no choices, the simplest; the others are of a fixed seed ("schema"
  /// in ASCII), so that a snapshot of an unchanged model is the same file.
  private static let documentCount = 24
  private static let seed: Seed = 0x7363_6865_6d61

  /// The snapshot of a model as it is now.
  ///
  /// - Throws: What drawing a value, or encoding it, throws.
  package init<Value: Codable & SendableMetatype>(_ source: ModelSource<Value>) throws {
    version = Self.version
    model = source.name
    types = source.schema?.types ?? []
    var documents: [String] = []
    for index in 0..<Self.documentCount {
      var choices =
        index == 0 ? Choices(replaying: []) : Choices(seed: Self.seed.stream(UInt64(index)))
      let text = try TreeRecorder.tree(of: source.draw(&choices).value).description
      // Long documents say no more than several short ones.
      if text.utf8.count < 1500, !documents.contains(text) { documents.append(text) }
    }
    self.documents = documents
  }
}

/// One difference between two releases, and what it does to documents.
package struct SchemaChange: Hashable, Sendable {
  /// The type and key: `Note.due`.
  package let place: String
  /// What changed, in words.
  package let change: String
  /// What this release makes of documents of the last one.
  package let forward: String
  /// What the last release makes of documents of this one.
  package let back: String
}

/// Compares two releases of a model.
package struct SchemaDrift {
  package private(set) var changes: [SchemaChange] = []

  /// Keys of the fields whose change the comparison of schemas told.
  private var toldKeys: Set<String> = []

  /// `type` is the new release: the old one is known by its snapshot alone.
  package init<Value: Codable & SendableMetatype>(
    from old: SchemaSnapshot,
    to new: SchemaSnapshot,
    _ type: Value.Type
  ) {
    var pairs = TypePairs(old, new)
    while let (was, now) = pairs.next() { compare(was, now, &pairs) }
    judge(old.documents, type)
  }

  private static func description(of field: Schema.Field) -> String {
    let names = field.types.map(\.name)
    let types = names.isEmpty ? "anything" : names.joined(separator: " or ")
    return field.isOptional ? "optional \(types)" : types
  }

  /// The field of a type that is stored as another one was, if it has one.
  ///
  /// A snapshot does not tell a dot within a key from one between two, so that the text decides.
  private static func counterpart(
    of field: Schema.Field,
    in type: Schema.TypeShape
  ) -> Schema.Field? {
    type.fields.first { $0.slot.description == field.slot.description }
  }

  private mutating func add(_ place: String, _ change: String, forward: String, back: String) {
    changes.append(SchemaChange(place: place, change: change, forward: forward, back: back))
  }

  /// Adds a change of a field; the slot of a type that is one value is empty.
  private mutating func add(
    _ field: Schema.Field,
    of type: Schema.TypeShape,
    _ change: String,
    forward: String,
    back: String
  ) {
    toldKeys.formUnion(field.slot.keys)
    add("\(type.name)\(field.slot)", change, forward: forward, back: back)
  }

  /// Compares two shapes of one type, which may have another name now: that is the one told.
  private mutating func compare(
    _ was: Schema.TypeShape,
    _ now: Schema.TypeShape,
    _ pairs: inout TypePairs
  ) {
    for field in was.fields {
      guard let kept = Self.counterpart(of: field, in: now) else {
        add(
          field,
          of: now,
          "is gone; it was \(Self.description(of: field))",
          forward: "loses it when it writes the document again",
          back: field.isOptional
            ? "reads it as missing" : "refuses the document: the key is missing"
        )
        continue
      }
      compare(now, was: field, now: kept, pairs: &pairs)
    }
    for field in now.fields where Self.counterpart(of: field, in: was) == nil {
      add(
        field,
        of: now,
        "is new: \(Self.description(of: field))",
        forward: field.isOptional
          ? "reads it as missing" : "refuses the document: the key is missing",
        back: "loses it when it writes the document again"
      )
    }
    compare(now.name, noun: "case", was: was.cases, now: now.cases)
    compare(
      now.name,
      noun: "value",
      was: was.rawValues.map(\.text),
      now: now.rawValues.map(\.text)
    )
  }

  private mutating func compare(
    _ type: Schema.TypeShape,
    was: Schema.Field,
    now: Schema.Field,
    pairs: inout TypePairs
  ) {
    let kinds = (Set(was.types.map { Kind($0) }), Set(now.types.map { Kind($0) }))
    // Documents do not hold the names of types: what matters is what is in them.
    if was.types != now.types, !pairs.areRenamed(was.types, now.types) {
      let change = "was \(Self.description(of: was)), is \(Self.description(of: now))"
      if kinds.0 == kinds.1 {
        add(
          now,
          of: type,
          change,
          forward: "refuses values that do not fit",
          back: "refuses values that do not fit"
        )
      } else {
        add(
          now,
          of: type,
          change,
          forward: Self.reading(kinds.0, by: kinds.1),
          back: Self.reading(kinds.1, by: kinds.0)
        )
      }
    } else if was.isOptional != now.isOptional {
      add(
        now,
        of: type,
        now.isOptional ? "became optional" : "is required now",
        forward: now.isOptional ? "reads it" : "refuses documents that lack it",
        back: now.isOptional ? "refuses documents that lack it" : "reads it"
      )
    }
  }

  private mutating func compare(_ type: String, noun: String, was: [String], now: [String]) {
    for name in was where !now.contains(name) {
      add(
        type,
        "the \(noun) `\(name)` is gone",
        forward: "refuses documents that hold it",
        back: "never meets it"
      )
    }
    for name in now where !was.contains(name) && !was.isEmpty {
      add(
        type,
        "the \(noun) `\(name)` is new",
        forward: "never meets it",
        back: "refuses documents that hold it"
      )
    }
  }

  /// What reading a field of some kinds by one of others comes to.
  ///
  /// A float reads integers, so that this is a misreading and no refusal: 5 comes back as 5.0, and
  /// is written as a float.
  private static func reading(_ written: Set<Kind>, by reader: Set<Kind>) -> String {
    if written.isSubset(of: reader) { return "reads it" }
    if written == [.integer], reader == [.float] { return "misreads it: as a float" }
    let kinds = written.map(\.description).sorted().joined(separator: " or ")
    return "refuses the document: it holds \(kinds)"
  }

  /// How a type stands in a document.
  private enum Kind: Hashable, CustomStringConvertible {
    case integer
    case float
    case string
    case list(SchemaType)
    case map(SchemaType)
    /// Each other type is a kind of its own.
    case other(SchemaType)

    init(_ type: SchemaType) {
      self =
        switch type.form {
        case .integer: .integer
        case .float: .float
        case .string: .string
        case .list, .set: .list(type)
        case .dictionary: .map(type)
        case .optional, .other: .other(type)
        }
    }

    var description: String {
      switch self {
      case .integer: "an integer"
      case .float: "a float"
      case .string: "a string"
      case .list(let type): "a list (\(type.name))"
      case .map(let type): "a map (\(type.name))"
      case .other(let type): type.name
      }
    }
  }

  /// Tries the stored documents: what no comparison of schemas foresees shows here.
  ///
  /// An element of a list is passed over as a place (`intValue`); what is in it is compared. What the schemas
  /// told already is not told again: a place by the last key of its path, as schemas name types and not paths; a refusal
  /// by any change.
  private mutating func judge<Value: Codable>(_ documents: [String], _ type: Value.Type) {
    var places: Set<[PathKey]> = []
    var refusals: Set<String> = []
    for text in documents {
      guard let document = try? Tree(text: text) else { continue }
      do {
        let value = try TreeDecoder().decode(type, from: document)
        let again = try TreeRecorder.tree(of: value)
        guard
          let lost = document.paths.first(where: { path in
            guard let was = document[path], path.last?.intValue == nil else { return false }
            guard let now = again[path] else { return was != .null }
            return was.kind.isScalar && now.kind == was.kind && now != was
          })
        else { continue }
        let isTold = lost.last.map { toldKeys.contains($0.stringValue) } ?? false
        guard places.insert(lost).inserted, !isTold else { continue }
        let isLost = again[lost] == nil
        add(
          lost.quoted,
          "in a stored document",
          forward: isLost
            ? "loses it when it writes the document again" : "misreads it: as another value",
          back: "was written by it"
        )
      } catch {
        let reason = explanation(ofCodingError: error)
        guard refusals.insert(reason).inserted, changes.isEmpty else { continue }
        add(
          "a stored document",
          "no longer fits",
          forward: "refuses it: \(reason)",
          back: "was written by it"
        )
      }
    }
  }

  /// The changes as a table for a terminal or a pull request.
  package var table: [String] {
    let head = [
      "where", "change", "this release, of old documents", "the last one, of new documents",
    ]
    let rows = changes.map { [$0.place, $0.change, $0.forward, $0.back] }
    let widths = head.indices.map { column in
      ([head] + rows).map { $0[column].count }.max() ?? 0
    }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|")
    return [line(head), "|\(rule)|"] + rows.map(line)
  }
}
