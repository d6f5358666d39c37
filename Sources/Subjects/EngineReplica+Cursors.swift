// Cursors of the engine: asked for by steps (`cursor`, `position`), and looked at by the laws of
// stored bytes (`misplacedCursor`).

import DocumentLaws
package import DocumentModel
import Histories

#if TOUCHSTONE_TIGHT_SIZES
import TightEngine
#else
import MergeEngine
#endif

/// The engine's cursors, in lists and texts that the root shows.
extension EngineReplica {
  /// At an index from the length on the cursor is the end.
  package mutating func cursor(
    in object: DocumentModel.ObjectID,
    at index: Int,
    moving move: CursorMove,
    heads: ObservedHeads?
  ) throws -> ObservedCursor? {
    let id = Self.id(object)
    guard try document.kind(of: id).isSequence else { return nil }
    return Self.cursor(
      try document.cursor(
        id,
        at: index,
        moving: move == .before ? .before : .after,
        heads: heads?.ids.compactMap(Self.hash)
      )
    )
  }

  /// Nil for a cursor that the document cannot place, whatever the reason.
  package mutating func position(
    of cursor: ObservedCursor,
    in object: DocumentModel.ObjectID,
    at heads: ObservedHeads?
  ) throws -> Int? {
    let hashes = heads?.ids.compactMap(Self.hash)
    return try? document.position(Self.id(object), of: Self.cursor(cursor), at: hashes)
  }

  static func cursor(_ cursor: ElementCursor) -> ObservedCursor? {
    switch cursor.place {
    // Only a caller who asks for it gets the start.
    case .start: nil
    case .end: .end
    case .element(let id, let move):
      Self.id(id).map { .element($0, move == .before ? .before : .after) }
    }
  }

  static func cursor(_ cursor: ObservedCursor) -> ElementCursor {
    switch cursor {
    case .end: ElementCursor(.end)
    case .element(let id, let move):
      ElementCursor(
        .element(
          EngineOpID(counter: id.counter, actor: EngineActorID(id.actor.bytes)),
          move == .before ? .before : .after
        )
      )
    }
  }

  private typealias Place = (element: EngineOpID, units: Range<Int>)

  /// Elements of one object that have cursors.
  ///
  /// Chosen at even distances; the states that are compared are the last six.
  private static var cursorLimit: Int { 12 }

  /// Cost: states squared, times cursors, times a walk of the sequence.
  package mutating func misplacedCursor(among states: [ObservedHeads]) throws -> String? {
    let heads = states.suffix(6).map { $0.ids.compactMap(Self.hash) }
    for object in try sequences() {
      let places = try heads.map { try self.places(of: object, at: $0) }
      for (from, made) in zip(places, heads) where !from.isEmpty {
        let elements = from.map(\.element)
        for number in stride(from: 0, to: from.count, by: 1 + from.count / Self.cursorLimit)
        where !from[number].units.isEmpty {
          let start = from[number].units.lowerBound
          let after = try document.cursor(object, at: start, moving: .after, heads: made)
          let before = try document.cursor(object, at: start, moving: .before, heads: made)
          for (to, asked) in zip(places, heads) {
            let positions: (Int, Int)
            do {
              positions = (
                try document.position(object, of: after, at: asked),
                try document.position(object, of: before, at: asked)
              )
            } catch {
              // The operation that the cursors name may be younger than what is asked for.
              if asked == made { return "a cursor is not found at the heads of its making" }
              continue
            }
            if let fault = cursorFault(positions, on: number, of: elements, in: to) { return fault }
          }
        }
      }
    }
    return nil
  }

  /// Sequences in deeper objects are left to `CursorWatch` and to laws of histories.
  private func sequences() throws -> [EngineObjectID] {
    try document.mapEntries(.root).compactMap { entry in
      guard case .object(let id, let kind) = entry.entry.value, kind.isSequence else { return nil }
      return id
    }
  }

  /// For each visible element the units that it takes; without width an empty range.
  private func places(of object: EngineObjectID, at heads: [ChangeHash]) throws -> [Place] {
    let isText = try document.kind(of: object) == .text
    let elements = try document.elementIDs(object, at: heads)
    var start = 0
    return zip(elements, try document.values(object, at: heads)).map { element, entry in
      let width = isText ? Self.width(of: entry.value) : 1
      defer { start += width }
      return (element, start..<start + width)
    }
  }
}

/// What is wrong with the positions of two cursors on one element.
///
/// They are on their element as long as it is visible, else between its nearest neighbours that are; the
/// one that moves back is not behind the other.
///
///     made        a b c d        cursors on "c", number 2
///     visible     a x d          between "a" and "d", on either side of "x"
///
/// - Parameters:
///   - positions: The units before each cursor.
///   - number: Which of `made` the cursors are on.
///   - made: The elements that were visible when the cursors were made.
///   - visible: The elements that are visible now, each with the units that it takes.
/// - Returns: Nil if nothing is wrong.
func cursorFault<Element: Hashable>(
  _ positions: (forward: Int, backward: Int),
  on number: Int,
  of made: [Element],
  in visible: [(element: Element, units: Range<Int>)]
) -> String? {
  if let place = visible.first(where: { $0.element == made[number] }) {
    let start = place.units.lowerBound
    return positions == (start, start) ? nil : "a cursor is off its element"
  }
  let before = Set(made[..<number])
  let behind = Set(made[(number + 1)...])
  let low = visible.last { before.contains($0.element) }?.units.upperBound ?? 0
  let end = visible.last?.units.upperBound ?? 0
  let high = visible.first { behind.contains($0.element) }?.units.lowerBound ?? end
  guard low <= positions.forward, positions.forward <= high else {
    return "a cursor at \(positions.forward) is not between \(low) and \(high)"
  }
  return positions.backward <= positions.forward ? nil : "a cursor that moves back went forward"
}
