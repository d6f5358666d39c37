/// Marks: names with values over stretches of a text or list.
///
/// Source: Specification/Semantics.md, "Marks".
extension MergeDocument {
  /// Gives the units of `range` a value under a name; null takes the name away.
  package func mark(
    _ object: ObjectID,
    _ range: Range<Int>,
    expand expansion: MarkExpansion,
    name: String,
    value: Scalar
  ) throws(EditError) {
    try core.mark(core.resolve(object), range, expand: expansion, name: name, value: value)
  }

  /// The marks of a sequence, by name (in the order of UTF-8 bytes) and then by start; none of a map.
  package func marks(
    _ object: ObjectID,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> [Mark] {
    try core.marks(core.resolve(object), at: core.clock(at: heads))
  }
}
