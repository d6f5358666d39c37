import AutomergeDocument
import DocumentLaws
import Foundation
import MergeEngine
import PropertyEngine

extension StateLaws {
  /// Catches a cursor that is read back as another, in any of its forms, and one that is taken to a place of another
  /// object.
  static let cursors = law(
    "api.any-cursor",
    "Cursors are read back as they were.",
    "A cursor at any place of any text or list is read back from its bytes and from its text, is where it was made, "
      + "and names no place in another object; from the length on it is that of the end. Those of start and end are at 0 and at the length. Other "
      + "spellings and damaged bytes are read as no cursor, and none is at the begin or end of a mark.",
    source: .specification(.format, "Ids, cursors and hashes")
  ) { document, sample in
    let sequences = try document.objects().filter { document.objectType(obj: $0) != .Map }
    guard !sequences.isEmpty else { throw Skipped("the document has no text and no list") }
    let object = sequences[sample.pick(1) % sequences.count]
    let length = document.length(obj: object)
    for position in [length, length + 1, .max] {
      let cursor = try document.cursor(obj: object, position: position)
      try expect(cursor.text == "e", "a cursor at \(position) of \(length) is \(cursor.text)")
    }
    try expect(
      try document.refusal(of: { try document.cursor(obj: .ROOT, position: 0) })
        == .wrongObjectType(.Map),
      "a cursor of a map"
    )
    for (text, bytes, position) in [("s", [1, 1], 0), ("e", [1, 2], length)]
      as [(String, [UInt8], UInt64)]
    {
      guard let end = Cursor(text: text) else { throw PublicCallFault("Cursor(text: \"\(text)\")") }
      try expect(
        end.bytes == Data(bytes) && Cursor(bytes: end.bytes) == end,
        "the bytes of \(text)"
      )
      try expect(end.text == text, "the text of \(text)")
      try expect(
        try document.position(obj: object, cursor: end) == position,
        "the position of \(text)"
      )
      try expect(
        try document.refusal(of: { try document.position(obj: .ROOT, cursor: end) })
          == .invalidCursor(end),
        "the cursor \(text) of a map"
      )
    }
    try Document.expectNoCursorOfMarks()
    try Document.expectCursorOfWriterWithoutBytes()
    guard length > 0 else { return }
    let position = UInt64(sample.pick(3)) % length
    for move in [CursorMove.after, .before] {
      let cursor = try document.cursor(obj: object, position: position, moving: move)
      try cursor.expectReadBack(movesBefore: move == .before)
      let found = try document.position(obj: object, cursor: cursor)
      // A position within an element of several units is that of its first.
      try expect(found <= position, "a cursor made at \(position) is at \(found)")
      let other = try document.cursor(obj: object, position: found, moving: move)
      try expect(other == cursor, "the cursors at \(position) and at \(found) differ")
      for stranger in sequences where stranger != object {
        try expect(
          try document.refusal(of: { try document.position(obj: stranger, cursor: cursor) })
            == .invalidCursor(cursor),
          "a cursor is taken to another object"
        )
      }
    }
  }
}

extension Document {
  /// Throws if a cursor names the begin or end of a mark: these have a place among the elements, and are none.
  ///
  ///     1@fd     the text        2@fd, 3@fd     its letters        4@fd, 5@fd     begin and end of a mark
  fileprivate static func expectNoCursorOfMarks() throws {
    let document = Document.written(by: 0xfd)
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "ab")
    try document.mark(
      obj: text,
      start: 0,
      end: 1,
      expand: .both,
      name: "bold",
      value: .Boolean(true)
    )
    for number in 1...6 {
      guard let cursor = Cursor(text: "\(number)@fd") else {
        throw PublicCallFault("Cursor(text: \"\(number)@fd\")")
      }
      let due: DocError.Kind? = number == 2 || number == 3 ? nil : .invalidCursor(cursor)
      let found = try document.refusal(of: { try document.position(obj: text, cursor: cursor) })
      try expect(found == due, "the cursor \(number)@fd among letters and a mark")
    }
  }
}

extension Document {
  /// Throws if a cursor at a letter is not read back whose writer has the shortest id there is, which has no bytes.
  fileprivate static func expectCursorOfWriterWithoutBytes() throws {
    let document = Document()
    document.actor = ActorId(MergeEngine.ActorID([]))
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "ab")
    for move in [CursorMove.after, .before] {
      try document.cursor(obj: text, position: 1, moving: move)
        .expectReadBack(movesBefore: move == .before)
    }
  }
}

extension Cursor {
  /// Throws if the cursor is another when it is read from its bytes or text, or if what is nearly one is read.
  fileprivate func expectReadBack(movesBefore: Bool) throws {
    try expect(Cursor(bytes: bytes) == self, "a cursor is read back from its bytes")
    try expect(Cursor(text: text) == self, "a cursor is read back from its text")
    try expect(text.hasPrefix("-") == movesBefore, "the sign of \(text)")
    // The first form has no move: it moves after.
    let old = Data([0]) + bytes.dropFirst(2).dropLast()
    try expect((Cursor(bytes: old) == self) == !movesBefore, "a cursor of the first form")
    for count in 0..<bytes.count {
      try expect(Cursor(bytes: bytes.prefix(count)) == nil, "\(count) bytes of a cursor are read")
    }
    for (place, byte) in [(0, 2), (1, 0), (1, 4), (bytes.count - 1, 0), (bytes.count - 1, 3)] {
      var damaged = bytes
      damaged[damaged.startIndex + place] = UInt8(byte)
      try expect(
        Cursor(bytes: damaged) == nil,
        "a cursor with the byte \(byte) at \(place) is read"
      )
    }
    let digits = movesBefore ? text.dropFirst() : text[...]
    let sign = movesBefore ? "-" : ""
    // The last is a digit that no byte has.
    let others = [
      "\(sign)0\(digits)", "\(sign)+\(digits)", "\(text)0", "-\(text)@", "", "S",
      "\(text.dropLast())g",
    ]
    for other in others {
      try expect(Cursor(text: other) == nil, "the text \(other) is read as a cursor")
    }
    // Behind the writer, whose length is one byte, stands the number: 0 and 2^32 are none.
    let writer = bytes.prefix(3 + Int(bytes[bytes.startIndex + 2]))
    for number: [UInt8] in [[0], [0x80, 0x80, 0x80, 0x80, 0x10]] {
      let damaged = writer + Data(number) + bytes.suffix(1)
      try expect(Cursor(bytes: damaged) == nil, "a cursor of the number \(number) is read")
    }
  }
}
