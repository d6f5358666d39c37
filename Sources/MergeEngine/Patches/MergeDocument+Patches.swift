/// Differences between two states of a document.
///
/// Source: Specification/Semantics.md, "Differences between two states".
extension MergeDocument {
  /// The patches that lead from the state at some heads to that at others, in either direction of time.
  ///
  /// Commits what is open. Unknown hashes are ignored; no heads are the empty document.
  package func patches(from before: [ChangeHash], to after: [ChangeHash]) -> [DocumentPatch] {
    core.commit()
    let (first, second) = (Set(before), Set(after))
    if first == second { return [] }
    var walk = PatchWalk(
      from: core.frontier(before),
      to: core.frontier(after),
      places: core.actorPlaces()
    )
    walk.run(core)
    return walk.patches
  }
}

extension Core {
  /// The text of a stretch: its strings joined, U+FFFC for every other element.
  func text(of stretch: Stretch) -> String {
    switch stretch {
    case .simple(let run, let from, let to):
      guard run.action == .set, run.meta.type == TypeCode.string else {
        return String(repeating: "\u{FFFC}", count: Int(to &- from))
      }
      return values.view(
        from: Int(run.value) + Int(from) * Int(run.byteCount),
        length: Int(run.byteCount) * Int(to &- from)
      ).string
    case .complex(_, _, let row):
      guard rows[row].action == .set, rows[row].meta.type == TypeCode.string else {
        return "\u{FFFC}"
      }
      return values.view(from: Int(rows[row].value), length: Int(rows[row].meta.byteCount)).string
    }
  }
}
