// Whether a `Document`'s patches lead from what it showed to what it shows: for calls whose patches
// no law sees (merges, applications, sync messages), in any text encoding. `PatchedState` carries them
// out; `shown` reads the states.

package import AutomergeDocument
import DocumentLaws
import DocumentModel
import MergeEngine
import PropertyEngine

extension Document {
  /// Throws if patches do not lead from the state at some heads to that at others.
  package func checkPatches(
    _ patches: [Patch],
    from before: Set<AutomergeDocument.ChangeHash>,
    to after: Set<AutomergeDocument.ChangeHash>,
    _ call: String
  ) throws {
    try checkPatches(patches, from: shown(at: before), to: shown(at: after), call)
  }

  /// Throws if the differences between two states do not lead from each to the other.
  ///
  /// Also from the present without naming it: `difference(since:)`, `difference(to:)`.
  package func checkDifferences(
    between before: Set<AutomergeDocument.ChangeHash>,
    and after: Set<AutomergeDocument.ChangeHash>
  ) throws {
    let (early, late) = (try shown(at: before), try shown(at: after))
    try checkPatches(difference(from: before, to: after), from: early, to: late, "difference")
    let back = difference(from: after, to: before)
    try checkPatches(back, from: late, to: early, "difference back")
    if after == heads() {
      try checkPatches(difference(since: before), from: early, to: late, "difference(since:)")
      try checkPatches(difference(to: before), from: late, to: early, "difference(to:)")
    }
    try expect(difference(from: after, to: after).isEmpty, "a difference of one state")
  }

  /// Paths are followed in the state that the patches before have made.
  ///
  /// A put of an element of a text comes as a deletion and a splice: the specification has no put
  /// there.
  ///
  /// Source: Specification/Semantics.md, "Differences between two states".
  private func checkPatches(
    _ patches: [Patch],
    from before: Observation,
    to after: Observation,
    _ call: String
  ) throws {
    let form = PatchForm.document(textEncoding)
    let state = PatchedState(before, form: form)
    for patch in patches {
      let object = patch.action.object
      let objects = (patch.path.map(\.obj) + [object]).map { EngineReplica.id($0.engineID) }
      do {
        for step in try patch.observed(form) {
          let changes = try state.apply(step, through: objects)
          try expect(changes, "a patch of \(call) changes nothing: \(patch.action)")
        }
      } catch let mismatch as PatchedState.PatchMismatch {
        throw PublicCallFault(
          "a patch of \(call) cannot be carried out: \(mismatch.explanation), in \(patch.action)"
        )
      }
      if case .Put = patch.action, objectType(obj: object) == .Text {
        throw PublicCallFault("a patch of \(call) does not fit a text: \(patch.action)")
      }
    }
    let due = PatchedState(after, form: form).observation
    if let found = state.observation.difference(from: due) {
      throw PublicCallFault(
        "the patches of \(call) lead to another state: \(found.summary) "
          + "(due: \(found.expected ?? "nothing"); found: \(found.actual ?? "nothing"))"
      )
    }
    if let found = state.conflictDifference(from: after) {
      let count = patches.count { if case .Conflict = $0.action { true } else { false } }
      throw PublicCallFault("the patches of \(call) tell \(count) conflicts: \(found.summary)")
    }
  }

  // MARK: - States

  /// Lists up to this length are asked about each element.
  private static let wholeLimit = 500

  /// What the document shows at some heads, as far as patches tell: all winners, and for each whether
  /// others are hidden.
  private func shown(at heads: Set<AutomergeDocument.ChangeHash>) throws -> Observation {
    Observation(root: try shown(.ROOT, .Map, at: heads))
  }

  /// One object with all that it shows.
  ///
  /// In a list each look at a register takes a walk of it. A list above `wholeLimit` is asked only about
  /// elements that were overwritten: any other has the value that made it, and no second one.
  private func shown(
    _ object: ObjId,
    _ type: ObjType,
    at heads: Set<AutomergeDocument.ChangeHash>
  ) throws -> ObservedObject {
    let id = EngineReplica.id(object.engineID)
    func register(
      _ winner: AutomergeDocument.Value,
      at prop: AutomergeDocument.Prop?
    ) throws -> ObservedRegister {
      var value = try ObservedValue(empty: winner)
      if case .Object(let inner, let type) = winner {
        value = ObservedValue(id: value.id, content: .object(try shown(inner, type, at: heads)))
      }
      let all = try prop.map { prop in
        try reading {
          try $0.getAll(object.engineID, prop.engineProp, at: heads.engineHashes)
        }
      }
      let hidden = try (all ?? []).dropLast().map { try ObservedValue(empty: .init($0.value)) }
      return ObservedRegister(values: hidden + [value], isComplete: false)
    }
    if type == .Map {
      let entries = try mapEntriesAt(obj: object, heads: heads).map { key, winner in
        let register = try register(winner, at: .Key(key))
        return ObservedObject.Entry(key: ExactString(key), register: register)
      }
      return ObservedObject(id: id, content: .map(entries))
    }
    let places = try CursorWatch.places(of: object, self, at: heads)
    let winners = try valuesAt(obj: object, heads: heads)
    let writers = try reading { try $0.values(object.engineID, at: heads.engineHashes).map(\.id) }
    let registers = try zip(places, zip(winners, writers)).map { place, winner in
      let isAsked = places.count <= Self.wholeLimit || winner.1 != place.element
      // An element without width has no index.
      let index = isAsked && !place.units.isEmpty ? UInt64(place.units.lowerBound) : nil
      return try register(winner.0, at: index.map { .Index($0) })
    }
    let length = places.last?.units.upperBound ?? 0
    let marks = try marksAt(obj: object, heads: heads).map(ObservedMark.init)
    try expect(marks.allSatisfy { $0.range.upperBound <= length }, "a mark ends beyond its object")
    let content: ObservedObject.Content =
      type == .List
      ? .list(registers)
      : .text(
        ExactString(try textAt(obj: object, heads: heads)),
        length: length,
        elements: registers
      )
    return ObservedObject(id: id, content: content, marks: marks)
  }
}
