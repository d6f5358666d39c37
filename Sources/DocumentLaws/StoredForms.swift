// How the samples of the laws of stored bytes are written down, so that a stored case is judged as it
// was found, whatever today's generators make of its choices.
//
// A text that is no sample is refused with `UnreadableSample` or `UnreadableLine`, and a history's with
// `HistoryTextError`: a stored case may come from anywhere. `SampleParts` tell the shrinker what can
// be left out whole.
//
//     form                sample          first line
//     stored history 1    PickedHistory   history 1
//     change graph 1      ChangeGraph     change 4 0 17
//     strokes 1           LongEditing     type 12 90 2 one-by-one
//     damaged bytes 1     DamagedBytes    file 0 sealed
//     forgery 1           Forgery         about: a key that is not UTF-8
//     flawed change 1     FlawedChange    about: a key in a list (its form stands beside its law)
//     bomb 1              Bomb            65536 successors
//     golden file 1       GoldenVector    one_key

import Histories
package import PropertyEngine
import Texts

extension FormName {
  fileprivate static let storedHistory = FormName("stored history", version: 1)
  fileprivate static let changeGraph = FormName("change graph", version: 1)
  fileprivate static let strokes = FormName("strokes", version: 1)
  fileprivate static let damagedBytes = FormName("damaged bytes", version: 1)
  fileprivate static let forgery = FormName("forgery", version: 1)
  fileprivate static let bomb = FormName("bomb", version: 1)
  fileprivate static let goldenFile = FormName("golden file", version: 1)
}

extension SampleForm<PickedHistory> {
  /// A history, and on a last line the picks: `picks 3 0 17`.
  package static let storedHistory = SampleForm(
    name: .storedHistory,
    plural: "stored histories",
    render: { sample in
      sample.history.text + (["picks"] + sample.picks.map(String.init)).joined(separator: " ")
        + "\n"
    },
    parse: { text in
      // Empty lines stay, so that errors of the history count lines as an editor does.
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      while lines.last?.isEmpty == true { lines.removeLast() }
      guard let words = lines.last?.split(separator: " "), words.first == "picks" else {
        throw UnreadableSample(form: .storedHistory, expected: "a last line of picks")
      }
      let picks = words.dropFirst().compactMap { Int($0) }.filter { (0...999).contains($0) }
      guard picks.count == words.count - 1 else {
        throw UnreadableSample(form: .storedHistory, expected: "picks of 0 to 999")
      }
      let history = try History(text: lines.dropLast().joined(separator: "\n") + "\n")
      return PickedHistory(history: history, picks: picks)
    },
    size: { $0.history.size },
    measure: { counted($0.history.size, "edit or exchange", "edits and exchanges") },
    parts: SampleParts(of: \.history.steps)
  )
}

extension SampleForm<ChangeGraph> {
  /// A change a line, its numbers behind it, and on a last line the picks: `change 4 0 17`.
  package static let changeGraph = SampleForm(
    name: .changeGraph,
    plural: "graphs of changes",
    render: { sample in
      (sample.changes.map { ["change"] + $0.map(String.init) }
        + [["picks"] + sample.picks.map(String.init)])
        .map { $0.joined(separator: " ") + "\n" }.joined()
    },
    parse: { text in
      let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
      let numbers = lines.map { $0.dropFirst().compactMap { Int($0) } }
      let areSound = zip(lines, numbers).enumerated().allSatisfy { place, line in
        let isLast = place == lines.count - 1
        return line.0.first == (isLast ? "picks" : "change")
          && line.1.count == line.0.count - 1 && (isLast || line.1.count >= 3)
          && line.1.allSatisfy { (0...999).contains($0) }
      }
      guard areSound, let picks = numbers.last, lines.count <= 65 else {
        throw UnreadableSample(form: .changeGraph, expected: "changes of numbers, then picks")
      }
      return ChangeGraph(changes: numbers.dropLast(), picks: picks)
    },
    size: { $0.changes.count },
    measure: { counted($0.changes.count, "change") },
    parts: SampleParts(of: \.changes)
  )
}

extension SampleForm<LongEditing> {
  /// A stroke a line: `type 12 90 2 one-by-one`, `delete 3 40 backward`, `commit`, `restart`, `hand-over`,
  /// `waver 3 4 backspace 17`.
  package static let strokes = SampleForm(
    name: .strokes,
    plural: "long edits",
    render: { $0.strokes.map { "\($0.line)\n" }.joined() },
    parse: { text in
      var strokes: [LongEditing.Stroke] = []
      try readLines(of: text, as: .strokes) { line in
        guard let stroke = LongEditing.Stroke(line) else { return false }
        strokes.append(stroke)
        return true
      }
      return LongEditing(strokes: strokes)
    },
    size: { $0.strokes.count },
    measure: { counted($0.strokes.count, "stroke") },
    parts: SampleParts(of: \.strokes)
  )
}

extension LongEditing.Stroke {
  fileprivate var line: String {
    switch self {
    case .type(let at, let count, let size, let atOnce):
      "type \(at) \(count) \(size) \(atOnce ? "at-once" : "one-by-one")"
    case .delete(let at, let count, let direction): "delete \(at) \(count) \(direction.rawValue)"
    case .commit: "commit"
    case .restart: "restart"
    case .handOver: "hand-over"
    case .waver(let at, let count, let key, let tries):
      "waver \(at) \(count) \(key.rawValue) \(tries)"
    }
  }

  /// Refuses what the generator would not draw: a stored case is a sample like any other.
  fileprivate init?(_ line: Substring) {
    let words = line.split(separator: " ").map(String.init)
    let numbers = words.dropFirst().compactMap { Int($0) }
    switch (words.first, words.count) {
    case ("type", 5):
      guard numbers.count == 3, (0...999).contains(numbers[0]), (1...90).contains(numbers[1]),
        (1...4).contains(numbers[2]), ["at-once", "one-by-one"].contains(words[4])
      else { return nil }
      self = .type(
        at: numbers[0],
        count: numbers[1],
        size: numbers[2],
        atOnce: words[4] == "at-once"
      )
    case ("delete", 4):
      guard numbers.count == 2, (0...999).contains(numbers[0]), (1...40).contains(numbers[1]),
        let direction = Direction(rawValue: words[3])
      else { return nil }
      self = .delete(at: numbers[0], count: numbers[1], direction)
    case ("commit", 1): self = .commit
    case ("restart", 1): self = .restart
    case ("hand-over", 1): self = .handOver
    case ("waver", 5):
      guard numbers.count == 3, (0...999).contains(numbers[0]),
        (1...LongEditing.waverLimit).contains(numbers[1]), (0...999).contains(numbers[2]),
        let key = Key(rawValue: words[3])
      else { return nil }
      self = .waver(at: numbers[0], count: numbers[1], key, tries: numbers[2])
    default: return nil
    }
  }
}

extension SampleForm<DamagedBytes> {
  /// A line `file 0` or `file 0 sealed`, a line for each wound, the bytes; others follow in the same way.
  ///
  /// Sealed: the checksum was made right.
  package static let damagedBytes = SampleForm(
    name: .damagedBytes,
    plural: "damaged files",
    render: { sample in sample.files.flatMap(\.lines).map { "\($0)\n" }.joined() },
    parse: { text in
      var parts: [[String]] = []
      for line in text.split(separator: "\n").map(String.init) {
        if parts.isEmpty || line.hasPrefix("file ") {
          parts.append([line])
        } else {
          parts[parts.count - 1].append(line)
        }
      }
      let files = parts.compactMap { DamagedBytes(lines: $0) }
      guard var sample = files.first, files.count == parts.count else {
        throw UnreadableSample(
          form: .damagedBytes,
          expected: "a file's number, wounds and bytes"
        )
      }
      sample.others = Array(files.dropFirst())
      return sample
    },
    size: { $0.files.reduce(0) { $0 + $1.wounds.count } },
    measure: { sample in
      let byteCount = sample.files.reduce(0) { $0 + $1.bytes.count }
      let woundCount = sample.files.reduce(0) { $0 + $1.wounds.count }
      return "\(counted(byteCount, "byte")), \(counted(woundCount, "wound"))"
    }
  )
}

extension DamagedBytes {
  /// Without the others.
  fileprivate var lines: [String] {
    ["file \(base)\(isSealed ? " sealed" : "")"] + wounds.map { "wound: \($0)" }
      + ["bytes: \(hexString(bytes))"]
  }

  fileprivate init?(lines: [String]) {
    let head = lines.first?.split(separator: " ").map(String.init) ?? []
    let isSealed = head.last == "sealed"
    let wounds = lines.dropFirst().dropLast()
    guard head.first == "file", head.count == (isSealed ? 3 : 2), let base = Int(head[1]),
      (0...999).contains(base), wounds.allSatisfy({ $0.hasPrefix("wound: ") }),
      let last = lines.last, last.hasPrefix("bytes: "), let bytes = hexBytes(last.dropFirst(7))
    else { return nil }
    self.init(
      base: base,
      bytes: bytes,
      wounds: wounds.map { String($0.dropFirst(7)) },
      isSealed: isSealed
    )
  }
}

extension SampleForm<Forgery> {
  /// What is wrong, whether it is, the number of elements, and the bytes; of each file by itself.
  package static let forgery = SampleForm(
    name: .forgery,
    plural: "forgeries",
    render: { sample in
      sample.files.map { file in
        """
        about: \(file.kind.rawValue)
        forged: \(file.isForged ? "yes" : "no")
        elements: \(file.count)
        bytes: \(hexString(file.bytes))

        """
      }.joined()
    },
    parse: { text in
      let labels = ["about: ", "forged: ", "elements: ", "bytes: "]
      var lines = text.split(separator: "\n")[...]
      var files: [Forgery] = []
      while !lines.isEmpty || files.isEmpty {
        let values = zip(lines, labels).filter { $0.hasPrefix($1) }
          .map { String($0.dropFirst($1.count)) }
        guard values.count == 4, let kind = Forgery.Kind(rawValue: values[0]),
          ["yes", "no"].contains(values[1]), let count = Int(values[2]),
          let bytes = hexBytes(values[3])
        else { throw UnreadableSample(form: .forgery, expected: "four lines for each file") }
        let isForged = values[1] == "yes"
        files.append(Forgery(kind: kind, isForged: isForged, count: count, bytes: bytes))
        lines = lines.dropFirst(labels.count)
      }
      var sample = files[0]
      sample.others = Array(files.dropFirst())
      return sample
    },
    size: { sample in sample.files.reduce(0) { $0 + $1.count } },
    measure: { sample in counted(sample.files.reduce(0) { $0 + $1.count }, "element") }
  )
}

extension SampleForm<Bomb> {
  /// How much is claimed: `65536 successors` of the bombs that `make` makes.
  static func bomb(
    _ kind: String,
    sizes: ClosedRange<Int>,
    _ make: @escaping @Sendable (Int) -> [[UInt8]]
  ) -> SampleForm {
    SampleForm(
      name: .bomb,
      plural: "bombs",
      render: { "\($0.size) \($0.kind)\n" },
      parse: { text in
        let words = text.split(separator: "\n").joined(separator: "\n")
          .split(separator: " ", maxSplits: 1)
        guard words.count == 2, let size = Int(words[0]), sizes.contains(size), words[1] == kind
        else {
          throw UnreadableSample(form: .bomb, expected: "a size of \(sizes), and '\(kind)'")
        }
        return Bomb(kind: kind, size: size, parts: make(size))
      },
      size: { $0.size },
      measure: { "\($0)" }
    )
  }
}

extension SampleForm<GoldenVector> {
  /// The name of the file.
  static func vector(among vectors: [GoldenVector]) -> SampleForm {
    SampleForm(
      name: .goldenFile,
      plural: "golden files",
      render: { "\($0.name)\n" },
      parse: { text in
        let name = text.split(separator: "\n").joined(separator: "\n")
        guard let vector = vectors.first(where: { $0.name == name }) else {
          throw UnreadableSample(form: .goldenFile, expected: "the name of a file at hand")
        }
        return vector
      },
      size: { $0.bytes.count },
      measure: { counted($0.bytes.count, "byte") }
    )
  }
}
