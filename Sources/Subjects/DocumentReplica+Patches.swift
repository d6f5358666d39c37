// `Document`'s patches in the harness's vocabulary: for the laws of patches, one difference at a
// time, and for `Document.checkPatches`.

import AutomergeDocument
import DocumentLaws
package import DocumentModel
import MergeEngine

extension DocumentReplica {
  /// Of a replica that counts scalars alone, as laws do (`documentSubject` takes the feature from the
  /// others).
  package mutating func patches(
    from before: ObservedHeads,
    to after: ObservedHeads
  ) throws -> [ObservedPatch] {
    try document.difference(from: before.changeHashes, to: after.changeHashes)
      .flatMap { try $0.observed(.document(Units.encoding)) }
  }
}

extension PatchForm {
  /// That of a `Document`, whose patches do not say whether what they put is in conflict.
  ///
  ///     "\u{1F600}" is F0 9F 98 80     utf8 F0, 9F, 98, 80     utf16 F09F, 9880     others F09F9880
  static func document(_ encoding: TextEncoding) -> PatchForm {
    PatchForm(reportsConflictsOfPuts: false) { text in
      switch encoding {
      case .graphemeCluster: text.map { Array($0.utf8) }
      case .unicodeScalar: text.unicodeScalars.map { Array(String($0).utf8) }
      case .utf8: text.utf8.map { [$0] }
      case .utf16:
        // A scalar of two code units has four bytes, and any other at most three.
        text.unicodeScalars.flatMap { scalar in
          let bytes = Array(String(scalar).utf8)
          return bytes.count < 4 ? [bytes] : [Array(bytes[..<2]), Array(bytes[2...])]
        }
      }
    }
  }
}

extension Patch {
  /// The patch in the harness's vocabulary: text and its marks are two patches.
  ///
  /// A patch that puts or inserts a value does not say whether others are there as well.
  func observed(_ form: PatchForm) throws -> [ObservedPatch] {
    let path = path.map { Slot($0.prop) }
    return try action.observed(form).map { ObservedPatch(path, $0) }
  }
}

extension PatchAction {
  /// The object that is changed.
  var object: ObjId {
    switch self {
    case .Put(let object, _, _), .Insert(let object, _, _), .SpliceText(let object, _, _, _),
      .Increment(let object, _, _), .DeleteMap(let object, _), .Marks(let object, _),
      .Conflict(let object, _):
      object
    case .DeleteSeq(let deleted): deleted.obj
    }
  }

  /// Ids are told of objects alone: a patch names no operation of a scalar.
  fileprivate func observed(_ form: PatchForm) throws -> [ObservedPatch.Action] {
    switch self {
    case .Put(_, let prop, let value): return [.put(Slot(prop), try ObservedValue(empty: value))]
    case .Insert(_, let index, let values):
      return [.insert(index: Int(clamping: index), try values.map(ObservedValue.init(empty:)))]
    case .SpliceText(_, let index, let text, let marks):
      let count = form.units(text).count
      // An index beyond all texts stays one.
      let index = min(Int(clamping: index), .max - count)
      let range = index..<index + count
      var shown: [ObservedMark] = []
      for (name, value) in marks.sorted(by: { $0.key < $1.key }) {
        guard case .Scalar(let scalar) = value, scalar != .Null else { continue }
        let known = EngineReplica.scalar(try scalar.engineScalar())
        shown.append(ObservedMark(name: ExactString(name), value: known, range: range))
      }
      let typed = ObservedPatch.Action.spliceText(index: index, ExactString(text))
      return shown.isEmpty ? [typed] : [typed, .marks(shown)]
    case .Increment(_, let prop, let amount): return [.increment(Slot(prop), by: amount)]
    case .Conflict(_, let prop): return [.conflict(Slot(prop))]
    case .DeleteMap(_, let key): return [.deleteKey(ExactString(key))]
    case .DeleteSeq(let deleted):
      return [
        .deleteRange(index: Int(clamping: deleted.index), count: Int(clamping: deleted.length))
      ]
    case .Marks(_, let marks): return [.marks(try marks.map(ObservedMark.init))]
    }
  }
}

extension Slot {
  fileprivate init(_ prop: AutomergeDocument.Prop) {
    switch prop {
    case .Key(let key): self = .key(ExactString(key))
    case .Index(let index): self = .index(Int(clamping: index))
    }
  }
}

extension ObservedMark {
  /// - Throws: `PublicCallFault` if the mark is over nothing.
  init(_ mark: AutomergeDocument.Mark) throws {
    try expect(mark.start < mark.end, "a mark covers nothing")
    self.init(
      name: ExactString(mark.name),
      value: EngineReplica.scalar(try mark.value.engineScalar()),
      range: Int(clamping: mark.start)..<Int(clamping: mark.end)
    )
  }
}

extension ObservedValue {
  /// A value without what an object holds: that follows in patches of its own.
  init(empty value: AutomergeDocument.Value) throws {
    switch value {
    case .Scalar(let scalar):
      let known = EngineReplica.scalar(try scalar.engineScalar())
      self.init(id: nil, content: .scalar(known))
    case .Object(let id, let type):
      let known = EngineReplica.id(id.engineID)
      let made: DocumentModel.OpID? = if case .made(let id) = known { id } else { nil }
      let kind = EngineReplica.kind(type.engineKind)
      self.init(id: made, content: .object(ObservedObject(empty: kind, id: known)))
    }
  }
}
