// `Document`'s patches for the laws of patches: one difference, translated action by action.

import AutomergeDocument
package import DocumentModel
import MergeEngine

/// Patches of a `Document` in the harness's vocabulary: text and its marks are two patches.
///
/// A patch that puts or inserts a value does not say whether others are there as well.
extension DocumentReplica {
  /// Of a replica that counts scalars alone: ranges of spliced text are counted in scalars
  /// (`documentSubject` takes the feature from the others).
  package mutating func patches(
    from before: ObservedHeads,
    to after: ObservedHeads
  ) throws -> [ObservedPatch] {
    func hashes(_ heads: ObservedHeads) -> Set<AutomergeDocument.ChangeHash> {
      Set(heads.ids.compactMap(EngineReplica.hash).map { ChangeHash($0) })
    }
    let patches = document.difference(from: hashes(before), to: hashes(after))
    return try patches.flatMap { patch in
      let path = patch.path.map { Self.slot($0.prop) }
      return try Self.actions(patch.action).map { ObservedPatch(path, $0) }
    }
  }

  /// Ids are told of objects alone: a patch names no operation of a scalar.
  private static func actions(_ action: PatchAction) throws -> [ObservedPatch.Action] {
    switch action {
    case .Put(_, let prop, let value): return [.put(slot(prop), try empty(value))]
    case .Insert(_, let index, let values):
      return [.insert(index: Int(clamping: index), try values.map(empty))]
    case .SpliceText(_, let index, let text, let marks):
      let index = Int(clamping: index)
      let range = index..<index + text.unicodeScalars.count
      var shown: [ObservedMark] = []
      for (name, value) in marks.sorted(by: { $0.key < $1.key }) {
        guard case .Scalar(let scalar) = value, scalar != .Null else { continue }
        let known = EngineReplica.scalar(try scalar.engineScalar())
        shown.append(ObservedMark(name: ExactString(name), value: known, range: range))
      }
      let typed = ObservedPatch.Action.spliceText(index: index, ExactString(text))
      return shown.isEmpty ? [typed] : [typed, .marks(shown)]
    case .Increment(_, let prop, let amount): return [.increment(slot(prop), by: amount)]
    case .Conflict(_, let prop): return [.conflict(slot(prop))]
    case .DeleteMap(_, let key): return [.deleteKey(ExactString(key))]
    case .DeleteSeq(let deleted):
      return [
        .deleteRange(index: Int(clamping: deleted.index), count: Int(clamping: deleted.length))
      ]
    case .Marks(_, let marks):
      return [
        .marks(
          try marks.map { mark in
            try expect(mark.start < mark.end, "a mark of a patch covers nothing")
            return ObservedMark(
              name: ExactString(mark.name),
              value: EngineReplica.scalar(try mark.value.engineScalar()),
              range: Int(clamping: mark.start)..<Int(clamping: mark.end)
            )
          }
        )
      ]
    }
  }

  private static func slot(_ prop: AutomergeDocument.Prop) -> Slot {
    switch prop {
    case .Key(let key): .key(ExactString(key))
    case .Index(let index): .index(Int(clamping: index))
    }
  }

  /// A value without what an object holds: that follows in patches of its own.
  private static func empty(_ value: AutomergeDocument.Value) throws -> ObservedValue {
    switch value {
    case .Scalar(let scalar):
      let known = EngineReplica.scalar(try scalar.engineScalar())
      return ObservedValue(id: nil, content: .scalar(known))
    case .Object(let id, let type):
      let known = EngineReplica.id(id.engineID)
      let made: DocumentModel.OpID? = if case .made(let id) = known { id } else { nil }
      let kind: DocumentModel.ObjectKind =
        switch type {
        case .Map: .map
        case .List: .list
        case .Text: .text
        }
      return ObservedValue(id: made, content: .object(ObservedObject(empty: kind, id: known)))
    }
  }
}
