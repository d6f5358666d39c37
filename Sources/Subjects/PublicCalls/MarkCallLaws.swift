import AutomergeDocument
import MergeEngine

extension Document {
  /// Throws if marks of one writer, over each other and with values that are hard to compare, are not what
  /// was said last of each unit.
  ///
  /// `number` says which marks: every value beside every other one, also such as equals nothing.
  ///
  /// The oracle is an array of nine units for each name: a later mark of one writer has the greater
  /// id, and so wins on the units that it covers.
  static func checkMarkValues(_ number: Int) throws {
    var random = PseudoRandom(seed: number)
    let values: [ScalarValue] = [
      .Null, .Boolean(true), .Int(0), .Uint(0), .F64(0), .F64(-0.0), .F64(.nan), .F64(.nan),
      .String(""), .String("0"),
    ]
    let document = Document()
    document.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    let length = 9
    try document.spliceText(obj: text, start: 0, delete: 0, value: "abcdefghi")
    var shown: [String: [ScalarValue]] = [:]
    for _ in 0..<3 + random.index(below: 5) {
      let name = ["b", "l"][random.index(below: 2)]
      let start = random.index(below: length)
      let end = min(length, start + 1 + random.index(below: 6))
      let value = values[random.index(below: values.count)]
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
    let expected = shown.sorted { $0.key < $1.key }.flatMap { name, units in
      Self.stretches(units).map { range, value in
        AutomergeDocument.Mark(
          start: UInt64(range.lowerBound),
          end: UInt64(range.upperBound),
          name: name,
          value: value
        )
      }
    }
    let again = try Document(document.save())
    for marks in [
      try document.marks(obj: text), try again.marks(obj: text),
      try document.marksAt(obj: text, heads: document.heads()),
    ] {
      try expect(
        marks.map { SameMark($0) } == expected.map { SameMark($0) },
        "marks with values that are hard to compare: \(marks)"
      )
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
