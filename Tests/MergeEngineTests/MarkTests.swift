import Foundation
import Testing

@testable import MergeEngine

@Suite("Marks")
struct MarkTests {
  private func text(_ content: String, unit: TextUnit = .scalar) throws -> (MergeDocument, ObjectID)
  {
    let document = MergeDocument(actor: actor(1), unit: unit)
    let text = try document.putObject(.root, .key("t"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: content)
    return (document, text)
  }

  private func shown(
    _ document: MergeDocument,
    _ text: ObjectID,
    at heads: [ChangeHash]? = nil
  )
    throws -> [String]
  {
    try document.marks(text, at: heads).map { mark in
      "\(mark.range.lowerBound)-\(mark.range.upperBound) \(mark.name)=\(mark.value)"
    }
  }

  @Test(
    "Patches tell each mark once where kept and new elements take turns under many",
    arguments: [(ObjectKind.list, 250), (.list, 500), (.text, 250), (.text, 500)]
  )
  func patchesInTurns(_ kind: ObjectKind, _ count: Int) throws {
    let document = MergeDocument(actor: actor(1))
    let object = try document.putObject(.root, .key("o"), kind)
    func insert(_ count: Int, at index: Int) throws {
      if kind == .text {
        let letters = String(repeating: "a", count: count)
        try document.spliceText(object, at: index, delete: 0, insert: letters)
      } else {
        let ones = [Scalar](repeating: .int(1), count: count)
        try document.splice(object, at: index, delete: 0, insert: ones)
      }
    }
    try insert(count, at: 0)
    document.commit()
    let before = document.heads
    for number in 0..<count {
      try document.mark(object, 0..<count, expand: .both, name: "\(number)", value: .int(1))
    }
    for number in 0..<count { try insert(1, at: 2 * number + 1) }
    document.commit()
    let workDone = document.workDone
    let patches = document.patches(from: before, to: document.heads)
    let told = patches.flatMap { patch in
      if case .marks(let marks) = patch.action { marks } else { [Mark]() }
    }
    #expect(told.count == count)
    #expect(told.allSatisfy { $0.range.lowerBound == 0 && $0.range.upperBound >= 2 * count - 1 })
    #expect(document.workDone - workDone >= count)
    #expect(document.workDone - workDone <= 16 * count)
  }

  @Test("The golden files of the real core show the marks that it shows")
  func golden() throws {
    let root = try #require(try Fixtures.json("vectors/vectors.json") as? [String: Any])
    let vectors = try #require(root["vectors"] as? [[String: Any]])
    var compared = 0
    for vector in vectors {
      guard let marks = vector["marks"] as? [String: [[String: Any]]],
        let file = vector["file"] as? String
      else { continue }
      let document = try MergeDocument(loading: Fixtures.bytes("vectors/\(file)"), actor: actor(9))
      for (path, list) in marks {
        let key = String(path.dropFirst())
        guard case .object(let text, _)? = try document.get(.root, .key(key))?.value else {
          Issue.record("\(file) has no text at \(path)")
          continue
        }
        let found = try document.marks(text).map {
          "\($0.name) \($0.range.lowerBound) \($0.range.upperBound)"
        }
        let expected = list.map { mark in
          "\(mark["name"] ?? "") \(mark["start"] ?? "") \(mark["end"] ?? "")"
        }
        #expect(found.sorted() == expected.sorted(), "\(file)")
        compared += 1
      }
    }
    #expect(compared > 3)
  }

  @Test(
    "What is typed at an end belongs to a mark that expands there",
    arguments: [
      (MarkExpansion.before, "1-5"), (.after, "2-6"), (.both, "1-6"), (.none, "2-5"),
    ]
  )
  func expansion(_ expansion: MarkExpansion, _ range: String) throws {
    let (document, text) = try text("abcdef")
    try document.mark(text, 1..<4, expand: expansion, name: "b", value: .bool(true))
    try document.spliceText(text, at: 4, delete: 0, insert: "Y")
    try document.spliceText(text, at: 1, delete: 0, insert: "X")
    #expect(try document.text(text) == "aXbcdYef")
    #expect(try shown(document, text) == ["\(range) b=bool(true)"])
    let loaded = try MergeDocument(loading: document.save(), actor: actor(2))
    #expect(try shown(loaded, text) == ["\(range) b=bool(true)"])
    #expect(document.brokenInvariant == nil)
  }

  @Test("Values are one if their bytes are: of neighbours that only look alike each has a stretch")
  func lookAlikes() throws {
    let (document, text) = try text("abcdef")
    for (start, value) in [(0, "\u{e9}"), (2, "e\u{301}"), (4, "e\u{301}")] {
      try document.mark(text, start..<start + 2, expand: .none, name: "b", value: .string(value))
    }
    let found = try document.marks(text).map { mark in
      guard case .string(let value) = mark.value else { return "\(mark)" }
      return "\(mark.range) \(value.unicodeScalars.count)"
    }
    #expect(found == ["0..<2 1", "2..<6 2"])
  }

  @Test("The newest of overlapping marks wins, and null takes a name away")
  func overlap() throws {
    let (document, text) = try text("abcdefgh")
    try document.mark(text, 0..<6, expand: .none, name: "c", value: .string("red"))
    try document.mark(text, 2..<8, expand: .none, name: "c", value: .string("blue"))
    document.commit()
    let heads = document.heads
    try document.mark(text, 3..<4, expand: .none, name: "c", value: .null)
    try document.mark(text, 0..<1, expand: .none, name: "a", value: .int(1))
    #expect(
      try shown(document, text) == [
        "0-1 a=int(1)", "0-2 c=string(\"red\")", "2-3 c=string(\"blue\")",
        "4-8 c=string(\"blue\")",
      ]
    )
    #expect(
      try shown(document, text, at: heads) == ["0-2 c=string(\"red\")", "2-8 c=string(\"blue\")"]
    )
    #expect(try shown(document, text, at: []) == [])
    document.rollback()
    #expect(try shown(document, text).count == 2)
    #expect(document.brokenInvariant == nil)
  }

  @Test("Marks of two writers meet; deleted text carries none")
  func concurrent() throws {
    let (left, text) = try text("abcdef")
    let right = left.fork(actor: actor(2))
    try left.mark(text, 0..<4, expand: .both, name: "b", value: .bool(true))
    try right.mark(text, 2..<6, expand: .both, name: "i", value: .bool(true))
    try right.spliceText(text, at: 3, delete: 2)
    try left.merge(right)
    try right.merge(left)
    #expect(try left.text(text) == "abcf")
    #expect(try shown(left, text) == ["0-3 b=bool(true)", "2-4 i=bool(true)"])
    #expect(try shown(right, text) == (try shown(left, text)))
    try left.spliceText(text, at: 0, delete: 4)
    #expect(try shown(left, text) == [])
  }

  @Test("Not a number equals nothing: each element has a stretch of its own")
  func notANumber() throws {
    let (document, text) = try text("abc")
    try document.mark(text, 0..<2, expand: .none, name: "n", value: .double(.nan))
    #expect(try document.marks(text).map(\.range) == [0..<1, 1..<2])
  }

  @Test("Spans end where such stretches do, also within what was typed at once")
  func spansOfNotANumber() throws {
    let (document, text) = try text("abc")
    document.commit()
    try document.spliceText(text, at: 3, delete: 0, insert: "de")
    try document.mark(text, 0..<4, expand: .none, name: "n", value: .double(.nan))
    let spans = try document.spans(text).map { span in
      if case .text(let string, let marks) = span {
        string + marks.map { " \($0.range)" }.joined()
      } else {
        ""
      }
    }
    #expect(spans == ["a 0..<1", "b 1..<2", "c 2..<3", "d 3..<4", "e"])
  }

  @Test(
    "Ranges count units, in each of the four",
    arguments: [TextUnit.scalar, .utf8, .utf16, .grapheme]
  )
  func units(_ unit: TextUnit) throws {
    let (document, text) = try text("a👨‍👩‍👧b", unit: unit)
    let length = try document.length(text)
    #expect(length == [.scalar: 7, .utf8: 20, .utf16: 10, .grapheme: 3][unit])
    try document.mark(text, 1..<length - 1, expand: .none, name: "f", value: .bool(true))
    #expect(try document.marks(text).map(\.range) == [1..<length - 1])
  }

  @Test("What is out of bounds is refused, and an empty mark that cannot grow makes nothing")
  func bounds() throws {
    let (document, text) = try text("abc")
    document.commit()
    let list = try document.putObject(.root, .key("l"), .list)
    try document.insert(list, at: 0, .int(1))
    document.commit()
    #expect(throws: EditError.indexOutOfBounds(index: 4, length: 3)) {
      try document.mark(text, 1..<4, expand: .none, name: "b", value: .null)
    }
    #expect(throws: EditError.invalidOperation(kind: .map)) {
      try document.mark(.root, 0..<0, expand: .both, name: "b", value: .null)
    }
    try document.mark(text, 1..<1, expand: .none, name: "b", value: .bool(true))
    #expect(document.pendingOpCount == 0)
    for expansion in [MarkExpansion.before, .after, .both] {
      try document.mark(text, 1..<1, expand: expansion, name: "b", value: .bool(true))
    }
    #expect(document.pendingOpCount == 6)
    #expect(try document.marks(text) == [])
    try document.mark(list, 0..<1, expand: .none, name: "", value: .int(7))
    #expect(try shown(document, list) == ["0-1 =int(7)"])
    #expect(try document.marks(.root) == [])
    #expect(document.brokenInvariant == nil)
  }

  @Test("Random marks are the same after loading and merging, and at heads")
  func random() throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = SplitMix(seed)
      var (document, text) = try text("0123456789")
      var other = document.fork(actor: actor(3))
      for step in 0..<40 {
        if random.below(2) == 0 { swap(&document, &other) }
        let length = try document.length(text)
        let start = random.below(length + 1)
        let end = start + random.below(length - start + 1)
        switch random.below(5) {
        case 0, 1:
          let value: Scalar = random.below(3) == 0 ? .null : .int(Int64(random.below(2)))
          try document.mark(
            text,
            start..<end,
            expand: MarkExpansion.allCases[random.below(4)],
            name: ["a", "b"][random.below(2)],
            value: value
          )
        case 2: try document.spliceText(text, at: start, delete: 0, insert: "x\(step)")
        case 3: try document.spliceText(text, at: start, delete: min(2, length - start))
        default:
          document.commit()
          try document.merge(other)
        }
        let broken = document.brokenInvariant
        #expect(broken == nil, "seed \(seed), step \(step)")
      }
      let heads = document.heads
      let marks = try document.marks(text)
      #expect(marks == (try MergeDocument(loading: document.save(), actor: actor(4)).marks(text)))
      try document.mark(text, 0..<1, expand: .none, name: "z", value: .int(1))
      #expect(marks == (try document.marks(text, at: heads)))
      try document.merge(other)
      try other.merge(document)
      #expect(try document.marks(text) == (try other.marks(text)))
    }
  }

  @Test("Open marks are those begun and not ended, the greatest of a name first", arguments: 0..<60)
  func openMarks(_ seed: Int) {
    var random = SplitMix(UInt64(seed))
    var open = OpenMarks()
    var plain: [Row] = []
    var values: [KeyHandle: UInt32] = [:]
    var begun: [Row] = []
    for number in 0..<80 {
      var row = Row(
        counter: UInt32(2 + 2 * random.below(40)),
        value: UInt32(number),
        actor: UInt16(random.below(3)),
        action: .mark
      )
      if random.below(2) == 0 {
        if begun.contains(where: { $0.id == row.id }) { continue }
        row.name = KeyHandle(random.below(3))
        begun.append(row)
        plain.append(row)
      } else {
        row.counter += 1
        plain.removeAll { $0.id.raw == PackedID(row.counter - 1, row.actor).raw }
      }
      open.pass(row, rank: 2 - row.actor)
      if random.below(3) == 0 { continue }
      let changed = open.takeChanged()
      for name in (0..<3).map({ KeyHandle($0) }) {
        let top = plain.filter { $0.name == name }.max { left, right in
          (left.counter, right.actor) < (right.counter, left.actor)
        }
        #expect(changed.contains(name) || values[name] == top?.value)
        values[name] = top?.value
        if changed.contains(name) { #expect(open.value(of: name)?.value == top?.value) }
      }
    }
  }
}
