/// One step on the way from what a document showed to what it shows.
///
/// Patches are carried out in order: indexes and paths speak of the state after the patches before.
///
///     "a b c d" becomes "a x c"      insert x at 1, delete 1 at 2 (b), delete 1 at 3 (d)
///     {"t": "hi"} out of nothing     put "t", an empty text; then, in that text: type "hi" at 0
///
/// Source: Specification/Semantics.md, "Patch actions".
package struct DocumentPatch: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Sets a key, or an element that exists.
    ///
    /// An object comes empty; what it holds follows in patches of its own. `isConflict`: other values
    /// are there as well.
    case put(Prop, Value, isConflict: Bool)
    /// Inserts elements of a list, or an object into a text, before `index`.
    case insert(index: Int, [Value])
    /// Types text before `index`, under marks by name; null ones hide older marks.
    case spliceText(index: Int, String, marks: [String: Scalar])
    /// Adds to a counter.
    case increment(Prop, Int64)
    /// A value that stays is in conflict from now on.
    case conflict(Prop)
    case deleteKey(String)
    /// Deletes units of a text, or elements of a list.
    case deleteElements(index: Int, count: Int)
    /// Marks that changed over text that stays; null takes a name away.
    case marks([Mark])
  }

  package let object: ObjectID
  package let kind: ObjectKind
  /// From the root to the object.
  package let path: PatchPath
  package let action: Action
}
