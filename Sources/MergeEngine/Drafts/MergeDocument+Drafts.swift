/// Comparing with drafts.
///
///     var walk = try document.comparison(of: root, in: draft, with: .root)
///     while case .question(let question) = document.resume(&walk) {
///       guard isSame(question) else { break }                 asked again: goes on behind it
///     }
///
/// A comparison writes nothing and commits nothing, and compares with what the open transaction shows.
extension MergeDocument {
  /// Compares a container with an object of its kind.
  package func comparison(
    of container: Draft.Node,
    in draft: Draft,
    with object: ObjectID
  ) throws(EditError) -> DraftComparison {
    var walk = DraftComparison(draft, isPrefix: false)
    try begin(&walk, container, object)
    return walk
  }

  /// Compares the elements of a list that have a counterpart, from the first on.
  package func prefixComparison(
    of list: Draft.Node,
    in draft: Draft,
    with object: ObjectID
  ) throws(EditError) -> DraftComparison {
    var walk = DraftComparison(draft, isPrefix: true)
    try begin(&walk, list, object)
    return walk
  }

  /// The draft remembers handles of the document's keys from one comparison to the next, while the
  /// document's store is the same: a store that was rebuilt counts as another.
  private func begin(
    _ walk: inout DraftComparison,
    _ container: Draft.Node,
    _ object: ObjectID
  ) throws(EditError) {
    let number = try core.resolve(object)
    walk.draft.store.keys.read(by: ObjectIdentifier(self), core.compactions)
    walk.enter(container, number, core)
  }

  /// Goes on with a comparison: from its beginning, or behind a question that was answered by yes.
  package func resume(_ walk: inout DraftComparison) -> DraftComparison.Outcome {
    walk.resume(core)
  }

  /// Whether the winner under the key of a map's entry is the entry's scalar, byte for byte.
  package func shows(
    _ object: ObjectID,
    _ entry: Draft.Node,
    of draft: Draft
  ) throws(EditError) -> Bool {
    let number = try core.resolve(object)
    draft.store.keys.read(by: ObjectIdentifier(self), core.compactions)
    let node = draft.store.nodes[entry]
    var guess = core.nextRegister
    guard let register = core.register(number, node.key, of: draft, &guess),
      let row = core.winner(register)
    else { return false }
    core.nextRegister = guess
    let record = core.rows[row]
    return record.action == .set && core.isStored(node, of: draft, record.meta, record.value)
  }
}
