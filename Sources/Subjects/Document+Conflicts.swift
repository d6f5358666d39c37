// Which conflicts are new between two states: what patches must tell, for `Document.checkPatches`
// (`PatchedDocument.swift`).

import AutomergeDocument
import MergeEngine

/// A key or an index of an object.
///
/// In a text the index of the element's first unit.
struct ConflictPlace: Hashable {
  let object: ObjId
  let prop: AutomergeDocument.Prop

  init(_ object: ObjId, _ prop: AutomergeDocument.Prop) {
    self.object = object
    self.prop = prop
  }
}

extension Document {
  /// Lists up to this length are asked about each element.
  private static let wholeLimit = 500

  /// The places of an object at which patches must tell of a conflict.
  ///
  /// Several values are there now, and there was one, or none that is told as replaced. A list, since keys
  /// that Swift takes for one are two.
  ///
  ///     before       after        in patches
  ///     one value    the same     a conflict must be told
  ///     and others   wins
  ///     one value    another      in a text told; in maps and lists none is due beside the put
  ///                  wins
  ///     nothing      several      in a list or text told, for the new element; in a map none is due
  ///
  /// Cost: a look at the register of each place at both heads; in lists above `wholeLimit` only
  /// where an element was overwritten.
  func newConflicts(
    in object: ObjId,
    from before: Set<AutomergeDocument.ChangeHash>,
    to after: Set<AutomergeDocument.ChangeHash>
  ) throws -> [ConflictPlace] {
    func entries(
      _ prop: AutomergeDocument.Prop,
      _ heads: Set<AutomergeDocument.ChangeHash>
    ) throws -> [MergeEngine.OpID] {
      try reading { engine in
        try engine.getAll(object.engineID, prop.engineProp, at: heads.engineHashes).map(\.id)
      }
    }
    guard objectType(obj: object) != .Map else {
      let places = try keysAt(obj: object, heads: after).map { key -> ConflictPlace? in
        let prop = AutomergeDocument.Prop.Key(key)
        let (old, new) = (try entries(prop, before), try entries(prop, after))
        let isNew = new.count > 1 && old.count == 1 && old.last == new.last
        return isNew ? ConflictPlace(object, prop) : nil
      }
      return places.compactMap(\.self)
    }
    let isText = objectType(obj: object) == .Text
    let old = Dictionary(
      try CursorWatch.places(of: object, self, at: before).map { ($0.element, $0.units) }
    ) { first, _ in first }
    let elements = try CursorWatch.places(of: object, self, at: after)
    let winners = try reading { try $0.values(object.engineID, at: after.engineHashes).map(\.id) }
    let places = try zip(elements, winners).map { place, winner -> ConflictPlace? in
      let prop = AutomergeDocument.Prop.Index(UInt64(place.units.lowerBound))
      guard !place.units.isEmpty else { return nil }
      // To find an element at earlier heads takes a walk of the list: a long one is asked only about
      // what was overwritten. What was not has the value that made it, and no other.
      guard elements.count <= Self.wholeLimit || winner != place.element else { return nil }
      let now = try entries(prop, after)
      guard now.count > 1 else { return nil }
      guard let known = old[place.element], !known.isEmpty
      else { return ConflictPlace(object, prop) }
      let then = try entries(.Index(UInt64(known.lowerBound)), before)
      let isKept = then.last == now.last
      return isKept
        ? (then.count == 1 ? ConflictPlace(object, prop) : nil)
        : isText ? ConflictPlace(object, prop) : nil
    }
    return places.compactMap(\.self)
  }
}
