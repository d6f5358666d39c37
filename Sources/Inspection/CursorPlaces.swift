package import MergeEngine
import Texts

/// Cursors that are looked for in a document, and which of them were found.
///
///     7@0a0b      element 7 of actor 0a0b, in the text form
///     0103020a0b0702      the same in bytes, as hex
package struct CursorPlaces {
  private let cursors: [ElementCursor]
  private var found: Set<ElementCursor> = []

  package init(_ cursors: [ElementCursor] = []) {
    self.cursors = cursors
  }

  /// Reads a cursor in its text form, or its bytes in hex; `nil` for anything else.
  package static func cursor(_ text: String) -> ElementCursor? {
    ElementCursor(text) ?? hexBytes(text).flatMap { try? ElementCursor(bytes: $0) }
  }

  /// Where the cursors stand in one text or list: those of its elements, in the order given.
  mutating func places(
    in object: ObjectID,
    of document: MergeDocument
  ) -> [(cursor: ElementCursor, position: Int)] {
    var places: [(cursor: ElementCursor, position: Int)] = []
    for cursor in cursors {
      // A cursor of another object is no error here: it is looked for in all.
      guard let position = try? document.position(object, of: cursor) else { continue }
      places.append((cursor, position))
      found.insert(cursor)
    }
    return places
  }

  /// - Throws: `noElement` for the first cursor that stands nowhere.
  func checkAllFound() throws(InspectionError) {
    if let lost = cursors.first(where: { !found.contains($0) }) {
      throw .noElement(of: lost.description)
    }
  }
}
