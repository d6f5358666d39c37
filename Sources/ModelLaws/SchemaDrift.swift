// Two releases of a model compared. A release stores a `SchemaSnapshot` of itself; the next one
// reads it, and `SchemaDrift` says what each release makes of the other's documents, first by
// schema (`compare`), then by the stored documents themselves (`judgeDocuments`).
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
// written anew.

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

  private let old: SchemaSnapshot
  private let new: SchemaSnapshot

  /// `type` is the new release: the old one is known by its snapshot alone.
  package init<Value: Codable & SendableMetatype>(
    from old: SchemaSnapshot,
    to new: SchemaSnapshot,
    _ type: Value.Type
  ) {
    (self.old, self.new) = (old, new)
    var pairs = TypePairs(old, new)
    while let (was, now) = pairs.next() { compare(was, now, &pairs) }
    judgeDocuments(type)
  }

  private static func description(of field: Schema.Field) -> String {
    let types = field.types.isEmpty ? "anything" : field.types.joined(separator: " or ")
    return field.isOptional ? "optional \(types)" : types
  }

  /// The type and the slot, which is empty for a type that is one value.
  private static func name(_ type: Schema.TypeShape, _ field: Schema.Field) -> String {
    "\(type.name)\(field.slot)"
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

  /// Compares two shapes of one type, which may have another name now: that is the one told.
  private mutating func compare(
    _ was: Schema.TypeShape,
    _ now: Schema.TypeShape,
    _ pairs: inout TypePairs
  ) {
    for field in was.fields {
      let place = Self.name(now, field)
      guard let kept = Self.counterpart(of: field, in: now) else {
        add(
          place,
          "is gone; it was \(Self.description(of: field))",
          forward: "loses it when it writes the document again",
          back: field.isOptional
            ? "reads it as missing" : "refuses the document: the key is missing"
        )
        continue
      }
      compare(place, was: field, now: kept, pairs: &pairs)
    }
    for field in now.fields where Self.counterpart(of: field, in: was) == nil {
      add(
        Self.name(now, field),
        "is new: \(Self.description(of: field))",
        forward: field.isOptional
          ? "reads it as missing" : "refuses the document: the key is missing",
        back: "loses it when it writes the document again"
      )
    }
    compare(now.name, noun: "case", was: was.cases, now: now.cases)
    compare(now.name, noun: "value", was: was.rawValues, now: now.rawValues)
  }

  private mutating func compare(
    _ place: String,
    was: Schema.Field,
    now: Schema.Field,
    pairs: inout TypePairs
  ) {
    let kinds = (Set(was.types.map(Self.kind)), Set(now.types.map(Self.kind)))
    // Documents do not hold the names of types: what matters is what is in them.
    if was.types != now.types, !pairs.areRenamed(was.types, now.types) {
      let change = "was \(Self.description(of: was)), is \(Self.description(of: now))"
      if kinds.0 == kinds.1 {
        add(
          place,
          change,
          forward: "refuses values that do not fit",
          back: "refuses values that do not fit"
        )
      } else {
        add(
          place,
          change,
          forward: Self.reading(kinds.0, by: kinds.1),
          back: Self.reading(kinds.1, by: kinds.0)
        )
      }
    } else if was.isOptional != now.isOptional {
      add(
        place,
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
  private static func reading(_ written: Set<String>, by reader: Set<String>) -> String {
    if written.isSubset(of: reader) { return "reads it" }
    if written == ["an integer"], reader == ["a float"] { return "misreads it: as a float" }
    return "refuses the document: it holds \(written.sorted().joined(separator: " or "))"
  }

  /// How a type stands in a document.
  ///
  /// What a schema knows is names of types. One that is not listed here is a kind of its own.
  private static func kind(_ type: String) -> String {
    let integers = ["Int", "Int8", "Int16", "Int32", "Int64"]
    if (integers + integers.map { "U\($0)" }).contains(type) { return "an integer" }
    if ["Double", "Float", "CGFloat"].contains(type) { return "a float" }
    if ["String", "UUID", "URL"].contains(type) { return "a string" }
    for (prefix, kind) in [("Array<", "a list"), ("Set<", "a list"), ("Dictionary<", "a map")]
    where type.hasPrefix(prefix) {
      return "\(kind) (\(type))"
    }
    return type
  }

  /// Tries the stored documents: what no comparison of schemas foresees shows here.
  ///
  /// An element of a list is passed over as a place (`intValue`); what is in it is compared. A
  /// refusal is told only where the schemas told of no change, which explain it otherwise.
  private mutating func judgeDocuments<Value: Codable>(_ type: Value.Type) {
    var refusals: Set<String> = []
    for text in old.documents {
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
        let name = lost.swiftly
        guard refusals.insert(name).inserted, !isTold(name) else { continue }
        let isLost = again[lost] == nil
        add(
          "`\(name)`",
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

  /// Whether the comparison of schemas told of a key already.
  ///
  /// By the last key of the path, as schemas name types and not paths.
  private func isTold(_ path: String) -> Bool {
    let key = path.split(separator: ".").last.map(String.init) ?? path
    return changes.contains { $0.place.hasSuffix(".\(key)") || $0.place.contains(".\(key)[") }
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
