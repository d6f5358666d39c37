import DocumentModel
import Histories
import PropertyEngine

// What a rich-text editor shows of a text: its pieces between the places where marks begin and end and
// blocks stand. The law is one of `StorageLaws.all`, since it writes into a document of a history.

extension StorageLaws {
  /// Catches a cut that is missed where a mark begins or ends beside a block, a character of several bytes
  /// or the end of the text.
  ///
  /// Worked example: "ab", a block, "cd", bold from the block on. The spans are "ab", the block, and "cd" in bold. An
  /// engine that passes by the begin of the mark at the block shows "c" without it.
  static var spans: Law<PickedHistory> {
    law(
      "marks.spans",
      "Spans are the text and its marks.",
      "The spans of a text are its characters and blocks in their order, each run with the marks that are over "
        + "all of it and over no other part of it, also once it is loaded.",
      source: .specification(.semantics, "Block markers")
    ) { document, sample in
      guard let text = try document.apply(.putObject(.root, .key("spans"), .text)).made else {
        throw Skipped("the text has no id")
      }
      try document.edit(text, by: sample)
      if let found = try document.spansDiffer(text) { return found }
      document.commit()
      var loaded = try R.load(document.save(compressed: false), actor: other)
      return try loaded.spansDiffer(text)?.told(as: "once it is loaded, the spans differ")
    }
  }
}

/// What stands at one unit of a text: a character, or a block.
private struct TextUnit: Hashable {
  enum Content: Hashable {
    case scalar(Unicode.Scalar)
    case block(ObjectID)
  }

  let content: Content
  var marks: [ObservedMark] = []
}

extension StoredReplica {
  /// Edits of a text, one for each pick: what is typed, taken out, marked, or put in as a block.
  fileprivate mutating func edit(_ text: ObjectID, by sample: PickedHistory) throws {
    let letters = ["abc", "\u{e9}\u{df}", "\u{1f600}x", "d"]
    _ = try apply(
      .spliceText(text, index: 0, deleting: 0, inserting: ExactString("abcdef"))
    )
    for pick in sample.picks {
      let length = try units(of: text).count
      let (index, number) = (pick / 8 % (length + 1), pick / 8 / (length + 1))
      let edit: Edit<ObjectID> =
        switch pick % 8 {
        case 0:
          .spliceText(
            text,
            index: index,
            deleting: min(number % 3, length - index),
            inserting: ExactString(letters[number % letters.count])
          )
        case 1, 2: .insertObject(text, index: index, .map)
        default:
          .mark(
            text,
            Marking(
              index,
              to: min(length, index + 1 + number % 4),
              pick % 2 == 0 ? "bold" : "link",
              Self.markValue(number),
              expand: MarkExpansion.allCases[number % MarkExpansion.allCases.count]
            )
          )
        }
      _ = try apply(edit)
    }
  }

  /// Of not a number each element has a mark of its own, so that marks end within what was typed at once.
  private static func markValue(_ number: Int) -> Scalar {
    switch number % 5 {
    case 4: .null
    case 3: .float(.nan)
    default: .int(Int64(number % 2))
    }
  }

  /// The units of a text as it is read, each with the marks over it.
  private mutating func units(of text: ObjectID) throws -> [TextUnit] {
    guard case .map(let entries) = try observe(at: nil).root.content,
      case .object(let shown)? = entries.first(where: { $0.key == "spans" })?.register.values.last?
        .content,
      case .text(_, _, let elements?) = shown.content
    else {
      throw Skipped("the text's elements are not shown")
    }
    var units = elements.flatMap { element -> [TextUnit] in
      switch element.values.last?.content {
      case .scalar(.string(let string))?:
        string.string.unicodeScalars.map { TextUnit(content: .scalar($0)) }
      case .object(let object)?:
        if case .map = object.content, let id = object.id {
          [TextUnit(content: .block(id))]
        } else {
          [TextUnit(content: .scalar("\u{fffc}"))]
        }
      default: [TextUnit(content: .scalar("\u{fffc}"))]
      }
    }
    for mark in shown.marks where mark.value != .null {
      for place in mark.range where units.indices.contains(place) {
        units[place].marks.append(mark)
      }
    }
    return units
  }

  /// Where the spans of a text are not what its units and marks give.
  fileprivate mutating func spansDiffer(_ text: ObjectID) throws -> Difference? {
    let spans = try spans(of: text)
    let expected = try units(of: text).map { Self.description($0.content, $0.marks) }
    var found: [String] = []
    for span in spans {
      switch span {
      case .block(let id): found.append(Self.description(.block(id), nil))
      case .text(let string, let marks):
        let scalars = Array(string.string.unicodeScalars)
        let range = found.count..<found.count + scalars.count
        guard !scalars.isEmpty, marks.allSatisfy({ $0.range == range }) else {
          return Difference(
            kind: "spans.range",
            summary: "a span is empty, or its marks have another range"
          )
        }
        found += scalars.map { Self.description(.scalar($0), marks) }
      }
    }
    guard found != expected else { return nil }
    let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset
    return Difference(
      kind: "spans",
      summary:
        "the spans of a text differ, first at unit \(place ?? min(found.count, expected.count))",
      expected: expected.joined(separator: " "),
      actual: found.joined(separator: " ")
    ).between("the text and its marks", "its spans").ofPeers()
  }

  /// Such as `a[bold=1]`; marks of a block are not told, since spans have none there.
  private static func description(_ content: TextUnit.Content, _ marks: [ObservedMark]?) -> String {
    switch content {
    case .block(let id): return "block(\(id))"
    case .scalar(let scalar):
      let names = (marks ?? []).map { "\($0.name.string)=\($0.value)" }.sorted()
      return names.isEmpty ? "\(scalar)" : "\(scalar)[\(names.joined(separator: ","))]"
    }
  }
}
