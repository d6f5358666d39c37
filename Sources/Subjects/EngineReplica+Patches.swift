package import DocumentModel

#if TOUCHSTONE_TIGHT_SIZES
import TightEngine
#else
import MergeEngine
#endif

/// The engine's patches in the harness's vocabulary: text and its marks are two patches.
extension EngineReplica {
  package mutating func patches(
    from before: ObservedHeads,
    to after: ObservedHeads
  ) -> [ObservedPatch] {
    let patches = document.patches(
      from: before.ids.compactMap(Self.hash),
      to: after.ids.compactMap(Self.hash)
    )
    return patches.flatMap { patch in
      let path = patch.path.steps.map { Self.slot($0.prop) }
      return Self.actions(patch.action).map { ObservedPatch(path, $0) }
    }
  }

  /// A put in conflict is two patches here; an insert says nothing of conflicts, which follow as
  /// patches of their own.
  private static func actions(_ action: DocumentPatch.Action) -> [ObservedPatch.Action] {
    switch action {
    case .put(let prop, let value, let isConflict):
      let slot = slot(prop)
      return [.put(slot, empty(value))] + (isConflict ? [.conflict(slot)] : [])
    case .insert(let index, let values):
      return [.insert(index: index, values.map(empty))]
    case .spliceText(let index, let text, let marks):
      let range = index..<index + text.unicodeScalars.count
      let shown = marks.filter { $0.value != .null }.sorted { $0.key < $1.key }.map {
        ObservedMark(name: ExactString($0.key), value: scalar($0.value), range: range)
      }
      let typed = ObservedPatch.Action.spliceText(index: index, ExactString(text))
      return shown.isEmpty ? [typed] : [typed, .marks(shown)]
    case .increment(let prop, let amount): return [.increment(slot(prop), by: amount)]
    case .conflict(let prop): return [.conflict(slot(prop))]
    case .deleteKey(let key): return [.deleteKey(ExactString(key))]
    case .deleteElements(let index, let count): return [.deleteRange(index: index, count: count)]
    case .marks(let marks): return [.marks(marks.map(mark))]
    }
  }

  private static func slot(_ prop: Prop) -> Slot {
    switch prop {
    case .key(let key): .key(ExactString(key))
    case .index(let index): .index(index)
    }
  }

  /// A value without what an object holds: that follows in patches of its own.
  private static func empty(_ value: EngineValue) -> ObservedValue {
    switch value {
    case .scalar(let scalar): ObservedValue(id: nil, content: .scalar(Self.scalar(scalar)))
    case .object(let id, let kind):
      ObservedValue(
        id: id.opID.flatMap { Self.id($0) },
        content: .object(ObservedObject(empty: Self.kind(kind), id: Self.id(id)))
      )
    }
  }
}
