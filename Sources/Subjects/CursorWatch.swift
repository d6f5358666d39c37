// Cursors over a call that brings changes: made before it (`init`), looked at after it (`check`).
// `DocumentReplica` does so for one merge or application in six (`looksAtPatches`).
//
//     before      a b c        cursors on each, moving before and after; heads h
//     merge       a x c        "b" was deleted, "x" inserted
//     check       at h         each where it was
//                 now          on "a" and "c": on them; on "b": between "a" and "c", wherever "x" stands
//                 halfway      at the heads of the middle change of the history

import AutomergeDocument
import MergeEngine

/// Cursors on some elements of a document, to be looked at again after a call that brings changes.
///
/// A cursor stays with its element for as long as that is visible, whatever comes around it, and reads at
/// earlier heads as it did then. One whose element is deleted stays between the elements that stood
/// before and behind it.
struct CursorWatch {
  /// `position` is the first unit of the element when it was watched.
  private struct Entry {
    let object: ObjId
    let cursor: Cursor
    /// Moves to an earlier element, if its own is deleted.
    let backward: Cursor
    let position: UInt64
    /// The elements that were there, and which of them it is.
    let elements: [OpID]
    let number: Int
  }

  /// Elements of one object that are watched.
  ///
  /// At most about twice as many, as they are chosen at even distances by a division that rounds
  /// down; all of a short object.
  ///
  /// `stride` is at least 1; of 9 elements all are watched, of 10 every second one.
  private static let elementLimit = 5

  private var entries: [Entry] = []
  private let heads: Set<AutomergeDocument.ChangeHash>

  /// Watches elements of each list and text that the root shows, at any depth.
  init(_ document: Document) throws {
    heads = document.heads()
    try watch(.ROOT, document)
  }

  private mutating func watch(_ object: ObjId, _ document: Document) throws {
    if document.objectType(obj: object) != .Map {
      let places = try Self.places(of: object, document)
      let elements = places.map(\.element)
      let stride = max(1, places.count / Self.elementLimit)
      for (number, place) in places.enumerated()
      where number % stride == 0 && !place.units.isEmpty {
        let start = UInt64(place.units.lowerBound)
        let cursor = try document.cursor(obj: object, position: start)
        try expect(
          document.position(obj: object, cursor: cursor) == start,
          "a cursor that was just made is elsewhere"
        )
        try cursor.checkForms()
        entries.append(
          Entry(
            object: object,
            cursor: cursor,
            backward: try document.cursor(obj: object, position: start, moving: .before),
            position: start,
            elements: elements,
            number: number
          )
        )
      }
    }
    for case .Object(let inner, _) in try document.values(obj: object) {
      try watch(inner, document)
    }
  }

  /// The visible elements, each with the units that it takes.
  ///
  /// Used by `Document.checkPatches` as well. Cost: a look at all values of the sequence.
  static func places(
    of object: ObjId,
    _ document: Document,
    at heads: Set<AutomergeDocument.ChangeHash>? = nil
  ) throws -> [(element: OpID, units: Range<Int>)] {
    let ids = try document.reading { try $0.elementIDs(object.engineID, at: heads?.engineHashes) }
    let isText = document.objectType(obj: object) == .Text
    let values =
      try heads.map { try document.valuesAt(obj: object, heads: $0) }
      ?? document.values(obj: object)
    let widths = values.map { isText ? $0.width(in: document.textEncoding.engineUnit) : 1 }
    try expect(ids.count == widths.count, "values of a sequence")
    var start = 0
    return zip(ids, widths).map { id, width in
      defer { start += width }
      return (id, start..<start + width)
    }
  }

  /// Throws if a cursor left its element or its neighbours, now or at some earlier heads.
  func check(_ document: Document, after call: String) throws {
    let history = document.getHistory()
    // A state between nothing and now, which the element may or may not be in.
    let early: Set = [history[history.count / 2]]
    for entry in entries {
      let object = entry.object
      try expect(
        document.position(obj: object, cursor: entry.cursor, heads: heads) == entry.position
          && document.position(obj: object, cursor: entry.backward, heads: heads) == entry.position,
        "\(call) moves a cursor in the past"
      )
      try expect(
        document.cursor(obj: object, position: entry.position, heads: heads) == entry.cursor,
        "\(call) changes what a cursor in the past is"
      )
      try check(entry, document, at: nil, after: call)
      // The operation that the cursor names may be younger than those heads.
      do { try check(entry, document, at: early, after: call) } catch is DocError {
        let places = try Self.places(of: object, document, at: early)
        guard let place = places.first(where: { $0.element == entry.elements[entry.number] }),
          !place.units.isEmpty
        else { continue }
        let start = UInt64(place.units.lowerBound)
        try expect(
          document.cursor(obj: object, position: start, heads: early) != entry.cursor,
          "\(call) loses a cursor at earlier heads"
        )
      }
    }
  }

  private func check(
    _ entry: Entry,
    _ document: Document,
    at heads: Set<AutomergeDocument.ChangeHash>?,
    after call: String
  ) throws {
    func position(_ cursor: Cursor) throws -> Int {
      let position =
        try heads.map { try document.position(obj: entry.object, cursor: cursor, heads: $0) }
        ?? document.position(obj: entry.object, cursor: cursor)
      return Int(clamping: position)
    }
    let fault = cursorFault(
      (try position(entry.cursor), try position(entry.backward)),
      on: entry.number,
      of: entry.elements,
      in: try Self.places(of: entry.object, document, at: heads)
    )
    if let fault { throw PublicCallFault("after \(call) \(fault)") }
  }
}
