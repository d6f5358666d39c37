/// What the encoder may change of a document's shape.
public enum SchemaStrategy: Hashable, Sendable {
  /// Missing maps, lists and texts are made; one of another kind than the model's is refused.
  case createWhenNeeded
  /// What is of another kind than the model's is replaced; else like ``createWhenNeeded``.
  case override
  /// No key, element or object is made and none is deleted: values alone are written.
  case readonly
}

/// What an encode does with keys of the document that the model's type never named.
///
/// In both cases a key that the type names and whose value is `nil` is removed, surplus list
/// elements are, and so are the keys of a dictionary, of an enum's case or of a ``WholeValue`` that the value lacks.
///
/// Behind a wrapper that calls `encode(to:)` of what it wraps, an enum that is written by hand counts as a type of its
/// own, whose keys are unknown once another case is written. One that encodes through a single-value container hides
/// nothing.
///
///     document {title: "a", due: 1, color: 2}     Note(title: "b", due: nil)
///     remove                                      {title: "b"}
///     preserve                                    {title: "b", color: 2}
public enum UnknownKeys: Hashable, Sendable {
  /// They are deleted, as in automerge-swift.
  case remove
  /// They stay: another version of the app, or another app, keeps its fields.
  case preserve
}

/// What is lost of a `Date` when it is encoded; decoding is exact.
///
/// A stored timestamp that the rule would give for the date already is left alone, with the
/// fraction that another program may have put there.
///
///     stored 1,999 ms     decoded 1.999 s, encoded as it is     `seconds` leaves the 1,999
///     stored 1,999 ms     encoded 2.5 s                         `seconds` writes 2,000
public enum DateTruncation: Hashable, Sendable {
  /// Rounded down to whole seconds, before 1970 too.
  case seconds
  /// Rounded to the nearest millisecond, all that the format holds.
  case milliseconds
}
