import AutomergeDocument
import MergeEngine

/// Cursors on some elements of a document, to be looked at again after a call that brings changes.
///
/// A cursor stays with its element for as long as that is visible, whatever comes around it.
struct CursorWatch {
  private struct Entry {
    let object: ObjId
    let element: OpID
    let cursor: Cursor
  }

  /// Elements of one object that are watched.
  private static let elementLimit = 5

  private var entries: [Entry] = []

  /// Watches elements of each list and text that the root shows, at any depth.
  init(_ document: Document) throws {
    try watch(.ROOT, document)
  }

  private mutating func watch(_ object: ObjId, _ document: Document) throws {
    if document.objectType(obj: object) != .Map {
      let places = try Self.places(of: object, document)
      let stride = max(1, places.count / Self.elementLimit)
      for (number, place) in places.enumerated()
      where number % stride == 0 && !place.units.isEmpty {
        let start = UInt64(place.units.lowerBound)
        let cursor = try document.cursor(obj: object, position: start)
        try expect(
          document.position(obj: object, cursor: cursor) == start,
          "a cursor that was just made is elsewhere"
        )
        try expect(Cursor(bytes: cursor.bytes) == cursor, "a cursor's bytes")
        entries.append(Entry(object: object, element: place.element, cursor: cursor))
      }
    }
    for case .Object(let inner, _) in try document.values(obj: object) {
      try watch(inner, document)
    }
  }

  /// The visible elements, each with the units that it takes.
  private static func places(
    of object: ObjId,
    _ document: Document
  ) throws -> [(element: OpID, units: Range<Int>)] {
    let ids = try document.reading { try $0.elementIDs(object.engineID) }
    let isText = document.objectType(obj: object) == .Text
    let widths = try document.values(obj: object).map { value in
      isText ? Self.width(of: value, document.textEncoding) : 1
    }
    try expect(ids.count == widths.count, "values of a sequence")
    var start = 0
    return zip(ids, widths).map { id, width in
      defer { start += width }
      return (id, start..<start + width)
    }
  }

  private static func width(of value: AutomergeDocument.Value, _ encoding: TextEncoding) -> Int {
    let text = if case .Scalar(.String(let text)) = value { text } else { "\u{FFFC}" }
    return switch encoding {
    case .unicodeScalar: text.unicodeScalars.count
    case .utf8: text.utf8.count
    case .utf16: text.utf16.count
    case .graphemeCluster: text.count
    }
  }

  /// Throws if a cursor left its element, or is outside of its object.
  func check(_ document: Document, after call: String) throws {
    for entry in entries {
      let position = try document.position(obj: entry.object, cursor: entry.cursor)
      let places = try Self.places(of: entry.object, document)
      if let place = places.first(where: { $0.element == entry.element }) {
        try expect(position == place.units.lowerBound, "\(call) moves a cursor off its element")
      } else {
        try expect(position <= document.length(obj: entry.object), "\(call) moves a cursor out")
      }
    }
  }
}
