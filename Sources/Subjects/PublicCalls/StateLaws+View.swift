import AutomergeDocument
import DocumentLaws
import Foundation
import PropertyEngine

extension StateLaws {
  /// Catches a view that reads a column otherwise than a load does, or from another row: conflicts, counters, deleted
  /// elements, objects that are asked out of the order of the file.
  static let views = law(
    "api.any-view",
    "A view shows what the document shows.",
    "A view of the saved bytes of any document, with any text encoding, answers as the document that is loaded from "
      + "them, whichever object is asked first, without loading them, and loads as it.",
    source: .decision(49)
  ) { document, sample in
    let encodings: [TextEncoding] = [.unicodeScalar, .utf16, .graphemeCluster, .utf8]
    let encoding = encodings[sample.pick(2) % encodings.count]
    let bytes = document.save()
    let loaded = try Document(bytes, textEncoding: encoding)
    let view = try SavedDocumentView(bytes, textEncoding: encoding)
    var objects = [ObjId.ROOT]
    var known: Set = [ObjId.ROOT]
    var next = 0
    while next < objects.count {
      for case .Object(let child, _) in try loaded.shownValues(of: objects[next])
      where known.insert(child).inserted {
        objects.append(child)
      }
      next += 1
    }
    let first = sample.pick(1) % objects.count
    for object in objects[first...] + objects[..<first] {
      try view.expectSame(as: loaded, object)
    }
    // What waits stands behind the document's chunk.
    try expect(
      !view.isLoaded || !loaded.waitingChanges.isEmpty,
      "a view of what a document saves has loaded it"
    )
    try expect(try view.document().heads() == loaded.heads(), "a view loads another document")
  }
}

/// Some of many places, the first and the last among them: a law's call for each of 100,000 would take seconds.
private func some<Place>(_ places: some RandomAccessCollection<Place>) -> [Place] {
  let step = max(1, places.count / 48)
  return places.enumerated().filter { index, _ in
    index.isMultiple(of: step) || index == places.count - 1
  }
  .map(\.element)
}

extension Document {
  /// The values of an object, and of some places those that lose a conflict.
  fileprivate func shownValues(of object: ObjId) throws -> [Value] {
    let losers =
      objectType(obj: object) == .Map
      ? try some(keys(obj: object)).flatMap { try getAll(obj: object, key: $0) }
      : try some(0..<length(obj: object)).flatMap { try getAll(obj: object, index: $0) }
    return try values(obj: object) + losers
  }
}

extension Value {
  /// The value as a text that differs where the value does: numbers that are none are equal by their bits alone.
  fileprivate var exact: String {
    if case .Scalar(.F64(let number)) = self { "F64 \(number.bitPattern)" } else { "\(self)" }
  }
}

extension SavedDocumentView {
  /// Throws if the view answers otherwise than the document of the same bytes.
  fileprivate func expectSame(as loaded: Document, _ object: ObjId) throws {
    let type = loaded.objectType(obj: object)
    try expect(try objectType(obj: object) == type, "a view: an object's type")
    try expect(try length(obj: object) == loaded.length(obj: object), "a view: a length")
    try expect(try keys(obj: object) == loaded.keys(obj: object), "a view: keys")
    let values = try loaded.values(obj: object).map(\.exact)
    try expect(try self.values(obj: object).map(\.exact) == values, "a view: values")
    if type == .Text {
      let text = try Array(loaded.text(obj: object).utf8)
      try expect(try Array(self.text(obj: object).utf8) == text, "a view: a text")
    }
    guard type == .Map else {
      for index in some(0..<loaded.length(obj: object)) {
        try expectSame(
          "an element",
          (get(obj: object, index: index), getAll(obj: object, index: index)),
          (loaded.get(obj: object, index: index), loaded.getAll(obj: object, index: index))
        )
      }
      return
    }
    for key in some(loaded.keys(obj: object)) {
      try expectSame(
        "a key",
        (get(obj: object, key: key), getAll(obj: object, key: key)),
        (loaded.get(obj: object, key: key), loaded.getAll(obj: object, key: key))
      )
    }
  }

  /// Throws if the winner, or all concurrent values, of a place differ.
  private func expectSame(
    _ place: String,
    _ found: (winner: Value?, all: Set<Value>),
    _ known: (winner: Value?, all: Set<Value>)
  ) throws {
    try expect(found.winner?.exact == known.winner?.exact, "a view: \(place)")
    try expect(
      Set(found.all.map(\.exact)) == Set(known.all.map(\.exact)),
      "a view: the values of \(place)"
    )
  }
}
