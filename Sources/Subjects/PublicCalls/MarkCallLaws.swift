import AutomergeDocument
import MergeEngine
import PropertyEngine

extension PublicCallLaw {
  static let markLaws = [markValues, equalMarks]

  /// Catches a mark over each unit of a wide character, where its value equals nothing.
  ///
  /// The oracle is an array of nine units for each name: a later mark of one writer has the greater id, and so wins on
  /// the units that it covers. The text is written in scalars, and read in each unit of text as well:
  ///
  ///     in scalars     a b \u{e9} \u{e9} \u{1f600} ...     NaN over 3..<5     3..<4    4..<5
  ///     in UTF-16      0 1 2      3      4                                  3..<4    4..<6
  private static let markValues = PublicCallLaw(
    "api.mark-values",
    "Each unit shows its last mark.",
    "Marks of one writer, over each other and with values that are hard to compare, show what was said last of each "
      + "unit of a text, whatever stands between two units without being one; so they do at heads, and when the "
      + "document is loaded, in any unit of text.",
    source: .specification(.semantics, "Marks", "Width")
  ) { story in
    let values: [ScalarValue] = [
      .Null, .Boolean(true), .Int(0), .Uint(0), .F64(0), .F64(-0.0), .F64(.nan), .F64(.nan),
      .String(""), .String("0"),
    ]
    let document = Document.written(by: 0xfd)
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    let letters = "ab\u{e9}\u{e9}\u{1f600}\u{1f600}\u{1f600}cd"
    let length = 9
    try document.spliceText(obj: text, start: 0, delete: 0, value: letters)
    story.note("a text \"\(letters)\"")
    var shown: [String: [ScalarValue]] = [:]
    for _ in 0...story.index(below: 7) {
      let name = story.element(of: ["b", "l"])
      let start = story.index(below: length)
      let end = min(length, start + 1 + story.index(below: 6))
      let value = story.element(of: values)
      story.note("marks \(start)..<\(end) as \(name): \(value)")
      try document.mark(
        obj: text,
        start: UInt64(start),
        end: UInt64(end),
        expand: .none,
        name: name,
        value: value
      )
      var units = shown[name] ?? Array(repeating: .Null, count: length)
      for unit in start..<end { units[unit] = value }
      shown[name] = units
    }
    if story.flag() {
      // Two marks of one value, and between them an element that is in neither and is no unit.
      let unit = 1 + story.index(below: length - 1)
      story.note(
        "marks the units around \(unit) as z, one by one, and inserts an empty string there"
      )
      var units: [ScalarValue] = Array(repeating: .Null, count: length)
      for start in [unit - 1, unit] {
        units[start] = .Boolean(true)
        try document.mark(
          obj: text,
          start: UInt64(start),
          end: UInt64(start + 1),
          expand: .none,
          name: "z",
          value: .Boolean(true)
        )
      }
      shown["z"] = units
      try document.insert(obj: text, index: UInt64(unit), value: .String(""))
    }
    let file = document.save()
    let encodings: [TextEncoding] = [.unicodeScalar, .utf16, .utf8, .graphemeCluster]
    for reader in [document] + (try encodings.map { try Document(file, textEncoding: $0) }) {
      var starts = [0]
      for scalar in letters.unicodeScalars {
        starts.append(starts[starts.count - 1] + reader.textEncoding.width(of: String(scalar)))
      }
      let expected = shown.sorted { $0.key < $1.key }.flatMap { name, units in
        Self.stretches(units).map { range, value in
          AutomergeDocument.Mark(
            start: UInt64(starts[range.lowerBound]),
            end: UInt64(starts[range.upperBound]),
            name: name,
            value: value
          )
        }
      }
      for marks in [
        try reader.marks(obj: text), try reader.marksAt(obj: text, heads: reader.heads()),
      ] {
        try expect(
          marks.map { SameMark($0) } == expected.map { SameMark($0) },
          "marks with values that are hard to compare, in \(reader.textEncoding): \(marks)"
        )
      }
      let pieces = try reader.spans(obj: text).map { span in
        if case .text(let piece, _) = span { piece } else { "a block" }
      }
      try expect(pieces.joined() == letters, "spans of a text with marks: \(pieces)")
    }
  }

  /// Writer 01 marks units 0 and 1, writer fe units 1 and 2, both with the same counter.
  ///
  /// Unit 1 has the value of fe, whichever of the two merges.
  private static let equalMarks = PublicCallLaw(
    "api.equal-marks",
    "Marks with equal counters go by their writers.",
    "Of two marks of one name with equal counters, that of the greater writer shows where both are.",
    source: .specification(.semantics, "Marks")
  ) { story in
    let base = try story.document()
    let text = try base.putObject(obj: .ROOT, key: "marked", ty: .Text)
    try base.spliceText(obj: text, start: 0, delete: 0, value: "abcd")
    story.note("a text \"abcd\"; 01 marks its units 0 and 1, fe its units 1 and 2")
    let copies = try [(writer: UInt8(1), start: UInt64(0)), (writer: 0xfe, start: 1)].map { mark in
      let copy = base.copy(by: mark.writer)
      try copy.mark(
        obj: text,
        start: mark.start,
        end: mark.start + 2,
        expand: .none,
        name: "bold",
        value: .Uint(UInt64(mark.writer))
      )
      return copy
    }
    let marks = [(0, 1, 1), (1, 3, 0xfe)].map { start, end, writer in
      AutomergeDocument.Mark(
        start: UInt64(start),
        end: UInt64(end),
        name: "bold",
        value: .Uint(UInt64(writer))
      )
    }
    for (copy, other) in [(copies[0], copies[1]), (copies[1], copies[0])] {
      try copy.merge(other: other)
      let found = try copy.marks(obj: text)
      try expect(found == marks, "marks with equal counters: \(found)")
    }
  }

  /// The longest stretches of units with equal values, none of them null; a value that equals nothing has a
  /// stretch for each unit.
  ///
  /// NaN is the value that equals nothing. 0.0 and -0.0 are equal, and join.
  private static func stretches(
    _ units: [ScalarValue]
  ) -> [(range: Range<Int>, value: ScalarValue)] {
    var stretches: [(range: Range<Int>, value: ScalarValue)] = []
    for (unit, value) in units.enumerated() where value != .Null {
      if let last = stretches.last, last.range.upperBound == unit, last.value == value {
        stretches[stretches.count - 1].range = last.range.lowerBound..<unit + 1
      } else {
        stretches.append((unit..<unit + 1, value))
      }
    }
    return stretches
  }
}
