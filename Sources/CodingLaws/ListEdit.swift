import CodingSupport
import ModelGeneration

/// What happens to one element of a list.
///
/// The three of them are what users do to lists; `RelatedLaws` uses them for edits by the model,
/// too.
enum ListEdit: Int, CaseIterable {
  case insert, move, remove

  /// Edits a list of a document through its core, as a peer in another language does: an element is
  /// inserted that resembles its neighbour, moved or removed, or a leaf of it changes.
  ///
  /// A number says which; nothing happens where no list has an element.
  ///
  /// The remainder of 4 is the edit (3 changes a leaf). `number / 4` chooses the list, `number /
  /// 16` the element, and `number / 64` the target or the leaf, each modulo what there is. The
  /// number must not be negative.
  ///
  /// Worked example: a document whose only list is `[A, B, C]`.
  ///
  ///      0    a changed copy of A is inserted before A
  ///     19    a leaf of B changes
  ///     33    C moves to the front
  ///     34    C is removed
  static func editList(of document: any CodingDocument, _ number: Int) throws {
    let tree = try document.tree()
    let lists = tree.paths.filter { path in
      if case .list(let elements)? = tree[path] { !elements.isEmpty } else { false }
    }
    guard !lists.isEmpty else { return }
    let list = lists[number / 4 % lists.count]
    guard case .list(let elements)? = tree[list] else { return }
    let index = number / 16 % elements.count
    let place = list + [.index(index)]
    guard let edit = ListEdit(rawValue: number % 4) else {
      let leaves = elements[index].paths.filter { path in
        elements[index][path].map { CodingLaw.changed($0) != $0 } ?? false
      }
      guard !leaves.isEmpty else { return }
      let leaf = leaves[number / 64 % leaves.count]
      guard let old = elements[index][leaf] else { return }
      return try document.put(CodingLaw.changed(old), at: place + leaf)
    }
    // Moving is a deletion and an insertion, as documents have no move: the element is another
    // object then.
    switch edit {
    case .insert: try document.insert(elements[index].mapNodes(CodingLaw.changed), at: place)
    case .remove: try document.delete(at: place)
    case .move:
      try document.delete(at: place)
      let target = number / 64 % elements.count
      try document.insert(elements[index], at: list + [.index(target)])
    }
  }
}
